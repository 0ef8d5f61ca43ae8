"""Deciding items: what is written, what follows, what is refused."""

from dataclasses import replace
from typing import Any

import pytest

from store import blindness, decisions, drafts, questions, queues, statements, verdicts
from store.review_rows import ClaimDecided, NewItem, Said, StageJudged
from store.rows import MarkedError, Quote
from store.verdict_record import verify
from store.workspace import Workspace
from tests.store.records.stock import put_candidate
from tests.store.reviewing import ADA, BOB, RIGHT, WRONG, people, plain, practice, problems, queue, share
from uq_tui.errors import NotFoundError, UqError, VerdictFormError, VerdictMovedError
from uq_tui.words import (
    ClaimDecision,
    Derivation,
    FinalAnswer,
    ItemRole,
    ItemState,
    Label,
    NotJudged,
    QueueMode,
    Soundness,
    StatementKind,
    VerdictRole,
    VerdictStatus,
)


@pytest.fixture(autouse=True)
def _people(workspace: Workspace) -> None:
    people(workspace)


def state(ws: Workspace, item_id: str) -> tuple[ItemState, bool]:
    """An item's state, and whether its verdict stands."""
    item = queues.item(ws, item_id)
    all_of_it = decisions.history(ws, item.reviewer_id, item.candidate_id)
    found = [one for one in all_of_it if one.verdict_id == item.verdict_id]
    return item.state, bool(found) and found[-1].status is VerdictStatus.SUBMITTED


def test_deciding_records_the_verdict_and_marks_the_item(workspace: Workspace) -> None:
    made = queue(workspace, {ADA: plain(*problems(workspace, 1))})
    first, second = share(workspace, made)
    entered = replace(WRONG, final_answer=FinalAnswer.DIFFERS, derivation=Derivation.UNCLEAR)
    drafts.save(workspace, ADA.id, first.candidate_id, entered, based_on=0)
    done = decisions.decide(workspace, ADA, first.id, entered)
    assert done.item is not None
    assert (done.item.state, done.item.verdict_id) == (ItemState.DECIDED, done.verdict.verdict_id)
    assert done.item.decided_at is not None
    assert not done.revealed
    assert done.verdict.record["queue"] == "one"
    assert done.verdict.record["assignment"] == {
        "queue_id": made.id,
        "assisted": False,
        "repeat_of": "",
        "linked_to": "",
        "final_answer": "differs",
        "derivation": "unclear",
    }
    verify(done.verdict.record)
    assert drafts.get(workspace, ADA.id, first.candidate_id) is None
    assert state(workspace, second.id) == (ItemState.OPEN, False)


def test_a_reason_for_not_judging_skips_the_item(workspace: Workspace) -> None:
    (item,) = share(workspace, queue(workspace, {ADA: plain(*problems(workspace, 1, 1))}))
    reason = replace(RIGHT, label=None, not_judged=NotJudged.TOO_TEDIOUS)
    done = decisions.decide(workspace, ADA, item.id, reason)
    assert done.item is not None
    assert done.item.state is ItemState.SKIPPED
    assert decisions.decide(workspace, ADA, item.id, RIGHT).verdict.revision == 2
    assert queues.item(workspace, item.id).state is ItemState.DECIDED


def test_the_last_item_of_a_problem_reveals_it(workspace: Workspace) -> None:
    made = queue(workspace, {ADA: plain(*problems(workspace, 2))})
    items = share(workspace, made)
    assert not decisions.decide(workspace, ADA, items[0].id, RIGHT).revealed
    assert blindness.is_masked(workspace, ADA.id, "q0")
    queues.put_off(workspace, items[1].id)
    assert blindness.is_masked(workspace, ADA.id, "q0")
    assert decisions.decide(workspace, ADA, items[1].id, RIGHT).revealed
    assert blindness.masked_questions(workspace, ADA.id) == {"q1"}
    assert not decisions.decide(workspace, ADA, items[1].id, WRONG).revealed


