"""Who may have a report of a question, and that what it tells is recorded."""

from pathlib import Path

import pytest

from store import exposures, reviewers
from store.rows import Reviewer
from store.workspace import Workspace
from tests.exports.writers import fill as put_judged
from tests.masked import MASKED, fill
from tests.store.records.samples import QUESTION_ID, REVIEWER, candidate
from uq_tui.errors import BlindError
from uq_tui.state.question_report import WHERE, write
from uq_tui.words import Exposure


def test_a_problem_that_is_judged_blind_has_none(tmp_path: Path) -> None:
    ws = Workspace.open(fill(tmp_path / "masked.uq.sqlite").path)
    with pytest.raises(BlindError):
        write(ws, reviewers.current(ws), MASKED, tmp_path / "report.md")
    assert not (tmp_path / "report.md").exists()
    ws.close()


def test_what_it_tells_is_recorded_but_for_ones_own_verdict(workspace: Workspace, tmp_path: Path) -> None:
    put_judged(workspace)
    other = Reviewer("r-other", "other", "", ())
    reviewers.save(workspace, other)
    for reader in (REVIEWER, other):
        write(workspace, reader, QUESTION_ID, tmp_path / "report.html")
    seen = [
        {one.what for one in exposures.of_candidate(workspace, reader.id, candidate().id) if one.where == WHERE}
        for reader in (REVIEWER, other)
    ]
    assert seen == [
        {Exposure.MODEL, Exposure.OUTCOMES},
        {Exposure.MODEL, Exposure.OUTCOMES, Exposure.OTHER_VERDICTS},
    ]
