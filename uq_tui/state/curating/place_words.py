"""Where a question stands in the funnel, or why it fell, on one line."""

from store.curation_rows import Place
from uq_tui.text import clean_line
from uq_tui.words import CurationStage

_STANDS = {
    CurationStage.RULES: "rules not applied yet",
    CurationStage.MODEL: "passed the rules, waits for models",
    CurationStage.REVIEW: "waits for a person",
    CurationStage.KEPT: "kept",
}
_FELL = {CurationStage.RULES: "rules", CurationStage.MODEL: "models"}


def place_words(place: Place) -> str:
    """`fell at the rules: views 120 < 500`; `undecided: 1 of 3 ratings read`; `kept`."""
    detail = clean_line(place.detail)
    if place.stage is CurationStage.REVIEW and place.fell:
        return f"rejected: {detail}"
    if not place.fell:
        if place.stage is CurationStage.MODEL and detail:
            return detail
        return f"{_STANDS[place.stage]}: {detail}" if detail else _STANDS[place.stage]
    at = f"fell at the {_FELL[place.stage]}" if place.stage in _FELL else "fell"
    return f"{at}: {detail or place.fell.replace('_', ' ')}"
