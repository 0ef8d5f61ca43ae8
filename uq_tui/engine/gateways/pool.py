"""All gateway processes of one engine: LiteLLM runs in them and never here, so that this loop stays free.

They are started on demand, get requests by load, and are replaced when they end. A call that was under way in one
that ended has failed, with the text that had come, and can be made again.
"""

import asyncio
import itertools
import logging
import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

from store.run_rows import Message
from uq_tui.engine.gateways.gateway import Gateway, GatewayEndedError
from uq_tui.engine.gateways.protocol import (
    Complete,
    Done,
    Failed,
    HostedModel,
    LastAnswer,
    Prepare,
    Unusable,
    Usable,
    log_file,
)
from uq_tui.engine.gateways.sending import Target, Timeouts
from uq_tui.engine.spec import CallFailedError, OnText, Reply
from uq_tui.errors import ModelError
from uq_tui.words import CallErrorKind

log = logging.getLogger(__name__)

BUSY = 8
"""With so many requests in every process, another is started."""
MOST_DEATHS = 3
DEATH_WINDOW_S = 120.0

_Wanted = tuple[HostedModel, tuple[tuple[str, Any], ...]]


class Gateways:
    """Lives on one event loop. Nothing is started before it is used, or `warm_up` called.

    Args:
        processes: how many at most, at least 1.
    """

    def __init__(self, processes: int) -> None:
        self._most = processes
        self._running: list[Gateway] = []
        self._prepared: dict[_Wanted, asyncio.Task[Usable]] = {}
        self._numbers = itertools.count(1)
        self._deaths: deque[float] = deque(maxlen=MOST_DEATHS)
        self._starting = asyncio.Lock()
        self._growing: asyncio.Task[None] | None = None
        self._watching: set[asyncio.Task[None]] = set()
        self._closed = False

    async def warm_up(self) -> None:
        """Start the first process, since importing LiteLLM takes seconds. Returns before that is done.

        Raises:
            ModelError: it cannot be started.
        """
        await self._least_loaded()

    async def prepare(self, model: HostedModel, wanted: Mapping[str, Any]) -> Usable:
        """What would be sent to a model. Asked once, then remembered.

        Args:
            wanted: parameters by their OpenAI names, each with a value that can be hashed.

        Raises:
            ModelError: no such provider, no usable address, no key; or gateway processes end again and again.
        """
        key = (model, tuple(sorted(wanted.items())))
        task = self._prepared.get(key)
        if task is None:
            task = self._prepared[key] = asyncio.create_task(self._prepare(model, wanted))
            task.add_done_callback(lambda done: self._forget_failed(key, done))
        return await asyncio.shield(task)

    def _forget_failed(self, key: _Wanted, task: asyncio.Task[Usable]) -> None:
        if task.cancelled() or task.exception() is not None:
            del self._prepared[key]

    async def _prepare(self, model: HostedModel, wanted: Mapping[str, Any]) -> Usable:
        while True:
            gateway = await self._least_loaded()
            try:
                answer = await gateway.ask(Prepare(next(self._numbers), model, wanted))
            except GatewayEndedError:
                continue  # until one answers, or too many have ended
            if isinstance(answer, Usable):
                return answer
            raise _error(answer)

    async def send(
        self,
        to: HostedModel | Target,
        messages: Sequence[Message],
        parameters: Mapping[str, Any],
        timeouts: Timeouts,
        *,
        on_text: OnText | None,
        sample: int = 0,
        extra_body: Mapping[str, Any] | None = None,
    ) -> Reply:
        """Send messages once; as a stream when `on_text` is given, else as one plain request.

        When cancelled, it returns once the connection is closed, or after a moment.

        Args:
            sample: the sample's index, told to servers on this machine.

        Raises:
            CallFailedError: with the text that had arrived.
            ModelError: the model cannot be used, or gateway processes end again and again.
        """
        gateway = await self._least_loaded()
        stream = on_text is not None
        number = next(self._numbers)
        request = Complete(number, to, tuple(messages), parameters, sample, stream, timeouts, extra_body)
        try:
            answer = await gateway.ask(request, on_text)
        except GatewayEndedError as error:
            kind = CallErrorKind.CONNECTION if error.heard is None else CallErrorKind.CUT_OFF
            message = f"The gateway process that waited for the reply ended. Its log is {log_file()}."
            raise CallFailedError(kind, message, retryable=True, partial=error.heard) from error
        if isinstance(answer, Done):
            return answer.reply
        raise _error(answer)

    async def close(self) -> None:
        """End all processes; takes a few seconds at most. Nothing can be sent afterwards."""
        self._closed = True
        async with self._starting:  # a process that is just being started is ended too
            await asyncio.gather(*(gateway.stop() for gateway in self._running))
        unfinished = self._watching | ({self._growing} if self._growing else set())
        if unfinished:
            await asyncio.wait(unfinished)

    @property
    def pids(self) -> tuple[int, ...]:
        """The ids of the processes that run."""
        return tuple(gateway.pid for gateway in self._alive)

    @property
    def _alive(self) -> list[Gateway]:
        return [gateway for gateway in self._running if not gateway.ended.done()]

    async def _least_loaded(self) -> Gateway:
        """The process to use next. Starts the first; starts another, without waiting for it, when all are busy.

        Raises:
            ModelError: none runs and none can be started.
        """
        alive = self._alive
        if not alive:
            async with self._starting:
                if not self._alive:
                    await self._start()
            alive = self._alive
        elif len(alive) < self._most and all(one.load >= BUSY for one in alive):
            self._grow()
        ready = [one for one in alive if one.ready.is_set()]
        return min(ready or alive, key=lambda one: one.load)

    def _grow(self) -> None:
        if not self._off and (self._growing is None or self._growing.done()):
            self._growing = asyncio.create_task(self._start_another())

    async def _start_another(self) -> None:
        async with self._starting:
            if self._closed:
                return
            try:
                await self._start()
            except ModelError as error:
                log.warning("no further gateway process: %s", error)

    @property
    def _off(self) -> bool:
        """Whether so many have ended of late that no other is started."""
        return len(self._deaths) == MOST_DEATHS and time.monotonic() - self._deaths[0] < DEATH_WINDOW_S

    async def _start(self) -> None:
        if self._closed:
            raise ModelError("The engine is closing and asks no model any more.")
        if self._off:
            raise ModelError(
                f"The processes that talk to models ended {MOST_DEATHS} times within {DEATH_WINDOW_S:g} seconds.",
                hint=f"Their log is {log_file()}. They are started again in two minutes.",
            )
        try:
            gateway = await Gateway.spawn()
        except OSError as error:
            self._deaths.append(time.monotonic())
            raise ModelError(f"A process to talk to models cannot be started: {error}.") from error
        self._running.append(gateway)
        watching = asyncio.create_task(self._watch(gateway))
        self._watching.add(watching)
        watching.add_done_callback(self._watching.discard)

    async def _watch(self, gateway: Gateway) -> None:
        code = await gateway.ended
        self._running.remove(gateway)
        if not self._closed:
            self._deaths.append(time.monotonic())
            log.warning("gateway process %d ended with code %d", gateway.pid, code)


def _error(answer: LastAnswer) -> CallFailedError | ModelError:
    """The error that an answer reports."""
    match answer:
        case Failed():
            return CallFailedError(
                answer.kind,
                answer.message,
                retryable=answer.retryable,
                retry_after_s=answer.retry_after_s,
                partial=answer.partial,
            )
        case Unusable():
            return ModelError(answer.message, hint=answer.hint)
        case _:
            raise TypeError(f"{type(answer).__name__} answers another request")
