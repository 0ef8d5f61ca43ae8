"""The real program in a real pseudo-terminal, read through a terminal emulator."""

import os
import select
import time
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType

import pyte
from ptyprocess import PtyProcess

KEYS = {
    "enter": "\r",
    "escape": "\x1b",
    "tab": "\t",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "home": "\x1b[H",
    "end": "\x1b[F",
    "backspace": "\x7f",
}


class Terminal:
    """One program on a screen of its own. Leaving the context kills what is left of it."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        env: Mapping[str, str],
        columns: int = 120,
        lines: int = 40,
        cwd: str | None = None,
    ) -> None:
        self._screen = pyte.Screen(columns, lines)
        self._stream = pyte.ByteStream(self._screen)
        self.output = bytearray()
        """Every byte the program wrote."""
        # The size is in the environment too: the terminal gets its own only after the program has been started.
        sized = {**env, "COLUMNS": str(columns), "LINES": str(lines)}
        self._process = PtyProcess.spawn(list(command), env=sized, cwd=cwd, dimensions=(lines, columns))

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.isalive():
            self._process.terminate(force=True)
        self._process.close()

    @property
    def pid(self) -> int:
        return int(self._process.pid)

    @property
    def text(self) -> str:
        """The screen as lines of text."""
        return "\n".join(self._screen.display)

    def press(self, *keys: str, settle: bool = True) -> None:
        """Press named keys (see KEYS), `ctrl+x`, or type anything else as it stands.

        Without `settle`, the caller waits for what the keys do.
        """
        for key in keys:
            control = key.startswith("ctrl+") and len(key) == 6
            self._process.write((chr(ord(key[-1]) & 0x1F) if control else KEYS.get(key, key)).encode())
            if settle:
                self._settle()

    def _settle(self, quiet: float = 0.3, most: float = 2.0) -> None:
        """Let the program react, as a person who looks before the next key: until nothing new comes, or `most`."""
        until = time.monotonic() + most
        before = -1
        while before < len(self.output) and time.monotonic() < until:
            before = len(self.output)
            self._take(quiet)

    def pump(self, seconds: float) -> None:
        """Take what the program writes for some time, or until it ends."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if not self._take(left):
                return

    def _take(self, seconds: float) -> bool:
        """Take one piece of output; False once the program has closed its side."""
        ready, _, _ = select.select([self._process.fd], [], [], seconds)
        if not ready:
            return True
        try:
            data = os.read(self._process.fd, 65536)
        except OSError:
            return False
        self.output += data
        self._stream.feed(data)
        return bool(data)

    def wait_for(self, wanted: str | Callable[[str], bool], seconds: float = 30.0) -> None:
        """Wait until the screen holds a text, or satisfies a test. Raises AssertionError with the screen."""
        holds = wanted if callable(wanted) else (lambda text: wanted in text)
        until = time.monotonic() + seconds
        while not holds(self.text):
            if time.monotonic() > until:
                raise AssertionError(f"{wanted!r} did not appear in {seconds:g} s. The screen:\n{self.text}")
            if not self._take(0.1):
                if holds(self.text):
                    return
                raise AssertionError(f"The program ended before {wanted!r} appeared. The screen:\n{self.text}")

    def wait_for_end(self, seconds: float = 15.0) -> int:
        """Wait until the program has ended; returns its exit code."""
        until = time.monotonic() + seconds
        while self._take(0.1):
            if time.monotonic() > until:
                raise AssertionError(f"The program did not end in {seconds:g} s. The screen:\n{self.text}")
        self._process.wait()
        return int(self._process.exitstatus if self._process.exitstatus is not None else -1)
