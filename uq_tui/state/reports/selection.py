"""How well each scorer picks the correct candidates of a question, over all questions with labels.

The metrics are those of `analysis.selection`; what is scored comes from `state.reports.candidate_scores`.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from uq_tui.analysis.scale import Scale
from uq_tui.analysis.selection import AboveMean, PerUnit, Scored, SelectionMetrics, Unit, above_mean, metrics
from uq_tui.analysis.separation import Measured, Separation, separation
from uq_tui.analysis.telling import gives_away
from uq_tui.state.reports.candidate_scores import Given, Row, Scores
from uq_tui.state.reports.labels import TELLS_OF, Labels, LabelSource
from uq_tui.state.reports.scorers import EXPOSURES, Kind, Scorer
from uq_tui.words import Exposure


class Per(StrEnum):
    """What a metric is computed for, and what counts the same in its average."""

    ORIGINAL = "original"
    """A question, scored by the mean over its neighbours: the utility as it is shown everywhere."""
    AVERAGED = "averaged"
    """A question; the metric is computed on each neighbour's rollouts alone, then averaged over its neighbours."""
    VARIANT = "variant"
    """A neighbour; a question counts as often as it has neighbours, for judges too."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a report on selection is to be on."""

    labels: Labels
    per: Per = Per.ORIGINAL
    reference_counts: bool = True
    """The human solution is ranked, as a correct candidate."""


@dataclass(frozen=True, slots=True)
class Quality:
    """One scorer's."""

    scorer: Scorer
    name: str
    metrics: SelectionMetrics
    above: AboveMean
    separation: Separation | None
    """Against difficulty; `None` where the scorer's scale is unknown and it gave all the same score."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What a report shows, and what it rests on."""

    wanted: Wanted
    qualities: tuple[Quality, ...]
    labels: Counter[LabelSource]
    candidates: int
    """All there are, labelled or not."""
    labelled: int
    """Held correct or incorrect."""
    questions: int
    """With a labelled candidate."""
    told: Mapping[Exposure, frozenset[tuple[str, str]]]
    """(question id, candidate id) of candidates of which the figures tell more than counts."""


def select(found: Scores, wanted: Wanted) -> Selection:
    """Reckon. Takes a second for some thousand candidates: not for an event loop."""
    by_question = found.by_question
    labelled = [row for row in found.rows if row.correct is not None]
    qualities = []
    for scorer in found.scorers:
        measured = list(_units(by_question, scorer, wanted.per))
        units = [one.unit for one in measured]
        if units:
            qualities.append(_quality(scorer, found.names[scorer], measured, wanted))
    return Selection(
        wanted=wanted,
        qualities=tuple(qualities),
        labels=found.labels,
        candidates=len(found.rows),
        labelled=len(labelled),
        questions=len({row.place.question_id for row in labelled}),
        told=_told(labelled, found.scorers),
    )


def _quality(scorer: Scorer, name: str, measured: Sequence[Measured], wanted: Wanted) -> Quality:
    units = [one.unit for one in measured]
    per = PerUnit.VARIANT if wanted.per is Per.VARIANT else PerUnit.ORIGINAL
    ends = _ends(scorer.scale, units)
    return Quality(
        scorer=scorer,
        name=name,
        metrics=metrics(units, per=per, reference_counts=wanted.reference_counts),
        above=above_mean(units),
        separation=None
        if ends is None
        else separation(measured, lowest=ends[0], highest=ends[1], reference_counts=wanted.reference_counts),
    )


def _ends(scale: Scale | None, units: Sequence[Unit]) -> tuple[float, float] | None:
    """The scale's, else the lowest and the highest score that was given; `None` where these are the same."""
    if scale is not None:
        return scale.lowest, scale.highest
    scores = [one.score for unit in units for one in unit.scored]
    return (min(scores), max(scores)) if min(scores) < max(scores) else None


