"""Utility on the screen: how it is measured, the ranking, and rollouts beside what they came from."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from store import candidates, exposures, judgements, neighbours, questions, runs
from store.rows import NewCandidate, Origin, QuestionFilter
from tests.found_runs import judged_by
from tests.measured_runs import measured_by
from tests.screens.conftest import Host, bench, engine_of, first_question, ids, opened
from tests.screens.waiting import screen_text, shown, wait_until
from uq_tui.engine.protocol import RunFinished, RunStarted, UtilityUpdated
from uq_tui.engine.requests import CbuRequest
from uq_tui.screens.neighbours import NeighboursScreen
from uq_tui.screens.utility import UtilityScreen
from uq_tui.screens.workbench import WorkbenchScreen
from uq_tui.state.desk import Desk
from uq_tui.widgets.title_bar import TitleBar
from uq_tui.words import AuthorKind, Exposure, NeighbourUse, RunKind, RunState, TextFormat

SIZE = (120, 40)


def host(desk: Desk, chosen: str = "") -> Host:
    question_id = first_question(desk.workspace)
    question, found = questions.get(desk.workspace, question_id), candidates.of_question(desk.workspace, question_id)
    return Host(UtilityScreen(desk, question, found, chosen, TitleBar()))


def measure(desk: Desk, first: Sequence[str] = ("1110c", "1111"), second: Sequence[str] = ("0n0", "0!1")) -> str:
    """Both candidates measured with a control arm; the run's id."""
    arms = dict(zip(ids(desk), (first, second), strict=True))
    return measured_by(desk.workspace, arms, control=["0100", "0000"], question_id=first_question(desk.workspace)).id


async def test_u_and_enter_start_a_plain_run(desk: Desk) -> None:
    app = bench(desk)
    async with app.run_test(size=SIZE) as pilot:
        await opened(pilot)
        await pilot.press("u")
        await shown(pilot, "48 calls to replay/none (3 arms, 2 neighbours).", "all 2", "only c1", "⏎ Start")
        await pilot.press("escape", "u", "enter")
        await wait_until(pilot, lambda: bool(engine_of(desk).requests))
        assert engine_of(desk).requests == [CbuRequest(first_question(desk.workspace), desk.model)]


async def test_what_is_entered_is_asked_for_and_what_is_wrong_is_said(desk: Desk) -> None:
    app = bench(desk)
    async with app.run_test(size=(80, 24)) as pilot:
        await shown(pilot, "c1")
        await pilot.press("u")
        await shown(pilot, "48 calls to replay/none")
        await pilot.press("x", "enter")
        await shown(pilot, "Rollouts are a number from 1 to 1,000.")
        await pilot.press("backspace", "1", "6", "tab", "o", "tab", "tab", "tab", "e")
        await shown(pilot, "Stopping early compares candidates, and only one is measured.", "Epsilon")
        await pilot.press("t", "tab", "f", "enter")
        await wait_until(pilot, lambda: bool(engine_of(desk).requests))
        question_id, (first, _) = first_question(desk.workspace), ids(desk)
        assert engine_of(desk).requests == [
            CbuRequest(question_id, desk.model, candidate_ids=(first,), rollouts=16, fenced=True)
        ]
        await pilot.press("u")
        await shown(pilot, "96 calls to replay/none (3 arms, 2 neighbours).")
        await pilot.press("6", "4", "escape", "u", "enter")  # what was not started is not kept
        await wait_until(pilot, lambda: len(engine_of(desk).requests) == 2)
        assert engine_of(desk).requests[1] == CbuRequest(question_id, desk.model, rollouts=16, fenced=True)


async def test_without_a_candidate_there_is_nothing_to_measure(desk: Desk) -> None:
    (other,) = questions.page(desk.workspace, QuestionFilter(text="bold")).rows
    app = Host(WorkbenchScreen(desk, other.id))
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await shown(pilot, "Second body.")
        await pilot.press("u")
        await shown(pilot, "Nothing to measure yet")


async def test_without_neighbours_in_use_it_says_what_to_do(desk: Desk) -> None:
    question_id = first_question(desk.workspace)
    for one in neighbours.of_question(desk.workspace, question_id):
        neighbours.set_use(desk.workspace, question_id, one.id, NeighbourUse.SET_ASIDE)
    app = bench(desk)
    async with app.run_test(size=SIZE) as pilot:
        await opened(pilot)
        await shown(pilot, "2 neighbours, none in use.")
        await pilot.press("u")
        await shown(pilot, "This question has 2 neighbours, none in use.", "n opens the neighbours")
        await pilot.press("n")
        await wait_until(pilot, lambda: isinstance(app.screen, NeighboursScreen))
        neighbours.set_use(
            desk.workspace, question_id, neighbours.of_question(desk.workspace, question_id)[1].id, NeighbourUse.IN_USE
        )
        await pilot.press("escape")
        await shown(pilot, "1 neighbour held; u measures.")
        assert engine_of(desk).requests == []


async def test_candidates_are_ranked_and_every_rollout_stands_beside_the_answer(desk: Desk) -> None:
    measure(desk)
    app = host(desk)
    async with app.run_test(size=SIZE) as pilot:
        await shown(pilot, "1   c1", ".88 [", "2   c2", "control", "N1  3/4 solved, 1 undecided", "? cut off 1")
        await shown(pilot, "N1 rollout 1  ✓ solved, read exactly   answer 2   expected 4", "on N1.", "It is even.")
        await pilot.press("enter", *["down"] * 3)
        await shown(pilot, "N1 rollout 4  ✗ not solved", "Reply 4 of")
        await pilot.press("o")
        await shown(pilot, "Rollouts  c1  only unsolved")
        assert "solved 3" not in screen_text(pilot)
        await pilot.press("left", "down", "o")
        await shown(pilot, "Rollouts  c2  only undecided", "! failed 1")
        rows = [exposures.of_candidate(desk.workspace, desk.reviewer.id, key) for key in ids(desk)]
        assert [{row.what for row in found} for found in rows] == [{Exposure.UTILITY}, {Exposure.UTILITY}]
        assert app.errors == []


