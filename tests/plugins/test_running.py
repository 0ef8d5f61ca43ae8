"""Plug-ins that behave and plug-ins that don't, in real processes."""

import asyncio
import json
import logging
import os
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.plugins.site_packages import make_environment, write_distribution
from uq_tui.plugins.running import MAX_LOGGED, MAX_REASON, Ran, run, run_object
from uq_tui.plugins.spec import CITATION_CHECKERS, DEFAULT_LIMITS, VALIDATORS, Finding
from uq_tui.words import Outcome

CODE = r'''
import json, os, signal, subprocess, sys, time
from pathlib import Path
from uq_tui.plugins.spec import Finding
from uq_tui.words import Outcome

class Echo:
    def check(self, question, answer):
        return Finding(Outcome.ACCEPT, f"{question}|{answer}")

class Surroundings:
    def check(self, question, answer):
        print("to standard output")
        print("to standard error", file=sys.stderr)
        found = {"files": os.listdir("."), "environment": sorted(os.environ), "path": sys.path}
        return Finding(Outcome.SKIPPED, json.dumps(found))

class Raises:
    def check(self, question, answer):
        raise ValueError("cannot\x1b[2J")

class Leaves:
    def check(self, question, answer):
        sys.exit(7)

class Crashes:
    def check(self, question, answer):
        os.kill(os.getpid(), signal.SIGSEGV)

class Hangs:
    def check(self, question, answer):
        Path(answer).write_text(str(os.getpid()))
        signal.pause()

class Forks:
    """Leaves a process behind that holds all streams, and the pipe it is given."""
    def check(self, question, answer):
        with open(answer, "wb") as pipe:
            subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"], pass_fds=[pipe.fileno()])
        return Finding(Outcome.ACCEPT)

class Spins:
    def check(self, question, answer):
        while True:
            pass

class Eats:
    def check(self, question, answer):
        return Finding(Outcome.ACCEPT, str(len(bytearray(8 << 30))))

class Fills:
    def check(self, question, answer):
        with open("big", "wb") as file:
            for _ in range(64):
                file.write(bytes(1 << 20))
        return Finding(Outcome.ACCEPT)

class Babbles:
    def check(self, question, answer):
        print("x" * 200_000)
        return Finding(Outcome.ACCEPT, "y" * 5_000)

class Floods:
    def check(self, question, answer):
        return Finding(Outcome.ACCEPT, "z" * 500_000)

class Failed:
    def check(self, question, answer):
        return Finding(Outcome.FAILED, "no")

class Words:
    def check(self, question, answer):
        return {"outcome": "accept", "reason": "as a dict"}

class Number:
    def check(self, question, answer):
        return 3

class Unwritable:
    def check(self, question, answer):
        return object()

class Surrogate:
    def check(self, question, answer):
        return Finding(Outcome.ACCEPT, "\ud800")

class Unfinished:
    pass

def function(question, answer):
    return 1

broken_made = Echo()
'''
NAMES = re.findall(r"^class (\w+)", CODE, flags=re.MULTILINE)


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with good and bad plug-ins; returns its interpreter."""
    python, packages = make_environment(tmp_path_factory.mktemp("plugged") / "environment")
    entries = {name.lower(): f"behaviours:{name}" for name in NAMES}
    entries |= {"object": "behaviours:broken_made", "absent": "behaviours:Nothing", "unimportable": "behaviour:A"}
    write_distribution(packages, "behaviours", entries, code=CODE)
    write_distribution(packages, "looker", {"surroundings": "behaviours:Surroundings"}, group=CITATION_CHECKERS)
    return python


@pytest.fixture(autouse=True)
def _its_interpreter(environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(environment))


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    """A named pipe, for a plug-in to say something through."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


@pytest.mark.parametrize("name", ["echo", "object"])
async def test_a_class_or_an_object_is_asked(name: str) -> None:
    assert await run(name, "why?", "ὅτι\x00") == Finding(Outcome.ACCEPT, "why?|ὅτι\x00")


