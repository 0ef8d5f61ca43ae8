"""Words that somebody has typed and no disk has yet: no screen is left without asking for them."""

from collections.abc import Iterable
from typing import Any

from textual.screen import Screen


class KeepsWords:
    """Mixed into what holds such words."""

    def has_words(self) -> bool:
        """Whether there are words here that are not on disk."""
        raise NotImplementedError

    async def keep_words(self) -> None:
        """Have them on disk. Raises UqError where that can't be; then they are still here."""
        raise NotImplementedError


def holding(screens: Iterable[Screen[Any]]) -> list[KeepsWords]:
    """What holds words that are not on disk, on any of these screens."""
    nodes = (node for screen in screens for node in screen.walk_children(with_self=True))
    return [node for node in nodes if isinstance(node, KeepsWords) and node.has_words()]
