"""Comparing final answers by exact reading, against math-verify's own parsing and comparison of the same answers."""

import asyncio
import statistics
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

from benchmarks.results import Result
from store.run_rows import Call
from uq_tui.analysis.answers import compare
from uq_tui.engine.verification.verifier import Verifier
from uq_tui.words import CallState

RUNS = 5
NUMBERS = 2_000
BASELINE_NUMBERS = 10
"""Each number makes one pair of every kind."""
REPLY_WORDS = 400
Pair = tuple[str, str]

KINDS: tuple[Callable[[int, int], Pair], ...] = (
    lambda known, given: (f"{known}", f"{given}"),
    lambda known, given: (f"{known + 1000}", f"{given + 1000:,}"),
    lambda known, given: (f"-{known}", f"$-{given}$"),
    lambda known, given: (f"{known}/7", rf"\frac{{{given}}}{{7}}"),
    lambda known, given: (f"{known}.5", rf"\dfrac{{{2 * given + 1}}}{{2}}"),
    lambda known, given: (f"({known}, 2)", rf"\left({given}, 2\right)"),
    lambda known, given: (rf"\{{1, {known}\}}", rf"\left\{{{given}, 1\right\}}"),
    lambda known, given: (f"[0, {known})", rf"\left[0, {given}\right)"),
    lambda known, given: (f"{known}", f"x = {given}"),
    lambda known, given: (f"{known}00000", rf"{given} \times 10^{{5}}"),
    lambda known, given: (
        rf"\begin{{pmatrix}}1&2\\3&{known}\end{{pmatrix}}",
        rf"\begin{{bmatrix}} 1 & 2 \\ 3 & {given} \end{{bmatrix}}",
    ),
)
"""An answer and another notation of it; no two pairs are the same."""


def measure() -> list[Result]:
    """Pairs a second of processor time, of which half are equal; and whole rollouts, with a reply of some 2 KB each."""
    pairs, fewer = list(_pairs(NUMBERS)), list(_pairs(BASELINE_NUMBERS))
    parse, verify = (getattr(import_module("math_verify"), name) for name in ("parse", "verify"))

    def theirs(known: str, given: str) -> object:
        return verify(parse(f"${known}$"), parse(f"${given.strip('$')}$"))

    theirs(*fewer[0])
    ours, baseline = [], []
    for _ in range(RUNS):
        baseline.append(_rate(theirs, fewer))
        ours.append(_rate(compare, pairs))
    rollouts = [asyncio.run(_rollouts(pairs)) for _ in range(RUNS)]
    ratio = statistics.median(one / other for one, other in zip(ours, baseline, strict=True))
    what = f"exact reading of {len(KINDS)} kinds, by processor time, against math-verify; aim >= 10,000"
    return [
        Result(
            "cbu.verify_exact",
            statistics.median(ours),
            "pairs/s",
            statistics.median(baseline),
            ratio,
            RUNS,
            what,
            len(pairs),
        ),
        Result(
            "cbu.verify_rollouts",
            statistics.median(rollouts),
            "rollouts/s",
            None,
            None,
            RUNS,
            "the same pairs, the answer boxed in a reply of 2 KB, the loop turning",
            len(pairs),
        ),
    ]


def _pairs(numbers: int) -> Iterator[Pair]:
    for number in range(1, numbers + 1):
        for kind in KINDS:
            yield kind(number, number + number % 2)


def _rate(compared: Callable[[str, str], object], pairs: list[Pair]) -> float:
    started = time.process_time()
    for known, given in pairs:
        compared(known, given)
    return len(pairs) / (time.process_time() - started)


async def _rollouts(pairs: list[Pair]) -> float:
    calls = [(known, _call(f"{'Step. ' * REPLY_WORDS}So \\boxed{{{given}}}.")) for known, given in pairs]
    async with Verifier() as verifier:
        started = time.process_time()
        found = [await verifier.verify(known, call) for known, call in calls]
        seconds = time.process_time() - started
    assert all(one.value is not None for one in found)
    return len(pairs) / seconds


def _call(reply: str) -> Call:
    blank: dict[str, Any] = dict.fromkeys(
        ("key", "model", "endpoint", "template", "template_version", "template_sha256", "reasoning", "error"), ""
    )
    return Call(
        **blank,
        messages=(),
        parameters={},
        dropped=(),
        epoch=0,
        sample=0,
        state=CallState.DONE,
        reply=reply,
        finish_reason="stop",
        error_kind=None,
        tokens_in=None,
        tokens_out=None,
        cost_usd=None,
        latency_s=None,
        attempts=1,
        constrained=False,
        run_id="",
        created_at="",
    )
