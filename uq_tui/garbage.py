"""How often Python looks for garbage: seldom in the app, whose loop stands still meanwhile; never during imports."""

import gc
import importlib
from types import ModuleType

_THRESHOLDS = 50_000, 20, 50
"""Objects made until the youngest are gone through, and how many such rounds until older ones are too. With Python's
own, p99 of a page key in a text of 1 MB was 36 to 52 ms, with these 29 to 37 (three runs of each in turn, 250 keys)."""


def look_seldom() -> None:
    """Never go through what is there now again, and rarely through what comes."""
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)


def imported(name: str) -> ModuleType:
    """The module of that name. Looking for what garbage an import leaves takes an eighth of its time."""
    gc.disable()
    try:
        return importlib.import_module(name)
    finally:
        gc.enable()
