"""How fast utilities and judges' means settle, from the samples that are stored: no call is made for it."""

from collections.abc import Mapping
from dataclasses import dataclass

from uq_tui.analysis.convergence import Point, Pool, Size, curve
from uq_tui.analysis.telling import gives_away
from uq_tui.analysis.thinning import evenly
from uq_tui.state.reports.candidate_scores import Given, Scores
from uq_tui.state.reports.scorers import EXPOSURES, Scorer
from uq_tui.words import Exposure

MOST_POOLS = 500
"""Candidates of a scorer that a curve is computed from; more change nothing that can be seen."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What curves are to be on."""

    size: Size = Size.CALLS
    replacement: bool = False
    from_zero: bool = False
    """Divide by the top of the scale, as the paper does, instead of its width."""
    resamples: int = 200
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Curve:
    """One scorer's."""

    scorer: Scorer
    name: str
    points: tuple[Point, ...]
    """None where no candidate has as many samples as the smallest size."""
    candidates: int
    """With samples."""
    used: int
    """Of these; at most `MOST_POOLS`."""


@dataclass(frozen=True, slots=True)
class Convergence:
    """Curves of all scorers that draw samples: solvers and judges."""

    wanted: Wanted
    curves: tuple[Curve, ...]
    told: Mapping[Exposure, frozenset[tuple[str, str]]]
    """(question id, candidate id) of those so few that a curve tells of each how its scores scatter."""


def settle(found: Scores, wanted: Wanted) -> Convergence:
    """Reckon. Takes seconds for some hundred candidates with 64 samples each: not for an event loop."""
    curves = []
    told: dict[Exposure, set[tuple[str, str]]] = {}
    for scorer in found.scorers:
        pools = []
        places = []
        for row in found.rows:
            given = row.given.get(scorer)
            pool = _pool(scorer, given) if given is not None else None
            if pool is not None:
                pools.append(pool)
                places.append((row.place.question_id, row.place.candidate_id))
        if not pools:
            continue
        if gives_away(len(pools), pools):
            told.setdefault(EXPOSURES[scorer.kind], set()).update(places)
        used = evenly(pools, MOST_POOLS)
        points = curve(
            used,
            size=wanted.size,
            resamples=wanted.resamples,
            seed=wanted.seed,
            replacement=wanted.replacement,
            from_zero=wanted.from_zero,
        )
        curves.append(Curve(scorer, found.names[scorer], points, len(pools), len(used)))
    return Convergence(wanted, tuple(curves), {what: frozenset(own) for what, own in told.items()})


def _pool(scorer: Scorer, given: Given) -> Pool | None:
    """All samples of a candidate; `None` where some stratum has none, or the scorer draws no samples."""
    if scorer.scale is None:
        return None
    strata: list[tuple[float, ...]] = []
    if given.utility is not None:
        for value in given.utility.neighbours:
            strata.append((1.0,) * value.solved + (0.0,) * (value.decided - value.solved))
    elif given.samples:
        strata.append(given.samples)
    return Pool(tuple(strata), scorer.scale.lowest, scorer.scale.highest) if strata and all(strata) else None
