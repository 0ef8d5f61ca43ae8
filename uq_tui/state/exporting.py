"""Writing rows to a file from the app: what is wanted, and what became of it."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from exports.evidence import export_evidence
from exports.formats import FORMATS
from exports.rows import ExportReport, Manner
from exports.statements import export_statements
from exports.verdicts import RowOptions, export_verdicts, lines
from exports.written import Job, Written
from store import evidence_records, reviewers, statements, verdicts
from store.row_choice import since_when
from store.withheld import Withheld, withheld
from store.workspace import Workspace
from uq_tui.errors import ExportError
from uq_tui.state.files import place

__all__ = ["FORMATS", "NOUNS", "PLACES", "ExportWish", "Exported", "What", "export_to", "usual_place"]


class What(StrEnum):
    """Rows that can be written."""

    VERDICTS = "verdicts"
    STATEMENTS = "statements"
    EVIDENCE = "evidence"
    OTHER = "other"
    """What a format of other tools is made of."""


NOUNS = {What.VERDICTS: "verdict", What.STATEMENTS: "statement", What.EVIDENCE: "evidence row"}


def usual_place(what: What, other: str) -> str:
    """Where rows of a kind, or those for other tools in a format, go if nobody says otherwise."""
    if what is What.OTHER:
        return f"~/uq-{other.removeprefix('uq-')}{FORMATS[other].suffix}"
    return f"~/uq-{what}.jsonl"


PLACES = frozenset((*(usual_place(what, "") for what in NOUNS), *(usual_place(What.OTHER, name) for name in FORMATS)))
"""All of these."""


@dataclass(frozen=True, slots=True)
class ExportWish:
    """A file to write, as it was asked for."""

    path: str
    what: What = What.VERDICTS
    other: str = ""
    """The format of other tools, by name."""
    mine: bool = False
    """Only the current reviewer's."""
    since: str = ""
    """A day or a UTC time as it was typed."""
    dataset_version: str = ""
    drafts: bool = False
    anonymous: bool = False
    without_text: bool = False
    key: str = ""
    """The SSH key to sign with; "" for none."""


class Exported(NamedTuple):
    """What was written, and how many rows were held back because their problems are still judged blind."""

    report: ExportReport | Written
    held_back: int

    @property
    def said(self) -> tuple[str, ...]:
        """What to know of the file besides: its hash, or what it has no place for."""
        if isinstance(self.report, ExportReport):
            return (f"sha256 {self.report.sha256}",)
        return tuple(f"Left out: {n:,} {why}." for why, n in sorted(self.report.left_out.items()))


async def export_to(
    workspace: Workspace,
    wish: ExportWish,
    on_progress: Callable[[int], None] = lambda rows: None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> Exported:
    """Write rows that the current reviewer may see as JSONL with a manifest beside it, or in another format.

    Args:
        workspace: the open workspace.
        wish: what to write, and where.
        on_progress: told of the rows written so far, from another thread.
        is_cancelled: asked from another thread; earlier files stay as they were once it says yes.

    Raises:
        ExportError: it can't be written, or was cancelled, or the time isn't one, or the format can't follow the wish.
        SignatureError: it can't be signed.
    """
    return await asyncio.to_thread(_export, workspace, wish, on_progress, is_cancelled)


def _export(
    ws: Workspace, wish: ExportWish, on_progress: Callable[[int], None], is_cancelled: Callable[[], bool]
) -> Exported:
    own = reviewers.current(ws).id
    manner = Manner(place(wish.key) if wish.key else None, on_progress, is_cancelled)
    options, kept = _options(wish, own), withheld(ws, own)
    if wish.what is What.OTHER:
        return _other(ws, wish, options, kept, manner)
    return _WRITERS[wish.what](ws, place(wish.path), options, kept, manner)


def _options(wish: ExportWish, own: str) -> RowOptions:
    try:
        since = since_when(wish.since) if wish.since.strip() else ""
    except ValueError as error:
        raise ExportError(f"Nothing was written: {error}.") from error
    version = wish.dataset_version.strip()
    return RowOptions(own if wish.mine else "", since, version, wish.drafts, wish.anonymous, wish.without_text)


def _verdicts(ws: Workspace, path: Path, options: RowOptions, kept: Withheld, manner: Manner) -> Exported:
    report = export_verdicts(ws, path, options, without=kept, manner=manner)
    return Exported(report, verdicts.count(ws, kept, **options.chosen))


def _statements(ws: Workspace, path: Path, options: RowOptions, kept: Withheld, manner: Manner) -> Exported:
    if options.drafts:
        raise ExportError("Nothing was written: what is said beside verdicts has no drafts.", hint="Leave drafts out.")
    report = export_statements(ws, path, options, without=kept.questions, manner=manner)
    return Exported(report, statements.count_of_questions(ws, kept.questions, **options.chosen))


def _evidence(ws: Workspace, path: Path, options: RowOptions, kept: Withheld, manner: Manner) -> Exported:
    report = export_evidence(ws, path, options, without=kept.questions, manner=manner)
    since, version = options.since, options.dataset_version
    return Exported(
        report, evidence_records.count_of_questions(ws, kept.questions, since=since, dataset_version=version)
    )


def _other(ws: Workspace, wish: ExportWish, options: RowOptions, kept: Withheld, manner: Manner) -> Exported:
    one = FORMATS[wish.other]
    if refusal := one.refusal(options):
        raise ExportError(f"Nothing was written: {refusal}")
    written = one.write(Job(ws, place(wish.path), lines(ws, options, kept), kept, manner))
    return Exported(written, verdicts.count(ws, kept, **options.chosen) if one.of_verdicts else 0)


_WRITERS: dict[What, Callable[[Workspace, Path, RowOptions, Withheld, Manner], Exported]] = {
    What.VERDICTS: _verdicts,
    What.STATEMENTS: _statements,
    What.EVIDENCE: _evidence,
}
