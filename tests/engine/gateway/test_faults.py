"""Every fault of the table, through the real `send` over real HTTP: what each comes to, streamed and plain."""

from collections.abc import Mapping
from typing import Any

import pytest

from tests.engine.gateway.faults import ATTEMPTS, FAULTS, Expected, Fault, address_of
from tests.engine.gateway.together import Outcome, outcome, together
from tests.fakes.openai_server import FakeServer, Rule
from uq_tui.engine.gateways.llm import ensure_litellm_ready
from uq_tui.engine.gateways.sending import Target
from uq_tui.engine.spec import CallFailedError, Reply
from uq_tui.words import CallErrorKind

CASES: list[tuple[Fault, bool]] = [
    (fault, streamed)
    for fault in FAULTS
    for streamed, expected in ((True, fault.stream), (False, fault.plain))
    if expected is not None
]


@pytest.fixture(scope="module")
def outcomes() -> Mapping[tuple[Fault, bool], Outcome]:
    async def ask(litellm: Any, case: tuple[Fault, bool]) -> Outcome:
        fault, streamed = case
        with address_of(fault) as base:
            target = Target("openai", "m", base, base, "none")
            return await outcome(litellm, target, streamed=streamed, timeouts=fault.timeouts)

    return together(CASES, ask)


@pytest.mark.parametrize(
    ("fault", "streamed"), CASES, ids=[f"{fault} ({'stream' if streamed else 'plain'})" for fault, streamed in CASES]
)
def test_a_fault_comes_to_what_the_table_says(
    fault: Fault, streamed: bool, outcomes: Mapping[tuple[Fault, bool], Outcome]
) -> None:
    expected = fault.stream if streamed else fault.plain
    assert expected is not None
    came, heard = outcomes[fault, streamed]
    if isinstance(came, CallFailedError):
        assert (came.kind, came.retryable) == (expected.kind, expected.retryable), str(came)
        assert came.retry_after_s == expected.retry_after_s
        assert expected.says in str(came)
        assert "litellm" not in str(came).lower()
        kept = came.partial or Reply("", "", "", None, None, None)
    else:
        assert expected.kind is None
        kept = came
    assert _told(kept) == _told_by(expected)
    assert kept.raw == ""
    if streamed:
        assert (heard.reasoning, heard.reply) == (kept.reasoning, kept.reply)


def _told(reply: Reply) -> tuple[str, str, str, bool]:
    counted = (reply.tokens_in is not None, reply.tokens_out is not None)
    assert counted[0] == counted[1]
    return reply.reasoning, reply.reply, reply.finish_reason, counted[0]


def _told_by(expected: Expected) -> tuple[str, str, str, bool]:
    return expected.reasoning, expected.reply, expected.finish, expected.counted


def test_the_table_names_each_fault_once_and_says_how_often_it_is_asked() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)
    assert {expected.requests for fault in FAULTS for expected in (fault.stream, fault.plain) if expected} == {
        1,
        ATTEMPTS,
    }


async def test_an_outage_ends_whatever_is_asked() -> None:
    litellm = ensure_litellm_ready()
    with FakeServer([Rule(reply="ok")], outage=3) as server:
        target = Target("openai", "m", server.base_url, server.base_url, "none")
        came = []
        for _ in range(4):
            found, _ = await outcome(litellm, target, streamed=False)
            came.append(found.kind if isinstance(found, CallFailedError) else found.reply)
    await litellm.close_litellm_async_clients()
    assert came == [CallErrorKind.SERVER, CallErrorKind.SERVER, CallErrorKind.SERVER, "ok"]
