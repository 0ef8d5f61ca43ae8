"""A loopback server that speaks the OpenAI chat protocol over real HTTP, with replies scripted by rules.

In a test:

    with FakeServer([Rule(reply="It holds.\\n{tag}: accept", contains=("prime",))]) as server:
        ... LiteLLM with model "openai/any" and api_base=server.base_url ...
        assert server.requests[0].messages[-1]["content"] == ...

As a process: `python -m tests.fakes.openai_server --port 0 --rules rules.json --log seen.jsonl` prints its port
and runs until it is terminated. The rule file is a list of objects with `Rule`'s fields (see openai_rules.py).
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

from tests.fakes.openai_rules import (
    Rule,
    Script,
    SeenRequest,
    chunk,
    deltas,
    load_rules,
    script_of,
    sha256,
    usage,
    whole,
)

__all__ = ["FakeServer", "Rule", "Script", "SeenRequest", "load_rules", "script_of"]

HOST = "127.0.0.1"
_SECRET_HEADERS = frozenset({"authorization", "api-key", "x-api-key"})


class FakeServer:
    """The server in a thread of its own. A context manager; also `start()` and `stop()`.

    Args:
        script: rules, or a function from the request to the rule to follow.
        api_key: when set, requests with another bearer token get status 401.
        models: what `/models` lists.
        on_event: called in the server's thread when a request has arrived and when it has ended.
    """

    def __init__(
        self,
        script: Script | Sequence[Rule] = (),
        *,
        api_key: str = "",
        models: Sequence[str] = ("scripted",),
        port: int = 0,
        on_event: Callable[[str, SeenRequest], None] | None = None,
    ) -> None:
        self._script = script if callable(script) else script_of(script)
        self._api_key = api_key
        self._models = tuple(models)
        self._wanted_port = port
        self._on_event = on_event
        self._failures: Counter[Rule] = Counter()
        self._changed = threading.Condition()
        self._loop = asyncio.new_event_loop()
        self._released = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="fake-openai", daemon=True)
        self._ready = threading.Event()
        self.requests: list[SeenRequest] = []
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
        try:
            await self._handle(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass
        except asyncio.CancelledError:
            writer.transport.abort()
        finally:
            writer.close()

    async def _handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request; connections are not kept alive, so that end of input means the client left."""
        path, headers, body = await _read_request(reader)
        key = headers.get("authorization", "").removeprefix("Bearer ")
        if self._api_key and key != self._api_key:
            await _send_error(writer, Rule(status=401, error="wrong key", error_code="invalid_api_key"))
        elif path.endswith("/models"):
            listed = [{"id": name, "object": "model", "created": 0, "owned_by": "tests"} for name in self._models]
            await _send_json(writer, 200, {"object": "list", "data": listed})
        elif path.endswith("/chat/completions"):
            kept = {name: value for name, value in headers.items() if name not in _SECRET_HEADERS}
            await self._chat(SeenRequest(path, kept, sha256(key), body, time.monotonic()), reader, writer)
        else:
            await _send_error(writer, Rule(status=404, error=f"no such path: {path}"))

    async def _chat(self, request: SeenRequest, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._note("request", request, lambda: self.requests.append(request))
        gone = asyncio.create_task(reader.read(1))
        answer = asyncio.create_task(self._answer(request, writer))
        try:
            await asyncio.wait((gone, answer), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (gone, answer):
                task.cancel()
            await asyncio.gather(gone, answer, return_exceptions=True)
            request.disconnected = not request.finished
            self._note("end", request, lambda: None)

    def _note(self, what: str, request: SeenRequest, change: Callable[[], None]) -> None:
        with self._changed:
            change()
            self._changed.notify_all()
        if self._on_event is not None:
            self._on_event(what, request)

    async def _answer(self, request: SeenRequest, writer: asyncio.StreamWriter) -> None:
        try:
            rule = self._script(request)
        except Exception as error:
            rule = Rule(status=500, error=f"the script failed: {error!r}")
        if rule.first_delay_s:
            await asyncio.sleep(rule.first_delay_s)
        if rule.status != 200 and (rule.fail_times == 0 or self._failures[rule] < rule.fail_times):
            self._failures[rule] += 1
            request.finished = True
            await _send_error(writer, rule)
        elif rule.verbatim is not None:
            await _send_head(writer, 200, {"Content-Type": "text/event-stream"})
            request.finished = True
            writer.write(rule.verbatim.encode())
            await writer.drain()
        elif request.body.get("stream"):
            await self._stream(request, rule, writer)
        else:
            request.finished = True
            await _send_json(writer, 200, whole(request, rule))

    async def _stream(self, request: SeenRequest, rule: Rule, writer: asyncio.StreamWriter) -> None:
        await _send_head(writer, 200, {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"})
        async for delta in _paced(deltas(request, rule), rule.tokens_per_second):
            if request.chunks_sent == rule.stall_after:
                await self._released.wait()
            if request.chunks_sent == rule.cut_after:
                request.finished = True
                writer.transport.abort()
                return
            if request.chunks_sent == rule.error_after:
                request.finished = True
                await _send_event(writer, {"error": {"message": rule.error, "type": "server_error", "code": 500}})
                break
            await _send_event(writer, chunk(request, [{"index": 0, "delta": delta, "finish_reason": None}]))
            with self._changed:
                request.chunks_sent += 1
                self._changed.notify_all()
        else:
            await _send_event(writer, chunk(request, [{"index": 0, "delta": {}, "finish_reason": rule.finish}]))
            if rule.usage and (request.body.get("stream_options") or {}).get("include_usage"):
                await _send_event(writer, {**chunk(request, []), "usage": usage(request, rule)})
            request.finished = True
            await _send_chunk(writer, b"data: [DONE]\n\n")
        writer.write(b"0\r\n\r\n")
        await writer.drain()


async def _read_request(reader: asyncio.StreamReader) -> tuple[str, dict[str, str], dict[str, Any]]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.strip().split("\r\n")
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    raw = await reader.readexactly(int(headers.get("content-length", "0")))
    return first.split(" ")[1].partition("?")[0], headers, json.loads(raw) if raw else {}


async def _paced(deltas: Iterator[dict[str, Any]], per_second: float) -> AsyncIterator[dict[str, Any]]:
    """The deltas at a steady pace, reckoned from the start so that delays don't add up."""
    start = time.monotonic()
    for number, delta in enumerate(deltas, 1):
        if per_second:
            await asyncio.sleep(max(0.0, start + number / per_second - time.monotonic()))
        yield delta


async def _send_head(writer: asyncio.StreamWriter, status: int, headers: dict[str, str]) -> None:
    lines = [f"HTTP/1.1 {status} {'OK' if status == 200 else 'Error'}", "Connection: close"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
    await writer.drain()


async def _send_json(
    writer: asyncio.StreamWriter, status: int, data: dict[str, Any], headers: dict[str, str] | None = None
) -> None:
    raw = json.dumps(data).encode()
    about = {"Content-Type": "application/json", "Content-Length": str(len(raw)), **(headers or {})}
    await _send_head(writer, status, about)
    writer.write(raw)
    await writer.drain()


async def _send_error(writer: asyncio.StreamWriter, rule: Rule) -> None:
    error = {"message": rule.error, "type": "scripted", "param": None, "code": rule.error_code or None}
    await _send_json(
        writer, rule.status, {"error": error}, {"Retry-After": rule.retry_after} if rule.retry_after else {}
    )


async def _send_event(writer: asyncio.StreamWriter, data: dict[str, Any]) -> None:
    await _send_chunk(writer, b"data: " + json.dumps(data).encode() + b"\n\n")


async def _send_chunk(writer: asyncio.StreamWriter, raw: bytes) -> None:
    writer.write(f"{len(raw):x}\r\n".encode() + raw + b"\r\n")
    await writer.drain()


def _append(log: Path, what: str, request: SeenRequest) -> None:
    with log.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"event": what, **dataclasses.asdict(request)}) + "\n")


def main() -> None:
    """Serve until SIGTERM or SIGINT."""
    parser = argparse.ArgumentParser(description="Scripted OpenAI-compatible server on 127.0.0.1.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--rules", type=Path, help="JSON file with a list of rules")
    parser.add_argument("--log", type=Path, help="append requests and their ends to this file as JSON lines")
    args = parser.parse_args()
    rules = load_rules(args.rules) if args.rules else (Rule(reply="A scripted reply.\n{tag}: accept"),)
    done = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: done.set())
    log: Path | None = args.log
    on_event = None if log is None else lambda what, request: _append(log, what, request)
    with contextlib.suppress(BrokenPipeError), FakeServer(rules, port=args.port, on_event=on_event) as server:
        print(server.port, flush=True)  # noqa: T201 - the port on stdout is this program's interface
        done.wait()


if __name__ == "__main__":
    main()
