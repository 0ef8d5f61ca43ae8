"""The standing of models, systems and people: questions they have verifiably solved, and what validators would say.

Everything is counted in questions: an author has solved one with any of their answers to it. Read from the store for
Insights and `uq-tui report standing`.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from store import evaluation, opinions
from store import standing as stored
from store.opinions import Said, by_candidate
from store.resolution_status import Standing as Resolved
from store.withheld import withheld
from store.workspace import Workspace
from uq_tui.analysis.cases import Answer, Case, Group, from_elsewhere, grouped
from uq_tui.analysis.classification import Figure, share
from uq_tui.analysis.families import bare_name
from uq_tui.analysis.ranks import places
from uq_tui.analysis.telling import gives_away
from uq_tui.analysis.truth import Standing, standing
from uq_tui.state.reports import candidate_scores
from uq_tui.state.reports.agreement import Wanted
from uq_tui.state.reports.insights import judgements_of
from uq_tui.state.reports.solvers import Solver, names_by_kind, solvers_of
from uq_tui.state.reports.standing_credit import Credit, compared, credits_of
from uq_tui.state.reports.standing_validators import ByValidators, by_validators
from uq_tui.state.reviewing.blind import NOTHING, LeftOut
from uq_tui.words import RESOLVED, AuthorKind, Exposure, Resolution

Told = Mapping[Exposure, frozenset[tuple[str, str]]]
"""(question id, candidate id) of what figures give away, by what it is."""
_UNKNOWN = Standing.UNLABELLED
NOT_DECIDED = "no verdict on an answer of theirs decides"


@dataclass(frozen=True, slots=True)
class Place:
    """Where one stands, by questions."""

    place: int
    """1 is the best; those with equal counts share one."""
    solver: Solver
    resolved: int
    """Questions that are resolved by their answer, on the word of somebody whose word resolves."""
    correct: Figure
    """Questions to which people found an answer of theirs correct, of those with any that people decided on."""


@dataclass(frozen=True, slots=True)
class StandingFindings:
    """All of it, from one reading."""

    wanted: Wanted
    states: Counter[Resolution]
    """Questions by where they stand."""
    answerers: Mapping[AuthorKind, int]
    """How many different names have answered, judged or not."""
    ranking: tuple[Place, ...]
    """Those of whom an answer was judged by people or has resolved a question; the best first."""
    validators: ByValidators
    elsewhere: int
    """Outcomes of validators among those counted that came in files."""
    credit: tuple[Credit, ...]
    """Those with most questions first."""
    told: Told
    left_out: LeftOut = NOTHING


def read(ws: Workspace, wanted: Wanted, reviewer_id: str, left_out: LeftOut = NOTHING) -> StandingFindings:
    """Read everything and count. Takes seconds: not for an event loop.

    Args:
        ws: where to look.
        wanted: what is asked for. Of a subset, site, field and questions restrict all that is counted; the rest of it
            says whose verdicts count, and nothing of what validators decided or who resolved a question.
        reviewer_id: who reads it.
        left_out: what they judge blind.
    """
    kept = withheld(ws, reviewer_id)
    outside = opinions.outside(ws, wanted.subset)
    hidden = kept.questions | outside
    given = opinions.standing(ws, wanted.subset, kept)
    said = by_candidate(given)
    words = stored.resolved(ws, hidden)
    references = evaluation.references(ws)
    judgements = [one for one in judgements_of(ws) if one.candidate_id not in left_out.candidates]
    credited = {one.word.candidate_id for one in words.values() if one.word is not None}
    keys = {one.candidate_id for one in judgements} | said.keys() | credited
    known = evaluation.questions_of(ws, keys - references)
    questions = {key: question_id for key, question_id in known.items() if question_id not in outside}
    solvers = {key: solvers_of(own) for key, own in stored.sources(ws, questions).items()}
    truths = {key: _truth(said.get(key), wanted) for key in questions}
    groups = _among(questions, grouped(judgements, [Answer(key, (), truths.get(key, _UNKNOWN)) for key in keys]))
    return StandingFindings(
        wanted=wanted,
        states=Counter(stored.states(ws, hidden)),
        answerers=names_by_kind(stored.all_sources(ws, hidden)),
        ranking=_ranking(_solved(words, solvers), solvers, questions, truths),
        validators=by_validators(groups, solvers, questions),
        elsewhere=from_elsewhere(groups),
        credit=credits_of(given, stored.by_posters(ws), borderline_correct=wanted.borderline_correct),
        told=_told(groups, solvers, questions, truths, credited, said, wanted),
        left_out=left_out,
    )


def record_shown(ws: Workspace, reviewer_id: str, found: StandingFindings, where: str) -> None:
    """Record what figures give away of single candidates as shown to a reviewer. Their own verdict is no news."""
    candidate_scores.record_told(ws, reviewer_id, found.told, where)


def _among(candidates: Collection[str], groups: Iterable[Group]) -> list[Group]:
    """Groups with the numbers they have in other reports, and with nothing but these candidates."""
    return [
        replace(group, cases=[case for case in group.cases if case.answer.candidate_id in candidates])
        for group in groups
    ]


def _truth(said: Said | None, wanted: Wanted) -> Standing:
    if said is None or not said.ordinary:
        return _UNKNOWN
    return standing((one.label for one in said.deciding), borderline_correct=wanted.borderline_correct)


def _solved(words: Mapping[str, Resolved], solvers: Mapping[str, Sequence[Solver]]) -> dict[Solver, set[str]]:
    """The resolved questions of each who is credited: by the answer that is named, else by the name in the credit."""
    found = defaultdict[Solver, set[str]](set)
    for question_id, one in words.items():
        if one.word is None or one.state not in RESOLVED:
            continue
        by_person = one.state is Resolution.RESOLVED_BY_PERSON
        named = solvers.get(one.word.candidate_id, ())
        own = [solver for solver in named if (solver.kind is AuthorKind.PERSON) is by_person]
        if not own and (credit := one.word.said.credit.strip()):
            own = [Solver(AuthorKind.PERSON, credit) if by_person else _machine(credit, solvers)]
        for solver in own:
            found[solver].add(question_id)
    return dict(found)


def _machine(credit: str, solvers: Mapping[str, Sequence[Solver]]) -> Solver:
    """The system of this name, where one has answered; else the model."""
    system = Solver(AuthorKind.SYSTEM, credit)
    return system if any(system in own for own in solvers.values()) else Solver(AuthorKind.MODEL, bare_name(credit))


def _ranking(
    solved: Mapping[Solver, Collection[str]],
    solvers: Mapping[str, Sequence[Solver]],
    questions: Mapping[str, str],
    truths: Mapping[str, Standing],
) -> tuple[Place, ...]:
    judged, correct = defaultdict[Solver, set[str]](set), defaultdict[Solver, set[str]](set)
    for key, truth in truths.items():
        if truth in (Standing.CORRECT, Standing.INCORRECT):
            for solver in solvers.get(key, ()):
                judged[solver].add(questions[key])
                if truth is Standing.CORRECT:
                    correct[solver].add(questions[key])
    every = sorted(judged.keys() | solved.keys())
    counts = [(len(solved.get(one, ())), len(correct.get(one, ()))) for one in every]
    # Resolved questions come first: no number of answers found correct outweighs one.
    most = 1 + max((found for _, found in counts), default=0)
    placed = places([resolved * most + found for resolved, found in counts])
    ranking = [
        Place(place, one, resolved, share(found, len(judged.get(one, ())), NOT_DECIDED))
        for place, one, (resolved, found) in zip(placed, every, counts, strict=True)
    ]
    return tuple(sorted(ranking, key=lambda one: (one.place, one.solver)))


def _told(
    groups: Iterable[Group],
    solvers: Mapping[str, Sequence[Solver]],
    questions: Mapping[str, str],
    truths: Mapping[str, Standing],
    credited: Iterable[str],
    said: Mapping[str, Said],
    wanted: Wanted,
) -> Told:
    """What follows for single candidates: where a figure is over few of them, or all came to the same."""
    verdicts, outcomes = {key for key in credited if key in questions}, set[str]()
    labels = defaultdict[object, list[tuple[str, object]]](list)
    for key, truth in truths.items():
        if truth in (Standing.CORRECT, Standing.INCORRECT):
            for solver in solvers.get(key, ()):
                labels[solver].append((key, truth))
    cells = defaultdict[object, list[Case]](list)
    for group in groups:
        for case in group.cases:
            for by in (None, *solvers.get(case.answer.candidate_id, ())):
                cells[group.number, by].append(case)
    for name, cell in cells.items():
        if gives_away(len(cell), (case.judgement.outcome for case in cell)):
            outcomes.update(case.answer.candidate_id for case in cell)
        # A row has the correct ones of the accepted, and of all that were decided on.
        for part in ("decided", "accepted"):
            shown = [case for case in cell if case.labelled and getattr(case, part)]
            labels[name, part] += [(case.answer.candidate_id, case.answer.standing) for case in shown]
    for person, own in compared(said, borderline_correct=wanted.borderline_correct).items():
        labels[person] += [(key, stood) for key, stood in own.items() if key in questions]
    for told in labels.values():
        if gives_away(len(told), (value for _, value in told)):
            verdicts.update(key for key, _ in told)
    return {
        Exposure.OUTCOMES: frozenset((questions[key], key) for key in outcomes),
        Exposure.OTHER_VERDICTS: frozenset((questions[key], key) for key in verdicts),
    }
