"""The report on agreement as tables of words, for a screen or a terminal to lay out."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from uq_tui.analysis.agreement_figures import Measured
from uq_tui.analysis.bootstrap import RESAMPLES
from uq_tui.state.reports.agreement import AgreementFindings
from uq_tui.state.reports.agreement_people import GoldFigures, Overall, Pair, Repeats
from uq_tui.state.reports.agreement_validators import Beside
from uq_tui.state.reports.figures import DASH, decimal, elsewhere_lines, ranged
from uq_tui.state.reports.section import MOST_TABLED, Section, more
from uq_tui.text import counted

OVERALL, PAIRS, REPEATS, GOLD, VALIDATORS, VALIDATORS_AGREE = (
    "Agreement of all",
    "Agreement of each two",
    "Agreement with oneself",
    "Right about gold items",
    "Validators beside people",
    "How far validators agree with people",
)
"""Titles of the tables."""
ALL = "all together"
NOTHING_YET = "No verdict stands among those asked for, so there is nothing to compare."
WHAT_TO_DO = (
    "1. Have two people or more judge the same answers: uq-tui queue make with several reviewers, or uq-tui bundle.",
    "2. Bring their verdicts together: uq-tui merge FILE FILE, or import them in the app.",
)


def intro(found: AgreementFindings) -> tuple[str, ...]:
    """What the report is on, one sentence a line."""
    counts, borderline = found.counts, "correct" if found.wanted.borderline_correct else "incorrect"
    judged = f"{counted(counts.candidates, 'candidate')}, {counts.several:,} of them judged by several"
    lines = [
        f"{counted(counts.verdicts, 'verdict')} of {counted(len(found.people), 'person', 'people')} on {judged}.",
        f"Not compared: {counts.unsure:,} unsure and {counts.not_judged:,} not judged.",
        f"Borderline correct counts as {borderline} where only that is asked; as a label it is one of three.",
        f"In brackets are 95 % intervals from {RESAMPLES:,} resamples of candidates, which are taken as independent of "
        "each other; – is undefined.",
    ]
    if counts.copies:
        lines.append(f"Left out: {counted(counts.copies, 'verdict')} that went along with one on an identical answer.")
    if counts.not_blind:
        lines.append(
            f"{counted(counts.not_blind, 'verdict')} had seen something of what others or machines made of the answer; "
            "only blind verdicts (--blind-only) leave such out."
        )
    return (*lines, *elsewhere_lines(found.elsewhere), *found.left_out.lines)


def sections(found: AgreementFindings) -> tuple[Section, ...]:
    """All tables that have something in them."""
    made = (
        _overall(found.overall),
        _pairs(found.pairs, found.people),
        _repeats(found.repeats, found.people),
        _gold(found.gold, found.people),
        _validators(found.validators),
        _validators_agree(found.validators),
    )
    return tuple(section for section in made if section.rows)


def _overall(figures: Sequence[Overall]) -> Section:
    rows = [
        (
            one.of,
            one.figure,
            f"{one.found.n:,}",
            f"{one.found.ratings:,}",
            decimal(one.found.expected) if one.found.ratings else DASH,
            estimated(one.found),
        )
        for one in figures
    ]
    return Section(
        OVERALL,
        "Over candidates that several people judged. By chance: how often any two verdicts among these are equal. "
        "Alpha is 1 where all agree, 0 where they agree as by chance; ordinal and interval alpha count how far apart "
        "they are.",
        ("of", "figure", "candidates", "verdicts", "by chance", "value"),
        tuple(rows) if any(one.found.n for one in figures) else (),
        frozenset(("candidates", "verdicts", "by chance")),
        tuple(_notes((f"{one.figure} of {one.of}", one.found) for one in figures)),
    )


def _pairs(figures: Sequence[Pair], people: Mapping[str, str]) -> Section:
    rows = []
    named: list[tuple[str, Measured]] = []
    for one in figures[:MOST_TABLED]:
        first, second = (people[key] for key in one.people)
        cells = (one.decisions, one.labels, one.kappa)
        rows.append((first, second, f"{one.kappa.n:,}", f"{one.undecided:,}", *map(estimated, cells)))
        named += [(f"{first}, {second}", found) for found in cells]
    return Section(
        PAIRS,
        "Over the n candidates that both labelled; undecided are those that both judged and one left open. Kappa is "
        "Cohen's, of the three labels.",
        ("first", "second", "n", "undecided", "same decision", "same label", "kappa"),
        tuple(rows),
        frozenset(("n", "undecided")),
        (*_notes(named), *more(len(figures), "agreement")),
    )


def _repeats(figures: Sequence[Repeats], people: Mapping[str, str]) -> Section:
    rows = [
        (
            people.get(one.person, ALL),
            f"{one.labels.n:,}",
            estimated(one.labels),
            estimated(one.kappa),
            f"{one.undecided:,}",
            f"{one.not_compared:,}",
        )
        for one in figures
    ]
    return Section(
        REPEATS,
        "The same answer judged twice, the second time without sight of the first. Not compared are repeats whose "
        "first verdict was changed since, or isn't among those asked for.",
        ("person", "n", "same label", "kappa", "undecided", "not compared"),
        tuple(rows),
        frozenset(("n", "undecided", "not compared")),
        tuple(_notes((people.get(one.person, ALL), found) for one in figures for found in (one.labels, one.kappa))),
    )


def _gold(figures: Sequence[GoldFigures], people: Mapping[str, str]) -> Section:
    rows = [
        (
            people[one.person],
            f"{one.right.n:,}",
            decimal(one.right.expected),
            estimated(one.right),
            f"{one.undecided:,}",
        )
        for one in figures
    ]
    return Section(
        GOLD,
        "Whether they hold correct what is known to be. Base rate: what always giving the commoner answer would get "
        "right.",
        ("person", "n", "base rate", "right", "undecided"),
        tuple(rows),
        frozenset(("n", "base rate", "undecided")),
        tuple(_notes((people[one.person], one.right) for one in figures)),
    )


def _validators(figures: Sequence[Beside]) -> Section:
    rows = [
        (
            str(one.number),
            f"{one.strategy} by {', '.join(one.models) or 'plug-ins only'}",
            one.author,
            f"{one.n:,}",
            _share(one.passed_validator, one.n),
            _share(one.passed_people, one.n),
            f"{one.undecided:,}",
        )
        for one in figures[:MOST_TABLED]
    ]
    return Section(
        VALIDATORS,
        "What each passed of the n answers that both decided; people by majority, or by the adjudication that settles "
        "them. Undecided are answers that both judged and one left open.",
        ("no.", "validator", "answers by", "n", "it passed", "people passed", "undecided"),
        tuple(rows),
        frozenset(("no.", "n", "it passed", "people passed", "undecided")),
        more(len(figures), "agreement"),
    )


def _validators_agree(figures: Sequence[Beside]) -> Section:
    rows = []
    named: list[tuple[str, Measured]] = []
    for one in figures[:MOST_TABLED]:
        sound = f"{estimated(one.traces)} ({one.traces.n:,})" if one.traces.n else DASH
        rows.append((str(one.number), one.author, f"{one.n:,}", estimated(one.agreement), estimated(one.kappa), sound))
        named += [(f"{one.number} on {one.author}", found) for found in (one.agreement, one.kappa)]
        named += [(f"{one.number} on {one.author}, reasoning", one.traces)] if one.traces.n else []
    return Section(
        VALIDATORS_AGREE,
        "On the same answers. Reasoning sound: of (n) second passes those that find no stage of the validator unsound.",
        ("no.", "answers by", "n", "agreement", "kappa", "reasoning sound"),
        tuple(rows),
        frozenset(("no.", "n")),
        (*_notes(named), *more(len(figures), "agreement")),
    )


def estimated(found: Measured) -> str:
    """A figure with its interval, a dash where it is undefined."""
    return ranged(found.value, found.low, found.high)


def _share(hits: int, n: int) -> str:
    return f"{hits / n:.0%}" if n else DASH


def _notes(named: Iterable[tuple[str, Measured]]) -> Iterator[str]:
    """What keeps figures from having a value or an interval, each reason once with all that it holds for."""
    reasons: dict[str, list[str]] = {}
    total = 0
    for name, found in named:
        total += 1
        if found.value is None:
            reasons.setdefault(f"undefined, {found.undefined}", []).append(name)
        elif found.interval.why:
            reasons.setdefault(f"no interval, {found.interval.why}", []).append(name)
        elif found.interval.undefined:
            resamples = f"{found.interval.undefined:,} of {RESAMPLES:,} resamples"
            reasons.setdefault(f"an interval without the {resamples} that are undefined", []).append(name)
    for reason, names in reasons.items():
        whose = "All of these" if 1 < len(names) == total else "; ".join(dict.fromkeys(names))
        yield f"{whose}: {reason}."
