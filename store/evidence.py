"""The evidence a verdict freezes: what machines had found about the candidate by then, and by which prompts."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from importlib import metadata
from statistics import fmean, stdev
from typing import Any, NamedTuple

from sqlalchemy import BindParameter, Connection, bindparam, func, select
from sqlmodel import col

from store import external_scores
from store.external_scores import ExternalScore
from store.judge_rows import Scoring
from store.judgements import read_complete_utilities, read_outcomes
from store.run_rows import NeighbourValue, StageOutcome, Utility
from store.run_tables import CallTable, RolloutTable, RunTable
from store.scores import read_finished, read_prompts

UNKNOWN_VERSION = "0+unknown"

# Built once: building a statement takes longer than running it.
_RUNS: BindParameter[Any] = bindparam("runs", expanding=True)
_SPECS = select(col(RunTable.id), col(RunTable.spec)).where(col(RunTable.id).in_(_RUNS))
_CALLS = select(
    col(CallTable.key), col(CallTable.model), col(CallTable.template_sha256), col(CallTable.constrained)
).where(col(CallTable.key).in_(select(func.json_each(bindparam("keys")).table_valued("value").c.value)))
_ROLLOUT_PROMPTS = (
    select(col(CallTable.template_sha256))
    .join(RolloutTable, col(RolloutTable.call_key) == col(CallTable.key))
    .where(col(RolloutTable.run_id).in_(_RUNS), col(RolloutTable.candidate_id).in_([bindparam("candidate"), ""]))
    .distinct()
)


class _Asked(NamedTuple):
    model: str
    template_sha256: str
    constrained: bool


@cache
def app_version() -> str:
    """The version of the installed uq-tui, or `0+unknown` when it runs from a folder."""
    try:
        return metadata.version("uq-tui")
    except metadata.PackageNotFoundError:
        return UNKNOWN_VERSION


def snapshot(conn: Connection, candidate_id: str) -> dict[str, Any]:
    """The `evidence` of a verdict row.

    Decided outcomes, scores and utilities of finished runs, the oldest run first; outside scores by scorer.
    """
    outside = [_outside(score) for score in external_scores.read_of_candidate(conn, candidate_id)]
    return _found(
        conn,
        candidate_id,
        read_outcomes(conn, candidate_id),
        read_finished(conn, candidate_id),
        read_complete_utilities(conn, candidate_id),
        outside,
        app_version(),
    )


def of_run(conn: Connection, candidate_id: str, run_id: str) -> dict[str, Any]:
    """The same of one run, in the version of uq-tui that the run began with; "" where it doesn't say."""
    return _found(
        conn,
        candidate_id,
        [one for one in read_outcomes(conn, candidate_id) if one.run_id == run_id],
        [one for one in read_finished(conn, candidate_id) if one.run_id == run_id],
        [one for one in read_complete_utilities(conn, candidate_id) if one.run_id == run_id],
        [],
        str(_specs(conn, [run_id])[run_id].get("app_version", "")),
    )


def _found(
    conn: Connection,
    candidate_id: str,
    outcomes: Sequence[StageOutcome],
    scorings: Sequence[Scoring],
    utilities: Sequence[Utility],
    outside: Sequence[dict[str, Any]],
    version: str,
) -> dict[str, Any]:
    judged = {scoring.run_id for scoring in scorings}
    measured = {utility.run_id for utility in utilities}
    specs = _specs(conn, {outcome.run_id for outcome in outcomes} | judged | measured)
    calls = _asked(conn, {key for outcome in outcomes for key in (outcome.call_key, *outcome.call_keys)})
    behind = _behind(outcomes, calls)
    hashes = {call.template_sha256 for call in calls.values()}
    hashes |= {scoring.prompt_sha256 for scoring in scorings} | read_prompts(conn, candidate_id, judged)
    hashes |= _rollout_prompts(conn, candidate_id, measured)
    hashes |= {sha256 for spec in specs.values() for sha256 in _pinned_only(spec)}
    return {
        "outcomes": [_outcome(outcome, specs[outcome.run_id], calls, behind) for outcome in outcomes],
        "judges": [_judge(scoring) for scoring in scorings],
        "utilities": [_utility(utility) for utility in utilities],
        "outside_scores": list(outside),
        "prompt_hashes": sorted(hashes - {""}),
        "app_version": version,
    }


def _specs(conn: Connection, run_ids: Iterable[str]) -> dict[str, dict[str, Any]]:
    return {run_id: json.loads(spec) for run_id, spec in conn.execute(_SPECS, {"runs": list(run_ids)})}


def _asked(conn: Connection, keys: Iterable[str]) -> dict[str, _Asked]:
    found = conn.execute(_CALLS, {"keys": json.dumps(list(keys))})
    return {key: _Asked(model, sha256, constrained) for key, model, sha256, constrained in found}


