"""What a pass of the funnel has come to, as tables and as JSON: stages, sites and domains, single questions."""

import dataclasses
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from rich.table import Table

from store.curation_rows import Curation, Path, Place, Placed
from uq_tui.commands import display
from uq_tui.curation.funnel import STAGES, Funnel, Line
from uq_tui.state.curating.figures import count_words, share_words
from uq_tui.state.reviewing.blind import HIDDEN
from uq_tui.words import CurationStage, Reading

_LEFT = {CurationStage.RULES: "rules", CurationStage.MODEL: "models", CurationStage.REVIEW: "review"}


def passes_table(curations: Iterable[Curation]) -> Table:
    """The passes there are, one a line."""
    shown = display.table("name", "begun", "rules", fold=("name",))
    for one in curations:
        rules = "applied" if one.ruled else "not applied to all yet" if one.passed else "not applied yet"
        shown.add_row(*(display.cell(value) for value in (one.name, display.minute(one.created_at), rules)))
    return shown


def stages_table(funnel: Funnel) -> Table:
    """Each stage with why questions fell at it, beside what the paper had left."""
    numbers = ("questions", "share of those decided", "in the paper")
    shown = display.table("stage", "what became of them", *numbers, right=numbers)
    for stage in funnel.stages:
        _add(shown, stage.stage, "came to it", stage.entered)
        for reason, n in stage.fell.items():
            _add(shown, "", f"fell: {reason.replace('_', ' ')}", n, stage.decided)
        for reason, n in stage.unknown.items():
            _add(shown, "", f"fell: {reason.replace('_', ' ')} not known", n)
        if stage.undecided:
            _add(shown, "", "undecided, asked again", stage.undecided)
        if stage.waiting > stage.undecided:
            _add(shown, "", "wait", stage.waiting - stage.undecided)
        _add(shown, "", "went on", stage.left, stage.decided, stage.paper)
    return shown


def lines_table(kind: str, lines: Sequence[Line]) -> Table:
    """What was left of each site or domain after each stage, beside the paper where that says it."""
    numbers = ("questions", *(name for left in _LEFT.values() for name in (f"after {left}", "paper")))
    shown = display.table(kind, *numbers, right=numbers)
    for line in lines:
        cells: list[object] = [line.name or "not known", count_words(line.entered)]
        for stage in STAGES:
            cells += [count_words(line.left[stage]), count_words(line.paper.get(stage))]
        shown.add_row(*(display.cell(value) for value in cells))
    return shown


def placed_table(rows: Iterable[Placed], masked: Collection[str]) -> Table:
    """Questions at a stage. What models made of one that is judged blind is not told."""
    right = ("votes", "views")
    shown = display.table("question", "site", *right, "where", "title", right=right, fold=("where", "title"))
    for one in rows:
        where = where_text(one.place, hidden=one.question_id in masked)
        values = (one.question_id, one.site or None, one.score, one.views, where, one.title)
        shown.add_row(*(display.cell(value) for value in values))
    return shown


def where_text(place: Place, *, hidden: bool) -> str:
    """Where a question stands or fell, and why, in a line."""
    at = f"fell at {place.stage}" if place.fell else f"at {place.stage}"
    if hidden and place.stage is not CurationStage.RULES:
        return HIDDEN
    return f"{at}: {place.detail}" if place.detail else at


def paths_table(paths: Iterable[Path]) -> Table:
    """Where each question stands or fell, and of how many ratings."""
    shown = display.table("question", "read", "where", right=("read",), fold=("where",))
    for one in paths:
        read = sum(rating.state is Reading.READ for rating in one.ratings)
        values = (one.question_id, f"{read} of {len(one.ratings)}", where_text(one.place, hidden=False))
        shown.add_row(*(display.cell(value) for value in values))
    return shown


def ratings_table(path: Path) -> Table:
    """The ratings of a question, one a line."""
    figures = ("answer correct", "expert solves")
    answers = ("well defined", "approachable", "objective")
    shown = display.table("no.", *figures, *answers, "explanation", right=figures, fold=("explanation",))
    for one in path.ratings:
        percentages = (_percent(one.answer_correctness), _percent(one.expert_solvability))
        said = (_yes(one.well_defined), _yes(one.approachable), _yes(one.objective))
        why = one.explanation or (f"{one.state}: {one.reason}" if one.reason else "")
        shown.add_row(*(display.cell(value) for value in (one.sample + 1, *percentages, *said, why)))
    return shown


def funnel_json(curation: Curation, funnel: Funnel) -> dict[str, Any]:
    """The funnel as JSON has it: counts as numbers, what isn't said or defined as null."""
    return {
        **curation_json(curation),
        "stages": [
            {**dataclasses.asdict(one), "fallen": one.fallen, "decided": one.decided, "share": one.share}
            for one in funnel.stages
        ],
        "sites": [_line_json(line) for line in funnel.sites],
        "domains": [_line_json(line) for line in funnel.domains],
        "kept": funnel.kept,
    }


def curation_json(curation: Curation) -> dict[str, Any]:
    """A pass without its rules, which are long."""
    return {
        "id": curation.id,
        "name": curation.name,
        "only_sites": list(curation.sites),
        "created_at": curation.created_at,
        "rules_applied": curation.ruled,
    }


def placed_json(one: Placed, masked: Collection[str]) -> dict[str, Any]:
    """A question at a stage. What models made of one that is judged blind is not told."""
    row = dataclasses.asdict(one)
    place = row.pop("place")
    hidden = one.question_id in masked and one.place.stage is not CurationStage.RULES
    return {**row, **({"hidden": HIDDEN} if hidden else place)}


def path_json(path: Path) -> dict[str, Any]:
    """All that a pass holds of a question."""
    row = dataclasses.asdict(path)
    return {**row.pop("place"), **row}


def _add(shown: Table, stage: str, what: str, n: int, decided: int | None = None, paper: int | None = None) -> None:
    """A line; `decided` of `None` where it is a share of nothing."""
    cells = (stage, what, count_words(n), share_words(n, decided), count_words(paper))
    shown.add_row(*(display.cell(value) for value in cells))


def _line_json(line: Line) -> dict[str, Any]:
    return {
        "name": line.name,
        "questions": line.entered,
        "left": {stage.value: n for stage, n in line.left.items()},
        "paper": {stage.value: n for stage, n in line.paper.items()},
    }


def _percent(value: float | None) -> str | None:
    return None if value is None else f"{value:g}"


def _yes(value: bool | None) -> str | None:
    return None if value is None else "yes" if value else "no"
