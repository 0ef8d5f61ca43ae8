"""Sums that don't take what is unknown for nothing."""

import pytest

from uq_tui.state.usage import CallTook, Usage, dollars

KNOWN = CallTook(tokens=1_200, cost_usd=0.0031)
UNKNOWN = CallTook()


@pytest.mark.parametrize(
    ("calls", "text", "brief"),
    [
        ((), "0 calls", ""),
        ((KNOWN,), "1 call, 1,200 tokens, $0.0031", "1.2k $.0031"),
        ((KNOWN, UNKNOWN), "2 calls, ≥ 1,200 tokens, ≥ $0.0031", "≥ 1.2k ≥ $.0031"),
        ((UNKNOWN,), "1 call, tokens unknown, cost unknown", ""),
        ((CallTook(tokens=0, cost_usd=0.0),), "1 call, 0 tokens, $0.00", "0"),
        ((CallTook(running=True),), "1 call", ""),
        ((CallTook(tokens=5),), "1 call, 5 tokens, cost unknown", "5"),
        ((CallTook(tokens=2_500_000, cost_usd=1.5),), "1 call, 2,500,000 tokens, $1.50", "2.5M $1.50"),
        (
            (KNOWN, CallTook(tokens=300, cost_usd=0.0, alone=True)),
            "≥ 2 calls, ≥ 1,500 tokens, ≥ $0.0031",
            "≥ 1.5k ≥ $.0031",
        ),
        (
            (CallTook(tokens=5, cost_usd=0.2, remembered=True, retries=1),),
            "1 call (1 remembered, 1 attempt made again), 5 tokens, $0.20",
            "5 $.20",
        ),
    ],
)
def test_what_is_known_is_told_and_what_is_not_is_said(calls: tuple[CallTook, ...], text: str, brief: str) -> None:
    usage = Usage.of(calls)
    assert (usage.text(), usage.brief()) == (text, brief)


def test_small_amounts_keep_their_digits() -> None:
    assert [dollars(amount) for amount in (0, 0.00312, 0.1, 2)] == ["$0.00", "$0.0031", "$0.10", "$2.00"]
