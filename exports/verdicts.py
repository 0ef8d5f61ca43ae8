"""All verdicts of a workspace as a file, or some of them, whole or without what is not for everybody."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from exports.leading_rows import leading_first
from exports.redaction import Redactor
from exports.rows import PLAIN, ExportReport, Manner, export_rows
from store import draft_rows, verdicts
from store.verdict_shape import SCHEMA_VERSION, SHAPE
from store.withheld import NOTHING, Withheld
from store.workspace import Workspace
from uq_tui.words import Redacted


@dataclass(frozen=True, slots=True)
class RowOptions:
    """Which rows go out, and what of them. Fields left as they are leave nothing out."""

    reviewer_id: str = ""
    """Only this reviewer's."""
    since: str = ""
    """Only revisions made then or later; a day, or a time without its zone."""
    dataset_version: str = ""
    """Only rows that name this version."""
    drafts: bool = False
    """Also verdicts that were begun and not given, with the status `draft`. Nobody reads them back."""
    anonymous: bool = False
    """Without who the reviewers are."""
    without_text: bool = False
    """Without the answers' words in quotes."""

    @property
    def chosen(self) -> dict[str, str]:
        """What `records` and `count` of the store take."""
        return {"reviewer_id": self.reviewer_id, "since": self.since, "dataset_version": self.dataset_version}

    @property
    def left_out(self) -> frozenset[Redacted]:
        """What is left out of each row."""
        parts = {Redacted.REVIEWER: self.anonymous, Redacted.TEXT: self.without_text}
        return frozenset(part for part, wanted in parts.items() if wanted)


ALL = RowOptions()


def lines(ws: Workspace, options: RowOptions = ALL, without: Withheld = NOTHING) -> Iterator[str]:
    """Verdict rows as they go out, one line each without line feed.

    In order of (created_at, verdict_id, revision), drafts after all that was given, and first of all the rows that show
    types. Rows `without` are left out.
    """

    def rows() -> Iterator[str]:
        given = verdicts.records(ws, **options.chosen, without=without)
        return chain(given, draft_rows.records(ws, **options.chosen, without=without) if options.drafts else ())

    return Redactor(SHAPE, options.left_out, ws.secret).lines(leading_first(rows, SHAPE))


def export_verdicts(
    ws: Workspace, path: Path, options: RowOptions = ALL, *, without: Withheld = NOTHING, manner: Manner = PLAIN
) -> ExportReport:
    """Write verdict revisions, as `export_rows` does and with its errors; those `without` are left out."""
    return export_rows(path, lines(ws, options, without), SCHEMA_VERSION, manner)
