"""A server that costs as little as one in Python can: canned replies of 64 tokens, streamed when asked to.

Run as a process of its own by `FastServer`. The path says how it answers: `/v1` at once, `/after-50/v1` after 50 ms,
`/long/v1` with a stream of 64 KB whose last piece is held back until `/release` is asked for, and after that no more.
"""

import asyncio
import json
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Any, Self

TOKENS = 64
LONG_PIECES, LONG_PIECE = 64, 1024
"""A long reply has so many pieces of so many bytes."""

_LOOK_S = 0.2
_NUMBER = b"#00000000"
"""Becomes the number of the reply, so that no two are equal: equal answers would be one candidate."""
_USAGE = {"prompt_tokens": 10, "completion_tokens": TOKENS, "total_tokens": TOKENS + 10}
_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"


def _reply(kind: str, choices: list[dict[str, Any]], **more: Any) -> bytes:
    return json.dumps(
        {"id": "chatcmpl-1", "object": kind, "created": 0, "model": "bench", "choices": choices, **more}
    ).encode()


def _streamed(pieces: list[str]) -> tuple[bytes, bytes]:
    """A stream with the head, and its end apart."""

    def event(choices: list[dict[str, Any]], **more: Any) -> bytes:
        return b"data: " + _reply("chat.completion.chunk", choices, **more) + b"\n\n"

    deltas = [{"role": "assistant", "content": ""}, *({"content": piece} for piece in pieces)]
    body = b"".join(event([{"index": 0, "delta": delta, "finish_reason": None}]) for delta in deltas)
    end = event([{"index": 0, "delta": {}, "finish_reason": "stop"}]) + event([], usage=_USAGE) + b"data: [DONE]\n\n"
    return _HEAD % (b"text/event-stream", len(body) + len(end)) + body, end


def _plain(pieces: list[str]) -> bytes:
    message = {"role": "assistant", "content": "".join(pieces)}
    body = _reply("chat.completion", [{"index": 0, "message": message, "finish_reason": "stop"}], usage=_USAGE)
    return _HEAD % (b"application/json", len(body)) + body


_WORDS = [_NUMBER.decode(), *(f" w{number}" for number in range(1, TOKENS))]
_PLAIN = _plain(_WORDS)
_STREAMED = b"".join(_streamed(_WORDS))
_LONG, _LONG_END = _streamed([_NUMBER.decode(), *(["x" * (LONG_PIECE - 1) + " "] * LONG_PIECES)])


class _Held:
    """The long streams whose end is held back."""

    def __init__(self) -> None:
        self.open: list[asyncio.Transport] = []
        self.released = False

    def add(self, transport: asyncio.Transport) -> None:
        self.open.append(transport)
        if self.released:
            self.release()

    def release(self) -> None:
        self.released = True
        for transport in self.open:
            transport.write(_LONG_END)
        self.open.clear()


class _Connection(asyncio.Protocol):
    """One connection, kept alive; requests on it come one after the other."""

    replies = 0

    def __init__(self, held: _Held) -> None:
        self._held = held
        self._buffer = b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        head_end = self._buffer.find(b"\r\n\r\n")
        if head_end < 0:
            return
        head = self._buffer[:head_end].lower()
        _, found, length = head.partition(b"content-length:")
        end = head_end + 4 + (int(length.split(b"\r\n")[0]) if found else 0)
        if len(self._buffer) < end:
            return
        body, self._buffer = self._buffer[head_end + 4 : end], self._buffer[end:]
        self._answer(head.split(b" ", 2)[1], b'"stream":true' in body.replace(b" ", b""))

    def _answer(self, path: bytes, stream: bool) -> None:
        assert self._transport is not None
        _Connection.replies += 1
        number = b"#%08d" % _Connection.replies
        if path == b"/release":
            self._held.release()
            self._transport.write(_HEAD % (b"text/plain", 0))
        elif path == b"/held":
            count = b"%d" % len(self._held.open)
            self._transport.write(_HEAD % (b"text/plain", len(count)) + count)
        elif path.startswith(b"/long/"):
            self._transport.write(_LONG.replace(_NUMBER, number, 1))
            self._held.add(self._transport)
        else:
            reply = (_STREAMED if stream else _PLAIN).replace(_NUMBER, number, 1)
            first = path.split(b"/")[1]
            if first.startswith(b"after-"):
                asyncio.get_running_loop().call_later(int(first[6:]) / 1000, self._transport.write, reply)
            else:
                self._transport.write(reply)


async def _serve() -> None:
    held = _Held()
    server = await asyncio.get_running_loop().create_server(lambda: _Connection(held), "127.0.0.1", 0, backlog=512)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await server.serve_forever()


class FastServer:
    """The server as a context manager. `address` is good once it has been entered; `/v1` and the like follow it."""

    def __init__(self) -> None:
        self.address = ""
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "benchmarks.fast_server"]
        root = Path(__file__).resolve().parents[1]
        self._process = subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.address = f"http://127.0.0.1:{self._process.stdout.readline().strip()}"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()

    def until_held(self, streams: int) -> None:
        """Wait until so many long streams are open, each with all but its last piece on the way."""
        while int(self._get("held")) < streams:
            time.sleep(_LOOK_S)

    def release(self) -> None:
        """Let all long streams end, from now on at once."""
        self._get("release")

    def _get(self, what: str) -> bytes:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(f"{self.address}/{what}", timeout=10) as answer:
            return bytes(answer.read())


if __name__ == "__main__":
    asyncio.run(_serve())
