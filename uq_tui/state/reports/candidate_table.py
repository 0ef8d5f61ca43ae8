"""All scores of one question's candidates as a table of words, ranked by one of the scorers."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from store.run_rows import NeighbourValue
from uq_tui.analysis.allocation import EPSILON
from uq_tui.errors import NotFoundError
from uq_tui.state.reports.candidate_scores import Given, Row, Scores
from uq_tui.state.reports.figures import DASH, decimal, number, ranged
from uq_tui.state.reports.labels import LabelSource
from uq_tui.state.reports.scorers import Kind, Scorer
from uq_tui.state.reports.section import Section
from uq_tui.state.utility.measured import caution, odd_text
from uq_tui.state.utility.ranking import standing_of
from uq_tui.text import clean_line
from uq_tui.words import Interval


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate in its place."""

    row: Row
    rank: int | None
    """1 + how many score higher; equal ones share it. `None` without a score that can be compared."""
    tied: bool
    """Another scores exactly the same, or is not told from the best by more than `EPSILON`."""


def ranked(rows: Sequence[Row], by: Scorer | None) -> tuple[Ranked, ...]:
    """A question's candidates by a scorer, the best first, those without a score last.

    Candidates whose utilities can't be told from the highest by more than `EPSILON` are tied, as are equal scores.
    """
    values = {row.place.candidate_id: row.value(by) if by is not None else None for row in rows}
    known = [value for value in values.values() if value is not None]
    close = _close(rows, by) if by is not None and by.kind is Kind.UTILITY else frozenset[str]()
    found = []
    for row in rows:
        value = values[row.place.candidate_id]
        if value is None:
            found.append(Ranked(row, None, tied=False))
            continue
        rank = 1 + sum(other > value for other in known)
        found.append(Ranked(row, rank, tied=known.count(value) > 1 or row.place.candidate_id in close))
    return tuple(sorted(found, key=lambda one: (one.rank is None, one.rank or 0, one.row.place.number)))


def _close(rows: Sequence[Row], by: Scorer) -> frozenset[str]:
    """Candidates that are not known to lie below the best; none where there is only one of them."""
    given = [row.given[by] for row in rows if by in row.given]
    stands = standing_of([one.utility for one in given if one.comparable and one.utility is not None])
    close = frozenset(stands.tied if stands.decided else stands.open)
    return close if len(close) > 1 else frozenset()


def chosen(found: Scores, name: str) -> Scorer | None:
    """The one scorer whose name holds `name`; the first where that is empty; `None` where nobody scored.

    Raises:
        NotFoundError: no name holds it, or several do.
    """
    if not name:
        return next(iter(found.scorers), None)
    fitting = [one for one in found.scorers if name == found.names[one]] or [
        one for one in found.scorers if name.casefold() in found.names[one].casefold()
    ]
    there = "; ".join(found.names.values()) or "none"
    if not fitting:
        raise NotFoundError(f"Nobody called {name!a} has scored here.", hint=f"Those who have: {there}.")
    if len(fitting) > 1:
        names = "; ".join(found.names[one] for one in fitting)
        raise NotFoundError(f"Several scorers are called {name!a}: {names}.", hint="Give more of the name.")
    return fitting[0]


def section(found: Scores, by: Scorer | None = None) -> Section:
    """The table of one question's candidates. Without `by` they are ranked by the first scorer, a utility if any is."""
    by = by or chosen(found, "")
    rows = ranked(found.rows, by)
    shown = [(name, scorer, part) for scorer in found.scorers for name, part in _columns(found, scorer)]
    notes = list(_notes(found, rows, by))
    return Section(
        "Candidates",
        "Each score with its 95 % interval and, in round brackets, what it is the mean of; – is unknown.",
        ("rank", "no.", "label", *(name for name, _, _ in shown)),
        tuple(
            (
                _rank(one),
                f"c{one.row.place.number}",
                _label(one.row),
                *(_part(one.row.given.get(scorer), part) for _, scorer, part in shown),
            )
            for one in rows
        ),
        frozenset(),
        tuple(notes),
    )


