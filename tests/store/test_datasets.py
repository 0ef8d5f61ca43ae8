"""Versions of a dataset: what they pin, how they change, and when a new one is due."""

from fractions import Fraction
from functools import partial

import pytest

from store import datasets, decisions, intake, questions, resolutions, reviewers, runs, stubs
from store.dataset_rows import Pin, Proposal
from store.rows import Reviewer, VerdictForm
from store.workspace import Workspace
from tests.store.records.samples import REVIEWER
from tests.store.records.stock import put_candidate
from tests.store.stock import question, take
from uq_tui.errors import NotFoundError, UqError
from uq_tui.words import DatasetChange, Label, Relation, Resolution, RunKind, Subset

IDS = tuple(f"source:{number}" for number in range(1, 11))


@pytest.fixture
def ws(workspace: Workspace) -> Workspace:
    """Ten questions."""
    take(workspace, *(question(number) for number in range(1, 11)))
    reviewers.save(workspace, REVIEWER)
    return workspace


def made(ws: Workspace, name: str = "v1", *, n: int = 3, parent: str = "") -> tuple[Pin, ...]:
    pins = datasets.pins_of_questions(ws, IDS[:n])
    datasets.make(ws, name, pins, parent=parent)
    return pins


def resolve(
    ws: Workspace, question_id: str, verifier: Relation = Relation.DOMAIN_EXPERT, *, by: Reviewer = REVIEWER
) -> None:
    resolutions.resolve(
        ws, by, question_id, Resolution.RESOLVED_BY_PERSON, why="Shown.", credit="Gauss", verifier=verifier
    )


def test_a_version_pins_the_words_that_its_questions_have_now(ws: Workspace) -> None:
    pins = made(ws)
    take(ws, question(1, title="Changed", body="Another body"))
    assert datasets.entries(ws, "v1") == pins
    assert [pin.title for pin in pins] == ["Question 1", "Question 2", "Question 3"]
    assert questions.get(ws, IDS[0]).body.sha256 != pins[0].body_sha256
    version = datasets.get(ws, "v1")
    assert (version.counts, version.verifiers) == (
        {Subset.MAIN: 3},
        (Relation.ORIGINAL_POSTER, Relation.DOMAIN_EXPERT),
    )


def test_results_name_the_newest_version_that_holds_the_question(ws: Workspace) -> None:
    take(ws, question(9, dataset_version="theirs"))
    made(ws)
    made(ws, "v2", n=1, parent="v1")
    assert [questions.get(ws, key).dataset_version for key in (IDS[0], IDS[1], IDS[8], IDS[9])] == [
        "v2",
        "v1",
        "theirs",
        "",
    ]
    assert datasets.of_question(ws, IDS[0]) == "v2"
    assert [one.name for one in datasets.versions(ws)] == ["v2", "v1"]


def test_changes_are_kept_with_their_reasons(ws: Workspace) -> None:
    made(ws)
    new = datasets.pins_of_questions(ws, IDS[2:5])
    assert datasets.add(ws, "v1", new, "asked for") == IDS[3:5]
    assert datasets.move(ws, "v1", IDS[:2], Subset.DIAMOND, "hardest") == IDS[:2]
    assert datasets.move(ws, "v1", IDS[:2], Subset.DIAMOND, "hardest") == ()
    assert datasets.remove(ws, "v1", [IDS[1]], "a duplicate") == (IDS[1],)
    assert [(one.number, one.question_id, one.change, one.reason) for one in datasets.changes(ws, "v1")] == [
        (1, IDS[3], DatasetChange.ADDED, "asked for"),
        (2, IDS[4], DatasetChange.ADDED, "asked for"),
        (3, IDS[0], DatasetChange.MOVED, "to diamond: hardest"),
        (4, IDS[1], DatasetChange.MOVED, "to diamond: hardest"),
        (5, IDS[1], DatasetChange.REMOVED, "a duplicate"),
    ]
    assert [pin.question_id for pin in datasets.entries(ws, "v1")] == [IDS[0], *IDS[2:5]]
    assert datasets.get(ws, "v1").counts == {Subset.MAIN: 3, Subset.DIAMOND: 1}


def test_a_version_says_how_it_differs_from_the_one_it_was_made_from(ws: Workspace) -> None:
    first, second, third = made(ws)
    edited = Pin(second.question_id, "Other words", second.body_sha256, second.body_format, edited=True)
    moved = Pin(third.question_id, third.title, third.body_sha256, third.body_format, Subset.DEVELOPMENT)
    (new,) = datasets.pins_of_questions(ws, [IDS[7]])
    datasets.make(ws, "v2", [edited, moved, new], parent="v1", note="after review")
    assert {(one.question_id, one.change) for one in datasets.changes(ws, "v2")} == {
        (first.question_id, DatasetChange.REMOVED),
        (second.question_id, DatasetChange.EDITED),
        (third.question_id, DatasetChange.MOVED),
        (new.question_id, DatasetChange.ADDED),
    }
    assert {one.reason for one in datasets.changes(ws, "v2")} == {"after review"}


def test_a_version_stays_once_another_is_made_from_it(ws: Workspace) -> None:
    pins = made(ws)
    made(ws, "v2", parent="v1")
    refused = partial(pytest.raises, UqError, match="v1 stays as it is: v2 was made from it")
    with refused():
        datasets.add(ws, "v1", pins, "why not")
    with refused():
        datasets.remove(ws, "v1", [IDS[0]], "why not")
    with refused():
        datasets.move(ws, "v1", [IDS[0]], Subset.DIAMOND, "why not")


