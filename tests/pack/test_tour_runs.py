"""The recorded tour as a user meets it: the real runs, with `replay/tour` as the model, end as planned."""

import json
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from store import candidates, judgements
from store.ingest.importer import import_file
from store.ingest.pack import question_ids
from store.run_rows import NeighbourValue, Run, Utility
from store.workspace import Workspace
from uq_tui import paths
from uq_tui.config import Config
from uq_tui.engine.calls.replay import PACE_VARIABLE
from uq_tui.engine.requests import CbuRequest, GenerateRequest, ModelChoice, Request, ValidateRequest
from uq_tui.engine.session import EngineSession
from uq_tui.pack.compute_answers import FOLDER, final_answer
from uq_tui.words import DecidedBy, Label, Outcome, RunState

MODEL = ModelChoice("replay/tour")
ACCEPT, REJECT, UNPARSED, SKIPPED = Outcome.ACCEPT, Outcome.REJECT, Outcome.UNPARSED, Outcome.SKIPPED
STAGES = ("cycle_consistency", "fact_logic", "correctness")

PLANNED = {
    1: (ACCEPT, [(ACCEPT, [ACCEPT] * 3)] * 3),
    2: (REJECT, [(ACCEPT, [ACCEPT] * 3), (REJECT, [ACCEPT, REJECT, SKIPPED]), (SKIPPED, [SKIPPED] * 3)]),
    3: (
        REJECT,
        [(ACCEPT, [ACCEPT] * 3), (UNPARSED, [ACCEPT, UNPARSED, ACCEPT]), (REJECT, [REJECT, SKIPPED, SKIPPED])],
    ),
}
"""By candidate number: the outcome, and that of each stage with its turns."""


@dataclass
class Tour:
    """The pack in a new workspace, and an engine."""

    ws: Workspace
    session: EngineSession
    question_id: str

    async def run(self, request: Request) -> Run:
        return await self.session.wait(await self.session.start("ticket", request))

    async def run_without_failures(self, request: Request) -> Run:
        run = await self.run(request)
        assert (run.state, run.failed) == (RunState.DONE, 0)
        return run

    def ids(self) -> list[str]:
        return [one.id for one in candidates.of_question(self.ws, self.question_id)]

    def outcomes(self, run: Run, candidate_id: str) -> dict[str, Outcome]:
        return {one.path: one.outcome for one in judgements.outcomes_of_run(self.ws, run.id, candidate_id)}

    def utilities(self) -> dict[str, Utility]:
        return {one.candidate_id: one for one in judgements.utilities_of_question(self.ws, self.question_id)}


@pytest.fixture
async def tour(workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Tour]:
    monkeypatch.setenv(paths.HOME_VARIABLE, str(tmp_path / "home"))
    monkeypatch.setenv(PACE_VARIABLE, "0")
    import_file(workspace, FOLDER)
    key = json.loads((FOLDER / "pack.json").read_text(encoding="utf-8"))["tour_question"]
    session = EngineSession(workspace, Config(), lambda event: None, log=tmp_path / "engine.log")
    yield Tour(workspace, session, question_ids(FOLDER)[key])
    await session.close()


def by_path(planned: tuple[Outcome, list[tuple[Outcome, list[Outcome]]]]) -> dict[str, Outcome]:
    whole, stages = planned
    paths = {"": whole}
    for name, (outcome, turns) in zip(STAGES, stages, strict=True):
        paths[name] = outcome
        paths |= {f"{name}/{turn}": one for turn, one in enumerate(turns, 1)}
    return paths


def solved(values: tuple[NeighbourValue, ...]) -> list[tuple[int, int]]:
    return [(one.solved, one.decided) for one in values]


def test_the_first_candidate_is_the_correct_one(tour: Tour) -> None:
    labels = [candidates.known_label(tour.ws, one) for one in tour.ids()]
    assert [label.label if label else None for label in labels] == [Label.CORRECT, Label.INCORRECT, Label.INCORRECT]


