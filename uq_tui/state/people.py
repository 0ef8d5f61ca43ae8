"""What people are called where several are told of."""

from collections import Counter
from collections.abc import Iterable

from store.opinions import Given
from uq_tui.text import clean_line

SHORT_ID = 8
"""Characters of a person's id that tell apart people of one name: the last ones, which are drawn at random."""


def names_of(given: Iterable[Given]) -> dict[str, str]:
    """By person, their newest handle, which is foreign text; with the end of their id where another's looks the same.

    `given` are verdicts in order of time.
    """
    handles = {one.person: one.handle for one in given}
    shared = Counter(map(clean_line, handles.values()))
    return {
        person: handle if shared[clean_line(handle)] == 1 else f"{handle} …{person[-SHORT_ID:]}"
        for person, handle in handles.items()
    }
