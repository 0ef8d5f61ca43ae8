"""The lines below what is reviewed: what each key does, what was recorded, how far the reviewer is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from textual import events
from textual.app import RenderResult
from textual.content import Content
from textual.geometry import Size
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget

BETWEEN = 2
"""Cells between two keys."""
SHORT = 16
"""Rows of a terminal in which keys have no words, so that there is room for the text; the sheet of keys has them."""


@dataclass(frozen=True, slots=True)
class StripKey:
    """A key as it is printed; a click on it runs `action` of the screen."""

    key: str
    words: str
    action: str


@dataclass(frozen=True, slots=True)
class Told:
    """Everything a strip shows. All words are ours, or cleaned."""

    keys: tuple[StripKey, ...] = ()
    asked: str = ""
    """What the keys answer, where that isn't plain; what a practice item should have been given."""
    recorded: str = ""
    note: str = ""
    progress: str = ""


class VerdictStrip(Widget):
    """As high as what it shows; two or three lines in a short terminal."""

    DEFAULT_CSS = """
    VerdictStrip {
        height: auto;
        padding: 0 1;
        border-top: solid $foreground 25%;
    }
    """

    told: reactive[Told] = reactive(Told())

    def watch_told(self, before: Told, told: Told) -> None:
        """Have the screen laid out anew only where this changes the number of lines."""
        width = self.content_size.width
        if not width or len(self._lines(before, width)) != len(self._lines(told, width)):
            self.refresh(layout=True)

    async def on_click(self, event: events.Click) -> None:
        if (action := event.style.meta.get("strip")) is not None:
            await self.screen.run_action(action)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._lines(self.told, width))

    def render(self) -> RenderResult:
        return Content("\n").join(self._lines(self.told, self.content_size.width))

    def _lines(self, told: Told, width: int) -> list[Content]:
        return lines_of(told, width, short=self.app.size.height < SHORT)


def lines_of(told: Told, width: int, *, short: bool = False) -> list[Content]:
    """What a strip shows, line by line. `short`: keys without words, and one line for all else but what is asked."""
    lines: list[Content] = []
    if told.asked:
        lines += _wrapped(Content.styled(told.asked, "bold"), width)
    lines += _packed([_key(replace(key, words="") if short else key) for key in told.keys], width)
    said = [
        *([Content.styled(told.recorded, "$text-success")] if told.recorded else []),
        *([Content(told.note)] if told.note else []),
    ]
    if short:
        rest = [*said, *([Content.styled(told.progress, "$text-muted")] if told.progress else [])]
        return [*lines, Content("   ").join(rest).truncate(max(1, width), ellipsis=True)] if rest else lines
    if said:
        lines += _wrapped(Content("   ").join(said), width)
    if told.progress:
        lines += _wrapped(Content.styled(told.progress, "$text-muted"), width)
    return lines


def _key(key: StripKey) -> Content:
    text = Content.assemble((key.key, "bold underline"), f" {key.words}" if key.words else "")
    return text.stylize(Style.from_meta({"strip": key.action}))


def _packed(parts: Sequence[Content], width: int) -> Iterator[Content]:
    """As many parts on each line as have room."""
    line = Content()
    for part in parts:
        if line and line.cell_length + BETWEEN + part.cell_length > width:
            yield line
            line = Content()
        line = Content.assemble(line, " " * BETWEEN, part) if line else part
    if line:
        yield line


def _wrapped(text: Content, width: int) -> list[Content]:
    return list(text.wrap(max(1, width)))
