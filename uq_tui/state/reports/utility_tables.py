"""Reports on selection, convergence, and utility with judges, as tables of words for a screen or a terminal."""

from collections import Counter
from collections.abc import Iterable, Sequence

from uq_tui.analysis.calibration import Calibration
from uq_tui.analysis.classification import Figure
from uq_tui.analysis.convergence import SIZES, Point, Size
from uq_tui.analysis.crossvalidation import Comparison
from uq_tui.analysis.selection import Averaged
from uq_tui.analysis.separation import GapBin
from uq_tui.state.reports.combined import JUDGE, UTILITY, Combined
from uq_tui.state.reports.convergence import Convergence
from uq_tui.state.reports.figures import DASH, decimal, estimated, ranged, signed
from uq_tui.state.reports.labels import Against, Labels, LabelSource
from uq_tui.state.reports.replies import Replies
from uq_tui.state.reports.section import Section
from uq_tui.state.reports.selection import Per, Quality, Selection
from uq_tui.text import counted

NO_SCORES = "Nobody has scored a labelled candidate yet, so there is nothing to compare."
WHAT_TO_DO = (
    "1. Bring in candidates, some of them with known labels, or give verdicts.",
    "2. Measure utility: uq-tui cbu QUESTION, or Measure on the workbench; it needs neighbours.",
    "3. Have them scored by a judge: uq-tui judge, or import scores: uq-tui import FILE.",
)
NO_SAMPLES = "No candidate has samples yet: utilities and judges' scores are what this is about."

_PER = {
    Per.ORIGINAL: "Unit: a question, scored by the mean over its neighbours.",
    Per.AVERAGED: "Unit: a question; each neighbour is scored by itself and the metric averaged over neighbours.",
    Per.VARIANT: "Unit: a neighbour, scored by itself; a question counts as often as it has neighbours.",
}
_AGAINST = {
    None: "Labels are the verdicts of reviewers where most of them agree, else known labels.",
    Against.VERDICTS: "Labels are the verdicts of reviewers only.",
    Against.KNOWN: "Labels are known labels only.",
}
_SOURCES = {
    LabelSource.VERDICT: ("label by verdicts", "labels by verdicts"),
    LabelSource.KNOWN: ("known label", "known labels"),
    LabelSource.REFERENCE: ("reference solution", "reference solutions"),
}


def selection_intro(found: Selection) -> tuple[str, ...]:
    """What a report on selection rests on, one sentence a line."""
    ranked = "ranked, as correct" if found.wanted.reference_counts else "not ranked"
    return (
        f"{counted(found.labelled, 'candidate')} of {counted(found.questions, 'question')} held correct or incorrect,"
        f" of {found.candidates:,}: {_whose(found.labels)}.",
        _said_of(found.wanted.labels),
        f"{_PER[found.wanted.per]} The reference solution is {ranked}.",
        "In brackets are 95 % intervals over questions, for 5 questions or more; – is undefined.",
    )


def selection_sections(found: Selection) -> tuple[Section, ...]:
    """All tables on selection."""
    numbered = tuple(enumerate(found.qualities, 1))
    scorers = Section(
        "Scorers",
        "The other tables name them by number; CBU is utility by the solver named. One-sided: all candidates are"
        " correct, or all wrong. Base rate: the mean share of correct candidates.",
        ("no.", "scorer", "units", "scored", "left out", "one-sided", "base rate"),
        tuple(
            (
                f"{number}",
                one.name,
                f"{one.metrics.units:,}",
                f"{one.metrics.candidates:,}",
                f"{one.metrics.left_out:,}",
                f"{one.metrics.one_sided:,}",
                decimal(one.metrics.base_rate.value),
            )
            for number, one in numbered
        ),
        frozenset(("no.", "units", "scored", "left out", "one-sided", "base rate")),
    )
    named = tuple(name for name, _ in numbered[0][1].metrics.named) if numbered else ()
    metrics = Section(
        "Picking the correct one",
        "Ties are broken at random, in expectation. Under each metric what blind scores would reach on the same units.",
        ("no.", *named),
        tuple(
            row
            for number, one in numbered
            for row in (
                (f"{number}", *(_averaged(metric) for _, metric in one.metrics.named)),
                ("", *(_chance(metric) for _, metric in one.metrics.named)),
            )
        ),
        frozenset(("no.",)),
        tuple(_missing(numbered)),
    )
    above = Section(
        "Above the mean of its question",
        "The share of candidates that score above the mean of their unit: low for wrong ones is right.",
        ("no.", "wrong", "correct", "reference"),
        tuple(
            (f"{number}", _of(one.above.wrong), _of(one.above.correct), _of(one.above.reference))
            for number, one in numbered
        ),
        frozenset(("no.",)),
    )
    return tuple(one for one in (scorers, metrics, above, _separation(numbered)) if one.rows)


