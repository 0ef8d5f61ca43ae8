"""Which candidates reports on a whole workspace are about."""

from dataclasses import replace

from store import candidate_scores, candidates, posted
from store.posted import NewPostedAnswer
from store.workspace import Workspace
from tests.store.evaluated import put_validation
from tests.store.stock import candidate, question, take
from uq_tui.words import Outcome, TextFormat

POSTED = NewPostedAnswer("source:1", "Yes.", TextFormat.MARKDOWN, "3")


def test_posted_answers_count_where_something_is_told_of_their_question(workspace: Workspace) -> None:
    take(workspace, question(1), question(2), question(3))
    workspace.write(lambda db: posted.put_answers(db, [POSTED, replace(POSTED, question_id="source:2")]))
    added = candidates.add(workspace, [candidate("No.", "source:2"), candidate("No.", "source:3")])

    def found() -> list[tuple[str, int]]:
        return [(one.question_id, one.number) for one in candidate_scores.places(workspace)]

    assert found() == [("source:2", 2), ("source:3", 1)]
    put_validation(workspace, {added[0]: Outcome.ACCEPT})
    assert found() == [("source:2", 1), ("source:2", 2), ("source:3", 1)]
    assert [one.number for one in candidate_scores.places(workspace, "source:1")] == [1]
