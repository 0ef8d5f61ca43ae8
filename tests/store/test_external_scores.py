"""Outside scores: the newest value of a candidate and scorer stands."""

import math

from store import candidates, external_scores
from store.external_scores import ExternalScore
from store.intake import Taken
from store.workspace import Workspace
from tests.store.stock import QUESTION, candidate, question, take


def put(ws: Workspace, *given: ExternalScore) -> list[Taken]:
    return ws.write(lambda db: external_scores.put(db, given))


def test_scores_come_back_by_scorer_and_candidate(workspace: Workspace) -> None:
    take(workspace, QUESTION, question(2))
    one, two = candidates.add(workspace, [candidate("One."), candidate("Two.")])
    (other,) = candidates.add(workspace, [candidate("Other.", "source:2")])
    given = [ExternalScore(key, scorer, 1.5, "f.csv") for scorer in ("rm b", "rm a") for key in (other, two, one)]
    assert put(workspace, *given) == [Taken.NEW] * 6

    found = external_scores.of_question(workspace, QUESTION.id)
    assert [(row.scorer, row.candidate_id) for row in found] == [
        ("rm a", one),
        ("rm a", two),
        ("rm b", one),
        ("rm b", two),
    ]
    assert len(external_scores.every(workspace)) == 6
    assert external_scores.of_question(workspace, "nowhere") == ()


def test_the_newest_value_stands_and_the_same_one_keeps_its_file(workspace: Workspace) -> None:
    take(workspace, QUESTION)
    (key,) = candidates.add(workspace, [candidate("One.")])
    put(workspace, ExternalScore(key, "rm", -2.0, "old.csv"))
    (first,) = external_scores.every(workspace)
    assert put(workspace, ExternalScore(key, "rm", -2.0, "again.csv")) == [Taken.SAME]
    assert external_scores.every(workspace) == (first,)
    assert put(workspace, ExternalScore(key, "rm", 1e300, "new.csv")) == [Taken.CHANGED]
    (found,) = external_scores.every(workspace)
    assert (found.value, found.source) == (1e300, "new.csv")


def test_of_two_values_in_one_write_the_last_stands(workspace: Workspace) -> None:
    take(workspace, QUESTION)
    (key,) = candidates.add(workspace, [candidate("One.")])
    given = [ExternalScore(key, "rm \ud83d", value, "f.csv") for value in (1.0, 2.0, 2.0)]
    assert put(workspace, *given) == [Taken.NEW, Taken.CHANGED, Taken.SAME]
    (found,) = external_scores.every(workspace)
    assert math.isclose(found.value, 2.0)
    assert found.scorer == "rm \ud83d"
