"""Building queues of a real store: what is in them, in which order, and what whoever builds one has learnt."""

from collections import Counter
from collections.abc import Sequence

import pytest

from store import blindness, candidates, exposures, queues, reviewers
from store.queue_pool import CandidateFilter
from store.review_rows import NewItem
from store.rows import KnownLabel, NewCandidate, Origin, Reviewer, VerdictForm
from store.workspace import Workspace
from tests.store.evaluated import put_validation
from tests.store.records.giving import give
from tests.store.stock import question, take
from uq_tui.errors import UqError
from uq_tui.state.reviewing import building
from uq_tui.state.reviewing.building import LaidOut
from uq_tui.state.reviewing.gathering import Readings
from uq_tui.state.reviewing.queue_spec import QueueSpec
from uq_tui.words import (
    AuthorKind,
    Exposure,
    ItemRole,
    Label,
    Outcome,
    QueueMode,
    QueueOrder,
    TextFormat,
)


def answers(ws: Workspace, number: int, *texts: str, label: Label | None = None, model: str = "m") -> Sequence[str]:
    """Candidates of a question of that number, which is made."""
    take(ws, question(number))
    known = KnownLabel(label, "", "f.jsonl") if label else None
    origin = Origin(AuthorKind.MODEL, model=model, source="f.jsonl")
    new = [NewCandidate(f"source:{number}", text, TextFormat.MARKDOWN, origin, known_label=known) for text in texts]
    return candidates.add(ws, new)


def planned(ws: Workspace, spec: QueueSpec, *others: str, readings: Readings | None = None) -> LaidOut:
    """For who sits here and others, who are made with these names."""
    me = reviewers.current(ws)
    people = [me, *(reviewers.make(ws, Reviewer("", name, "", ())) for name in others)]
    return building.plan(ws, spec, people, by=me.id, readings=readings)


def problems(laid_out: LaidOut) -> list[str]:
    """Numbers of the questions, in their order."""
    return [one.removeprefix("source:") for one in laid_out.order.question_ids]


def test_a_blind_queue_has_its_answers_in_keyed_order_grouped_and_linked(workspace: Workspace) -> None:
    ids = answers(workspace, 1, "A \\boxed{5}", "B \\boxed{7}", "C \\boxed{5.0}", "A  \\boxed{5}\n", "D")
    laid_out = planned(workspace, QueueSpec())
    assert laid_out.words() == "1 problem, 5 candidates, 1 identical to another"
    made = building.make(workspace, "q", "Read it.", laid_out, by=reviewers.current(workspace).id)
    items = queues.items(workspace, made.id, reviewers.current(workspace).id)
    linked = [one for one in items if one.linked_to]
    assert [one.candidate_id for one in linked] in ([ids[0]], [ids[3]])
    assert linked[0].linked_to == items[linked[0].position - 1].id
    judged = [one for one in items if not one.linked_to]
    assert [one.answer_group for one in judged] == sorted(one.answer_group for one in judged)
    groups = {one.candidate_id: one.answer_group for one in items}
    assert groups[ids[0]] == groups[ids[2]] == groups[ids[3]]
    assert len({groups[ids[0]], groups[ids[1]], groups[ids[4]]}) == 3
    keyed = [one for one in blindness.masked_order(workspace, "source:1", ids) if one in groups]
    of_one_group = [one.candidate_id for one in judged if one.answer_group == groups[ids[0]]]
    assert of_one_group == [one for one in keyed if one in of_one_group]
    assert (made.mode, made.guideline) == (QueueMode.BLIND, "Read it.")
    assert QueueSpec.of(made.spec) == QueueSpec()


def test_an_open_queue_has_its_answers_in_order_of_arrival(workspace: Workspace) -> None:
    ids = answers(workspace, 1, *(f"Answer {n}" for n in range(6)))
    laid_out = planned(workspace, QueueSpec(mode=QueueMode.OPEN))
    (share,) = laid_out.shares.values()
    assert [one.answer for one in share.places] == list(ids)


