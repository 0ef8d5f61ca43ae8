"""What work has taken: calls, tokens and money by model, and people's time: for Insights and `uq-tui report work`."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from statistics import median, quantiles

from store import call_sums, opinions, runs
from store.call_sums import CallSum, Failures
from store.opinions import Given
from store.withheld import withheld
from store.workspace import Workspace
from uq_tui.state.people import names_of
from uq_tui.state.reviewing.blind import NOTHING, LeftOut
from uq_tui.state.reviewing.blind_runs import BlindRuns

_QUARTILES_OF = 4
"""Times of which quartiles are told, at least."""


@dataclass(frozen=True, slots=True)
class Took:
    """What the calls of one model, or of one kind of run, took."""

    name: str
    """Of a model, which is foreign text, or of a kind of run."""
    calls: int
    failed: int
    retries: int
    tokens_in: int
    unknown_in: int
    tokens_out: int
    unknown_out: int
    cost_usd: float | None
    """Of the calls whose cost is known; `None` where none is."""
    unknown_costs: int


@dataclass(frozen=True, slots=True)
class Pace:
    """How long one person takes for a verdict."""

    name: str
    """Foreign text."""
    verdicts: int
    """That stand, with repeats and adjudications."""
    timed: int
    """Of these with a known time: those that a command or a file without times gave have none."""
    median_s: float | None
    """Seconds at work on the answer. `None` where none is timed."""
    quartiles_s: tuple[float, float] | None
    """Between these lies the middle half of the times; `None` for fewer than four."""


@dataclass(frozen=True, slots=True)
class Week:
    """Verdicts of one week, by the ISO calendar and UTC, by the name of the person."""

    monday: str
    """The day it begins, `2026-11-30`."""
    verdicts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Work:
    """All of it, from one reading."""

    models: tuple[Took, ...]
    """The dearest first, then those with most calls."""
    kinds: tuple[Took, ...]
    failures: tuple[Failures, ...]
    people: tuple[Pace, ...]
    """Those with most verdicts first."""
    weeks: tuple[Week, ...]
    """From the first week with a verdict to the last, those without any too."""
    left_out: LeftOut = NOTHING
    """What the reader judges blind: of its runs nothing is counted, nor of verdicts on it."""


def read(ws: Workspace, reviewer_id: str, left_out: LeftOut = NOTHING) -> Work:
    """Read everything and count. Takes a second for a million verdicts or calls: not for an event loop."""
    hidden = _hidden_runs(ws, reviewer_id) if left_out.questions else None
    sums = call_sums.sums(ws, hidden)
    given = opinions.standing(ws, without=withheld(ws, reviewer_id))
    names = names_of(given)
    return Work(
        models=_took((one.model, one) for one in sums),
        kinds=_took((one.kind.value if one.kind else "of another workspace", one) for one in sums),
        failures=call_sums.failures(ws, hidden),
        people=_paces(given, names),
        weeks=_weeks(given, names),
        left_out=left_out,
    )


def _hidden_runs(ws: Workspace, reviewer_id: str) -> Collection[str]:
    blind = BlindRuns(ws, reviewer_id)
    return [run.id for run in runs.recent(ws, limit=None) if blind.hides(run)]


def _took(sums: Iterable[tuple[str, CallSum]]) -> tuple[Took, ...]:
    by_name = defaultdict[str, list[CallSum]](list)
    for name, one in sums:
        by_name[name].append(one)
    found = [_sum(name, own) for name, own in by_name.items()]
    return tuple(sorted(found, key=lambda one: (-(one.cost_usd or 0.0), -one.calls, one.name)))


def _sum(name: str, own: Sequence[CallSum]) -> Took:
    calls, unknown_costs = sum(one.calls for one in own), sum(one.unknown_costs for one in own)
    return Took(
        name=name,
        calls=calls,
        failed=sum(one.failed for one in own),
        retries=sum(one.retries for one in own),
        tokens_in=sum(one.tokens_in for one in own),
        unknown_in=sum(one.unknown_in for one in own),
        tokens_out=sum(one.tokens_out for one in own),
        unknown_out=sum(one.unknown_out for one in own),
        cost_usd=sum(one.cost_usd for one in own) if unknown_costs < calls else None,
        unknown_costs=unknown_costs,
    )


def _paces(given: Sequence[Given], names: Mapping[str, str]) -> tuple[Pace, ...]:
    by_person = defaultdict[str, list[Given]](list)
    for one in given:
        by_person[one.person].append(one)
    found = [_pace(names[person], own) for person, own in by_person.items()]
    return tuple(sorted(found, key=lambda one: (-one.verdicts, one.name)))


def _pace(name: str, own: Sequence[Given]) -> Pace:
    times = [one.seconds_active for one in own if one.seconds_active > 0]
    middle = None
    if len(times) >= _QUARTILES_OF:
        low, _, high = quantiles(times, n=4, method="inclusive")
        middle = (low, high)
    return Pace(name, len(own), len(times), median(times) if times else None, middle)


def _weeks(given: Sequence[Given], names: Mapping[str, str]) -> tuple[Week, ...]:
    by_week = defaultdict[date, Counter[str]](Counter)
    for one in given:
        day = date.fromisoformat(one.created_at[:10])
        by_week[day - timedelta(days=day.weekday())][names[one.person]] += 1
    if not by_week:
        return ()
    first, last = min(by_week), max(by_week)
    every = (first + timedelta(weeks=number) for number in range((last - first).days // 7 + 1))
    return tuple(Week(monday.isoformat(), dict(by_week.get(monday, {}))) for monday in every)
