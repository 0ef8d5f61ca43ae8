"""Utility together with a judge: what either says of correctness, what both say, and how far scores are chances."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from store.workspace import Workspace
from uq_tui.analysis.calibration import Calibration, Rated, calibration
from uq_tui.analysis.crossvalidation import Comparison, compare
from uq_tui.analysis.crossvalidation import Row as Features
from uq_tui.analysis.telling import gives_away
from uq_tui.state.reports.candidate_scores import Row, Scores
from uq_tui.state.reports.candidate_table import chosen
from uq_tui.state.reports.labels import TELLS_OF, Labels, LabelSource
from uq_tui.state.reports.replies import Replies, read_replies
from uq_tui.state.reports.scorers import EXPOSURES, Kind, Scorer
from uq_tui.words import Exposure

JUDGE, UTILITY = "J", "U"
SETS = ((JUDGE,), (UTILITY,), (JUDGE, UTILITY))
"""What the paper's Table 3 holds against each other."""
FEWEST_BINS, MOST_BINS = 2, 10
IN_A_BIN = 10
"""Candidates that each bin of a calibration should have; a share of fewer says hardly anything."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a report on utility and judge together is to be on; names as `candidate_table.chosen` reads them."""

    solver: str = ""
    judge: str = ""
    folds: int = 10
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Calibrated:
    """How far a scorer's scores, or a model's chances, are how often candidates are correct."""

    scorer: Scorer
    name: str
    calibration: Calibration


@dataclass(frozen=True, slots=True)
class Combined:
    """A solver's utilities and a judge's scores, apart and together."""

    wanted: Wanted
    solver: str
    """Their names; empty where there is none."""
    judge: str
    comparison: Comparison
    calibrated: tuple[Calibrated, ...]
    """Of each solver and judge, over all its labelled candidates."""
    replies: tuple[Replies, ...]
    held: Labels
    """What is held correct."""
    labels: Counter[LabelSource]
    references: int
    """Labelled candidates left out since they are human solutions."""
    told: Mapping[Exposure, frozenset[tuple[str, str]]]


def combine(ws: Workspace, found: Scores, wanted: Wanted) -> Combined:
    """Reckon, and read replies. Takes seconds: not for an event loop.

    Raises:
        NotFoundError: no solver or judge is called as is wanted, or several are.
    """
    labelled = [row for row in found.rows if row.correct is not None]
    rows = [row for row in labelled if not row.place.reference]
    solver = _chosen(found, Kind.UTILITY, wanted.solver, rows)
    judge = _chosen(found, Kind.JUDGE, wanted.judge, rows)
    features = [
        Features(
            row.place.candidate_id,
            row.place.question_id,
            bool(row.correct),
            {JUDGE: row.value(judge) if judge else None, UTILITY: row.value(solver) if solver else None},
        )
        for row in rows
    ]
    both = [one for one in (solver, judge) if one is not None]
    return Combined(
        wanted=wanted,
        solver=found.names[solver] if solver else "",
        judge=found.names[judge] if judge else "",
        comparison=compare(features, SETS, folds=wanted.folds, seed=wanted.seed),
        calibrated=tuple(_calibrated(found, rows)),
        replies=tuple(read_replies(ws, one, found.names[one], found.rows) for one in both),
        held=found.held,
        labels=Counter(row.held.source for row in rows if row.held.source is not None),
        references=len(labelled) - len(rows),
        told=_told(found.scorers, rows),
    )


def _chosen(found: Scores, kind: Kind, name: str, rows: Sequence[Row]) -> Scorer | None:
    """The one called so; without a name the one that scored most labelled candidates, the first of several."""
    own = tuple(one for one in found.scorers if one.kind is kind)
    if name:
        return chosen(replace(found, scorers=own), name)
    return max(own, key=lambda one: sum(row.value(one) is not None for row in rows), default=None)


def _calibrated(found: Scores, rows: Sequence[Row]) -> list[Calibrated]:
    made = []
    for scorer in found.scorers:
        if scorer.kind not in (Kind.UTILITY, Kind.JUDGE) or scorer.scale is None:
            continue
        rated = [Rated(value, bool(row.correct)) for row in rows if (value := row.value(scorer)) is not None]
        if rated:
            bins = max(FEWEST_BINS, min(MOST_BINS, len(rated) // IN_A_BIN))
            curve = calibration(rated, lowest=scorer.scale.lowest, highest=scorer.scale.highest, count=bins)
            made.append(Calibrated(scorer, found.names[scorer], curve))
    return made


def _told(scorers: Sequence[Scorer], rows: Sequence[Row]) -> dict[Exposure, frozenset[tuple[str, str]]]:
    """What counts give away: scores and labels of few candidates, or labels that are all the same."""
    told: dict[Exposure, set[tuple[str, str]]] = {}
    for scorer in scorers:
        own = [row for row in rows if row.value(scorer) is not None]
        if gives_away(len(own), (row.correct for row in own)):
            for row in own:
                place = (row.place.question_id, row.place.candidate_id)
                told.setdefault(EXPOSURES[scorer.kind], set()).add(place)
                if row.held.source in TELLS_OF:
                    told.setdefault(TELLS_OF[row.held.source], set()).add(place)
    return {what: frozenset(places) for what, places in told.items()}
