"""Work counted in calls of functions: the same on every machine, as time is not."""

import sys
from collections.abc import Callable
from types import FrameType


def calls(function: Callable[[], object]) -> int:
    """How many calls `function` makes, of Python's own functions too."""
    count = 0

    def called(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        function()
    finally:
        sys.setprofile(before)
    return count
