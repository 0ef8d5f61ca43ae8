"""Plots of how validators compare with labels, and of where answers fail."""

from collections import Counter
from collections.abc import Iterable

from uq_tui.analysis.classification import Figure
from uq_tui.analysis.evaluation import Failing, Report, ValidatorReport
from uq_tui.state.reports.plots import MOST_ROWS, Bars, Matrix, Range, Ranges, Series, rest
from uq_tui.text import counted
from uq_tui.words import Outcome

MOST_MATRICES = 6
MOST_STAGES = 3
"""Stages that have parts of their own in a bar."""
OTHER_STAGES = "other stages"


def balanced_plot(found: Iterable[ValidatorReport]) -> Ranges | None:
    """Balanced accuracy of each validator with its interval; `None` where nothing was decided."""
    decided = [one for one in found if one.confusion.n]
    rows = tuple(_range(named(one), one.quality.balanced_accuracy) for one in decided[:MOST_ROWS])
    more = rest(len(decided) - len(rows), "validator")
    about = "balanced accuracy, 95 % intervals, n decisions; .5 is guessing"
    return Ranges("Balanced accuracy", about, rows, (0.0, 1.0), more) if rows else None


def confusion_plots(found: Iterable[ValidatorReport]) -> tuple[Matrix, ...]:
    """Decisions against labels of the first validators that decided anything, one matrix each."""
    decided = [one for one in found if one.confusion.n]
    return tuple(_matrix(one) for one in decided[:MOST_MATRICES])


def failing_plot(report: Report) -> Bars | None:
    """What became of the answers of each author with each validator; `None` where nothing was judged."""
    rows = report.failing[:MOST_ROWS]
    if not rows:
        return None
    by_stage: Counter[str] = Counter()
    for one in rows:
        by_stage.update(one.stages)
    named_stages = [stage for stage, _ in by_stage.most_common()]
    if len(named_stages) > MOST_STAGES + 1:
        named_stages = named_stages[:MOST_STAGES]
    series = [
        Series("accepted", tuple(float(one.accepted) for one in rows)),
        *(
            Series(stage.replace("_", " "), tuple(float(one.stages.get(stage, 0)) for one in rows))
            for stage in named_stages
        ),
    ]
    if len(by_stage) > len(named_stages):
        series.append(Series(OTHER_STAGES, tuple(float(_elsewhere(one, named_stages)) for one in rows)))
    series.append(Series("undecided", tuple(float(one.undecided) for one in rows)))
    return Bars(
        "Stage at which answers fail",
        "answers by what became of them: accepted, first rejected by a stage, or undecided",
        tuple(f"{one.number} {one.author}" for one in rows),
        tuple(series),
        tuple(f"{one.judged:,}" for one in rows),
        rest(len(report.failing) - len(rows), "row"),
    )


def named(one: ValidatorReport) -> str:
    """A validator as plots name it: by the number that it has in tables, and its strategy."""
    return f"{one.number} {one.validator.strategy}"


def _range(name: str, figure: Figure) -> Range:
    return Range(name, figure.value, figure.low, figure.high, figure.n)


def _matrix(one: ValidatorReport) -> Matrix:
    it = one.confusion
    apart = [
        counted(one.outcomes[kind], f"{kind.value} one", f"{kind.value} ones")
        for kind in (Outcome.UNPARSED, Outcome.FAILED)
        if one.outcomes[kind]
    ]
    return Matrix(
        f"Confusion of {named(one)}",
        "decision",
        "label",
        (Outcome.ACCEPT.value, Outcome.REJECT.value),
        ("correct", "incorrect"),
        ((it.true_positive, it.false_positive), (it.false_negative, it.true_negative)),
        f"{' and '.join(apart)} in no cell" if apart else "",
    )


def _elsewhere(one: Failing, stages: Iterable[str]) -> int:
    apart = set(stages)
    return sum(count for stage, count in one.stages.items() if stage not in apart)
