"""Going through a queue: what each key makes of it, what comes next, what survives."""

import asyncio
import sqlite3
from dataclasses import replace

import pytest

from store import bundles, decisions, drafts, exposures, queue_pool, queues, verdicts
from store.review_rows import NewItem
from store.rows import KnownLabel, Verdict
from store.workspace import Workspace
from tests.engine.runs.scripted import QUESTION
from tests.state.reviewing.laid_out import add_problem, desk_of, make_queue, reviewing
from uq_tui.errors import NotFoundError, StoreError, UqError, VerdictMovedError
from uq_tui.state.desk import Desk
from uq_tui.state.reviewing.completeness import Rules
from uq_tui.state.reviewing.giving import Given
from uq_tui.state.reviewing.guard import GUARD_S, STEP_S
from uq_tui.state.reviewing.problem import Mark
from uq_tui.state.reviewing.review import ReviewState
from uq_tui.words import BundleDirection, Exposure, ItemRole, ItemState, Label, NotJudged, QueueMode

ANSWERS = ("It is 1.", "It is 2.", "It is 3.", "It is 4.")


def called(state: ReviewState) -> str:
    """What the answer before the reviewer is called; "" at the end."""
    return state.shown.candidate.called if state.shown is not None else ""


def before(state: ReviewState) -> str:
    """The text before the reviewer; "" at the end."""
    return state.shown.candidate.answer.markdown if state.shown is not None else ""


def standing(desk: Desk, candidate_id: str) -> Verdict:
    """The reviewer's verdict that is on disk."""
    found = verdicts.latest(desk.workspace, desk.reviewer.id, candidate_id)
    assert found is not None
    return found


async def test_at_the_end_of_a_queue_from_a_bundle_it_is_said_how_it_goes_back(workspace: Workspace) -> None:
    desk = await desk_of(workspace)
    items = add_problem(workspace, QUESTION, ANSWERS[0])
    made = [make_queue(workspace, desk, items, name=name) for name in ("here", "sent")]
    bundles.note(workspace, BundleDirection.OPENED, made[1].id, desk.reviewer.id, "sent.zip", "", 1)
    said = []
    for queue in made:
        state, _ = await reviewing(desk, queue)
        if not state.at_the_end:  # the verdict counts in both
            await state.give(Label.INCORRECT)
        await state.settled()
        said.append(state.summary)
    assert all(text.startswith("# Nothing is left to decide") for text in said)
    assert ["{bundles.return:b}" in text for text in said] == [False, True]


async def test_a_key_records_and_goes_on(workspace: Workspace) -> None:
    desk = await desk_of(workspace)
    items = add_problem(workspace, QUESTION, *ANSWERS)
    state, clock = await reviewing(desk, make_queue(workspace, desk, items))
    assert before(state) == ANSWERS[0]
    assert await state.give(Label.INCORRECT) is Given.RECORDED
    assert (before(state), state.recorded) == (ANSWERS[1], "incorrect")
    on_disk = standing(desk, items[0].candidate_id)
    assert on_disk.label is Label.INCORRECT
    clock.wait()
    assert await state.give(NotJudged.TOO_TEDIOUS) is Given.RECORDED
    assert state.recorded == "too tedious"
    await state.settled()
    assert state.counted is not None
    assert (state.counted.progress.decided, state.counted.progress.skipped) == (1, 1)


async def test_keys_do_nothing_right_after_an_item_appears(workspace: Workspace) -> None:
    desk = await desk_of(workspace)
    items = add_problem(workspace, QUESTION, *ANSWERS)
    state, clock = await reviewing(desk, make_queue(workspace, desk, items))
    await state.give(Label.INCORRECT)
    clock.wait(GUARD_S - 0.01)
    assert await state.give(Label.CORRECT) is Given.NOTHING
    assert not await state.put_off()
    clock.wait(0.02)
    assert await state.give(Label.CORRECT) is Given.RECORDED


async def test_a_key_pressed_while_one_is_being_recorded_does_nothing(workspace: Workspace) -> None:
    desk = await desk_of(workspace)
    items = add_problem(workspace, QUESTION, *ANSWERS)
    state, _ = await reviewing(desk, make_queue(workspace, desk, items))
    done = await asyncio.gather(*(state.give(label) for label in (Label.INCORRECT, Label.CORRECT, Label.UNSURE)))
    assert done == [Given.RECORDED, Given.NOTHING, Given.NOTHING]
    assert before(state) == ANSWERS[1]


