"""What reviewers are to questions."""

from store import relations
from store.workspace import Workspace
from tests.store.records.stock import put_question
from tests.store.reviewing import ADA, BOB, people
from uq_tui.words import Relation


def test_the_last_word_of_each_reviewer_counts(workspace: Workspace) -> None:
    people(workspace)
    put_question(workspace, "q0")
    put_question(workspace, "q1")
    assert relations.get(workspace, ADA.id, "q0") is None
    for relation in (Relation.OTHER, Relation.ORIGINAL_POSTER):
        relations.put(workspace, ADA.id, "q0", relation)
    relations.put(workspace, BOB.id, "q0", Relation.DOMAIN_EXPERT)
    found = [relations.get(workspace, reviewer.id, "q0") for reviewer in (ADA, BOB)]
    assert found == [Relation.ORIGINAL_POSTER, Relation.DOMAIN_EXPERT]
    assert relations.get(workspace, ADA.id, "q1") is None
