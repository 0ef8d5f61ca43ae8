"""The shape of grammars; that the real model keeps to them is tested in test_local.py."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.engine.grammar import LINE, constraint
from uq_tui.engine.spec import AnswerForm

ENFORCED = (AnswerForm.DECISION, AnswerForm.BOXED)


def test_free_text_is_not_constrained() -> None:
    assert constraint(AnswerForm.FREE, "", 400) is None


def test_a_decision_is_one_tagged_line() -> None:
    found = constraint(AnswerForm.DECISION, "ABCD2345", 400)
    assert found is not None
    assert found.grammar.startswith('root ::= line{0,2} "ABCD2345: " ("accept" | "reject")\n')


def test_a_tag_cannot_break_out_of_its_text() -> None:
    found = constraint(AnswerForm.DECISION, 'a"\\', 400)
    assert found is not None
    assert r'"a\"\\: "' in found.grammar


@given(st.sampled_from(ENFORCED), st.integers(1, 100_000))
def test_the_longest_text_a_grammar_allows_ends_within_its_limit(form: AnswerForm, wanted: int) -> None:
    found = constraint(form, "ABCD2345", wanted)
    assert found is not None
    lines = int(re.findall(r"line\{0,(\d+)\}", found.grammar)[0])
    longest_ending = len(r"\boxed{-" + r"\frac{}{}}") + 4 * 12
    assert lines >= 1
    assert lines * (LINE + 1) + longest_ending < found.max_tokens
    assert found.max_tokens == max(wanted, found.max_tokens)


@pytest.mark.parametrize("form", ENFORCED)
def test_a_limit_without_room_is_raised(form: AnswerForm) -> None:
    found = constraint(form, "ABCD2345", 1)
    assert found is not None
    assert found.max_tokens > LINE


def free_text() -> re.Pattern[str]:
    """What a free line may hold; GBNF's character classes are regular expressions'."""
    found = constraint(AnswerForm.BOXED, "", 400)
    assert found is not None
    (rule,) = re.findall(r"^char ::= (.*)$", found.grammar, re.MULTILINE)
    plain, escaped = rule.split(' | "\\\\" ')
    return re.compile(f"(?:{plain}|\\\\{escaped})*")


@pytest.mark.parametrize("text", ["TAG: accept", "<think>", "two\nlines", r"\boxed{1}", r"\\boxed{1}", "é", "\\"])
def test_free_lines_hold_neither_tagged_lines_nor_boxes_nor_tags(text: str) -> None:
    assert not free_text().fullmatch(text)


@pytest.mark.parametrize("text", ["By [1], (a+b)^2 >= 0; so it's true!", r"$\frac{1}{2} \le \alpha$, \{x | x = 1\}"])
def test_free_lines_hold_mathematics(text: str) -> None:
    assert free_text().fullmatch(text)
