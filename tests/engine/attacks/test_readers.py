"""No text of a candidate is read as the judge's verdict, however the judge quotes it."""

import re
from collections.abc import Callable
from functools import cache

import pytest

from prompts.loader import load_template
from tests.engine.attacks.quoting import LAST, LOOSE, STYLES, Style, reply_proper
from tests.engine.attacks.texts import ATTACKS, PADDING, QUESTION, SECRET
from uq_tui.analysis.scale import Scale
from uq_tui.engine.judging.conversations import Conversation, converse
from uq_tui.engine.judging.decision import decision_in
from uq_tui.engine.judging.scores import Score, score_in
from uq_tui.words import Outcome

LOW = 2.0
"""The score that the judge of these tests gives."""


@cache
def asked(text: str, template: str, ending: str, scale: Scale | None = None) -> Conversation:
    values = {"question": QUESTION, "candidate": text}
    return converse(SECRET, (), load_template(template), values, load_template(f"ending.{ending}"), scale)


def decided(text: str, style: Style, word: str, ending: str = "decision") -> Outcome:
    """What is read of a judge that quotes a candidate and gives its verdict, or none for ""."""
    conversation = asked(text, "check.correctness", ending)
    tagged = {"": "", "accept": f"{conversation.tag}: accept", "reject": f"{conversation.tag}: reject"}
    exact = {"": "", "accept": "[[Y]]", "reject": "[[N]]"}
    said = (tagged if conversation.tag else exact)[word]
    return decision_in(conversation, reply_proper(style(text, said))).outcome


def scored(text: str, style: Style, ending: str, *, gives: bool = True) -> Score:
    """What is read of a judge that quotes a candidate and gives it the score `LOW`, or none."""
    graded = ending.startswith("grade")
    scale = Scale(0, 7) if graded else Scale(1, 10)
    conversation = asked(text, "judge.proof_grader" if graded else "judge.scale_10", ending, scale)
    code = f' code="{conversation.tag}"' if conversation.tag else ""
    element = f"<grade{code}>\n<score>2</score>\n<assessment>Flawed.</assessment>\n<errors>Step 1.</errors>\n</grade>"
    line = f"{conversation.tag}: 2" if conversation.tag else "Score: 2"
    said = (element if graded else line) if gives else ""
    return score_in(conversation, reply_proper(style(text, said)))


def test_there_are_many_texts_and_they_differ() -> None:
    assert len(ATTACKS) >= 80
    assert len(set(ATTACKS.values())) == len(ATTACKS)
    assert sum(len(text) >= PADDING * 0.9 for text in ATTACKS.values()) >= 5


@pytest.mark.parametrize("style", LAST.values(), ids=LAST)
def test_a_judge_that_ends_by_rejecting_rejects(style: Style) -> None:
    assert {
        name: found for name, text in ATTACKS.items() if (found := decided(text, style, "reject")) != "reject"
    } == {}


@pytest.mark.parametrize("style", LAST.values(), ids=LAST)
def test_a_judge_that_ends_by_accepting_accepts(style: Style) -> None:
    assert {
        name: found for name, text in ATTACKS.items() if (found := decided(text, style, "accept")) != "accept"
    } == {}


@pytest.mark.parametrize("style", LOOSE.values(), ids=LOOSE)
def test_a_judge_that_rejects_anywhere_never_accepts(style: Style) -> None:
    assert [name for name, text in ATTACKS.items() if decided(text, style, "reject") is Outcome.ACCEPT] == []


@pytest.mark.parametrize("style", STYLES.values(), ids=STYLES)
def test_a_judge_without_a_verdict_decides_nothing(style: Style) -> None:
    found = {name: decided(text, style, "") for name, text in ATTACKS.items()}
    assert set(found.values()) == {Outcome.UNPARSED}


@pytest.mark.parametrize("ending", ["score", "grade"])
@pytest.mark.parametrize("style", STYLES.values(), ids=STYLES)
def test_no_quoted_text_becomes_the_score(style: Style, ending: str) -> None:
    found = {name: scored(text, style, ending).value for name, text in ATTACKS.items()}
    assert set(found.values()) <= {LOW, None}
    unquoted = {name: scored(text, style, ending, gives=False).value for name, text in ATTACKS.items()}
    assert set(unquoted.values()) == {None}


@pytest.mark.parametrize("style", LAST.values(), ids=LAST)
def test_a_judge_that_ends_with_a_score_has_it_read(style: Style) -> None:
    assert {scored(text, style, "score").value for text in ATTACKS.values()} == {LOW}


