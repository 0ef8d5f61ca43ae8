"""Taking some of many, where all would take too long and change nothing that can be seen."""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def evenly(items: Sequence[T], most: int) -> Sequence[T]:
    """At most so many items, evenly over all and in their order; `most` is 1 or more."""
    if len(items) <= most:
        return items
    return [items[place * len(items) // most] for place in range(most)]
