"""Workers killed again and again at points drawn by chance: no committed call is ever asked again."""

import os
import random
import signal
from pathlib import Path

import pytest

from store import candidates
from store.workspace import Workspace
from tests.engine.process.fakes import until
from tests.engine.process.lab import QUESTION, App, Server
from tests.engine.process.test_death import as_asked, asked, done_calls, outcomes
from uq_tui.engine.protocol import ValidateRequest, WorkerLost
from uq_tui.words import RunState

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.long]

SEED = 20261129
KILLS = 4
ANSWERS_OF_A_RUN = 18


async def test_kills_at_random_points_cost_only_the_calls_in_flight(
    ws: Workspace, server: Server, folder: Path
) -> None:
    chance = random.Random(SEED)
    ids = tuple(one.id for one in candidates.of_question(ws, QUESTION))
    found = []
    for number in range(KILLS):
        app = App(ws.path, folder / f"kill-{number}.log")
        await app.client.start()
        first = len(server.requests)
        server.answers = chance.randrange(ANSWERS_OF_A_RUN)
        run_id = await app.run_id(
            app.client.start_run(ValidateRequest(ids, server.model, "3-iter-sampling", fresh=True))
        )
        await until(lambda: server.stalled() > 0, seconds=90.0)
        assert app.client.pid is not None
        os.kill(app.client.pid, signal.SIGKILL)
        await app.event(WorkerLost)
        committed = done_calls(ws, run_id)

        server.answers = None
        app.events.clear()
        await app.client.restart()
        run = await app.ended(ws, run_id)

        times = asked(server.requests[first:])
        assert run.state is RunState.DONE
        assert {times[as_asked(call)] for call in committed} <= {1}
        assert sum(times.values()) - len(times) <= run.repeated
        found.append({(path, outcome) for _, path, outcome, _, _ in outcomes(ws, run_id)})
        await app.client.close()
    assert all(one == found[0] for one in found)
