"""The report on work as tables of words and plots, for a screen, files or a terminal."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from uq_tui.state.reports.figures import DASH
from uq_tui.state.reports.insight_tables import JUDGED_FIRST
from uq_tui.state.reports.plots import MOST_ROWS, Bars, Series, rest
from uq_tui.state.reports.section import Section
from uq_tui.state.reports.work import Pace, Took, Week, Work
from uq_tui.state.reviewing.pace import time_words
from uq_tui.state.usage import dollars
from uq_tui.text import counted

NOTHING_YET = "No model has been asked yet and nobody has given a verdict, so there is nothing to report."
WHAT_TO_DO = (
    *JUDGED_FIRST,
    "3. Give verdicts, or bring in those of others: uq-tui merge FILE.",
)
MODELS, WEEKS = "By model", "By week"
"""Titles of the tables that plots stand beside."""
MOST_PEOPLE = 5
"""People that have parts of their own in a bar."""
OTHERS = "others"


def intro(found: Work) -> tuple[str, ...]:
    """What the report is on, one sentence a line."""
    calls = sum(one.calls for one in found.models)
    verdicts = sum(one.verdicts for one in found.people)
    return (
        f"{counted(calls, 'call')} of {counted(len(found.models), 'model')}, "
        f"{counted(verdicts, 'verdict')} of {counted(len(found.people), 'person', 'people')}.",
        "≥ stands before a sum where some calls are unknown, ? where all are: what nobody reported is not nothing.",
        *found.left_out.lines,
    )


def sections(found: Work) -> tuple[Section, ...]:
    """All tables that have something in them."""
    made = (
        _taken(
            MODELS,
            "All calls that are over, each once: a reply that is remembered costs nothing again.",
            "model",
            found.models,
        ),
        _taken("By kind of run", "The same calls, by what the run was for that asked first.", "run", found.kinds),
        _failures(found),
        _pace(found.people),
        _weeks(found.weeks),
    )
    return tuple(section for section in made if section.rows)


def cost_plot(found: Work) -> Bars | None:
    """Known costs by model; `None` where there are none."""
    paid = [one for one in found.models if one.cost_usd]
    rows = paid[:MOST_ROWS]
    if not rows:
        return None
    return Bars(
        "Cost by model",
        "US dollars, as far as they are known",
        tuple(one.name for one in rows),
        (Series("US dollars", tuple(one.cost_usd or 0.0 for one in rows)),),
        tuple(_cost(one) for one in rows),
        rest(len(paid) - len(rows), "model"),
    )


def token_plot(found: Work) -> Bars | None:
    """Known tokens by model, in and out; `None` where there are none."""
    used = sorted((one for one in found.models if one.tokens_in + one.tokens_out), key=_tokens, reverse=True)
    rows = used[:MOST_ROWS]
    if not rows:
        return None
    return Bars(
        "Tokens by model",
        "tokens of prompts and of replies, as far as they are known",
        tuple(one.name for one in rows),
        (
            Series("in", tuple(float(one.tokens_in) for one in rows)),
            Series("out", tuple(float(one.tokens_out) for one in rows)),
        ),
        tuple(_at_least(_tokens(one), one.unknown_in or one.unknown_out) for one in rows),
        rest(len(used) - len(rows), "model"),
    )


def week_plot(found: Work) -> Bars | None:
    """Verdicts by week and person, the newest weeks; `None` where nobody has given one."""
    rows = found.weeks[-MOST_ROWS:]
    if not rows:
        return None
    most = Counter[str]()
    for week in rows:
        most.update(week.verdicts)
    named = [name for name, _ in sorted(most.items(), key=lambda one: (-one[1], one[0]))]
    alone = named if len(named) <= MOST_PEOPLE + 1 else named[:MOST_PEOPLE]
    series = [Series(name, tuple(float(week.verdicts.get(name, 0)) for week in rows)) for name in alone]
    if len(alone) < len(named):
        rest_of = [sum(n for name, n in week.verdicts.items() if name not in alone) for week in rows]
        series.append(Series(OTHERS, tuple(float(n) for n in rest_of)))
    return Bars(
        "Verdicts by week",
        "verdicts that stand, by the week of their newest revision, from its Monday on",
        tuple(week.monday for week in rows),
        tuple(series),
        tuple(f"{sum(week.verdicts.values()):,}" for week in rows),
        rest(len(found.weeks) - len(rows), "week"),
    )


def _taken(title: str, about: str, name: str, found: Sequence[Took]) -> Section:
    rows = tuple(
        (
            one.name,
            f"{one.calls:,}",
            _known(one.tokens_in, one.unknown_in, one.calls),
            _known(one.tokens_out, one.unknown_out, one.calls),
            _cost(one),
            f"{one.unknown_costs:,}",
        )
        for one in found
    )
    numbers = ("calls", "tokens in", "tokens out", "cost", "unknown costs")
    return Section(title, about, (name, *numbers), rows, frozenset(numbers))


def _failures(found: Work) -> Section:
    why = defaultdict[str, list[str]](list)
    for one in found.failures:
        why[one.model].append(f"{one.why.value.replace('_', ' ') if one.why else 'unknown'} {one.calls:,}")
    return Section(
        "Failures",
        "Calls without a whole reply after all attempts, and attempts that were made again. A call that failed is asked"
        " again by the next run; it is never a no.",
        ("model", "calls", "failed", "made again", "why they failed"),
        tuple(
            (one.name, f"{one.calls:,}", f"{one.failed:,}", f"{one.retries:,}", ", ".join(why[one.name]) or DASH)
            for one in sorted(found.models, key=lambda one: (-one.failed, -one.retries, one.name))
            if one.failed or one.retries
        ),
        frozenset(("calls", "failed", "made again")),
    )


def _pace(found: Sequence[Pace]) -> Section:
    rows = tuple(
        (
            one.name,
            f"{one.verdicts:,}",
            f"{one.timed:,}",
            DASH if one.median_s is None else time_words(one.median_s),
            DASH if one.quartiles_s is None else " to ".join(time_words(seconds) for seconds in one.quartiles_s),
        )
        for one in found
    )
    untimed = any(one.timed < one.verdicts for one in found)
    return Section(
        "Pace of verdicts",
        "Time at work on an answer until its verdict, pauses left out: the median and the middle half, over the n that"
        " are timed. Whoever read before the form opened read longer.",
        ("reviewer", "verdicts", "n", "median", "middle half"),
        rows,
        frozenset(("verdicts", "n", "median")),
        ("Verdicts by command, by files without times and on identical answers have no time.",) if untimed else (),
    )


def _weeks(found: Sequence[Week]) -> Section:
    rows = tuple(
        (week.monday, f"{sum(week.verdicts.values()):,}", f"{len(week.verdicts):,}") for week in reversed(found)
    )
    return Section(
        WEEKS,
        "Verdicts that stand, by the week of their newest revision in UTC, from its Monday on; the newest first.",
        ("Monday", "verdicts", "people"),
        rows[:MOST_ROWS],
        frozenset(("verdicts", "people")),
        (f"{counted(len(rows) - MOST_ROWS, 'earlier week')}: uq-tui report work --json.",)
        if len(rows) > MOST_ROWS
        else (),
    )


def _known(sum_of_known: int, unknown: int, calls: int) -> str:
    return "?" if unknown == calls else _at_least(sum_of_known, unknown)


def _at_least(known: int, unknown: int) -> str:
    return f"≥ {known:,}" if unknown else f"{known:,}"


def _cost(one: Took) -> str:
    if one.cost_usd is None:
        return "?"
    return f"≥ {dollars(one.cost_usd)}" if one.unknown_costs else dollars(one.cost_usd)


def _tokens(one: Took) -> int:
    return one.tokens_in + one.tokens_out
