"""All that scores candidates, side by side: utilities, judges, validators, outside scorers, and what is held correct.

Everything is read in a few queries, however many candidates there are. What was asked in another way (model, address,
prompts, form) is another scorer. Of several finished runs of a scorer on a candidate the newest counts that brought
something.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from statistics import fmean
from typing import Any

from store import candidate_scores as stored
from store import evaluation, exposures, external_scores, judgements
from store.candidate_scores import Place, Samples, Whole
from store.run_rows import Utility
from store.scores import prompts_digest
from store.workspace import Workspace
from uq_tui.analysis.intervals import Estimate, mean_of_proportions
from uq_tui.analysis.scale import Scale
from uq_tui.analysis.truth import Standing
from uq_tui.state.reports.labels import TELLS_OF, Held, Labels, LabelSource, Truth, news
from uq_tui.state.reports.scorers import EXPOSURES, Kind, Scorer, in_order, names
from uq_tui.state.reviewing.blind import NOTHING, LeftOut
from uq_tui.words import Exposure, Outcome


@dataclass(frozen=True, slots=True)
class Given:
    """What one scorer gave to one candidate."""

    value: float | None
    """`None` is unknown: no rollout decided, no score read, no decision. Never 0 for that."""
    n: int
    """Rollouts decided, scores read, or 1."""
    planned: int
    """Rollouts or samples that were to be drawn, or 1."""
    low: float | None = None
    high: float | None = None
    """Bounds of a 95 % interval of utilities and of scores that are yes or no."""
    run_id: str = ""
    samples: tuple[float, ...] = ()
    """A judge's scores."""
    call_keys: tuple[str, ...] = ()
    """A judge's calls."""
    outcome: Outcome | None = None
    """A validator's."""
    utility: Utility | None = None
    """With lift, control and neighbours."""
    comparable: bool = True
    """Utilities only: measured on the neighbours on which most of the question's candidates were."""


YES_OR_NO = Scale(0, 1)
_CONTROL = "cbu.control"
"""The prompt of rollouts without a candidate."""


Found = Iterator[tuple[str, Scorer, Given]]


@dataclass(frozen=True, slots=True)
class Row:
    """One candidate with all that is known of it."""

    place: Place
    held: Held
    """What it is held to be."""
    given: Mapping[Scorer, Given] = field(default_factory=dict)

    @property
    def correct(self) -> bool | None:
        """`None` where nobody has said, or not clearly."""
        return {Standing.CORRECT: True, Standing.INCORRECT: False}.get(self.held.standing)

    def value(self, scorer: Scorer) -> float | None:
        """What it got from a scorer, where that can be compared with what others got."""
        own = self.given.get(scorer)
        return own.value if own is not None and own.comparable else None


@dataclass(frozen=True, slots=True)
class Scores:
    """Candidates in their order, and everybody who scored one of them."""

    rows: tuple[Row, ...]
    scorers: tuple[Scorer, ...]
    """Utilities first, then judges, validators and outside scorers; within a kind by name."""
    names: Mapping[Scorer, str]
    """Short names, told apart as far as need be."""
    held: Labels = field(default_factory=Labels)
    """What is held correct."""
    left_out: LeftOut = NOTHING
    """What the reader judges blind."""

    @property
    def by_question(self) -> dict[str, tuple[Row, ...]]:
        """Rows of each question, in their order."""
        found: dict[str, list[Row]] = {}
        for row in self.rows:
            found.setdefault(row.place.question_id, []).append(row)
        return {question_id: tuple(rows) for question_id, rows in found.items()}

    @property
    def labels(self) -> Counter[LabelSource]:
        """How many labels are whose."""
        return Counter(row.held.source for row in self.rows if row.held.source is not None)


def read(ws: Workspace, question_id: str = "", labels: Labels | None = None, left_out: LeftOut = NOTHING) -> Scores:
    """Read everything. Takes about a second for 5,000 candidates: not for an event loop.

    Args:
        ws: where to look.
        question_id: only this question's candidates; "" for all.
        labels: what is to be held correct.
        left_out: the candidates that whoever reads it judges blind.
    """
    every = stored.places(ws, question_id)
    places = [one for one in every if one.candidate_id not in left_out.candidates]
    given: dict[str, dict[Scorer, Given]] = {place.candidate_id: {} for place in places}
    questions = {place.candidate_id: place.question_id for place in every}
    for candidate_id, scorer, one in (
        *_utilities(ws, question_id, questions),
        *_judged(ws, question_id),
        *_validated(ws, question_id),
        *_external(ws, question_id),
    ):
        if candidate_id in given:
            given[candidate_id][scorer] = one
    found = {scorer: None for own in given.values() for scorer in own}
    scorers = tuple(sorted(found, key=in_order))
    wanted = labels or Labels()
    truth = Truth(ws, wanted)
    rows = tuple(Row(place, truth.of(place.candidate_id), given[place.candidate_id]) for place in places)
    return Scores(rows, scorers, names(scorers), wanted, left_out)


def record_shown(ws: Workspace, reviewer_id: str, rows: Iterable[Row], where: str, *, labels: bool = True) -> None:
    """Record that a reviewer is shown all scores of these candidates, and with `labels` what they are held to be."""
    shown: dict[Exposure, list[tuple[str, str]]] = {}
    for row in rows:
        what = {EXPOSURES[scorer.kind] for scorer in row.given}
        if labels and row.held.source in TELLS_OF:
            what.add(TELLS_OF[row.held.source])
        for one in what:
            shown.setdefault(one, []).append((row.place.question_id, row.place.candidate_id))
    record_told(ws, reviewer_id, shown, where)


