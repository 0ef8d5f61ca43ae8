"""What reviewers have given, and what of it has stood."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from store.opinions import Given, Said, by_candidate
from uq_tui.analysis.classification import Figure, share
from uq_tui.analysis.truth import Standing, standing
from uq_tui.state.reports.work import names_of

ALONE = "nobody else has decided on these answers"


@dataclass(frozen=True, slots=True)
class Credit:
    """One person's verdicts that stand."""

    name: str
    """Their newest public name, with the end of their id where several share it. Foreign text."""
    verdicts: int
    """On answers they judged: those along with one on an identical answer, repeats and adjudications are out."""
    questions: int
    stood: Figure
    """Verdicts that are what people came to, of those on answers that somebody else has decided on too, or has settled.
    """
    open: int
    """Verdicts on answers on which as many say correct as incorrect, and nobody has settled it."""
    settled: int
    """Conflicts that they settled."""
    asked: int
    """Of these questions, those that they had asked themselves."""


def credits_of(given: Iterable[Given], by_posters: Collection[str], *, borderline_correct: bool) -> tuple[Credit, ...]:
    """The credit of everybody who has a verdict, those with most questions first.

    Args:
        given: verdicts that stand, in order of time.
        by_posters: the revisions whose reviewer had asked the question.
        borderline_correct: as for reports.
    """
    every = list(given)
    own = defaultdict[str, list[Given]](list)
    for one in every:
        if one.ordinary and not one.linked_to:
            own[one.person].append(one)
    settled = Counter(one.person for one in every if one.settles)
    outcomes = compared(every, borderline_correct=borderline_correct)
    ties = _ties(every, borderline_correct=borderline_correct)
    names = names_of(every)
    found = []
    for person in own.keys() | settled.keys():
        stood = outcomes.get(person, {})
        found.append(
            Credit(
                name=names[person],
                verdicts=len(own[person]),
                questions=len({one.question_id for one in own[person]}),
                stood=share(sum(stood.values()), len(stood), ALONE),
                open=sum(
                    one.candidate_id in ties and _says(one, borderline_correct) is not None for one in own[person]
                ),
                settled=settled[person],
                asked=len({one.question_id for one in own[person] if one.name in by_posters}),
            )
        )
    return tuple(sorted(found, key=lambda one: (-one.questions, -one.verdicts, -one.settled, one.name)))


def compared(given: Iterable[Given], *, borderline_correct: bool) -> dict[str, dict[str, bool]]:
    """By person and candidate, whether what they said is what it came to.

    Only where another person has decided on the answer too, or has settled it: nobody's verdict stands by itself.
    """
    found = defaultdict[str, dict[str, bool]](dict)
    for candidate_id, said in by_candidate(given).items():
        come_to = _come_to(said, borderline_correct)
        if come_to is None:
            continue
        for one in said.ordinary:
            says = _says(one, borderline_correct)
            others = (other for other in (*said.ordinary, *_settling(said)) if other.person != one.person)
            if says is None or one.linked_to or all(_says(other, borderline_correct) is None for other in others):
                continue
            if said.settled_by is None or said.settled_by.person != one.person:
                found[one.person][candidate_id] = says is come_to
    return dict(found)


def _ties(given: Iterable[Given], *, borderline_correct: bool) -> frozenset[str]:
    return frozenset(
        key
        for key, said in by_candidate(given).items()
        if standing((one.label for one in said.deciding), borderline_correct=borderline_correct) is Standing.TIED
    )


def _come_to(said: Said, borderline_correct: bool) -> Standing | None:
    found = standing((one.label for one in said.deciding), borderline_correct=borderline_correct)
    return found if found in (Standing.CORRECT, Standing.INCORRECT) else None


def _says(one: Given, borderline_correct: bool) -> Standing | None:
    found = standing([one.label], borderline_correct=borderline_correct)
    return found if found in (Standing.CORRECT, Standing.INCORRECT) else None


def _settling(said: Said) -> tuple[Given, ...]:
    return () if said.settled_by is None else (said.settled_by,)
