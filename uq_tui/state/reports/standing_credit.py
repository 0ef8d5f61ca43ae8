"""What reviewers have given, and what of it has stood."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from store.opinions import Given, Said, by_candidate
from uq_tui.analysis.classification import Figure, share
from uq_tui.analysis.truth import Standing, standing
from uq_tui.state.people import names_of

_DECIDED = (Standing.CORRECT, Standing.INCORRECT)
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


def credits_of(given: Sequence[Given], by_posters: Collection[str], *, borderline_correct: bool) -> tuple[Credit, ...]:
    """The credit of everybody who has a verdict, those with most questions first.

    Args:
        given: verdicts that stand, in order of time.
        by_posters: the revisions whose reviewer had asked the question.
        borderline_correct: as for reports.
    """
    said = by_candidate(given)
    own = defaultdict[str, list[Given]](list)
    for one in given:
        if one.ordinary and not one.linked_to:
            own[one.person].append(one)
    settled = Counter(one.person for one in given if one.settles)
    outcomes = compared(said, borderline_correct=borderline_correct)
    ties = {key for key, one in said.items() if _come_to(one, borderline_correct) is Standing.TIED}
    names = names_of(given)
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
                    one.candidate_id in ties and _says(one, borderline_correct) in _DECIDED for one in own[person]
                ),
                settled=settled[person],
                asked=len({one.question_id for one in own[person] if one.name in by_posters}),
            )
        )
    return tuple(sorted(found, key=lambda one: (-one.questions, -one.verdicts, -one.settled, one.name)))


def compared(said: Mapping[str, Said], *, borderline_correct: bool) -> dict[str, dict[str, bool]]:
    """By person and candidate, whether what they said is what it came to.

    Only where another person has decided on the answer too, or has settled it: nobody's verdict stands by itself.
    """
    found = defaultdict[str, dict[str, bool]](dict)
    for candidate_id, one in said.items():
        come_to = _come_to(one, borderline_correct)
        if come_to not in _DECIDED:
            continue
        settled_by = one.settled_by
        says = {each.person: _says(each, borderline_correct) for each in one.ordinary}
        deciding = {person for person, label in says.items() if label in _DECIDED}
        for each in one.ordinary:
            if each.person not in deciding or each.linked_to:
                continue
            by_others = len(deciding) > 1 if settled_by is None else settled_by.person != each.person
            if by_others:
                found[each.person][candidate_id] = says[each.person] is come_to
    return dict(found)


def _come_to(said: Said, borderline_correct: bool) -> Standing:
    return standing((one.label for one in said.deciding), borderline_correct=borderline_correct)


def _says(one: Given, borderline_correct: bool) -> Standing:
    return standing([one.label], borderline_correct=borderline_correct)
