"""A key that a server repeats never comes through, however its text is cut; everything else does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.engine.redaction import PLACE, SHORTEST, KeyFilter

KEY = "abababac"


def filtered(key: str, pieces: list[str]) -> str:
    keys = KeyFilter(key)
    return "".join([*(keys.feed(piece) for piece in pieces), keys.rest()])


@given(st.lists(st.one_of(st.text("abc", max_size=9), st.just(KEY))))
def test_the_pieces_say_what_the_whole_says(pieces: list[str]) -> None:
    assert filtered(KEY, pieces) == "".join(pieces).replace(KEY, PLACE)


def test_text_is_held_back_only_while_it_may_be_a_key() -> None:
    keys = KeyFilter("sk-12345")
    assert keys.feed("a desk") == "a de"
    assert keys.feed(" or sk-1234") == "sk or "
    assert keys.feed("5.") == "[key]."
    assert keys.rest() == ""


@pytest.mark.parametrize("key", ["", "none", "x" * (SHORTEST - 1)])
def test_what_is_too_short_to_be_a_secret_passes(key: str) -> None:
    assert filtered(key, [f"a {key} b"]) == f"a {key} b"
