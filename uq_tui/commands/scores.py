"""Scores of judges as tables and as JSON. Whoever shows them records it."""

import dataclasses
from collections.abc import Sequence
from typing import Any

from rich.table import Table

from store.judge_rows import Scoring
from uq_tui.analysis import independence
from uq_tui.analysis.scale import Scale
from uq_tui.analysis.scores import bars
from uq_tui.commands import display
from uq_tui.state.findings.scores import equal_mark, mean_text, share_text, summary

EQUAL_REPLIES = (
    f"{independence.REPEATED} Some replies are equal byte for byte. They are one draw counted more than once, so the"
    " spread is wider than it seems."
)


def as_json(one: Scoring) -> dict[str, Any]:
    """Its summary, and every sample. Undefined figures are null."""
    found = summary(one)
    samples = [
        {key: value for key, value in dataclasses.asdict(sample).items() if key in _SAMPLE} for sample in one.scores
    ]
    return {
        "run_id": one.run_id,
        "question_id": one.question_id,
        "candidate_id": one.candidate_id,
        "judge": one.judge,
        "model": one.model,
        "lowest": one.lowest,
        "highest": one.highest,
        "planned": found.planned,
        "scored": found.scored,
        "unparsed": found.unparsed,
        "failed": found.failed,
        "mean": found.mean,
        "sd": found.sd,
        "standard_error": found.standard_error,
        "low": found.interval.low if found.interval else None,
        "high": found.interval.high if found.interval else None,
        "minimum": found.minimum,
        "maximum": found.maximum,
        "histogram": list(found.histogram),
        "ceiling_share": found.ceiling_share,
        "replies": one.replies,
        "distinct": one.distinct,
        "cut_off": one.cut_off,
        "temperature": one.temperature,
        "prompt_sha256": one.prompt_sha256,
        "constrained": one.constrained,
        "finished": one.finished,
        "samples": samples,
    }


_SAMPLE = ("sample", "score", "state", "reason", "call_key")


def table(found: Sequence[Scoring]) -> Table:
    """Candidates down. All of `found` are by one judge; without any the table is empty."""
    several = len({one.question_id for one in found}) > 1
    place = ("question",) if several else ()
    scale = Scale(found[0].lowest, found[0].highest) if found else Scale(0, 1)
    shown = display.table(
        "candidate",
        "no.",
        "share [95 %]" if scale.binary else "mean ± sd",
        "scored",
        "unparsed",
        "failed",
        f"at {scale.highest}",
        f"from {scale.lowest} to {scale.highest}",
        "distinct replies",
        "",
        *place,
        right=("scored", "unparsed", "failed"),
        fold=("", "question"),
    )
    for one in found:
        own = summary(one)
        values = (
            display.short_id(one.candidate_id),
            f"c{one.number}",
            mean_text(own),
            f"{own.scored}/{own.planned}",
            own.unparsed,
            own.failed,
            share_text(own.ceiling, own.scored),
            bars(own.histogram),
            f"{one.distinct}/{one.replies}",
            ", ".join(filter(None, ("" if one.finished else "incomplete", equal_mark(one)))),
            *((one.question_id,) if several else ()),
        )
        shown.add_row(*(display.cell(value) for value in values))
    return shown
