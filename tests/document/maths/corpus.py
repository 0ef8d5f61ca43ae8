"""Every formula of the real texts that lie beside the project, each found in its text as that is read."""

import csv
import json
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import duckdb

from store.html import html_to_markdown
from uq_tui.document.maths.definitions import EMPTY, Definitions
from uq_tui.document.maths.spans import math_spans

_LARGEST_CELL = 10_000_000


class Formula(NamedTuple):
    """A formula of a real text, what that text defines, and where in it the formula stands."""

    latex: str
    display: bool
    definitions: Definitions = EMPTY
    at: int = 0
    is_trial: bool = False
    """One of KaTeX's screenshots, which try what nobody writes."""


def formulas(data: Path, every: int = 1) -> Iterator[Formula]:
    """The formulas of all texts under `data`; of every `every`-th file and post only."""
    files = sorted(path for path in data.rglob("*") if path.suffix in _READERS and "sse-streams" not in str(path))
    for number, path in enumerate(files):
        if path.suffix == ".xml":
            for post, body in enumerate(_posts(path)):
                if post % every == 0:
                    yield from _in_text(html_to_markdown(body))
        elif path.suffix == ".yaml":
            yield from _katex(path)
        elif number % every == 0:
            for text in _READERS[path.suffix](path):
                yield from _in_text(text)


def _in_text(text: str) -> Iterator[Formula]:
    definitions = EMPTY.extended(text, 0)
    for span in math_spans(text):
        yield Formula(text[span.inner_start : span.inner_end], span.display, definitions, span.start)


def _posts(path: Path) -> Iterator[str]:
    for _, element in ElementTree.iterparse(path):
        if element.tag == "row" and (body := element.get("Body") or element.get("Text")):
            yield body
        element.clear()


def _katex(path: Path) -> Iterator[Formula]:
    """KaTeX's own screenshots; those that give macros to the programme and not in the text are read without."""
    # It ships no types, and comes with other development tools.
    yaml = import_module("yaml")
    for case in yaml.safe_load(path.read_text(encoding="utf-8")).values():
        yield Formula(case["tex"] if isinstance(case, dict) else case, display=True, is_trial=True)


def _strings(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            yield from _strings(list(value.values()))
        case list() | tuple():
            for item in value:
                yield from _strings(item)


def _json(path: Path) -> Iterator[str]:
    yield from _strings(json.loads(path.read_text(encoding="utf-8")))


def _json_lines(path: Path) -> Iterator[str]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield from _strings(json.loads(line))


def _cells(path: Path) -> Iterator[str]:
    csv.field_size_limit(_LARGEST_CELL)
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.reader(file):
            yield from row


def _parquet(path: Path) -> Iterator[str]:
    yield from _strings(duckdb.read_parquet(str(path)).fetchall())


_READERS: dict[str, Callable[[Path], Iterator[str]]] = {
    ".json": _json,
    ".jsonl": _json_lines,
    ".csv": _cells,
    ".parquet": _parquet,
    ".xml": _posts,
    ".yaml": lambda path: iter(()),
}
