"""Kills workers and apps in the middle of runs, at points drawn by chance, and checks what that has cost.

The server answers as a function of what it is asked, after up to 30 ms. After each kill the store is read: what is
committed then must never be asked again, and what is marked as in flight may be asked once more.
"""

import asyncio
import json
import os
import random
import signal
import sys
import uuid
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from store import calls, judgements, runs
from store.run_rows import Call, Run
from store.workspace import Workspace
from tests.engine.process.fakes import until
from tests.engine.process.lab import QUESTION, ROOT
from tests.engine.process.processes import MARK, lives, marked
from tests.fakes.openai_rules import pure_script, sha256
from tests.fakes.openai_server import FakeServer, Rule, SeenRequest
from uq_tui.engine.protocol import encode
from uq_tui.engine.requests import CbuRequest, ModelChoice, ValidateRequest
from uq_tui.words import CallState, RunState

_PATIENCE_S = 120.0
"""A gateway process imports LiteLLM before its first call, which takes long on a busy machine."""
_SLOWEST_REPLY_S = 0.03
_MOST_CALLS_BETWEEN_KILLS = 30
"""Several times as many as are in flight at once, so that most kills find something committed since the last one."""
_AT_ONCE = 0.25
"""The share of kills that don't wait for any call."""
_LOOK_S = 0.05
"""Between two looks through all processes."""

Request = ValidateRequest | CbuRequest


class Victim(StrEnum):
    """Who is killed."""

    WORKER = "worker"
    APP = "app"
    BOTH = "both"


def answer(request: SeenRequest) -> Rule:
    """A pure function of messages and sample, its delay too."""
    rule = pure_script()(request)
    return replace(rule, first_delay_s=int(sha256(rule.reply)[:4], 16) / 0xFFFF * _SLOWEST_REPLY_S)


class Hosted:
    """An app in a process of its own."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.worker = 0
        """The process id of its worker."""
        self.workers = 0
        """How many workers have started."""
        self.started: set[str] = set()
        self.finished: set[str] = set()
        self.problems: list[str] = []
        self._listening = asyncio.create_task(self._listen())

    @classmethod
    async def start(cls, workspace: Path, log: Path, mark: str) -> "Hosted":
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.engine.process.host", str(workspace), str(log)),
            cwd=ROOT,
            env={**os.environ, MARK: mark},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        return cls(process)

    async def _listen(self) -> None:
        assert self.process.stdout is not None
        while line := await self.process.stdout.readline():
            what, about = json.loads(line)
            match what:
                case "worker":
                    self.worker = int(about)
                    self.workers += 1
                case "started":
                    self.started.add(about)
                case "finished":
                    self.finished.add(about)
                case _:
                    self.problems.append(about)

    async def until_worker(self, number: int = 1) -> None:
        """Wait until so many workers have started since the app has."""
        await until(lambda: self.workers >= number or self._listening.done(), seconds=_PATIENCE_S)
        assert self.workers >= number, "the app ended"

    def ask(self, request: Request) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(encode(request))

    async def close(self) -> None:
        """Leave the app, as a user does."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        await self.process.wait()
        await self._listening


@dataclass(frozen=True, slots=True)
class Left:
    """What the store and the server held after a kill."""

    committed: frozenset[str]
    in_flight: frozenset[tuple[str, str]]
    """Keys of calls, each with the time when it was marked: after two kills in a row the same mark may still stand."""
    requests: int