def test_orders(workspace: Workspace) -> None:
    first = answers(workspace, 1, "a", "b")
    second = answers(workspace, 2, "a")
    third = answers(workspace, 3, "a", "b")
    answers(workspace, 4, "a")
    me = reviewers.current(workspace)
    give(workspace, me, first[0], VerdictForm(label=Label.CORRECT))
    give(workspace, me, second[0], VerdictForm(label=Label.CORRECT))
    put_validation(workspace, {first[0]: Outcome.ACCEPT, third[0]: Outcome.UNPARSED, third[1]: Outcome.ACCEPT})

    def order(which: QueueOrder, seed: int = 0) -> list[str]:
        return problems(planned(workspace, QueueSpec(order=which, seed=seed)))

    assert order(QueueOrder.ARRIVAL) == ["1", "2", "3", "4"]
    assert order(QueueOrder.UNREVIEWED) == ["3", "4", "1", "2"]
    assert order(QueueOrder.UNCERTAINTY) == ["3", "1", "2", "4"]
    assert order(QueueOrder.RANDOM) == order(QueueOrder.RANDOM)
    assert len({tuple(order(QueueOrder.RANDOM, seed)) for seed in range(8)}) > 1
    nothing = planned(workspace, QueueSpec(order=QueueOrder.DISAGREEMENT))
    assert problems(nothing) == ["1", "2", "3", "4"]
    assert nothing.notes()[0].startswith("Nothing is known of 4 of 4 problems that disagreement")


def test_shares_of_several_reviewers_with_all_that_can_be_mixed_in(workspace: Workspace) -> None:
    for number in range(1, 11):
        answers(workspace, number, "a", "b", "c")
    for number in range(11, 21):
        label = Label.CORRECT if number % 2 else Label.INCORRECT
        answers(workspace, number, "a", "b", label=label)
    spec = QueueSpec(
        candidates=CandidateFilter(labelled=False), overlap=0.2, gold=0.1, repeats=0.2, repeat_after=5, practice=4
    )
    laid_out = planned(workspace, spec, "ann", "bob")
    assert laid_out.notes() == ()
    assert (laid_out.problems, laid_out.candidates, laid_out.overlapping, laid_out.practice) == (10, 30, 2, 4)
    plain = Counter(
        one.answer for share in laid_out.shares.values() for one in share.places if one.role is ItemRole.PLAIN
    )
    assert len(plain) == 30
    assert Counter(plain.values()) == {1: 24, 2: 6}
    for share in laid_out.shares.values():
        roles = Counter(one.role for one in share.places)
        assert (roles[ItemRole.PRACTICE], roles[ItemRole.GOLD]) == (4, 1)
        assert roles[ItemRole.REPEAT] == share.repeats_wanted > 0
        practised = {one.problem for one in share.places if one.role is ItemRole.PRACTICE}
        assert practised.isdisjoint(one.problem for one in share.places if one.role is not ItemRole.PRACTICE)
    again = building.plan(
        workspace, spec, reviewers.all_of(workspace), by=reviewers.current(workspace).id, readings=Readings()
    )
    assert again.shares == laid_out.shares
    made = building.make(workspace, "q", "", laid_out, by=reviewers.current(workspace).id)
    assert {one: progress.total for one, progress in queues.shares(workspace, made.id)} == {
        one: len(share.places) - share.linked for one, share in laid_out.shares.items()
    }


def test_what_runs_out_is_said(workspace: Workspace) -> None:
    answers(workspace, 1, *(f"Answer {n}" for n in range(10)))
    laid_out = planned(workspace, QueueSpec(gold=0.1, repeats=0.1, practice=2))
    practice, gold, repeats = laid_out.notes()
    assert practice.startswith("Practice: 0 of 2.")
    assert gold.startswith("Gold items: 0 of 1.")
    assert repeats.startswith("Repeats: 0 of 1.")


