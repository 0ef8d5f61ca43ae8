"""How a question's candidates look ranked by utility: figures, and a strip on a common axis."""

from collections.abc import Sequence

from textual.content import Content

from store.rows import Candidate
from store.run_rows import NeighbourValue, Utility
from uq_tui.analysis import independence
from uq_tui.analysis.utility import estimate
from uq_tui.state.utility.measured import Measured, odd_text, rolls
from uq_tui.state.utility.other_scores import Column
from uq_tui.state.utility.ranking import Ranked, Ranking
from uq_tui.widgets import marks
from uq_tui.widgets.finding_list import Entry
from uq_tui.widgets.strip_plot import LEAST, axis, strip

_NAME, _VALUE, _N, _LIFT, _PLACE, _TAIL = 12, 14, 4, 17, 6, 7
"""Cells of the columns beside the strip."""
ENOUGH, MOST = 40, 60
"""Cells of a strip before other scorers get columns, and of the longest strip."""
_COLUMN = 14
"""Cells of another scorer's column."""


def _layout(room: int, others: int) -> tuple[int, int]:
    """Cells of a strip where a line has `room` cells, and how many of the other scorers have a column."""
    spare = room - _NAME - _VALUE - _N - _LIFT - _PLACE - _TAIL - 5
    columns = max(0, min(others, (spare - ENOUGH) // _COLUMN))
    return max(LEAST, min(MOST, spare - columns * _COLUMN)), columns


def entries(
    found: Ranking, newest: Utility | None, others: Sequence[Column], room: int, *, control: str, placebo: str
) -> tuple[Entry, ...]:
    """Under a heading one line a candidate, ranked ones first; below them the arms without a candidate.

    Args:
        newest: a utility of the newest run, whose arms are shown.
        others: other scorers; as many as there is room for get a column.
        room: cells of a line.
        control, placebo: what those arms go by.
    """
    width, shown = _layout(room, len(others))
    columns = f"{'utility':<{_VALUE}} {'n':>{_N}} {'lift':<{_LIFT}} {'place':<{_PLACE + _TAIL}}"
    named = "".join(_cell(one.name) for one in others[:shown])
    listed = [Entry("", Content(f"{'':<{_NAME}}{axis(width)} {columns}{named}"))]
    lines = [(one.candidate, _ranked(one, width), one.measured.utility.neighbours) for one in found.ranked]
    lines += [(one, _apart(one, own, width), own.utility.neighbours) for one, own in found.apart]
    lines += [(one, _unmeasured(one, width), ()) for one in found.unmeasured]
    for candidate, line, values in lines:
        scores = "".join(_cell(one.texts.get(candidate.id, "")) for one in others[:shown])
        listed.append(Entry(candidate.id, line + scores + _odd(values)))
    if newest is not None and newest.control:
        listed.append(Entry(control, _arm("control", newest.control, newest.control_mean, newest, width)))
    if newest is not None and newest.placebo:
        listed.append(Entry(placebo, _arm("placebo", newest.placebo, newest.placebo_mean, newest, width)))
    return tuple(listed)


def _ranked(one: Ranked, width: int) -> Content:
    rank = f"{one.rank}{'=' if one.shared else ''}"
    place = f" {one.place:<{_PLACE}}"
    return Content.assemble(
        f"{rank:<4}", _name(one.candidate), _figures(one.measured, width), place, _tail(one.measured)
    )


def _apart(candidate: Candidate, measured: Measured, width: int) -> Content:
    why = f" {'–':<{_PLACE}}" if measured.utility.mean is None else f" {'apart':<{_PLACE}}"
    return Content.assemble("–   ", _name(candidate), _figures(measured, width), why, _tail(measured))


def _unmeasured(candidate: Candidate, width: int) -> Content:
    room = width + _VALUE + _N + _LIFT + _PLACE + _TAIL + 4
    return Content.assemble("–   ", _name(candidate), (f"{'not measured':<{room}}", "dim"))


def _cell(text: str) -> str:
    return Content(f" {text}").truncate(_COLUMN, ellipsis=True, pad=True).plain


def _name(candidate: Candidate) -> Content:
    mark = marks.REFERENCE[0] if candidate.reference else ""
    return Content.styled(f"c{candidate.number} {mark}".ljust(_NAME - 4), "bold")


def _figures(measured: Measured, width: int) -> Content:
    own = measured.utility
    value = f"{marks.share(own.mean)}{_bounds(marks.share(own.low), marks.share(own.high), own.low)}"
    lift = f"{marks.signed(own.lift)}{_bounds(marks.signed(own.lift_low), marks.signed(own.lift_high), own.lift_low)}"
    drawn = strip(own.mean, own.low, own.high, _dots(own.neighbours), width)
    return Content.assemble(drawn, f" {value:<{_VALUE}} {_decided(own.neighbours)} {lift:<{_LIFT}}")


def _arm(name: str, values: Sequence[NeighbourValue], mean: float | None, run: Utility, width: int) -> Content:
    known = estimate(rolls(values), (), interval=run.interval).utility
    low, high = (known.low, known.high) if known is not None else (None, None)
    value = f"{marks.share(mean)}{_bounds(marks.share(low), marks.share(high), low)}"
    drawn = strip(mean, low, high, _dots(values), width)
    line = Content.assemble("    ", f"{name:<{_NAME - 4}}", drawn, f" {value:<{_VALUE}} {_decided(values)}")
    return line + _odd(values)


def _odd(values: Sequence[NeighbourValue]) -> Content:
    """A second line with the rollouts that say nothing, where there are any."""
    said = odd_text(values)
    return Content.styled(f"\n{'':<{_NAME}}{said}", "$text-warning") if said else Content("")


def _bounds(low: str, high: str, known: float | None) -> str:
    return "" if known is None else f" [{low}, {high}]"


def _decided(values: Sequence[NeighbourValue]) -> str:
    """How many rollouts there is an outcome of."""
    return f"{sum(one.decided for one in values):>{_N}}"


def _dots(values: Sequence[NeighbourValue]) -> list[float | None]:
    return [one.solved / one.decided if one.decided else None for one in values]


def _tail(measured: Measured) -> str:
    own = measured.utility
    equal = independence.REPEATED if independence.mark(own.neighbours) else ""
    state = marks.RUNNING if measured.under_way else "early" if own.stopped_early else "" if own.complete else "part"
    return f" {state}{equal}".ljust(_TAIL)
