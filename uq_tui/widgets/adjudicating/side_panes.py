"""The verdicts that disagree, each in a pane of its own: nothing that one says can pass for another's."""

from collections.abc import Sequence

from textual.containers import VerticalScroll
from textual.content import Content

from uq_tui.state.adjudicating.matter import Side
from uq_tui.state.adjudicating.words import head, whole
from uq_tui.state.reading.lines.highlights import Layer
from uq_tui.widgets.document import Document

LAYERS = (Layer.QUOTE_A, Layer.QUOTE_B, Layer.QUOTE_C)
LOOKS = {
    Layer.QUOTE_A: "underline $text on $primary 30%",
    Layer.QUOTE_B: "bold underline $text on $warning 30%",
    Layer.QUOTE_C: "bold italic underline $text on $success 30%",
}
"""As `widgets/reading/looks.py` has them."""


def layer_of(side: Side) -> Layer:
    """How what a verdict quotes is marked in the answer; those from the third on are marked alike."""
    return LAYERS[min(side.at, len(LAYERS) - 1)]


def named(side: Side) -> Content:
    """A verdict's letter as its quotes are marked, who gave it, and what it says."""
    return Content.assemble((f" {side.letter} ", LOOKS[layer_of(side)]), f" {head(side)}")


class SidePanes(VerticalScroll, can_focus=False):
    """Beside each other where there is room, else one above the other."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._sides: tuple[Side, ...] = ()

    @property
    def panes(self) -> list[Document]:
        """One of each verdict, in their order."""
        return list(self.query_children(Document))

    @property
    def focused(self) -> Side | None:
        """The verdict that is read."""
        found = (side for side, pane in zip(self._sides, self.panes, strict=False) if pane.has_focus)
        return next(found, None)

    async def show(self, sides: Sequence[Side]) -> None:
        """Show these verdicts. What is shown already stays as it is read."""
        there = self.panes
        for pane in there[len(sides) :]:
            await pane.remove()
        await self.mount_all(Document(id=f"side-{at}") for at in range(len(there), len(sides)))
        self._sides = tuple(sides)
        for side, pane in zip(sides, self.panes, strict=True):
            pane.border_title = Content.assemble(named(side))
            pane.show(whole(side), key=side.given.name)