def test_an_assisted_queue_says_so_in_the_row_and_reveals_nothing(workspace: Workspace) -> None:
    made = queue(workspace, {ADA: plain(*problems(workspace, 1, 1))}, mode=QueueMode.ASSISTED)
    (item,) = share(workspace, made)
    done = decisions.decide(workspace, ADA, item.id, RIGHT)
    assert done.verdict.record["assignment"]["assisted"] is True
    assert not done.revealed


def test_a_verdict_from_outside_is_revised_by_deciding(workspace: Workspace) -> None:
    made = queue(workspace, {ADA: plain(*problems(workspace, 1, 1))})
    (item,) = share(workspace, made)
    outside = decisions.record(workspace, ADA, item.candidate_id, RIGHT, based_on=0)
    assert outside.item is None
    assert state(workspace, item.id) == (ItemState.OPEN, False)
    done = decisions.decide(workspace, ADA, item.id, WRONG)
    assert (done.verdict.verdict_id, done.verdict.revision) == (outside.verdict.verdict_id, 2)


@pytest.mark.parametrize(
    "refused",
    ["another reviewer", "practice", "closed", "incomplete", "unknown", "linked"],
)
def test_what_is_refused_changes_nothing(workspace: Workspace, refused: str) -> None:
    one, two, three = problems(workspace, 1, 3)[0]
    items = [practice("q0", one), NewItem("q0", two), NewItem("q0", three, linked_to=1)]
    made = queue(workspace, {ADA: items})
    trial, item, linked = share(workspace, made)
    drafts.save(workspace, ADA.id, item.candidate_id, WRONG, based_on=0)
    if refused == "closed":
        queues.close(workspace, made.id)
    reviewer = BOB if refused == "another reviewer" else ADA
    item_id = {"practice": trial.id, "linked": linked.id, "unknown": "none"}.get(refused, item.id)
    form = replace(WRONG, label=None) if refused == "incomplete" else WRONG
    kind = {"incomplete": VerdictFormError, "unknown": NotFoundError}.get(refused, UqError)
    with pytest.raises(kind):
        decisions.decide(workspace, reviewer, item_id, form)
    assert list(verdicts.records(workspace)) == []
    assert drafts.get(workspace, ADA.id, item.candidate_id) is not None
    assert {each.state for each in share(workspace, made)} == {ItemState.OPEN}


def test_two_reviewers_work_on_one_store(workspace: Workspace) -> None:
    keys = problems(workspace, 1)
    made = queue(workspace, {ADA: plain(*keys), BOB: plain(*keys)})
    for reviewer in (ADA, BOB):
        decisions.decide(workspace, reviewer, share(workspace, made, reviewer)[0].id, RIGHT)
    decisions.decide(workspace, ADA, share(workspace, made)[1].id, RIGHT)
    assert blindness.masked_questions(workspace, BOB.id) == {"q0"}
    assert blindness.masked_questions(workspace, ADA.id) == frozenset()
    assert [row.left for _, row in queues.shares(workspace, made.id)] == [0, 1]
    decisions.undo(workspace, BOB, made.id)
    assert [row.left for _, row in queues.shares(workspace, made.id)] == [0, 2]


def test_a_revision_over_another_windows_is_refused_once(workspace: Workspace) -> None:
    (item,) = share(workspace, queue(workspace, {ADA: plain(*problems(workspace, 1, 1))}))
    decisions.decide(workspace, ADA, item.id, RIGHT, based_on=0)
    drafts.save(workspace, ADA.id, item.candidate_id, WRONG, based_on=0)

    def again(based_on: int) -> None:
        decisions.decide(workspace, ADA, item.id, WRONG, based_on=based_on)

    def outside(based_on: int) -> None:
        decisions.record(workspace, ADA, item.candidate_id, WRONG, based_on=based_on)

    for record in (again, outside):
        with pytest.raises(VerdictMovedError) as caught:
            record(0)
        assert drafts.get(workspace, ADA.id, item.candidate_id) is not None
        record(caught.value.revision)
        drafts.save(workspace, ADA.id, item.candidate_id, WRONG, based_on=0)
    assert [one.revision for one in decisions.history(workspace, ADA.id, item.candidate_id)] == [1, 2, 3]


