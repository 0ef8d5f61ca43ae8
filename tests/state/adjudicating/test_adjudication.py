"""Conflicts as an adjudicator reads and settles them."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from store import adjudications, blindness, candidates, conflicts, decisions, drafts, exposures
from store.frozen_rows import sealed
from store.ingest.importer import import_file
from store.opinions import VerdictSubset
from store.rows import VerdictForm
from store.workspace import Workspace
from tests.state.reviewing.laid_out import desk_of
from tests.store.disputed import MODEL, RIGHT, WRONG, dispute, far_off
from tests.store.reviewing import BOB, plain, queue
from tests.store.standing import EVE
from uq_tui.errors import BlindError, NotFoundError, VerdictMovedError
from uq_tui.state.adjudicating.adjudication import Adjudication
from uq_tui.state.adjudicating.conflict_list import ConflictListState
from uq_tui.state.adjudicating.conflict_list import read as read_list
from uq_tui.state.adjudicating.matter import read
from uq_tui.state.adjudicating.words import counts, standing, told, whole
from uq_tui.state.verdict.editor import VerdictEditor
from uq_tui.words import ConflictBy, ConflictState, Exposure, Label, VerdictRole, VerdictStatus


def seen(ws: Workspace, key: str) -> set[Exposure]:
    return {one.what for one in exposures.of_candidate(ws, EVE.id, key)}


async def settling(ws: Workspace, n: int = 1) -> tuple[Adjudication, tuple[str, ...]]:
    """Eve at the first of `n` conflicts."""
    keys = dispute(ws, n)
    desk = (await desk_of(ws)).for_reviewer(EVE)
    listed = ConflictListState(desk)
    await listed.load()
    state = Adjudication(desk, VerdictEditor(desk), listed.conflicts, listed.conflicts[0].candidate_id)
    await state.load()
    return state, keys


def saying(label: Label) -> Callable[[VerdictForm], VerdictForm]:
    return lambda form: replace(form, label=label)


def test_a_conflict_is_read_with_the_places_of_quotes_and_without_who_wrote_the_answer(workspace: Workspace) -> None:
    (key,) = dispute(workspace)
    matter = read(workspace, EVE, key)
    assert matter.candidate.origins == ()
    assert [(side.letter, side.name) for side in matter.sides] == [("A", "ada"), ("B", "bob")]
    quoted = [(one.side.letter, matter.answer.source[slice(*one.place)]) for one in matter.quotes]
    assert quoted == [("A", "**Dirac**"), ("B", "infinite ones")]
    first, second = (whole(side) for side in matter.sides)
    assert "confidence 4, sure" in first
    assert "Dirac does *it*." in first
    assert "> infinite ones" in second
    assert "Not marked in the answer: its words are not in the text." in second
    assert MODEL not in first + second
    assert seen(workspace, key) == {Exposure.OTHER_VERDICTS}


def test_the_list_tells_who_says_what_and_is_recorded_as_shown(workspace: Workspace) -> None:
    (key,) = dispute(workspace)
    listed = read_list(workspace, EVE, ConflictBy.VERDICT, VerdictSubset())
    (one,) = listed.conflicts
    assert (told(one), standing(one)) == ("ada: correct 6/7, bob: incorrect 2/7", "open")
    assert counts(listed.conflicts) == "1 conflict, 0 settled"
    assert seen(workspace, key) == {Exposure.OTHER_VERDICTS}
    adjudications.settle(workspace, EVE, key, VerdictForm(label=Label.CORRECT_BORDERLINE), one.names)
    (one,) = read_list(workspace, EVE, ConflictBy.VERDICT, VerdictSubset()).conflicts
    assert standing(one) == "settled by eve: correct borderline"
    decisions.record(workspace, BOB, key, replace(WRONG, score_0_7=1), based_on=1)
    (one,) = read_list(workspace, EVE, ConflictBy.VERDICT, VerdictSubset()).conflicts
    assert standing(one) == "settled by eve: correct borderline, but the verdicts have changed since"
    assert counts((one,)) == "1 conflict, 0 settled, 1 changed since"


def test_two_of_the_same_name_are_told_apart_by_the_end_of_their_ids(workspace: Workspace) -> None:
    (key,) = dispute(workspace)
    decisions.record(workspace, replace(BOB, handle="ada"), key, WRONG, based_on=1)
    conflict = conflicts.of_candidate(workspace, candidates.get(workspace, key).question_id, key)
    names = ["ada …0000000a", "ada …0000000b"]
    assert told(conflict) == f"{names[0]}: correct 6/7, {names[1]}: incorrect 2/7"
    assert [side.name for side in read(workspace, EVE, key).sides] == names


def test_what_is_judged_blind_is_neither_listed_nor_read_and_nothing_is_recorded_as_shown(workspace: Workspace) -> None:
    (key,) = dispute(workspace)
    question_id = candidates.get(workspace, key).question_id
    queue(workspace, {EVE: [replace(one, question_id=question_id) for one in plain([key])]})
    listed = read_list(workspace, EVE, ConflictBy.VERDICT, VerdictSubset())
    assert (listed.conflicts, listed.left_out.questions) == ((), 1)
    with pytest.raises(BlindError):
        read(workspace, EVE, key)
    assert seen(workspace, key) == set()
    blindness.reveal(workspace, EVE.id, question_id)
    assert read(workspace, EVE, key).sides


async def test_settling_freezes_what_was_seen_and_goes_on_to_the_next_conflict(workspace: Workspace) -> None:
    state, keys = await settling(workspace, 3)
    assert state.progress == "1 of 3"
    state.editor.edit(saying(Label.INCORRECT))
    await state.took(await state.editor.save(keys[0]))
    assert state.progress == "2 of 3"
    stored = adjudications.latest(workspace, EVE.id, keys[0])
    assert stored is not None
    assert not stored.blind
    assert [one["what"] for one in stored.record["exposures"]] == ["other_verdicts"]
    assert set(stored.record["settles"]) == set(state_names(workspace, keys[0]))
    await state.go(1)
    state.editor.edit(saying(Label.CORRECT))
    await state.took(await state.editor.save(keys[2]))
    assert state.progress == "2 of 3"
    await state.go(-1)
    assert state.matter is not None
    assert state.matter.conflict.state is ConflictState.SETTLED


def state_names(ws: Workspace, key: str) -> tuple[str, ...]:
    return conflicts.of_candidate(ws, candidates.get(ws, key).question_id, key).names


async def test_a_form_begun_from_a_verdict_has_its_words_and_quotes_and_is_a_draft_of_its_own(
    workspace: Workspace,
) -> None:
    state, (key,) = await settling(workspace)
    assert state.matter is not None
    assert not await state.begin_from(state.matter.sides[1])
    assert (state.editor.form.label, state.editor.form.errors) == (Label.INCORRECT, state.matter.sides[1].form.errors)
    await state.editor.save_draft()
    assert drafts.get(workspace, EVE.id, key) is None
    kept = drafts.get(workspace, EVE.id, key, role=VerdictRole.ADJUDICATION)
    assert kept is not None
    assert kept.form.rationale == WRONG.rationale
    await state.reload()
    assert state.editor.from_draft


async def test_what_was_written_before_a_form_is_begun_from_a_verdict_stays_as_a_copy(workspace: Workspace) -> None:
    state, (key,) = await settling(workspace)
    assert state.matter is not None
    state.editor.edit(lambda form: replace(form, rationale="An hour's work."))
    assert await state.begin_from(state.matter.sides[1])
    assert not await state.begin_from(state.matter.sides[0])  # what it says is on disk, as somebody's verdict
    assert [one.form.rationale for one in drafts.copies(workspace, EVE.id, key)] == ["An hour's work."]


async def test_undo_takes_back_what_was_settled_here_and_goes_there(workspace: Workspace) -> None:
    state, keys = await settling(workspace, 2)
    assert await state.undo() is None
    state.editor.edit(saying(Label.INCORRECT))
    await state.took(await state.editor.save(keys[0]))
    assert state.undoable
    decision = await state.undo()
    assert decision is not None
    assert decision.verdict.status is VerdictStatus.RETRACTED
    assert (state.progress, state.editor.form.label, state.undoable) == ("1 of 2", Label.INCORRECT, False)


async def test_retracting_by_the_form_opens_the_conflict_again(workspace: Workspace) -> None:
    state, (key,) = await settling(workspace)
    state.editor.edit(saying(Label.INCORRECT))
    await state.took(await state.editor.save(key))
    assert state.editor.standing is not None
    await state.took(await state.editor.retract(key))
    assert state.matter is not None
    assert state.matter.conflict.state is ConflictState.OPEN


async def test_verdicts_that_move_meanwhile_are_read_anew_and_what_was_entered_stays(workspace: Workspace) -> None:
    state, (key,) = await settling(workspace)
    state.editor.edit(saying(Label.INCORRECT))
    decisions.record(workspace, BOB, key, replace(WRONG, score_0_7=1), based_on=1)
    for _ in range(2):
        with pytest.raises(VerdictMovedError, match="one of the verdicts was revised"):
            await state.editor.save(key)
    await state.reload()
    assert state.editor.form.label is Label.INCORRECT
    await state.took(await state.editor.save(key))
    decisions.record(workspace, BOB, key, RIGHT, based_on=2)
    with pytest.raises(NotFoundError, match="No verdicts of two people disagree"):
        await state.reload()


async def test_a_conflict_that_is_none_any_more_is_told_and_passed(workspace: Workspace) -> None:
    state, keys = await settling(workspace, 3)
    decisions.record(workspace, BOB, keys[1], RIGHT, based_on=1)
    with pytest.raises(NotFoundError):
        await state.go(1)
    assert state.progress == "1 of 2"
    await state.go(1)
    assert state.matter is not None
    assert state.matter.candidate.id == keys[2]


async def test_quotes_are_gone_through_in_the_order_of_their_places_round_the_end(workspace: Workspace) -> None:
    state, _ = await settling(workspace)
    found = [state.quote(by) for by in (1, 1, 1, -1, -1)]
    assert [one.side.letter for one in found if one is not None] == ["A", "B", "A", "B", "A"]


async def test_an_answer_whose_text_is_not_here_is_read_and_can_not_be_settled(
    workspace: Workspace, tmp_path: Path
) -> None:
    file = tmp_path / "verdicts.jsonl"
    file.write_text("".join(f"{sealed(one)}\n" for one in far_off()[:2]), encoding="utf-8")
    import_file(workspace, file)
    state, (key,) = await settling(workspace)
    state.editor.edit(saying(Label.INCORRECT))
    await state.took(await state.editor.save(key))
    assert state.progress == "1 of 2"
    await state.go(1)
    matter = state.matter
    assert matter is not None
    assert (matter.conflict.readable, matter.quotes, state.editor.candidate) == (False, (), None)
    assert "Not marked" not in "".join(whole(side) for side in matter.sides)
    await state.go(1)
    assert state.editor.candidate is not None
