"""Files of rows are loaded as tables without a schema, wherever in them a list has something in it first."""

import io
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

import pyarrow as pa
import pyarrow.json as pj
import pytest

from exports.leading_rows import leading_first
from store import evidence_shape, statement_shape, verdict_shape
from store.frozen_rows import canonical_json
from store.record_shape import Later

SHAPES = {
    "verdict": verdict_shape.SHAPE,
    "statement": statement_shape.SHAPE,
    "evidence": evidence_shape.SHAPE,
}
TIME = "2026-01-31T12:00:00Z"


def made(shape: Any, *, full: bool, later: bool = True) -> Any:
    """A value of a shape: with something in each list and no nulls, or with nothing anywhere."""
    if isinstance(shape, Later):
        return made(shape.shape, full=full, later=later)
    if isinstance(shape, tuple):
        return made(shape[0], full=full) if full else None
    if isinstance(shape, list):
        return [made(shape[0], full=full, later=later)] if full else []
    if isinstance(shape, Mapping):
        kept = (key for key, inner in shape.items() if later or not isinstance(inner, Later))
        return {key: made(shape[key], full=full, later=later) for key in kept}
    if issubclass(shape, StrEnum):
        return next(iter(shape)).value if full else ""
    return {str: TIME if full else "", int: 1, float: 1.5, bool: full, dict: {"k": 1} if full else {}}[shape]


def table(lines: Sequence[str], block_size: int, schema: pa.Schema | None = None) -> pa.Table:
    """As Arrow reads a file, one block after the other. Side by side, a later block may happen to be the first."""
    return pj.read_json(
        io.BytesIO("".join(f"{line}\n" for line in lines).encode()),
        read_options=pj.ReadOptions(block_size=block_size, use_threads=False),
        parse_options=pj.ParseOptions(explicit_schema=schema, unexpected_field_behavior="error" if schema else "infer"),
    )


def batch_of_datasets(lines: Sequence[str], block_size: int) -> pa.Table:
    """As `datasets` 3 reads ten megabytes (packaged_modules/json): in larger blocks where Arrow refuses."""
    content = "".join(f"{line}\n" for line in lines).encode()
    while True:
        try:
            return pj.read_json(io.BytesIO(content), read_options=pj.ReadOptions(block_size=block_size))
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
            if block_size > len(content):
                raise
            block_size *= 2


@pytest.mark.parametrize("name", SHAPES)
def test_plain_rows_before_full_ones_take_no_type_from_them(name: str) -> None:
    shape = SHAPES[name]
    oldest, plain, full = (
        [canonical_json({**made(shape, full=is_full, later=later), "record": f"{later}{n}"}) for n in range(40)]
        for is_full, later in ((False, False), (False, True), (True, True))
    )
    rows = [*oldest, *plain, *full]
    lines = list(leading_first(lambda: rows, shape))
    assert sorted(lines) == sorted(rows)
    smallest = 2 * (len(oldest[0]) + len(plain[0]) + len(full[0]))
    whole = table(lines, 1 << 22)
    assert whole.num_rows == len(lines)
    for block_size in (smallest, 4 * smallest):
        assert table(lines, block_size).to_pylist() == whole.to_pylist()
        assert batch_of_datasets(lines, block_size).to_pylist() == whole.to_pylist()
    begun = batch_of_datasets(lines[:4], smallest).schema  # the first batch decides for all
    assert begun == whole.schema
    assert table(lines[4:], 1 << 22, begun).num_rows == len(lines) - 4
    with pytest.raises(pa.ArrowNotImplementedError):
        table(rows, smallest)


def test_rows_keep_their_order_behind_those_that_show_something_first() -> None:
    shape = {"id": int, "some": [{"x": str}], "words": [str], "n": (int, None)}
    rows = [
        canonical_json(row)
        for row in (
            {"id": 1, "some": [], "words": [], "n": None},
            {"id": 2, "some": [], "words": [], "n": 3},
            {"id": 3, "some": [{"x": '"words":["'}], "words": [], "n": None},
            {"id": 4, "some": [], "words": [], "n": 4},
            {"id": 5, "some": [], "words": ["a"], "n": 4},
        )
    ]
    assert list(leading_first(lambda: rows, shape)) == [rows[place] for place in (1, 2, 4, 0, 3)]
    assert list(leading_first(lambda: rows[:1], shape)) == rows[:1]
    assert list(leading_first(tuple, shape)) == []
