"""Writing a report of one question: not while its problem is judged blind, and recorded as shown."""

import asyncio
from pathlib import Path

from exports.question_report import QuestionReport, export_report, prepare
from store.rows import Reviewer
from store.withheld import withheld
from store.workspace import Workspace
from uq_tui.state.desk import Desk
from uq_tui.state.files import place
from uq_tui.state.reports.candidate_scores import record_told
from uq_tui.state.reviewing import blind

WHERE = "report of the question"
"""The place of exposures by this."""


def write(ws: Workspace, reviewer: Reviewer, question_id: str, path: Path) -> QuestionReport:
    """Write the report, and record that the reviewer was told what is in it.

    Raises:
        NotFoundError: there is no such question.
        BlindError: the reviewer judges its problem blind.
        ExportError: the path's name says no format, or it can't be written.
    """
    blind.require(ws, reviewer.id, question_id)
    report = prepare(ws, question_id, withheld(ws, reviewer.id))
    told = {what: [(question_id, key) for key in candidates] for what, candidates in report.told.items()}
    record_told(ws, reviewer.id, told, WHERE)
    export_report(report, path)
    return report


class QuestionReportDesk:
    """What the dialog does."""

    def __init__(self, desk: Desk, question_id: str) -> None:
        self._desk = desk
        self._question_id = question_id

    async def write(self, path: str) -> Path:
        """Write the file; where it stands. Raises as `write` of this module does."""
        target = place(path)
        await asyncio.to_thread(write, self._desk.workspace, self._desk.reviewer, self._question_id, target)
        return target
