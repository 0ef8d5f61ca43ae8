"""The engine under load: `python -m benchmarks.engine_loop GATEWAYS WORKSPACE`.

A load is a run that generates so many answers, as the worker does it: the workspace is on disk, every event is
encoded. A load that streams goes to a session that is watched, and has every call watched; nobody watches the other.
"""

import asyncio
import sys
from pathlib import Path

from benchmarks.contestant import Load, serve
from store import intake
from store.workspace import Workspace
from uq_tui.config import Config, ModelSettings
from uq_tui.engine.protocol import CallStarted, EngineProblem, Event, encode
from uq_tui.engine.requests import GenerateRequest, ModelChoice
from uq_tui.engine.session import EngineSession
from uq_tui.words import RunState, TextFormat

QUESTION = "bench:1"
CONCURRENCY = (1, 8, 16, 32, 128)


async def _main(gateways: int, path: Path) -> None:
    ws = Workspace.open(path)
    question = intake.NewQuestion(
        id=QUESTION,
        title="Some words",
        body="Some words of a question. " * 40,
        format=TextFormat.MARKDOWN,
        source="bench",
    )
    ws.write(lambda db: intake.put(db, [question]))
    models = {_model(at_once): ModelSettings(concurrency=at_once) for at_once in CONCURRENCY}
    config = Config(models=models, gateway_processes=gateways)
    problems: list[str] = []

    def tell(event: Event) -> None:
        encode(event)
        if isinstance(event, EngineProblem):
            problems.append(event.message)

    def tell_and_watch(event: Event) -> None:
        tell(event)
        if isinstance(event, CallStarted):
            streaming.watch(event.call_key)

    plain = EngineSession(ws, config, tell, log=Path("bench.log"))
    streaming = EngineSession(ws, config, tell_and_watch, log=Path("bench.log"), audience=True)

    async def do(load: Load) -> None:
        session = streaming if load.stream else plain
        model = ModelChoice(_model(load.at_once), f"{load.address}/v1")
        run = await session.wait(await session.start("", GenerateRequest((QUESTION,), model, load.calls)))
        if run.state is not RunState.DONE or run.done != load.calls:
            raise RuntimeError(f"{run.done} of {load.calls} answers: {run.message} {problems}")

    await serve(do)
    await plain.close()
    await streaming.close()
    ws.close()


def _model(at_once: int) -> str:
    return f"openai/bench-{at_once}"


if __name__ == "__main__":
    asyncio.run(_main(int(sys.argv[1]), Path(sys.argv[2])))
