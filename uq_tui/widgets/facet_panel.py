"""The values that questions can be restricted to, with how many have each; typing brings up others."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from store.rows import Facet
from uq_tui.state.browsing import value_words
from uq_tui.text import clean_line
from uq_tui.widgets.one_line_input import OneLineInput
from uq_tui.words import FacetKind

_WIDTH = 18
"""Cells of a value; counts stand behind them."""
_NETWORK = ".stackexchange.com"
"""What most sites end in: what tells them apart stands before it, and has just room."""


class FacetPanel(Vertical):
    """Enter restricts to the highlighted value, or lifts that; typing narrows the values, arrows go through them."""

    BINDINGS = [
        Binding("ctrl+n,down", "step(1)", "Next", id="facets.next", key_display="↓↑", tooltip="The next value"),
        Binding("up", "step(-1)", "Before", id="facets.previous", tooltip="The value before", show=False),
        Binding("pagedown", "step(8)", "Further", id="facets.further", tooltip="Eight values on", show=False),
        Binding("pageup", "step(-8)", "Back", id="facets.back", tooltip="Eight values back", show=False),
    ]

    @dataclass
    class Chosen(Message):
        """A value is to be restricted to, or not any more."""

        facet: Facet

    @dataclass
    class Narrowed(Message):
        """Values that hold this text are wanted."""

        text: str

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self._facets: dict[str, Facet] = {}

    def compose(self) -> ComposeResult:
        yield OneLineInput(id="facet_text", placeholder="type for more values", compact=True)
        facets = OptionList(id="facets", markup=False)
        facets.can_focus = False
        yield facets

    def type_here(self) -> None:
        """Let the next key narrow the values."""
        self.query_one("#facet_text", Input).focus()

    def show(self, facets: Sequence[Facet], holds: Callable[[Facet], bool]) -> None:
        """List facets by kind, those that hold marked; the highlight stays on its value where that is still there."""
        listing = self.query_one("#facets", OptionList)
        stood_on = listing.highlighted_option.id if listing.highlighted_option is not None else None
        self._facets = {f"{facet.kind}:{facet.value}": facet for facet in facets}
        options: list[Option] = []
        for kind in FacetKind:
            of_kind = [facet for facet in facets if facet.kind is kind]
            if of_kind:
                options.append(Option(Content.styled(kind, "bold"), disabled=True))
                options += [_option(facet, holds(facet)) for facet in of_kind]
        listing.set_options(options)
        values = [at for at, option in enumerate(options) if not option.disabled]
        kept = [at for at in values if options[at].id == stood_on]
        listing.highlighted = next(iter(kept or values), None)

    def action_step(self, by: int) -> None:
        """Move the highlight by so many values, as far as there are any."""
        listing = self.query_one("#facets", OptionList)
        values = [at for at, option in enumerate(listing.options) if not option.disabled]
        if values:
            here = values.index(listing.highlighted) if listing.highlighted in values else 0
            listing.highlighted = values[min(max(here + by, 0), len(values) - 1)]

    @on(Input.Changed, "#facet_text")
    def _narrow(self, event: Input.Changed) -> None:
        event.stop()
        self.post_message(self.Narrowed(event.value.strip()))

    @on(Input.Submitted, "#facet_text")
    def _choose_highlighted(self, event: Input.Submitted) -> None:
        event.stop()
        option = self.query_one("#facets", OptionList).highlighted_option
        if option is not None and option.id in self._facets:
            self.post_message(self.Chosen(self._facets[option.id]))

    @on(OptionList.OptionSelected, "#facets")
    def _choose(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if event.option.id in self._facets:
            self.post_message(self.Chosen(self._facets[event.option.id]))


def _option(facet: Facet, holds: bool) -> Option:
    words = value_words(facet.kind, facet.value)
    told = words.removesuffix(_NETWORK) if facet.kind is FacetKind.SITE else words
    name = Content(clean_line(told)).truncate(_WIDTH, ellipsis=True, pad=True)
    return Option(Content.assemble("● " if holds else "  ", name, f"{facet.n:>9,}"), id=f"{facet.kind}:{facet.value}")
