"""The ladder on the workbench: stages as they run, and the replies behind them."""

from store import calls, judgements
from store.run_rows import StageOutcome
from tests.judged_runs import THREE_ITER, begun_run, judged_run, three_iter
from tests.kept_calls import stored_call
from tests.screens.conftest import SIZE, bench, engine_of, ids, opened
from tests.screens.waiting import screen_text, wait_until
from uq_tui.engine.protocol import (
    CallFinished,
    CallStarted,
    EventsLost,
    OutcomeDecided,
    RunStarted,
    StageStarted,
    TextDelta,
)
from uq_tui.engine.requests import ModelChoice, ValidateRequest
from uq_tui.state.desk import Desk
from uq_tui.state.strategy.choice import StrategyChoice
from uq_tui.words import CallState, Outcome, RunKind


async def test_stages_fill_as_events_come_and_the_watched_text_streams(desk: Desk) -> None:
    host = bench(desk)
    async with host.run_test(size=SIZE) as pilot:
        await opened(pilot)
        chosen, engine = ids(desk)[0], engine_of(desk)
        engine.tell(RunStarted("t", "r", RunKind.VALIDATE, "3-iter"))
        engine.tell(StageStarted("r", chosen, "fact_logic"))
        engine.tell(CallStarted("r", "k", chosen, "fact_logic/1", "m"))
        await wait_until(pilot, lambda: engine.watched == ["k"])
        engine.tell(TextDelta("k", "I wonder", 0, "Step one", 0))
        await wait_until(pilot, lambda: "Step one" in screen_text(pilot))
        engine.tell(TextDelta("k", "", 8, " holds.", 8))
        await wait_until(pilot, lambda: "Step one holds." in screen_text(pilot))
        engine.tell(OutcomeDecided("r", chosen, "fact_logic/1", Outcome.UNPARSED, "no decision line", "k"))
        engine.tell(OutcomeDecided("r", chosen, "fact_logic/2", Outcome.SKIPPED, "", ""))
        await wait_until(pilot, lambda: "? unparsed" in screen_text(pilot) and "· skipped" in screen_text(pilot))
        assert "no decision line" in screen_text(pilot)


async def test_stages_of_the_embedded_model_are_said_to_mean_nothing(desk: Desk) -> None:
    host = bench(desk)
    async with host.run_test(size=SIZE) as pilot:
        await opened(pilot)
        chosen = ids(desk)[0]
        engine_of(desk).tell(CallStarted("r", "k", chosen, "fact_logic/1", "local/smollm2-135m"))
        await wait_until(pilot, lambda: "Stages (mean nothing)  v: 3-Iter by" in screen_text(pilot))
        engine_of(desk).tell(CallStarted("s", "l", chosen, "fact_logic/1", "openai/[big]"))
        await wait_until(pilot, lambda: "by openai/[big]" in screen_text(pilot))
        assert "mean nothing" not in screen_text(pilot)


async def test_a_gap_in_the_text_is_asked_for_again(desk: Desk) -> None:
    host = bench(desk)
    async with host.run_test(size=SIZE) as pilot:
        await opened(pilot)
        chosen, engine = ids(desk)[0], engine_of(desk)
        engine.tell(CallStarted("r", "k", chosen, "fact_logic/1", "m"))
        await wait_until(pilot, lambda: engine.watched == ["k"])
        engine.tell(TextDelta("k", "", 0, "later", 500))
        await wait_until(pilot, lambda: engine.watched == ["k", "k"])
        engine.tell(TextDelta("k", "", 0, "The whole text.", 0))
        await wait_until(pilot, lambda: "The whole text." in screen_text(pilot))


async def test_what_ended_while_events_were_lost_is_read_from_the_store(desk: Desk) -> None:
    ws = desk.workspace
    run = begun_run(ws, "fact_logic r2 unanimous")
    host = bench(desk)
    async with host.run_test(size=SIZE) as pilot:
        await opened(pilot)
        chosen, engine = ids(desk)[0], engine_of(desk)
        engine.tell(CallStarted(run.id, "k", chosen, "fact_logic/1", "m"))
        await wait_until(pilot, lambda: engine.watched == ["k"])
        engine.tell(TextDelta("k", "", 0, "Step one", 0))
        await wait_until(pilot, lambda: "Step one" in screen_text(pilot))
        calls.save(ws, [stored_call("k", run.id, "Step one holds. So does step two.")])
        rows = [(path, Outcome.ACCEPT) for path in ("fact_logic/1", "fact_logic", "")]
        judgements.save_outcomes(
            ws, [StageOutcome(run.id, chosen, path, outcome, "", "k", 0, "") for path, outcome in rows]
        )
        engine.tell(EventsLost())
        await wait_until(pilot, lambda: "So does step two." in screen_text(pilot))
        await wait_until(pilot, lambda: screen_text(pilot).count("✓ accept") == 4)


