"""What a reviewer has said of an answer, also where an earlier version wrote it."""

import json

from store import candidates, decisions, reviewers, verdicts
from store.frozen_rows import sealed
from store.rows import VerdictForm
from store.verdict_rows import append_line
from store.workspace import Workspace
from tests.store.records.giving import give
from tests.store.stock import candidate, question, take
from uq_tui.state.verdict.history import history
from uq_tui.state.verdict.words import describe
from uq_tui.words import Label, VerdictRole, VerdictStatus

LATER = ("assignment",)
"""Keys that the first rows of this schema version lack."""


def old_verdict(ws: Workspace) -> str:
    """A candidate with a verdict as 0.1.0 wrote it, of the current reviewer."""
    take(ws, question(1))
    model, key = candidates.add(ws, [candidate("Yes."), candidate("No.")])
    row = dict(give(ws, reviewers.current(ws), model, VerdictForm(label=Label.INCORRECT)).record)
    row |= {"verdict_id": "old", "candidate_id": key}
    row["reviewer"] = {
        name: value for name, value in row["reviewer"].items() if name not in ("affiliation", "linked_ids")
    }
    line = sealed({name: value for name, value in row.items() if name not in LATER})
    ws.write(lambda conn: append_line(conn, line))
    assert "assignment" not in json.loads(next(one for one in verdicts.records(ws) if '"old"' in one))
    return key


def test_a_verdict_of_an_earlier_version_is_read_revised_undone_and_taken_back(workspace: Workspace) -> None:
    key, me = old_verdict(workspace), reviewers.current(workspace)
    (step,) = history(workspace, me.id, key)
    assert (step.role, [change.after for change in step.changes]) == (VerdictRole.ORDINARY, ["incorrect"])
    decisions.record(workspace, me, key, VerdictForm(label=Label.CORRECT), based_on=1)
    decisions.undo(workspace, me, None)
    decisions.redo(workspace, me, None)
    decisions.undo(workspace, me, None)
    decisions.retract(workspace, me, key)
    decisions.undo(workspace, me, None)
    said = [step.verdict for step in history(workspace, me.id, key)]
    assert {one.verdict_id for one in said} == {"old"}
    assert [one.label for one in said if one.status is VerdictStatus.SUBMITTED] == [
        Label.INCORRECT,
        Label.CORRECT,
        Label.INCORRECT,
        Label.CORRECT,
        Label.INCORRECT,
        Label.INCORRECT,
    ]


def test_of_a_masked_problem_it_is_not_said_whether_a_verdict_was_blind(workspace: Workspace) -> None:
    (step,) = history(workspace, reviewers.current(workspace).id, old_verdict(workspace))
    assert "blind" in describe(step.verdict, masked=False)
    assert "blind" not in describe(step.verdict, masked=True)
