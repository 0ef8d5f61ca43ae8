"""The work of gateway processes in threads of the test's own process, so that LiteLLM is imported once for all tests.

Pipes, lines and HTTP are real. What makes a process of it (priority, signals, its end with its parent) is left out.
"""

import asyncio
import os
import threading
from typing import Any, cast

import pytest

from uq_tui.engine.gateways import gateway
from uq_tui.engine.gateways.llm import ensure_litellm_ready
from uq_tui.engine.gateways.process import serve


class _Process:
    """What `Gateway` uses of a process."""

    def __init__(self, requests: int, answers: int) -> None:
        self.pid = os.getpid()
        self.returncode: int | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        self._thread = threading.Thread(target=self._run, args=(requests, answers), name="gateway", daemon=True)
        self._thread.start()

    def _run(self, requests: int, answers: int) -> None:
        litellm = ensure_litellm_ready()
        asyncio.run(self._serve(litellm, requests, answers))

    async def _serve(self, litellm: Any, requests: int, answers: int) -> None:
        self._loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
        try:
            await serve(litellm, requests, answers)
        finally:
            others = asyncio.all_tasks() - {asyncio.current_task()}
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)
            await litellm.close_litellm_async_clients()

    def kill(self) -> None:
        if self._loop is not None and self._task is not None:
            self._loop.call_soon_threadsafe(self._task.cancel)

    async def wait(self) -> int:
        await asyncio.to_thread(self._thread.join)
        self.returncode = 0
        return self.returncode


async def _start(requests: int, answers: int) -> asyncio.subprocess.Process:
    return cast(asyncio.subprocess.Process, _Process(os.dup(requests), os.dup(answers)))


def in_threads(patch: pytest.MonkeyPatch) -> None:
    """Have gateways be threads until the patch is undone."""
    patch.setattr(gateway, "start_process", _start)


@pytest.fixture
def gateway_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gateways are threads in this test."""
    in_threads(monkeypatch)
