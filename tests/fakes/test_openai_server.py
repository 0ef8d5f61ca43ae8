"""The fake server itself, over plain HTTP: everything else leans on it."""

import http.client
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.openai_server import FakeServer, Rule, SeenRequest, load_rules, pure_script
from tests.fakes.server_process import FakeServerProcess

DECIDE = "The last line must be exactly `ABCD2345: accept` or `ABCD2345: reject`."


def _open(server: FakeServer, text: str, *, key: str = "k", **body: Any) -> http.client.HTTPConnection:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    sent = {"model": "m", "stream": True, "messages": [{"role": "user", "content": text}], **body}
    connection.request("POST", "/v1/chat/completions", json.dumps(sent), {"Authorization": f"Bearer {key}"})
    return connection


def _events(raw: bytes) -> list[dict[str, Any]]:
    lines = [line.removeprefix("data: ") for line in raw.decode().splitlines() if line]
    assert lines[-1] == "[DONE]"
    return [json.loads(line) for line in lines[:-1]]


def _reply(events: list[dict[str, Any]]) -> str:
    return "".join(choice["delta"].get("content", "") for event in events for choice in event["choices"])


def test_streams_the_first_matching_rule_with_the_tag_of_the_request() -> None:
    rules = [Rule(reply="other", contains=("absent",)), Rule(reply="It holds.\n{tag}: accept", contains=("last line",))]
    with FakeServer(rules) as server:
        events = _events(_open(server, DECIDE).getresponse().read())
    assert _reply(events) == "It holds.\nABCD2345: accept"
    assert events[-1]["choices"][0]["finish_reason"] == "stop"


def test_usage_comes_only_when_asked_for() -> None:
    with FakeServer([Rule(reply="one two three")]) as server:
        plain = _events(_open(server, "hello there").getresponse().read())
        counted = _events(_open(server, "hello there", stream_options={"include_usage": True}).getresponse().read())
    assert not any("usage" in event for event in plain)
    assert counted[-1]["usage"] == {"prompt_tokens": 2, "completion_tokens": 3, "total_tokens": 5}


def test_rules_can_tell_turns_apart() -> None:
    with FakeServer([Rule(reply="second", turn=2), Rule(reply="first", turn=1)]) as server:
        messages = [
            {"role": "user", "content": "a"},
            {"role": "assistant", "content": "first"},
            {"role": "user", "content": "sure?"},
        ]
        assert _reply(_events(_open(server, "a").getresponse().read())) == "first"
        assert _reply(_events(_open(server, "", messages=messages).getresponse().read())) == "second"


def test_fails_as_often_as_told_then_answers() -> None:
    with FakeServer([Rule(reply="ok", status=429, retry_after="2", fail_times=2)]) as server:
        answers = [_open(server, "x").getresponse() for _ in range(3)]
        assert [answer.status for answer in answers] == [429, 429, 200]
        assert answers[0].headers["Retry-After"] == "2"


def test_no_matching_rule_and_a_failing_script_say_so() -> None:
    def failing(request: SeenRequest) -> Rule:
        raise KeyError(request.path)

    with FakeServer([]) as server:
        answer = _open(server, "x").getresponse()
        assert answer.status == 400
        assert b"no rule matches" in answer.read()
    with FakeServer(failing) as server:
        assert b"the script failed" in _open(server, "x").getresponse().read()


def test_wrong_key_is_refused_and_keys_are_not_kept() -> None:
    with FakeServer([Rule(reply="ok")], api_key="right") as server:
        assert _open(server, "x", key="wrong").getresponse().status == 401
        assert _open(server, "x", key="right").getresponse().status == 200
        (seen,) = server.requests
    assert seen.had_key("right")
    assert "right" not in repr(seen)


def test_a_client_that_leaves_a_stalled_answer_is_noticed() -> None:
    with FakeServer([Rule(reply="a b c d", stall_after=3)]) as server:
        connection = _open(server, "x")
        answer = connection.getresponse()
        assert server.wait_until(lambda seen: seen[0].chunks_sent == 3)
        assert not server.requests[0].disconnected
        answer.close()
        connection.close()
        assert server.wait_until(lambda seen: seen[0].disconnected)


def test_a_released_answer_goes_on() -> None:
    with FakeServer([Rule(reply="a b c d", stall_after=3)]) as server:
        answer = _open(server, "x").getresponse()
        assert server.wait_until(lambda seen: seen[0].chunks_sent == 3)
        server.release()
        assert _reply(_events(answer.read())) == "a b c d"
        assert server.wait_until(lambda seen: seen[0].finished)


def test_whole_answers_and_the_list_of_models() -> None:
    with FakeServer([Rule(reply="ok", reasoning="why")], models=("m1", "m2")) as server:
        whole = json.loads(_open(server, "x", stream=False).getresponse().read())
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
        connection.request("GET", "/v1/models")
        listed = json.loads(connection.getresponse().read())
    assert whole["choices"][0]["message"] == {"role": "assistant", "content": "ok", "reasoning_content": "why"}
    assert [model["id"] for model in listed["data"]] == ["m1", "m2"]