class Kills:
    """A workspace, a server, and an app that is killed again and again.

    Args:
        ws: a stocked workspace.
        folder: for logs.
        server: answers with `answer`.
        chance: draws when and whom to kill.
    """

    def __init__(self, ws: Workspace, folder: Path, server: FakeServer, chance: random.Random) -> None:
        self.ws = ws
        self._folder = folder
        self._server = server
        self._chance = chance
        self._mark = uuid.uuid4().hex
        self._host: Hosted | None = None
        self.left: list[Left] = []
        """What each kill so far has left."""

    @property
    def model(self) -> ModelChoice:
        return ModelChoice("openai/scripted", self._server.base_url)

    async def __aenter__(self) -> "Kills":
        self._host = await self._start()
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._app.process.returncode is None:
            await self._app.close()
        await until(lambda: not marked(self._mark), every_s=_LOOK_S)

    @property
    def _app(self) -> Hosted:
        assert self._host is not None
        return self._host

    async def _start(self) -> Hosted:
        app = await Hosted.start(self.ws.path, self._folder / "worker.log", self._mark)
        await app.until_worker()
        return app

    async def undisturbed(self, request: Request) -> Run:
        """Run without a kill."""
        first = len(self._server.requests)
        run_id = await self._begin(request)
        await until(lambda: run_id in self._app.finished, seconds=_PATIENCE_S)
        run = runs.get(self.ws, run_id)
        assert (run.state, run.repeated) == (RunState.DONE, 0)
        assert max(asked(self._server.requests[first:]).values()) == 1
        return run

    async def disturbed(self, request: Request, *, like: Run, victims: list[Victim]) -> None:
        """Run, killing one victim after the other until the run ends or none is left, and check what that has cost.

        Args:
            request: what to run, anew.
            like: the same, undisturbed.
            victims: those that were killed are taken from the end.
        """
        first = len(self._server.requests)
        run_id = await self._begin(request)
        left: list[Left] = []
        while victims and await self._until_point(run_id):
            left.append(await self._kill(victims.pop(), run_id))
        self.left += left
        await self._until(run_id, lambda: False)
        self._check(runs.get(self.ws, run_id), like, self._server.requests[first:], first, left)

    async def _begin(self, request: Request) -> str:
        before = set(self._app.started)
        self._app.ask(request)
        await until(lambda: self._app.started - before or self._app.problems, seconds=_PATIENCE_S, every_s=_LOOK_S)
        assert not self._app.problems
        (run_id,) = self._app.started - before
        return run_id

    async def _until_point(self, run_id: str) -> bool:
        """Wait for the moment to kill; False when the run has finished before."""
        more = 0 if self._chance.random() < _AT_ONCE else self._chance.randrange(1, _MOST_CALLS_BETWEEN_KILLS)
        wanted = len(self._server.requests) + more
        pause_s = self._chance.uniform(0.0, 2 * _SLOWEST_REPLY_S)
        await self._until(run_id, lambda: len(self._server.requests) >= wanted)
        await asyncio.sleep(pause_s)
        return not self._has_ended(run_id)

    async def _until(self, run_id: str, holds: Callable[[], bool]) -> None:
        """Wait until something holds or the run has ended."""
        if not self._has_ended(run_id):
            await until(lambda: run_id in self._app.finished or holds(), seconds=_PATIENCE_S, every_s=0.005)

    def _has_ended(self, run_id: str) -> bool:
        """As the store has it: whoever was to tell the end may have been killed."""
        return runs.get(self.ws, run_id).state is RunState.DONE

    async def _kill(self, victim: Victim, run_id: str) -> Left:
        app, worker = self._app, self._app.worker
        before = marked(self._mark)
        if victim is Victim.WORKER:
            os.kill(app.process.pid, signal.SIGSTOP)  # so that it starts no other before the store is read
            os.kill(worker, signal.SIGKILL)
            await until(lambda: not lives(worker))
            left = self._look(run_id)
            os.kill(app.process.pid, signal.SIGCONT)
            await app.until_worker(app.workers + 1)
            await self._until_gone(before - {app.process.pid})
            return left
        pids = [app.process.pid] if victim is Victim.APP else [app.process.pid, worker]
        self._chance.shuffle(pids)
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        await app.process.wait()
        await self._until_gone(before)
        left = self._look(run_id)
        if victim is Victim.BOTH:
            self.ws.write(lambda conn: conn.exec_driver_sql("UPDATE run SET lease_until = 0"))  # as after 15 s
        self._host = await self._start()
        return left

    async def _until_gone(self, pids: frozenset[int]) -> None:
        """No process of the engine outlives it, whoever was killed, and no request goes on."""
        sent = tuple(self._server.requests)
        await until(lambda: not pids & marked(self._mark), every_s=_LOOK_S)
        await until(lambda: all(request.finished or request.disconnected for request in sent), every_s=_LOOK_S)

    def _look(self, run_id: str) -> Left:
        with self.ws.read() as conn:
            marks = conn.exec_driver_sql("SELECT call_key, asked_at FROM run_call WHERE run_id = ?", (run_id,))
            in_flight = frozenset((row.call_key, row.asked_at) for row in marks)
        committed = frozenset(as_asked(call) for call in done_calls(self.ws, run_id))
        return Left(committed, in_flight, len(self._server.requests))

    def _check(self, run: Run, like: Run, requests: list[SeenRequest], first: int, left: list[Left]) -> None:
        times = asked(requests)
        done = {call.key: as_asked(call) for call in done_calls(self.ws, run.id)}
        for one in left:
            asked_later = asked(requests[one.requests - first :])
            assert one.committed.isdisjoint(asked_later), "a committed call was asked again"
        marks = frozenset[tuple[str, str]]().union(*(one.in_flight for one in left))
        in_flight = Counter(done[key] for key, _ in marks)
        assert times.keys() == set(done.values())
        assert all(times[what] <= 1 + in_flight[what] for what in times)
        assert run.repeated == len(marks)
        assert sum(times.values()) - len(times) <= run.repeated
        if run.repeated > 1:
            assert f"{run.repeated:,} calls were in flight when the run stopped, and asked again." in run.message
        assert (run.state, run.done, run.total, run.asked) == (like.state, like.done, like.total, like.asked)
        assert found(self.ws, run) == found(self.ws, like)


def asked(requests: list[SeenRequest]) -> Counter[str]:
    """How often the server saw each call."""
    return Counter(_named(one.messages, one.body.get("seed")) for one in requests)


def as_asked(call: Call) -> str:
    """A stored call as `asked` names it."""
    messages = [{"role": message.role, "content": message.content} for message in call.messages]
    return _named(messages, call.parameters.get("seed"))


def _named(messages: object, seed: object) -> str:
    return sha256(json.dumps([messages, seed], sort_keys=True))


def done_calls(ws: Workspace, run_id: str) -> list[Call]:
    """The answered calls that a run has asked."""
    with ws.read() as conn:
        query = "SELECT key FROM call WHERE run_id = ? AND state = ?"
        keys = list(conn.exec_driver_sql(query, (run_id, CallState.DONE.value)).scalars())
    return list(calls.find(ws, keys).values())


def found(ws: Workspace, run: Run) -> tuple[set[tuple[object, ...]], set[tuple[object, ...]]]:
    """What a run has found out: outcomes and rollouts."""
    outcomes = judgements.outcomes_of_run(ws, run.id)
    rollouts = judgements.rollouts_of_run(ws, run.id)
    return (
        {(one.candidate_id, one.path, one.outcome, one.reason, one.round) for one in outcomes},
        {(one.candidate_id, one.neighbour_id, one.sample, one.value, one.answer) for one in rollouts},
    )


def requests_for(model: ModelChoice, candidate_ids: tuple[str, ...]) -> tuple[Request, Request]:
    """The two kinds of runs that are disturbed."""
    return (
        ValidateRequest(candidate_ids, model, "3-iter", exact=True, fresh=True),
        CbuRequest(QUESTION, model, candidate_ids, rollouts=8, fresh=True),
    )
