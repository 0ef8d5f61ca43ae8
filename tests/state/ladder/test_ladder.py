import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.call_uses import CallUse
from store.run_rows import StageOutcome
from uq_tui.engine.protocol import CallFinished, CallRetrying, CallStarted, OutcomeDecided, StageStarted
from uq_tui.state.ladder.ladder import Ladder
from uq_tui.state.ladder.shape import LadderShape
from uq_tui.state.usage import Usage
from uq_tui.words import CallErrorKind, CallState, Outcome

TURNS = "fact_logic r3 unanimous => correctness x3 majority"
TWO_MODELS = "both: (cycle_consistency r3 U => fact_logic r3 U => correctness r3 U) @[1, 2] unanimous"


def shaped(notation: str, **pinned: object) -> Ladder:
    return Ladder("r", LadderShape.of({"strategy": {"title": "A title", "notation": notation}, **pinned}))


def decided(path: str, outcome: Outcome, reason: str = "", key: str = "") -> OutcomeDecided:
    return OutcomeDecided("r", "c", path, outcome, reason, key)


def finished(path: str, key: str, *, cost: float | None = None, remembered: bool = False) -> CallFinished:
    return CallFinished("r", key, "c", path, CallState.DONE, None, "", remembered, 100, 20, cost)


def shown(ladder: Ladder, folds: dict[str, bool] | None = None) -> list[str]:
    return [rung.path for rung in ladder.rungs(folds)]


def kept(path: str, outcome: Outcome, *keys: str) -> StageOutcome:
    return StageOutcome("r", "c", path, outcome, "", keys[-1] if keys else "", 0, "", keys)


# Order and labels


def test_the_strategys_order_holds_whatever_came_first() -> None:
    ladder = shaped(TURNS)
    for path in ("correctness/2", "fact_logic/3", "fact_logic/1"):
        ladder.apply(decided(path, Outcome.ACCEPT))
    assert [(rung.path, rung.label, rung.depth) for rung in ladder.rungs()] == [
        ("", "A title", 0),
        ("fact_logic", "fact logic", 1),
        ("fact_logic/1", "turn 1", 2),
        ("fact_logic/2", "turn 2", 2),
        ("fact_logic/3", "turn 3", 2),
        ("correctness", "correctness", 1),
        ("correctness/1", "sample 1", 2),
        ("correctness/2", "sample 2", 2),
        ("correctness/3", "sample 3", 2),
    ]


def test_stages_that_have_not_begun_stand_without_their_parts() -> None:
    ladder = shaped(TURNS)
    assert shown(ladder) == ["", "fact_logic", "correctness"]
    ladder.apply(StageStarted("r", "c", "fact_logic"))
    assert shown(ladder) == ["", "fact_logic", "fact_logic/1", "fact_logic/2", "fact_logic/3", "correctness"]


def test_a_skipped_node_stands_for_its_parts() -> None:
    ladder = shaped(TURNS)
    for path in ("fact_logic", "fact_logic/1", "fact_logic/2", "fact_logic/3"):
        ladder.apply(decided(path, Outcome.SKIPPED, "an earlier stage rejected"))
    assert shown(ladder) == ["", "fact_logic", "correctness"]


def test_slots_are_named_by_the_models_that_fill_them_and_stages_never_are() -> None:
    ladder = shaped(
        "model_1: correctness @[1, 2] majority",
        slots={"1": {"id": "openai/o3", "api_base": ""}, "2": "gemini/pro"},
    )
    ladder.apply(StageStarted("r", "c", "model_1"))
    assert [rung.label for rung in ladder.rungs()][1:] == ["model 1", "openai/o3", "gemini/pro"]


def test_a_run_without_notation_shows_stages_by_name_and_parts_by_number() -> None:
    ladder = Ladder("r", LadderShape.of({"strategy": {"name": "3-iter", "toml": "..."}, "stages": ["b", "a"]}))
    for path in ("a/10", "a/2", "b/1", "unknown"):
        ladder.apply(decided(path, Outcome.ACCEPT))
    assert shown(ladder, {"a": False}) == ["", "b", "b/1", "a", "a/2", "a/10", "unknown"]
    assert ladder.whole.label == "3-iter"


