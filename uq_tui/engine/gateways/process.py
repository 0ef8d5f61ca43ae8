"""One gateway to models as a process of its own: `python -P -m uq_tui.engine.gateways.process`, started by `gateway`.

Standard input brings requests and standard output takes answers, as JSON lines (see `gateway_protocol`). Standard
error is the log; all that LiteLLM prints goes there. The process ends at once when its input is closed, and the servers
it talks to see that by their closed connections.
"""

import asyncio
import logging
import os
import signal
import traceback
import warnings
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from uq_tui.engine.child import die_with_parent, end_when_closed, step_back
from uq_tui.engine.gateways.errors import without_keys
from uq_tui.engine.gateways.llm import (
    KeylessFormatter,
    ensure_litellm_ready,
    find_target,
    is_taken,
    keep_out_of_logs,
    price_of,
)
from uq_tui.engine.gateways.protocol import (
    CODEC,
    Answer,
    Cancel,
    Cancelled,
    Complete,
    Done,
    Failed,
    HostedModel,
    LastAnswer,
    Prepare,
    Ready,
    Request,
    Text,
    Unusable,
    Usable,
)
from uq_tui.engine.gateways.sending import Target, send
from uq_tui.engine.line_buffer import LONGEST_LINE
from uq_tui.engine.line_reader import LineReader
from uq_tui.engine.spec import CallFailedError
from uq_tui.errors import EXIT_OK, EXIT_PROBLEM, ModelError, ProtocolError
from uq_tui.log_lines import FORMAT
from uq_tui.words import CallErrorKind

log = logging.getLogger(__name__)

TELL_EVERY_S = 0.05
"""A reply's text is told so often at most."""
BACKLOG_BYTES = 256 * 1024
"""With so much not yet read by the engine, text waits and is told in larger pieces."""
_LONGEST_LOG = 4_000_000
_LOG_CHECK_S = 60.0


