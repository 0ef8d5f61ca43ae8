"""Which keys that record count: one that was meant for the answer before must not decide this one."""

import time
from collections.abc import Callable

GUARD_S = 0.4
"""Seconds after an item appears in which no key records."""
STEP_S = 0.2
"""Seconds after the second of two steps appears: it is of the same answer, and read already."""
HELD_S = 0.75
"""Seconds after a key that recorded in which the same key is taken for held down. Keyboards wait for up to 0.7 seconds
before they repeat a key, then do so every few hundredths."""


class Guard:
    """Asked at each key that would record. `clock` counts seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._opens = clock()
        self._held = ""
        """The key that recorded last; its repeats don't count until it was let go."""
        self._pressed = self._opens

    def appeared(self, quiet: float = GUARD_S) -> None:
        """Something else to decide has just come into sight."""
        self._opens = self._clock() + quiet

    def lets(self, key: str, *, at_once: bool = False) -> bool:
        """Whether this press counts. `at_once`: also of something that has just appeared, for keys that take back."""
        now = self._clock()
        held = key == self._held and now - self._pressed < HELD_S
        if held:
            self._pressed = now
        return not held and (at_once or now >= self._opens)

    def recorded(self, key: str) -> None:
        """A press of this key has recorded something."""
        self._held, self._pressed = key, self._clock()
