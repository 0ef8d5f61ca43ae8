"""Keeping a key out of what a server sends back.

A server that repeats the key it was sent would otherwise put it into the workspace, and from there into exports.
"""

PLACE = "[key]"
"""What stands in a key's place."""
SHORTEST = 8
"""Characters; what is shorter stands in ordinary words too."""


def without_key(text: str, key: str) -> str:
    """A text with the key replaced; one that is shorter than `SHORTEST` isn't looked for."""
    return text.replace(key, PLACE) if len(key) >= SHORTEST else text


class KeyFilter:
    """Replaces a key in text that comes in pieces, also where two pieces share it.

    Args:
        key: what was sent; everything passes when it is shorter than `SHORTEST`.
    """

    def __init__(self, key: str) -> None:
        self._key = key if len(key) >= SHORTEST else ""
        self._held = ""

    def feed(self, piece: str) -> str:
        """What may be shown once this piece has come; the start of a possible key is held back."""
        if not self._key:
            return piece
        text = without_key(self._held + piece, self._key)
        most = min(len(text), len(self._key) - 1)
        held = next((n for n in range(most, 0, -1) if text.endswith(self._key[:n])), 0)
        self._held = text[len(text) - held :]
        return text[: len(text) - held]

    def rest(self) -> str:
        """What was held back and turned out to be no key, once all has come."""
        held, self._held = self._held, ""
        return held
