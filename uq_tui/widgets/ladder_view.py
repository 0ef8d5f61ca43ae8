"""The stages of the candidate being read, with their turns and outcomes as they come."""

from dataclasses import dataclass

from textual.binding import Binding
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from uq_tui.config import DEFAULT_MODEL
from uq_tui.state.ladder import Ladder, Rung
from uq_tui.text import clean_line
from uq_tui.widgets import marks
from uq_tui.words import Outcome

NAME_WIDTH = 22
NOT_MEANINGFUL = "mean nothing"
"""Said of the embedded model, which is far too small to judge."""


class LadderView(OptionList):
    """Posts `Chosen` with the path of the rung stood on. While nobody has moved, it follows the running rung."""

    BORDER_TITLE = "Stages"
    BINDINGS = [
        Binding("enter", "select", "Read reply", id="workbench.reply", tooltip="Go to the reply behind it"),
        Binding("left", "screen.pane(-1)", "Previous pane", id="ladder.previous", tooltip="Previous pane", show=False),
        Binding("right", "screen.pane(1)", "Next pane", id="ladder.next", tooltip="Next pane", show=False),
    ]

    @dataclass
    class Chosen(Message):
        path: str

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, markup=False)
        self._paths: tuple[str, ...] = ()
        self._follow = True

    def show(self, ladder: Ladder | None, model: str) -> None:
        """Show this ladder; `None` means that no run has judged the candidate. `model` is the judge's id."""
        caution = f" ({NOT_MEANINGFUL})" if model == DEFAULT_MODEL else ""
        self.border_title = Content(f"Stages{caution}  {clean_line(model)}")
        rungs = ladder.rungs() if ladder is not None else ()
        paths = tuple(rung.path for rung in rungs)
        prompts = [_prompt(rung) for rung in rungs]
        if paths[: len(self._paths)] != self._paths or not paths:
            self.clear_options()
            self._paths = ()
            self._follow = True
        for index in range(len(self._paths)):
            if self.get_option_at_index(index).prompt != prompts[index]:
                self.replace_option_prompt_at_index(index, prompts[index])
        new = range(len(self._paths), len(paths))
        self.add_options([Option(prompts[index], id=paths[index] or None) for index in new])
        self._paths = paths
        if self._follow and (live := [i for i, rung in enumerate(rungs) if rung.running]):
            self.highlighted = live[-1]

    def on_key(self) -> None:
        """A key means that the reader chooses; stop moving the highlight."""
        self._follow = False

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        if event.option.id is not None:
            self.post_message(self.Chosen(event.option.id))


def _prompt(rung: Rung) -> Content:
    name = "  " * rung.depth + rung.name
    parts: list[Content | str | tuple[str, str]] = [
        (f"{name:<{NAME_WIDTH}}", "" if rung.depth else "bold"),
    ]
    if rung.outcome is not None:
        parts.append(marks.outcome(rung.outcome))
    elif rung.running:
        parts.append(f"{marks.RUNNING} running")
    if rung.reason and (rung.depth == 0 or rung.outcome is not Outcome.SKIPPED):
        indent = "  " * (rung.depth + 1)
        parts.append((f"\n{indent}{clean_line(rung.reason)}", "dim"))
    return Content.assemble(*parts)
