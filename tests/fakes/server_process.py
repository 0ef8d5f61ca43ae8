"""The scripted server in a process of its own, for programs under test that must not share an interpreter with it."""

import dataclasses
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.fakes.openai_rules import Rule

ROOT = Path(__file__).resolve().parents[2]


class FakeServerProcess:
    """A context manager; `base_url` is good once it has been entered.

    Args:
        rules: what it answers; without any it answers as a pure function of messages and sample.
        options: more arguments for its command line, such as `--outage`, `300`.
    """

    def __init__(self, rules: Sequence[Rule] = (), *, options: Sequence[str] = ()) -> None:
        self._rules = tuple(rules)
        self._options = tuple(options)
        self._folder = tempfile.TemporaryDirectory()
        self._log = Path(self._folder.name) / "seen.jsonl"
        self._process: subprocess.Popen[str] | None = None
        self.base_url = ""

    def __enter__(self) -> Self:
        rules = Path(self._folder.name) / "rules.json"
        rules.write_text(json.dumps([dataclasses.asdict(rule) for rule in self._rules]), encoding="utf-8")
        command = [sys.executable, "-m", "tests.fakes.openai_server", "--port", "0"]
        command += ["--log", str(self._log), *self._options]
        command += ["--rules", str(rules)] if self._rules else ["--pure"]
        self._process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        port = self._process.stdout.readline().strip()
        self.base_url = f"http://127.0.0.1:{port}/v1"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(timeout=10)
            if self._process.stdout is not None:
                self._process.stdout.close()
        self._folder.cleanup()

    def log(self) -> list[dict[str, Any]]:
        """What has been logged so far: arrivals and ends of requests."""
        if not self._log.exists():
            return []
        return [json.loads(line) for line in self._log.read_text(encoding="utf-8").splitlines()]

    def requests(self) -> list[dict[str, Any]]:
        """The requests that have arrived."""
        return [entry for entry in self.log() if entry["event"] == "request"]