async def test_what_was_recorded_is_told_for_two_items(workspace: Workspace) -> None:
    desk = await desk_of(workspace)
    items = add_problem(workspace, QUESTION, *ANSWERS)
    state, clock = await reviewing(desk, make_queue(workspace, desk, items))
    await state.give(Label.INCORRECT)
    told = [state.recorded]
    for _ in range(2):
        clock.wait()
        await state.put_off()
        told.append(state.recorded)
    assert told == ["incorrect", "incorrect", ""]


async def test_undoing_brings_the_item_back_with_what_was_entered_and_redoing_goes_on(workspace: Workspace) -> None:
    desk = await desk_of(workspace)
    items = add_problem(workspace, QUESTION, *ANSWERS)
    queue = make_queue(workspace, desk, items)
    state, clock = await reviewing(desk, queue)
    state.editor.edit(lambda form: replace(form, rationale="The sum diverges.", confidence=4))
    await state.give(Label.INCORRECT)
    assert await state.undo()
    assert before(state) == ANSWERS[0]
    assert (state.editor.form.rationale, state.editor.form.label) == ("The sum diverges.", Label.INCORRECT)
    assert state.recorded == ""
    assert queues.of_problem(workspace, queue.id, desk.reviewer.id, QUESTION)[0].state is ItemState.OPEN

    again, clock = await reviewing(desk, queue)  # the app was started anew
    assert await again.redo()
    assert (before(again), again.recorded) == (ANSWERS[1], "incorrect")
    verdict = standing(desk, items[0].candidate_id)
    assert verdict.record["rationale"] == "The sum diverges."
    clock.wait()
    assert not await again.redo()
    assert again.note


async def test_undoing_does_not_take_back_what_another_window_recorded(workspace: Workspace) -> None:
    desk = await desk_of(workspace)
    items = add_problem(workspace, QUESTION, *ANSWERS)
    queue = make_queue(workspace, desk, items)
    here, _ = await reviewing(desk, queue)
    await here.give(Label.INCORRECT)
    elsewhere, _ = await reviewing(desk, queue)
    await elsewhere.give(Label.CORRECT)
    with pytest.raises(VerdictMovedError):
        await here.undo()
    verdict = standing(desk, items[1].candidate_id)
    assert verdict.label is Label.CORRECT


async def test_an_item_that_another_window_decided_is_told_and_passed(workspace: Workspace) -> None:
    desk = await desk_of(workspace)
    items = add_problem(workspace, QUESTION, *ANSWERS)
    queue = make_queue(workspace, desk, items)
    here, _ = await reviewing(desk, queue)
    elsewhere, _ = await reviewing(desk, queue)
    await elsewhere.give(Label.CORRECT)
    first = called(here)
    assert await here.give(Label.INCORRECT) is Given.PASSED
    assert first in here.note
    assert before(here) == ANSWERS[1]
    verdict = standing(desk, items[0].candidate_id)
    assert (verdict.label, verdict.revision) == (Label.CORRECT, 1)


async def test_what_is_put_off_comes_again_after_the_others_and_in_turn(workspace: Workspace) -> None:
    desk = await desk_of(workspace)
    items = add_problem(workspace, QUESTION, *ANSWERS[:3])
    state, clock = await reviewing(desk, make_queue(workspace, desk, items))
    seen = [before(state)]
    for act in (state.put_off, state.put_off, lambda: state.give(Label.CORRECT), state.put_off, state.put_off):
        await act()
        seen.append(before(state))
        clock.wait()
    assert [ANSWERS.index(text) for text in seen] == [0, 1, 2, 0, 1, 0]