def _units(by_question: Mapping[str, Sequence[Row]], scorer: Scorer, per: Per) -> Iterator[Measured]:
    """Units with a scored and labelled candidate, with the solver's accuracy without a candidate."""
    for question_id, rows in by_question.items():
        if not any(row.correct is not None and row.value(scorer) is not None for row in rows):
            continue
        if per is Per.ORIGINAL:
            scores = {row.place.candidate_id: row.value(scorer) for row in rows}
            yield Measured(_unit(question_id, question_id, rows, scores), _difficulty_of(rows, scorer))
            continue
        for neighbour_id in neighbours_of(rows):
            scores = {row.place.candidate_id: _on(row, scorer, neighbour_id) for row in rows}
            accuracy = _accuracy_on(rows, scorer, neighbour_id)
            yield Measured(_unit(f"{question_id} {neighbour_id}", question_id, rows, scores), accuracy)


def _unit(key: str, question_id: str, rows: Sequence[Row], scores: Mapping[str, float | None]) -> Unit:
    scored = tuple(
        Scored(row.place.candidate_id, score, row.correct, row.place.reference)
        for row in rows
        if row.correct is not None and (score := scores[row.place.candidate_id]) is not None
    )
    return Unit(key, question_id, scored, len(rows) - len(scored))


def neighbours_of(rows: Sequence[Row]) -> tuple[str, ...]:
    """The neighbours on which a question's candidates were measured; one nameless one where none was."""
    measured = (given for row in rows for given in row.given.values() if given.comparable)
    found = {value.neighbour_id: None for given in measured if given.utility for value in given.utility.neighbours}
    return tuple(found) or ("",)


def _on(row: Row, scorer: Scorer, neighbour_id: str) -> float | None:
    """The score from the rollouts on one neighbour alone; what is no utility is the same on all of them."""
    if scorer.kind is not Kind.UTILITY:
        return row.value(scorer)
    given = row.given.get(scorer)
    if given is None or given.utility is None or not given.comparable:
        return None
    counts = {value.neighbour_id: value for value in given.utility.neighbours}
    found = counts.get(neighbour_id)
    return found.solved / found.decided if found is not None and found.decided else None


def _controls(rows: Sequence[Row], scorer: Scorer) -> Iterator[Given]:
    """Utilities with a control arm: by this very solver, or for others by any solver."""
    for row in rows:
        for one, given in row.given.items():
            own = one == scorer or scorer.kind is not Kind.UTILITY
            if own and given.utility is not None and given.utility.control and given.comparable:
                yield given


def _difficulty_of(rows: Sequence[Row], scorer: Scorer) -> float | None:
    found = (one.utility.control_mean for one in _controls(rows, scorer) if one.utility is not None)
    return next((mean for mean in found if mean is not None), None)


def _accuracy_on(rows: Sequence[Row], scorer: Scorer, neighbour_id: str) -> float | None:
    for given in _controls(rows, scorer):
        for value in given.utility.control if given.utility else ():
            if value.neighbour_id == neighbour_id and value.decided:
                return value.solved / value.decided
    return None


def _told(labelled: Sequence[Row], scorers: Sequence[Scorer]) -> dict[Exposure, frozenset[tuple[str, str]]]:
    """What the figures of each scorer give away: a score or label of few candidates, or one that all of them have."""
    told: dict[Exposure, set[tuple[str, str]]] = {}
    for scorer in scorers:
        rows = [row for row in labelled if row.value(scorer) is not None]
        places = {(row.place.question_id, row.place.candidate_id) for row in rows}
        if gives_away(len(rows), (row.value(scorer) for row in rows)):
            told.setdefault(EXPOSURES[scorer.kind], set()).update(places)
        if gives_away(len(rows), (row.correct for row in rows)):
            for row in rows:
                if row.held.source in TELLS_OF:
                    place = (row.place.question_id, row.place.candidate_id)
                    told.setdefault(TELLS_OF[row.held.source], set()).add(place)
    return {what: frozenset(places) for what, places in told.items() if places}
