"""How the app gets to the funnel. Mixed into the app; what it opens is imported when it is asked for."""

from typing import TYPE_CHECKING, Any

from textual.message_pump import MessagePump

if TYPE_CHECKING:
    from textual.screen import Screen

    from uq_tui.state.desk import Desk


class CurationDoors(MessagePump):
    """Opens the funnel on top of the place that one is at."""

    desk: "Desk | None"

    def action_curation(self) -> None:
        from uq_tui.screens.curating.funnel import FunnelScreen

        if self.desk is not None:
            self._put_on_top(FunnelScreen(self.desk))

    def _put_on_top(self, screen: "Screen[Any]") -> None:
        self.app.push_screen(screen)