async def test_a_long_answer_arrives_whole() -> None:
    limits = replace(DEFAULT_LIMITS, output_bytes=1 << 20)
    ran = await run_object(VALIDATORS, "echo", "check", ("", "a" * 400_000), limits=limits)

    assert ran.value["reason"] == "|" + "a" * 400_000


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("raises", "ValueError: cannot"),
        ("leaves", "ended without a result (exit status 7)"),
        ("crashes", "signal 11"),
        ("eats", "MemoryError"),
        ("fills", "File too large"),
        ("floods", "longer than 65,536 bytes"),
        ("failed", "no finding"),
        ("number", "no finding"),
        ("unwritable", "can't be written as JSON"),
        ("unfinished", "AttributeError"),
        ("absent", "AttributeError"),
        ("unimportable", "ModuleNotFoundError"),
        ("unheard-of", "No plug-in named 'unheard-of'"),
    ],
)
async def test_what_goes_wrong_is_a_failure_with_its_reason(name: str, reason: str) -> None:
    finding = await run(name, "", "")

    assert finding.outcome is Outcome.FAILED
    assert reason in finding.reason


async def test_processor_time_is_bounded() -> None:
    finding = await run("spins", "", "", limits=replace(DEFAULT_LIMITS, cpu_seconds=0))

    assert finding == Finding(Outcome.FAILED, "the plug-in ended without a result (out of processor time)")


async def test_one_that_cannot_be_started_is_a_failure(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "nothing"))

    finding = await run("echo", "", "")

    assert finding == Finding(Outcome.FAILED, "the plug-in could not be started: No such file or directory")


async def test_one_that_hangs_is_ended(tmp_path: Path) -> None:
    mark = tmp_path / "pid"
    finding = await run("hangs", "", str(mark), limits=replace(DEFAULT_LIMITS, seconds=3.0))

    assert finding == Finding(Outcome.FAILED, "the plug-in did not end within 3 s")
    assert not _is_alive(int(mark.read_text()))


async def test_cancelling_ends_it(pipe: Path) -> None:
    running = asyncio.create_task(run("hangs", "", str(pipe)))
    pid = int(await asyncio.to_thread(pipe.read_text))
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running

    assert not _is_alive(pid)


async def test_what_it_leaves_behind_is_ended_and_not_waited_for(pipe: Path) -> None:
    held = asyncio.create_task(asyncio.to_thread(pipe.read_bytes))

    assert await run("forks", "", str(pipe)) == Finding(Outcome.ACCEPT)
    assert await held == b""  # it ends when nobody holds the other end of the pipe


async def test_it_stands_in_an_empty_folder_without_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    monkeypatch.chdir(tmp_path)

    ran = await run_object(VALIDATORS, "surroundings", "check", ("", ""))

    found = _told(ran)
    assert found["files"] == []
    assert set(found["environment"]) <= {"TMPDIR", "LC_CTYPE", "__CF_USER_TEXT_ENCODING"}
    assert str(tmp_path) not in found["path"]
    assert "" not in found["path"]
    assert "to standard output" in caplog.text
    assert "to standard error" in caplog.text


async def test_checkers_are_told_of_proxies_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")

    found = _told(await run_object(CITATION_CHECKERS, "surroundings", "check", ("", "")))

    assert "HTTPS_PROXY" in found["environment"]
    assert "OPENAI_API_KEY" not in found["environment"]


async def test_reasons_and_what_is_printed_are_bounded(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    finding = await run("babbles", "", "")

    assert finding == Finding(Outcome.ACCEPT, "y" * MAX_REASON)
    assert len(caplog.text) < MAX_LOGGED + 1_000


async def test_a_finding_may_be_a_plain_object() -> None:
    assert await run("words", "", "") == Finding(Outcome.ACCEPT, "as a dict")


async def test_what_utf8_cannot_hold_is_replaced() -> None:
    assert (await run("surrogate", "", "")).reason == "?"


async def test_any_result_comes_as_json() -> None:
    assert await run_object(VALIDATORS, "number", "check", ("", "")) == Ran(3)


def _told(ran: Ran) -> dict[str, list[str]]:
    found: dict[str, list[str]] = json.loads(ran.value["reason"])
    return found


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
