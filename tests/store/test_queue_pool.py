"""What queues are built of: filters, what is always left out, and what machines and people have said."""

from functools import partial
from typing import Any

import pytest

from store import candidates, queue_pool, reviewers, stubs
from store.queue_pool import CandidateFilter, Measured, Votes
from store.rows import KnownLabel, NewCandidate, Origin, Reviewer, VerdictForm
from store.workspace import Workspace
from tests.measured_runs import measured_by, question_with
from tests.store.evaluated import put_validation, spec
from tests.store.records.giving import give, take_back
from tests.store.stock import question, take
from uq_tui.words import AuthorKind, Label, Outcome, QuestionStatus, RunState, TextFormat, Unjudged

RIGHT = KnownLabel(Label.CORRECT, "", "f.jsonl")


@pytest.fixture
def ids(workspace: Workspace) -> dict[str, str]:
    """Candidates of three questions, by short names: `1a` answers question 1."""
    take(
        workspace,
        question(1, title="Even numbers", site="math.stackexchange.com", tags=("primes", "sieves"), category="NT"),
        question(2, title="Odd graphs", status=QuestionStatus.ACCEPTED, tags=("graphs",)),
        question(3, title="Even graphs"),
    )
    new = {
        "1a": answer(1, "a", model="o3", source="one.jsonl", label=RIGHT),
        "1b": answer(1, "b", model="o4", source="two.jsonl"),
        "1r": answer(1, "r", kind=AuthorKind.PERSON, reference=True),
        "2a": answer(2, "a", system="agents"),
        "3a": answer(3, "a", model="o3"),
    }
    return dict(zip(new, candidates.add(workspace, list(new.values())), strict=True))


def answer(
    number: int,
    text: str,
    *,
    kind: AuthorKind = AuthorKind.MODEL,
    label: KnownLabel | None = None,
    reference: bool = False,
    **origin: Any,
) -> NewCandidate:
    return NewCandidate(
        f"source:{number}", text, TextFormat.MARKDOWN, Origin(kind, **origin), known_label=label, reference=reference
    )


def found(ws: Workspace, ids: dict[str, str], *people: str, **wanted: Any) -> str:
    """Short names of the candidates that pass, in their order."""
    names = {key: name for name, key in ids.items()}
    return " ".join(names[one.candidate_id] for one in queue_pool.chosen(ws, CandidateFilter(**wanted), people))


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({}, "1a 1b 2a 3a"),
        ({"text": "even"}, "1a 1b 3a"),
        ({"site": "math.stackexchange.com"}, "1a 1b"),
        ({"status": QuestionStatus.ACCEPTED}, "2a"),
        ({"category": "NT"}, "1a 1b"),
        ({"tag": "sieves"}, "1a 1b"),
        ({"tag": "sieve"}, ""),
        ({"question_ids": ("source:3", "source:2")}, "2a 3a"),
        ({"models": ("o4", "none")}, "1b"),
        ({"models": ("o3",), "text": "graphs"}, "3a"),
        ({"systems": ("agents",)}, "2a"),
        ({"sources": ("one.jsonl",)}, "1a"),
        ({"labelled": True}, "1a"),
        ({"labelled": False}, "1b 2a 3a"),
    ],
)
def test_filters(workspace: Workspace, ids: dict[str, str], wanted: dict[str, Any], expected: str) -> None:
    assert found(workspace, ids, **wanted) == expected


def test_a_search_finds_masked_questions_by_their_own_words_alone(workspace: Workspace, ids: dict[str, str]) -> None:
    def searched(text: str, *masked: str) -> set[str]:
        return {one.candidate_id for one in queue_pool.chosen(workspace, CandidateFilter(text=text), masked=masked)}

    told, own = candidates.add(workspace, [answer(1, "as Fermat has it"), answer(3, "by Fermat")])
    assert searched("fermat") == {ids["1a"], ids["1b"], told, ids["3a"], own}
    assert searched("fermat", "source:1") == {ids["3a"], own}
    assert searched("even", "source:1", "source:3") == {ids["1a"], ids["1b"], told, ids["3a"], own}