def test_a_verdict_carries_the_second_pass_as_it_stands(workspace: Workspace) -> None:
    (key,) = problems(workspace, 1, 1)[0]
    claims = (ClaimDecided("c1", "audit by m", ClaimDecision.REFUTE),)
    stages = (StageJudged("3-iter", "fact_logic/2", "r1", Soundness.UNSOUND),)
    assert decisions.record(workspace, ADA, key, RIGHT, based_on=0).verdict.record["claims"] == []
    said = Said(claims=claims, soundness=stages)
    second = statements.add(workspace, ADA, StatementKind.SECOND_PASS, "q0", said, candidate_id=key)
    row = decisions.record(workspace, ADA, key, WRONG, based_on=1).verdict.record
    assert row["claims"] == [{"claim_id": "c1", "source": "audit by m", "decision": "refute"}]
    assert row["trace_soundness"] == [{"strategy": "3-iter", "stage": "fact_logic/2", "sound": "unsound"}]
    verify(row)
    assert decisions.record(workspace, BOB, key, WRONG, based_on=0).verdict.record["claims"] == []
    statements.retract(workspace, ADA, second.statement_id)
    assert decisions.record(workspace, ADA, key, WRONG, based_on=2).verdict.record["claims"] == []


def test_a_row_says_whose_verdict_it_is(workspace: Workspace) -> None:
    (key,) = problems(workspace, 1, 1)[0]
    reviewer = replace(ADA, name="Ada Byron", affiliation="Somewhere", linked=("elsewhere",))
    row = decisions.record(workspace, reviewer, key, RIGHT, based_on=None).verdict.record
    assert (row["reviewer"]["affiliation"], row["reviewer"]["linked_ids"]) == ("Somewhere", ["elsewhere"])
    assert "Byron" not in str(row)


# Identical answers.

ONE = "Let f be bounded. Then f is uniform.\r\nNow f is uniform, so f is uniform.\u00a0Done: é."
OTHER = "  Let f be bounded.\nThen f  is uniform. Now f is uniform,\n\nso f is uniform. Done: e\u0301."


def identical(ws: Workspace) -> tuple[Any, ...]:
    keys = [put_candidate(ws, ONE, "q0"), put_candidate(ws, OTHER, "q0"), put_candidate(ws, "Else.", "q0")]
    items = [NewItem("q0", keys[0]), NewItem("q0", keys[1], linked_to=0), NewItem("q0", keys[2])]
    made = queue(ws, {ADA: items})
    return made, *share(ws, made)


def test_identical_answers_are_judged_once_with_quotes_in_each(workspace: Workspace) -> None:
    made, item, linked, _ = identical(workspace)
    spans = [(ONE.rindex("f is uniform"), 12), (ONE.index("bounded. Then"), 13), (ONE.index("é"), 2)]
    quotes = tuple(Quote(ONE[at : at + size], at, at + size, "", "") for at, size in spans)
    form = replace(WRONG, errors=(MarkedError("other", quotes),), seconds_active=5.0)
    done = decisions.decide(workspace, ADA, item.id, form)
    (other,) = done.linked
    assert other.candidate_id == linked.candidate_id
    assert other.record["assignment"]["linked_to"] == f"{done.verdict.verdict_id}#1"
    assert (done.verdict.record["seconds_active"], other.record["seconds_active"]) == (5.0, 0.0)
    placed = other.record["errors"][0]["quotes"]
    assert [OTHER[quote["start"] : quote["end"]] for quote in placed] == ["f is uniform", "bounded.\nThen", "e\u0301."]
    assert placed[0]["start"] == OTHER.rindex("f is uniform")
    assert state(workspace, linked.id) == (ItemState.DECIDED, True)
    assert queues.progress(workspace, made.id, ADA.id).linked == 1
    assert queues.durations(workspace, made.id, ADA.id, 9) == (5.0,)
    verify(other.record)


