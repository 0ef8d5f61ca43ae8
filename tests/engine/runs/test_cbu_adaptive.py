"""Utility runs that stop early: which arms each round asks, when the run ends, and resuming it."""

import asyncio
import hashlib
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from store import judgements, runs
from store.run_rows import Rollout, Run, Utility
from store.workspace import Workspace
from tests.engine.runs.scripted import (
    FAILED,
    MODEL,
    QUESTION,
    Said,
    Script,
    Scripted,
    add_candidates,
    add_neighbours,
    add_question,
    conduct,
    start,
)
from tests.new_workspace import new_workspace
from uq_tui.analysis.allocation import Arm, standing
from uq_tui.engine.protocol import UtilityUpdated
from uq_tui.engine.requests import CbuRequest
from uq_tui.engine.spec import Ask
from uq_tui.errors import UqError
from uq_tui.words import DecidedBy, Interval, RunKind

SUMS = {"What is 2 + 2?": "4", "What is 3 + 3?": "6"}
RATES = {"Add the two numbers.": 0.9, "Count on your fingers.": 0.6, "Multiply the two numbers.": 0.05}
"""How often a solver solves a neighbour with each candidate as the example."""
UNAIDED = 0.3
T = 64


def chance(ask: Ask) -> float:
    """A number from 0 to 1 that only the prompt and the sample decide."""
    text = f"{ask.sample} {ask.messages[0].content}"
    return int(hashlib.sha256(text.encode()).hexdigest()[:8], 16) / 2**32


def solver(ask: Ask) -> Said:
    text = ask.messages[0].content
    answer = next(known for statement, known in SUMS.items() if statement in text)
    rate = next((rate for example, rate in RATES.items() if example in text), UNAIDED)
    return Said(f"So \\boxed{{{answer if chance(ask) < rate else 5}}}")


def at_times_silent(ask: Ask) -> Said:
    """The same solver, of whose calls every seventh or so fails, always the same ones."""
    return FAILED if int(chance(ask) * 1_000_000) % 7 == 0 else solver(ask)


@pytest.fixture
def stocked(workspace: Workspace) -> tuple[str, ...]:
    """Ids of a good, a middling and a bad candidate to a question with two neighbours."""
    return stock(workspace)


def stock(ws: Workspace) -> tuple[str, ...]:
    add_question(ws)
    add_neighbours(ws, SUMS)
    return add_candidates(ws, *RATES)


def begin(ws: Workspace, **options: Any) -> Run:
    request = CbuRequest(QUESTION, MODEL, rollouts=T, adaptive=True)
    return start(ws, RunKind.CBU, replace(request, **options))


async def measured(ws: Workspace, script: Script = solver, **options: Any) -> tuple[Scripted, Run]:
    model, run = Scripted(ws, script), begin(ws, **options)
    await conduct(model, run)
    return model, run


def utilities(ws: Workspace, run: Run) -> dict[str, Utility]:
    return {one.candidate_id: one for one in judgements.utilities_of_run(ws, run.id)}


def by_rounds(rows: tuple[Rollout, ...]) -> list[dict[tuple[str, str], Rollout]]:
    """Rollouts by arm and neighbour, for each round."""
    rounds: list[dict[tuple[str, str], Rollout]] = [{} for _ in range(1 + max(row.sample for row in rows))]
    for row in rows:
        rounds[row.sample][row.candidate_id, row.neighbour_id] = row
    return rounds


def open_after(rounds: list[dict[tuple[str, str], Rollout]], candidates: tuple[str, ...]) -> tuple[str, ...]:
    """The candidates that these rounds leave open, by the rule itself."""
    around = sorted({neighbour for _, neighbour in rounds[0]})

    def stratum(key: str, neighbour: str) -> tuple[int, int]:
        values = [done[key, neighbour].value for done in rounds if (key, neighbour) in done]
        decided = [value for value in values if value is not None]
        return sum(decided), len(decided)

    arms = [Arm(key, tuple(stratum(key, neighbour) for neighbour in around)) for key in candidates]
    return standing(arms, epsilon=0.1, delta=0.05).open


async def test_the_run_stops_when_the_best_is_known(workspace: Workspace, stocked: tuple[str, ...]) -> None:
    good, middling, bad = stocked
    model, run = await measured(workspace)

    found = utilities(workspace, run)
    rows = judgements.rollouts_of_run(workspace, run.id)
    asked = Counter(row.candidate_id for row in rows)
    assert max(found, key=lambda key: found[key].mean or 0.0) == good
    assert len(model.asks) == len(rows) < 4 * 2 * T / 2
    assert asked[bad] < asked[middling] <= asked[good] == asked[""]
    assert all((one.complete, one.stopped_early, one.rollouts) == (True, True, T) for one in found.values())
    assert {one.interval for one in found.values()} == {Interval.ANYTIME}


@pytest.mark.parametrize("script", [solver, at_times_silent])
async def test_each_round_asks_what_completed_rounds_left_open(
    workspace: Workspace, stocked: tuple[str, ...], script: Script
) -> None:
    _, run = await measured(workspace, script)

    rounds = by_rounds(judgements.rollouts_of_run(workspace, run.id))
    assert {key for key, _ in rounds[0]} == {*stocked, ""}
    for number in range(1, len(rounds)):
        assert {key for key, _ in rounds[number]} == {*open_after(rounds[:number], stocked), ""}
    assert open_after(rounds, stocked) == ()


