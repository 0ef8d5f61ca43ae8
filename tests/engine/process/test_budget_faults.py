"""Whatever fails, is stopped or is killed: what servers charge stays within budget, and the store knows all of it."""

import asyncio
import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store import marks
from store import runs as stored_runs
from store.run_rows import Call
from store.workspace import Workspace
from tests.engine.process.fakes import ask, failure, new_run
from tests.engine.process.test_budget import CHEAP, MOST_OUT
from uq_tui.config import Sampling
from uq_tui.engine.calls.attention import Attention
from uq_tui.engine.calls.budget import NOTHING, Budget, Use, worst_case
from uq_tui.engine.calls.caller import Caller, RunCalls
from uq_tui.engine.calls.live_text import LiveText
from uq_tui.engine.calls.retries import is_costless
from uq_tui.engine.calls.run_meter import RunMeter
from uq_tui.engine.calls.turns import Limits
from uq_tui.engine.requests import ModelChoice
from uq_tui.engine.spec import Ask, OnText, Prepared, Provider, Reply
from uq_tui.errors import BudgetError
from uq_tui.words import CallErrorKind

_PATIENCE = 4
"""Attempts after which a call is answered in any case."""
_ROUNDING = 1e-9
_LONGEST_S = 20.0


@dataclass(frozen=True, slots=True)
class Answer:
    """What comes of a request."""

    kind: CallErrorKind | None
    """`None` is a reply."""
    share: float
    """Of the most that the request can cost."""
    told: bool
    """The server says what it costs."""
    text: bool
    retryable: bool


@dataclass(frozen=True, slots=True)
class Step:
    """One life of a process, and how it ends after so many requests: by itself, by a stop, or by a kill."""

    end: str
    requests: int


class Till:
    """A provider that charges; for a request that is cut short, the most it can cost."""

    def __init__(self, answers: Sequence[Answer], budgets: float) -> None:
        self._answers = answers
        self._budgets = budgets
        self._attempts: Counter[str] = Counter()
        self._requests = 0
        self.charged = 0.0
        self.in_flight = 0.0
        self.at_request: Callable[[int], None] = lambda n: None

    async def prepare(self, ask: Ask, sampling: Sampling, seed: int) -> Prepared:
        return Prepared(ask, "m", "", {"max_tokens": MOST_OUT}, (), constrained=False, price=CHEAP)

    async def complete(self, prepared: Prepared, on_text: OnText | None) -> Reply:
        cost = most = worst_case(prepared).usd or 0.0
        self.in_flight += most
        assert self.charged + self.in_flight <= self._budgets + _ROUNDING
        try:
            self._requests += 1
            self.at_request(self._requests)
            for _ in range(self._requests % 3 * 10):
                await asyncio.sleep(0)
            answer = self._answers[self._requests % len(self._answers)]
            text = prepared.ask.messages[-1].content
            self._attempts[text] += 1
            cost = answer.share * most
            tokens = 1 if answer.told else None
            came = Reply("half" if answer.text else "", "", "", tokens, tokens, cost if answer.told else None)
            if answer.kind is None or self._attempts[text] >= _PATIENCE:
                return came
            error = failure(answer.kind, retryable=answer.retryable, partial=came if answer.text else None)
            cost = 0.0 if is_costless(error) else cost
            raise error
        finally:
            self.in_flight -= most
            self.charged += cost