async def test_a_failure_to_save_moves_nothing_and_keeps_everything(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = await desk_of(workspace)
    items = add_problem(workspace, QUESTION, *ANSWERS)
    state, clock = await reviewing(desk, make_queue(workspace, desk, items))
    state.editor.edit(lambda form: replace(form, rationale="Words."))

    def full(*_: object, **__: object) -> None:
        raise StoreError("The disk is full.")

    with monkeypatch.context() as broken:
        broken.setattr(decisions, "decide", full)
        with pytest.raises(StoreError):
            await state.give(Label.INCORRECT)
    assert (before(state), state.recorded) == (ANSWERS[0], "")
    assert (state.editor.form.rationale, state.editor.form.label) == ("Words.", Label.INCORRECT)
    assert "Not recorded" in state.note
    kept = drafts.get(workspace, desk.reviewer.id, items[0].candidate_id)
    assert kept is not None
    assert kept.form.rationale == "Words."
    clock.wait()
    assert await state.give(Label.INCORRECT) is Given.RECORDED


async def test_rules_that_are_not_met_leave_the_label_chosen_and_nothing_recorded(workspace: Workspace) -> None:
    desk = await desk_of(workspace)
    items = add_problem(workspace, QUESTION, *ANSWERS)
    state, clock = await reviewing(desk, make_queue(workspace, desk, items, rules=Rules(rationale=True)))
    assert await state.give(Label.CORRECT) is Given.INCOMPLETE
    assert state.editor.form.label is Label.CORRECT
    assert verdicts.latest(workspace, desk.reviewer.id, items[0].candidate_id) is None
    state.editor.edit(lambda form: replace(form, rationale="Checked."))
    assert await state.give(Label.CORRECT) is Given.RECORDED  # the same key at once: it recorded nothing before
    clock.wait()
    assert await state.give(NotJudged.OUT_OF_DEPTH) is Given.RECORDED


async def test_practice_tells_the_known_label_and_gives_no_verdict(workspace: Workspace) -> None:
    desk = await desk_of(workspace)
    practice, plain = add_problem(workspace, QUESTION, *ANSWERS[:2])
    _know(workspace, practice.candidate_id, Label.CORRECT, "none at all")
    queue = make_queue(workspace, desk, (replace(practice, role=ItemRole.PRACTICE), plain))
    state, clock = await reviewing(desk, queue)
    assert state.is_practice
    assert await state.give(Label.INCORRECT) is Given.PRACTISED
    assert state.feedback is not None
    assert not state.feedback.agrees
    assert state.feedback.known == KnownLabel(Label.CORRECT, "none at all", "tests")
    assert practice.candidate_id in queue_pool.judged_by(workspace, [desk.reviewer.id])  # is never gold for them
    assert await state.give(Label.INCORRECT) is Given.NOTHING  # held down
    clock.wait()
    state.editor.edit(lambda form: replace(form, rationale="Too late."))
    assert not await state.editor.save_draft()  # as when the screen is left now
    assert await state.give(Label.UNSURE) is Given.WENT_ON
    assert before(state) == ANSWERS[1]
    assert verdicts.latest(workspace, desk.reviewer.id, practice.candidate_id) is None
    assert drafts.get(workspace, desk.reviewer.id, practice.candidate_id) is None
    await state.settled()
    assert state.counted is not None
    assert state.counted.progress.left == 1


async def test_practice_is_answered_by_the_form_too(workspace: Workspace) -> None:
    desk = await desk_of(workspace)
    practice, plain = add_problem(workspace, QUESTION, *ANSWERS[:2])
    _know(workspace, practice.candidate_id, Label.CORRECT, "")
    queue = make_queue(workspace, desk, (replace(practice, role=ItemRole.PRACTICE), plain))
    state, _clock = await reviewing(desk, queue)
    assert await state.practise() is Given.INCOMPLETE
    assert "give it a label" in state.note
    state.editor.edit(lambda form: replace(form, label=Label.CORRECT, rationale="It is 1."))
    assert await state.practise() is Given.PRACTISED
    assert state.feedback is not None
    assert state.feedback.agrees
    assert await state.practise() is Given.NOTHING
    assert verdicts.latest(workspace, desk.reviewer.id, practice.candidate_id) is None


def _know(ws: Workspace, candidate_id: str, label: Label, flaw: str) -> None:
    values = {"candidate": candidate_id, "label": label.value, "flaw": flaw}
    statement = (
        "INSERT INTO known_label (candidate_id, label, flaw, source) VALUES (:candidate, :label, :flaw, 'tests')"
    )
    with sqlite3.connect(ws.path) as db:
        db.execute(statement, values)


async def test_two_steps_come_to_a_label(workspace: Workspace) -> None:
    desk = await desk_of(workspace)
    items = add_problem(workspace, QUESTION, *ANSWERS)
    state, clock = await reviewing(desk, make_queue(workspace, desk, items, two_steps=True))
    assert await state.give(Label.CORRECT) is Given.STEP
    assert await state.give(Label.CORRECT) is Given.NOTHING  # too soon after the first
    clock.wait()
    assert await state.undo()  # takes the first step back
    clock.wait()
    assert await state.give(Label.CORRECT) is Given.STEP
    clock.wait()
    assert await state.give(Label.CORRECT_BORDERLINE) is Given.RECORDED
    clock.wait()
    assert await state.give(Label.CORRECT) is Given.STEP
    clock.wait(STEP_S)
    assert await state.give(Label.CORRECT) is Given.RECORDED  # the same key again at once
    clock.wait()
    assert await state.undo()
    verdict = standing(desk, items[0].candidate_id)
    assert verdict.label is Label.CORRECT_BORDERLINE
    clock.wait()
    assert await state.give(Label.INCORRECT) is Given.RECORDED  # another final answer decides by itself
    assert state.recorded == "incorrect"
    clock.wait()
    assert await state.give(NotJudged.FAULTY_QUESTION) is Given.RECORDED


async def test_a_problem_is_revealed_with_its_last_item_and_masked_again_by_undoing_it(workspace: Workspace) -> None:
    desk = await desk_of(workspace)
    items = (*add_problem(workspace, "q:1", *ANSWERS[:2]), *add_problem(workspace, "q:2", "Other."))
    state, clock = await reviewing(desk, make_queue(workspace, desk, items))
    assert sorted(line.called for line in state.lines) == ["A", "B"]
    hidden = state.second_pass_of
    await state.give(Label.CORRECT)
    clock.wait()
    await state.give(Label.INCORRECT)
    assert state.note == "A-B revealed"
    assert (hidden, state.second_pass_of) == ("", items[1].candidate_id)
    assert before(state) == "Other."
    clock.wait()
    await state.undo()
    assert called(state) in "AB"
    assert state.shown is not None
    assert state.shown.problem.mask is not None
    assert state.shown.candidate.origins == ()


async def test_what_another_queue_still_hides_is_not_called_revealed(workspace: Workspace) -> None:
    desk = await desk_of(workspace)
    items = add_problem(workspace, QUESTION, "It is 1.")
    make_queue(workspace, desk, items, name="other")
    state, _ = await reviewing(desk, make_queue(workspace, desk, items))
    await state.give(Label.CORRECT)
    assert "another queue still hides" in state.note
    assert state.second_pass_of == ""


async def test_revealing_on_request_shows_who_wrote_it_and_logs_that(workspace: Workspace) -> None:
    desk = await desk_of(workspace)
    items = add_problem(workspace, QUESTION, *ANSWERS)
    state, clock = await reviewing(desk, make_queue(workspace, desk, items))
    assert not exposures.of_candidate(workspace, desk.reviewer.id, items[0].candidate_id)
    await state.reveal()
    assert (called(state), state.shown is not None and state.shown.candidate.origins[0].name) == ("c1", "tester")
    shown = exposures.of_candidate(workspace, desk.reviewer.id, items[0].candidate_id)
    assert [row.what for row in shown] == [Exposure.MODEL]
    assert state.second_pass_of == items[0].candidate_id
    clock.wait()
    await state.give(Label.CORRECT)
    verdict = standing(desk, items[0].candidate_id)
    assert not verdict.blind


async def test_a_queue_goes_on_where_it_was_left(workspace: Workspace) -> None:
    desk = await desk_of(workspace)
    items = add_problem(workspace, QUESTION, *ANSWERS)
    queue = make_queue(workspace, desk, items)
    state, _ = await reviewing(desk, queue)
    wanted = queues.of_problem(workspace, queue.id, desk.reviewer.id, QUESTION)[2]
    await state.go_to(wanted.id)
    await state.settled()
    again, _clock = await reviewing(desk, queue)
    assert before(again) == ANSWERS[2]
    await again.give(Label.CORRECT)
    assert before(again) == ANSWERS[3]


async def test_going_back_to_a_decided_item_revises_it(workspace: Workspace) -> None:
    desk = await desk_of(workspace)
    items = add_problem(workspace, QUESTION, *ANSWERS)
    queue = make_queue(workspace, desk, items)
    state, clock = await reviewing(desk, queue)
    await state.give(Label.CORRECT)
    assert sorted(line.words for line in state.lines) == ["now", "open", "open", "yours: correct"]
    first = next(line for line in state.lines if line.mark is Mark.DONE)
    await state.go_to(first.item_id)
    assert (before(state), state.editor.form.label) == (ANSWERS[0], Label.CORRECT)
    clock.wait()
    await state.give(Label.INCORRECT)
    verdict = standing(desk, items[0].candidate_id)
    assert (verdict.label, verdict.revision) == (Label.INCORRECT, 2)
    assert before(state) == ANSWERS[1]


async def test_a_draft_stays_with_its_answer(workspace: Workspace) -> None:
    desk = await desk_of(workspace)
    items = add_problem(workspace, QUESTION, *ANSWERS)
    queue = make_queue(workspace, desk, items)
    state, _ = await reviewing(desk, queue)
    state.editor.edit(lambda form: replace(form, rationale="Half a thought"))
    ids = [item.id for item in queues.of_problem(workspace, queue.id, desk.reviewer.id, QUESTION)]
    await state.go_to(ids[1])
    assert state.editor.form.rationale == ""
    await state.go_to(ids[0])
    assert state.editor.form.rationale == "Half a thought"


async def test_a_draft_that_another_window_has_changed_is_told_whatever_else_is(workspace: Workspace) -> None:
    desk = await desk_of(workspace)
    queue = make_queue(workspace, desk, add_problem(workspace, QUESTION, *ANSWERS))
    here, clock = await reviewing(desk, queue)
    elsewhere, _ = await reviewing(desk, queue)
    elsewhere.editor.edit(lambda form: replace(form, rationale="Theirs"))
    await elsewhere.editor.save_draft()
    here.editor.edit(lambda form: replace(form, rationale="Mine"))
    await here.put_off()
    assert "window" in here.note
    assert "put off" in here.note
    clock.wait()
    await here.put_off()
    assert "window" not in here.note


async def test_the_next_item_is_read_ahead_and_only_that_one(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = await desk_of(workspace)
    items = add_problem(workspace, QUESTION, *ANSWERS)
    state, _ = await reviewing(desk, make_queue(workspace, desk, items))
    await state.settled()
    assert state.counted is not None
    assert state.counted.following is not None
    ahead = state.counted.following
    assert ahead.candidate.id == items[1].candidate_id
    await state.give(Label.CORRECT)
    assert state.shown is not None
    assert state.shown.answer is ahead.answer


async def test_the_end_sums_up(workspace: Workspace) -> None:
    desk = await desk_of(workspace)
    items = add_problem(workspace, QUESTION, *ANSWERS[:2])
    state, clock = await reviewing(desk, make_queue(workspace, desk, items))
    clock.wait(9.0)
    await state.give(Label.CORRECT)
    clock.wait(10.0)
    await state.give(NotJudged.TOO_TEDIOUS)
    await state.settled()
    assert state.at_the_end
    assert "1 answer decided" in state.summary
    assert "1 skipped" in state.summary
    assert "20 s" in state.summary
    assert await state.give(Label.CORRECT) is Given.NOTHING
    clock.wait()
    assert await state.undo()
    assert before(state) == ANSWERS[1]


async def test_an_answer_that_comes_again_brings_nothing_of_the_first_time(workspace: Workspace) -> None:
    desk = await desk_of(workspace)
    first, other = add_problem(workspace, QUESTION, *ANSWERS[:2])
    again = NewItem(QUESTION, first.candidate_id, ItemRole.REPEAT)
    state, clock = await reviewing(desk, make_queue(workspace, desk, (first, other, again)))
    state.editor.edit(lambda form: replace(form, rationale="The first time"))
    await state.give(Label.INCORRECT)
    clock.wait()
    await state.give(Label.CORRECT)
    assert (before(state), state.editor.form.label, state.editor.form.rationale) == (ANSWERS[0], None, "")
    assert "incorrect" not in " ".join(line.words for line in state.lines)
    clock.wait()
    await state.give(Label.CORRECT)
    given = {one.label for one in decisions.history(workspace, desk.reviewer.id, first.candidate_id)}
    assert given == {Label.INCORRECT, Label.CORRECT}


async def test_queues_that_cannot_be_worked_on_are_refused(workspace: Workspace) -> None:
    desk = await desk_of(workspace)
    items = add_problem(workspace, QUESTION, *ANSWERS)
    queue = make_queue(workspace, desk, items, mode=QueueMode.OPEN)
    with pytest.raises(NotFoundError):
        await reviewing(desk, replace(queue, id="none"))
    queues.close(workspace, queue.id)
    with pytest.raises(UqError, match="closed"):
        await reviewing(desk, queue)
