"""A loopback model server that gives away the key it was sent, everywhere it can."""

import itertools
import json
import threading
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

KINDS = ("500", "401", "error object", "broken", "reply")
"""Ways to answer; "broken" ends in the middle."""


class EchoServer:
    """A context manager. Answers requests in the ways that `kinds` names, then goes on with the last.

    Every answer has the key in its headers, and in its text as it came. `answered` has (kind, key, streamed).
    """

    def __init__(self, kinds: Sequence[str] = KINDS) -> None:
        self._kinds = itertools.chain(kinds, itertools.repeat(kinds[-1]))
        self._lock = threading.Lock()
        self.answered: list[tuple[str, str, bool]] = []
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                owner._answer(self)

            def log_message(self, format: str, *args: Any) -> None:
                """Nothing is logged."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, name="echo-server", daemon=True)
        self.base_url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join(10)
        self._server.server_close()

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        key = handler.headers.get("Authorization", "").removeprefix("Bearer ")
        streamed = bool(body.get("stream"))
        with self._lock:
            kind = next(self._kinds)
            self.answered.append((kind, key, streamed))
        told = f"you sent {key} and {key}"
        problem = {"error": {"message": told, "type": key, "param": key, "code": None}}
        if kind in ("500", "401"):
            self._send(handler, int(kind), key, "application/json", json.dumps(problem))
        elif streamed:
            pieces = [told[:14], told[14:20], told[20:]]
            events = [_chunk({"content": piece}) for piece in pieces]
            events.insert(0, _chunk({"reasoning_content": told}))
            ends = {"error object": [problem], "broken": []}
            events += ends.get(kind, [_chunk({}, "stop")])
            text = "".join(f"data: {json.dumps(event)}\n\n" for event in events)
            text += "data: [DONE]\n\n" if kind == "reply" else ""
            self._send(handler, 200, key, "text/event-stream", text, cut=kind == "broken")
        else:
            message = {"role": "assistant", "content": f"<think>{told}</think>{told}"}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            whole = {"id": key, "object": "chat.completion", "created": 0, "model": key, "choices": [choice]}
            text = json.dumps(problem if kind == "error object" else whole)
            self._send(handler, 200, key, "application/json", text, cut=kind == "broken")

    @staticmethod
    def _send(
        handler: BaseHTTPRequestHandler, status: int, key: str, content_type: str, text: str, *, cut: bool = False
    ) -> None:
        data = text.encode()
        handler.send_response(status, key)
        handler.send_header("Content-Type", content_type)
        handler.send_header("Content-Length", str(len(data) + (64 if cut else 0)))
        handler.send_header("WWW-Authenticate", f'Bearer realm="{key}"')
        handler.send_header("x-request-id", key)
        handler.send_header("Retry-After", "0")
        handler.end_headers()
        handler.wfile.write(data)


def _chunk(delta: dict[str, str], finish: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "m", "choices": [choice]}
