"""The report on validators as tables of words, for a screen or a terminal to lay out."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from uq_tui.analysis.cases import Validator
from uq_tui.analysis.classification import Figure
from uq_tui.analysis.evaluation import Calls, Report, ValidatorReport
from uq_tui.analysis.truth import Standing
from uq_tui.state.reports.figures import DASH, decimal, elsewhere_lines, estimated, signed
from uq_tui.state.reports.insights import Findings
from uq_tui.state.reports.labels import Against
from uq_tui.state.reports.section import Section, section
from uq_tui.text import counted
from uq_tui.words import Outcome

DECISIONS, CONFUSION, FAILING = "Decisions against labels", "Decisions counted", "Where answers fail"
"""Titles of the tables that plots stand beside."""
NOTHING_YET = "No validation has finished yet, so there is nothing to report."
JUDGED_FIRST = (
    "1. Bring in or generate candidates: uq-tui import FILE, uq-tui generate, or Generate on the workbench.",
    "2. Have them judged, by one strategy or several: uq-tui validate, or Validate on the workbench.",
)
"""What to do first where nothing is judged."""
WHAT_TO_DO = (
    *JUDGED_FIRST,
    "3. Give verdicts on the same candidates, or import candidates with known labels.",
)
_section = partial(section, report="validators")


def intro(findings: Findings) -> tuple[str, ...]:
    """What the report is on, one sentence a line."""
    counts = findings.report.standings
    labels = ", ".join(f"{counts[kind]:,} {kind}" for kind in Standing if counts[kind])
    borderline = "correct" if findings.borderline_correct else "incorrect"
    lines = [
        f"{counted(sum(counts.values()), 'candidate')} judged: {labels}.",
        f"{_source(findings)} Borderline correct counts as {borderline}.",
        "In brackets are 95 % intervals; – is undefined.",
    ]
    lines += findings.left_out.lines
    lines += elsewhere_lines(findings.elsewhere)
    if findings.unfinished:
        runs = counted(findings.unfinished, "validation that has", "validations that have")
        lines.append(f"Left out: {runs} not ended well; uq-tui runs resume goes on with them.")
    return tuple(lines)


def _source(findings: Findings) -> str:
    if findings.against is Against.KNOWN:
        why = ", since no judged candidate has a verdict" if findings.fell_back else ""
        return f"Labels are those that came with the candidates{why}."
    if not findings.reviewers:
        return "Labels are verdicts, and no judged candidate has one."
    return f"Labels are the verdicts of {counted(findings.reviewers, 'reviewer')}."


def sections(report: Report) -> tuple[Section, ...]:
    """All tables that have something in them."""
    made = (
        _validators(report.validators),
        _decisions(report.validators),
        _confusion(report.validators),
        _undecided(report.validators),
        _over_rating(report),
        _failing(report),
        _stability(report),
        _calls(report.validators),
        _gaps(report),
    )
    return tuple(section for section in made if section.rows)


def _validators(found: Sequence[ValidatorReport]) -> Section:
    several_prompts = len({(one.validator.strategy, one.validator.prompts) for one in found}) > len(
        {one.validator.strategy for one in found}
    )
    rows = []
    for one in found:
        form = f"{one.validator.form} {one.validator.prompts}" if several_prompts else one.validator.form
        outcomes = (f"{one.outcomes[kind]:,}" for kind in _OUTCOMES)
        strategy, models = _names(one.validator, [other.validator for other in found])
        rows.append((str(one.number), strategy, models, form, f"{one.labelled:,}", *outcomes))
    names = tuple(kind.value for kind in _OUTCOMES)
    return _section(
        "Validators",
        "What each made of the n labelled candidates it judged. The other tables name it by its number."
        + (" Eight characters tell apart what other prompts asked." if several_prompts else ""),
        ("no.", "strategy", "models", "form", "n", *names),
        rows,
        ("no.", "n", *names),
    )


def _names(one: Validator, all_of_them: Iterable[Validator]) -> tuple[str, str]:
    """Its strategy and its models; with the one-line form and the addresses, where others share all the rest."""
    alike = [
        other
        for other in all_of_them
        if (other.strategy, other.models, other.form, other.prompts)
        == (one.strategy, one.models, one.form, one.prompts)
    ]
    strategy, models = one.strategy, one.models
    if len({other.notation for other in alike}) > 1:
        strategy = f"{strategy}: {one.notation}"
    if len({other.endpoints for other in alike}) > 1:
        models = tuple(
            f"{model} at {endpoint or 'its provider'}" for model, endpoint in zip(models, one.endpoints, strict=True)
        )
    return strategy, ", ".join(models) or "plug-ins only"


_OUTCOMES = (Outcome.ACCEPT, Outcome.REJECT, Outcome.UNPARSED, Outcome.FAILED)


def _decisions(found: Sequence[ValidatorReport]) -> Section:
    rows = []
    notes: list[str] = []
    for one in found:
        it = one.quality
        figures = {
            "accuracy": it.accuracy,
            "balanced": it.balanced_accuracy,
            "precision": it.precision,
            "recall": it.recall,
            "kappa": it.kappa,
        }
        rates = (decimal(it.base_rate.value), decimal(it.always_reject.value))
        rows.append((str(one.number), f"{one.confusion.n:,}", *rates, *map(estimated, figures.values())))
        notes += _why(one.number, figures)
    return _section(
        DECISIONS,
        "Over the n accepts and rejects among them; precision is of the accepted, recall of the correct ones. Accuracy "
        "is worth what it has over rejecting everything.",
        ("no.", "n", "base rate", "always reject", "accuracy", "balanced", "precision", "recall", "kappa"),
        rows,
        ("no.", "n", "base rate", "always reject"),
        notes,
    )


def _confusion(found: Sequence[ValidatorReport]) -> Section:
    names = ("accepted, correct", "accepted, incorrect", "rejected, correct", "rejected, incorrect")
    rows = []
    for one in found:
        it = one.confusion
        cells = (it.true_positive, it.false_positive, it.false_negative, it.true_negative)
        if it.n:
            rows.append((str(one.number), f"{it.n:,}", *(f"{count:,}" for count in cells)))
    return _section(CONFUSION, "What was decided, by label.", ("no.", "n", *names), rows, ("no.", "n", *names))


def _undecided(found: Sequence[ValidatorReport]) -> Section:
    rows = [
        (
            str(one.number),
            f"{one.labelled:,}",
            decimal(one.base_rate_of_labelled.value),
            decimal(one.always_reject_of_labelled.value),
            estimated(one.right_of_labelled),
            estimated(one.unparsed),
            estimated(one.failed),
        )
        for one in found
        if one.labelled
    ]
    return _section(
        "With what was left undecided",
        "Over all labelled candidates it judged: who decides nothing is not right.",
        ("no.", "n", "base rate", "always reject", "right", "unparsed", "failed"),
        rows,
        ("no.", "n", "base rate", "always reject"),
    )


def _over_rating(report: Report) -> Section:
    rows = [
        (
            str(one.number),
            ", ".join(one.judge_families) or DASH,
            one.author_family,
            one.kinship,
            f"{one.excess.n:,}",
            estimated(one.accepted),
            estimated(one.correct),
            estimated(one.excess, sign=True),
        )
        for one in report.over_rating
    ]
    return _section(
        "Over-rating by model family",
        "The share accepted less the share that is correct, of the decided: above 0 the judge is too kind.",
        ("no.", "judges", "answers", "kin", "n", "accepted", "correct", "excess"),
        rows,
        ("no.", "n"),
    )


def _failing(report: Report) -> Section:
    rows = [
        (
            str(one.number),
            one.author,
            f"{one.judged:,}",
            f"{one.accepted:,}",
            f"{one.undecided:,}",
            ", ".join(f"{stage.replace('_', ' ')} {count:,}" for stage, count in one.stages.items()) or DASH,
        )
        for one in report.failing
    ]
    return _section(
        FAILING,
        "All judged candidates, labelled or not, by the stage that rejected first.",
        ("no.", "answers by", "judged", "accepted", "undecided", "first rejected by"),
        rows,
        ("no.", "judged", "accepted", "undecided"),
    )


def _stability(report: Report) -> Section:
    rows = [
        (f"{one.first}, {one.second}", f"{one.authors:,}", f"{one.candidates:,}", signed(one.tau_b))
        for one in sorted(report.stability, key=lambda one: (one.tau_b is None, one.tau_b or 0.0))
    ]
    reasons: dict[str, list[str]] = {}
    for one in report.stability:
        if one.undefined:
            reasons.setdefault(one.undefined, []).append(f"{one.first}, {one.second}")
    return _section(
        "Do validators rank authors alike?",
        "Kendall's tau-b of the shares accepted, on what both decided; 1 is the same order. Least alike first.",
        ("nos.", "authors", "candidates", "tau-b"),
        rows,
        ("authors", "candidates", "tau-b"),
        (f"{'; '.join(pairs)}: undefined, {reason}." for reason, pairs in reasons.items()),
    )


def _calls(found: Sequence[ValidatorReport]) -> Section:
    rows = [
        (
            str(one.number),
            f"{one.calls.n:,}",
            DASH if one.calls.mean is None else f"{one.calls.mean:,.1f}",
            _range(one.calls),
            f"{one.calls.unknown:,}",
            f"{one.confusion.n:,}",
            estimated(one.quality.accuracy),
            estimated(one.quality.balanced_accuracy),
        )
        for one in sorted(found, key=lambda one: (one.calls.mean is None, one.calls.mean or 0.0))
        if one.labelled
    ]
    return _section(
        "Accuracy and calls",
        "Calls made for a labelled candidate, remembered ones too. The fewest come first.",
        ("no.", "n", "calls", "range", "unknown", "decided", "accuracy", "balanced"),
        rows,
        ("no.", "n", "calls", "range", "unknown", "decided"),
    )


def _range(calls: Calls) -> str:
    if calls.fewest is None or calls.most is None:
        return DASH
    return f"{calls.fewest:,}" if calls.fewest == calls.most else f"{calls.fewest:,} to {calls.most:,}"


def _gaps(report: Report) -> Section:
    rows = [
        (
            one.model,
            str(one.number),
            f"{one.answering.n:,}",
            estimated(one.answering),
            f"{one.judging.n:,}",
            estimated(one.judging),
            signed(one.gap),
        )
        for one in report.gaps
    ]
    return _section(
        "Answering and judging",
        "The share of a model's own answers that is correct, and its accuracy as the only judge.",
        ("model", "no.", "answers", "correct", "decisions", "accuracy", "gap"),
        rows,
        ("no.", "answers", "decisions", "gap"),
    )


def _why(number: int, figures: dict[str, Figure]) -> Iterator[str]:
    """One line for each reason, with all that is undefined for it."""
    reasons: dict[str, list[str]] = {}
    for name, figure in figures.items():
        if figure.undefined:
            reasons.setdefault(figure.undefined, []).append(name)
    for reason, names in reasons.items():
        yield f"{number}: {', '.join(names)} undefined, {reason}."
