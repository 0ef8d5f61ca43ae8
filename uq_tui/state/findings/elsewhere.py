"""What runs elsewhere found of one candidate, in words. Evidence rows that came in files tell of them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from store.elsewhere import FoundElsewhere
from uq_tui.analysis import independence
from uq_tui.analysis.independence import Draws
from uq_tui.state.quoting import one_line
from uq_tui.state.reports.figures import DASH, ranged
from uq_tui.text import counted
from uq_tui.words import GLYPHS, Outcome

CAUTION = "Found by runs elsewhere, whose rows came in files: their calls are not here, and they can't be gone on with."


@dataclass(frozen=True, slots=True)
class Told:
    """What one strategy, judge or measurement came to."""

    who: str
    """`3-Iter by MODEL`."""
    came_to: str
    details: tuple[str, ...] = ()
    """What stands behind it, a line each."""


def told(one: FoundElsewhere) -> tuple[Told, ...]:
    """All that a run found, in words: as a rule one thing."""
    parts = [*_strategies(one)]
    parts += [_judge(row) for row in one.found["judges"]]
    parts += [_utility(row) for row in one.found["utilities"]]
    parts += [
        Told(row["scorer"], f"{row['value']:g}", (f"from {row['source']}",))
        for row in one.found.get("outside_scores", ())
    ]
    return tuple(parts)


def ended(one: FoundElsewhere) -> str:
    """`2026-01-02 12:03`."""
    return one.at[:16].replace("T", " ")


def lines(one: FoundElsewhere) -> tuple[str, ...]:
    """`found elsewhere: 3-Iter by MODEL: ✗ reject (run RUN, ended 2026-01-02 12:03)`, one for each thing found."""
    where = f"(run {one.run_id}, ended {ended(one)})"
    return tuple(f"found elsewhere: {part.who}: {part.came_to} {where}" for part in told(one))


def markdown(one: FoundElsewhere) -> str:
    """All about it. Foreign words stay on their lines."""
    parts = []
    for part in told(one):
        parts.append(f"**{one_line(part.who)}:** {one_line(part.came_to)}")
        parts += ["\n".join(f"- {one_line(detail)}" for detail in part.details)] if part.details else []
    version = f" with uq-tui {one_line(one.found['app_version'])}" if one.found["app_version"] else ""
    prompts = ", ".join(one_line(sha256)[:8] for sha256 in one.found["prompt_hashes"])
    parts.append(f"Run {one_line(one.run_id)}, made elsewhere{version}, ended {ended(one)}.")
    parts += [f"Prompts: {prompts}."] if prompts else []
    return "\n\n".join(parts)


def _strategies(one: FoundElsewhere) -> Iterator[Told]:
    rows = one.found["outcomes"]
    for name in dict.fromkeys(row["strategy"] for row in rows):
        own = [row for row in rows if row["strategy"] == name]
        whole = next((row for row in own if row["stage"] == ""), None)
        asked = dict.fromkeys(one.validator["models"] or (row["judge"] for row in own if row["judge"]))
        # Turns and samples of a stage are left out, as wherever stages are told in a few words.
        stages = [f"{row['stage'].replace('_', ' ')}: {_outcome(row)}" for row in own if _is_stage(row["stage"])]
        came_to = _outcome(whole) if whole else "no outcome of the whole"
        yield Told(_by(name, ", ".join(asked)), came_to, tuple(stages))


def _is_stage(path: str) -> bool:
    return bool(path) and "/" not in path


def _by(name: str, models: str) -> str:
    return f"{name} by {models}" if models else name


def _outcome(row: Mapping[str, Any]) -> str:
    """`✗ reject, REASON`; a word that isn't known here stands as it is."""
    word = row["outcome"]
    shown = f"{GLYPHS[Outcome(word)]} {word}" if word in GLYPHS else word
    return f"{shown}, {row['reason']}" if row["reason"] else shown


def _judge(row: Mapping[str, Any]) -> Told:
    sd = "" if row["sd"] is None else f" ± {row['sd']:.2f}"
    mean = DASH if row["mean"] is None else f"{row['mean']:.2f}{sd}"
    counts = [f"{row[key]:,} {key}" for key in ("unparsed", "failed") if row[key]]
    said = ", ".join([f"{mean} of {counted(row['scored'], 'score')}", *counts, *_equal(row)])
    scale = f"from {row['lowest']} to {row['highest']}, {counted(row['planned'], 'sample')} planned"
    return Told(_by(row["judge"], row["model"]), said, (scale,))


def _equal(row: Mapping[str, Any]) -> tuple[str, ...]:
    """Whether replies were equal, as is said of scores made here."""
    marked = independence.mark([Draws(row["replies"], row["distinct"], row["cut_off"], row["temperature"])])
    return (f"{independence.REPEATED} {marked}",) if marked else ()


def _utility(row: Mapping[str, Any]) -> Told:
    neighbours = row["neighbours"]
    of = f"on {counted(len(neighbours), 'neighbour')} by {counted(row['t'], 'rollout')}"
    early = ", stopped early" if row.get("stopped_early") else ""
    solved = [
        f"neighbour {number}: {value['solved']:,} of {value['decided']:,} solved, {value['undecided']:,} undecided"
        for number, value in enumerate(neighbours, 1)
    ]
    control = row["control"]
    if control["decided"]:
        lift = ranged(row["lift"], row["lift_low"], row["lift_high"], sign=True)
        solved.append(f"control: {control['solved']:,} of {control['decided']:,} solved, lift {lift}")
    figure = ranged(row["mean"], row["low"], row["high"])
    return Told(f"utility with {row['solver']}", f"{figure} {of}{early}", tuple(solved))