def test_what_cannot_be_built_is_refused(workspace: Workspace) -> None:
    with pytest.raises(UqError, match="No candidate passes"):
        planned(workspace, QueueSpec())
    answers(workspace, 1, "a")
    with pytest.raises(UqError, match="overlap with nobody"):
        planned(workspace, QueueSpec(overlap=0.5))
    with pytest.raises(UqError, match="1 problem can't be divided among 2 reviewers"):
        planned(workspace, QueueSpec(), "ann")
    with pytest.raises(UqError, match="Nobody"):
        building.plan(workspace, QueueSpec(), [], by="x")


def test_what_a_filter_tells_is_recorded_and_never_of_what_is_masked(workspace: Workspace) -> None:
    (first,) = answers(workspace, 1, "a", model="o3")
    (second,) = answers(workspace, 2, "a", model="o3")
    me = reviewers.current(workspace)
    masking = [NewItem("source:1", first)]
    queues.make(workspace, name="blind", mode=QueueMode.BLIND, spec={}, guideline="", shares={me.id: masking})
    laid_out = planned(workspace, QueueSpec(candidates=CandidateFilter(models=("o3",))))
    assert problems(laid_out) == ["2"]
    said = laid_out.notes()[0]
    assert said.startswith("1 problem that you judge blind was left out")
    answers(workspace, 1, "b", "c", model="o3")
    for tells in (
        CandidateFilter(models=("o3",)),
        CandidateFilter(models=("o4", "o3"), site=""),
        CandidateFilter(labelled=False),
    ):
        assert planned(workspace, QueueSpec(candidates=tells)).notes()[0] == said
    answers(workspace, 3, "d", model="o4")
    assert planned(workspace, QueueSpec(candidates=CandidateFilter(models=("o4",)))).notes()[0] == said
    for model in ("o3", "none"):
        with pytest.raises(UqError, match="that you judge blind are left out"):
            planned(workspace, QueueSpec(candidates=CandidateFilter(question_ids=("source:1",), models=(model,))))
    building.make(workspace, "q", "", laid_out, by=me.id)
    assert [row.what for row in exposures.of_candidate(workspace, me.id, second)] == [Exposure.MODEL]
    assert problems(planned(workspace, QueueSpec())) == ["1", "2", "3"]


def test_texts_are_read_once(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    answers(workspace, 1, "a", "b")
    readings = Readings()
    first = planned(workspace, QueueSpec(), readings=readings)
    monkeypatch.setattr("store.texts.read", None)
    assert planned(workspace, QueueSpec(), readings=readings) == first


def test_an_open_queue_keeps_what_another_one_hides(workspace: Workspace) -> None:
    ids = answers(workspace, 1, *(f"Answer {n}" for n in range(6)))
    me = reviewers.current(workspace)
    masking = [NewItem("source:1", ids[0])]
    queues.make(workspace, name="blind", mode=QueueMode.BLIND, spec={}, guideline="", shares={me.id: masking})
    (share,) = planned(workspace, QueueSpec(mode=QueueMode.OPEN)).shares.values()
    assert tuple(one.answer for one in share.places) == blindness.masked_order(workspace, "source:1", ids) != tuple(ids)


def test_an_answer_that_was_cut_off_has_no_final_answer(workspace: Workspace) -> None:
    take(workspace, question(1))
    origin = Origin(AuthorKind.MODEL, model="m", source="f.jsonl")
    new = [
        NewCandidate("source:1", f"{n}: \\boxed{{5}}", TextFormat.MARKDOWN, origin, cut_off=n == 0) for n in range(3)
    ]
    cut, *whole = candidates.add(workspace, new)
    (share,) = planned(workspace, QueueSpec()).shares.values()
    groups = {one.answer: one.group for one in share.places}
    assert groups[cut] not in {groups[one] for one in whole}
    assert groups[whole[0]] == groups[whole[1]]
