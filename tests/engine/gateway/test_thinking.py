"""Reasoning and answer in one text: cut anywhere, nothing lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.engine.thinking import ThinkSplitter


def _split(*pieces: str, cut_off: bool = False) -> tuple[str, str]:
    splitter = ThinkSplitter()
    for piece in pieces:
        splitter.feed(piece)
    return splitter.finish(cut_off=cut_off)


@pytest.mark.parametrize(
    ("text", "reasoning", "reply"),
    [
        ("the answer", "", "the answer"),
        ("", "", ""),
        ("  indented", "", "  indented"),
        ("<think>why</think>\n\nthe answer", "why", "the answer"),
        ("\n<think>\nwhy\n</think>\nthe answer", "why", "the answer"),
        ("<thinking>why</thinking>the answer", "why", "the answer"),
        ("<think></think>the answer", "", "the answer"),
        ("<think>a</think>\n<think>b</think>the answer", "ab", "the answer"),
        ("<think>a <think> b</think>the answer", "a <think> b", "the answer"),
        ("<think>why</think>", "why", ""),
        ("<think>why</think>\n", "why", ""),
        ("<think>why</think>Use `</think>` to close.", "why", "Use `</think>` to close."),
        ("Models write <think>so</think> first.", "", "Models write <think>so</think> first."),
        ("why\n</think>\n\nthe answer", "why", "the answer"),
        ("It ends with </think> here.", "", "It ends with </think> here."),
        ("```\n</think>\n```\ndone", "", "```\n</think>\n```\ndone"),
        ("the answer\n</think>\n", "", "the answer\n</think>\n"),
        ("<thi", "", "<thi"),
        ("<thin air", "", "<thin air"),
    ],
)
def test_whole_texts(text: str, reasoning: str, reply: str) -> None:
    assert _split(text) == (reasoning, reply)


def test_a_block_that_never_closes_is_the_answer_of_a_reply_that_ended_by_itself() -> None:
    assert _split("<think>so it is\nTAG: accept") == ("", "<think>so it is\nTAG: accept")


def test_a_block_that_never_closes_is_reasoning_of_a_reply_that_was_cut_off() -> None:
    assert _split("<think>so it", cut_off=True) == ("so it", "")


def test_a_closed_block_stays_reasoning_when_a_second_one_never_closes() -> None:
    assert _split("<think>a</think><think>b") == ("a", "<think>b")


def test_pieces_are_shown_as_soon_as_they_are_certain() -> None:
    splitter = ThinkSplitter()
    assert splitter.feed("<th") == ("", "")
    assert splitter.feed("ink>so </") == ("so ", "")
    assert splitter.feed("b></thin") == ("</b>", "")
    assert splitter.feed("k>\n") == ("", "")
    assert splitter.feed("yes") == ("", "yes")
    assert splitter.feed(" <think>") == ("", " <think>")


PIECES = st.lists(
    st.sampled_from(["<think>", "</think>", "<", "think>", "</", "a", " ", "\n", "```", "x y"]), max_size=12
)


@given(PIECES, st.booleans())
def test_cuts_change_nothing(pieces: list[str], cut_off: bool) -> None:
    text = "".join(pieces)
    assert _split(*pieces, cut_off=cut_off) == _split(text, cut_off=cut_off) == _split(*text, cut_off=cut_off)


@given(PIECES, st.booleans())
def test_nothing_but_tags_and_blanks_is_lost(pieces: list[str], cut_off: bool) -> None:
    reasoning, reply = _split(*pieces, cut_off=cut_off)
    assert _bare(reasoning + reply) == _bare("".join(pieces))


def _bare(text: str) -> str:
    """Text without blanks and without any tag, however it was cut together."""
    text = "".join(text.split())
    while (shorter := text.replace("<think>", "").replace("</think>", "")) != text:
        text = shorter
    return text


@given(st.text(max_size=40), st.text(max_size=40))
def test_a_text_without_tags_is_all_reply(head: str, tail: str) -> None:
    if "<" in head + tail:
        return
    assert _split(head, tail) == ("", head + tail)
