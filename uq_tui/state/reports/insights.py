"""How validators compare with labels: read from the store, for the Insights screen and `uq-tui report`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from store import elsewhere, exposures
from store import evaluation as stored
from store.workspace import Workspace
from uq_tui.analysis.cases import Answer, Author, Group, Judgement, Validator, from_elsewhere, grouped
from uq_tui.analysis.evaluation import Report, evaluate
from uq_tui.analysis.failing_stage import first_rejecting
from uq_tui.analysis.families import UNKNOWN, bare_name, family_of
from uq_tui.analysis.telling import labels_told, outcomes_told
from uq_tui.errors import NotFoundError
from uq_tui.state.reports.labels import TELLS, Against, Labels, Truth, news, opinions
from uq_tui.state.reviewing.blind import NOTHING, LeftOut
from uq_tui.words import AuthorKind, Exposure

PERSON = "person"
"""The name and the family of people; who it was, a report on models doesn't say."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a report is to be on."""

    against: Against | None = None
    """`None` takes verdicts, or known labels while no judged candidate has a verdict."""
    borderline_correct: bool = True
    strategies: tuple[str, ...] = ()
    """Names or one-line forms of strategies; all when empty."""


@dataclass(frozen=True, slots=True)
class Findings:
    """A report and what it rests on."""

    report: Report
    against: Against
    fell_back: bool
    """Known labels were taken because no judged candidate has a verdict."""
    borderline_correct: bool
    reviewers: int
    """Whose verdicts were used."""
    unfinished: int
    """Validations that are left out because they have not ended well."""
    elsewhere: int
    """Judgements among those counted that were made elsewhere, and came in files."""
    told: Mapping[Exposure, frozenset[str]]
    """Candidates of which the report tells more than counts."""
    left_out: LeftOut = NOTHING
    """What the reader judges blind."""


def read(ws: Workspace, wanted: Wanted, left_out: LeftOut = NOTHING) -> Findings:
    """Read everything and reckon. Takes seconds for some hundred thousand outcomes: not for an event loop.

    Args:
        ws: where to look.
        wanted: what the report is to be on.
        left_out: the candidates that whoever reads it judges blind.

    Raises:
        NotFoundError: no finished validation used a strategy that is wanted.
    """
    judgements = [one for one in judgements_of(ws) if one.candidate_id not in left_out.candidates]
    if wanted.strategies:
        judgements = _only(judgements, wanted.strategies)
    judged = dict.fromkeys(one.candidate_id for one in judgements)
    verdicts = {key: given for key, given in opinions(ws, Against.VERDICTS).items() if key in judged}
    against = wanted.against or (Against.VERDICTS if verdicts or not _labelled(ws, judged) else Against.KNOWN)
    truth = Truth(ws, Labels(against, wanted.borderline_correct))
    authors = stored.authors(ws, judged)
    groups = grouped(
        judgements,
        [
            Answer(
                key,
                named_authors(authors.get(key, ())),
                truth.of(key).standing,
            )
            for key in judged
        ],
    )
    return Findings(
        report=evaluate(groups),
        against=against,
        fell_back=wanted.against is None and against is Against.KNOWN,
        borderline_correct=wanted.borderline_correct,
        reviewers=len({one.reviewer_id for given in verdicts.values() for one in given})
        if against is Against.VERDICTS
        else 0,
        unfinished=stored.unfinished_validations(ws),
        elsewhere=from_elsewhere(groups),
        told=_told(groups, against),
        left_out=left_out,
    )


def record_shown(ws: Workspace, reviewer_id: str, findings: Findings, where: str) -> None:
    """Record what a report gives away of single candidates as shown to a reviewer. Their own verdict is no news."""
    questions = stored.questions_of(ws, frozenset().union(*findings.told.values()))
    for what, candidate_ids in findings.told.items():
        told = news(ws, reviewer_id, what, candidate_ids)
        shown = [(questions[candidate_id], candidate_id) for candidate_id in sorted(told)]
        exposures.record_all(ws, reviewer_id, shown, what, where)


def judgements_of(ws: Workspace) -> list[Judgement]:
    """What all finished validations made of candidates: those elsewhere, then those here, each the oldest first.

    So where the same validator judged a candidate here and elsewhere, what it said here is the last word.
    """
    found = [_judgement(run, one, came=True) for run, one in elsewhere.validations(ws)]
    runs = {run.run_id: run for run in stored.finished_validations(ws)}
    # A run may end between the two reads.
    found += [_judgement(runs[one.run_id], one) for one in stored.judged(ws) if one.run_id in runs]
    return found


def validators_by_run(ws: Workspace) -> dict[str, Validator]:
    """What judged in each finished validation, here or elsewhere, by the run's id."""
    runs = [*(run for run, _ in elsewhere.validations(ws)), *stored.finished_validations(ws)]
    return {run.run_id: validator_of(run) for run in runs}


def _judgement(run: stored.ValidationRun, one: stored.Judged, *, came: bool = False) -> Judgement:
    return Judgement(
        validator=validator_of(run),
        candidate_id=one.candidate_id,
        outcome=one.outcome,
        stage=first_rejecting(one.rejecting, run.stages),
        calls=one.calls,
        elsewhere=came,
    )


def validator_of(run: stored.ValidationRun) -> Validator:
    """What judged in a run."""
    return Validator(run.strategy, run.notation, run.models, run.endpoints, run.form.value, run.prompts)


def _only(judgements: Sequence[Judgement], strategies: Sequence[str]) -> list[Judgement]:
    names = {one.validator.strategy for one in judgements} | {one.validator.notation for one in judgements}
    for wanted in strategies:
        if wanted not in names:
            there = ", ".join(sorted({one.validator.strategy for one in judgements})) or "none"
            raise NotFoundError(
                f"No finished validation used the strategy {wanted}.", hint=f"Those that were used: {there}."
            )
    return [one for one in judgements if {one.validator.strategy, one.validator.notation} & set(strategies)]


def _labelled(ws: Workspace, judged: Mapping[str, None]) -> bool:
    return any(candidate_id in judged for candidate_id in stored.known_labels(ws))


def named_authors(given: Sequence[stored.Author]) -> tuple[Author, ...]:
    """Authors under the names that tables show, each once; one unknown author where nobody is named."""
    found = dict.fromkeys(_author(one) for one in given)
    named = tuple(one for one in found if one.name != UNKNOWN)
    return named or (Author(UNKNOWN, UNKNOWN),)


def _author(one: stored.Author) -> Author:
    if one.kind is AuthorKind.PERSON:
        return Author(PERSON, PERSON)
    model, system = bare_name(one.model or one.base_model), one.system.strip()
    # A system isn't the model it is built on, but it is kin.
    name = (system or model) if one.kind is AuthorKind.SYSTEM else (model or system)
    return Author(name or UNKNOWN, family_of(model))


def _told(groups: Sequence[Group], against: Against) -> dict[Exposure, frozenset[str]]:
    return {Exposure.OUTCOMES: outcomes_told(groups), TELLS[against]: labels_told(groups)}


def other_labels(wanted: Wanted, found: Findings | None) -> Wanted:
    """Go by known labels instead of verdicts, or the other way round."""
    by_known = found is not None and found.against is Against.KNOWN
    return replace(wanted, against=Against.VERDICTS if by_known else Against.KNOWN)


def other_borderline(wanted: Wanted, _found: Findings | None) -> Wanted:
    """Count borderline correct answers the other way."""
    return replace(wanted, borderline_correct=not wanted.borderline_correct)