def test_runs_as_a_process_with_a_rule_file_and_a_log(tmp_path: Path) -> None:
    rules, log = tmp_path / "rules.json", tmp_path / "seen.jsonl"
    rules.write_text(json.dumps([{"contains": ["prime"], "reply": "yes\n{tag}: reject", "reasoning": "hm"}]))
    assert load_rules(rules) == (Rule(contains=("prime",), reply="yes\n{tag}: reject", reasoning="hm"),)
    command = [sys.executable, "-m", "tests.fakes.openai_server", "--port", "0", "--rules", str(rules)]
    with subprocess.Popen([*command, "--log", str(log)], stdout=subprocess.PIPE, env=os.environ.copy()) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        body = {"stream": True, "messages": [{"role": "user", "content": f"prime? {DECIDE}"}]}
        connection.request("POST", "/v1/chat/completions", json.dumps(body))
        assert _reply(_events(connection.getresponse().read())) == "yes\nABCD2345: reject"
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0
    rows = [json.loads(line) for line in log.read_text().splitlines()]
    assert [row["event"] for row in rows] == ["request", "end"]
    assert rows[1]["finished"] is True


def test_noise_bad_bytes_and_single_bytes_go_out_as_written() -> None:
    noisy = Rule(pieces=("caf\udce9",), noise=": hm\n\n", noise_after=1, bytes_per_write=1, done=False, usage=False)
    with FakeServer([noisy]) as server:
        raw = _open(server, "x").getresponse().read()
    head, _, rest = raw.partition(b": hm\n\n")
    assert head.count(b"data: ") == 1
    assert b'"caf\xe9"' in rest
    assert b"[DONE]" not in raw


@pytest.mark.parametrize("how", ["close", "reset", "mid_event"])
def test_a_cut_answer_is_incomplete_and_an_ended_one_is_not(how: Any) -> None:
    with FakeServer([Rule(reply="a b c d", cut_after=2, cut_how=how)]) as server:
        answer = _open(server, "x").getresponse()
        with pytest.raises((http.client.IncompleteRead, ConnectionResetError)):
            answer.read()
    with FakeServer([Rule(reply="a b c d", cut_after=2, cut_how="clean")]) as server:
        assert _open(server, "x").getresponse().read().count(b"data: ") == 2


def test_before_the_headers_nothing_comes() -> None:
    with FakeServer([Rule(reply="a", cut_after=-1)]) as server, pytest.raises(http.client.RemoteDisconnected):
        _open(server, "x").getresponse()


def test_an_outage_fails_the_first_requests_whatever_they_are() -> None:
    with FakeServer([Rule(reply="ok")], outage=2) as server:
        assert [_open(server, str(n)).getresponse().status for n in range(4)] == [500, 500, 200, 200]


def test_a_connection_may_be_kept() -> None:
    with FakeServer([Rule(reply="ok")], keep_alive=True) as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
        for stream in (True, False, True):
            body = json.dumps({"stream": stream, "messages": [{"role": "user", "content": "x"}]})
            connection.request("POST", "/v1/chat/completions", body)
            assert connection.getresponse().read()
        connection.close()
        assert (server.connections, len(server.requests)) == (1, 3)


def test_pure_replies_depend_on_messages_and_sample_but_not_on_the_tag() -> None:
    def reply(text: str, sample: int = 0) -> str:
        body = {"messages": [{"role": "user", "content": text}]}
        headers = {"x-uq-sample": str(sample)}
        return pure_script()(SeenRequest("/", headers, "", body, 0.0)).reply

    assert reply("q") == reply("q") != reply("r")
    assert len({reply("q", sample) for sample in range(10)}) > 5
    assert "boxed" in reply("q")
    assert reply(DECIDE) == reply(DECIDE.replace("ABCD2345", "WXYZ6723"))
    asked = [reply(f"{n} {DECIDE}") for n in range(200)]
    assert 70 < sum("{tag}: accept" in text for text in asked) < 130
    assert 50 < sum("{tag}: reject" in text for text in asked) < 110


def test_a_server_process_logs_in_order_what_was_asked() -> None:
    with FakeServerProcess(options=("--outage", "1")) as server:
        port = int(server.base_url.split(":")[2].split("/")[0])
        for sample in (0, 1):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            body = json.dumps({"messages": [{"role": "user", "content": "x"}]})
            connection.request("POST", "/v1/chat/completions", body, {"x-uq-sample": str(sample)})
            assert connection.getresponse().status == (200 if sample else 500)
            connection.close()
        first, second = server.requests()
    assert (first["sample"], second["sample"]) == (0, 1)
    assert len({first["sha256"], second["sha256"]}) == 2