async def live(ws: Workspace, till: Till, run_ids: Sequence[str], limit: float, places: int, step: Step) -> None:
    """What one process does from start or resumption to its end. A kill copies the store as it is at that moment."""

    def provide(choice: ModelChoice) -> Provider:
        return till

    slept = 0.0

    async def sleep(seconds: float) -> None:
        nonlocal slept
        slept += seconds
        await asyncio.sleep(0)

    attention = Attention(audience=False)
    caller = Caller(
        ws,
        lambda event: None,
        provider=provide,
        limits=lambda choice: Limits(places),
        live=LiveText(lambda delta: None),
        attention=attention,
        sleep=sleep,
        uniform=lambda low, high: high,
        clock=lambda: slept,
    )
    sides = []
    for run_id in run_ids:
        marks.count_left(ws, run_id)
        used = marks.used(ws, run_id)
        budget = Budget(limit, None, Use(used.usd, used.tokens))
        sides.append(RunCalls(RunMeter(ws, stored_runs.get(ws, run_id), lambda event: None, budget=budget), epoch=0))
    work = [asyncio.create_task(caller.ask(side, [ask(t) for t in "abcdef"[n:][:4]])) for n, side in enumerate(sides)]
    stop = asyncio.Event()

    def look(n: int) -> None:
        if n == step.requests and step.end != "itself":
            if step.end == "kill":
                copy(ws.path)
                till.at_request = lambda n: None
                raise _KilledError(till.charged + till.in_flight)
            stop.set()

    till._requests = 0
    till.at_request = look
    stopping = asyncio.create_task(stop.wait())
    waited = {stopping, asyncio.create_task(_all_ended(work))}
    ended, _ = await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED, timeout=_LONGEST_S)
    assert ended, "all wait for each other"
    stopping.cancel()
    for task in work:
        task.cancel()
    ends = await asyncio.wait_for(asyncio.gather(*work, return_exceptions=True), _LONGEST_S)
    for side in sides:
        await side.meter.close()
    trouble = [end for end in ends if isinstance(end, BaseException)]
    for error in trouble:
        if not isinstance(error, BudgetError | asyncio.CancelledError):
            raise error
    for side in sides:
        assert not side.meter.budget.may_have_room(NOTHING), "nothing is reserved any more"
    for lane in caller._lanes.values():
        assert lane.turns._in_flight == 0
    assert (caller._flights, caller._closing) == ({}, {})


async def _all_ended(work: Sequence["asyncio.Task[tuple[Call, ...]]"]) -> bool:
    await asyncio.wait(work)
    return True


class _KilledError(Exception):
    """The process ends here. What has been charged by then."""

    def __init__(self, charged: float) -> None:
        super().__init__()
        self.charged = charged


def copy(path: Path) -> None:
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(path.with_suffix(".killed"))) as target:
        source.backup(target)


_KINDS = [kind for kind in CallErrorKind if kind is not CallErrorKind.CANCELLED]
answers = st.builds(
    Answer,
    kind=st.one_of(st.none(), st.sampled_from([CallErrorKind.TIMEOUT, CallErrorKind.CUT_OFF]), st.sampled_from(_KINDS)),
    share=st.sampled_from([1.0, 0.3, 0.0]),
    told=st.sampled_from([True, True, False]),
    text=st.booleans(),
    retryable=st.sampled_from([True, True, False]),
)
steps = st.builds(Step, st.sampled_from(["stop", "kill"]), st.integers(1, 8))


@settings(max_examples=12)
@given(
    plan=st.lists(steps, min_size=1, max_size=4),
    answers=st.lists(answers, min_size=1, max_size=7),
    limit=st.sampled_from([0.0, 0.13, 0.26, 0.5, 1.0, 3.0, 3.0]),
    places=st.integers(1, 3),
)
def test_no_fault_stop_or_kill_exceeds_a_budget_or_hides_a_cost(
    plan: list[Step], answers: list[Answer], limit: float, places: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("life") / "0.sqlite"
    with closing(Workspace.open(path)) as ws:
        run_ids = [new_run(ws).id for _ in range(2)]
    till = Till(answers, 2 * limit)
    for n, step in enumerate([*plan, Step("itself", 0)]):
        with closing(Workspace.open(path)) as ws:
            try:
                asyncio.run(live(ws, till, run_ids, limit, places, step))
            except _KilledError as killed:
                till.charged, till.in_flight = killed.charged, 0.0
                path = path.with_suffix(".killed").rename(path.with_name(f"{n + 1}.sqlite"))
        with closing(Workspace.open(path)) as ws:
            for run_id in run_ids:
                marks.count_left(ws, run_id)
            used = [marks.used(ws, run_id).usd for run_id in run_ids]
            assert all(one <= limit + _ROUNDING for one in used)
            assert till.charged <= sum(used) + _ROUNDING
