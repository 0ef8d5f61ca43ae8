"""An array within an object, as pages of an API have it: an element that is cut short costs itself only."""

import io
import json
from typing import Any

import pytest

from store.ingest.json_stream import JsonStream, Row, read_under

ITEMS: list[dict[str, Any]] = [
    {"id": n, "tags": ["a", "]"], "by": {"name": "}"}, "answers": [{"id": n, "body": "1,"}]} for n in range(3)
]


def items_of(page: str) -> list[Row]:
    return list(read_under(JsonStream(io.BytesIO(page.encode()), utf16=""), "items", {}))


@pytest.mark.parametrize("blanks", ["", "  "])
@pytest.mark.parametrize("torn", range(len(ITEMS)))
def test_an_element_on_its_line_costs_itself_only_wherever_it_is_cut_short(torn: int, blanks: str) -> None:
    lines = [blanks + json.dumps(item) for item in ITEMS]
    expected = [(n + 2, {} if n == torn else item, n == torn) for n, item in enumerate(ITEMS)]
    for length in range(len(blanks) + 1, len(lines[torn])):
        cut = [line[:length] if n == torn else line for n, line in enumerate(lines)]
        page = '{"items": [\n' + ",\n".join(cut) + '\n], "has_more": false}\n'
        found = [(row.line, row.value, bool(row.problem)) for row in items_of(page)]
        assert found == expected, cut[torn]


@pytest.mark.parametrize("indent", [None, 0, 2])
def test_elements_over_any_lines_are_read_whole(indent: int | None) -> None:
    rows = items_of(json.dumps({"items": ITEMS, "has_more": False}, indent=indent))
    assert [(row.value, row.problem) for row in rows] == [(item, "") for item in ITEMS]
