import pytest

from uq_tui.analysis.failing_stage import first_rejecting

STAGES = ("cycle_consistency", "fact_logic", "correctness")


@pytest.mark.parametrize(
    ("nodes", "stage"),
    [
        ([], ""),
        ([(5, "fact_logic"), (5, "fact_logic/2")], "fact_logic"),
        # Asked to the end, a later stage rejects as well.
        ([(9, "correctness"), (9, "correctness/1"), (5, "fact_logic"), (5, "fact_logic/1")], "fact_logic"),
        # In one round the strategy's own order counts.
        ([(1, "correctness"), (1, "cycle_consistency")], "cycle_consistency"),
        # A sample that was outvoted made nothing fail.
        ([(2, "cycle_consistency/1"), (4, "correctness"), (4, "correctness/3")], "correctness"),
        # An ensemble over pipelines, where the second model rejected first.
        (
            [
                (6, "pipeline"),
                (6, "pipeline/1"),
                (6, "pipeline/1/correctness"),
                (3, "pipeline/2"),
                (3, "pipeline/2/fact_logic"),
                (3, "pipeline/2/fact_logic/1"),
            ],
            "fact_logic",
        ),
    ],
)
def test_the_stage_that_rejected_first(nodes: list[tuple[int, str]], stage: str) -> None:
    assert first_rejecting(nodes, STAGES) == stage
