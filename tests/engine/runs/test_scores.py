"""Scores: read as they stand or not at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompts.loader import Output
from uq_tui.analysis.scale import Scale
from uq_tui.engine.judging.conversations import Conversation
from uq_tui.engine.judging.scores import Score, read_exact_score, read_score, score_in

TAG = "QX2ABCDE"
TEN = Scale(1, 10)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("8", 8.0),
        ("8.5", 8.5),
        ("10", 10.0),
        ("1", 1.0),
        ("**8**", 8.0),
        ("**8**/10", 8.0),
        ("8/10", 8.0),
        ("8 / 10", 8.0),
        ("8 out of 10", 8.0),
        ("8.5/10", 8.5),
        ("[8]", 8.0),
        ("[ 8 ]", 8.0),
        ("[8]/10", 8.0),
        ("[8/10]", 8.0),
        ("`9`", 9.0),
    ],
)
def test_a_score_is_read_as_it_stands(text: str, value: float) -> None:
    assert read_score(f"Checked.\n\n{TAG}: {text}", TEN, TAG) == Score(value)
    assert read_exact_score(f"Checked.\n\nScore: {text}", TEN) == Score(value)


RANGE, NO_NUMBER = "a range is no score", "no number on the score line"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("7-8", RANGE),
        ("7 - 8", RANGE),
        ("7\u20138", RANGE),
        ("7\u22128", RANGE),
        ("7 to 8", RANGE),
        ("7-8/10", RANGE),
        ("[7-8]", RANGE),
        ("0", "the score 0 is not from 1 to 10"),
        ("11", "the score 11 is not from 1 to 10"),
        ("10.5", "the score 10.5 is not from 1 to 10"),
        ("80/100", "a score out of 100, not 10"),
        ("8/7", "a score out of 7, not 10"),
        ("-3", NO_NUMBER),
        ("", NO_NUMBER),
        ("SCORE", NO_NUMBER),
        ("eight", NO_NUMBER),
        ("N/A", NO_NUMBER),
        ("8,5", NO_NUMBER),
        ("8.", NO_NUMBER),
        ("~8", NO_NUMBER),
        ("8 points", NO_NUMBER),
        ("8, maybe 9", NO_NUMBER),
        ("8 9", NO_NUMBER),
        ("1e1", NO_NUMBER),
        ("inf", NO_NUMBER),
        ("nan", NO_NUMBER),
        ("\uff18", NO_NUMBER),
        ("\u0668", NO_NUMBER),
        ("8\u200b", NO_NUMBER),
    ],
)
def test_anything_else_is_no_score(text: str, reason: str) -> None:
    assert read_score(f"Checked.\n{TAG}: {text}", TEN, TAG) == Score(None, reason)
    assert read_exact_score(f"Checked.\nScore: {text}", TEN) == Score(None, reason)


@pytest.mark.parametrize(
    "line", ["Score: 9", "### Score: 9", "Final Score: 9", "**Final score:** 9", "SCORE : 9", "Overall score = 9"]
)
def test_exact_scores_go_by_several_names(line: str) -> None:
    assert read_exact_score(f"Analysis.\n{line}\n", TEN) == Score(9.0)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "the reply is empty"),
        ("9", "the last line is no score line"),
        ("Score: 9\nThat is final.", "the last line is no score line"),
        ("The score: 9", "the last line is no score line"),
        ("> Score: 9", "the last line is no score line"),
        ("\u017fcore: 9", "the last line is no score line"),
        ("Score: 8, Score: 9", "no number on the score line"),
    ],
)
def test_an_exact_score_stands_on_the_last_line(reply: str, reason: str) -> None:
    assert read_exact_score(reply, TEN) == Score(None, reason)


def test_an_exact_score_before_the_last_line_is_a_draft() -> None:
    assert read_exact_score("Score: 3\nOn reflection it holds.\nScore: 9", TEN) == Score(9.0)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "the reply is empty"),
        ("Score: 9", "no tagged score line"),
        ("QX2ABCDF: 9", "no tagged score line"),
        (f"> {TAG}: 9", "no tagged score line"),
        (f"Score: {TAG}: 9", "no tagged score line"),
        (f"{TAG}: 9\nThat is all.", "the tagged score line is not the last line"),
        (f"{TAG}: 9\nScore: 2", "the tagged score line is not the last line"),
        (f"{TAG}: 3\nNo, better.\n{TAG}: 9", "tagged lines with different scores"),
        (f"{TAG}: 8\n{TAG}: 7-8", RANGE),
    ],
)
def test_a_tagged_score_stands_on_the_last_line(reply: str, reason: str) -> None:
    assert read_score(reply, TEN, TAG) == Score(None, reason)


@pytest.mark.parametrize("before", [f"{TAG}: 9", f"End with `{TAG}: SCORE`:\n{TAG}: SCORE", "Score: 1", "[[Y]]"])
def test_echoes_and_repetitions_before_a_tagged_score_do_no_harm(before: str) -> None:
    assert read_score(f"{before}\n{TAG}: 9", TEN, TAG) == Score(9.0)


def test_without_a_tag_nothing_is_a_tagged_score() -> None:
    assert read_score(": 9", TEN, "").value is None


@given(st.text(max_size=100))
def test_a_score_is_on_the_scale_or_comes_with_a_reason(text: str) -> None:
    for score in (read_score(f"{TAG}: {text}", TEN, TAG), read_exact_score(f"Score: {text}", TEN)):
        assert (score.reason == "") is (score.value is not None)
        assert score.value is None or TEN.lowest <= score.value <= TEN.highest


GRADE = "<grade{}>\n<score>7</score>\n<assessment>Fine.</assessment>\n<errors></errors>\n</grade>"


@pytest.mark.parametrize(
    ("form", "tag", "reply", "value"),
    [
        (Output.SCORE, TAG, f"Score: 2\n{TAG}: 6", 6.0),
        (Output.SCORE_EXACT, "", f"{TAG}: 2\nScore: 6", 6.0),
        (Output.GRADE, TAG, GRADE.format(f' code="{TAG}"'), 7.0),
        (Output.GRADE_EXACT, "", GRADE.format(""), 7.0),
    ],
)
def test_a_score_is_read_in_the_form_it_was_asked_for(form: Output, tag: str, reply: str, value: float) -> None:
    assert score_in(Conversation((), form, tag, Scale(0, 7)), reply) == Score(value)


@pytest.mark.parametrize(("form", "scale"), [(Output.SCORE, None), (Output.DECISION, TEN)])
def test_only_what_asks_for_a_score_holds_one(form: Output, scale: Scale | None) -> None:
    with pytest.raises(ValueError, match=r"scale|decision"):
        score_in(Conversation((), form, TAG, scale), "")
