"""What verdicts say, in words."""

from collections.abc import Mapping

from store.reading_rows import LedgerCount
from store.rows import MarkedError, Quote, Verdict, VerdictForm
from uq_tui.text import clean_line, counted
from uq_tui.words import LedgerState, VerdictRole, VerdictStatus

CONFIDENCE = ("a guess", "leaning", "fairly sure", "sure", "certain")
"""What 1 to 5 mean."""
QUOTE_CHARS = 60
"""Characters of a quote that a line shows."""
NOTHING = "nothing"


def plain(word: str) -> str:
    """A word of the vocabulary as it is shown: `out of depth`."""
    return word.replace("_", " ")


def given(verdict: Verdict) -> str:
    """What a verdict says: `incorrect`, `out of depth`, `retracted`."""
    said = verdict.label or verdict.not_judged
    if said is None or verdict.status is VerdictStatus.RETRACTED:
        return VerdictStatus.RETRACTED.value
    return plain(said)


ROLES: Mapping[VerdictRole, str] = {
    VerdictRole.ORDINARY: "",
    VerdictRole.REPEAT: ", judged once more",
    VerdictRole.ADJUDICATION: ", settles a conflict",
}
"""What a list of a reviewer's own revisions says behind those of each role."""


def describe(verdict: Verdict, *, masked: bool) -> str:
    """`incorrect, revision 2, not blind, 2026-03-01 09:30 UTC`.

    Of a `masked` problem it isn't said whether the verdict was blind: it is not where the answer has its author's true
    name, so that would tell which of the names in answers are true.
    """
    blind = "" if masked else "blind, " if verdict.blind else "not blind, "
    return f"{given(verdict)}, revision {verdict.revision}, {blind}{minute(verdict.created_at)}"


def minute(moment: str) -> str:
    """`2026-03-01 09:30 UTC`."""
    return f"{moment[:16].replace('T', ' ')} UTC"


def label_text(form: VerdictForm) -> str:
    """`incorrect`, `out of depth`; `nothing` where neither was chosen."""
    said = form.label or form.not_judged
    return plain(said) if said else NOTHING


def confidence_text(confidence: int | None) -> str:
    """`4, sure`."""
    if confidence is None:
        return NOTHING
    words = CONFIDENCE[confidence - 1] if 1 <= confidence <= len(CONFIDENCE) else ""
    return f"{confidence}, {words}" if words else str(confidence)


def quote_text(quote: Quote, *, chars: int = QUOTE_CHARS) -> str:
    """The quote on one line, cleaned and cut: `“the sum conver…”`."""
    words = clean_line(quote.quote)
    return f"“{words}”" if len(words) <= chars else f"“{words[:chars]}…”"


def error_text(error: MarkedError) -> str:
    """`incorrect reasoning  “the sum converges” and 1 more: it does not`, on one line."""
    parts = [plain(clean_line(error.category))]
    if error.quotes:
        more = f" and {len(error.quotes) - 1} more" if len(error.quotes) > 1 else ""
        parts.append(f"{quote_text(error.quotes[0])}{more}")
    said = clean_line(error.problem or error.claim or error.fix)
    return "  ".join(parts) + (f": {said}" if said else "")


def ledger_text(count: LedgerCount) -> str:
    """`ledger: 12 of 31 checked, 1 wrong`; what is 0 isn't told, save how many are checked."""
    if not count.units:
        return ""
    told = [f"{count.checked:,} of {counted(count.units, 'unit')} checked"]
    others = ((LedgerState.DOUBTFUL, count.doubtful), (LedgerState.WRONG, count.wrong))
    told += [f"{number:,} {state.value}" for state, number in (*others, (LedgerState.SKIPPED, count.skipped)) if number]
    return f"ledger: {', '.join(told)}"