async def test_three_iter_shows_an_accept_an_early_stop_and_an_unread_turn(tour: Tour) -> None:
    run = await tour.run_without_failures(ValidateRequest(tuple(tour.ids()), MODEL))
    for number, candidate_id in enumerate(tour.ids(), 1):
        assert tour.outcomes(run, candidate_id) == by_path(PLANNED[number])
    assert run.asked == (4 + 3 + 3) + (4 + 2) + (4 + 4 + 1)


async def test_the_unread_turn_was_asked_twice(tour: Tour) -> None:
    candidate_id = tour.ids()[2]
    run = await tour.run_without_failures(ValidateRequest((candidate_id,), MODEL))
    reasons = {one.path: one.reason for one in judgements.outcomes_of_run(tour.ws, run.id, candidate_id)}
    assert reasons["fact_logic/2"] == "no tagged decision line, asked twice"


async def test_every_planned_vote_can_be_asked(tour: Tour) -> None:
    run = await tour.run_without_failures(ValidateRequest(tuple(tour.ids()), MODEL, exact=True))
    for number, candidate_id in enumerate(tour.ids(), 1):
        found = tour.outcomes(run, candidate_id)
        assert SKIPPED not in found.values()
        assert found[""] == PLANNED[number][0]


@pytest.mark.parametrize("strategy", ["1-iter", "3-iter-sampling"])
async def test_the_other_strategies_find_replies_too(tour: Tour, strategy: str) -> None:
    run = await tour.run_without_failures(ValidateRequest(tuple(tour.ids()), MODEL, strategy=strategy))
    assert [tour.outcomes(run, candidate_id)[""] for candidate_id in tour.ids()] == [ACCEPT, REJECT, REJECT]


async def test_utilities_rank_the_candidates_and_show_lift(tour: Tour) -> None:
    await tour.run_without_failures(CbuRequest(tour.question_id, MODEL))
    found = [tour.utilities()[candidate_id] for candidate_id in tour.ids()]
    assert [solved(one.neighbours) for one in found] == [[(7, 8), (6, 8)], [(3, 8), (0, 8)], [(1, 8), (0, 8)]]
    assert [solved(one.control) for one in found] == [[(2, 8), (0, 8)]] * 3
    assert [one.mean for one in found] == [13 / 16, 3 / 16, 1 / 16]
    assert [one.lift for one in found] == [11 / 16, 1 / 16, -1 / 16]
    assert found[0].lift_low is not None
    assert found[0].lift_low > 0
    assert all(one.complete for one in found)
    assert all(value.replies == value.distinct == 8 for one in found for value in (*one.neighbours, *one.control))


async def test_rollouts_show_every_way_to_decide_a_complete_reply(tour: Tour) -> None:
    run = await tour.run_without_failures(CbuRequest(tour.question_id, MODEL))
    ways = Counter(one.decided_by for one in judgements.rollouts_of_run(tour.ws, run.id))
    assert ways == {DecidedBy.EXACT: 58, DecidedBy.SYMBOLIC: 3, DecidedBy.NO_ANSWER: 3}


async def test_generate_brings_one_more_candidate_which_can_be_judged_and_measured(tour: Tour) -> None:
    await tour.run_without_failures(GenerateRequest((tour.question_id,), MODEL))
    (*_, new) = tour.ids()
    assert len(tour.ids()) == 4
    assert final_answer(candidates.get(tour.ws, new).answer.raw) == "9153"
    run = await tour.run_without_failures(ValidateRequest((new,), MODEL))
    assert tour.outcomes(run, new) == by_path(PLANNED[1])
    await tour.run_without_failures(CbuRequest(tour.question_id, MODEL))
    assert solved(tour.utilities()[new].neighbours) == [(7, 8), (5, 8)]


async def test_what_is_not_recorded_fails_and_says_so(tour: Tour) -> None:
    other = question_ids(FOLDER)["sublattices"]
    (first, *_) = [one.id for one in candidates.of_question(tour.ws, other)]
    run = await tour.run(ValidateRequest((first,), MODEL))
    outcomes = judgements.outcomes_of_run(tour.ws, run.id, first)
    assert {one.outcome for one in outcomes if one.path == ""} == {Outcome.FAILED}
    assert any("replay/tour has no reply for this" in one.reason for one in outcomes)
