"""What checkers are told, and what is made of what they return."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.citations.reading import only
from uq_tui.citations.checking import (
    LONGEST_NOTE,
    LONGEST_TEXT,
    Checked,
    Existence,
    as_sent,
    read_checked,
)

FOUND = {"existence": "found", "note": "A title", "source": "https://example.org/1"}


def test_a_checker_is_told_of_the_reference_and_nothing_around_it() -> None:
    assert as_sent(only("Secret words before doi:10.1000/ABC, and after.")) == {
        "kind": "doi",
        "key": "10.1000/abc",
        "text": "doi:10.1000/ABC",
    }
    long = as_sent(only(f"# References\n[1] A. Smith, {'x' * 2_000}"))
    assert len(long["text"]) == LONGEST_TEXT


def test_a_finding_is_read() -> None:
    assert read_checked(FOUND) == Checked(Existence.FOUND, "A title", "https://example.org/1")
    long = read_checked({**FOUND, "note": "x" * 1_000})
    assert long is not None
    assert len(long.note) == LONGEST_NOTE


@pytest.mark.parametrize(
    "source", ["javascript:alert(1)", "file:///etc/passwd", "https://", "x", "https://[", "h" * 9_000]
)
def test_only_web_addresses_are_kept_as_sources(source: str) -> None:
    assert read_checked({**FOUND, "source": source}) == Checked(Existence.FOUND, "A title", "")


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        "found",
        {},
        {"existence": "found"},
        {**FOUND, "existence": "maybe"},
        {**FOUND, "note": None},
        {**FOUND, "more": 1},
    ],
)
def test_anything_else_is_no_finding(value: object) -> None:
    assert read_checked(value) is None


@given(st.dictionaries(st.sampled_from(("existence", "note", "source", "x")), st.none() | st.text() | st.integers()))
def test_nothing_is_raised(value: dict[str, object]) -> None:
    assert read_checked(value) is None or set(value) == {"existence", "note", "source"}
