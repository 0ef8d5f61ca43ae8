"""Lines and sentences around a span."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.citations.places import AROUND, Lines, sentence
from uq_tui.citations.reference import Span


def around(text: str, inner: str) -> str:
    start = text.index(inner)
    return sentence(text, Span(start, start + len(inner)))


def test_lines_count_from_one() -> None:
    lines = Lines("a\nbc\n\nd")

    assert [lines.number(at) for at in range(7)] == [1, 1, 2, 2, 2, 3, 4]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("One. Two ⟦x⟧ three. Four.", "Two ⟦x⟧ three."),
        ("⟦x⟧", "⟦x⟧"),
        ("One! ⟦x⟧? Four.", "⟦x⟧?"),
        ("By J. Smith, ⟦x⟧ and cf. Lemma 3 holds. Four.", "By J. Smith, ⟦x⟧ and cf. Lemma 3 holds."),
        ("See Smith et al. ⟦x⟧ in Thm. 2 there. Four.", "See Smith et al. ⟦x⟧ in Thm. 2 there."),
        ("A line\n  with ⟦x⟧  and\nmore", "with ⟦x⟧ and"),
        ("It is 3.5 by ⟦x⟧, 4.5 there. Four", "It is 3.5 by ⟦x⟧, 4.5 there."),
    ],
)
def test_the_sentence_around(text: str, shown: str) -> None:
    assert around(text, "⟦x⟧") == shown


def test_a_long_sentence_is_cut_on_both_sides() -> None:
    shown = around(f"{'a ' * 500}⟦x⟧{' b' * 500}", "⟦x⟧")

    assert shown.startswith("…a ")
    assert shown.endswith(" b…")
    assert len(shown) <= 2 * AROUND + 5


@given(st.text(), st.data())
def test_the_span_itself_is_always_there(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))

    assert " ".join(text[start:end].split()) in sentence(text, Span(start, end))
    assert 1 <= Lines(text).number(start) <= text.count("\n") + 1
