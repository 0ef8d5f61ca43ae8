"""What UQ's validators found of one answer, read as the rungs of a strategy."""

from typing import Any

import pytest

from store.ingest.report import RowError
from store.ingest.uq_evaluations import Evaluation, evaluation_of, failed, with_stages
from uq_tui.words import Outcome


def one(evaluation: Any, **more: Any) -> dict[str, Any]:
    return {"strategy": "vanilla", "judge_model": "o3", "evaluation": evaluation, **more}


def outcomes(found: Evaluation) -> dict[str, str]:
    return {rung.path: rung.outcome.value for rung in found.rungs}


def reason(found: Evaluation, path: str = "vanilla") -> str:
    return next(rung.reason for rung in found.rungs if rung.path == path)


@pytest.mark.parametrize(
    ("reply", "recorded", "outcome", "why"),
    [
        ("Fine. [[Y]]", True, Outcome.ACCEPT, ""),
        ("[[N]]\n", False, Outcome.REJECT, ""),
        ("[[Y]] and again [[Y]]", True, Outcome.ACCEPT, ""),
        ("", False, Outcome.UNPARSED, "the reply is empty; the file says reject"),
        ("[[y]]", False, Outcome.UNPARSED, "no [[Y]] or [[N]]; the file says reject"),
        ("[[ Y ]]", False, Outcome.UNPARSED, "no [[Y]] or [[N]]; the file says reject"),
        ("Answer [[Y]] or [[N]].\nIt fails: [[N]]", True, Outcome.REJECT, "by its last line; the file says accept"),
        ("[[N]]\n[[Y]]\n \n", False, Outcome.ACCEPT, "by its last line; the file says reject"),
        ("[[N]] rather [[Y]]", False, Outcome.UNPARSED, "both [[Y]] and [[N]]; the file says reject"),
        ("[[N]]", True, Outcome.REJECT, "its reply says reject, the file accept"),
        (None, False, Outcome.FAILED, "there is no reply"),
        (7, True, Outcome.FAILED, "there is no reply"),
    ],
)
def test_a_reply_is_read_again(reply: Any, recorded: bool, outcome: Outcome, why: str) -> None:
    found = evaluation_of(one(reply, is_accepted=recorded))
    assert outcomes(found) == {"": outcome.value, "vanilla": outcome.value}
    assert reason(found).endswith(why)
    assert bool(why) == bool(reason(found))


def test_without_the_reply_the_file_is_believed() -> None:
    given = {"strategy": "vanilla", "judge_model": "o3", "is_accepted": False}
    assert outcomes(evaluation_of(given))["vanilla"] == "reject"
    assert outcomes(evaluation_of({"strategy": "vanilla"}))["vanilla"] == "failed"


@pytest.mark.parametrize(
    ("named", "stage"),
    [
        ("factual_error", "fact_logic"),
        ("fact_check", "fact_logic"),
        ("total_correctness", "correctness"),
        ("correctness", "correctness"),
        ("cycle_consistency", "cycle_consistency"),
        ("relevance", "relevance"),
        ("final_answer", "final_answer"),
        ("multi_turn(TotalCorrectnessStrategy)", "correctness"),
        ("repeated_sampling(FactualErrorStrategy)", "fact_logic"),
        ("my own\x1b[2J check", "my_own_2J_check"),
        ("", "check"),
    ],
)
def test_checks_go_by_both_namings(named: str, stage: str) -> None:
    assert evaluation_of(one("[[Y]]", strategy=named)).stages == (stage,)


def spread(decisions: str, rule: str = "majority", **more: Any) -> Evaluation:
    """Several turns; a letter each, `-` for a reply without a decision."""
    texts = [f"[[{letter}]]" if letter in "YN" else "Hm." for letter in decisions]
    given = {"strategy": "multi_turn(X)", "n_turns": len(texts), "evaluations": texts, "voting_method": rule, **more}
    return evaluation_of(given)


@pytest.mark.parametrize(
    ("decisions", "rule", "outcome"),
    [
        ("YYY", "unanimous", Outcome.ACCEPT),
        ("YN-", "unanimous", Outcome.REJECT),
        ("YY-", "unanimous", Outcome.UNPARSED),
        ("YYN", "majority", Outcome.ACCEPT),
        ("YYNN", "majority", Outcome.REJECT),
        ("YY--", "majority", Outcome.UNPARSED),
        ("Y--N-", "majority", Outcome.UNPARSED),
        ("NN-", "majority", Outcome.REJECT),
    ],
)
def test_votes_are_counted_over_the_planned_ones(decisions: str, rule: str, outcome: Outcome) -> None:
    found = spread(decisions, rule)
    assert found.rungs[1].outcome is outcome
    assert len(found.rungs) == 2 + len(decisions)
    assert found.stages == (f"X r{len(decisions)} {rule}",)


