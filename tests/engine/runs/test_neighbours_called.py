"""A neighbours run over HTTP: two solvers of different minds, and a stop in the middle of their answers."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import pytest_asyncio

from store import neighbours, proposals
from store.workspace import Workspace
from tests.engine.process.fakes import until
from tests.engine.process.lab import stored_calls
from tests.engine.runs.proposed import ANSWERS, STATEMENTS, reply
from tests.engine.runs.scripted import QUESTION, add_question
from tests.fakes.gateway_threads import in_threads
from tests.fakes.openai_server import FakeServer, Rule, SeenRequest
from uq_tui import paths
from uq_tui.config import Config
from uq_tui.engine.requests import ModelChoice, NeighboursRequest
from uq_tui.engine.session import EngineSession
from uq_tui.words import ProposalState, RunState


@dataclass
class Models:
    """Proposes and solves; the second solver has another answer to the last problem."""

    answers: int | None = None
    """How many requests are still answered; later replies begin and never end. `None` is all."""

    def __call__(self, request: SeenRequest) -> Rule:
        rule = self._answer(request)
        if self.answers is None:
            return rule
        self.answers -= 1
        return rule if self.answers >= 0 else replace(rule, stall_after=1)

    def _answer(self, request: SeenRequest) -> Rule:
        text = request.user_texts[0]
        if "You write practice problems." in text:
            return Rule(reply=reply())
        problem = next(number for number, statement in enumerate(STATEMENTS) if statement in text)
        disagrees = problem == 4 and "second" in str(request.body["model"])
        return Rule(reply=f"It is \\boxed{{{'9999' if disagrees else ANSWERS[problem]}}}.", reasoning="Let me see.")


@pytest.fixture
def models() -> Models:
    return Models()


@pytest.fixture
def server(models: Models) -> Iterator[FakeServer]:
    with FakeServer(models) as made:
        yield made


@pytest_asyncio.fixture
async def session(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[EngineSession]:
    in_threads(monkeypatch)
    made = engine(workspace)
    yield made
    await made.close()


def engine(ws: Workspace) -> EngineSession:
    """An engine as a process has it."""
    return EngineSession(ws, Config(gateway_processes=1), lambda event: None, log=Path("/logs/engine.log"))


async def test_a_stopped_run_goes_on_and_keeps_what_was_agreed_on(
    workspace: Workspace, session: EngineSession, models: Models, server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(paths.HOME_VARIABLE, str(workspace.path.parent / "home"))
    add_question(workspace)
    author, first, second = (ModelChoice(f"openai/{name}", server.base_url) for name in ("author", "first", "second"))
    models.answers = 13
    run_id = await session.start("t", NeighboursRequest(QUESTION, author, (first, second), samples=2))
    await until(lambda: len(stored_calls(workspace, run_id)) == 13 and len(server.requests) == 21)
    await session.close()
    models.answers = None

    later = engine(workspace)
    try:
        await later.resume(run_id)
        run = await later.wait(run_id)
    finally:
        await later.close()

    assert (run.state, run.done, run.total) == (RunState.DONE, 5, 5)
    assert run.message.startswith("5 proposals tried.")
    assert len(server.requests) == 21 + 8
    found = proposals.of_run(workspace, run_id)
    assert [one.state for one in found] == [*[ProposalState.AGREED] * 4, ProposalState.DISAGREED]
    assert found[4].reason == "openai/first says 2310 (2 of 2); openai/second says 9999 (2 of 2)"
    assert {one.answer for one in neighbours.in_use(workspace, QUESTION)} == set(ANSWERS[:4])