def test_verdicts_keep_candidates_out_until_they_are_retracted(workspace: Workspace, ids: dict[str, str]) -> None:
    me = reviewers.current(workspace)
    other = reviewers.make(workspace, Reviewer("", "other", "", ()))
    give(workspace, me, ids["1a"], VerdictForm(label=Label.CORRECT))
    give(workspace, other, ids["2a"], VerdictForm(label=Label.CORRECT))
    assert found(workspace, ids, me.id, unjudged=Unjudged.BY_REVIEWERS) == "1b 2a 3a"
    assert found(workspace, ids, me.id, other.id, unjudged=Unjudged.BY_REVIEWERS) == "1b 3a"
    assert found(workspace, ids, me.id, unjudged=Unjudged.BY_ANYONE) == "1b 3a"
    assert queue_pool.judges(workspace) == {ids["1a"]: 1, ids["2a"]: 1}
    assert queue_pool.judged_by(workspace, [me.id]) == {ids["1a"]}
    take_back(workspace, me, ids["1a"])
    assert found(workspace, ids, me.id, unjudged=Unjudged.BY_ANYONE) == "1a 1b 3a"
    assert queue_pool.judged_by(workspace, [me.id]) == frozenset()


def test_an_outcome_is_that_of_the_newest_finished_run(workspace: Workspace, ids: dict[str, str]) -> None:
    put_validation(workspace, {ids["1a"]: Outcome.REJECT, ids["1b"]: Outcome.ACCEPT})
    put_validation(workspace, {ids["1a"]: Outcome.ACCEPT, ids["2a"]: Outcome.UNPARSED})
    put_validation(workspace, {ids["1b"]: Outcome.REJECT}, spec("another"))
    put_validation(workspace, {ids["1a"]: Outcome.REJECT}, state=RunState.FAILED)
    assert found(workspace, ids, outcome=Outcome.ACCEPT, strategy="two") == "1a 1b"
    assert found(workspace, ids, outcome=Outcome.ACCEPT) == "1a"
    assert found(workspace, ids, outcome=Outcome.REJECT) == "1b"
    assert found(workspace, ids, outcome=Outcome.UNPARSED, strategy="two") == "2a"
    newest = queue_pool.outcomes(workspace)
    assert {name: one.outcome for name, one in newest[ids["1b"]].items()} == {
        "two": Outcome.ACCEPT,
        "another": Outcome.REJECT,
    }
    # Two judgements accept in the first strategy, and one rejects in the other; what an older run said doesn't count.
    assert queue_pool.votes(workspace, newest)[ids["1b"]] == Votes(2, 1)
    assert queue_pool.votes(workspace, newest)[ids["1a"]] == Votes(2, 0)


def test_stubs_are_left_out(workspace: Workspace, ids: dict[str, str]) -> None:
    told = dict.fromkeys(("site", "source_url", "source_author", "licence", "dataset_version", "question_title"), "")
    for question_id, candidate_id in (("source:4", ""), ("source:1", "ab" * 32)):
        record = {**told, "question_id": question_id, "candidate_id": candidate_id, "candidate_sha256": ""}
        workspace.write(partial(stubs.ensure, records=[record]))
    candidates.add(workspace, [answer(4, "a", label=RIGHT)])
    assert found(workspace, ids) == "1a 1b 2a 3a"
    assert [one.candidate_id for one in queue_pool.labelled(workspace)] == [ids["1a"]]


def test_texts_are_read_of_those_asked_for(workspace: Workspace, ids: dict[str, str]) -> None:
    pooled = queue_pool.chosen(workspace, CandidateFilter(models=("o4",)))
    assert [(key, text.raw) for key, text in queue_pool.bodies(workspace, pooled)] == [(ids["1b"], "b")]


def test_a_utility_is_that_of_the_newest_finished_measurement(workspace: Workspace) -> None:
    first, second = question_with(workspace, 2)
    measured_by(workspace, {first: ["11111111"]})
    measured_by(workspace, {first: ["11110000"]})
    measured_by(workspace, {first: ["0000"], second: ["1111"]}, complete=False)
    (one,) = queue_pool.utilities(workspace).items()
    assert one[0] == first
    assert isinstance(one[1], Measured)
    assert one[1].mean == 0.5
