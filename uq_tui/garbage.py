"""How often Python looks for garbage in the app: seldom, since the loop stands still meanwhile."""

import gc

_THRESHOLDS = 50_000, 20, 50
"""Objects made until the youngest are gone through, and how many such rounds until older ones are too. With Python's
own, p99 of a page key in a text of 1 MB was 36 to 52 ms, with these 29 to 37 (three runs of each in turn, 250 keys)."""


def look_seldom() -> None:
    """Never go through what is there now again, and rarely through what comes."""
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