def test_a_linked_verdict_is_revised_and_undone_with_the_other(workspace: Workspace) -> None:
    made, item, linked, _ = identical(workspace)
    first = decisions.decide(workspace, ADA, item.id, WRONG)
    revised = decisions.record(workspace, ADA, item.candidate_id, RIGHT, based_on=1)
    assert [one.label for one in revised.linked] == [Label.CORRECT]
    back = decisions.undo(workspace, ADA, None)
    assert back is not None
    assert [(one.label, one.revision) for one in (back.verdict, *back.linked)] == [(Label.INCORRECT, 3)] * 2
    assert back.linked[0].record["assignment"]["linked_to"] == f"{first.verdict.verdict_id}#3"
    assert state(workspace, linked.id) == (ItemState.DECIDED, True)
    decisions.undo(workspace, ADA, made.id)
    assert [state(workspace, each.id) for each in (item, linked)] == [(ItemState.OPEN, False)] * 2


@pytest.mark.parametrize("which", [0, 1])
def test_taking_either_of_identical_answers_back_takes_both(workspace: Workspace, which: int) -> None:
    _, item, linked, _ = identical(workspace)
    decisions.decide(workspace, ADA, item.id, WRONG)
    back = decisions.retract(workspace, ADA, (item, linked)[which].candidate_id)
    assert [one.status for one in (back.verdict, *back.linked)] == [VerdictStatus.RETRACTED] * 2
    assert [state(workspace, each.id) for each in (item, linked)] == [(ItemState.OPEN, False)] * 2
    again = decisions.undo(workspace, ADA, None)
    assert again is not None
    assert [state(workspace, each.id) for each in (item, linked)] == [(ItemState.DECIDED, True)] * 2
    decisions.redo(workspace, ADA, None)
    assert [state(workspace, each.id) for each in (item, linked)] == [(ItemState.OPEN, False)] * 2


def test_an_own_word_on_a_linked_answer_stands_by_itself(workspace: Workspace) -> None:
    made, item, linked, _ = identical(workspace)
    decisions.decide(workspace, ADA, item.id, WRONG)
    own = decisions.record(workspace, ADA, linked.candidate_id, RIGHT, based_on=1)
    assert own.linked == ()
    revised = decisions.record(workspace, ADA, item.candidate_id, WRONG, based_on=1)
    assert revised.linked == ()
    assert decisions.decide(workspace, ADA, item.id, WRONG, based_on=2).linked == ()
    assert verdicts.latest(workspace, ADA.id, linked.candidate_id) == own.verdict
    assert decisions.undo(workspace, ADA, made.id) is not None
    with pytest.raises(VerdictMovedError, match="revised elsewhere"):
        decisions.undo(workspace, ADA, made.id)
    for _ in range(3):
        decisions.undo(workspace, ADA, None)
    assert [state(workspace, each.id) for each in (item, linked)] == [(ItemState.OPEN, False)] * 2
    assert decisions.undo(workspace, ADA, None) is None


# Repeats.


def with_repeat(ws: Workspace) -> tuple[Any, ...]:
    (key,) = problems(ws, 1, 1)[0]
    made = queue(ws, {ADA: [NewItem("q0", key), NewItem("q0", key, ItemRole.REPEAT)]})
    return made, *share(ws, made)