def test_votes_that_are_missing_failed() -> None:
    found = spread("YY", "unanimous", n_turns=3, is_accepted=True)
    assert outcomes(found) == {"": "failed", "X": "failed", "X/1": "accept", "X/2": "accept", "X/3": "failed"}
    assert reason(found, "X") == "2 of 3 accepted, 0 rejected; the file says accept"


def test_a_vote_by_no_rule_that_is_known_goes_by_the_file() -> None:
    assert spread("YN", "weighted", is_accepted=True).rungs[1].outcome is Outcome.ACCEPT
    assert spread("YN", "weighted").rungs[1].outcome is Outcome.UNPARSED
    assert spread("Y-", "weighted", is_accepted=True).rungs[1].outcome is Outcome.UNPARSED


def test_samples_of_turns_have_the_vote_and_the_name_within() -> None:
    sample = one("[[N]]", strategy="multi_turn(TotalCorrectnessStrategy)", voting_method="majority", is_accepted=True)
    unread = {**sample, "evaluation": "?"}
    given = {
        "strategy": "repeated_sampling(UnanimousVotingDecorator)",
        "n_samples": 2,
        "sample_results": [sample, unread],
        "voting_method": "unanimous",
    }
    found = evaluation_of(given)
    assert found.stages == ("correctness x2 unanimous",)
    assert outcomes(found) == {
        "": "unparsed",
        "correctness": "unparsed",
        "correctness/1": "accept",
        "correctness/2": "unparsed",
    }


def pipeline(*steps: dict[str, Any], total: int = 3, **more: Any) -> Evaluation:
    return evaluation_of({"strategy": "sequential_judgment", "step_results": list(steps), "total_steps": total, **more})


def test_a_pipeline_that_stopped_at_its_first_step() -> None:
    cut = pipeline(one("[[N]]", strategy="cycle_consistency"), is_accepted=False, completed_steps=1)
    assert outcomes(cut) == {"": "reject", "cycle_consistency": "reject"}
    whole = with_stages(cut, ("cycle_consistency", "fact_logic r3 unanimous"))
    assert outcomes(whole) == {
        "": "reject",
        "cycle_consistency": "reject",
        "fact_logic": "skipped",
        "step_3": "skipped",
    }


def test_an_unread_step_that_the_file_took_for_a_no_leaves_the_whole_undecided() -> None:
    found = pipeline(one("[[Y]]", strategy="cycle_consistency"), one("?"), is_accepted=False)
    assert outcomes(found) == {"": "unparsed", "cycle_consistency": "accept", "vanilla": "unparsed"}
    assert reason(found, "") == "1 of 3 steps accepted, none rejected; the file says reject"
    torn = pipeline(one("[[Y]]"))
    assert outcomes(torn)[""] == "failed"


def test_steps_by_one_check_have_names_of_their_own() -> None:
    found = pipeline(one("[[Y]]"), one("[[Y]]"), total=2)
    assert found.stages == ("vanilla", "vanilla_2: vanilla")
    assert outcomes(found) == {"": "accept", "vanilla": "accept", "vanilla_2": "accept"}


def test_the_inferred_question_is_a_reply_of_its_own() -> None:
    found = evaluation_of(one("[[Y]]", strategy="cycle_consistency", inferred_question="Which?", prompt="Compare."))
    assert [reply.text for reply in found.rungs[1].replies] == ["Which?", "[[Y]]"]
    assert found.prompt == "Compare."


@pytest.mark.parametrize(
    "given",
    [
        None,
        [],
        {"step_results": {}},
        {"step_results": [1]},
        {"total_steps": "x"},
        {"total_steps": 2**70},
        {"total_steps": 10**6},
        {"evaluations": "x"},
        {"decisions": [True], "n_turns": 10**9},
        {"judge_model": 7},
        {"sample_results": [{}] * 2_000},
    ],
)
def test_what_is_no_evaluation_says_why(given: Any) -> None:
    with pytest.raises(RowError):
        evaluation_of(given)


def test_a_failure_is_a_failure() -> None:
    assert outcomes(failed("timed out")) == {"": "failed"}