_VALUE, _LIFT, _CONTROL = "value", "lift", "control"


def _columns(found: Scores, scorer: Scorer) -> Iterator[tuple[str, str]]:
    name = clean_line(found.names[scorer])
    yield name, _VALUE
    if scorer.kind is Kind.UTILITY:
        yield f"lift {name.removeprefix('CBU ')}", _LIFT
        yield f"control {name.removeprefix('CBU ')}", _CONTROL


def _rank(one: Ranked) -> str:
    return DASH if one.rank is None else f"{one.rank}{'=' if one.tied else ''}"


def _label(row: Row) -> str:
    """`correct (known)`, `correct (2 verdicts)`, `correct 2, incorrect 1 (verdicts)`."""
    held = row.held
    if held.source is None:
        return DASH
    if held.source is LabelSource.REFERENCE:
        return "reference"
    counts = Counter(label.value.replace("_", " ") if label else "not judged" for label in held.labels)
    said = ", ".join(f"{label} {n}" for label, n in counts.most_common()) if len(counts) > 1 else next(iter(counts))
    if held.source is LabelSource.KNOWN:
        return f"{said} (known)"
    whose = "verdict" if len(held.labels) == 1 else "verdicts" if len(counts) > 1 else f"{len(held.labels)} verdicts"
    return f"{said} ({whose})"


def _part(given: Given | None, part: str) -> str:
    if given is None:
        return DASH
    utility = given.utility
    if utility is None:
        return _value(given)
    if part == _LIFT:
        return ranged(utility.lift, utility.lift_low, utility.lift_high, sign=True)
    if part == _CONTROL:
        decided, odd = sum(one.decided for one in utility.control), _odd(utility.control)
        return f"{decimal(utility.control_mean)} ({decided}{odd})" if utility.control else DASH
    anytime = " anytime" if utility.interval is Interval.ANYTIME else ""
    early = " early" if utility.stopped_early else ""
    apart = "" if given.comparable else " other neighbours"
    n = f"{given.n}/{given.planned}{_odd(utility.neighbours)}"
    return f"{ranged(given.value, given.low, given.high)} ({n}){anytime}{early}{apart}"


def _odd(values: Sequence[NeighbourValue]) -> str:
    said = odd_text(values)
    return f", {said}" if said else ""


def _value(given: Given) -> str:
    if given.outcome is not None:
        return given.outcome.value
    if given.planned == 1 and not given.samples and not given.run_id:
        return number(given.value)
    if given.low is not None:
        return f"{ranged(given.value, given.low, given.high)} ({given.n}/{given.planned})"
    return f"{number(given.value)} ({given.n}/{given.planned})"


def _notes(found: Scores, rows: Sequence[Ranked], by: Scorer | None) -> Iterator[str]:
    if by is None:
        yield "Nobody has scored these candidates: `uq-tui cbu`, `uq-tui judge`, `uq-tui validate`, `uq-tui import`."
        return
    yield f"Ranked by {found.names[by]}."
    if any(one.tied for one in rows):
        within = f", or not told from the best by more than {decimal(EPSILON)}" if by.kind is Kind.UTILITY else ""
        yield f"= is tied: equal scores{within}."
    utilities = [given.utility for one in rows for given in one.row.given.values() if given.utility is not None]
    if any(one.interval is Interval.ANYTIME for one in utilities):
        yield "anytime: the run could stop early, so the interval is one that holds at every look."
    for one in rows:
        for scorer, own in one.row.given.items():
            if own.utility is not None and (said := caution(own.utility)):
                yield f"c{one.row.place.number}, {clean_line(found.names[scorer])}: {said}"
    if any(not given.comparable for one in rows for given in one.row.given.values()):
        yield "Utilities on other neighbours than most are not ranked: they are of another quantity."
