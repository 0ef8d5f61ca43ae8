"""Two apps on one workspace, each with its own worker: no run is run twice."""

from pathlib import Path

import pytest

from store import candidates
from store.workspace import Workspace
from tests.engine.process.fakes import until
from tests.engine.process.kills import asked
from tests.engine.process.lab import QUESTION, App, Server
from uq_tui.engine.protocol import CallFinished, EngineProblem, RunStarted
from uq_tui.engine.requests import ValidateRequest
from uq_tui.words import RunState

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_run_that_one_app_runs_is_left_alone_by_the_other(
    app: App, ws: Workspace, server: Server, folder: Path
) -> None:
    other = App(ws.path, folder / "other.log")
    await other.client.start()
    ids = tuple(one.id for one in candidates.of_question(ws, QUESTION))
    server.answers = 5
    run_id = await app.run_id(app.client.start_run(ValidateRequest(ids, server.model, "3-iter-sampling")))
    await until(lambda: len(app.seen(CallFinished)) == 5 and server.stalled() > 0, seconds=90.0)

    other.client.resume_interrupted()
    for claim in (other.client.resume, other.client.cancel, other.client.resume):
        claim(run_id)
    await until(lambda: len(other.seen(EngineProblem)) == 3)
    server.answers = None
    server.http.release()
    run = await app.ended(ws, run_id)

    assert all("Another uq-tui works on run" in problem.message for problem in other.seen(EngineProblem))
    assert other.seen(RunStarted) == []
    assert (run.state, run.repeated) == (RunState.DONE, 0)
    assert run.asked == len(server.requests)
    assert max(asked(server.requests).values()) == 1
    await other.client.close()