def test_a_notation_of_another_version_is_shown_as_it_comes() -> None:
    ladder = shaped("quantum_check x3 majority")
    ladder.apply(decided("quantum_check/1", Outcome.ACCEPT))
    assert shown(ladder) == ["", "quantum_check", "quantum_check/1"]


# Running and outcomes


def test_a_rung_runs_until_its_outcome_and_keeps_the_calls_behind_it() -> None:
    ladder = shaped("cycle_consistency")
    ladder.apply(StageStarted("r", "c", "cycle_consistency"))
    for key in ("infer", "compare"):
        ladder.apply(CallStarted("r", key, "c", "cycle_consistency", "m"))
    assert ladder.rungs()[1].running
    ladder.apply(decided("cycle_consistency", Outcome.UNPARSED, "no decision line", "compare"))
    rung = ladder.rungs()[1]
    assert not rung.running
    assert (rung.call_keys, rung.outcome, rung.reason) == (
        ("infer", "compare"),
        Outcome.UNPARSED,
        "no decision line",
    )


def test_a_ladder_runs_between_two_of_its_rungs_until_the_whole_is_decided() -> None:
    ladder = shaped(TURNS)
    ladder.apply(decided("fact_logic/1", Outcome.ACCEPT))
    assert ladder.running
    ladder.apply(decided("", Outcome.ACCEPT))
    assert not ladder.running


def test_tally_counts_planned_stages_and_seen_ones_where_the_plan_is_unknown() -> None:
    known, unknown = shaped(TURNS), Ladder("r")
    for ladder in (known, unknown):
        ladder.apply(decided("fact_logic/1", Outcome.ACCEPT))
        ladder.apply(decided("fact_logic", Outcome.ACCEPT))
        ladder.apply(decided("", Outcome.REJECT))
    assert (known.tally(), unknown.tally()) == ((1, 2), (1, 1))
    assert known.whole.outcome is Outcome.REJECT


def test_stopping_clears_what_runs_but_no_outcome() -> None:
    ladder = shaped(TURNS)
    ladder.apply(decided("fact_logic/1", Outcome.ACCEPT))
    ladder.apply(CallStarted("r", "k", "c", "fact_logic/2", "m"))
    ladder.stop()
    assert not ladder.running
    assert not ladder.call("k").running
    assert ladder.rungs()[2].outcome is Outcome.ACCEPT


PATHS = st.sampled_from(["", "fact_logic", "fact_logic/1", "fact_logic/2", "correctness", "correctness/3", "other/1"])


@given(st.lists(st.tuples(PATHS, st.sampled_from(list(Outcome)))))
def test_stored_outcomes_and_live_events_give_the_same_ladder(steps: list[tuple[str, Outcome]]) -> None:
    live = shaped(TURNS)
    for path, outcome in steps:
        live.apply(decided(path, outcome))
    stored = Ladder.from_store("r", live.shape, [kept(path, outcome) for path, outcome in steps])
    assert live.rungs() == stored.rungs()


# Folding


def test_a_long_vote_shows_what_has_begun_and_folds_when_decided() -> None:
    ladder = shaped("correctness x64 majority")
    for number in range(1, 34):
        ladder.apply(StageStarted("r", "c", f"correctness/{number}"))
    assert len(ladder.rungs()) == 2 + 33
    for number in range(1, 65):
        outcome = Outcome.ACCEPT if number < 34 else Outcome.SKIPPED
        ladder.apply(decided(f"correctness/{number}", outcome))
    ladder.apply(decided("correctness", Outcome.ACCEPT))
    (_, stage) = ladder.rungs()
    assert (stage.folded, stage.parts) == (True, 64)
    assert len(ladder.rungs({"correctness": False})) == 2 + 64


def test_each_decided_model_of_a_long_strategy_folds_but_the_models_themselves_show() -> None:
    ladder = shaped(TWO_MODELS)
    for place in ladder.shape.places:
        ladder.apply(decided(place.path, Outcome.ACCEPT))
    assert shown(ladder) == ["", "both", "both/1", "both/2"]
    opened = ladder.rungs({"both/1": False})
    assert len(opened) == 4 + 12
    assert max(rung.depth for rung in opened) == 4


def test_short_parts_fold_only_by_hand() -> None:
    ladder = shaped("correctness x3 majority")
    for path in ("correctness/1", "correctness"):
        ladder.apply(decided(path, Outcome.ACCEPT))
    assert not any(rung.folded for rung in ladder.rungs())
    assert shown(ladder, {"correctness": True}) == ["", "correctness"]
    assert shown(ladder, {"": True}) == [""]


