"""Utilities of a run as a ranked table and as JSON: what they are, how sure, and how the rollouts were decided."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import click
from rich.table import Table

from store import candidates, judgements, neighbours, rollout_counts
from store.run_rows import NeighbourValue, Run, Utility
from store.workspace import Workspace
from uq_tui.analysis import allocation, independence
from uq_tui.analysis.allocation import Standing
from uq_tui.commands import display
from uq_tui.commands.revealing import record
from uq_tui.state.utility.measured import advice, caution, odd_text
from uq_tui.state.utility.ranking import Place, compared_by, order_text, place_of, standing_of
from uq_tui.text import counted
from uq_tui.words import DecidedBy, Exposure, RunState

_EQUAL_REPLIES = (
    f"{independence.REPEATED} Some replies are equal byte for byte. They are one draw counted more than once, so the"
    " intervals are too narrow."
)
_USUAL = {"epsilon": allocation.EPSILON, "delta": allocation.DELTA}
"""How closely candidates are compared where the run pins nothing of it."""
_WAYS: Mapping[DecidedBy, str] = {
    DecidedBy.EXACT: "exact",
    DecidedBy.SYMBOLIC: "symbolic",
    DecidedBy.MODEL: "model",
    DecidedBy.DIFFERENT: "exact or symbolic",
    DecidedBy.NO_ANSWER: "no answer",
}
"""How a rollout can have come by a value."""


def show(workspace: Workspace, run: Run) -> None:
    """A run's utilities on standard output, recorded as shown; nothing before its first round is done."""
    found = _found(workspace, run)
    if found:
        display.print_table(_table(workspace, run, found))
    if len(found) > 1:
        click.echo(f"\n{_standing_text(workspace, run, found)}")
    numbers = _numbers(workspace, run)
    cautions = [f"{numbers[one.candidate_id]}: {said}" for one in _ranked(found) if (said := caution(one))]
    for line in (counts_text(workspace, run), _advice(found), *cautions):
        if line:
            click.echo(line, err=True)
    if any(_mark(one) for one in found):
        click.echo(_EQUAL_REPLIES, err=True)


def as_json(workspace: Workspace, run: Run) -> dict[str, Any]:
    """The same as JSON-ready values, the utilities in the candidates' order; recorded as shown."""
    found = _found(workspace, run)
    ways = rollout_counts.decided_by(workspace, run.id)
    return {
        "utilities": [
            {**dataclasses.asdict(one), "decided_by": _counts(ways.get(one.candidate_id, {}))} for one in found
        ],
        "standing": _standing_json(run, found) if len(found) > 1 else None,
        "rollouts": {"made": _made(workspace, run), "most": most_rollouts(run)},
    }


def _advice(found: Sequence[Utility]) -> str:
    """What the control arm says of the neighbours where it says it beside every candidate, else ""."""
    said = {advice(one) for one in found}
    return said.pop() if len(said) == 1 else ""


def most_rollouts(run: Run) -> int:
    """How many rollouts a run makes at most: all arms on all neighbours."""
    spec = run.spec
    arms = len(spec["candidates"]) + bool(spec["control"]) + bool(spec.get("placebo"))
    return int(arms * len(spec["neighbour_ids"]) * spec["rollouts"])


def counts_text(workspace: Workspace, run: Run) -> str:
    """What an early stop has saved; "" of a run that had a fixed number of rollouts."""
    if not run.spec.get("adaptive"):
        return ""
    made, most = _made(workspace, run), most_rollouts(run)
    if run.state is not RunState.DONE:
        return f"Made {made:,} of at most {counted(most, 'rollout')} so far."
    saved = f"stopping early has saved {most - made:,}" if made < most else "nothing was saved"
    return f"Made {made:,} of at most {counted(most, 'rollout')}: {saved}."


def _made(workspace: Workspace, run: Run) -> int:
    return sum(sum(ways.values()) for ways in rollout_counts.decided_by(workspace, run.id).values())


def _found(workspace: Workspace, run: Run) -> tuple[Utility, ...]:
    found = judgements.utilities_of_run(workspace, run.id)
    record(workspace, ((run.spec["question_id"], one.candidate_id) for one in found), Exposure.UTILITY)
    return found


def _rule(run: Run) -> dict[str, float]:
    return dict(run.spec.get("adaptive") or _USUAL)


def _standing(run: Run, found: Sequence[Utility]) -> Standing:
    """What the rollouts say about which candidate is best."""
    return standing_of(found, **_rule(run))


def _standing_json(run: Run, found: Sequence[Utility]) -> dict[str, Any]:
    return {**dataclasses.asdict(_standing(run, found)), **_rule(run), "interval": compared_by(found).value}