def _separation(numbered: Sequence[tuple[int, Quality]]) -> Section:
    found = [(number, one.separation) for number, one in numbered if one.separation and one.separation.points]
    bins = found[0][1].bins if found else ()
    return Section(
        "Separation against difficulty",
        "Mean score of correct less that of wrong candidates, in parts of the scale, where 1 - accuracy of the solver "
        "without a candidate lies so, with n units. rho is of both; below 0, scores fail where it is hard.",
        ("no.", *(f"{decimal(one.low)} to {decimal(one.high)}" for one in bins), "rho"),
        tuple(
            (
                f"{number}",
                *(_gap(one) for one in own.bins),
                f"{signed(own.correlation.rho)} ({own.correlation.n:,})",
            )
            for number, own in found
        ),
        frozenset(("no.",)),
    )


def convergence_intro(found: Convergence) -> tuple[str, ...]:
    """What curves are of."""
    wanted = found.wanted
    calls = "calls for a candidate, shared out over its neighbours" if wanted.size is Size.CALLS else "samples on each"
    width = "the top of the scale" if wanted.from_zero else "the width of the scale"
    how = "with" if wanted.replacement else "without"
    return (
        f"Mean distance of the mean of n samples from that of all there are, over {width}. n: {calls}.",
        f"{counted(wanted.resamples, 'resample')} {how} replacement. What is compared with is no truth: at the end of a"
        " pool the distance is 0 whatever it is worth.",
    )


def convergence_sections(found: Convergence) -> tuple[Section, ...]:
    """Errors by size, for each solver and judge."""
    rows = []
    for number, one in enumerate(found.curves, 1):
        points = {point.n: point for point in one.points}
        rows.append((f"{number}", one.name, f"{one.candidates:,}", *(_error(points.get(n), one.used) for n in SIZES)))
    section = Section(
        "Normalised error",
        "In brackets the worst candidate's; of how many, where not all have so many samples; * some have no more.",
        ("no.", "scorer", "candidates", *(f"n {n}" for n in SIZES)),
        tuple(rows),
        frozenset(("no.", "candidates")),
        tuple(
            f"{number}: by {one.used:,} of these candidates, evenly over all."
            for number, one in enumerate(found.curves, 1)
            if one.used < one.candidates
        ),
    )
    return (section,) if rows else ()


def combined_intro(found: Combined) -> tuple[str, ...]:
    """What a report on utility and judge together rests on."""
    it = found.comparison
    lines = [
        f"U: {found.solver or 'no utility yet'}. J: {found.judge or 'no judge yet'}.",
        f"{counted(it.n, 'candidate')} of {counted(it.questions, 'question')} with both and a label, {it.correct:,} of"
        f" them correct; {it.missing:,} left out for want of a score. Labels: {_whose(found.labels)}.",
        _said_of(found.held),
    ]
    if found.references:
        lines.append(f"{counted(found.references, 'reference solution')} left out: their label is no finding.")
    if it.undefined:
        lines.append(f"No regression: {it.undefined}.")
    return tuple(lines)


def combined_sections(found: Combined) -> tuple[Section, ...]:
    """Regression, calibration and replies."""
    sections = [_regression(found.comparison)]
    for one in found.calibrated:
        sections.append(_calibration(one.name, one.calibration))
    sections.append(_replies(found.replies))
    return tuple(one for one in sections if one.rows)


_SETS = {(JUDGE,): "J", (UTILITY,): "U", (JUDGE, UTILITY): "J+U"}


