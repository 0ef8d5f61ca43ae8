"""Running a plug-in, always in a limited process of its own, so that nothing it does reaches this one.

The process has an empty folder for its current one, an empty environment, and standard streams that are files: nothing
it starts can keep a pipe open or fill one. That is no sandbox. Installed code could do as the user can; the limits
guard against its accidents and against answers made to trip it.
"""

import asyncio
import dataclasses
import json
import logging
import os
import signal
import sys
import tempfile
from asyncio.subprocess import Process
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Any
from weakref import WeakKeyDictionary

from uq_tui.plugins.spec import CITATION_CHECKERS, DEFAULT_LIMITS, VALIDATORS, Finding, Limits
from uq_tui.text import clean
from uq_tui.words import Outcome

MAX_REASON = 1_000
"""Characters of a reason or problem that are kept."""
MAX_LOGGED = 16 << 10
"""Bytes of what a plug-in printed that go to the log."""
NETWORK_VARIABLES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy", "ssl_cert_file", "ssl_cert_dir")
"""What a checker needs to get out; in capitals as well."""

DECISIONS = frozenset((Outcome.ACCEPT, Outcome.REJECT, Outcome.SKIPPED, Outcome.UNPARSED))
"""What a validator may find."""

log = logging.getLogger(__name__)

_turns: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of a call of a plug-in: a JSON value, or a problem."""

    value: Any = None
    problem: str = ""
    """Why nothing came; at most `MAX_REASON` characters, and foreign text."""


async def run(name: str, question: str, answer: str, *, limits: Limits = DEFAULT_LIMITS) -> Finding:
    """What the validator plug-in `name` finds.

    A plug-in that is not installed, crashes, hangs, uses too much or returns anything but a finding brings FAILED with
    the reason. The reason is foreign text in either case. Cancelling ends the plug-in's processes.
    """
    ran = await run_object(VALIDATORS, name, "check", (question, answer), limits=limits)
    if ran.problem:
        return Finding(Outcome.FAILED, ran.problem)
    match ran.value:
        case {"outcome": str(outcome), "reason": str(reason), **rest} if outcome in DECISIONS and not rest:
            return Finding(Outcome(outcome), _bounded(reason))
    return Finding(Outcome.FAILED, "the plug-in returned no finding")


async def run_object(
    group: str, name: str, method: str, arguments: Sequence[Any], *, limits: Limits = DEFAULT_LIMITS
) -> Ran:
    """Call a method of an installed plug-in.

    Args:
        group: the entry point group.
        method: its name.
        arguments: JSON values.
        limits: what it may use. As many run at once as there are cores; time counts from when its turn comes.

    Returns:
        its result, dataclasses as objects; or a problem, whatever it was.
    """
    request = {
        "group": group,
        "name": name,
        "method": method,
        "arguments": list(arguments),
        "limits": dataclasses.asdict(limits),
    }
    async with _turn():
        with (
            tempfile.TemporaryDirectory(prefix="uq-plugin-", ignore_cleanup_errors=True) as folder,
            tempfile.TemporaryFile() as source,
            tempfile.TemporaryFile() as out,
            tempfile.TemporaryFile() as printed,
        ):
            source.write(json.dumps(request).encode())
            source.seek(0)
            try:
                child = await asyncio.create_subprocess_exec(
                    sys.executable,
                    *("-P", "-X", "utf8", "-m", "uq_tui.plugins.child"),
                    stdin=source,
                    stdout=out,
                    stderr=printed,
                    cwd=folder,
                    env=_environment(group, folder),
                    start_new_session=True,
                )
            except OSError as error:
                return Ran(problem=f"the plug-in could not be started: {error.strerror or error}")
            in_time = await _ended(child, limits.seconds)
            _keep_printed(name, printed)
            if not in_time:
                return Ran(problem=f"the plug-in did not end within {limits.seconds:g} s")
            return _read(out, limits, child.returncode or 0)


def _turn() -> asyncio.Semaphore:
    loop = asyncio.get_running_loop()
    return _turns.setdefault(loop, asyncio.Semaphore(os.cpu_count() or 1))


def _environment(group: str, folder: str) -> Mapping[str, str]:
    """No key, no path to code, no name of a workspace: only where temporary files go and, for checkers, the way out."""
    kept = {"TMPDIR": folder}
    if group == CITATION_CHECKERS:
        names = [*NETWORK_VARIABLES, *(name.upper() for name in NETWORK_VARIABLES)]
        kept |= {name: os.environ[name] for name in names if name in os.environ}
    return kept


async def _ended(child: Process, seconds: float) -> bool:
    """Whether the process ended by itself in time. Afterwards nothing of its process group is left, in any case."""
    try:
        await asyncio.wait_for(child.wait(), seconds)
    except TimeoutError:
        return False
    finally:
        with suppress(ProcessLookupError, PermissionError):  # macOS says the latter of a group of dead processes
            os.killpg(child.pid, signal.SIGKILL)
        await child.wait()
    return True


def _read(out: IO[bytes], limits: Limits, status: int) -> Ran:
    """The one object on the standard output of a process that has ended."""
    out.seek(0)
    said = out.read(limits.output_bytes + 1)
    if len(said) > limits.output_bytes:
        return Ran(problem=f"the plug-in's result is longer than {limits.output_bytes:,} bytes")
    try:
        told = json.loads(said)
    except (ValueError, RecursionError):
        return Ran(problem=f"the plug-in ended without a result ({_manner(status)})")
    match told:
        case {"result": value, **rest} if not rest:
            return Ran(value)
        case {"problem": str(problem), **rest} if problem and not rest:
            return Ran(problem=_bounded(problem))
    return Ran(problem="the plug-in's process wrote something else than a result")


def _manner(status: int) -> str:
    """How a process ended, for people."""
    if status >= 0:
        return f"exit status {status}"
    number = -status
    known = {signal.SIGXCPU: "out of processor time", signal.SIGKILL: "killed"}
    if number in known:
        return known[signal.Signals(number)]
    return f"signal {number}, {signal.strsignal(number) or 'unknown'}"


def _keep_printed(name: str, printed: IO[bytes]) -> None:
    printed.seek(0)
    text = printed.read(MAX_LOGGED).decode(errors="replace")
    if text.strip():
        log.warning("plug-in %s printed:\n%s", name, clean(text))


def _bounded(text: str) -> str:
    """Short enough, and without what UTF-8 can't hold."""
    return text.encode(errors="replace").decode()[:MAX_REASON]