def record_told(
    ws: Workspace, reviewer_id: str, told: Mapping[Exposure, Iterable[tuple[str, str]]], where: str
) -> None:
    """Record what is shown of candidates, given as (question id, candidate id), as far as it is news to a reviewer."""
    for what, places in told.items():
        new = news(ws, reviewer_id, what, (candidate_id for _, candidate_id in places))
        exposures.record_all(ws, reviewer_id, sorted(place for place in places if place[1] in new), what, where)


def _utilities(ws: Workspace, question_id: str, questions: Mapping[str, str]) -> Found:
    found = judgements.complete_utilities(ws, question_id)
    ways = {run_id: _solver(spec) for run_id, spec in stored.specs(ws, (one.run_id for one in found)).items()}
    newest: dict[tuple[Scorer, str], dict[tuple[str, ...], dict[str, Utility]]] = {}
    for one in found:
        on = tuple(sorted(value.neighbour_id for value in one.neighbours))
        own = newest.setdefault((ways[one.run_id], questions[one.candidate_id]), {})
        measured = own.pop(on, {})
        if one.mean is not None or one.candidate_id not in measured:  # what brought nothing replaces nothing
            measured[one.candidate_id] = one
        own[on] = measured  # so that the neighbourhood measured on last stands last
    for (scorer, _), neighbourhoods in newest.items():
        known = {on: sum(one.mean is not None for one in own.values()) for on, own in neighbourhoods.items()}
        chosen = [on for on, count in known.items() if count == max(known.values())][-1]
        every = {key: one for measured in neighbourhoods.values() for key, one in measured.items()}
        for candidate_id, one in {**every, **neighbourhoods[chosen]}.items():
            yield candidate_id, scorer, _measured(one, comparable=candidate_id in neighbourhoods[chosen])


def _solver(spec: Mapping[str, Any]) -> Scorer:
    """The solver and how it was asked; whether there was a control arm changes no utility."""
    model = spec["model"]
    prompts = {name: one for name, one in spec.get("templates", {}).items() if name != _CONTROL}
    judged_alike = {"judge": {"prompt_sha256": ""}, "templates": prompts}
    return Scorer(
        Kind.UTILITY,
        "CBU",
        (model["id"],),
        (model.get("api_base", ""),),
        version=prompts_digest({**judged_alike, "sampling": spec.get("sampling", {})}),
        scale=YES_OR_NO,
    )


def _measured(one: Utility, *, comparable: bool) -> Given:
    return Given(
        value=one.mean,
        n=sum(value.decided for value in one.neighbours),
        planned=one.rollouts * len(one.neighbours),
        low=one.low,
        high=one.high,
        run_id=one.run_id,
        utility=one,
        comparable=comparable,
    )


def _judged(ws: Workspace, question_id: str) -> Found:
    found = stored.samples(ws, question_id)
    specs = stored.specs(ws, (one.run_id for one in found))
    ways = {run_id: _judge(spec) for run_id, spec in specs.items()}
    chosen: dict[tuple[str, Scorer], Samples] = {}
    for one in found:
        if one.n != specs[one.run_id]["samples"]:
            continue
        place = (one.candidate_id, ways[one.run_id])
        # One of which every call failed stands only where there is no other.
        if one.failed < one.n or place not in chosen or chosen[place].failed == chosen[place].n:
            chosen[place] = one
    for (candidate_id, scorer), one in chosen.items():
        values = one.values
        sure = _share(sum(values), len(values)) if scorer.scale == YES_OR_NO else None
        yield (
            candidate_id,
            scorer,
            Given(
                value=fmean(values) if values else None,
                n=len(values),
                planned=one.n,
                low=sure.low if sure else None,
                high=sure.high if sure else None,
                run_id=one.run_id,
                samples=values,
                call_keys=one.call_keys,
            ),
        )


@lru_cache(maxsize=4096)
def _share(hits: float, n: int) -> Estimate | None:
    """Wilson's interval; few shares are different ones, and each takes a search."""
    return mean_of_proportions([(round(hits), n)])


def _judge(spec: Mapping[str, Any]) -> Scorer:
    pinned, model = spec["judge"], spec["model"]
    return Scorer(
        Kind.JUDGE,
        pinned["name"],
        (model["id"],),
        (model.get("api_base", ""),),
        form=spec.get("form", ""),
        version=prompts_digest(spec),
        scale=Scale(pinned["lowest"], pinned["highest"]),
    )


def _validated(ws: Workspace, question_id: str) -> Found:
    found = stored.wholes(ws, question_id)
    specs = stored.specs(ws, (one.run_id for one in found))
    ways = {run_id: _validator(evaluation.validation(run_id, spec)) for run_id, spec in specs.items()}
    values = {Outcome.ACCEPT: 1.0, Outcome.REJECT: 0.0}
    newest: dict[tuple[str, Scorer], Whole] = {}
    for each in found:
        place = (each.candidate_id, ways[each.run_id])
        if each.outcome is not Outcome.FAILED or place not in newest:  # an outage says nothing of the validator
            newest[place] = each
    for (candidate_id, scorer), one in newest.items():
        value = values.get(one.outcome)
        yield (
            candidate_id,
            scorer,
            Given(value, n=int(value is not None), planned=1, run_id=one.run_id, outcome=one.outcome),
        )


def _validator(run: evaluation.ValidationRun) -> Scorer:
    return Scorer(
        Kind.VALIDATOR,
        run.strategy,
        run.models,
        run.endpoints,
        form=run.form.value,
        version=run.prompts,
        notation=run.notation,
        scale=YES_OR_NO,
    )


def _external(ws: Workspace, question_id: str) -> Found:
    found = external_scores.of_question(ws, question_id) if question_id else external_scores.every(ws)
    for one in found:
        yield one.candidate_id, Scorer(Kind.EXTERNAL, one.scorer), Given(one.value, n=1, planned=1)
