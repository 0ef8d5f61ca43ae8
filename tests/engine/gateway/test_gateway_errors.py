"""What an error's text may hold when it goes to the store and the screen, how long to wait, what a status means."""

import email.utils

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.engine.gateways.errors import by_status, readable_message, seconds_to_wait, without_keys
from uq_tui.words import CallErrorKind

NOW = 1_800_000_000.0


def test_a_key_that_litellm_took_from_the_environment_is_cut_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENROUTER_API_KEY", "or-secret-1234")
    assert readable_message(ValueError("No user for or-secret-1234."), None) == "No user for [key]."


def test_a_value_that_stands_in_ordinary_words_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", "a")
    assert readable_message(ValueError("a none value"), "none") == "a none value"


def test_keys_are_cut_out_the_longest_first() -> None:
    assert without_keys("sk-1234567890 and sk-12345678", ("sk-12345678", "sk-1234567890")) == "[key] and [key]"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("litellm.APIError: APIError: OpenAIException - busy", "busy"),
        ("LiteLLM: no choices", "no choices"),
        ("Bad Traceback (most recent call last):\n  File /home/me/x.py", "Bad"),
        ("Cannot connect to host h:1 ssl:<ssl.SSLContext object at 0x7f> [no]", "Cannot connect to host h:1 [no]"),
        ('Error: {"error": {"message": "too busy", "code": 3}} and more', "too busy"),
        ('Error: {"error": {"message": "too b', '{"error": {"message": "too b'),
        ('{"error": "plain"}', '{"error": "plain"}'),
    ],
)
def test_a_message_says_what_the_server_said_and_nothing_of_the_libraries(text: str, message: str) -> None:
    assert readable_message(ValueError(text), None) == message


@given(st.floats(0, 86_400))
def test_seconds_to_wait_are_those_that_are_given(seconds: float) -> None:
    assert seconds_to_wait(repr(seconds), NOW) == seconds


@given(st.integers(-100_000, 100_000))
def test_a_date_to_wait_for_is_between_now_and_a_day_from_now(ahead: int) -> None:
    date = email.utils.formatdate(NOW + ahead, usegmt=True)
    assert seconds_to_wait(date, NOW) == min(86_400, max(0, ahead))


@pytest.mark.parametrize(
    ("given_text", "seconds"),
    [
        ("", None),
        ("soon", None),
        ("-1", None),
        ("nan", None),
        ("-inf", None),
        ("inf", 86_400.0),
        ("1e9", 86_400.0),
        ("Fri, 31 Dec 99999 23:59:59 GMT", None),
        ("Friday", None),
    ],
)
def test_what_is_neither_a_number_nor_a_date_counts_as_absent(given_text: str, seconds: float | None) -> None:
    assert seconds_to_wait(given_text, NOW) == seconds


def test_every_status_has_a_kind_and_only_the_servers_own_troubles_are_tried_again() -> None:
    assert by_status(418) == (CallErrorKind.BAD_REQUEST, False)
    assert by_status(301) == (CallErrorKind.UNAVAILABLE, False)
    again = {status for status in range(300, 600) if by_status(status)[1]}
    assert again == {408, 409, 425, 429, *range(500, 600)}
