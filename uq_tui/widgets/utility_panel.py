"""Consequence-Based Utility of the candidate being read: per neighbour, control arm, lift."""

from collections.abc import Callable, Mapping, Sequence

from textual.app import RenderResult
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from store.rows import Neighbour
from store.run_rows import NeighbourValue
from uq_tui.analysis import independence
from uq_tui.analysis.intervals import Estimate
from uq_tui.analysis.utility import estimate, neighbour_estimates
from uq_tui.state.reviewing.blind import HIDDEN
from uq_tui.state.utility.measured import (
    Measured,
    caution,
    decided_text,
    interval_text,
    neighbours_text,
    odd_text,
    rolls,
)
from uq_tui.text import clean_line, counted
from uq_tui.widgets import marks
from uq_tui.widgets.strip_plot import shaded
from uq_tui.words import Interval, NeighbourUse

TOO_NARROW = "equal replies are one draw, the interval is too narrow"
NOT_MEANINGFUL = "An embedded model's results mean nothing: it is too small."
TRACK = 10
"""Cells of a bar."""
MOST = 8
"""Lines for neighbours, so that the utility below them stays in sight."""


class UtilityPanel(Widget):
    """Plain lines; no number without its n."""

    BORDER_TITLE = "Utility"

    content = reactive(Content(""), layout=True)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._shown: tuple[Measured | None, tuple[Neighbour, ...], bool, bool] | None = None

    def show(
        self, measured: Measured | None, neighbours: Sequence[Neighbour], *, busy: bool, hidden: bool = False
    ) -> None:
        """Show one candidate's utility, or why there is none.

        Args:
            neighbours: all of the question's.
            busy: whether a run is measuring.
            hidden: whether utilities are hidden from the reviewer.
        """
        shown = measured, tuple(neighbours), busy, hidden
        if shown != self._shown:  # intervals take a search each
            self._shown = shown
            self.content = _lines(*shown)

    def render(self) -> RenderResult:
        return self.content


def _lines(measured: Measured | None, neighbours: Sequence[Neighbour], busy: bool, hidden: bool) -> Content:
    if hidden:
        return Content(f"Utilities are {HIDDEN}.")
    if measured is None:
        return Content(_unmeasured(neighbours, busy))
    own = measured.utility
    names = {one.id: f"N{one.number}" for one in neighbours}
    lines = [*_neighbours(own.neighbours, names), *_arm("control", own.control, own.control_mean, own.interval)]
    if own.placebo:
        lines += _arm("placebo", own.placebo, own.placebo_mean, own.interval)
    mark, both = independence.mark(own.neighbours), independence.mark((*own.neighbours, *own.control))
    lines.append(_interval("utility", own.mean, own.low, own.high, marks.share, mark))
    if own.lift is not None:
        lines.append(_interval("lift", own.lift, own.lift_low, own.lift_high, marks.signed, both))
    lines += [_warning(said) for said in (caution(own), measured.advice) if said]
    if both:
        lines.append(Content.styled(f"{independence.REPEATED} {both}: {TOO_NARROW}", "$text-warning"))
    if own.constrained:
        lines.append(Content.styled(NOT_MEANINGFUL, "$text-warning"))
    return Content("\n").join([*lines, *(Content.styled(line, "dim") for line in _small_print(measured, busy))])


def _unmeasured(neighbours: Sequence[Neighbour], busy: bool) -> str:
    usable = sum(one.use is NeighbourUse.IN_USE for one in neighbours)
    if not neighbours:
        return "No neighbours: no related question whose answer can be checked. u says what to do."
    if not usable:
        return f"{counted(len(neighbours), 'neighbour')}, none in use. n shows them."
    return f"{counted(usable, 'neighbour')} held; u measures.{f' {marks.RUNNING} measuring' if busy else ''}"


def _neighbours(values: Sequence[NeighbourValue], names: Mapping[str, str]) -> list[Content]:
    shown = values if len(values) <= MOST else values[: MOST - 1]
    lines: list[Content] = []
    for value, own in zip(shown, neighbour_estimates(rolls(shown)), strict=True):
        lines += [_bar(names.get(value.neighbour_id, "N?"), value.solved, value.decided, own), *_odd(value)]
    if rest := values[len(shown) :]:
        solved, decided = sum(one.solved for one in rest), sum(one.decided for one in rest)
        lines.append(Content(f"{len(rest):,} more, {solved:,}/{decided:,}; U shows each"))
    return lines


def _arm(name: str, values: Sequence[NeighbourValue], mean: float | None, kind: Interval) -> list[Content]:
    """All neighbours of an arm without the candidate, in one line."""
    decided = sum(value.decided for value in values)
    if not decided:
        return [Content(f"{name:<8}not measured")]
    known = estimate(rolls(values), (), interval=kind).utility
    own = Estimate(mean, known.low, known.high) if known is not None and mean is not None else None
    lines = [_bar(name, sum(value.solved for value in values), decided, own)]
    total = independence.total(values)
    if independence.repeats(total):
        lines.append(_warning(f"  {independence.REPEATED} {independence.counted(total)}"))
    if said := odd_text(values):
        lines.append(_warning(f"  {said}"))
    return lines


def _bar(name: str, solved: int, decided: int, own: Estimate | None) -> Content:
    count = f"{solved}/{decided}" if decided else "none yet"
    if own is None:
        return Content(f"{name:<8}{'·' * TRACK} {count}")
    return Content(f"{name:<8}{shaded(own.value, own.low, own.high, TRACK)} {count} {marks.share(own.value)}")


def _odd(value: NeighbourValue) -> list[Content]:
    """What is odd about the rollouts on a neighbour: equal ones, and such as say nothing."""
    odd = []
    if independence.repeats(value):
        odd.append(_warning(f"  {independence.REPEATED} {independence.counted(value)}"))
    if said := odd_text([value]):
        odd.append(_warning(f"  {said}"))
    return odd


def _warning(text: str) -> Content:
    return Content.styled(text, "$text-warning")


def _interval(
    name: str,
    value: float | None,
    low: float | None,
    high: float | None,
    form: Callable[[float | None], str],
    mark: str,
) -> Content:
    bounds = "" if low is None or high is None else f" [{form(low)}, {form(high)}]"
    return Content.styled(f"{name:<8}{form(value)}{bounds}{f' {independence.REPEATED}' if mark else ''}", "bold")


def _small_print(measured: Measured, busy: bool) -> list[str]:
    own = measured.utility
    lines = [interval_text(measured), neighbours_text(len(own.neighbours))]
    if said := decided_text(measured):
        lines.append(f"rollouts: {clean_line(said)}")
    replies = independence.total((*own.neighbours, *own.control))
    lines.append(independence.counted(replies) or "distinct replies not recorded")
    going = f" {marks.RUNNING} measuring" if busy or measured.under_way else ""
    planned = f", T = {own.rollouts}" if own.interval is Interval.ANYTIME else ""
    lines.append(f"solver {clean_line(measured.solver)}{planned}{going}")
    lines.append("U: all candidates and rollouts")
    return lines