async def test_the_total_shrinks_to_what_was_asked(workspace: Workspace, stocked: tuple[str, ...]) -> None:
    model, run = await measured(workspace)

    totals = [total for _, total in model.progress]
    assert run.total == 4 * 2 * T
    assert all(total <= run.total for total in totals)
    assert model.progress[-1] == (len(model.asks), len(model.asks))
    told = [event.complete for event in model.events if isinstance(event, UtilityUpdated)]
    assert told == [False] * (len(told) - 3) + [True] * 3


async def test_candidates_alike_are_asked_to_the_end_and_not_told_apart(workspace: Workspace) -> None:
    add_question(workspace)
    add_neighbours(workspace, SUMS)
    alike = add_candidates(workspace, "One way.", "Another way.")
    model, run = await measured(workspace, rollouts=5, control=False)

    assert model.batches == [4] * 5
    rounds = by_rounds(judgements.rollouts_of_run(workspace, run.id))
    assert open_after(rounds, alike) == alike
    found = utilities(workspace, run)
    assert all((one.complete, one.stopped_early) == (True, False) for one in found.values())
    assert {one.interval for one in found.values()} == {Interval.ANYTIME}


@pytest.mark.parametrize("script", [solver, at_times_silent])
async def test_a_run_killed_anywhere_asks_the_same_as_one_that_was_not(
    workspace: Workspace, stocked: tuple[str, ...], tmp_path: Path, script: Script
) -> None:
    whole, whole_run = await measured(workspace, script)
    wanted = {Scripted.key(ask, 0) for ask in whole.asks}
    for killed_after in (1, 9, 40, len(whole.asks) - 1):
        ws = new_workspace(tmp_path / f"{killed_after}.uq.sqlite")
        try:
            stock(ws)
            run = begin(ws)
            first, second = Scripted(ws, script, die_after=killed_after), Scripted(ws, script)
            with pytest.raises(asyncio.CancelledError):
                await conduct(first, run)
            await conduct(second, runs.get(ws, run.id))
            assert {Scripted.key(ask, 0) for ask in (*first.asks, *second.asks)} == wanted
            failed = sum(script(ask).error is not None for ask in first.asks)
            assert len(first.asks) + len(second.asks) <= len(wanted) + failed
            kept, expected = (judgements.rollouts_of_run(*of) for of in ((ws, run.id), (workspace, whole_run.id)))
            assert [replace(row, run_id="") for row in kept] == [replace(row, run_id="") for row in expected]
        finally:
            ws.close()


async def test_what_had_failed_before_a_kill_changes_no_round_that_was_asked(
    workspace: Workspace, stocked: tuple[str, ...]
) -> None:
    run = begin(workspace)
    with pytest.raises(asyncio.CancelledError):
        await conduct(Scripted(workspace, at_times_silent, die_after=60), run)
    before = by_rounds(judgements.rollouts_of_run(workspace, run.id))
    await conduct(Scripted(workspace, solver), runs.get(workspace, run.id))
    after = by_rounds(judgements.rollouts_of_run(workspace, run.id))

    assert any(row.decided_by is DecidedBy.CALL_FAILED for done in before for row in done.values())
    assert [done.keys() for done in after[: len(before)]] == [done.keys() for done in before]
    assert {key for key, _ in after[len(before)]} == {*open_after(before, stocked), ""}


async def test_failures_of_an_arm_that_is_no_longer_open_are_left(
    workspace: Workspace, stocked: tuple[str, ...]
) -> None:
    good, _, bad = stocked
    run = begin(workspace)

    def failing(ask: Ask) -> Said:
        early, late = ask.sample < 8, ask.sample > 8
        return FAILED if (ask.candidate_id == good and early) or (ask.candidate_id == bad and late) else solver(ask)

    await conduct(Scripted(workspace, failing), run)
    failed = [row for row in judgements.rollouts_of_run(workspace, run.id) if row.value is None]
    again = Scripted(workspace, solver)
    await conduct(again, runs.get(workspace, run.id))

    asked = {(ask.candidate_id, ask.path) for ask in again.asks}
    left = [row for row in judgements.rollouts_of_run(workspace, run.id) if row.value is None]
    assert {row.candidate_id for row in failed} == {good, bad}
    assert {row.candidate_id for row in left} == {bad}
    assert not asked & {(bad, f"{row.neighbour_id}/{row.sample}") for row in left}
    assert all(one.complete for one in utilities(workspace, run).values())
    total = sum(value.decided + value.undecided for value in utilities(workspace, run)[bad].neighbours)
    assert total == len(judgements.rollouts_of_run(workspace, run.id, candidate_ids=[bad]))


def test_what_cannot_be_compared_is_refused(workspace: Workspace, stocked: tuple[str, ...]) -> None:
    with pytest.raises(UqError, match="only one"):
        begin(workspace, candidate_ids=stocked[:1])
    for options in ({"epsilon": 0.0}, {"epsilon": 1.0}, {"delta": 0.0}, {"delta": 1.5}):
        with pytest.raises(UqError, match="can't be compared"):
            begin(workspace, **options)
