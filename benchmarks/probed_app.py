"""The real app with a probe of its event loop's lag: `python -m benchmarks.probed_app WORKSPACE RESULT CALLS`.

SIGUSR1 starts a run of CALLS calls; the first SIGUSR2 starts the sampling, the second writes the samples to RESULT
as JSON.
"""

import asyncio
import json
import os
import signal
import sys
import time
from pathlib import Path

from uq_tui.app import UqApp
from uq_tui.engine.requests import GenerateRequest, ModelChoice

MODEL = "openai/scripted"
PERIOD_S = 0.005
"""The probe asks to be woken this often; how late it is woken is the lag."""


class ProbedApp(UqApp):
    """The app, its loop probed."""

    def __init__(self, workspace: Path, result: Path, calls: int) -> None:
        super().__init__(workspace, ModelChoice(MODEL))
        self._result = result
        self._calls = calls
        self._lags: list[float] = []
        self._probe: asyncio.Task[None] | None = None

    def on_mount(self) -> None:
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGUSR1, self._start)
        loop.add_signal_handler(signal.SIGUSR2, self._sample_or_write)

    def _start(self) -> None:
        if self.desk is not None:
            self.desk.start(GenerateRequest((self.question_id,), self.desk.model, samples=self._calls))

    def _sample_or_write(self) -> None:
        if self._probe is None:
            self._probe = asyncio.create_task(self._sample())
        else:
            self._write()

    async def _sample(self) -> None:
        while True:
            asked = time.perf_counter()
            await asyncio.sleep(PERIOD_S)
            self._lags.append(time.perf_counter() - asked - PERIOD_S)

    def _write(self) -> None:
        partial = self._result.with_suffix(".part")
        partial.write_text(json.dumps(self._lags), encoding="utf-8")
        os.replace(partial, self._result)


if __name__ == "__main__":
    ProbedApp(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])).run()
