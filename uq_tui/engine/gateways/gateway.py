"""One gateway process as the engine holds it: its two pipes, the requests it works on, the notice of its end."""

import asyncio
import logging
import os
import sys
from dataclasses import dataclass, field, replace

from uq_tui.engine.child import open_log
from uq_tui.engine.gateways.protocol import CODEC, Cancel, Complete, Failed, LastAnswer, Prepare, Ready, Text, log_file
from uq_tui.engine.line_reader import LineReader
from uq_tui.engine.spec import OnText, Reply
from uq_tui.errors import ProtocolError

log = logging.getLogger(__name__)

LONGEST_LOG = 1_000_000
"""Bytes."""
_CANCEL_PATIENCE_S = 2.0
_STOP_PATIENCE_S = 2.0


async def start_process(requests: int, answers: int) -> asyncio.subprocess.Process:
    """Start a gateway process that reads and writes these pipes. Raises OSError when that or its log is impossible."""
    errors = open_log(log_file(), LONGEST_LOG)
    try:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "uq_tui.engine.gateways.process"),
            stdin=requests,
            stdout=answers,
            stderr=errors,
            start_new_session=True,
        )
    finally:
        os.close(errors)


class GatewayEndedError(Exception):
    """The process ended before it answered. `heard` is the text that it had told."""

    def __init__(self, heard: Reply | None) -> None:
        super().__init__("the gateway process ended")
        self.heard = heard


@dataclass(slots=True, eq=False)
class _Waiting:
    """A request under way. The future holds `None` when the process ended."""

    last: asyncio.Future[LastAnswer | None]
    on_text: OnText | None
    reasoning: list[str] = field(default_factory=list)
    reply: list[str] = field(default_factory=list)

    def hear(self, text: Text) -> None:
        self.reasoning.append(text.reasoning)
        self.reply.append(text.reply)
        if self.on_text is not None:
            self.on_text(text.reasoning, text.reply)

    def end(self, answer: LastAnswer | None) -> None:
        if not self.last.done():
            self.last.set_result(answer)

    @property
    def heard(self) -> Reply | None:
        """What was told so far; `None` before the first text."""
        if not self.reply:
            return None
        return Reply("".join(self.reply), "".join(self.reasoning), "", tokens_in=None, tokens_out=None, cost_usd=None)


class Gateway:
    """A running gateway process. Made by `spawn`; lives on one event loop."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._requests: asyncio.WriteTransport | None = None
        self._answers = LineReader(self._receive)
        self._waiting: dict[int, _Waiting] = {}
        self.ready = asyncio.Event()
        """Set when LiteLLM is imported. Requests may be sent before."""
        self.ended: asyncio.Task[int] = asyncio.create_task(self._wait_for_end())
        """Done when the process has ended and its last answers are handled; its exit code."""

    @classmethod
    async def spawn(cls) -> "Gateway":
        """Start a process; it works from the moment that this returns, and is `ready` seconds later.

        To be called by the loop's own thread: the kernel ends a child when the thread that started it ends.

        Raises:
            OSError: the process cannot be started, or its log cannot be written.
        """
        requests_end, requests = os.pipe()
        answers, answers_end = os.pipe()
        try:
            process = await start_process(requests_end, answers_end)
        except BaseException:
            os.close(requests)
            os.close(answers)
            raise
        finally:
            os.close(requests_end)
            os.close(answers_end)
        gateway = cls(process)
        try:
            await gateway._connect(requests, answers)
        except BaseException:
            gateway.kill()
            raise
        return gateway

    async def _connect(self, requests: int, answers: int) -> None:
        loop = asyncio.get_running_loop()
        await loop.connect_read_pipe(lambda: self._answers, os.fdopen(answers, "rb", buffering=0))
        writing = os.fdopen(requests, "wb", buffering=0)
        self._requests, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, writing)

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    @property
    def load(self) -> int:
        """How many requests it works on."""
        return len(self._waiting)

    async def ask(self, request: Prepare | Complete, on_text: OnText | None = None) -> LastAnswer:
        """Send a request, tell its text as it comes, and wait for its last answer.

        When cancelled, it has the request given up, and waits a moment for the word that it was. Text that had come by
        then is still told.

        Raises:
            GatewayEndedError: the process ended first.
        """
        if self.ended.done():
            raise GatewayEndedError(None)
        waiting = _Waiting(asyncio.get_running_loop().create_future(), on_text)
        self._waiting[request.n] = waiting
        try:
            self._send(request)
            await asyncio.wait((waiting.last,))
        except asyncio.CancelledError:
            self._send(Cancel(request.n))
            if self.ready.is_set():  # before that nothing was sent to anyone
                await asyncio.wait((waiting.last,), timeout=_CANCEL_PATIENCE_S)
            raise
        finally:
            del self._waiting[request.n]
        answer = waiting.last.result()
        if answer is None:
            raise GatewayEndedError(waiting.heard)
        if isinstance(answer, Failed) and answer.partial is None:
            return replace(answer, partial=waiting.heard)
        return answer

    def _send(self, request: Prepare | Complete | Cancel) -> None:
        if self._requests is not None and not self._requests.is_closing():
            self._requests.write(CODEC.encode(request))

    def _receive(self, line: bytes) -> None:
        try:
            answer = CODEC.decode(line)
        except ProtocolError as error:
            log.error("gateway process %d is ended, it sent what is no answer: %s", self.pid, error)
            self.kill()
            return
        if isinstance(answer, Ready):
            self.ready.set()
        elif (waiting := self._waiting.get(answer.n)) is None:
            return  # given up
        elif isinstance(answer, Text):
            waiting.hear(answer)
        else:
            waiting.end(answer)

    def kill(self) -> None:
        """End the process without waiting."""
        if self._process.returncode is None:
            self._process.kill()

    async def stop(self) -> None:
        """End the process: it does so when its pipe is closed, and is killed when it doesn't."""
        self._hang_up()
        await asyncio.wait({self.ended}, timeout=_STOP_PATIENCE_S)
        if not self.ended.done():
            self.kill()
            await asyncio.wait({self.ended}, timeout=_STOP_PATIENCE_S)

    def _hang_up(self) -> None:
        if self._requests is not None and not self._requests.is_closing():
            self._requests.abort()

    async def _wait_for_end(self) -> int:
        exited = asyncio.create_task(self._process.wait())
        drained = asyncio.create_task(self._answers.drained.wait())
        await asyncio.wait({exited, drained}, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait({exited, drained}, timeout=_STOP_PATIENCE_S)
        self.kill()  # one that closed its pipe but lives on is of no use
        code = await exited
        drained.cancel()
        self._hang_up()
        self._answers.close()
        for waiting in self._waiting.values():
            waiting.end(None)
        return code