def _behind(outcomes: Iterable[StageOutcome], calls: Mapping[str, _Asked]) -> dict[tuple[str, str], list[_Asked]]:
    """The calls that were read for a node and what is beneath it, by run and path."""
    found = defaultdict[tuple[str, str], list[_Asked]](list)
    for outcome in outcomes:
        call = calls.get(outcome.call_key)
        if call is not None:
            for path in _upwards(outcome.path):
                found[outcome.run_id, path].append(call)
    return found


def _upwards(path: str) -> Iterator[str]:
    """The path, then those of all nodes above it; "" is the root."""
    yield path
    while path:
        path = path.rpartition("/")[0]
        yield path


def _pinned_only(spec: Mapping[str, Any]) -> list[str]:
    """Hashes of prompts that no call of an outcome, score or rollout names.

    How replies were told to end: a call names only the template that took the ending in. And how a model was asked
    whether answers are equal: a rollout names the solver's call.
    """
    templates = spec.get("templates", {})
    return [
        template["sha256"]
        for name, template in templates.items()
        if name.startswith("ending.") or name == "cbu.equivalence"
    ]


def _rollout_prompts(conn: Connection, candidate_id: str, run_ids: Iterable[str]) -> set[str]:
    return set(conn.execute(_ROLLOUT_PROMPTS, {"runs": list(run_ids), "candidate": candidate_id}).scalars())


def _outcome(
    outcome: StageOutcome,
    spec: Mapping[str, Any],
    calls: Mapping[str, _Asked],
    behind: Mapping[tuple[str, str], Sequence[_Asked]],
) -> dict[str, Any]:
    call = calls.get(outcome.call_key)
    read = behind.get((outcome.run_id, outcome.path), ())
    return {
        "run_id": outcome.run_id,
        "strategy": _pinned(spec, "strategy", "name"),
        "stage": outcome.path,
        "outcome": outcome.outcome.value,
        "reason": outcome.reason,
        "judge": ", ".join(dict.fromkeys(one.model for one in read)) or _only_model(outcome, spec),
        "call_key": outcome.call_key,
        "prompt_sha256": call.template_sha256 if call else "",
        "constrained": any(one.constrained for one in read),
    }


def _only_model(outcome: StageOutcome, spec: Mapping[str, Any]) -> str:
    """Who must have been asked where the call is not here; "" where no model was, as by a plug-in, or it may be any."""
    if not outcome.call_key:
        return ""
    return "" if len(spec.get("models", ())) > 1 else _pinned(spec, "model", "id")


def _pinned(spec: Mapping[str, Any], key: str, name: str) -> str:
    """A thing a run has pinned by name alone, or as an object that has its name under `name`."""
    thing = spec.get(key, "")
    return str(thing.get(name, "") if isinstance(thing, Mapping) else thing)


def _judge(scoring: Scoring) -> dict[str, Any]:
    values = scoring.values
    return {
        "run_id": scoring.run_id,
        "judge": scoring.judge,
        "model": scoring.model,
        "lowest": scoring.lowest,
        "highest": scoring.highest,
        "planned": scoring.planned,
        "scored": len(values),
        "unparsed": scoring.unparsed,
        "failed": scoring.failed,
        "mean": fmean(values) if values else None,
        "sd": stdev(values) if len(values) > 1 else None,
        "prompt_sha256": scoring.prompt_sha256,
        "constrained": scoring.constrained,
        "replies": scoring.replies,
        "distinct": scoring.distinct,
        "cut_off": scoring.cut_off,
        "temperature": scoring.temperature,
    }


def _utility(utility: Utility) -> dict[str, Any]:
    return {
        "run_id": utility.run_id,
        "solver": utility.solver,
        "mean": utility.mean,
        "low": utility.low,
        "high": utility.high,
        "t": utility.rollouts,
        "neighbours": [asdict(value) for value in utility.neighbours],
        "control": _arm(utility.control_mean, utility.control),
        "lift": utility.lift,
        "lift_low": utility.lift_low,
        "lift_high": utility.lift_high,
        "interval": utility.interval.value,
        "stopped_early": utility.stopped_early,
        "placebo": _arm(utility.placebo_mean, utility.placebo),
    }


def _arm(mean: float | None, values: Sequence[NeighbourValue]) -> dict[str, Any]:
    """An arm beside the candidate's, summed over the neighbours; all counts are 0 where there was none."""
    temperatures = {value.temperature for value in values}
    return {
        "mean": mean,
        "solved": sum(value.solved for value in values),
        "decided": sum(value.decided for value in values),
        "replies": _sum([value.replies for value in values]),
        "distinct": _sum([value.distinct for value in values]),
        "cut_off": _sum([value.cut_off for value in values]),
        "temperature": temperatures.pop() if len(temperatures) == 1 else None,
    }


def _outside(score: ExternalScore) -> dict[str, Any]:
    return {"scorer": score.scorer, "value": score.value, "source": score.source}


def _sum(counts: Sequence[int | None]) -> int | None:
    known = [number for number in counts if number is not None]
    return sum(known) if len(known) == len(counts) else None
