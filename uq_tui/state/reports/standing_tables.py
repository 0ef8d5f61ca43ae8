"""The report on standing as tables of words and plots, for a screen, files or a terminal."""

from collections.abc import Iterable, Sequence
from functools import partial

from uq_tui.analysis.cases import Validator
from uq_tui.analysis.classification import Figure
from uq_tui.state.reports.figures import decimal, elsewhere_lines, estimated, signed
from uq_tui.state.reports.insight_tables import JUDGED_FIRST
from uq_tui.state.reports.plots import MOST_LINES, MOST_ROWS, Line, Plot, Range, Ranges, rest
from uq_tui.state.reports.section import Section, section
from uq_tui.state.reports.standing import Place, StandingFindings
from uq_tui.state.reports.standing_validators import Likeness, Moved, Passed, Rate
from uq_tui.text import counted
from uq_tui.words import RESOLVED, AuthorKind, Resolution

NOTHING_YET = "Nothing is judged yet, by validators or by people, so there is no standing to report."
WHAT_TO_DO = (
    *JUDGED_FIRST,
    "3. Give verdicts, and say what they resolve: uq-tui verdict give, uq-tui resolve.",
)
RANKING, MOVED = "Who has solved what", "Places by validators"
"""Titles of the tables that plots stand beside."""
FEW = 10
"""Of fewer judged questions it is said that they are few: 1 of 9 has an interval from .02 to .44."""
ALL_TOGETHER = "all together"
_section = partial(section, report="standing")


def is_empty(found: StandingFindings) -> bool:
    """Whether there is nothing to tell but how many questions there are."""
    return not (found.ranking or found.validators.rates or found.credit)


def intro(found: StandingFindings) -> tuple[str, ...]:
    """What the report is on, one sentence a line."""
    resolved = sum(found.states[state] for state in RESOLVED)
    names = {
        AuthorKind.MODEL: counted(found.answerers[AuthorKind.MODEL], "model"),
        AuthorKind.SYSTEM: counted(found.answerers[AuthorKind.SYSTEM], "system"),
        AuthorKind.PERSON: counted(found.answerers[AuthorKind.PERSON], "person", "people"),
    }
    borderline = "correct" if found.wanted.borderline_correct else "incorrect"
    return (
        f"{counted(sum(found.states.values()), 'question')}, {resolved:,} of them resolved. "
        f"Answers by {names[AuthorKind.MODEL]}, {names[AuthorKind.SYSTEM]} and {names[AuthorKind.PERSON]} with a name.",
        f"Places go by what people have verified. Borderline correct counts as {borderline}.",
        "In brackets are 95 % intervals; – is undefined.",
        *elsewhere_lines(found.elsewhere),
        *found.left_out.lines,
    )


def sections(found: StandingFindings) -> tuple[Section, ...]:
    """All tables that have something in them."""
    made = (
        _ranking(found.ranking),
        _resolutions(found),
        _rates(found.validators.rates),
        _passed(found.validators.passed),
        _moved(found),
        _likeness(found.validators.likeness),
        _credit(found),
    )
    return tuple(section for section in made if section.rows)


def ranking_plot(found: StandingFindings) -> Ranges | None:
    """The share that people found correct, of each whose answers they decided on; `None` where there are none."""
    judged = [one for one in found.ranking if one.correct.value is not None]
    rows = tuple(
        Range(one.solver.name, one.correct.value, one.correct.low, one.correct.high, one.correct.n)
        for one in judged[:MOST_ROWS]
    )
    about = "share found correct by people, 95 % intervals, n questions they decided on"
    return Ranges(RANKING, about, rows, (0.0, 1.0), rest(len(judged) - len(rows), "name")) if rows else None


def moved_plot(found: StandingFindings) -> Plot | None:
    """The place that each validator would give, a line for each author; `None` with fewer than two validators."""
    numbers = sorted({number for one in found.validators.moved for number in one.places})
    if len(numbers) < 2:
        return None
    moved = found.validators.moved
    lines = tuple(
        Line(
            str(mark),
            one.by.name,
            tuple(float(number) for number in sorted(one.places)),
            tuple(float(one.places[number]) for number in sorted(one.places)),
        )
        for mark, one in enumerate(moved[:MOST_LINES], start=1)
    )
    last = max(max(one.ys) for one in lines)
    return Plot(
        MOVED,
        "number of the validator",
        "place, 1 is the best",
        lines,
        (float(numbers[0]), float(numbers[-1])),
        (1.0, max(last, 2.0)),
        tuple((float(number), str(number)) for number in numbers),
        rest=rest(len(moved) - len(lines), "name"),
    )