async def test_what_marks_a_utility_is_said_in_words(desk: Desk) -> None:
    run_id = measure(desk)
    one, *_ = judgements.utilities_of_run(desk.workspace, run_id)
    equal = [replace(value, distinct=1) for value in one.neighbours]
    judgements.save_utilities(desk.workspace, [replace(one, neighbours=tuple(equal))])
    app = host(desk)
    async with app.run_test(size=SIZE) as pilot:
        await shown(pilot, "≈ not independent: equal replies are one draw, the interval is too narrow")


async def test_the_control_stands_beside_the_treatment_then_the_neighbour(desk: Desk) -> None:
    measure(desk)
    app = host(desk)
    async with app.run_test(size=SIZE) as pilot:
        await shown(pilot, "It is even.")
        await pilot.press("enter", "down", "c")
        await shown(pilot, "N1 rollout 2, control: ✓ solved", "Reply 2 of control on N1.")
        await pilot.press("c")
        await shown(pilot, "Neighbour N1", "2+2?")
        await pilot.press("c")
        await shown(pilot, "Answer  c1", "It is even.")


async def test_the_control_arm_has_rollouts_of_its_own(desk: Desk) -> None:
    measure(desk)
    app = host(desk, ids(desk)[1])
    async with app.run_test(size=SIZE) as pilot:
        await shown(pilot, "Rollouts  c2  all")
        await pilot.press("end")
        await shown(pilot, "Rollouts  control  all", "N1  1/4 solved", "Reply 1 of control on N1.", "Neighbour N1")


async def test_it_follows_a_run_under_way(desk: Desk) -> None:
    question_id = first_question(desk.workspace)
    app = host(desk)
    async with app.run_test(size=SIZE) as pilot:
        await shown(pilot, "Nothing is measured yet.", "Not measured. u on the workbench")
        first, second = ids(desk)
        arms = {first: ["1", "1"], second: ["0", "0"]}
        run = measured_by(desk.workspace, arms, question_id=question_id, complete=False)
        engine_of(desk).tell(RunStarted("t", run.id, RunKind.CBU, "x"), UtilityUpdated(run.id, first, 1.0, False))
        await shown(pilot, "◌ measuring", "live: holds at every look", "N1  1/1 solved")
        runs.set_state(desk.workspace, run.id, RunState.DONE)
        engine_of(desk).tell(RunFinished(run.id, RunState.DONE, ""))
        await wait_until(pilot, lambda: "measuring" not in screen_text(pilot))


async def test_what_others_gave_stands_beside_utilities_and_is_recorded(desk: Desk) -> None:
    measure(desk)
    first, second = ids(desk)
    judged_by(desk.workspace, first, [8, 9])
    judged_by(desk.workspace, second, [2, "no line"])
    app = host(desk, first)
    async with app.run_test(size=(160, 40)) as pilot:
        await shown(pilot, "scale_10", "8.50 (2)", "2.00 (1 of 2)", "scale_10 openai/o3 8.50 (2)")
        rows = exposures.of_candidate(desk.workspace, desk.reviewer.id, first)
        assert {(row.what, row.where) for row in rows} == {
            (Exposure.UTILITY, "utility"),
            (Exposure.SCORES, "utility"),
        }


async def test_the_reference_is_marked_and_not_judged(desk: Desk) -> None:
    by = Origin(AuthorKind.PERSON, person="Ada", source="test")
    question_id = first_question(desk.workspace)
    new = NewCandidate(question_id, "The expert's proof.", TextFormat.MARKDOWN, by, reference=True)
    candidates.add(desk.workspace, [new])
    app = bench(desk)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await opened(pilot)
        await pilot.press("enter")
        await shown(pilot, "Your verdict on c1")
        await pilot.press("escape", "left", "end")
        await shown(pilot, "Answer  c3  ◆ reference  Ada", "The expert's proof.")
        await pilot.press("enter")
        await shown(pilot, "c3 is the reference", "right by definition.")
        assert "Your verdict" not in screen_text(pilot)
        await pilot.press("U")
        await shown(pilot, "c3 ◆")


@pytest.mark.parametrize("size", [(80, 24), SIZE])
async def test_arrows_go_round_the_panes(desk: Desk, size: tuple[int, int]) -> None:
    measure(desk)
    app = host(desk)
    async with app.run_test(size=size) as pilot:
        await shown(pilot, "Rollouts  c1  all")
        seen = []
        for _ in range(4):
            await pilot.press("right")
            seen.append(app.screen.focused.id if app.screen.focused is not None else None)
        assert seen == ["rollouts", "rollout", "beside", "ranking"]


async def test_on_a_narrow_terminal_enter_turns_to_the_text_and_escape_back(desk: Desk) -> None:
    measure(desk)
    app = bench(desk)
    async with app.run_test(size=(80, 24)) as pilot:
        await shown(pilot, "c1")
        await pilot.press("U")
        await shown(pilot, "Rollouts  c1  all")
        await pilot.press("enter", "enter")
        await shown(pilot, "N1 rollout 1, with c1", "on N1.")
        await pilot.press("c")
        await shown(pilot, "N1 rollout 1, control")
        await pilot.press("escape")
        await shown(pilot, "Rollouts  c1  all")
        await pilot.press("escape")
        await wait_until(pilot, lambda: not isinstance(app.screen, UtilityScreen))