def _regression(found: Comparison) -> Section:
    rows = [
        (
            _SETS[one.features],
            f"{one.accuracy.n:,}",
            estimated(one.accuracy),
            ranged(one.clustered.value, one.clustered.low, one.clustered.high) if one.clustered else DASH,
            estimated(one.balanced_accuracy),
            decimal(one.auc),
            decimal(one.auc_within.value) if one.auc_within else DASH,
            decimal(one.log_loss),
        )
        for one in found.results
    ]
    differences = tuple(
        f"{_SETS[one.features]} less {_SETS[one.over]}: accuracy"
        f" {ranged(one.accuracy.value, one.accuracy.low, one.accuracy.high, sign=True)}, interval over questions."
        for one in found.differences
    )
    return Section(
        "Logistic regression on scores",
        f"{counted(found.folds, 'fold')} of whole questions. Calling all what most are is right in"
        f" {decimal(found.majority.value)}, correct are {decimal(found.base_rate.value)}. AUC within: the mean of each"
        " question's own.",
        ("scores", "n", "accuracy", "by question", "balanced", "AUC", "AUC within", "log loss"),
        tuple(rows),
        frozenset(("n", "AUC", "AUC within", "log loss")),
        differences,
    )


def _calibration(name: str, found: Calibration) -> Section:
    rows = [
        (
            f"{decimal(one.low)} to {decimal(one.high)}",
            f"{one.n:,}",
            decimal(one.mean_score),
            estimated(one.share_correct),
        )
        for one in found.bins
    ]
    return Section(
        f"Calibration of {name}",
        f"Scores scaled to 0 to 1 against the share that is correct. {counted(found.n, 'candidate')},"
        f" {found.correct:,} correct; expected error {decimal(found.error)}; Brier score {decimal(found.brier)}, of the"
        f" base rate alone {decimal(found.brier_of_base_rate)}. A score claims to be no chance.",
        ("scores", "n", "mean score", "correct"),
        tuple(rows),
        frozenset(("n", "mean score")),
    )


def _replies(found: Sequence[Replies]) -> Section:
    rows = [
        (
            one.name,
            f"{one.candidates:,}/{one.of:,}",
            f"{one.prompts:,}",
            f"{one.replies:,}",
            DASH if one.mean_tokens is None else f"{one.mean_tokens:,.0f} ({one.tokens_known:,})",
            f"{one.distinct:,}/{one.replies:,}",
            DASH if one.similarity is None else f"{decimal(one.similarity)} ({one.compared:,})",
        )
        for one in found
        if one.replies
    ]
    return Section(
        "Replies",
        "Tokens of a generation where they were reported; different replies among those to the same prompt; similarity:"
        " the share of common word triples of two of them, the mean over prompts with several.",
        ("scorer", "candidates", "prompts", "replies", "tokens", "distinct", "similarity"),
        tuple(rows),
        frozenset(("candidates", "prompts", "replies")),
    )


def _said_of(labels: Labels) -> str:
    """What is held correct, in a line."""
    borderline = "correct" if labels.borderline_correct else "incorrect"
    return f"{_AGAINST[labels.against]} Borderline correct counts as {borderline}."


def _whose(labels: Counter[LabelSource]) -> str:
    return ", ".join(counted(labels[one], *words) for one, words in _SOURCES.items() if labels[one]) or "no labels"


def _averaged(found: Averaged) -> str:
    return f"{ranged(found.value, found.low, found.high)} ({found.n:,})" if found.value is not None else DASH


def _chance(found: Averaged) -> str:
    return DASH if found.chance is None else f"chance {decimal(found.chance)}"


def _missing(numbered: Sequence[tuple[int, Quality]]) -> Iterable[str]:
    """One line for each reason, with all scorers it is the same for."""
    reasons: dict[str, list[str]] = {}
    for number, one in numbered:
        for name, metric in one.metrics.named:
            if metric.why:
                why = f"{name} undefined in {counted(metric.missing, 'unit')}: {metric.why}."
                reasons.setdefault(why, []).append(f"{number}")
    for why, numbers in reasons.items():
        yield f"{', '.join(numbers)}: {why}"


def _of(figure: Figure) -> str:
    return DASH if figure.value is None else f"{estimated(figure)} ({figure.n:,})"


def _gap(one: GapBin) -> str:
    return DASH if one.gap is None else f"{signed(one.gap)} ({one.n:,})"


def _error(point: Point | None, used: int) -> str:
    """`.118 (.15)`, with `of 12` where not all candidates have so many samples."""
    if point is None:
        return DASH
    ends = "*" if point.exhausted else ""
    some = f" of {point.pools:,}" if point.pools < used else ""
    return f"{point.error:.3f}".removeprefix("0") + f"{ends} ({decimal(point.worst)}){some}"
