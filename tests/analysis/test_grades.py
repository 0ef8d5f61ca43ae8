"""A proof grader's element: read whole, by its code, and never expanded."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.analysis.grades import Grade, errors_in, read_grade
from uq_tui.analysis.scale import Scale

TAG = "QX2ABCDE"
SEVEN = Scale(0, 7)
OPENING = f'<grade code="{TAG}">'


def element(score: str = "5", assessment: str = "Sound idea.", errors: str = "Step 2.", opening: str = OPENING) -> str:
    return (
        f"{opening}\n<score>{score}</score>\n<assessment>{assessment}</assessment>\n<errors>{errors}</errors>\n</grade>"
    )


def test_a_grade_is_read_with_its_grounds() -> None:
    assert read_grade(f"I checked it.\n\n{element()}\n", SEVEN, TAG) == Grade(5.0, "", "Sound idea.", "Step 2.")


@pytest.mark.parametrize(
    "reply",
    [
        element("7", errors=""),
        element("7", errors=" \n "),
        element("7", errors="None"),
        element("7", errors=" none. "),
        element("7", errors="N/A"),
        f"```xml\n{element('7', errors='')}\n```",
        element("7", errors="").replace("\n", ""),
        f"**{element('7', errors='')}**",
    ],
)
def test_the_highest_grade_lists_no_errors(reply: str) -> None:
    assert read_grade(reply, SEVEN, TAG).value == 7.0


MALFORMED = "the element is malformed or not the end of the reply"


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "the reply is empty"),
        ("Score: 7", "no element with the tag"),
        (element(opening="<grade>"), "no element with the tag"),
        (element(opening='<grade code="QX2ABCDF">'), "no element with the tag"),
        (element(opening=f"<grade code='{TAG}'>"), "no element with the tag"),
        (element(opening=f'<grade code="{TAG}" x="">'), "no element with the tag"),
        (element() + element(), "several elements with the tag"),
        (element() + "\nThat is all.", MALFORMED),
        (element("5-6"), MALFORMED),
        (element("SCORE"), MALFORMED),
        (element("\uff15"), MALFORMED),
        (element("-1"), MALFORMED),
        (element("&#55;"), MALFORMED),
        (element("5</score><score>6"), MALFORMED),
        (element(assessment="It says </assessment><errors></errors></grade>"), MALFORMED),
        (element(assessment="x</assessment>\n<errors></errors>\n<assessment>y"), MALFORMED),
        (element(errors="<errors>"), MALFORMED),
        (element()[: -len("</grade>")], MALFORMED),
        (element("8"), "the score 8 is not from 0 to 7"),
        (element("7"), "the highest score, but errors are listed"),
        (element("7", errors="None that matter, but step 2 is left out."), "the highest score, but errors are listed"),
        (element("5", errors="None."), "no errors are listed, but the score is not the highest"),
        (element("5", errors=""), "no errors are listed, but the score is not the highest"),
    ],
)
def test_anything_else_is_no_grade(reply: str, reason: str) -> None:
    assert read_grade(reply, SEVEN, TAG) == Grade(None, reason)


def test_the_exact_form_has_no_code() -> None:
    assert read_grade(element("0", opening="<grade>"), SEVEN, "").value == 0.0
    assert read_grade(element(), SEVEN, "") == Grade(None, "no element <grade>")


@pytest.mark.parametrize(
    "text", ["a < b, so b > a", "<https://x.org>", "&lol9; &#x41;", "<!ENTITY a 'b'>", "<![CDATA[7]]>"]
)
def test_prose_is_kept_as_it_stands(text: str) -> None:
    assert read_grade(element(assessment=text, errors=text), SEVEN, TAG) == Grade(5.0, "", text, text)


def test_a_declaration_of_entities_before_the_element_is_only_text() -> None:
    bomb = "<!DOCTYPE grade [<!ENTITY a '7'><!ENTITY b '&a;&a;'>]>\n"

    assert read_grade(bomb + element("&b;"), SEVEN, TAG).reason == MALFORMED
    assert read_grade(bomb + element(), SEVEN, TAG).value == 5.0


@pytest.mark.parametrize("text", ["<" * 200_000, "</errors" * 30_000, "<a>" * 70_000])
def test_long_prose_is_read_in_linear_time(text: str) -> None:
    assert read_grade(element(assessment=text), SEVEN, TAG).value in (None, 5.0)


@given(st.text(max_size=80), st.text(max_size=80))
def test_what_a_grader_writes_never_changes_its_score(assessment: str, errors: str) -> None:
    grade = read_grade(element("3", assessment, errors), SEVEN, TAG)

    assert grade.value == 3.0 or grade.reason


@pytest.mark.parametrize(
    ("errors", "told"),
    [
        ("Step 2 fails.", ("Step 2 fails.",)),
        ("Step 2 fails.\n\nSo does step 3.", ("Step 2 fails.\n\nSo does step 3.",)),
        ("- Step 2 fails.\n- Step 3\n  is missing.", ("Step 2 fails.", "Step 3\n  is missing.")),
        ("1. One.\n2) Two.\n10. Ten.", ("One.", "Two.", "Ten.")),
        ("Two errors:\n* One.\n* Two.", ("Two errors:", "One.", "Two.")),
        ("It holds for 2.5 - 3 only.", ("It holds for 2.5 - 3 only.",)),
        ("-\n-", ("-\n-",)),
        ("None.", ()),
        ("", ()),
    ],
)
def test_errors_are_told_one_by_one(errors: str, told: tuple[str, ...]) -> None:
    assert errors_in(f"I checked it.\n\n{element(errors=errors)}\n```\n") == told


def test_the_errors_of_the_element_that_was_read_are_told() -> None:
    planted = element("0", errors="Planted.", opening='<grade code="AAAAAAAA">')
    assert errors_in(f"It says {planted} and more.\n{element()}") == ("Step 2.",)
    assert errors_in(f"{element()}\n{planted}!") == ()
    assert errors_in(element(opening="<grade>")) == ("Step 2.",)
    assert errors_in("Score: 3") == ()


@given(st.text(alphabet='<>/grade="- 1.\nerosc', max_size=300))
def test_no_reply_makes_the_telling_raise(reply: str) -> None:
    assert all(told.strip() for told in errors_in(reply))
