"""Recorded replies: which one answers, how it is told, and what a bad recording is answered with."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from prompts.loader import Output
from tests.engine.gateway.asking import Heard, an_ask, answer, prepare
from uq_tui.engine.calls import replay
from uq_tui.engine.calls.replay import ReplayProvider
from uq_tui.engine.requests import ModelChoice
from uq_tui.engine.spec import CallFailedError
from uq_tui.errors import ModelError
from uq_tui.words import CallErrorKind


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("UQ_TUI_HOME", str(tmp_path))
    monkeypatch.delenv(replay.PACE_VARIABLE, raising=False)
    path = tmp_path / "config" / "replay"
    path.mkdir(parents=True)
    return path


def record(folder: Path, *rows: dict[str, Any], pace: float = 0) -> ReplayProvider:
    lines = [{"replay": "mine", "pace": pace, "note": "made for a test"}, *rows]
    (folder / "mine.jsonl").write_text("\n".join(json.dumps(line) for line in lines) + "\n")
    return ReplayProvider(ModelChoice("replay/mine"))


def row(reply: str, **more: Any) -> dict[str, Any]:
    return {"template": "check.correctness", "reply": reply, **more}


async def test_the_first_row_that_fits_answers(folder: Path) -> None:
    provider = record(
        folder,
        row("other template", template="reflect"),
        row("other text", contains=["absent"]),
        row("other sample", sample=1),
        row("other turn", turn=2),
        row("this one", contains=["Is it", "so?"], sample=0, turn=1, reasoning="why"),
        row("too late"),
    )
    reply = await answer(provider, an_ask("Is it so?"))
    assert (reply.reply, reply.reasoning, reply.finish_reason) == ("this one", "why", "stop")
    assert (reply.tokens_in, reply.tokens_out, reply.cost_usd) == (None, None, 0.0)


async def test_later_turns_still_fit_by_what_the_user_said_first(folder: Path) -> None:
    provider = record(
        folder, row("again", contains=["first text", "sure?"], turn=2), row("It is.", contains=["It is."])
    )
    assert (await answer(provider, an_ask("first text", "sure?"))).reply == "again"
    with pytest.raises(CallFailedError):
        await answer(provider, an_ask("another text", "sure?"))


async def test_the_tag_is_filled_in(folder: Path) -> None:
    provider = record(folder, row("Fine.\n{tag}: accept"))
    reply = await answer(provider, an_ask(form=Output.DECISION, tag="ABCD2345"))
    assert reply.reply == "Fine.\nABCD2345: accept"


async def test_without_a_fitting_row_the_call_is_unavailable(folder: Path) -> None:
    with pytest.raises(CallFailedError) as caught:
        await answer(record(folder), an_ask(sample=4))
    assert (caught.value.kind, caught.value.retryable) == (CallErrorKind.UNAVAILABLE, False)
    assert "template check.correctness, sample 4" in str(caught.value)


async def test_the_pace_is_kept(folder: Path) -> None:
    provider, heard = record(folder, row("one two three", reasoning="hm hm"), pace=100), Heard()
    start = time.monotonic()
    await answer(provider, an_ask(), heard)
    assert time.monotonic() - start >= 5 / 100
    assert heard.pieces == [("hm", ""), (" hm", ""), ("", "one"), ("", " two"), ("", " three")]


@pytest.mark.parametrize(("given", "pieces"), [("0", 1), ("1000", 3), ("fast", 3)])
async def test_the_pace_can_be_overridden(
    folder: Path, monkeypatch: pytest.MonkeyPatch, given: str, pieces: int
) -> None:
    monkeypatch.setenv(replay.PACE_VARIABLE, given)
    heard = Heard()
    await answer(record(folder, row("one two three"), pace=500), an_ask(), heard)
    assert len(heard.pieces) == pieces
    assert heard.reply == "one two three"


async def test_the_key_depends_on_the_recording_not_on_parameters(folder: Path) -> None:
    plain = await prepare(record(folder, row("a")), an_ask())
    warm = await prepare(record(folder, row("a")), an_ask(temperature=0.5, max_tokens=5))
    other = await prepare(record(folder, row("b")), an_ask())
    assert plain.key(1) == warm.key(1) != other.key(1)
    assert warm.dropped == ("max_tokens", "temperature")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "does not begin with a line"),
        ('{"template": "t", "reply": "r"}', "does not begin with a line"),
        ('{"replay": "mine", "pace": -1}', "line 1: pace must be a number"),
        ('{"replay": "mine", "pace": true}', "line 1: pace must be a number"),
        ('{"replay": "mine"}\n\n{"template"', "line 3 is not JSON"),
        ('{"replay": "mine"}\n[1]', "line 2 is not an object"),
        ('{"replay": "mine"}\n{"template": "t"}', "line 2 is not a recorded reply"),
        ('{"replay": "mine"}\n{"template": "t", "reply": "r", "turn": true}', "line 2 is not a recorded reply"),
        ('{"replay": "mine"}\n{"template": "t", "reply": "r", "contains": "x"}', "line 2 is not a recorded reply"),
        ('{"replay": "mine"}\n{"template": "t", "reply": "r", "colour": 1}', "line 2 has unknown keys: colour"),
    ],
)
def test_a_bad_recording_is_named_by_file_and_line(folder: Path, content: str, told: str) -> None:
    (folder / "mine.jsonl").write_text(content)
    with pytest.raises(ModelError) as caught:
        replay.load_recording("mine")
    assert told in caught.value.message
    assert "mine.jsonl" in caught.value.message


@pytest.mark.parametrize("name", ["absent", "../mine", "", "a/b"])
def test_a_missing_recording_is_answered_with_those_there_are(folder: Path, name: str) -> None:
    record(folder)
    with pytest.raises(ModelError) as caught:
        replay.load_recording(name)
    assert "mine" in caught.value.hint


def test_the_users_recording_is_taken_before_a_bundled_one(folder: Path) -> None:
    assert "tour" in replay.recordings()
    bundled = replay.load_recording("tour")
    (folder / "tour.jsonl").write_text('{"replay": "tour", "note": "my own"}\n')
    assert replay.load_recording("tour").note == "my own" != bundled.note
    assert replay.recordings().count("tour") == 1


def test_the_bundled_tour_loads_and_says_that_it_is_scripted(folder: Path) -> None:
    tour = replay.load_recording("tour")
    assert "scripted" in tour.note
    assert tour.pace > 0
    assert {"check.correctness", "cbu.rollout"} <= {reply.template for reply in tour.replies}
