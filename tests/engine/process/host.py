"""The app's side of the engine in a process of its own, so that a test can kill it.

`python -m tests.engine.process.host WORKSPACE LOG` starts a worker, goes on with what was cut short, and replaces the
worker whenever it ends. Requests come in on standard input as the protocol's lines; what happens goes out on standard
output as JSON lines. It ends when its input does.
"""

import asyncio
import json
import sys
from pathlib import Path

from uq_tui.engine.client import EngineClient
from uq_tui.engine.protocol import EngineProblem, Event, RunFinished, RunStarted, WorkerLost, decode
from uq_tui.engine.requests import CbuRequest, ValidateRequest


def say(what: str, about: str = "") -> None:
    """Tell the test."""
    sys.stdout.write(json.dumps([what, about]) + "\n")
    sys.stdout.flush()


class Host:
    """Does what the app does with its engine, without a screen."""

    def __init__(self, workspace: Path, log: Path) -> None:
        self._client = EngineClient(workspace, log)
        self._client.subscribe(self._receive)
        self._replacing: asyncio.Task[None] | None = None

    async def serve(self) -> None:
        await self._client.start()
        say("worker", str(self._client.pid))
        self._client.resume_interrupted()
        while line := await asyncio.to_thread(sys.stdin.buffer.readline):
            request = decode(line)
            if isinstance(request, ValidateRequest | CbuRequest):
                self._client.start_run(request)
        await self._client.close()

    def _receive(self, event: Event) -> None:
        match event:
            case RunStarted():
                say("started", event.run_id)
            case RunFinished():
                say("finished", event.run_id)
            case EngineProblem():
                say("problem", f"{event.message} {event.hint}")
            case WorkerLost():
                self._replacing = asyncio.create_task(self._replace())

    async def _replace(self) -> None:
        await self._client.restart(by_hand=True)  # the user goes on, however often it has ended
        say("worker", str(self._client.pid))


if __name__ == "__main__":
    asyncio.run(Host(Path(sys.argv[1]), Path(sys.argv[2])).serve())
