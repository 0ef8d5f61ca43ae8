"""The flat part of verdict rows as CSV, for spreadsheets: a line for each revision, after one of column names.

As RFC 4180 has it: commas, double quotes, lines that end in CR LF; UTF-8. Keys within objects have names such as
`reviewer.id`; lists of words are one cell, `; ` between them; an unknown number is an empty cell. Lists of objects and
`extra` have no columns. A cell of text that a spreadsheet would take for a formula, since it begins with `=`, `+`, `-`,
`@`, a tab or a carriage return, gets a `'` before it (OWASP, CSV Injection). Characters that CSV can't hold, NUL and
halves of surrogate pairs, are written as U+FFFD.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from exports import csv_text
from exports.atomic import publish, staged
from exports.written import Job, Loss, Losses, OtherFormat, Written
from store.record_shape import Later
from store.verdict_shape import SHAPE

_BETWEEN = "; "


def _columns(shape: Mapping[str, Any], above: str = "") -> Iterator[str]:
    for key, kind in shape.items():
        inner = kind.shape if isinstance(kind, Later) else kind
        if isinstance(inner, Mapping):
            yield from _columns(inner, f"{above}{key}.")
        elif inner is not dict and not (isinstance(inner, list) and isinstance(inner[0], Mapping)):
            yield f"{above}{key}"


COLUMNS = tuple(_columns(SHAPE))
"""Names of the columns in their order."""
_PATHS = tuple(column.split(".") for column in COLUMNS)

LOSSES = Losses(
    "verdict rows",
    is_read=False,
    not_written=(
        Loss(
            (
                *("errors", "claims", "trace_soundness", "exposures"),
                *("evidence.outcomes", "evidence.judges", "evidence.utilities", "evidence.outside_scores"),
            ),
            "Lists of objects don't fit into cells.",
        ),
        Loss(("extra",), "Its keys differ from row to row."),
    ),
)


def write_csv(job: Job) -> Written:
    """Write all revisions, in the order of their rows. The same rows give the same bytes.

    Raises:
        ExportError: they can't be written; an earlier file is as it was.
    """
    rows = 0
    with staged(job.path) as file:
        file.write(csv_text.line(COLUMNS))
        for line in job.watched(job.lines):
            file.write(csv_line(json.loads(line)))
            rows += 1
        publish(file)
    return Written(job.path, rows, Counter())


def csv_line(row: Mapping[str, Any]) -> bytes:
    """One verdict row as a line."""
    return csv_text.line([_cell(row, path) for path in _PATHS])


def _cell(value: Any, path: list[str]) -> str:
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case int() | float():
            return repr(value)
        case list():
            return csv_text.cell(_BETWEEN.join(map(str, value)))
        case _:
            return csv_text.cell(str(value))


FLAT_CSV = OtherFormat(
    name="csv",
    noun="row",
    suffix=".csv",
    about="the flat part of verdict rows, a line each, for spreadsheets",
    write=write_csv,
    losses=LOSSES,
    has_texts=False,
)
