"""What runs elsewhere found of a candidate, in words."""

from store import elsewhere as stored
from store.workspace import Workspace
from tests.engine.runs.scripted import add_candidates, add_question
from tests.found_elsewhere import TWO, judge_row, outcome_row, put_row, put_validated, utility_row
from uq_tui.state.findings.elsewhere import Told, lines, markdown, told
from uq_tui.words import Outcome, RunKind


def found(ws: Workspace, candidate_id: str) -> tuple[Told, ...]:
    return tuple(part for one in stored.of_candidate(ws, candidate_id) for part in told(one))


def candidate(ws: Workspace) -> str:
    add_question(ws)
    (added,) = add_candidates(ws, "An answer.")
    return added


def test_a_strategy_is_told_by_its_models_its_outcome_and_its_stages(workspace: Workspace) -> None:
    key = candidate(workspace)
    put_validated(workspace, key, Outcome.UNPARSED, validator={**TWO, "models": ["m/one", "m/two"]})
    assert found(workspace, key) == (
        Told(
            "two by m/one, m/two",
            "? unparsed, because fact_logic says so",
            ("fact logic: ? unparsed, because fact_logic says so",),
        ),
    )
    (one,) = stored.of_candidate(workspace, key)
    assert lines(one) == (
        "found elsewhere: two by m/one, m/two: ? unparsed, because fact_logic says so "
        "(run elsewhere-run, ended 2026-02-03 04:05)",
    )
    assert "Run elsewhere-run, made elsewhere with uq-tui 0.2.0, ended 2026-02-03 04:05." in markdown(one)


def test_scores_are_told_with_n_and_what_is_none_and_utilities_with_their_interval(workspace: Workspace) -> None:
    key = candidate(workspace)
    put_row(
        workspace,
        key,
        kind=RunKind.JUDGE,
        judges=[judge_row(), judge_row(judge="yes", mean=None, sd=None, scored=0, replies=2, distinct=1, unparsed=0)],
    )
    late = "2026-03-01T00:00:00.000000Z"
    unknown = utility_row(mean=None, low=None, high=None)
    put_row(workspace, key, "measured", RunKind.CBU, late, utilities=[utility_row(), unknown])
    assert {(one.who, one.came_to) for one in found(workspace, key)} == {
        ("scale_10 by openai/o3", "8.25 ± 1.50 of 6 scores, 1 unparsed, 1 failed"),
        ("yes by openai/o3", "– of 0 scores, 1 failed, ≈ not independent"),
        ("utility with openai/o3", ".75 [.41,.93] on 1 neighbour by 8 rollouts"),
        ("utility with openai/o3", "– on 1 neighbour by 8 rollouts"),
    }
    assert found(workspace, key)[-1].details == (
        "neighbour 1: 6 of 8 solved, 0 undecided",
        "control: 2 of 8 solved, lift +.50 [.05,.76]",
    )


def test_words_of_another_program_stay_as_they_are_and_on_their_line(workspace: Workspace) -> None:
    key = candidate(workspace)
    rows = [outcome_row("r", "", "perhaps", reason="# Heading\n\nmore", strategy="a\nb", judge="")]
    put_row(
        workspace, key, outcomes=[*rows, outcome_row("r", "fact_logic/1", "accept"), outcome_row("r", "half", "accept")]
    )
    (one,) = stored.of_candidate(workspace, key)
    assert "**a b:** perhaps, # Heading more" in markdown(one)
    assert [(part.who, part.came_to, len(part.details)) for part in told(one)] == [
        ("a\nb", "perhaps, # Heading\n\nmore", 0),
        ("two by openai/o3", "no outcome of the whole", 1),
    ]
