"""Runs of signs that two texts share, and ranges led over them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.document.source_map import Run, SourceMap

ENTITY = SourceMap.of([Run(0, 2, 3, 5), Run(2, 3, 5, 9), Run(4, 6, 9, 11)])
"""`a < b` with a tag before it, `&lt;` for the third sign, and an escape at 3 that only the source has."""


@pytest.mark.parametrize(
    ("source", "raw"),
    [
        ((0, 6), (3, 11)),
        ((0, 1), (3, 4)),
        ((1, 3), (4, 9)),
        ((2, 3), (5, 9)),
        ((4, 5), (9, 10)),
    ],
)
def test_ranges_lead_both_ways(source: tuple[int, int], raw: tuple[int, int]) -> None:
    assert ENTITY.to_raw(*source) == raw
    assert ENTITY.to_source(*raw) == source


def test_an_end_within_what_stands_as_one_takes_it_all_in() -> None:
    assert ENTITY.to_source(6, 7) == (2, 3)
    assert ENTITY.to_source(4, 6) == (1, 3)


def test_an_end_that_falls_on_nothing_moves_inwards() -> None:
    assert ENTITY.to_raw(3, 5) == (9, 10)
    assert ENTITY.to_raw(2, 4) == (5, 9)
    assert ENTITY.to_source(0, 4) == (0, 1)
    assert ENTITY.to_source(10, 99) == (5, 6)


@pytest.mark.parametrize("nowhere", [(3, 4), (0, 0), (6, 9), (5, 2)])
def test_a_range_without_a_shared_sign_is_nowhere(nowhere: tuple[int, int]) -> None:
    assert ENTITY.to_raw(*nowhere) is None


def test_what_adjoins_is_one_run() -> None:
    assert SourceMap.of([Run(0, 1, 0, 1), Run(1, 4, 1, 4)]) == SourceMap((Run(0, 4, 0, 4),))
    assert SourceMap.of([]) == SourceMap()


@pytest.mark.parametrize(
    "runs",
    [[Run(0, 2, 0, 2), Run(1, 3, 2, 4)], [Run(0, 2, 0, 2), Run(2, 3, 1, 2)], [Run(0, 0, 0, 1)], [Run(0, 1, 1, 1)]],
)
def test_runs_that_do_not_rise_are_no_map(runs: list[Run]) -> None:
    with pytest.raises(ValueError, match=r"is empty on a side|does not follow"):
        SourceMap.of(runs)


@given(st.text(alphabet="ab\r\n"))
def test_a_line_end_of_two_signs_counts_as_one(raw: str) -> None:
    source, found = raw.replace("\r\n", "\n"), SourceMap.crlf(raw)

    assert SourceMap.of(found.runs) == found
    for at, sign in enumerate(source):
        start, end = found.to_raw(at, at + 1) or (0, 0)
        assert raw[start:end] in (sign, "\r\n")
        assert found.to_source(start, end) == (at, at + 1)
    if raw:
        assert found.to_raw(0, len(source)) == (0, len(raw))
