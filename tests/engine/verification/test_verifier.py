"""What a rollout's value is, and what it says of how it came about."""

import asyncio
import threading
from itertools import pairwise
from pathlib import Path

import pytest

from tests.engine.runs.scripted import Said, Scripted
from uq_tui.analysis.answers import Value
from uq_tui.engine.verification import verifier as module
from uq_tui.engine.verification.symbolic import SymbolicChecker
from uq_tui.engine.verification.verifier import CHILDREN, MOST_BOXES, PAUSE_AFTER, REMEMBERED, Verified, Verifier
from uq_tui.words import CallErrorKind, DecidedBy

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def verified(verifier: Verifier, expected: str, reply: str, finish_reason: str = "stop") -> Verified:
    return await verifier.verify(expected, Scripted.call(Said(reply, finish_reason=finish_reason)))


@pytest.mark.parametrize(
    ("expected", "reply", "value", "by", "answer"),
    [
        ("1024", r"So \boxed{1,024}", 1, DecidedBy.EXACT, "1,024"),
        ("1024", r"So \boxed{1025}", 0, DecidedBy.EXACT, "1025"),
        (r"\sqrt8", r"So \boxed{2\sqrt2}", 1, DecidedBy.SYMBOLIC, r"2\sqrt2"),
        (r"\sqrt8", r"So \boxed{2\sqrt3}", 0, DecidedBy.SYMBOLIC, r"2\sqrt3"),
        ("1024", r"\boxed{\text{none}}", 0, DecidedBy.EXACT, r"\text{none}"),
        ("1024", r"\boxed{\text{a lot}}", None, DecidedBy.UNDECIDABLE, r"\text{a lot}"),
        ("Newton", r"\boxed{Leibniz}", None, DecidedBy.UNDECIDABLE, "Leibniz"),
        ("1024", "I do not know.", 0, DecidedBy.NO_ANSWER, ""),
        ("1024", r"\boxed{}", 0, DecidedBy.NO_ANSWER, ""),
        ("5", "\\boxed{4}\nNo, wait.\nIt is \\boxed{5}. Indeed $5 < 6$.", 1, DecidedBy.EXACT, "5"),
        ("5", r"\boxed{4} no, \boxed{5}", None, DecidedBy.UNDECIDABLE, "4 ; 5"),
        ("5", r"\boxed{5} or \boxed{4}", None, DecidedBy.UNDECIDABLE, "5 ; 4"),
        ("0.5", r"\boxed{\frac12} = \boxed{0.5}", 1, DecidedBy.EXACT, "0.5"),
        (r"\sqrt2", r"$\boxed{\sqrt2} = \boxed{2^{1/2}}$", 1, DecidedBy.SYMBOLIC, "2^{1/2}"),
        ("5", "".join(rf"\boxed{{{'0' * number}5}}" for number in range(MOST_BOXES + 1)), None, "undecidable", None),
    ],
)
async def test_value_and_how_it_came_about(
    verifier: Verifier, expected: str, reply: str, value: int | None, by: str, answer: str | None
) -> None:
    found = await verified(verifier, expected, reply)

    assert (found.value, found.decided_by) == (value, by)
    assert answer is None or found.answer == answer
    assert found.value is not None or found.reason
    assert found.open is (found.decided_by is DecidedBy.UNDECIDABLE)


@pytest.mark.parametrize(
    ("reply", "answer"), [("So far", ""), (r"\boxed{102", ""), (r"\boxed{1024}. But then again", "1024")]
)
async def test_a_reply_that_was_cut_has_no_value(verifier: Verifier, reply: str, answer: str) -> None:
    found = await verified(verifier, "1024", reply, finish_reason="length")

    assert (found.value, found.decided_by, found.answer, found.open) == (None, DecidedBy.CUT_OFF, answer, False)


async def test_a_failed_call_has_no_value(verifier: Verifier) -> None:
    call = Scripted.call(Said(r"\boxed{1024}", error=CallErrorKind.TIMEOUT))
    found = await verifier.verify("1024", call)

    assert (found.value, found.decided_by, found.answer) == (None, DecidedBy.CALL_FAILED, "")
    assert "timeout" in found.reason


