"""When a failed attempt is made again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.process.fakes import failure
from uq_tui.engine.calls.retries import LONGEST_RETRY_AFTER_S, MAX_FAILURES, PATIENCE_S, Health, Patience, delay_s
from uq_tui.engine.spec import Reply
from uq_tui.words import CallErrorKind


def test_what_cannot_be_mended_is_not_tried_again() -> None:
    assert not Patience(Health()).goes_on(failure(CallErrorKind.AUTH, retryable=False), began=0, now=1)


def test_a_call_is_given_up_while_the_model_answers_others() -> None:
    health, tries = Health(), 0
    patience = Patience(health)
    for at in range(100):
        health.answered(at + 0.5)
        tries += 1
        if not patience.goes_on(failure(), began=at, now=at + 1):
            break
    assert tries == MAX_FAILURES


def test_an_outage_loses_no_call_however_many_attempts_it_takes() -> None:
    patience = Patience(Health())
    assert all(patience.goes_on(failure(), began=at, now=at + 1) for at in range(int(PATIENCE_S)))


def test_an_attempt_that_failed_as_the_outage_ended_is_not_the_end() -> None:
    health = Health()
    patience = Patience(health)
    for at in range(50):
        assert patience.goes_on(failure(), began=at, now=at + 1)
    health.answered(50.5)
    assert patience.goes_on(failure(), began=50, now=51)


def test_an_outage_without_end_ends_the_calls() -> None:
    health = Health()
    patience, tries = Patience(health), 1
    while patience.goes_on(failure(), began=tries * 10, now=tries * 10 + 1):
        tries += 1
    assert PATIENCE_S / 10 <= tries <= PATIENCE_S / 10 + 2
    late, tries = Patience(health), 1
    while late.goes_on(failure(), began=PATIENCE_S + 20 + tries, now=PATIENCE_S + 20 + tries):
        tries += 1
    assert tries == MAX_FAILURES, "a call that begins in the middle of a long outage waits no second time"


def test_a_failure_of_long_ago_says_nothing_of_the_time_since() -> None:
    health = Health()
    Patience(health).goes_on(failure(), began=0, now=1)
    later = 2 * PATIENCE_S
    patience = Patience(health)
    assert all(patience.goes_on(failure(), began=later + n, now=later + n) for n in range(int(PATIENCE_S)))


def test_a_call_that_is_turned_away_is_tried_as_long_as_an_outage_lasts() -> None:
    health, tries = Health(), 1
    patience = Patience(health)
    while patience.goes_on(failure(CallErrorKind.RATE_LIMITED), began=tries * 10, now=tries * 10 + 1):
        health.answered(tries * 10 + 2)
        tries += 1
    assert PATIENCE_S / 10 <= tries <= PATIENCE_S / 10 + 2


def test_an_outage_counts_from_when_the_model_last_answered() -> None:
    """After an outage of nearly the longest kind, one failure more among answers is not the end."""
    health = Health()
    patience = Patience(health)
    for at in range(int(PATIENCE_S)):
        assert patience.goes_on(failure(), began=at, now=at)
    health.answered(PATIENCE_S)
    assert patience.goes_on(failure(), began=PATIENCE_S + 1, now=PATIENCE_S + 1)
    for at in range(int(PATIENCE_S)):
        assert patience.goes_on(failure(), began=PATIENCE_S + 2 + at, now=PATIENCE_S + 2 + at)


def test_text_in_an_outage_may_have_cost_something() -> None:
    patience, tries = Patience(Health()), 1
    half = Reply("half", "", "", None, None, None)
    while patience.goes_on(failure(partial=half), began=tries, now=tries):
        tries += 1
    assert tries == MAX_FAILURES


@pytest.mark.parametrize("kind", [CallErrorKind.TIMEOUT, CallErrorKind.CUT_OFF, CallErrorKind.MALFORMED])
def test_attempts_that_may_have_cost_something_are_few(kind: CallErrorKind) -> None:
    patience, tries = Patience(Health()), 1
    while patience.goes_on(failure(kind), began=tries, now=tries):
        tries += 1
    assert tries == MAX_FAILURES


def test_backoff_doubles_up_to_a_cap_with_full_jitter() -> None:
    assert [delay_s(n, None, lambda low, high: high) for n in (1, 2, 3, 4, 5, 60)] == [1, 2, 4, 8, 10, 10]
    assert [delay_s(n, None, lambda low, high: low) for n in (1, 2, 3)] == [0, 0, 0]


@given(st.floats(allow_nan=False, allow_infinity=True), st.floats(0, 1))
def test_retry_after_is_waited_for_up_to_an_hour(retry_after_s: float, share: float) -> None:
    delay = delay_s(1, retry_after_s, lambda low, high: low + share * (high - low))
    wanted = min(max(retry_after_s, 0.0), LONGEST_RETRY_AFTER_S)
    assert wanted <= delay <= wanted + 1.0
