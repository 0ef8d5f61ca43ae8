"""A key that a server repeats never comes through, however its text is cut; everything else does."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.engine.gateways.collected import Collected
from uq_tui.engine.gateways.redaction import PLACE, SHORTEST, KeyFilter

KEY = "abababac"


def filtered(key: str, pieces: list[str]) -> str:
    keys = KeyFilter(key)
    return "".join([*(keys.feed(piece) for piece in pieces), keys.rest()])


@given(st.lists(st.one_of(st.text("abc", max_size=9), st.just(KEY))))
def test_the_pieces_say_what_the_whole_says(pieces: list[str]) -> None:
    assert filtered(KEY, pieces) == "".join(pieces).replace(KEY, PLACE)


@given(st.lists(st.one_of(st.text("abc", max_size=9), st.just(KEY)), max_size=20), st.booleans())
def test_replies_and_what_is_told_of_them_hold_no_key(pieces: list[str], cut_off: bool) -> None:
    told: list[str] = []
    collected = Collected(lambda reasoning, reply: told.extend((reasoning, reply)), KEY)
    for piece in pieces:
        collected.take(SimpleNamespace(content=piece, reasoning_content=piece))
    reply = collected.whole(cut_off=cut_off, finish_reason=f"said {KEY}")
    assert KEY not in "".join(told)
    assert reply.reply == reply.reasoning == "".join(pieces).replace(KEY, PLACE)
    assert reply.finish_reason == f"said {PLACE}"


def test_text_is_held_back_only_while_it_may_be_a_key() -> None:
    keys = KeyFilter("sk-12345")
    assert keys.feed("a desk") == "a de"
    assert keys.feed(" or sk-1234") == "sk or "
    assert keys.feed("5.") == "[key]."
    assert keys.rest() == ""


@pytest.mark.parametrize("key", ["", "none", "x" * (SHORTEST - 1)])
def test_what_is_too_short_to_be_a_secret_passes(key: str) -> None:
    assert filtered(key, [f"a {key} b"]) == f"a {key} b"
