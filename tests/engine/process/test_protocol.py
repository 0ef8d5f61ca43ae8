import dataclasses
import json
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.engine import protocol
from uq_tui.engine.protocol import (
    CallFinished,
    RunProgress,
    Shutdown,
    StartRun,
    UtilityUpdated,
    decode,
    encode,
    from_plain,
    to_plain,
)
from uq_tui.engine.requests import CbuRequest, ModelChoice, Request, ValidateRequest
from uq_tui.errors import ProtocolError
from uq_tui.words import CallErrorKind, CallState

_KINDS = (*get_args(Request), *get_args(protocol.Command), *get_args(protocol.Event))

_MESSAGES = st.one_of([st.from_type(kind) for kind in _KINDS]).filter(
    lambda message: all(value == value and abs(value) != float("inf") for value in _floats(message))
)


def _floats(message: Any) -> list[float]:
    return [v for f in dataclasses.fields(message) if isinstance(v := getattr(message, f.name), float)]


@given(_MESSAGES)
def test_every_message_survives_a_line(message: Any) -> None:
    line = encode(message)

    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert line.isascii()
    assert decode(line) == message


@given(_MESSAGES)
def test_plain_form_is_what_json_holds(message: Any) -> None:
    assert from_plain(json.loads(json.dumps(to_plain(message)))) == message


def test_lone_surrogates_and_controls_stay_inside_their_line() -> None:
    request = ValidateRequest(("a\nb\u2028\x00\ud800",), ModelChoice("m"))

    line = encode(StartRun("t", request))

    assert line.count(b"\n") == 1
    assert decode(line) == StartRun("t", request)


def test_whole_number_stands_for_a_cost() -> None:
    line = encode(RunProgress("r", 1, 2, 3, 4, 5, 1.0, 6)).replace(b"1.0", b"1")

    message = decode(line)

    assert isinstance(message, RunProgress)
    assert isinstance(message.cost_usd, float)


def test_enums_come_back_as_enums() -> None:
    message = decode(encode(CallFinished("r", "k", "", "", CallState.FAILED, CallErrorKind.TIMEOUT, "late", False)))

    assert isinstance(message, CallFinished)
    assert message.state is CallState.FAILED
    assert message.error_kind is CallErrorKind.TIMEOUT


def _line(**fields: Any) -> bytes:
    return json.dumps({"v": protocol.VERSION, **fields}).encode()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b'{"v":1,"type":"UtilityUpdated","run_id":"r","candidate_id":"c","mean":NaN,"complete":true}', "not JSON"),
        (b"[]", "is a list"),
        (b"null", "is a NoneType"),
        (b'{"type":"Shutdown"}', "version None"),
        (b'{"v":1,"type":"Shutdown"}', "version 1"),
        (_line(type="Nothing"), "Unknown message 'Nothing'"),
        (_line(), "Unknown message None"),
        (_line(type="ResumeRun"), "incomplete"),
        (_line(type="ResumeRun", run_id="r", more=1), "no field ['more']"),
        (_line(type="ResumeRun", run_id=1), "run_id is int, expected str"),
        (_line(type="ResumeRun", run_id=None), "run_id is NoneType"),
        (_line(type="RunFinished", run_id="r", state="fine", message=""), "state"),
        (_line(type="RunFinished", run_id="r", state=3, message=""), "expected RunState"),
        (_line(type="WorkerReady", version=True, pid=1), "version is bool"),
        (_line(type="UtilityUpdated", run_id="r", candidate_id="c", mean=10**400, complete=True), "mean is not"),
        (_line(type="StartRun", ticket="t", request=to_plain(Shutdown())), "request is not"),
        (_line(type="StartRun", ticket="t", request="all"), "request is not"),
        (
            _line(
                type="StartRun", ticket="t", request={"v": protocol.VERSION, "type": "CbuRequest", "question_id": "q"}
            ),
            "incomplete",
        ),
        (_line(type="GenerateRequest", question_ids="q", model={"id": "m"}), "expected a list"),
        (_line(type="GenerateRequest", question_ids=["q"], model="m"), "expected ModelChoice"),
        (_line(type="GenerateRequest", question_ids=["q"], model=to_plain(Shutdown())), "expected ModelChoice"),
    ],
)
def test_what_is_not_a_message_is_refused(line: bytes, said: str) -> None:
    with pytest.raises(ProtocolError, match=r"[\s\S]*") as caught:
        decode(line)
    assert said in caught.value.message


@pytest.mark.parametrize("kind", _KINDS)
def test_no_field_hides_the_envelope(kind: Any) -> None:
    assert {f.name for f in dataclasses.fields(kind)}.isdisjoint({"v", "type"})


def test_none_is_kept_where_it_is_allowed() -> None:
    message = UtilityUpdated("r", "c", None, False)
    assert decode(encode(message)) == message


def test_nested_request_keeps_its_own_kind() -> None:
    request = CbuRequest("q", ModelChoice("m", "http://127.0.0.1:1/v1"), ("a", "b"), rollouts=2, control=False)
    assert decode(encode(StartRun("t", request))) == StartRun("t", request)


@given(st.binary(max_size=200))
def test_noise_never_raises_anything_else(line: bytes) -> None:
    try:
        decode(line)
    except ProtocolError:
        return
    raise AssertionError("noise was taken for a message")


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
    ),
    st.sampled_from([kind.__name__ for kind in _KINDS]),
)
def test_any_json_under_a_known_kind_is_read_or_refused(value: Any, kind: str) -> None:
    fields = value if isinstance(value, dict) else {"run_id": value}
    try:
        from_plain({**fields, "v": protocol.VERSION, "type": kind})
    except ProtocolError:
        return