async def test_a_finished_call_is_read_from_the_store(desk: Desk) -> None:
    run = begun_run(desk.workspace, "correctness x2 majority")
    host = bench(desk)
    async with host.run_test(size=SIZE) as pilot:
        await opened(pilot)
        chosen, engine = ids(desk)[0], engine_of(desk)
        engine.tell(CallStarted(run.id, "k", chosen, "correctness/1", "m"))
        await wait_until(pilot, lambda: engine.watched == ["k"])
        calls.save(desk.workspace, [stored_call("k", run.id, "The stored reply.")])
        engine.tell(CallFinished(run.id, "k", chosen, "correctness/1", CallState.DONE, None, "", False))
        await wait_until(pilot, lambda: "The stored reply." in screen_text(pilot))
        assert engine.watched == []


async def test_the_whole_tree_stands_as_soon_as_its_run_begins(desk: Desk) -> None:
    run = begun_run(desk.workspace, THREE_ITER)
    host = bench(desk)
    async with host.run_test(size=SIZE) as pilot:
        await opened(pilot)
        engine, chosen = engine_of(desk), ids(desk)[0]
        engine.tell(RunStarted("t", run.id, RunKind.VALIDATE, "3-iter"), StageStarted(run.id, chosen, ""))
        await wait_until(pilot, lambda: screen_text(pilot).count("waiting") == 3)
        engine.tell(StageStarted(run.id, chosen, "cycle_consistency"))
        await wait_until(pilot, lambda: screen_text(pilot).count("waiting") == 5)
        engine.tell(
            CallFinished(run.id, "k", chosen, "cycle_consistency/1", CallState.DONE, None, "", False, 9, 1, 0.5)
        )
        await wait_until(pilot, lambda: "1 call, 10 tokens, $0.50" in screen_text(pilot))


async def test_a_judged_candidate_is_read_rung_by_rung_call_by_call(desk: Desk) -> None:
    judged_run(desk.workspace, ids(desk)[0], THREE_ITER, three_iter("ars"), reasons={"": "fact_logic rejected"})
    host = bench(desk)
    async with host.run_test(size=SIZE) as pilot:
        await opened(pilot)
        await wait_until(pilot, lambda: "fact_logic rejected" in screen_text(pilot))
        assert "6 calls, 7,224 tokens, $0.0186" in screen_text(pilot)
        await pilot.press("right", "right", "down", "down", "down")
        await wait_until(pilot, lambda: "Reply at cycle_consistency/1." in screen_text(pilot))
        await pilot.press("[")
        await wait_until(pilot, lambda: "Inferred at cycle_consistency/1." in screen_text(pilot))
        assert "Reply 1 of 2 [ ]: inferred question" in screen_text(pilot)
        await pilot.press("p")
        await wait_until(pilot, lambda: "Judge *this* ```answer```." in screen_text(pilot))
        await pilot.press("p", "]")
        await wait_until(pilot, lambda: "Reply at cycle_consistency/1." in screen_text(pilot))
        await pilot.press("enter")
        assert host.screen.focused is host.screen.query_one("#reply")


async def test_v_judges_by_the_strategy_that_is_chosen_and_the_title_names_it(desk: Desk) -> None:
    desk.strategy = StrategyChoice("correctness @[1, 2] majority", "Pair [x]", more_models=(ModelChoice("b/two"),))
    host = bench(desk)
    async with host.run_test(size=SIZE) as pilot:
        await opened(pilot)
        assert "Stages  v: Pair [x]" in screen_text(pilot)
        await pilot.press("v")
        await wait_until(pilot, lambda: bool(engine_of(desk).requests))
        assert engine_of(desk).requests == [
            ValidateRequest(
                (ids(desk)[0],), desk.model, "correctness @[1, 2] majority", more_models=(ModelChoice("b/two"),)
            )
        ]


async def test_comparing_needs_a_candidate_that_was_judged(desk: Desk) -> None:
    host = bench(desk)
    async with host.run_test(size=SIZE) as pilot:
        await opened(pilot)
        before = host.screen
        await pilot.press("l")
        await wait_until(pilot, lambda: "Not judged yet" in screen_text(pilot))
        assert host.screen is before


async def test_what_came_while_another_screen_stood_in_front_is_there_on_return(desk: Desk) -> None:
    chosen = ids(desk)[0]
    judged_run(desk.workspace, chosen, THREE_ITER, three_iter("aaa"))
    host = bench(desk)
    async with host.run_test(size=SIZE) as pilot:
        await opened(pilot)
        run = begun_run(desk.workspace, "correctness", title="Another")
        engine_of(desk).tell(CallStarted(run.id, "k", chosen, "correctness", "m"))
        await wait_until(pilot, lambda: engine_of(desk).watched == ["k"])
        await pilot.press("l")
        await wait_until(pilot, lambda: "side by side" in screen_text(pilot))
        engine_of(desk).tell(TextDelta("k", "", 0, "Written meanwhile.", 0))
        engine_of(desk).tell(OutcomeDecided(run.id, chosen, "", Outcome.UNPARSED, "no decision line", "k"))
        await pilot.press("escape")
        await wait_until(pilot, lambda: "Another" in screen_text(pilot) and "no decision line" in screen_text(pilot))
