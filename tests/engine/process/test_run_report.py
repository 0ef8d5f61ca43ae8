import pytest

from store.run_rows import Call
from uq_tui.engine.run_report import report
from uq_tui.words import CallErrorKind, CallState, RunKind, RunState


def failed(key: str, kind: CallErrorKind, error: str, *, attempts: int = 4) -> Call:
    return Call(
        key=key,
        model="m",
        endpoint="",
        messages=(),
        parameters={},
        dropped=(),
        epoch=0,
        sample=0,
        template="",
        template_version="",
        template_sha256="",
        state=CallState.FAILED,
        reasoning="",
        reply="",
        finish_reason="",
        error_kind=kind,
        error=error,
        tokens_in=None,
        tokens_out=None,
        cost_usd=None,
        latency_s=1.0,
        attempts=attempts,
        constrained=False,
        run_id="r",
        created_at=key,
    )


@pytest.mark.parametrize(
    ("kind", "done", "total", "said"),
    [
        (RunKind.GENERATE, 1, 1, "1 answer generated."),
        (RunKind.VALIDATE, 12, 12, "12 candidates validated."),
        (RunKind.CBU, 1600, 1600, "1,600 rollouts decided."),
        (RunKind.VALIDATE, 0, 1, "0 of 1 candidate validated."),
        (RunKind.NEIGHBOURS, 4, 5, "4 of 5 proposals tried."),
    ],
)
def test_it_says_what_was_done(kind: RunKind, done: int, total: int, said: str) -> None:
    assert report(kind, RunState.DONE, done=done, total=total, failures=(), repeated=0) == said


def test_it_says_how_far_a_stopped_run_came() -> None:
    cancelled = report(RunKind.VALIDATE, RunState.CANCELLED, done=3, total=12, failures=(), repeated=0)
    interrupted = report(RunKind.CBU, RunState.INTERRUPTED, done=3, total=12, failures=(), repeated=0)

    assert cancelled == "Cancelled: 3 of 12 candidates validated."
    assert interrupted == "Interrupted: 3 of 12 rollouts decided."


def test_it_says_what_failed_and_why() -> None:
    failures = [
        failed("2", CallErrorKind.TIMEOUT, "no answer in 60 s"),
        failed("1", CallErrorKind.RATE_LIMITED, "too many\n requests"),
        failed("3", CallErrorKind.RATE_LIMITED, "slow down"),
    ]

    said = report(RunKind.VALIDATE, RunState.DONE, done=12, total=12, failures=failures, repeated=0)

    assert said.splitlines() == [
        "12 candidates validated.",
        "3 calls failed after retries (2 rate limited, 1 timeout), the first with: too many requests",
    ]


def test_it_says_when_nothing_was_retried() -> None:
    failures = [failed("1", CallErrorKind.AUTH, "wrong key", attempts=1)]

    said = report(RunKind.GENERATE, RunState.DONE, done=1, total=1, failures=failures, repeated=0)

    assert said.splitlines()[1] == "1 call failed (1 auth), the first with: wrong key"


def test_a_long_reason_is_cut() -> None:
    failures = [failed("1", CallErrorKind.SERVER, "x" * 5000)]

    said = report(RunKind.GENERATE, RunState.DONE, done=1, total=1, failures=failures, repeated=0)

    assert len(said) < 400
    assert said.endswith("…")


@pytest.mark.parametrize(("n", "said"), [(1, "1 call was in flight"), (3, "3 calls were in flight")])
def test_it_says_how_many_calls_were_repeated(n: int, said: str) -> None:
    assert said in report(RunKind.CBU, RunState.DONE, done=1, total=1, failures=(), repeated=n)


def test_trouble_comes_first() -> None:
    said = report(RunKind.CBU, RunState.FAILED, done=0, total=8, failures=(), repeated=0, trouble="No key.\nSet KEY.")

    assert said.splitlines() == ["No key.", "Set KEY.", "0 of 8 rollouts decided."]
