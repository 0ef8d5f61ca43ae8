"""The shape of grammars; that the real model keeps to them is tested in test_local.py."""

import re
from re import _parser  # type: ignore[attr-defined]

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prompts.loader import Output
from uq_tui.analysis.scale import Scale
from uq_tui.engine.judging.conversations import Conversation
from uq_tui.engine.judging.decision import decision_in
from uq_tui.engine.judging.rating_reading import read_rating
from uq_tui.engine.judging.scores import score_in
from uq_tui.engine.local.grammar import LINE, Constraint, constraint
from uq_tui.words import Outcome

TAG = "ABCD2345"
SCALE = Scale(0, 7)
DECIDING = (Output.DECISION, Output.DECISION_EXACT)
SCORING = (Output.SCORE, Output.SCORE_EXACT, Output.GRADE, Output.GRADE_EXACT)
ENFORCED = (*DECIDING, *SCORING, Output.BOXED, Output.RATING)


def enforced(form: Output, max_tokens: int = 400) -> Constraint:
    found = constraint(form, "" if form.endswith("_exact") else TAG, max_tokens, SCALE)
    assert found is not None
    return found


def pattern(grammar: str) -> str:
    """A grammar without recursion as a regular expression."""
    rules = dict(rule.split(" ::= ") for rule in grammar.strip().split("\n"))

    def expand(rule: str) -> str:
        token = re.compile(r'"((?:[^"\\]|\\.)*)"|(\[(?:[^]\\]|\\.)+\])|([a-z]+)|(\{\d+,\d+\}|[|()?])|\s+')
        parts = []
        for found in token.finditer(rule):
            literal, characters, name, operator = found.groups()
            if literal is not None:
                parts.append(re.escape(re.sub(r"\\(.)", lambda one: "\n" if one[1] == "n" else one[1], literal)))
            elif name is not None:
                parts.append(f"(?:{expand(rules[name])})")
            else:
                parts.append(characters or operator or "")
        return "".join(parts)

    return expand(rules["root"])


@pytest.mark.parametrize("form", [Output.FREE, Output.AUDIT, Output.NEIGHBOURS])
def test_free_text_and_audits_are_not_constrained(form: Output) -> None:
    assert constraint(form, "", 400) is None


def test_a_decision_is_one_tagged_line() -> None:
    found = constraint(Output.DECISION, "ABCD2345", 400)
    assert found is not None
    assert found.grammar.startswith('root ::= line{0,2} "ABCD2345: " ("accept" | "reject")\n')


def test_a_tag_cannot_break_out_of_its_text() -> None:
    found = constraint(Output.DECISION, 'a"\\', 400)
    assert found is not None
    assert r'"a\"\\: "' in found.grammar


@pytest.mark.parametrize(
    ("form", "ending"),
    [
        (Output.DECISION_EXACT, '("[[Y]]" | "[[N]]")'),
        (Output.SCORE, '"ABCD2345: " ("0" | "1" | "2" | "3" | "4" | "5" | "6" | "7")'),
        (Output.SCORE_EXACT, '"Score: " ("0" | "1" | "2" | "3" | "4" | "5" | "6" | "7")'),
    ],
)
def test_scores_and_exact_decisions_are_one_line_too(form: Output, ending: str) -> None:
    assert enforced(form).grammar.startswith(f"root ::= line{{0,2}} {ending}\n")


@pytest.mark.parametrize("form", [*DECIDING, *SCORING])
@settings(max_examples=20)
@given(data=st.data())
def test_every_text_a_grammar_allows_is_read(form: Output, data: st.DataObject) -> None:
    found = enforced(form, 1)
    reply = data.draw(st.from_regex(pattern(found.grammar), fullmatch=True))
    asked = Conversation((), form, "" if form.endswith("_exact") else TAG, SCALE)
    if form in DECIDING:
        assert decision_in(asked, reply).outcome in (Outcome.ACCEPT, Outcome.REJECT)
    else:
        assert score_in(asked, reply).reason == ""


@settings(max_examples=20)
@given(data=st.data())
def test_every_rating_a_grammar_allows_is_read(data: st.DataObject) -> None:
    grammar = pattern(enforced(Output.RATING, 1).grammar)
    found = read_rating(data.draw(st.from_regex(grammar, fullmatch=True)), TAG)
    assert found.trouble == ""
    given = '"Answer_Correctness": 100, "Expert_Solve_Probability": 0, "Answerable": true, "Clear": false'
    whole = f'I read it.\n{{"code": "{TAG}", {given}, "Unambiguous_Answer": true, "Explanation": "Short."}}'
    assert re.fullmatch(grammar, whole)


@pytest.mark.parametrize("form", SCORING)
def test_every_score_can_be_given(form: Output) -> None:
    allowed = re.compile(pattern(enforced(form).grammar))
    for score in range(SCALE.lowest, SCALE.highest + 1):
        errors = "" if score == SCALE.highest else "Step 2."
        code = "" if form is Output.GRADE_EXACT else f' code="{TAG}"'
        ending = {
            Output.SCORE: f"{TAG}: {score}",
            Output.SCORE_EXACT: f"Score: {score}",
        }.get(
            form,
            f"<grade{code}>\n<score>{score}</score>\n<assessment>Good.</assessment>\n<errors>{errors}</errors>\n</grade>",
        )
        assert allowed.fullmatch(f"I checked it.\n{ending}")


def test_a_score_needs_a_scale() -> None:
    with pytest.raises(ValueError, match="scale"):
        constraint(Output.SCORE, TAG, 400)


@pytest.mark.parametrize("form", ENFORCED)
@given(wanted=st.integers(1, 100_000))
def test_the_longest_text_a_grammar_allows_ends_within_its_limit(form: Output, wanted: int) -> None:
    found = enforced(form, wanted)
    longest = _parser.parse(pattern(found.grammar)).getwidth()[1]
    assert LINE <= longest < found.max_tokens
    assert found.max_tokens == max(wanted, found.max_tokens)


@pytest.mark.parametrize("form", ENFORCED)
def test_a_limit_without_room_is_raised(form: Output) -> None:
    assert enforced(form, 1).max_tokens > LINE


def free_text(form: Output) -> re.Pattern[str]:
    """What a free line may hold; GBNF's character classes are regular expressions'."""
    (rule,) = re.findall(r"^char ::= (.*)$", enforced(form).grammar, re.MULTILINE)
    plain, escape, escaped = rule.partition(' | "\\\\" ')
    return re.compile(f"(?:{plain}|\\\\{escaped})*" if escape else f"(?:{plain})*")


@pytest.mark.parametrize("form", ENFORCED)
@pytest.mark.parametrize("text", ["TAG: accept", "<think>", "two\nlines", "é"])
def test_free_lines_hold_neither_tagged_lines_nor_elements(form: Output, text: str) -> None:
    assert not free_text(form).fullmatch(text)


@pytest.mark.parametrize("text", [r"\boxed{1}", r"\\boxed{1}", "\\"])
def test_free_lines_hold_no_box_where_one_is_asked_for(text: str) -> None:
    assert not free_text(Output.BOXED).fullmatch(text)


@pytest.mark.parametrize("form", ENFORCED)
@pytest.mark.parametrize("text", ["By [1], (a+b)^2 >= 0; so it's true!", r"$\frac{1}{2} \le \alpha$, \{x | x = 1\}"])
def test_free_lines_hold_mathematics(form: Output, text: str) -> None:
    assert free_text(form).fullmatch(text)
