"""Stands in for the model library: the same calls, a real HTTP server, no model.

What the model file says decides how it goes: `refuse` raises, `load` makes a file `.loading` beside it and takes a
minute, during which no other Python code runs, as with the real one. Every token is a word. Streams go on until
`max_tokens`, 100 words a second.
"""

import ctypes
import http.server
import json
import threading
import time
from http import HTTPStatus
from pathlib import Path
from types import SimpleNamespace
from typing import Any

WORDS_A_SECOND = 100


class CommonParams(SimpleNamespace):
    """Takes any setting."""

    def __init__(self) -> None:
        super().__init__(model=SimpleNamespace(), cpuparams=SimpleNamespace(), cpuparams_batch=SimpleNamespace())


class Server:
    """Listening when it is made."""

    def __init__(self, params: CommonParams) -> None:
        content = Path(params.model.path).read_bytes()
        if content == b"refuse":
            raise RuntimeError("failed to load model")
        if content == b"load":
            Path(f"{params.model.path}.loading").touch()
            ctypes.PyDLL(None).sleep(60)  # PyDLL, other than CDLL, lets no other thread run
        handler = type("Handler", (_Handler,), {"params": params})
        server = http.server.ThreadingHTTPServer((params.hostnames[0], params.port), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.listening_address = f"http://127.0.0.1:{server.server_port}"


class _Handler(http.server.BaseHTTPRequestHandler):
    params: CommonParams

    def do_GET(self) -> None:
        self._answer({"data": [{"meta": {"n_ctx": self.params.n_ctx // self.params.n_parallel}}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path.endswith("/input_tokens"):
            words = sum(len(message["content"].split()) for message in body["messages"])
            self._answer({"input_tokens": words})
        else:
            self._stream(body["max_tokens"])

    def _answer(self, what: dict[str, Any]) -> None:
        known = self.headers["Authorization"] == f"Bearer {self.params.api_keys[0]}"
        raw = json.dumps(what if known else {"error": "wrong key"}).encode()
        self.send_response(HTTPStatus.OK if known else HTTPStatus.UNAUTHORIZED)
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def _stream(self, words: int) -> None:
        self.send_response(HTTPStatus.OK)
        self.end_headers()
        for number in range(words):
            time.sleep(1 / WORDS_A_SECOND)
            self.wfile.write(f"data: {number}\n".encode())
