"""The list of references at the end of a text: its entries, with the labels by which the text cites them.

A list is known by its heading; without one, by lines that begin with `[12]` or the like, go on to the end of the text,
and each hold a year or an identifier.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from uq_tui.citations.reference import Mention, ReferenceKind, Span

_HEADING = re.compile(
    r"\s{0,3}(?:#{1,6}\s{0,4})?(?:\*\*|__)?(?:\d{1,2}\.?\s{1,4})?(?:\\(?:sub)?section\*?\{)?"
    r"(?:references|bibliography|literature(?:\scited)?|works\scited|sources)"
    r"\}?\s{0,3}:?(?:\*\*|__)?:?\s{0,3}#{0,6}\s{0,10}|\s{0,3}\\begin\{thebibliography\}.{0,20}",
    re.IGNORECASE,
)
_SIGN = re.compile(r"\[|\\bibitem|references|bibliography|literature|works\scited|sources", re.IGNORECASE)
"""Without one of these there is no list."""
_NEXT_SECTION = re.compile(
    r"\s{0,3}(?:#{1,6}\s|\\(?:sub)?section\*?\{|\\end\{thebibliography\}|(?:-{3,}|\*{3,})\s{0,9}\Z)"
)
_MARKED = re.compile(
    r"\s{0,6}(?:[-*+•]\s{1,3})?(?:\*\*)?"
    r"(?:\\?\[\^?(?P<label>[\w+.&'’-]{1,24})\\?\](?!\()|\\bibitem(?:\[[^\]\n]{0,40}\])?\{(?P<key>[^{}\n]{1,60})\})"
    r"(?:\*\*)?:?(?=\s{1,9}\S)"
)
_LISTED = re.compile(r"\s{0,6}(?:(?P<label>\d{1,3})[.)]|[-*+•])\s{1,4}(?=\S)")
_TELLING = re.compile(
    r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)|(?<![\d.])10\.\d{4,9}/|arxiv|https?://|\bISBN\b|to appear|preprint", re.IGNORECASE
)
_LATER = re.compile(r"\((?P<year>2\d{3})[a-z]?\)")
_SHORTEST = 12
"""Characters that an entry has at least."""
_KEY_LENGTH = 200


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry, and the label before it; "" where it has none."""

    label: str
    mention: Mention


class _Line(NamedTuple):
    start: int
    text: str

    @property
    def blank(self) -> bool:
        return not self.text or self.text.isspace()

    @property
    def end(self) -> int:
        return self.start + len(self.text.rstrip())


@dataclass(slots=True)
class _Item:
    """Lines that belong together, the first of them perhaps with a label."""

    label: str
    lines: list[_Line]


def entries(text: str, today: date) -> tuple[Entry, ...]:
    """The entries of all lists of references in a text, in their order."""
    lines = list(_lines(text)) if _SIGN.search(text) else []
    found: list[Entry] = []
    at = 0
    while at < len(lines):
        items: list[_Item] = []
        if lines[at].blank:
            at += 1
        elif _HEADING.fullmatch(lines[at].text):
            items, at = _under_heading(lines, at + 1)
        elif _MARKED.match(lines[at].text):
            items, at = _marked_run(lines, at)
            if at < len(lines) or not all(_TELLING.search(_joined(item)) for item in items):
                items = []
        else:
            at += 1
        found += (_entry(text, item, today) for item in items if len(_joined(item)) >= _SHORTEST)
    return tuple(found)


def _lines(text: str) -> Iterator[_Line]:
    start = 0
    for line in text.split("\n"):
        yield _Line(start, line)
        start += len(line) + 1


def _joined(item: _Item) -> str:
    return " ".join(" ".join(line.text for line in item.lines).split())


def _under_heading(lines: list[_Line], at: int) -> tuple[list[_Item], int]:
    """The items of a list that a heading announces, and where it ends.

    Paragraphs are items where nothing marks any. After marked ones a plain paragraph is no longer part of the list.
    """
    items: list[_Item] = []
    marked = False
    after_blank = True
    while at < len(lines):
        line = lines[at]
        if _NEXT_SECTION.match(line.text) or _HEADING.fullmatch(line.text):
            break
        mark = _MARKED.match(line.text) or _LISTED.match(line.text)
        if line.blank:
            after_blank = True
            at += 1
            continue
        if mark:
            items.append(_Item(_label(mark), [line]))
            marked = True
        elif not after_blank:
            items[-1].lines.append(line)
        elif marked:
            break
        else:
            items.append(_Item("", [line]))
        after_blank = False
        at += 1
    return items, at


def _marked_run(lines: list[_Line], at: int) -> tuple[list[_Item], int]:
    """Items with labels in brackets from this line on, with blank lines between them, and where they end."""
    items: list[_Item] = []
    after_blank = False
    while at < len(lines):
        line = lines[at]
        mark = _MARKED.match(line.text)
        if mark:
            items.append(_Item(_label(mark), [line]))
        elif not line.blank and after_blank:
            break
        elif not line.blank:
            items[-1].lines.append(line)
        after_blank = line.blank
        at += 1
    return items, at


def _label(mark: re.Match[str]) -> str:
    named = mark.groupdict()
    return (named.get("label") or named.get("key") or "").strip()


def _entry(text: str, item: _Item, today: date) -> Entry:
    first = item.lines[0]
    start = first.start + len(first.text) - len(first.text.lstrip())
    span = Span(start, item.lines[-1].end)
    years = [int(found["year"]) for found in _LATER.finditer(text, span.start, span.end)]
    later = next((year for year in years if year > today.year + 1), None)
    problem = f"its year, {later}, is in the future" if later else ""
    key = " ".join(text[span.start : span.end].casefold().split())[:_KEY_LENGTH]
    return Entry(item.label, Mention(ReferenceKind.ENTRY, key, span, problem))