def _ranking(ranking: Sequence[Place]) -> Section:
    rows = tuple(
        (str(one.place), one.solver.name, one.solver.kind.value, f"{one.resolved:,}", *_of(one.correct))
        for one in ranking
    )
    few = [one.solver.name for one in ranking if one.correct.n < FEW]
    notes = []
    if few:
        who = "All of these" if len(few) == len(ranking) else counted(len(few), "of these", "of these")
        notes.append(f"{who}: fewer than {FEW} judged, so that the order says little. It is no leaderboard.")
    return _section(
        RANKING,
        "Questions resolved by an answer of theirs, on the word of who asked or of an expert; then those to which"
        " people found one correct, of the n with one that they decided on. Equal counts share a place.",
        ("place", "name", "kind", "resolved", "correct", "n", "share"),
        rows,
        ("place", "resolved", "correct", "n"),
        (*notes, "People judge by availability what validators let through, and a wrong answer is shown more easily."),
    )


def _resolutions(found: StandingFindings) -> Section:
    total = sum(found.states.values())
    rows = tuple(
        (state.value.replace("_", " "), f"{found.states[state]:,}", decimal(found.states[state] / total))
        for state in Resolution
        if found.states[state]
    )
    return _section(
        "Where questions stand",
        f"All {counted(total, 'question')} here.",
        ("state", "questions", "share"),
        rows,
        ("questions", "share"),
    )


def _rates(rates: Iterable[Rate]) -> Section:
    rows = tuple(
        (
            str(one.number),
            *_names(one.validator),
            f"{one.accepted.n:,}",
            estimated(one.accepted),
            f"{one.undecided:,}",
            f"{one.base_rate.n:,}",
            estimated(one.base_rate),
        )
        for one in rates
    )
    return _section(
        "Pass rates of validators",
        "The share accepted of the n candidates each decided on, and beside it the base rate: the share that is"
        " correct, of those among them that people decided on.",
        ("no.", "strategy", "models", "n", "accepted", "undecided", "judged", "base rate"),
        rows,
        ("no.", "n", "undecided", "judged"),
    )


def _names(one: Validator) -> tuple[str, str]:
    return one.strategy, ", ".join(one.models) or "plug-ins only"


def _passed(passed: Iterable[Passed]) -> Section:
    rows = tuple(
        (
            str(one.number),
            "" if one.place is None else str(one.place),
            ALL_TOGETHER if one.by is None else one.by.name,
            *_of(one.passed),
            *_of(one.correct),
        )
        for one in passed
    )
    return _section(
        "Passed validators, and then people",
        "Questions with an answer that passed, of the n with one that the validator decided on; then those whose"
        " passing answer people found correct, of the m they decided on. The place is by the share that passed.",
        ("no.", "place", "answers by", "passed", "n", "share", "correct", "m", "share correct"),
        rows,
        ("no.", "place", "passed", "n", "correct", "m"),
    )


def _moved(found: StandingFindings) -> Section:
    by_people = {one.solver: one.place for one in found.ranking}
    rows = tuple(_places(one, by_people.get(one.by)) for one in found.validators.moved)
    return _section(
        MOVED,
        "The places that validators would give by the share that passed, each among those whose answers it decided on."
        " Where they lie far apart, a place by one validator says more of the validator.",
        ("name", "by people", "best", "worst", "validators"),
        rows,
        ("by people", "best", "worst", "validators"),
    )


def _places(one: Moved, by_people: int | None) -> tuple[str, ...]:
    own = one.places.values()
    return one.by.name, "–" if by_people is None else str(by_people), str(min(own)), str(max(own)), f"{len(own):,}"


def _likeness(likeness: Iterable[Likeness]) -> Section:
    found = list(likeness)
    rows = tuple(
        (str(one.number), f"{one.authors:,}", f"{one.candidates:,}", signed(one.tau_b))
        for one in found
        if one.candidates
    )
    notes = [f"{one.number}: undefined, {one.undefined}." for one in found if one.candidates and one.undefined]
    return _section(
        "Do validators rank like people?",
        "Kendall's tau-b of the shares of answers that passed and that are correct, by author, on what both decided; 1"
        " is the same order.",
        ("no.", "authors", "candidates", "tau-b"),
        rows,
        ("no.", "authors", "candidates", "tau-b"),
        notes,
    )


def _credit(found: StandingFindings) -> Section:
    rows = tuple(
        (
            one.name,
            f"{one.verdicts:,}",
            f"{one.questions:,}",
            *_of(one.stood),
            f"{one.open:,}",
            f"{one.settled:,}",
            f"{one.asked:,}",
        )
        for one in found.credit
    )
    posters = [one.name for one in found.credit if one.asked]
    return _section(
        "Credit of reviewers",
        "Verdicts given, and those that stood: that are what the majority or an adjudication came to, of the n on"
        " answers that another person decided on too. Open are those in a tie that nobody has settled.",
        ("reviewer", "verdicts", "questions", "stood", "n", "share", "open", "settled", "asked"),
        rows,
        ("verdicts", "questions", "stood", "n", "open", "settled", "asked"),
        (f"Judged what they had asked themselves: {', '.join(posters)}.",) if posters else (),
    )


def _of(figure: Figure) -> tuple[str, str, str]:
    """Hits, n, and their share with its interval."""
    return f"{figure.hits or 0:,}", f"{figure.n:,}", estimated(figure)
