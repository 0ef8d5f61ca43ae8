"""Rows that show the types of a file's columns, put first.

Hugging Face `datasets` and Arrow take the types of a JSON Lines file from its beginning. Where a list is empty in all
of the first megabytes, they know nothing of what it holds, and refuse the row that comes with something in it. So what
a later row shows first stands at the beginning, and no schema is needed.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from store.record_shape import Later

_TIMES = frozenset(("revealed_at", "source_edited", "accepted_at"))
"""Texts that are times or empty. One that is empty must come early: times alone would be taken for no texts."""


@dataclass(frozen=True, slots=True)
class _Sign:
    """Something that tells the type of a key, and how a canonical row has it: quotes in its texts are escaped."""

    key: str
    form: str = ""
    """What stands behind the key and its colon."""
    there: bool = True
    """Whether the text is in rows that have it, or in those that don't."""
    within: tuple["_Sign", ...] = ()
    """What tells the types of keys in it: looked for once it was seen, since looking takes most of the time."""

    @property
    def text(self) -> str:
        return f'"{self.key}":{self.form}'

    def is_in(self, row: str) -> bool:
        return (self.text in row) is self.there

    def left_by(self, row: str) -> Iterator["_Sign"]:
        """What is to be looked for behind a row that has it."""
        for one in self.within:
            if one.is_in(row):
                yield from one.left_by(row)
            else:
                yield one


def leading_first(rows: Callable[[], Iterable[str]], shape: Mapping[str, Any]) -> Iterator[str]:
    """Canonical rows in their order, but those first that are the first to show a type.

    `rows` is asked twice. What it gives more the second time comes at its place.
    """
    first = _leading(rows(), shape)
    yield from first
    taken = frozenset(first)
    for row in rows():
        if row not in taken:
            yield row


def _leading(rows: Iterable[str], shape: Mapping[str, Any]) -> list[str]:
    wanted = [*_signs(shape)]
    shows_any = _looking_for(wanted)
    found: list[str] = []
    for row in rows:
        if shows_any(row):
            found.append(row)
            shown = [sign for sign in wanted if sign.is_in(row)]
            missing = [sign for sign in wanted if sign not in shown]
            wanted = [*missing, *(left for sign in shown for left in sign.left_by(row))]
            if not wanted:
                break
            shows_any = _looking_for(wanted)
    return found


def _looking_for(signs: Sequence[_Sign]) -> Callable[[str], bool]:
    """Whether a row has any of the signs. Some are in no row, so that one search for all is worth it in all rows."""
    by_form: dict[str, list[str]] = {}
    for sign in signs:
        if sign.there:
            by_form.setdefault(sign.form, []).append(f"(?<={re.escape(sign.text)})")
    forms = [f"{re.escape(form)}(?:{'|'.join(behind)})" for form, behind in by_form.items()]
    in_it = re.compile(f'":(?:{"|".join(forms)})' if forms else "(?!)").search
    not_in_it = [sign.text for sign in signs if not sign.there]
    return lambda row: in_it(row) is not None or any(text not in row for text in not_in_it)


def _signs(shape: Mapping[str, Any]) -> Iterator[_Sign]:
    for key, inner in shape.items():
        if isinstance(inner, Later):
            yield _Sign(key, within=tuple(_signs({key: inner.shape})))
        elif isinstance(inner, list):
            of_objects = isinstance(inner[0], Mapping)
            within = tuple(_signs(inner[0])) if of_objects else ()
            yield _Sign(key, "[{" if of_objects else '["', within=within)
        elif isinstance(inner, Mapping):
            yield from _signs(inner)
        elif isinstance(inner, tuple):
            yield _Sign(key, "null", there=False)
        elif inner is dict:
            yield _Sign(key, '{"')
        elif key in _TIMES:
            yield _Sign(key, '""')
