from hypothesis import given
from hypothesis import strategies as st

from store.rows import StageOutcome
from uq_tui.engine.protocol import CallStarted, OutcomeDecided, StageStarted
from uq_tui.state.ladder import Ladder
from uq_tui.words import Outcome


def decided(path: str, outcome: Outcome, reason: str = "", key: str = "") -> OutcomeDecided:
    return OutcomeDecided("r", "c", path, outcome, reason, key)


def test_turns_stand_under_their_stage_in_numerical_order() -> None:
    ladder = Ladder("r")
    for path in ("fact_logic/2", "fact_logic/10", "fact_logic/1", "correctness/1"):
        ladder.apply(decided(path, Outcome.ACCEPT))
    order = [rung.path for rung in ladder.rungs()]
    assert order == ["fact_logic", "fact_logic/1", "fact_logic/2", "fact_logic/10", "correctness", "correctness/1"]


def test_a_rung_runs_until_its_outcome_and_keeps_the_call_behind_it() -> None:
    ladder = Ladder("r")
    ladder.apply(StageStarted("r", "c", "correctness"))
    ladder.apply(CallStarted("r", "key", "c", "correctness/1", "m"))
    assert [rung.running for rung in ladder.rungs()] == [True, True]
    ladder.apply(decided("correctness/1", Outcome.UNPARSED, "no decision line"))
    ladder.apply(decided("correctness", Outcome.UNPARSED))
    stage, turn = ladder.rungs()
    assert (turn.call_key, turn.outcome, turn.reason) == ("key", Outcome.UNPARSED, "no decision line")
    assert not ladder.running
    assert stage.name == "correctness"
    assert turn.name == "turn 1"


def test_the_whole_is_not_a_rung_and_tally_counts_stages_only() -> None:
    ladder = Ladder("r")
    ladder.apply(decided("cycle_consistency/1", Outcome.ACCEPT))
    ladder.apply(decided("cycle_consistency", Outcome.ACCEPT))
    ladder.apply(decided("fact_logic", Outcome.REJECT))
    ladder.apply(decided("", Outcome.REJECT))
    assert ladder.whole.outcome is Outcome.REJECT
    assert "" not in [rung.path for rung in ladder.rungs()]
    assert ladder.tally() == (1, 2)


def test_stopping_clears_what_runs_but_no_outcome() -> None:
    ladder = Ladder("r")
    ladder.apply(decided("fact_logic/1", Outcome.ACCEPT))
    ladder.apply(StageStarted("r", "c", "fact_logic"))
    ladder.stop()
    assert not ladder.running
    assert ladder.rungs()[1].outcome is Outcome.ACCEPT


PATHS = st.sampled_from(["", "a", "a/1", "a/2", "b", "b/1", "b/2"])


@given(st.lists(st.tuples(PATHS, st.sampled_from(list(Outcome)))))
def test_stored_outcomes_and_live_events_give_the_same_ladder(steps: list[tuple[str, Outcome]]) -> None:
    live = Ladder("r")
    for path, outcome in steps:
        live.apply(decided(path, outcome))
    stored = Ladder.from_store(
        "r", (), [StageOutcome("r", "c", path, outcome, "", "", 0, "") for path, outcome in steps]
    )
    assert live.rungs() == stored.rungs()
    assert live.whole == stored.whole


def test_stages_stand_in_the_strategys_order_whatever_came_first() -> None:
    outcomes = [
        StageOutcome("r", "c", path, outcome, "", "", 0, "")
        for path, outcome in (("correctness", Outcome.SKIPPED), ("fact_logic", Outcome.REJECT))
    ]
    ladder = Ladder.from_store("r", ("cycle_consistency", "fact_logic", "correctness"), outcomes)
    assert [rung.path for rung in ladder.rungs()] == ["fact_logic", "correctness"]


def test_a_skipped_stage_stands_for_its_parts() -> None:
    ladder = Ladder("r")
    for path in ("correctness/1", "correctness/2", "correctness"):
        ladder.apply(decided(path, Outcome.SKIPPED))
    assert [rung.path for rung in ladder.rungs()] == ["correctness"]
