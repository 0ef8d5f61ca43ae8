"""Stretches of a text, in code points."""

from typing import NamedTuple


class Range(NamedTuple):
    """The code points from `start` up to `end`, which is not included."""

    start: int
    end: int