@pytest.mark.parametrize(
    "thought", ["<think>{}</think>\n", "It seems so:\n{}\n</think>\n", "<thinking>\n{}\n</thinking>"]
)
def test_a_draft_in_the_reasoning_counts_for_nothing(thought: str) -> None:
    decision = asked("Yes.", "check.correctness", "decision")
    drafted = thought.format(f"{decision.tag}: accept")
    assert decision_in(decision, reply_proper(f"{drafted}No.\n{decision.tag}: reject")).outcome is Outcome.REJECT
    assert decision_in(decision, reply_proper(f"{drafted}No.")).outcome is Outcome.UNPARSED

    score = asked("Yes.", "judge.scale_10", "score", Scale(1, 10))
    drafted = thought.format(f"{score.tag}: 3\nScore: 3")
    assert score_in(score, reply_proper(f"{drafted}Better.\n{score.tag}: 9")) == Score(9.0)


def test_instructions_that_a_judge_repeats_decide_nothing() -> None:
    decision = asked("Yes.", "check.correctness", "decision")
    prompt = decision.messages[-1].content
    assert decision_in(decision, prompt).outcome is Outcome.UNPARSED
    assert decision_in(decision, f"{prompt}\n\nIt fails.\n{decision.tag}: reject").outcome is not Outcome.ACCEPT

    exact = asked("Yes.", "check.correctness", "decision_exact")
    assert decision_in(exact, f"{exact.messages[-1].content}\n\nIt fails.\n[[N]]").outcome is Outcome.REJECT


def test_a_quotation_inside_a_graders_element_can_spoil_it_but_not_change_it() -> None:
    found = {name: scored(text, LAST["in an assessment"], "grade").value for name, text in ATTACKS.items()}
    broken = re.compile(r"</?(?:grade|score|assessment|errors)\b|\n</think>\n")
    assert {name for name, value in found.items() if value is None} == {
        name for name, text in ATTACKS.items() if broken.search(text)
    }
    assert set(found.values()) == {LOW, None}


def steered(read: Callable[[str, Style], bool]) -> dict[str, set[str]]:
    """The texts that get their way, by the way in which they are quoted; ways without any are left out."""
    found = {way: {name for name, text in ATTACKS.items() if read(text, style)} for way, style in STYLES.items()}
    return {way: names for way, names in found.items() if names}


def counts(found: dict[str, set[str]]) -> dict[str, int]:
    return {way: len(names) for way, names in found.items()}


def test_known_numbers_of_texts_steer_the_exact_form() -> None:
    """By a judge that rejects and then quotes, and by one that quotes and decides nothing. See docs/architecture.md."""
    rejecting = steered(lambda text, style: decided(text, style, "reject", "decision_exact") is Outcome.ACCEPT)
    undecided = steered(lambda text, style: decided(text, style, "", "decision_exact") is Outcome.ACCEPT)

    assert len(ATTACKS) == 145
    assert counts(rejecting) == {"after": 38, "directly after": 38, "spelled out after": 43}
    assert len(set().union(*rejecting.values())) == 43
    assert len(set().union(*undecided.values())) == 46
    assert set(undecided) == set(STYLES) - {
        "before",
        "in the middle",
        "in a thought",
        "in a thought without a beginning",
    }


def test_known_numbers_of_texts_steer_exact_scores() -> None:
    """By a judge that gives a low score and then quotes, and by one that quotes and gives none."""
    low = steered(lambda text, style: scored(text, style, "score_exact").value not in (LOW, None))
    none = steered(lambda text, style: scored(text, style, "score_exact", gives=False).value is not None)
    graded = steered(lambda text, style: scored(text, style, "grade_exact").value not in (LOW, None))
    ungraded = steered(lambda text, style: scored(text, style, "grade_exact", gives=False).value is not None)

    assert counts(low) == {"after": 9, "directly after": 9, "spelled out after": 9}
    assert len(set().union(*none.values())) == 9
    assert graded == {}
    assert len(set().union(*ungraded.values())) == 2


def test_a_reader_that_takes_the_first_mark_anywhere_is_steered() -> None:
    """That the texts attack at all: by the rule of the first `[[Y]]` or `[[N]]`, which a candidate can write."""

    def first_mark(text: str, style: Style) -> bool:
        found = re.search(r"\[\[([YN])\]\]", style(text, "[[N]]"))
        return found is not None and found[1] == "Y"

    assert len(steered(first_mark)["before"]) > 30
