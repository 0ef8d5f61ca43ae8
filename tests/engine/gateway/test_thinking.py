"""Reasoning and answer in one text: cut anywhere, nothing lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.engine.gateways.collected import Collected
from uq_tui.engine.gateways.thinking import ThinkSplitter


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
        ("<think>a<think>b</think>c</think>the answer", "a<think>b</think>c", "the answer"),
        ("<think>a<think>b</think>c</think>", "a<think>b</think>c", ""),
        ("<think><think><think>a</think></think></think>the answer", "<think><think>a</think></think>", "the answer"),
        ("<think>a<think>b<think>c</think>d</think>the answer", "a<think>b<think>c</think>d", "the answer"),
        ("<think>a `<think>` b</think>Not </think> here", "a `<think>` b", "Not </think> here"),
        ("<think>a <think> b</think>Use `</think>` to close", "a <think> b", "Use `</think>` to close"),
        ("<think>a <think> b</think>\n```\n</think>\n```\n", "a <think> b", "```\n</think>\n```\n"),
        ("<think>a <think>\n````\n</think>the answer", "a <think>\n````", "the answer"),
        ("<think>it`s a <thinking> b</think>the answer", "it`s a <thinking> b", "the answer"),
        ("<think>a</think>first<think>b</think>last", "a", "first<think>b</think>last"),
        ("<think>\n```\nx = 1\n</think>\nthe answer", "```\nx = 1", "the answer"),
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


def test_a_nested_block_that_ends_early_ends_at_its_last_closing_tag_and_nothing_after_it_is_swallowed() -> None:
    for cut_off in (False, True):
        assert _split("<think>a<think>b</think> and so", cut_off=cut_off) == ("a<think>b", "and so")


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
    st.sampled_from(["<think>", "</think>", "<", "think>", "</", "a", " ", "\n", "```", "`", "x y"]), max_size=12
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


@given(PIECES.filter(lambda pieces: "<think>" not in "".join(pieces)), st.booleans())
def test_what_is_shown_as_it_comes_is_the_beginning_of_what_there_is_in_the_end(
    pieces: list[str], cut_off: bool
) -> None:
    splitter = ThinkSplitter()
    shown = [splitter.feed(piece) for piece in ("<think>", *pieces)]
    reasoning, reply = splitter.finish(cut_off=cut_off)
    if reply and not reasoning:
        return  # a block that was never closed, or none
    assert reasoning.startswith("".join(thought for thought, _ in shown).strip())
    assert reply.startswith("".join(said for _, said in shown))


@pytest.mark.parametrize(
    "text", ["`" * 60_000, "\n" * 60_000, "<" * 60_000, "<think>" * 10_000, "</think>\n```" * 5_000]
)
def test_hostile_texts_take_no_more_than_a_pass(text: str) -> None:
    splitter = ThinkSplitter()
    for piece in ("<think>", *text):
        splitter.feed(piece)
    reasoning, reply = splitter.finish(cut_off=True)
    assert len(reasoning) + len(reply) <= len(text)


@given(st.text(max_size=40), st.text(max_size=40))
def test_a_text_without_tags_is_all_reply(head: str, tail: str) -> None:
    if "<" in head + tail:
        return
    assert _split(head, tail) == ("", head + tail)


@given(PIECES, st.booleans())
def test_what_came_is_the_raw_text_or_else_the_reply(pieces: list[str], cut_off: bool) -> None:
    collected = Collected(lambda reasoning, reply: None)
    for piece in pieces:
        collected.take({"content": piece})
    whole = collected.whole(cut_off=cut_off)
    assert (whole.raw or whole.reply) == "".join(pieces)
    assert (whole.raw == "") == (whole.reply == "".join(pieces))


def test_content_in_parts_is_put_together_and_reasoning_beside_it_is_not_part_of_it() -> None:
    collected = Collected(lambda reasoning, reply: None)
    thinking = {"type": "thinking", "thinking": [{"type": "text", "text": "Hm. "}]}
    collected.take({"content": [thinking, {"type": "text", "text": "<think>So.</think>\n"}]})
    collected.take({"content": [{"type": "text", "text": "Yes"}], "reasoning_content": None})
    whole = collected.whole(cut_off=False)
    assert (whole.reasoning, whole.reply, whole.raw) == ("Hm. \n\nSo.", "Yes", "<think>So.</think>\nYes")


@pytest.mark.parametrize("message", [{"content": None}, {"content": ""}, {}])
def test_a_message_without_content_is_an_empty_reply(message: dict[str, str | None]) -> None:
    collected = Collected(lambda reasoning, reply: None)
    collected.take(message)
    assert not collected.started
    assert collected.whole(cut_off=False).reply == ""
