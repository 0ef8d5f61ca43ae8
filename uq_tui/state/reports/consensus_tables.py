"""What verdicts come to as tables of words, for a screen or a terminal to lay out."""

from collections import Counter

from uq_tui.analysis.consensus import DECIDING, Method
from uq_tui.analysis.dawid_skene import MOST_ROUNDS, Estimated
from uq_tui.analysis.truth import Standing
from uq_tui.state.reports.consensus import ConsensusFindings
from uq_tui.state.reports.figures import DASH, decimal
from uq_tui.state.reports.plots import Bars, Series
from uq_tui.state.reports.section import MOST_TABLED, Section, more
from uq_tui.text import counted
from uq_tui.words import Label

_SHOWN = 12
"""Characters of a candidate's id, which is enough to name it."""
_METHODS = {
    Method.MAJORITY: "By majority: everybody counts the same.",
    Method.DAWID_SKENE: "By Dawid and Skene's method: people count by how reliable agreement with others makes them. "
    "It takes them to err independently of each other, and with few verdicts in common it knows little.",
}
STANDINGS = "What verdicts come to"
"""Title of the table that a plot stands beside."""
_VERDICTS = ("none", "one", "two", "more")
"""By how many verdicts decide, the last for all numbers beyond."""
_WORDS = {Label.CORRECT: "correct", Label.CORRECT_BORDERLINE: "borderline", Label.INCORRECT: "incorrect"}


def intro(found: ConsensusFindings) -> tuple[str, ...]:
    """What the report is on, one sentence a line."""
    settled = sum(bool(row.settled_by) for row in found.rows)
    borderline = "correct" if found.wanted.borderline_correct else "incorrect"
    lines = [
        f"{counted(len(found.rows), 'candidate')} judged by {counted(len(found.people), 'person', 'people')}, "
        f"{settled:,} settled by an adjudication, which is then the consensus.",
        _METHODS[found.wanted.method],
        f"Borderline correct counts as {borderline}.",
    ]
    if found.estimate is not None and not found.estimate.converged:
        lines.append(f"The search was stopped after {MOST_ROUNDS:,} rounds: chances are not exact.")
    return (*lines, *found.left_out.lines)


def sections(found: ConsensusFindings) -> tuple[Section, ...]:
    """All tables that have something in them."""
    made = [_standings(found)]
    if found.estimate is not None:
        made.append(_reliability(found, found.estimate))
    made.append(_undecided(found))
    return tuple(section for section in made if section.rows)


def _standings(found: ConsensusFindings) -> Section:
    rows = []
    for standing in (Standing.CORRECT, Standing.INCORRECT, Standing.TIED, Standing.UNSURE):
        those = [row for row in found.rows if row.found.standing is standing]
        labels = Counter(_WORDS[row.found.label] if row.found.label else "open" for row in those)
        detail = ", ".join(f"{name} {n:,}" for name, n in labels.items()) if standing is not Standing.UNSURE else DASH
        alone = sum(row.n == 1 for row in those)
        if those:
            rows.append((standing.value, f"{len(those):,}", detail, f"{alone:,}"))
    return Section(
        STANDINGS,
        "First whether an answer is correct, then which label on that side weighs most; open where two weigh the same. "
        "Unsure: nobody gave a label that decides.",
        ("consensus", "candidates", "labels", "one verdict only"),
        tuple(rows),
        frozenset(("candidates", "one verdict only")),
    )


def standings_plot(found: ConsensusFindings) -> Bars | None:
    """What candidates come to, by how many verdicts decide; `None` without candidates."""
    if not found.rows:
        return None
    kinds = [kind for kind in Standing if found.standings[kind]]
    counts = Counter((_VERDICTS[min(row.n, 3)], row.found.standing) for row in found.rows)
    series = (Series(name, tuple(float(counts[name, kind]) for kind in kinds)) for name in _VERDICTS)
    return Bars(
        STANDINGS,
        "candidates, by how many verdicts decide",
        tuple(kind.value for kind in kinds),
        tuple(one for one in series if any(one.values)),
        tuple(f"{found.standings[kind]:,}" for kind in kinds),
    )


def _reliability(found: ConsensusFindings, estimate: Estimated[Label]) -> Section:
    rows = []
    for person, own in sorted(estimate.people.items(), key=lambda item: (-item[1].n, item[0]))[:MOST_TABLED]:
        says = []
        for true in DECIDING:
            shares = "/".join(decimal(own.says[true][label]) for label in DECIDING)
            says.append(f"{shares} ({own.expected[true]:.1f})" if own.expected[true] >= 0.05 else DASH)
        rows.append((found.people[person], f"{own.n:,}", decimal(own.right), *says))
    return Section(
        "How reliable people are",
        "Right: the share of their n labels expected to be right. Then what they say when the truth is correct, "
        "borderline and incorrect: shares of these three labels in this order, with how many such answers they are "
        "expected to have judged. They are estimates without intervals: below some ten answers they mean little.",
        ("person", "n", "right", *(f"says if {_WORDS[true]}" for true in DECIDING)),
        tuple(rows),
        frozenset(("n", "right")),
        more(len(estimate.people), "consensus"),
    )


def _undecided(found: ConsensusFindings) -> Section:
    rows = [
        (
            row.question_id,
            row.candidate_id[:_SHOWN],
            f"{row.n:,}",
            ", ".join(f"{_WORDS[label]} {decimal(row.found.weights[label])}" for label in row.found.tied),
        )
        for row in found.undecided[:MOST_TABLED]
    ]
    return Section(
        "Tied",
        "As much speaks for one side as for the other; uq-tui adjudicate settles them.",
        ("question", "candidate", "verdicts", "weights"),
        tuple(rows),
        frozenset(("verdicts",)),
        more(len(found.undecided), "consensus"),
    )
