"""Reviewers as they are typed."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.rows import Reviewer
from uq_tui.errors import UqError
from uq_tui.state.reviewing.identity import MOST_TAGS, Particulars, check_digit, checked_orcid, described

NOBODY = Reviewer("r1", "someone", "", ())
ADA = Reviewer(
    "r1", "ada", "0000-0002-1825-0097", ("analysis", "π"), name="Ada L.", affiliation="ETH", linked=("r2", "r3")
)


@pytest.mark.parametrize(
    "typed",
    [
        "0000-0002-1825-0097",
        " 0000000218250097 ",
        "https://orcid.org/0000-0002-1825-0097",
        "orcid.org/0000 0002 1825 0097",
        "HTTP://ORCID.ORG/0000-0002-1825-0097",
    ],
)
def test_an_orcid_is_taken_however_it_is_typed(typed: str) -> None:
    assert checked_orcid(typed) == "0000-0002-1825-0097"


def test_a_check_digit_may_be_an_x() -> None:
    assert checked_orcid("0000-0002-1694-233x") == "0000-0002-1694-233X"
    assert checked_orcid("") == ""


@pytest.mark.parametrize(
    "typed",
    ["0000-0002-1825-0079", "0000-0002-1825-009", "X000-0002-1825-0097", "٠000-0002-1825-0097", "ada", "\x1b[2J"],
)
def test_what_is_no_orcid_is_refused(typed: str) -> None:
    with pytest.raises(UqError, match="no ORCID iD") as caught:
        checked_orcid(typed)
    assert "\x1b" not in str(caught.value)


@given(st.text(alphabet="0123456789", min_size=15, max_size=15), st.integers(0, 14), st.integers(1, 9))
def test_every_single_mistyped_digit_is_noticed(digits: str, at: int, by: int) -> None:
    other = digits[:at] + str((int(digits[at]) + by) % 10) + digits[at + 1 :]
    assert check_digit(digits) != check_digit(other)


def test_particulars_come_back_as_they_were() -> None:
    assert Particulars.of(ADA).applied(NOBODY) == ADA


def test_tags_and_ids_are_kept_once_and_in_order() -> None:
    typed = Particulars(handle="ada", expertise=" b , a,, b,a ", linked="r1, r9")
    made = typed.applied(NOBODY)
    assert (made.expertise, made.linked) == (("b", "a"), ("r9",))


def test_hostile_particulars_are_cleaned() -> None:
    made = Particulars(handle="a\x1b[2Jda\nb", affiliation="E\u202eTH").applied(NOBODY)
    assert "\x1b" not in made.handle
    assert "\n" not in made.handle
    assert "\u202e" not in made.affiliation


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"handle": " \n"}, "needs a public name"),
        ({"handle": "a" * 201}, "201 signs"),
        ({"affiliation": "a" * 201}, "201 signs"),
        ({"expertise": ",".join(map(str, range(MOST_TAGS + 1)))}, "51 tags"),
        ({"orcid": "1"}, "no ORCID iD"),
    ],
)
def test_what_can_not_be_kept_is_told(changes: dict[str, str], said: str) -> None:
    with pytest.raises(UqError, match=said):
        replace(Particulars.of(ADA), **changes).applied(NOBODY)


def test_a_reviewer_is_described_on_one_line() -> None:
    assert described(ADA) == "ada (Ada L.), ETH, ORCID 0000-0002-1825-0097, analysis, π"
    assert described(NOBODY) == "someone"