def test_a_version_stays_once_a_verdict_names_it(ws: Workspace) -> None:
    made(ws)
    key = put_candidate(ws, question_id="q1")
    datasets.add(ws, "v1", datasets.pins_of_questions(ws, ["q1"]), "more")
    verdict = decisions.record(ws, REVIEWER, key, VerdictForm(label=Label.INCORRECT), based_on=None).verdict
    assert verdict.record["dataset_version"] == "v1"
    with pytest.raises(UqError, match="verdicts name it"):
        datasets.remove(ws, "v1", [IDS[0]], "why not")


@pytest.mark.parametrize("name", ["v1", 'août "26"'])
def test_a_version_stays_once_a_run_names_it(ws: Workspace, name: str) -> None:
    made(ws, name)
    runs.create(ws, RunKind.GENERATE, name, {"questions": [{"id": name, "dataset_version": "v2"}]}, 1)
    assert datasets.remove(ws, name, [IDS[1]], "not named yet") == (IDS[1],)
    runs.create(ws, RunKind.GENERATE, "o3", {"questions": [{"id": IDS[0], "dataset_version": name}]}, 1)
    with pytest.raises(UqError, match="runs name it"):
        datasets.remove(ws, name, [IDS[0]], "why not")


def test_what_can_not_be_is_refused(ws: Workspace) -> None:
    pins = made(ws)
    for name in ("", " ", "two\nlines", "x" * 81):
        with pytest.raises(UqError, match="one line of 1 to 80"):
            datasets.make(ws, name, pins)
    with pytest.raises(UqError, match="already"):
        datasets.make(ws, "v1", pins)
    with pytest.raises(UqError, match="needs questions"):
        datasets.make(ws, "v2", ())
    with pytest.raises(UqError, match="Somebody's word"):
        datasets.make(ws, "v2", pins, verifiers=())
    with pytest.raises(NotFoundError, match="no version v0"):
        datasets.make(ws, "v2", pins, parent="v0")
    with pytest.raises(UqError, match="Why is it changed"):
        datasets.remove(ws, "v1", [IDS[0]], " ")
    with pytest.raises(NotFoundError, match="no question source:9, nor 1 other"):
        datasets.remove(ws, "v1", [IDS[8], IDS[9]], "gone")
    with pytest.raises(NotFoundError, match="no question nowhere"):
        datasets.pins_of_questions(ws, ["nowhere"])
    assert [one.name for one in datasets.versions(ws)] == ["v1"]
    assert datasets.changes(ws, "v1") == ()


def test_a_stub_has_no_text_to_pin(ws: Workspace) -> None:
    told = ("candidate_id", "question_title", "site", "source_url", "source_author", "licence", "dataset_version")
    ws.write(lambda db: stubs.ensure(db, [{**dict.fromkeys(told, ""), "question_id": "stub"}]))
    with pytest.raises(NotFoundError, match="with its text"):
        datasets.pins_of_questions(ws, ["stub"])


# Resolved questions


def test_a_new_version_is_due_at_a_fifth(ws: Workspace) -> None:
    made(ws, n=10)
    resolve(ws, IDS[0])
    assert (datasets.proposal(ws, "v1").share, datasets.proposal(ws, "v1").due) == (Fraction(1, 10), False)
    resolve(ws, IDS[1])
    found = datasets.proposal(ws, "v1")
    assert (found.share, found.due) == (Fraction(1, 5), True)
    assert found.text == "2 of 10 main questions are resolved (20.0 %): a new version is due, as it is from 20 % on."
    assert datasets.resolved(ws, "v1") == set(IDS[:2])
    changes = [(one.number, one.question_id, one.change, one.reason) for one in datasets.changes(ws, "v1")]
    assert changes == [
        (0, IDS[0], DatasetChange.RESOLVED, "by Gauss"),
        (0, IDS[1], DatasetChange.RESOLVED, "by Gauss"),
    ]


def test_development_questions_are_not_counted(ws: Workspace) -> None:
    made(ws, n=3)
    datasets.move(ws, "v1", IDS[:2], Subset.DEVELOPMENT, "known")
    datasets.move(ws, "v1", IDS[2:3], Subset.DIAMOND, "hard")
    resolve(ws, IDS[0])
    assert datasets.proposal(ws, "v1") == Proposal("v1", 0, 1)
    datasets.move(ws, "v1", IDS[2:3], Subset.DEVELOPMENT, "easy")
    nothing = datasets.proposal(ws, "v1")
    assert (nothing.share, nothing.due) == (None, False)
    assert "no share" in nothing.text


def test_whose_word_counts_is_up_to_the_version(ws: Workspace) -> None:
    made(ws)
    datasets.make(ws, "posters", datasets.pins_of_questions(ws, IDS[:3]), verifiers=[Relation.ORIGINAL_POSTER])
    resolve(ws, IDS[0])
    assert datasets.proposal(ws, "v1").resolved == 1
    assert datasets.proposal(ws, "posters").resolved == 0
    resolutions.retract(ws, REVIEWER, IDS[0])
    assert datasets.proposal(ws, "v1").resolved == 0


def test_what_may_not_be_known_is_left_out_and_counted(ws: Workspace) -> None:
    made(ws)
    resolve(ws, IDS[0])
    assert datasets.proposal(ws, "v1", without=[IDS[0]]) == Proposal("v1", 0, 2, left_out=1)
    assert datasets.changes(ws, "v1", without=[IDS[0]]) == ()


def test_a_question_can_be_brought_up_to_date_beside_a_version(ws: Workspace) -> None:
    made(ws)
    ws.write(lambda db: intake.put(db, [question(1, score=5)]))
    assert datasets.entries(ws, "v1")[0].title == "Question 1"