EXECUTED = Path("/tmp/uq-tui-executed")
HOSTILE = [
    "9**9**9",
    "9^{9^{9}}",
    "9^{9^{9^9}}",
    "(9^{9^9})!",
    "7" * 1_000_000,
    "\\sqrt{" * 5_000 + "5" + "}" * 5_000,
    "\\sqrt{" * 600 + "5" + "}" * 600,
    "(" * 3_000 + "5" + ")" * 3_000,
    "(" * 200_000,
    "__import__('os').system('touch /tmp/uq-tui-executed')",
    "().__class__.__bases__[0].__subclasses__()",
    "eval",
    "exec(chr(53))",
    "globals()",
    "5 if open('/tmp/uq-tui-executed', 'w') else 5",
]


async def test_hostile_answers_fail_by_the_limit_and_the_next_pair_works() -> None:
    async with Verifier(0.5) as verifier:
        for expected, answer in [*(("5", one) for one in HOSTILE), *((one, "5") for one in HOSTILE[:2])]:
            found = await verifier.equal(expected, answer)
            assert (found.value, found.by, bool(found.reason)) == (None, DecidedBy.FAILED, True), answer[:40]
    assert not EXECUTED.exists()


async def test_the_same_pair_takes_each_child_once_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    original = SymbolicChecker.equal

    async def counting(self: SymbolicChecker, expected: Value, answer: Value, timeout_s: float) -> bool | None:
        asked.append(answer)
        return await original(self, expected, answer, timeout_s)

    monkeypatch.setattr(SymbolicChecker, "equal", counting)
    async with Verifier(0.3) as verifier:
        found = await asyncio.gather(*(verifier.equal("5", "9^{9^{9}}") for _ in range(40)))
        found.append(await verifier.equal("5", "9^{9^{9}}"))

    assert {one.by for one in found} == {DecidedBy.FAILED}
    assert 1 <= len(asked) <= CHILDREN


async def test_no_more_pairs_are_remembered_than_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "REMEMBERED", 3)
    assert REMEMBERED > 3
    async with Verifier() as verifier:
        for number in range(9):
            await verifier.equal("5", f"word {number}")

        assert [answer for _, answer in verifier._known] == ["word 6", "word 7", "word 8"]


@pytest.mark.parametrize("at_once", [False, True])
async def test_the_loop_turns_while_thousands_are_verified(at_once: bool) -> None:
    calls = [Scripted.call(Said(rf"Thinking. So \boxed{{{number:,}}}.")) for number in range(5_000)]
    done, seen = 0, [0]

    async def probe() -> None:
        while done < len(calls):
            seen.append(done)
            await asyncio.sleep(0)

    async def one(number: int) -> None:
        nonlocal done
        assert (await verifier.verify(str(number), calls[number])).value == 1
        done += 1

    async with Verifier() as verifier:
        watching = asyncio.create_task(probe())
        if at_once:
            await asyncio.gather(*map(one, range(len(calls))))
        else:
            for number in range(len(calls)):
                await one(number)
        await watching

    most_between_turns = max(later - earlier for earlier, later in pairwise([*seen, done]))
    assert most_between_turns <= PAUSE_AFTER // module._FEWEST


@pytest.mark.parametrize(
    ("name", "expected", "reply"),
    [
        ("final_boxes", "5", "word " * 200_000 + r"\boxed{5}"),
        ("read", r"\{1\}", rf"\boxed{{\{{{'1, ' * 1_200}1\}}}}"),
    ],
)
async def test_long_texts_are_read_off_the_loop(
    monkeypatch: pytest.MonkeyPatch, name: str, expected: str, reply: str
) -> None:
    threads = []
    original = getattr(module, name)

    def recording(text: str) -> object:
        threads.append(threading.current_thread())
        return original(text)

    monkeypatch.setattr(module, name, recording)
    async with Verifier() as verifier:
        assert (await verified(verifier, expected, reply)).value == 1

    assert threads
    assert threading.main_thread() not in threads
