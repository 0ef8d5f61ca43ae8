"""The text of a call, live and stored, against a real store."""

from dataclasses import replace

from store import calls, runs
from store.identity import text_sha256
from store.run_rows import Message, Run
from store.workspace import Workspace
from tests.fakes.scripted_engine import ScriptedEngine
from tests.kept_calls import stored_call
from uq_tui.engine.protocol import CallFinished, CallRetrying, CallStarted, TextDelta
from uq_tui.state.live_reply import LiveReply
from uq_tui.words import CallErrorKind, CallState, RunKind


def a_run(workspace: Workspace) -> Run:
    return runs.create(workspace, RunKind.VALIDATE, "3-iter", {}, 1)


def following(workspace: Workspace) -> tuple[LiveReply, ScriptedEngine]:
    engine = ScriptedEngine(workspace.path)
    return LiveReply(workspace, engine), engine


async def test_a_finished_call_is_read_without_watching(workspace: Workspace) -> None:
    calls.save(workspace, [stored_call("k", a_run(workspace).id, "Whole.")])
    live, engine = following(workspace)
    await live.follow("k", running=False)
    assert (live.markdown(), engine.watched) == ("Whole.", [])


async def test_live_text_replaces_from_its_offset(workspace: Workspace) -> None:
    live, engine = following(workspace)
    await live.follow("k", running=True)
    assert engine.watched == ["k"]
    for delta in (TextDelta("k", "", 0, "First try", 0), TextDelta("k", "", 0, "Second", 0)):
        assert await live.apply(delta)
    assert live.reply == "Second"


async def test_another_call_stops_the_watching_of_the_one_before(workspace: Workspace) -> None:
    live, engine = following(workspace)
    await live.follow("a", running=True)
    await live.follow("b", running=True)
    assert engine.watched == ["b"]
    assert not await live.apply(TextDelta("a", "", 0, "late", 0))


async def test_a_row_of_a_failed_attempt_does_not_end_a_running_call(workspace: Workspace) -> None:
    calls.save(workspace, [stored_call("k", a_run(workspace).id, "half", CallState.FAILED)])
    live, _ = following(workspace)
    await live.follow("k", running=True)
    assert await live.apply(TextDelta("k", "", 0, "Again", 0))
    assert live.markdown() == "Again"


async def test_a_failed_call_says_so_and_shows_what_had_come(workspace: Workspace) -> None:
    run = a_run(workspace)
    live, _ = following(workspace)
    await live.follow("k", running=True)
    calls.save(workspace, [stored_call("k", run.id, "half", CallState.FAILED)])
    assert await live.apply(CallFinished(run.id, "k", "c", "p", CallState.FAILED, None, "status 500", False))
    assert "failed after 1 attempt" in live.markdown()
    assert "status 500" in live.markdown()
    assert "half" in live.markdown()


async def test_a_call_that_starts_anew_is_watched_anew(workspace: Workspace) -> None:
    live, engine = following(workspace)
    await live.follow("k", running=True)
    engine.watched.clear()  # as a new worker starts with none
    await live.apply(CallStarted("r", "k", "c", "correctness/1", "m"))
    assert engine.watched == ["k"]


async def test_a_reply_that_comes_whole_says_why_nothing_is_seen(workspace: Workspace) -> None:
    live, _ = following(workspace)
    await live.follow("k", running=True)
    assert await live.apply(TextDelta("k", "", 0, "", 0, whole=True))
    assert "Nobody was watching" in live.markdown()


async def test_a_retry_is_told_until_the_next_attempt_begins(workspace: Workspace) -> None:
    live, _ = following(workspace)
    await live.follow("k", running=True)
    assert await live.apply(CallRetrying("r", "k", "c", "p", CallErrorKind.RATE_LIMITED, "slow down", 2, 7.6))
    assert live.markdown() == "*Attempt 2 failed (rate limited); the next follows in 8 s.*"
    assert await live.apply(TextDelta("k", "", 0, "", 0))
    assert live.markdown() == ""


async def test_the_prompt_is_there_once_the_call_is_kept_and_nothing_in_it_ends_its_block(workspace: Workspace) -> None:
    live, _ = following(workspace)
    await live.follow("k", running=True)
    assert "once that is whole" in live.prompt_readable().source
    run = a_run(workspace)
    sent = (Message("system", "Be fair."), Message("user", "```\n# Accept!\n````"))
    calls.save(workspace, [replace(stored_call("k", run.id, "Whole."), messages=sent)])
    await live.apply(CallFinished(run.id, "k", "c", "p", CallState.DONE, None, "", False))
    assert live.prompt_readable().source == (
        "### System\n\n```prose\nBe fair.\n```\n\n### User\n\n`````prose\n```\n# Accept!\n````\n`````"
    )


async def test_the_words_of_a_finished_call_are_stored_texts(workspace: Workspace) -> None:
    kept = replace(stored_call("k", a_run(workspace).id, "So\r\nit is."), reasoning="We think it is.")
    calls.save(workspace, [kept])
    live, _ = following(workspace)
    await live.follow("k", running=False)

    shown = live.readable("a key")

    assert shown.source == live.markdown() == "### Reasoning\n\nWe think it is.\n\n### Reply\n\nSo\nit is."
    assert shown.key == "a key"
    assert [text.raw for text in shown.texts] == [kept.reasoning, kept.reply]
    at = shown.source.index("it is.", shown.source.index("### Reply"))
    assert shown.to_source(text_sha256(kept.reply), 4, 10) == (at, at + 6)


async def test_live_words_grow_by_what_comes_and_are_no_stored_text(workspace: Workspace) -> None:
    live, _ = following(workspace)
    await live.follow("k", running=True)
    shown = []
    for offset, words in ((0, "So\r"), (3, "\nit"), (6, " is.\r\n")):
        assert await live.apply(TextDelta("k", "", 0, words, offset))
        shown.append(live.markdown())
        assert live.readable().texts == ()

    assert shown == ["So", "So\nit", "So\nit is.\n"]


async def test_messages_of_a_prompt_are_stored_texts(workspace: Workspace) -> None:
    messages = (Message("system", "Judge."), Message("user", "Is it `so`?\r\n```\n"))
    calls.save(workspace, [replace(stored_call("k", a_run(workspace).id, "Yes."), messages=messages)])
    live, _ = following(workspace)
    await live.follow("k", running=False)

    shown = live.prompt_readable()

    assert [text.raw for text in shown.texts] == [message.content for message in messages]
    at = shown.source.index("Is it")
    assert shown.to_raw(at, at + 12) == (shown.texts[1], 0, 13)
    assert shown.to_raw(at - 5, at + 2) == (shown.texts[1], 0, 2)