def test_a_repeat_has_a_verdict_and_a_draft_of_its_own(workspace: Workspace) -> None:
    _, item, repeat = with_repeat(workspace)
    first = decisions.decide(workspace, ADA, item.id, WRONG)
    assert blindness.hides_own_verdict(workspace, ADA.id, item.candidate_id)
    assert blindness.repeated(workspace, ADA.id) == {item.candidate_id}
    drafts.save(workspace, ADA.id, item.candidate_id, WRONG, based_on=0)
    drafts.save(workspace, ADA.id, item.candidate_id, RIGHT, based_on=0, role=VerdictRole.REPEAT)
    again = decisions.decide(workspace, ADA, repeat.id, RIGHT)
    assert again.revealed
    assert again.verdict.verdict_id != first.verdict.verdict_id
    assert again.verdict.record["assignment"]["repeat_of"] == first.verdict.verdict_id
    assert drafts.get(workspace, ADA.id, item.candidate_id, role=VerdictRole.REPEAT) is None
    assert drafts.get(workspace, ADA.id, item.candidate_id) is not None
    standing = verdicts.latest(workspace, ADA.id, item.candidate_id)
    assert standing == first.verdict
    assert decisions.history(workspace, ADA.id, item.candidate_id) == (first.verdict, again.verdict)
    assert questions.get(workspace, "q0").row.verdicts == 1
    assert not blindness.hides_own_verdict(workspace, ADA.id, item.candidate_id)
    decisions.undo(workspace, ADA, None)
    assert state(workspace, item.id) == (ItemState.DECIDED, True)
    third = decisions.decide(workspace, ADA, repeat.id, WRONG)
    assert (third.verdict.verdict_id, third.verdict.revision) == (again.verdict.verdict_id, 3)


def test_what_is_judged_first_is_the_first_verdict(workspace: Workspace) -> None:
    _, item, repeat = with_repeat(workspace)
    drafts.save(workspace, ADA.id, item.candidate_id, replace(WRONG, rationale="put off"), based_on=0)
    drafts.save(workspace, ADA.id, item.candidate_id, RIGHT, based_on=0, role=VerdictRole.REPEAT)
    first = decisions.decide(workspace, ADA, repeat.id, RIGHT)
    assert first.verdict.record["assignment"]["repeat_of"] == ""
    assert [queues.item(workspace, each.id).role for each in (repeat, item)] == [ItemRole.PLAIN, ItemRole.REPEAT]
    kept = drafts.get(workspace, ADA.id, item.candidate_id, role=VerdictRole.REPEAT)
    assert kept is not None
    assert kept.form.rationale == "put off"
    assert drafts.get(workspace, ADA.id, item.candidate_id) is None
    again = decisions.decide(workspace, ADA, item.id, WRONG)
    assert again.verdict.record["assignment"]["repeat_of"] == first.verdict.verdict_id


# Taking back.


def test_taking_back_opens_the_items_of_all_queues_and_masks_again(workspace: Workspace) -> None:
    keys = problems(workspace, 1, 1)
    made = [queue(workspace, {ADA: plain(*keys)}, name=name) for name in ("one", "two")]
    items = [share(workspace, each)[0] for each in made]
    for item in items:
        decisions.decide(workspace, ADA, item.id, RIGHT)
    assert not blindness.is_masked(workspace, ADA.id, "q0")
    decisions.retract(workspace, ADA, keys[0][0])
    assert [state(workspace, item.id) for item in items] == [(ItemState.OPEN, False)] * 2
    assert len(blindness.queues_of(workspace, ADA.id, "q0")) == 2
    with pytest.raises(NotFoundError, match="no verdict"):
        decisions.retract(workspace, ADA, keys[0][0])


def test_what_was_revealed_on_request_stays_so(workspace: Workspace) -> None:
    made = queue(workspace, {ADA: plain(*problems(workspace, 1))})
    items = share(workspace, made)
    assert blindness.reveal(workspace, ADA.id, "q0")
    assert not blindness.reveal(workspace, ADA.id, "q0")
    for item in items:
        assert not decisions.decide(workspace, ADA, item.id, RIGHT).revealed
    decisions.undo(workspace, ADA, made.id)
    assert not blindness.is_masked(workspace, ADA.id, "q0")
