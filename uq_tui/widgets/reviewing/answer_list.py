"""The answers of the problem that is reviewed, one line each, by final answer."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from textual import on
from textual.binding import Binding
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from uq_tui.state.reviewing.problem import AnswerLine, Mark

_STYLES = {
    Mark.NOW: "bold $text-accent",
    Mark.OPEN: "",
    Mark.PUT_OFF: "$text-warning",
    Mark.DONE: "$text-muted",
    Mark.SAME: "$text-muted",
}


class AnswerList(OptionList):
    """Posts `Chosen` when the reviewer wants to go to an answer, by Enter or a click."""

    BORDER_TITLE = "Answers"
    BINDINGS = [
        Binding("enter", "select", "Go there", id="answers.select", tooltip="Go to this answer"),
    ]

    @dataclass
    class Chosen(Message):
        """`item_id` is the item to go to."""

        item_id: str

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, markup=False)
        self._listed: tuple[AnswerLine | None, ...] = ()
        """As they are listed; `None` where a final answer begins."""

    def show(self, lines: Sequence[AnswerLine]) -> None:
        """Show these answers, the one that is read highlighted."""
        listed: list[AnswerLine | None] = []
        options: list[Option] = []
        above = ""
        for line, heading in zip(lines, headings(lines), strict=True):
            if heading != above:
                above = heading
                listed.append(None)
                options.append(Option(Content.styled(heading, "$text-muted"), disabled=True))
            listed.append(line)
            options.append(Option(_prompt(line)))
        if tuple(listed) == self._listed:
            return
        self._listed = tuple(listed)
        with self.prevent(OptionList.OptionHighlighted):
            if options:
                self.set_options(options)  # which has the screen laid out anew only where their number changes
            else:
                self.clear_options()
            now = (at for at, line in enumerate(listed) if line is not None and line.mark is Mark.NOW)
            self.highlighted = next(now, None)

    @on(OptionList.OptionSelected)
    def _go(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        line = self._listed[event.option_index]
        if line is not None:
            self.post_message(self.Chosen(line.item_id))


def headings(lines: Sequence[AnswerLine]) -> list[str]:
    """What each answer stands below, "" where none shares its final answer with another one.

    An answer alone in its group has a final answer of its own or none, so it isn't called one.
    """
    sizes = Counter(line.group for line in lines)
    shared = [group for group, size in sizes.items() if size > 1]
    if not shared:
        return [""] * len(lines)
    same = {group: f"same final answer ({place})" for place, group in enumerate(shared, start=1)}
    if len(shared) == 1:
        same = {shared[0]: "same final answer" if len(sizes) > 1 else ""}
    return [same.get(line.group, "no other like it") for line in lines]


def _prompt(line: AnswerLine) -> Content:
    return Content.assemble((f"{line.called:<4}", "bold"), (f"{line.mark} {line.words}", _STYLES[line.mark]))
