"""Many requests through the real `send` at once, on an event loop of their own: most of their time is waiting."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from typing import Any, TypeVar

from store.run_rows import Message
from tests.engine.gateway.asking import Heard
from tests.fakes.openai_server import FakeServer, Rule
from uq_tui.engine.gateways.llm import ensure_litellm_ready
from uq_tui.engine.gateways.sending import Target, Timeouts, send
from uq_tui.engine.spec import CallFailedError, Reply

MESSAGES = (Message("user", "Is it so?"),)
PATIENT = Timeouts(first_s=60, idle_s=60, total_s=120, plain_s=60)
K = TypeVar("K", bound=Hashable)
Came = Reply | CallFailedError
Outcome = tuple[Came, Heard]


async def outcome(
    litellm: Any, target: Target, *, streamed: bool, timeouts: Timeouts = PATIENT, heard: Heard | None = None
) -> Outcome:
    """What one request comes to, and what was heard of it while it came."""
    heard = heard or Heard()
    try:
        return await send(litellm, target, MESSAGES, {}, timeouts, on_text=heard if streamed else None), heard
    except CallFailedError as error:
        return error, heard


def together(jobs: Sequence[K], ask: Callable[[Any, K], Awaitable[Outcome]]) -> Mapping[K, Outcome]:
    """What `ask(litellm, job)` gives for each job, eight at a time."""
    litellm = ensure_litellm_ready()

    async def everything() -> Mapping[K, Outcome]:
        await warm_up(litellm)
        turns = asyncio.Semaphore(8)

        async def in_turn(job: K) -> tuple[K, Outcome]:
            async with turns:
                return job, await ask(litellm, job)

        try:
            return dict(await asyncio.gather(*map(in_turn, jobs)))
        finally:
            await litellm.close_litellm_async_clients()

    return asyncio.run(everything())


async def warm_up(litellm: Any) -> None:
    """Have LiteLLM import what it imports on first use, so that short timeouts measure the server."""
    with FakeServer([Rule(reply="ok")]) as server:
        target = Target("openai", "m", server.base_url, server.base_url, "none")
        for streamed in (True, False):
            await outcome(litellm, target, streamed=streamed)
