"""Which call of a rung is read, and what a composed rung tells of itself."""

from store.call_uses import CallUse
from store.run_rows import StageOutcome
from uq_tui.engine.protocol import CallStarted, OutcomeDecided
from uq_tui.state.ladder.ladder import Ladder
from uq_tui.state.ladder.rung_reader import RungReader
from uq_tui.state.ladder.shape import LadderShape
from uq_tui.words import CallState, Outcome

CYCLE = LadderShape.of({"strategy": {"title": "Cycle", "notation": "cycle_consistency r2 unanimous"}})
KEYS = ("infer", "compare", "again")
TEMPLATES = ("check.cycle_infer", "check.cycle_compare", "retry.decision")


def with_three_calls() -> Ladder:
    kept = StageOutcome("r", "c", "cycle_consistency/1", Outcome.ACCEPT, "", "again", 0, "2026-01-01T00:00:00Z", KEYS)
    uses = {
        key: CallUse(key, "m", template, CallState.DONE, 1, 1, None, 1, "r")
        for key, template in zip(KEYS, TEMPLATES, strict=True)
    }
    return Ladder.from_store("r", CYCLE, [kept], uses)


def reading(path: str) -> RungReader:
    reader = RungReader()
    reader.turn_to(path)
    return reader


def test_the_call_that_was_read_comes_first_and_all_others_can_be_reached() -> None:
    ladder, reader = with_three_calls(), reading("cycle_consistency/1")
    titles = [reader.title(ladder)]
    for _ in range(3):
        reader.step(-1, ladder)
        titles.append(reader.title(ladder))
    where = "  turn 1, cycle consistency"
    assert titles == [
        f"Reply 3 of 3 [ ]: asked again{where}",
        f"Reply 2 of 3 [ ]: comparison{where}",
        f"Reply 1 of 3 [ ]: inferred question{where}",
        f"Reply 1 of 3 [ ]: inferred question{where}",
    ]
    assert reader.call_key(ladder) == "infer"


def test_a_call_that_is_being_read_stays_when_another_one_comes() -> None:
    ladder, newest, pinned = Ladder("r", CYCLE), reading("cycle_consistency/1"), reading("cycle_consistency/1")
    ladder.apply(CallStarted("r", "infer", "c", "cycle_consistency/1", "m"))
    pinned.step(1, ladder)
    ladder.apply(CallStarted("r", "compare", "c", "cycle_consistency/1", "m"))
    assert (newest.call_key(ladder), pinned.call_key(ladder)) == ("compare", "infer")


def test_another_rung_begins_with_its_reply() -> None:
    ladder, reader = with_three_calls(), reading("cycle_consistency/1")
    reader.prompt = True
    reader.step(-2, ladder)
    reader.turn_to("cycle_consistency/2")
    assert (reader.call_key(ladder), reader.prompt) == ("", False)
    reader.turn_to("cycle_consistency/1")
    assert reader.call_key(ladder) == "again"


def test_a_composed_rung_tells_reason_parts_and_what_they_took() -> None:
    ladder, reader = with_three_calls(), reading("cycle_consistency")
    ladder.apply(OutcomeDecided("r", "c", "cycle_consistency", Outcome.REJECT, "1 of 2 accepted", ""))
    text = reader.summary(ladder)
    assert "**✗ reject**" in text
    assert "1 of 2 accepted" in text
    assert "2 parts: 1 accept, 1 undecided." in text
    assert "3 calls, 6 tokens, cost unknown." in text


def test_the_whole_shows_its_one_line_form_and_nothing_is_told_without_a_ladder() -> None:
    reader = reading("")
    assert "`cycle_consistency r2 unanimous`" in reader.summary(with_three_calls())
    assert reader.title(with_three_calls()) == "Cycle"
    assert (reader.summary(None), reader.title(None), reader.call_key(None)) == ("", "Reply", "")


def test_foreign_text_in_a_title_is_harmless() -> None:
    shape = LadderShape.of(
        {"strategy": {"title": "T", "notation": "correctness @[1, 2] majority"}, "slots": {"1": "a/\x1b[2J", "2": "b"}}
    )
    ladder = Ladder("r", shape)
    ladder.apply(CallStarted("r", "k", "c", "correctness/1", "a"))
    assert reading("correctness/1").title(ladder) == "Reply 1 of 1  a/␛[2J, correctness"
