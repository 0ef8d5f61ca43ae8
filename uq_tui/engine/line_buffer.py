"""Bytes as they come from a pipe, cut into lines."""

LONGEST_LINE = 64 * 1024 * 1024
"""Longer lines are cut off here, and so fail to decode, instead of filling the memory."""


class LineBuffer:
    """Collects bytes and gives back whole lines without their newline."""

    def __init__(self, longest: int = LONGEST_LINE) -> None:
        self._longest = longest
        self._parts: list[bytes] = []
        self._length = 0

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that `data` completes."""
        *ends, rest = data.split(b"\n")
        lines = []
        for end in ends:
            self._keep(end)
            lines.append(b"".join(self._parts))
            self._parts, self._length = [], 0
        self._keep(rest)
        return lines

    def _keep(self, part: bytes) -> None:
        part = part[: self._longest - self._length]
        if part:
            self._parts.append(part)
            self._length += len(part)