def _standing_text(workspace: Workspace, run: Run, found: Sequence[Utility]) -> str:
    stand, numbers = _standing(run, found), _numbers(workspace, run)
    places = [(numbers[one.candidate_id], place_of(one.candidate_id, stand)) for one in _ranked(found)]
    return order_text(places, **_rule(run))


def _ranked(found: Sequence[Utility]) -> list[Utility]:
    """The highest first, those without a value last."""
    return sorted(found, key=lambda one: (one.mean is None, -(one.mean or 0.0)))


def _numbers(workspace: Workspace, run: Run) -> dict[str, str]:
    found = {one.id: f"c{one.number}" for one in candidates.of_question(workspace, run.spec["question_id"])}
    return {one["id"]: found.get(one["id"], "c?") for one in run.spec["candidates"]}


def _table(workspace: Workspace, run: Run, found: Sequence[Utility]) -> Table:
    """Candidates down, the highest utility first; neighbours across, by the numbers they have in the question."""
    numbers, stand = _numbers(workspace, run), _standing(run, found)
    ways = rollout_counts.decided_by(workspace, run.id)
    around = {one.id: one.number for one in neighbours.of_question(workspace, run.spec["question_id"])}
    used = run.spec["neighbour_ids"]
    names = [f"N{around.get(key, '?')}" for key in used]
    placebo = ("placebo",) if run.spec.get("placebo") else ()
    shown = display.table(
        *("candidate", "no.", "utility", "interval", *names, "control", *placebo, "lift"),
        *("distinct replies", "decided by", ""),
        fold=("decided by", ""),
    )
    for one in _ranked(found):
        values = {value.neighbour_id: value for value in one.neighbours}
        place = _place(one.candidate_id, stand, _rule(run)["epsilon"]) if len(found) > 1 else ""
        notes = (place, "" if one.complete else "incomplete", _mark(one))
        cells = (
            display.short_id(one.candidate_id),
            numbers.get(one.candidate_id, "c?"),
            interval(one.mean, one.low, one.high),
            one.interval.value if one.mean is not None else None,
            *(_fraction([values[id_]]) if id_ in values else None for id_ in used),
            _fraction(one.control),
            *([_fraction(one.placebo)] if placebo else ()),
            interval(one.lift, one.lift_low, one.lift_high, sign="+"),
            _distinct(one),
            ", ".join(f"{name} {number:,}" for name, number in _told(ways.get(one.candidate_id, {}))) or None,
            ", ".join(filter(None, notes)),
        )
        shown.add_row(*(display.cell(value) for value in cells))
    return shown


def _place(candidate_id: str, stand: Standing, epsilon: float) -> str:
    """What is told beside a candidate."""
    place = place_of(candidate_id, stand)
    within = f" within {epsilon:g}".replace(" 0.", " .") if place is Place.TIED else ""
    return f"{place}{within}" if place in (Place.BEST, Place.TIED) else ""


def _told(ways: Mapping[DecidedBy, int]) -> list[tuple[str, int]]:
    return [(name, ways[way]) for way, name in _WAYS.items() if ways.get(way)]


def _counts(ways: Mapping[DecidedBy, int]) -> dict[str, int]:
    return {way.value: ways[way] for way in DecidedBy if ways.get(way)}


def interval(value: float | None, low: float | None, high: float | None, *, sign: str = "") -> str | None:
    """`0.81 [0.63, 0.99]`; None when the value is undefined."""
    if value is None:
        return None
    bounds = "" if low is None or high is None else f" [{low:{sign}.2f}, {high:{sign}.2f}]"
    return f"{value:{sign}.2f}{bounds}"


def _fraction(values: Sequence[NeighbourValue]) -> str | None:
    """`3/8`: solved of decided rollouts; undecided ones and replies cut off are named. None without any rollout."""
    if not values:
        return None
    solved, decided = (sum(getattr(value, name) for value in values) for name in ("solved", "decided"))
    odd = odd_text(values)
    return f"{solved}/{decided}" + (f" ({odd})" if odd else "")


def _drawn(one: Utility) -> tuple[NeighbourValue, ...]:
    return (*one.neighbours, *one.control, *one.placebo)


def _distinct(one: Utility) -> str | None:
    """`37/48`: distinct of all replies, those of the controls included. None where it was not recorded."""
    drawn = independence.total(_drawn(one))
    return None if drawn.replies is None or drawn.distinct is None else f"{drawn.distinct}/{drawn.replies}"


def _mark(one: Utility) -> str:
    """`≈ not independent` where replies are equal."""
    marked = independence.mark(_drawn(one))
    return f"{independence.REPEATED} {marked}" if marked else ""
