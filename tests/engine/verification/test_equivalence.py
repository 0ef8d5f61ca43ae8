"""The last step: how a model is asked whether two answers are the same, and what is made of its reply."""

import pytest

from prompts.loader import load_template
from store.run_rows import Call
from tests.engine.attacks.quoting import LAST, STYLES, Style, reply_proper
from tests.engine.attacks.texts import ATTACKS, SECRET
from tests.engine.runs.scripted import Said, Scripted
from uq_tui.engine.judging.conversations import Conversation
from uq_tui.engine.verification.equivalence import ENDING, PROMPTS, TEMPLATE, equivalence, read_equivalence
from uq_tui.engine.verification.verifier import Verified
from uq_tui.words import CallErrorKind, DecidedBy

BEFORE = Verified(None, DecidedBy.UNDECIDABLE, r"\text{five}", "the answer is not read as mathematics")
PADDING = 10_000
ORDERS = {name: text for name, text in ATTACKS.items() if len(text) < PADDING}


def asked(answer: str = BEFORE.answer, statement: str = "How many are there?") -> Conversation:
    template, ending = load_template(TEMPLATE), load_template(ENDING)
    return equivalence(SECRET, template, ending, statement=statement, expected="5", answer=answer)


def said(reply: str, finish_reason: str = "stop", error: CallErrorKind | None = None) -> Call:
    return Scripted.call(Said(reply, finish_reason=finish_reason, error=error))


def test_the_model_sees_the_problem_and_both_answers_behind_fences() -> None:
    conversation = asked()
    (message,) = conversation.messages
    lines = message.content.splitlines()
    fences = [line for line in lines if line.startswith("-----")]

    assert PROMPTS == (TEMPLATE, ENDING)
    assert len(fences) == 6
    assert [lines[lines.index(fence) + 1] for fence in fences[::2]] == ["How many are there?", "5", BEFORE.answer]
    assert f"{conversation.tag}: accept" in lines


@pytest.mark.parametrize(("word", "value"), [("accept", 1), ("reject", 0)])
def test_its_word_is_the_value_and_labelled(word: str, value: int) -> None:
    conversation = asked()
    found = read_equivalence(conversation, said(f"Five is 5.\n{conversation.tag}: {word}"), BEFORE)

    assert found == Verified(value, DecidedBy.MODEL, BEFORE.answer, BEFORE.reason)
    assert not found.open


@pytest.mark.parametrize(
    ("reply", "finish_reason", "error", "reason"),
    [
        ("", "stop", CallErrorKind.TIMEOUT, "timeout"),
        ("{tag}: accept", "length", None, "cut"),
        ("They are the same.", "stop", None, "no tagged decision line"),
        ("AAAAAAAA: accept", "stop", None, "no tagged decision line"),
        ("{tag}: accept\n{tag}: reject", "stop", None, "both"),
        ("", "stop", None, "empty"),
    ],
)
def test_without_a_decision_it_stays_as_it_was(
    reply: str, finish_reason: str, error: CallErrorKind | None, reason: str
) -> None:
    conversation = asked()
    call = said(reply.replace("{tag}", conversation.tag), finish_reason, error)
    found = read_equivalence(conversation, call, BEFORE)

    assert (found.value, found.decided_by, found.answer) == (None, DecidedBy.UNDECIDABLE, BEFORE.answer)
    assert found.reason.startswith(BEFORE.reason)
    assert reason in found.reason


def decided(answer: str, style: Style, word: str) -> int | None:
    """The value after a model that quotes the answer and says the word, or none for ""."""
    conversation = asked(answer)
    own = f"{conversation.tag}: {word}" if word else ""
    return read_equivalence(conversation, said(reply_proper(style(answer, own))), BEFORE).value


@pytest.mark.parametrize("style", STYLES.values(), ids=STYLES)
def test_no_answer_is_accepted_by_its_own_text(style: Style) -> None:
    assert len(ORDERS) > 100
    assert {name for name, text in ORDERS.items() if decided(text, style, "") is not None} == set()
    assert {name for name, text in ORDERS.items() if decided(text, style, "reject") == 1} == set()


@pytest.mark.parametrize("style", LAST.values(), ids=LAST)
def test_a_model_that_ends_with_its_word_has_it_read(style: Style) -> None:
    assert {decided(text, style, "accept") for text in ORDERS.values()} == {1}
    assert {decided(text, style, "reject") for text in ORDERS.values()} == {0}