class Telling:
    """Tells the text of one reply as it comes, in pieces that were gathered for a moment."""

    def __init__(self, n: int, answers: asyncio.WriteTransport) -> None:
        self._n = n
        self._answers = answers
        self._loop = asyncio.get_running_loop()
        self._reasoning: list[str] = []
        self._reply: list[str] = []
        self._next = self._loop.time()
        self._timer: asyncio.TimerHandle | None = None

    def hear(self, reasoning: str, reply: str) -> None:
        """Take new text."""
        self._reasoning.append(reasoning)
        self._reply.append(reply)
        if self._timer is None:
            self._timer = self._loop.call_at(self._next, self._tell)

    def _tell(self) -> None:
        self._next = self._loop.time() + TELL_EVERY_S
        if self._answers.get_write_buffer_size() > BACKLOG_BYTES:
            self._timer = self._loop.call_at(self._next, self._tell)
        else:
            self.finish()

    def finish(self) -> None:
        """Tell what was not told yet."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._reply:
            text = Text(self._n, "".join(self._reasoning), "".join(self._reply))
            self._reasoning, self._reply = [], []
            self._answers.write(CODEC.encode(text))


class _Desk:
    """Works on requests, all at once."""

    def __init__(self, litellm: Any, answers: asyncio.WriteTransport) -> None:
        self._litellm = litellm
        self._answers = answers
        self._tasks: dict[int, asyncio.Task[LastAnswer]] = {}
        self._targets: dict[HostedModel, Target] = {}
        self._looking_up = ThreadPoolExecutor(1, "look-ups")  # a keyring may take its time

    def tell(self, answer: Answer) -> None:
        """Send one answer. What the engine could not read becomes a failure: it would end this process for it."""
        try:
            line = CODEC.encode(answer)
            CODEC.decode(line)
        except (ProtocolError, ValueError, TypeError) as error:
            log.error("no answer can be made of what a server sent: %s", without_keys(str(error)))
            line = b""
        if not line or len(line) > LONGEST_LINE:
            n = 0 if isinstance(answer, Ready) else answer.n
            what = "is too long to be kept" if line else "has values of the wrong kind"
            line = CODEC.encode(_malformed(n, f"What the model's server sent {what}."))
        self._answers.write(line)

    def receive(self, line: bytes) -> None:
        """Take one request."""
        try:
            request: Request = CODEC.decode(line)
        except ProtocolError as error:
            log.error("%s", error)
            logging.shutdown()
            os._exit(EXIT_PROBLEM)  # whose request it was is not known, so nobody would ever hear of it
        if isinstance(request, Cancel):
            task = self._tasks.get(request.n)
            if task is not None:
                task.cancel()
            return
        n = request.n
        task = self._tasks[n] = asyncio.create_task(self._work(request))
        task.add_done_callback(lambda done: self._end(n, done))

    def _end(self, n: int, task: asyncio.Task[LastAnswer]) -> None:
        """Send a request's last answer: the one place where unexpected errors are reported."""
        del self._tasks[n]
        if task.cancelled():
            self.tell(Cancelled(n))
        elif (error := task.exception()) is not None:
            kind = type(error).__name__
            where = "".join(traceback.format_tb(error.__traceback__))
            log.error("unexpected %s: %s\n%s", kind, without_keys(str(error)), where)
            self.tell(_malformed(n, f"What the model's server sent could not be worked with ({kind})."))
        else:
            self.tell(task.result())

    async def _work(self, request: Prepare | Complete) -> LastAnswer:
        try:
            if isinstance(request, Prepare):
                return await self._prepare(request)
            return await self._complete(request)
        except ModelError as error:
            return Unusable(request.n, error.message, error.hint)
        except CallFailedError as error:
            if error.kind is CallErrorKind.AUTH and isinstance(request, Complete):
                self._forget(request.to)
            return Failed(
                request.n, error.kind, str(error), error.retryable, error.retry_after_s, partial=error.partial
            )

    async def _prepare(self, request: Prepare) -> Usable:
        target = await self._target(request.model)
        dropped = [name for name, value in request.wanted.items() if not is_taken(self._litellm, target, name, value)]
        price = price_of(self._litellm, target)
        return Usable(request.n, target.full_name, target.api_base, tuple(sorted(dropped)), price)

    async def _complete(self, request: Complete) -> Done:
        if isinstance(request.to, Target):
            target = request.to
            keep_out_of_logs(target.api_key)
        else:
            target = await self._target(request.to)
        telling = Telling(request.n, self._answers) if request.stream else None
        try:
            reply = await send(
                self._litellm,
                target,
                request.messages,
                request.parameters,
                request.timeouts,
                on_text=telling.hear if telling else None,
                sample=request.sample,
                extra_body=request.extra_body,
            )
        finally:
            if telling is not None:
                telling.finish()
        return Done(request.n, reply)

    async def _target(self, model: HostedModel) -> Target:
        found = self._targets.get(model)
        if found is None:
            loop = asyncio.get_running_loop()
            find = self._looking_up
            found = await loop.run_in_executor(find, find_target, self._litellm, model.choice, model.settings)
            self._targets[model] = found
        return found

    def _forget(self, to: HostedModel | Target) -> None:
        """Look the target up again next time: its key may be another by then."""
        if isinstance(to, HostedModel):
            self._targets.pop(to, None)


def _malformed(n: int, message: str) -> Failed:
    return Failed(n, CallErrorKind.MALFORMED, message, retryable=False, retry_after_s=None, partial=None)


async def _keep_short(descriptor: int) -> None:
    """Empty the log when it has grown long. All processes write at its end, wherever that is."""
    while True:
        if os.fstat(descriptor).st_size > _LONGEST_LOG:
            os.ftruncate(descriptor, 0)
        await asyncio.sleep(_LOG_CHECK_S)


async def serve(litellm: Any, requests: int, answers: int) -> None:
    """Work on requests until there are no more.

    Args:
        litellm: the module, set up.
        requests, answers: descriptors of two pipes, closed in the end.
    """
    loop = asyncio.get_running_loop()
    out, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, os.fdopen(answers, "wb", buffering=0))
    desk = _Desk(litellm, out)
    desk.tell(Ready())
    reader = LineReader(desk.receive)
    await loop.connect_read_pipe(lambda: reader, os.fdopen(requests, "rb", buffering=0))
    await reader.drained.wait()
    out.close()


async def _serve_and_keep_short(litellm: Any, requests: int, answers: int) -> None:
    keeping = asyncio.create_task(_keep_short(2))
    await serve(litellm, requests, answers)
    keeping.cancel()


def main() -> None:
    """Work until the input is closed. Never returns."""
    requests, answers = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the app or the command
    die_with_parent()
    end_when_closed(requests)
    step_back()
    handler = logging.StreamHandler()
    handler.setFormatter(KeylessFormatter(FORMAT))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    warnings.simplefilter("ignore")  # Pydantic's repeat parts of replies, which belong in no log
    litellm = ensure_litellm_ready()
    asyncio.run(_serve_and_keep_short(litellm, requests, answers))
    os._exit(EXIT_OK)  # what is still under way is of no use to anyone


if __name__ == "__main__":
    main()