# Tokens, money, models


def test_what_calls_took_is_summed_over_everything_beneath() -> None:
    ladder = shaped(TURNS)
    ladder.apply(finished("fact_logic/1", "a", cost=0.25))
    ladder.apply(finished("fact_logic/2", "b", cost=0.5))
    ladder.apply(finished("correctness/1", "c", remembered=True))
    ladder.apply(CallStarted("r", "d", "c", "correctness/2", "m"))
    whole, stage = ladder.whole, ladder.rung("fact_logic")
    assert stage is not None
    assert (stage.usage.calls, stage.usage.tokens, stage.usage.cost_usd) == (2, 240, 0.75)
    assert whole.usage == Usage(4, 3, 360, 0, 0.75, 1, 1, 0)


def test_a_retried_call_is_counted_once_with_its_attempts() -> None:
    ladder = shaped("correctness")
    ladder.apply(CallStarted("r", "k", "c", "correctness", "m"))
    ladder.apply(CallRetrying("r", "k", "c", "correctness", CallErrorKind.RATE_LIMITED, "", 2, 1.0))
    ladder.apply(finished("correctness", "k"))
    assert (ladder.whole.usage.calls, ladder.whole.usage.retries) == (1, 2)


def test_the_store_says_the_same_as_events_do() -> None:
    live = shaped("correctness")
    live.apply(CallStarted("r", "k", "c", "correctness", "m"))
    live.apply(finished("correctness", "k", cost=0.5))
    live.apply(decided("correctness", Outcome.ACCEPT, key="k"))
    use = CallUse("k", "m", "check.correctness", CallState.DONE, 100, 20, 0.5, 1, "r")
    stored = Ladder.from_store("r", live.shape, [kept("correctness", Outcome.ACCEPT, "k")], {"k": use})
    assert live.rungs() == stored.rungs()


def test_a_reply_of_an_earlier_run_is_remembered_and_unknown_tokens_stay_unknown() -> None:
    use = CallUse("k", "m", "check.correctness", CallState.DONE, 100, None, None, 3, "earlier")
    ladder = Ladder.from_store("r", LadderShape(), [kept("correctness", Outcome.ACCEPT, "k")], {"k": use})
    usage = ladder.whole.usage
    assert (usage.remembered, usage.retries, usage.unknown_tokens, usage.cost_usd) == (1, 2, 1, None)


@pytest.mark.parametrize("call_keys", [(), ("k",)], ids=["as kept", "as upgraded"])
def test_outcomes_of_the_first_version_name_only_the_call_that_was_read(call_keys: tuple[str, ...]) -> None:
    old = StageOutcome("r", "c", "correctness/1", Outcome.ACCEPT, "", "k", 0, "", call_keys)
    use = CallUse("k", "m", "check.correctness", CallState.DONE, 100, 20, 0.5, 1, "r")
    ladder = Ladder.from_store("r", LadderShape(), [old], {"k": use})
    assert ladder.rungs()[2].call_keys == ("k",)
    assert ladder.whole.usage.text() == "≥ 1 call, ≥ 120 tokens, ≥ $0.50"


def test_a_model_is_named_where_it_is_neither_the_runs_nor_that_of_a_rung_above() -> None:
    ladder = shaped(
        "correctness => again: correctness@3 => both: correctness @[1, 2] majority",
        model={"id": "a/one"},
        slots={"1": "a/one", "2": "b/two", "3": "c/three"},
    )
    for key, path, model in (
        ("1", "correctness", "a/one"),
        ("2", "again", "c/three"),
        ("3", "both/1", "a/one"),
        ("4", "both/2", "b/two"),
    ):
        ladder.apply(CallStarted("r", key, "c", path, model))
    assert [rung.model for rung in ladder.rungs()] == ["", "", "c/three", "", "", ""]
    assert ladder.model == "a/one"


def test_the_parts_of_a_folded_rung_can_still_be_counted() -> None:
    ladder = shaped("correctness x3 majority")
    ladder.apply(decided("correctness/2", Outcome.REJECT))
    assert [part.outcome for part in ladder.parts("correctness")] == [None, Outcome.REJECT, None]
