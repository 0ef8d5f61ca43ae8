"""Bytes to and from the clients of the fake server: requests read, heads and bodies written, connections cut."""

import asyncio
import json
import socket
import struct
from typing import Any

from tests.fakes.openai_bodies import as_json, error_object
from tests.fakes.openai_rules import Rule


class Incoming:
    """What one client sends. Watching for its end doesn't lose the beginning of its next request."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader = reader
        self._ahead = b""

    async def gone(self) -> None:
        """Return when the client has left. A client that sends its next request early hasn't."""
        while True:
            found = await self._reader.read(1)
            if not found:
                return
            self._ahead += found

    async def request(self) -> tuple[str, dict[str, str], dict[str, Any]]:
        """The next request's path, headers and JSON body. Raises IncompleteReadError when there is none."""
        head = self._ahead
        while b"\r\n\r\n" not in head:
            head += await self._reader.readuntil(b"\n")
        head, _, raw = head.partition(b"\r\n\r\n")
        self._ahead = b""
        first, *lines = head.decode("latin-1").strip().split("\r\n")
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        raw += await self._reader.readexactly(int(headers.get("content-length", "0")) - len(raw))
        return first.split(" ")[1].partition("?")[0], headers, json.loads(raw) if raw else {}


class Outgoing:
    """What one client is sent.

    Args:
        keep_alive: whether the client may ask again on this connection.
    """

    def __init__(self, writer: asyncio.StreamWriter, *, keep_alive: bool) -> None:
        self._writer = writer
        self._keep_alive = keep_alive
        connection: socket.socket | None = writer.get_extra_info("socket")
        if connection is not None:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    async def head(self, status: int, headers: dict[str, str]) -> None:
        lines = [f"HTTP/1.1 {status} {'OK' if status == 200 else 'Error'}"]
        lines += [f"Connection: {'keep-alive' if self._keep_alive else 'close'}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        await self.raw(("\r\n".join(lines) + "\r\n\r\n").encode())

    async def raw(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()

    async def body(self, status: int, data: bytes, kind: str, headers: dict[str, str] | None = None) -> None:
        await self.head(status, {"Content-Type": kind, "Content-Length": str(len(data)), **(headers or {})})
        await self.raw(data)

    async def json(self, status: int, data: dict[str, Any], headers: dict[str, str] | None = None) -> None:
        await self.body(status, as_json(data), "application/json", headers)

    async def error(self, rule: Rule) -> None:
        """An error answer."""
        headers = {"Retry-After": rule.retry_after} if rule.retry_after else {}
        await self.json(rule.status, error_object(rule, rule.error_code or None), headers)

    async def chunk(self, data: bytes, size: int = 0) -> None:
        """Data as chunks of a body without a length: in one piece, or in pieces of `size` bytes."""
        step = size or len(data)
        for start in range(0, len(data), step or 1):
            piece = data[start : start + step]
            await self.raw(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")

    async def last_chunk(self) -> None:
        await self.raw(b"0\r\n\r\n")

    def cut(self, *, reset: bool) -> None:
        """End the connection at once: closed after what was written, or reset."""
        if reset:
            connection: socket.socket | None = self._writer.get_extra_info("socket")
            if connection is not None:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._writer.transport.abort()
