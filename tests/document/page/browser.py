"""Debian's Chromium without a window, driven over its debugging pipe: what it makes of a page, and what it asks for."""

import json
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

ANSWERS_WITHIN = 60.0
"""Seconds after which a browser that says nothing is given up."""

_OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--remote-debugging-pipe",
)
_FILES = "--user-data-dir="
# It reads from its descriptor 3 and writes to 4.
_WITH_PIPES = """
import fcntl, os, sys
reading, writing = (fcntl.fcntl(int(number), fcntl.F_DUPFD, 10) for number in sys.argv[1:3])
os.dup2(reading, 3)
os.dup2(writing, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""


class Browser:
    """One page of one browser. `requests` has the address of all that was asked for, `problems` what was logged."""

    def __init__(self, process: "subprocess.Popen[bytes]", to_browser: int, from_browser: int) -> None:
        self._process = process
        self._to, self._from = to_browser, from_browser
        self._buffer = b""
        self._last_id = 0
        self._session = ""
        self.requests: list[str] = []
        self.problems: list[str] = []
        self._loaded = False

    def open(self, page: Path) -> None:
        """Load a file, and wait until it stands."""
        if not self._session:
            target = self.call("Target.createTarget", url="about:blank")["targetId"]
            self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            for domain in ("Page", "Network", "Log", "Runtime", "Security", "Audits"):
                self.call(f"{domain}.enable")
        self.requests.clear()
        self.problems.clear()
        self._loaded = False
        self.call("Page.navigate", url=page.as_uri())
        while not self._loaded:
            self._take(self._receive())

    def value(self, expression: str) -> Any:
        """What an expression of the browser's own language comes to on the page, as JSON can hold it."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Ask the browser for something, and wait for its answer."""
        self._last_id += 1
        message = {"id": self._last_id, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._last_id:
                assert "error" not in answer, answer
                result: dict[str, Any] = answer["result"]
                return result
            self._take(answer)

    def _receive(self) -> dict[str, Any]:
        until = time.monotonic() + ANSWERS_WITHIN
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._from], [], [], max(0, until - time.monotonic()))
            read = os.read(self._from, 1 << 20) if ready else b""
            assert read, f"the browser says nothing more; its exit code: {self._process.poll()}"
            self._buffer += read
        line, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        return message

    def _take(self, event: dict[str, Any]) -> None:
        parameters = event.get("params", {})
        match event.get("method"):
            case "Page.loadEventFired":
                self._loaded = True
            case "Network.requestWillBeSent":
                self.requests.append(parameters["request"]["url"])
            case "Log.entryAdded":
                self.problems.append(parameters["entry"]["text"])
            case "Runtime.consoleAPICalled" | "Runtime.exceptionThrown" | "Audits.issueAdded":
                self.problems.append(json.dumps(parameters))
            case "Page.javascriptDialogOpening":
                self.problems.append(f"a dialog: {parameters['message']}")


@contextmanager
def browser(folder: Path) -> Iterator[Browser]:
    """A browser with its files in `folder`, to which no host exists; skips the test where there is none."""
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("there is no chromium here")
    commands, answers = os.pipe(), os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-c", _WITH_PIPES, str(commands[0]), str(answers[1]), program, *_OPTIONS, f"{_FILES}{folder}"],
        pass_fds=(commands[0], answers[1]),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "XDG_CACHE_HOME": str(folder)},
    )
    os.close(commands[0])
    os.close(answers[1])
    try:
        yield Browser(process, commands[1], answers[0])
    finally:
        process.terminate()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        os.close(commands[1])
        os.close(answers[0])
