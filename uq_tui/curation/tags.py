"""Lists of tags that make a question off-topic: whole tags, or patterns that say at which end they are open."""

from collections.abc import Iterable

from uq_tui.errors import ConfigError

_OPEN = "*"


class TagList:
    """Tags by name (`homework`), by their beginning (`career*`) and by their ending (`*-recommendation`).

    Nothing is looked for within a tag: `fun` is not `functional-analysis`. Case doesn't matter.
    """

    def __init__(self, patterns: Iterable[str]) -> None:
        """Read the patterns. Raises ConfigError: one is empty, nothing but open, or open elsewhere than at one end."""
        names, beginnings, endings = set(), set(), set()
        for pattern in patterns:
            word = pattern.strip().lower()
            fixed = word.strip(_OPEN) if word.count(_OPEN) == 1 else word
            if not fixed or _OPEN in fixed:
                raise ConfigError(
                    f"{pattern!a} is no pattern for tags.",
                    hint="Write a whole tag, or its beginning as career*, or its ending as *-recommendation.",
                )
            if word.endswith(_OPEN):
                beginnings.add(fixed)
            elif word.startswith(_OPEN):
                endings.add(fixed)
            else:
                names.add(fixed)
        self._names = frozenset(names)
        self._beginnings = tuple(sorted(beginnings))
        self._endings = tuple(sorted(endings))

    def first_of(self, tags: Iterable[str]) -> str | None:
        """The first of these tags that is on the list, as it is written; `None` where none is."""
        for tag in tags:
            word = tag.lower()
            if word in self._names or word.startswith(self._beginnings) or word.endswith(self._endings):
                return tag
        return None
