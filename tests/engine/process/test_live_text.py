import asyncio

from hypothesis import given, settings
from hypothesis import strategies as st

from uq_tui.engine.calls.live_text import LiveText
from uq_tui.engine.protocol import TextDelta


class Reader:
    """Puts deltas together as a watcher does; sees gaps."""

    def __init__(self) -> None:
        self.reasoning = ""
        self.reply = ""
        self.gaps = 0
        self.batches: list[TextDelta] = []

    def take(self, delta: TextDelta) -> None:
        self.batches.append(delta)
        if delta.reasoning_offset > len(self.reasoning) or delta.reply_offset > len(self.reply):
            self.gaps += 1
            return
        self.reasoning = self.reasoning[: delta.reasoning_offset] + delta.reasoning
        self.reply = self.reply[: delta.reply_offset] + delta.reply


async def settle() -> None:
    """Let planned batches go out."""
    for _ in range(5):
        await asyncio.sleep(0)


async def test_an_unwatched_call_sends_nothing() -> None:
    reader = Reader()
    live = LiveText(reader.take, batch_seconds=0.0)
    live.open("k", streamed=True)
    live.add("k", "think", "say")
    await settle()

    assert reader.batches == []
    assert live.text("k") == ("think", "say")


async def test_a_watcher_gets_the_text_so_far_then_more() -> None:
    reader = Reader()
    live = LiveText(reader.take, batch_seconds=0.0)
    live.open("k", streamed=True)
    live.add("k", "one ", "")
    live.watch("k")
    await settle()
    live.add("k", "two", "and")
    await settle()

    assert reader.batches == [TextDelta("k", "one ", 0, "", 0), TextDelta("k", "two", 4, "and", 0)]


async def test_text_is_sent_in_few_batches() -> None:
    reader = Reader()
    live = LiveText(reader.take, batch_seconds=3600.0)
    live.open("k", streamed=True)
    live.watch("k")
    await settle()
    for _ in range(500):
        live.add("k", "", "word ")
        await asyncio.sleep(0)

    assert len(reader.batches) <= 1


async def test_all_watched_calls_share_the_batches() -> None:
    reader = Reader()
    live = LiveText(reader.take, batch_seconds=3600.0)
    for key in ("a", "b"):
        live.open(key, streamed=True)
        live.watch(key)
        live.add(key, "", key)
    await settle()

    assert [delta.call_key for delta in reader.batches] == ["a", "b"]

    live.add("a", "", "more")
    await settle()

    assert len(reader.batches) == 2


async def test_unwatching_stops_the_text() -> None:
    reader = Reader()
    live = LiveText(reader.take, batch_seconds=0.0)
    live.open("k", streamed=True)
    live.watch("k")
    live.unwatch("k")
    live.add("k", "", "a")
    await settle()

    assert reader.batches == []


async def test_a_call_can_be_watched_before_it_is_sent() -> None:
    reader = Reader()
    live = LiveText(reader.take, batch_seconds=0.0)
    live.watch("k")
    live.open("k", streamed=True)
    live.add("k", "", "a")
    await settle()

    assert reader.reply == "a"


async def test_a_retry_starts_over() -> None:
    reader = Reader()
    live = LiveText(reader.take, batch_seconds=0.0)
    live.open("k", streamed=True)
    live.watch("k")
    live.add("k", "first", "try")
    await settle()
    live.open("k", streamed=True)
    live.add("k", "", "second")
    await settle()

    assert (reader.reasoning, reader.reply, reader.gaps) == ("", "second", 0)
    assert live.text("k") == ("", "second")


async def test_watching_again_brings_all_of_it() -> None:
    reader = Reader()
    live = LiveText(reader.take, batch_seconds=0.0)
    live.open("k", streamed=True)
    live.watch("k")
    live.add("k", "ab", "cd")
    await settle()
    live.watch("k")
    await settle()

    assert reader.batches[-1] == TextDelta("k", "ab", 0, "cd", 0)


async def test_watching_again_drops_the_text_of_an_earlier_attempt() -> None:
    reader = Reader()
    live = LiveText(reader.take, batch_seconds=0.0)
    live.open("k", streamed=True)
    live.watch("k")
    live.add("k", "", "first try")
    await settle()
    live.unwatch("k")
    live.open("k", streamed=True)
    live.watch("k")
    await settle()

    assert (reader.reasoning, reader.reply) == live.text("k") == ("", "")


async def test_the_watch_ends_with_the_call() -> None:
    reader = Reader()
    live = LiveText(reader.take, batch_seconds=0.0)
    live.open("k", streamed=True)
    live.watch("k")
    live.add("k", "", "a")
    live.close("k")
    await settle()
    live.open("k", streamed=True)
    live.add("k", "", "of another run")
    await settle()

    assert reader.batches == []


async def test_offsets_count_code_points() -> None:
    reader = Reader()
    live = LiveText(reader.take, batch_seconds=0.0)
    live.open("k", streamed=True)
    live.watch("k")
    live.add("k", "𝔸é", "")
    await settle()
    live.add("k", "x", "")
    await settle()

    assert reader.batches[-1].reasoning_offset == 2


@settings(max_examples=200)
@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("add"), st.text(max_size=4), st.text(max_size=4)),
            st.tuples(st.sampled_from(["watch", "unwatch", "settle", "retry"]), st.just(""), st.just("")),
        ),
        max_size=30,
    )
)
def test_a_watcher_never_sees_a_gap_and_ends_with_the_whole_text(steps: list[tuple[str, str, str]]) -> None:
    async def play() -> None:
        reader = Reader()
        live = LiveText(reader.take, batch_seconds=0.0)
        live.open("k", streamed=True)
        live.watch("k")
        for step, reasoning, reply in steps:
            if step == "add":
                live.add("k", reasoning, reply)
            elif step == "watch":
                live.watch("k")
            elif step == "unwatch":
                live.unwatch("k")
            elif step == "retry":
                live.open("k", streamed=True)
            else:
                await settle()
        live.watch("k")
        await settle()
        assert reader.gaps == 0
        assert (reader.reasoning, reader.reply) == live.text("k")

    asyncio.run(play())
