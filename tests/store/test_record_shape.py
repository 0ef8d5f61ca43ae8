"""What tells quickly whether a row has its shape agrees with what says why it hasn't."""

from collections.abc import Mapping
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from store import record_shape, statement_shape, verdict_shape
from store.record_shape import Later, misfits
from tests.store.records.samples import record
from uq_tui.words import Label

VALUES = st.sampled_from([None, True, 0, 1.5, "", "x", "correct", [], ["x"], [1], {}, {"id": "x"}])
SHAPES = st.recursive(
    st.sampled_from([str, int, bool, float, dict, Label, (int, None), (float, None)]),
    lambda inner: st.one_of(
        inner.map(lambda one: [one]),
        st.dictionaries(st.sampled_from("abc"), inner | inner.map(Later), max_size=3),
    ),
    max_leaves=6,
)
PARSED = st.recursive(
    VALUES, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
)


def agrees(value: Any, shape: Any) -> bool:
    slow = list(record_shape._misfits(value, shape, ""))
    return list(misfits(value, shape)) == slow


@given(PARSED, SHAPES)
def test_any_value_and_any_shape(value: Any, shape: Any) -> None:
    assert agrees(value, shape)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, one in inner for found in places(one, (*path, key)))]


def changed(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    key, *rest = path
    if isinstance(value, list):
        return [changed(one, tuple(rest), new) if at == key else one for at, one in enumerate(value)]
    kept = {name: changed(one, tuple(rest), new) if name == key else one for name, one in value.items()}
    return {name: one for name, one in kept.items() if name != key} if new == "gone" and not rest else kept


ROW = {**record(), "row_sha256": "0" * 64}


@settings(max_examples=60)
@given(st.sampled_from(places(ROW)[1:]), VALUES | st.just("gone"))
def test_verdict_rows_with_one_thing_changed(path: tuple[Any, ...], new: Any) -> None:
    row = changed(ROW, path, new)
    assert agrees(row, verdict_shape.SHAPE)
    assert agrees(row, statement_shape.SHAPE)


def test_a_whole_row_has_its_shape() -> None:
    assert list(misfits(ROW, verdict_shape.SHAPE)) == []
