"""A loopback server that speaks the OpenAI chat protocol over real HTTP, with replies scripted by rules.

In a test:

    with FakeServer([Rule(reply="It holds.\\n{tag}: accept", contains=("prime",))]) as server:
        ... LiteLLM with model "openai/any" and api_base=server.base_url ...
        assert server.requests[0].messages[-1]["content"] == ...

As a process: `python -m tests.fakes.openai_server --port 0 --rules rules.json --log seen.jsonl` prints its port
and runs until it is terminated. The rule file is a list of objects with `Rule`'s fields (see openai_rules.py);
`--pure` answers as a function of messages and sample instead.
"""

import argparse
import asyncio
import contextlib
import dataclasses
import json
import signal
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.fakes.openai_bodies import as_bytes, as_event, as_json, chunk, deltas, error_object, usage, whole
from tests.fakes.openai_rules import Rule, Script, SeenRequest, load_rules, pure_script, script_of, sha256
from tests.fakes.openai_wire import Incoming, Outgoing

__all__ = ["FakeServer", "Rule", "Script", "SeenRequest", "load_rules", "pure_script", "script_of"]

HOST = "127.0.0.1"
_SECRET_HEADERS = frozenset({"authorization", "api-key", "x-api-key"})


class FakeServer:
    """The server in a thread of its own. A context manager; also `start()` and `stop()`.

    Args:
        script: rules, or a function from the request to the rule to follow.
        api_key: when set, requests with another bearer token get status 401.
        models: what `/models` lists.
        on_event: called in the server's thread when a request has arrived and when it has ended.
        outage: so many first chat requests get status 500, whatever they are.
        keep_alive: let clients ask again on the same connection.
    """

    def __init__(
        self,
        script: Script | Sequence[Rule] = (),
        *,
        api_key: str = "",
        models: Sequence[str] = ("scripted",),
        port: int = 0,
        on_event: Callable[[str, SeenRequest], None] | None = None,
        outage: int = 0,
        keep_alive: bool = False,
    ) -> None:
        self._script = script if callable(script) else script_of(script)
        self._api_key = api_key
        self._models = tuple(models)
        self._wanted_port = port
        self._on_event = on_event
        self._outage = outage
        self._keep_alive = keep_alive
        self._failures: Counter[Rule] = Counter()
        self._changed = threading.Condition()
        self._loop = asyncio.new_event_loop()
        self._released = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="fake-openai", daemon=True)
        self._ready = threading.Event()
        self.requests: list[SeenRequest] = []
        self.connections = 0
        """How many have been opened."""
        self.port = 0

    @property
    def base_url(self) -> str:
        return f"http://{HOST}:{self.port}/v1"

    def start(self) -> Self:
        self._thread.start()
        if not self._ready.wait(10) or not self.port:
            raise RuntimeError("the fake server did not start")
        return self

    def stop(self) -> None:
        """Close all connections and end the thread."""
        self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join(10)

    def release(self) -> None:
        """Let stalled answers, and those to come, go on."""
        self._loop.call_soon_threadsafe(self._released.set)

    def wait_until(self, condition: Callable[[list[SeenRequest]], bool], timeout_s: float = 10.0) -> bool:
        """Block until `condition` holds for the requests seen; False when the time is up."""
        with self._changed:
            return self._changed.wait_for(lambda: condition(self.requests), timeout_s)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve())
        finally:
            self._ready.set()
            self._loop.close()

    async def _serve(self) -> None:
        self._stopping = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        server = await asyncio.start_server(self._accept, HOST, self._wanted_port, backlog=256)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stopping.wait()
        server.close()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("connections are handled in tasks")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        self.connections += 1
        incoming, out = Incoming(reader), Outgoing(writer, keep_alive=self._keep_alive)
        try:
            while await self._handle(incoming, out) and self._keep_alive:
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass
        except asyncio.CancelledError:
            writer.transport.abort()
        finally:
            writer.close()

    async def _handle(self, incoming: Incoming, out: Outgoing) -> bool:
        """Answer one request. True when the client may ask again."""
        path, headers, body = await incoming.request()
        key = headers.get("authorization", "").removeprefix("Bearer ")
        if self._api_key and key != self._api_key:
            await out.error(Rule(status=401, error="wrong key", error_code="invalid_api_key"))
        elif path.endswith("/models"):
            listed = [{"id": name, "object": "model", "created": 0, "owned_by": "tests"} for name in self._models]
            await out.json(200, {"object": "list", "data": listed})
        elif path.endswith("/chat/completions"):
            kept = {name: value for name, value in headers.items() if name not in _SECRET_HEADERS}
            return await self._chat(SeenRequest(path, kept, sha256(key), body, time.monotonic()), incoming, out)
        else:
            await out.error(Rule(status=404, error=f"no such path: {path}"))
        return True

    async def _chat(self, request: SeenRequest, incoming: Incoming, out: Outgoing) -> bool:
        self._note("request", request, lambda: self.requests.append(request))
        gone = asyncio.create_task(incoming.gone())
        answer = asyncio.create_task(self._answer(request, len(self.requests), out))
        try:
            await asyncio.wait((gone, answer), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (gone, answer):
                task.cancel()
            _, complete = await asyncio.gather(gone, answer, return_exceptions=True)
            request.disconnected = not request.finished
            self._note("end", request, lambda: None)
        return complete is True

    def _note(self, what: str, request: SeenRequest, change: Callable[[], None]) -> None:
        with self._changed:
            change()
            self._changed.notify_all()
        if self._on_event is not None:
            self._on_event(what, request)

    async def _answer(self, request: SeenRequest, number: int, out: Outgoing) -> bool:
        """Answer by the script. True when the answer went out whole, False when it was cut."""
        if number <= self._outage:
            request.finished = True
            await out.error(Rule(status=500, error="the server is out of order"))
            return True
        try:
            rule = self._script(request)
        except Exception as error:
            rule = Rule(status=500, error=f"the script failed: {error!r}")
        if rule.first_delay_s:
            await asyncio.sleep(rule.first_delay_s)
        if not await self._may_go_on(-1, request, rule, out):
            return False
        if rule.status != 200 and (rule.fail_times == 0 or self._failures[rule] < rule.fail_times):
            self._failures[rule] += 1
            request.finished = True
            await (out.error(rule) if rule.verbatim is None else self._verbatim(rule.verbatim, rule, out))
        elif rule.verbatim is not None:
            request.finished = True
            await self._verbatim(rule.verbatim, rule, out)
        elif request.streamed:
            return await self._stream(request, rule, out)
        else:
            return await self._whole(request, rule, out)
        return True

    async def _verbatim(self, body: str, rule: Rule, out: Outgoing) -> None:
        await out.body(rule.status, as_bytes(body), rule.content_type)

    async def _may_go_on(self, sent: int, request: SeenRequest, rule: Rule, out: Outgoing, event: bytes = b"") -> bool:
        """Stall or cut where the rule says so; False when the connection has ended."""
        if sent == rule.stall_after:
            await self._released.wait()
        if sent != rule.cut_after:
            return True
        request.finished = True
        if rule.cut_how == "clean":
            await out.last_chunk()
        elif rule.cut_how == "mid_event":
            await out.chunk(event[: len(event) // 2])
        out.cut(reset=rule.cut_how == "reset")
        return False

    async def _stream(self, request: SeenRequest, rule: Rule, out: Outgoing) -> bool:
        await out.head(200, {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"})
        size = rule.bytes_per_write
        async for delta in _paced(deltas(request, rule), rule.tokens_per_second):
            event = as_event(chunk(request, [{"index": 0, "delta": delta, "finish_reason": None}]))
            if not await self._may_go_on(request.chunks_sent, request, rule, out, event):
                return False
            if rule.noise and rule.noise_after in (None, request.chunks_sent):
                await out.chunk(as_bytes(rule.noise), size)
            if request.chunks_sent == rule.error_after:
                request.finished = True
                await out.chunk(as_event(error_object(rule, rule.error_code or 500)), size)
                break
            await out.chunk(event, size)
            self._count(request)
        else:
            if rule.finish:
                ending = chunk(request, [{"index": 0, "delta": {}, "finish_reason": rule.finish}])
                await out.chunk(as_event(ending), size)
            if rule.usage and (request.body.get("stream_options") or {}).get("include_usage"):
                await out.chunk(as_event({**chunk(request, []), "usage": usage(request, rule)}), size)
            request.finished = True
            if rule.done:
                await out.chunk(b"data: [DONE]\n\n", size)
        await out.last_chunk()
        return True

    async def _whole(self, request: SeenRequest, rule: Rule, out: Outgoing) -> bool:
        if rule.error_after is not None:
            request.finished = True
            await out.json(200, error_object(rule, rule.error_code or 500))
            return True
        data = as_json(whole(request, rule))
        middle = len(data) // 2
        await out.head(200, {"Content-Type": "application/json", "Content-Length": str(len(data))})
        for half in (data[:middle], data[middle:]):
            if not await self._may_go_on(request.chunks_sent, request, rule, out):
                return False
            request.finished = request.chunks_sent == 1
            await out.raw(half)
            self._count(request)
        return True

    def _count(self, request: SeenRequest) -> None:
        with self._changed:
            request.chunks_sent += 1
            self._changed.notify_all()


async def _paced(deltas: Iterator[dict[str, Any]], per_second: float) -> AsyncIterator[dict[str, Any]]:
    """The deltas at a steady pace, reckoned from the start so that delays don't add up."""
    start = time.monotonic()
    for number, delta in enumerate(deltas, 1):
        if per_second:
            await asyncio.sleep(max(0.0, start + number / per_second - time.monotonic()))
        yield delta


class RequestLog:
    """Arrivals and ends of requests as JSON lines, in order. Each line is handed to the system at once."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("a", encoding="utf-8", buffering=1)

    def __call__(self, what: str, request: SeenRequest) -> None:
        about = {"event": what, "sha256": request.content_sha256, "sample": request.sample}
        self._file.write(json.dumps({**about, **dataclasses.asdict(request)}) + "\n")


def main() -> None:
    """Serve until SIGTERM or SIGINT."""
    parser = argparse.ArgumentParser(description="Scripted OpenAI-compatible server on 127.0.0.1.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--rules", type=Path, help="JSON file with a list of rules")
    parser.add_argument("--pure", action="store_true", help="answer as a function of messages and sample")
    parser.add_argument("--pace", type=float, default=0.0, help="with --pure: tokens a second, 0 for all at once")
    parser.add_argument("--delay", type=float, default=0.0, help="with --pure: seconds before the headers")
    parser.add_argument("--outage", type=int, default=0, help="answer the first so many requests with status 500")
    parser.add_argument("--keep-alive", action="store_true", help="let clients ask again on a connection")
    parser.add_argument("--log", type=Path, help="append requests and their ends to this file as JSON lines")
    args = parser.parse_args()
    rules = load_rules(args.rules) if args.rules else (Rule(reply="A scripted reply.\n{tag}: accept"),)
    pure = pure_script(tokens_per_second=args.pace, first_delay_s=args.delay)
    done = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: done.set())
    log = RequestLog(args.log) if args.log else None
    server = FakeServer(
        pure if args.pure else rules, port=args.port, on_event=log, outage=args.outage, keep_alive=args.keep_alive
    )
    with contextlib.suppress(BrokenPipeError), server:
        print(server.port, flush=True)  # noqa: T201 - the port on stdout is this program's interface
        done.wait()


if __name__ == "__main__":
    main()
