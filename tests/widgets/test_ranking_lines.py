"""How ranked candidates are laid out on lines of different lengths."""

import pytest
from rich.cells import cell_len

from store import candidates
from store.workspace import Workspace
from tests.engine.runs.scripted import QUESTION
from tests.measured_runs import measured_by, question_with
from uq_tui.state.utility import measured
from uq_tui.state.utility.other_scores import Column
from uq_tui.state.utility.ranking import ranking
from uq_tui.widgets.ranking_lines import entries


@pytest.mark.parametrize(("room", "columns"), [(74, 0), (116, 0), (150, 2), (196, 2)])
def test_the_heading_stands_over_its_columns_and_others_get_room_that_is_left(
    workspace: Workspace, room: int, columns: int
) -> None:
    first, second, third = question_with(workspace, 3, neighbours=2)
    measured_by(workspace, {first: ["1111", "1111"], second: ["0000", "0000"]}, control=["0101", "0000"])
    found = ranking(candidates.of_question(workspace, QUESTION), measured.read(workspace, QUESTION, ()))
    others = [Column("a very long judge's name", {first: "8.25 (8)"}), Column("rm", {second: "-1.5", third: "2"})]
    newest = measured.newest(workspace, QUESTION, ())[first]

    heading, best, worst, unmeasured, control = (
        entry.prompt.plain for entry in entries(found, newest, others, room, control="control", placebo="placebo")
    )

    assert (best.index("●"), worst.index("●")) == (heading.index("1 utility"), heading.index("0"))
    assert best.index("1.0 [") == worst.index(".00 [") == control.index(".25 [") == heading.index("utility")
    assert [line[heading.index(" n ") - 2 :][:4] for line in (best, worst, control)] == ["   8"] * 3
    assert best.index("+.75 [") == heading.index("lift")
    assert all(cell_len(line) <= room for line in (heading, best, worst, unmeasured, control))
    assert ("8.25 (8)" in best, "-1.5" in worst) == (columns > 0, columns > 1)
    if columns > 1:
        assert worst.index("-1.5") == unmeasured.index("2", 8) == heading.index("rm")


def test_undecided_rollouts_stand_below_their_line(workspace: Workspace) -> None:
    first, second = question_with(workspace, 2)
    measured_by(workspace, {first: ["11?c"], second: ["1000"]}, control=["0e00"])
    found = ranking(candidates.of_question(workspace, QUESTION), measured.read(workspace, QUESTION, ()))
    newest = measured.newest(workspace, QUESTION, ())[first]
    others = [Column("rm", {first: "2"})]

    lines = [one.prompt.plain for one in entries(found, newest, others, 150, control="control", placebo="placebo")]

    assert [line.partition("\n")[2].strip() for line in lines[1:]] == ["2 undecided (1 cut off)", "", "1 undecided"]
    assert lines[1].partition("\n")[0].rstrip().endswith(" 2")
