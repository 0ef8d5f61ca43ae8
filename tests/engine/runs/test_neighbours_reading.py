"""Proposed neighbours are read strictly: five of them in the one object with the code, or none."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.runs.proposed import problems, reply
from uq_tui.engine.runs.neighbours_reading import LONGEST_SKILL, LONGEST_STATEMENT, Problem, read_problems

TAG = "ABCDEFG2"


def entries(**changed: Any) -> list[dict[str, Any]]:
    """Five sound entries, the third changed."""
    made = problems()
    made[2] = {**made[2], **changed}
    return made


def said(*made: Any, **more: Any) -> str:
    return json.dumps({"code": TAG, "problems": list(made), **more})


def trouble(text: str) -> str:
    """Why a reply can't be read; fails where it can."""
    read = read_problems(text, TAG)
    assert read.problems == ()
    return read.trouble


def test_five_problems_are_read_in_their_order() -> None:
    read = read_problems(reply(TAG), TAG)
    assert read.trouble == ""
    assert read.problems == tuple(Problem(one["skill"], one["statement"]) for one in problems())


def test_prose_fences_and_other_objects_around_it_do_not_matter() -> None:
    text = f'Skills: {{"a": [1]}}.\n```json\n{said(*problems())}\n```\nThat is all. {{"code": "OTHERTAG"}}'
    assert len(read_problems(text, TAG).problems) == 5


def test_blanks_around_texts_are_dropped_and_line_breaks_within_stay() -> None:
    text = "Let $n=7$.\n\n$$\nu + 1 = n\n$$\nmid\n\nHow many?"
    read = read_problems(said(*entries(statement=f"  {text} ", skill=" counting\n")), TAG)
    assert read.problems[2] == Problem("counting", text)


@pytest.mark.parametrize("number", [0, 1, 4, 6, 40])
def test_another_number_than_five_is_refused(number: int) -> None:
    made = [{"skill": "s", "statement": f"Problem {chr(65 + one % 26)}{one}?"} for one in range(number)]
    assert trouble(said(*made)) == f"{number} problem{'' if number == 1 else 's'} instead of 5"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "the reply is empty"),
        (" \n", "the reply is empty"),
        ("I would rather not.", "no JSON object begins with the code"),
        (reply("ZZZZZZZ2"), "no JSON object begins with the code"),
        (json.dumps({"problems": problems(), "code": TAG}), "no JSON object begins with the code"),
        (reply(TAG) * 2, "2 JSON objects begin with the code"),
        (reply(TAG)[:-3], "the JSON object is malformed: not JSON: "),
        (reply(TAG).replace("$n", "\\(n"), "the JSON object is malformed: not JSON: Invalid \\escape"),
        (said(*problems(), note="hi"), 'the object has an unknown key "note"'),
        (f'{{"code": "{TAG}"}}', "the object lacks problems"),
        (f'{{"code": "{TAG}", "problems": {{}}}}', "problems is not a list"),
        (said(*problems()[:4], "five"), "problem 5 is not a JSON object"),
        (said(*entries(answer="1024")), 'problem 3 has an unknown key "answer"'),
        (said(*entries(statement=" \n")), "the statement of problem 3 is not a text, or empty"),
        (said(*entries(statement=["a", "b"])), "the statement of problem 3 is not a text, or empty"),
        (said(*entries(skill=None)), "the skill of problem 3 is not a text, or empty"),
        (said(*entries(statement="x" * (LONGEST_STATEMENT + 1))), "the statement of problem 3 has 8,001 characters"),
        (said(*entries(skill="x" * (LONGEST_SKILL + 1))), "the skill of problem 3 has 401 characters"),
        (said(*entries(statement="Let $\theta$ be.")), "the statement of problem 3 holds a control character"),
        (said(*entries(statement="\x1b[2J Let $n$ be.")), "the statement of problem 3 holds a control character"),
        (said(*entries(statement="Let \ud800 be.")), "the statement of problem 3 holds half a character"),
        (said(*entries(statement="Let $a$ and $b \neq 0$.")), "the statement of problem 3 holds a line break in the"),
        (said(*entries(statement=problems()[0]["statement"].upper())), "problem 3 is problem 1 again"),
    ],
)
def test_what_is_refused_and_why(text: str, why: str) -> None:
    assert trouble(text).startswith(why)


def test_an_entry_that_lacks_a_key_is_refused() -> None:
    made = problems()
    del made[4]["skill"]
    assert trouble(said(*made)) == "problem 5 lacks skill"


def test_the_instructions_given_back_are_no_proposal() -> None:
    echo = f'{{"code": "{TAG}", "problems": [{{"skill": "the skill it trains", "statement": "the whole problem"}}]}}'
    assert trouble(f"As you asked:\n{echo}") == "1 problem instead of 5"
    assert trouble(f"The form is {echo}. Here it is: {reply(TAG)}") == "2 JSON objects begin with the code"


def test_a_statement_that_holds_an_object_of_its_own_stays_a_statement() -> None:
    planted = 'Ignore this. {"code": "AAAAAAA2", "problems": []} How many?'
    assert read_problems(said(*entries(statement=planted)), TAG).problems[2].statement == planted


@given(st.text(max_size=200), st.text(max_size=200))
def test_whatever_stands_around_it_nothing_is_raised_and_all_or_nothing_read(before: str, after: str) -> None:
    read = read_problems(before + reply(TAG) + after, TAG)
    assert (len(read.problems), bool(read.trouble)) in ((5, False), (0, True))


@given(st.recursive(st.none() | st.integers() | st.text(max_size=9), lambda inner: st.lists(inner, max_size=6)))
def test_any_list_of_entries_is_read_or_refused(value: Any) -> None:
    read = read_problems(json.dumps({"code": TAG, "problems": value}), TAG)
    assert (read.problems, bool(read.trouble)) == ((), True)
