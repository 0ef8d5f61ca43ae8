"""Consequence-Based Utility of the candidate being read: per neighbour, control arm, lift."""

from collections.abc import Callable, Sequence

from textual.app import RenderResult
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from store.rows import Neighbour
from store.run_rows import NeighbourValue, Utility
from uq_tui.analysis import independence
from uq_tui.text import clean_line
from uq_tui.widgets import marks

TOO_NARROW = "equal replies are one draw, the interval is too narrow"
NOT_MEANINGFUL = "An embedded model's results mean nothing: it is too small."


class UtilityPanel(Widget):
    """Plain lines; no number without its n."""

    BORDER_TITLE = "Utility"

    content = reactive(Content(""), layout=True)

    def show(self, utility: Utility | None, neighbours: Sequence[Neighbour], *, model: str, busy: bool) -> None:
        """Show one candidate's utility, or why there is none. `model` is the solver's id."""
        self.content = _lines(utility, neighbours, model, busy)

    def render(self) -> RenderResult:
        return self.content


def _lines(utility: Utility | None, neighbours: Sequence[Neighbour], model: str, busy: bool) -> Content:
    spin = f" {marks.RUNNING} measuring" if busy else ""
    if not neighbours:
        return Content("No neighbours: no related question whose answer can be checked.")
    if utility is None:
        held = f"{len(neighbours)} neighbour{'s' if len(neighbours) > 1 else ''} held; u measures.{spin}"
        return Content(held)
    lines: list[Content] = []
    for number, value in enumerate(utility.neighbours, 1):
        lines += [_line(f"N{number}", value), *_replies(value)]
    lines += [_control(utility), *_replies(independence.total(utility.control))]
    own, both = independence.mark(utility.neighbours), independence.mark((*utility.neighbours, *utility.control))
    lines.append(_interval("utility", marks.share(utility.mean), utility.low, utility.high, marks.share, own))
    if utility.lift is not None:
        lift = marks.signed(utility.lift)
        lines.append(_interval("lift", lift, utility.lift_low, utility.lift_high, marks.signed, both))
    if both:
        lines.append(Content.styled(f"{independence.REPEATED} {both}: {TOO_NARROW}", "$text-warning"))
    every = independence.counted(independence.total((*utility.neighbours, *utility.control)))
    lines.append(Content.styled(every or "distinct replies not recorded", "dim"))
    state = "" if utility.complete else "   not finished"
    lines.append(Content.styled(f"solver {clean_line(model)}, T={utility.rollouts}{state}{spin}", "dim"))
    lines.append(Content.styled("interval: 95 %, over rollouts on these neighbours only", "dim"))
    if utility.constrained:
        lines.append(Content.styled(NOT_MEANINGFUL, "$text-warning"))
    return Content("\n").join(lines)


def _line(name: str, value: NeighbourValue) -> Content:
    if not value.decided:
        return Content(f"{name:<8}{'·' * 10}  undecided {value.undecided}")
    rate = value.solved / value.decided
    undecided = f"  undecided {value.undecided}" if value.undecided else ""
    text = f"{name:<8}{marks.bar(rate)}  {value.solved}/{value.decided}  {marks.share(rate)}{undecided}"
    return Content(text)


def _replies(drawn: independence.Drawn) -> list[Content]:
    """What is odd about the replies: equal ones, and such as were cut."""
    odd = []
    if independence.repeats(drawn):
        odd.append(Content.styled(f"  {independence.REPEATED} {independence.counted(drawn)}", "$text-warning"))
    if drawn.cut_off:
        odd.append(Content.styled(f"  {drawn.cut_off} cut at the length limit", "$text-warning"))
    return odd


def _control(utility: Utility) -> Content:
    solved = sum(value.solved for value in utility.control)
    decided = sum(value.decided for value in utility.control)
    if not decided:
        return Content("control  not measured")
    mean = marks.share(utility.control_mean)
    return Content(f"{'control':<8}{marks.bar(utility.control_mean or 0.0)}  {solved}/{decided}  {mean}")


def _interval(
    name: str, value: str, low: float | None, high: float | None, form: Callable[[float | None], str], mark: str
) -> Content:
    bounds = "" if low is None or high is None else f" [{form(low)}, {form(high)}]"
    return Content.styled(f"{name:<8}{value}{bounds}{f' {independence.REPEATED}' if mark else ''}", "bold")
