"""Which utility of a candidate is shown, and what is said of it."""

from dataclasses import replace

import pytest

from store import judgements
from store.run_rows import NeighbourValue, Utility
from store.workspace import Workspace
from tests.engine.runs.scripted import QUESTION
from tests.measured_runs import measured_by, question_with
from uq_tui.state.utility import measured
from uq_tui.state.utility.measured import Measured, advice, caution, decided_text, interval_text, odd_text
from uq_tui.words import DecidedBy, Interval


def utility(control: tuple[int, int] | None = None, mean: float = 0.5, **given: object) -> Utility:
    """Of one neighbour with 8 rollouts; `control` is solved of decided."""
    arm = (NeighbourValue("n", *control, 0),) if control else ()
    alone = control[0] / control[1] if control else None
    own = (NeighbourValue("n", round(8 * mean), 8, 0),)
    found = Utility("r", "c", "m", mean, 0.2, 0.8, 8, own, arm, alone, None, None, None, True, False)
    return replace(found, **given)  # type: ignore[arg-type]


def test_a_run_under_way_is_shown_before_the_finished_one(workspace: Workspace) -> None:
    (candidate,) = question_with(workspace, 1)
    old = measured_by(workspace, {candidate: ["11110000"]})
    new = measured_by(workspace, {candidate: ["1"]}, complete=False, model="solver-2")

    finished, live = (measured.read(workspace, QUESTION, ids)[candidate] for ids in ((), (new.id,)))

    assert (finished.utility.run_id, finished.solver, finished.under_way) == (old.id, "solver", False)
    assert (live.utility.run_id, live.solver, live.under_way) == (new.id, "solver-2", True)


def test_a_run_under_way_without_a_figure_hides_none(workspace: Workspace) -> None:
    first, second = question_with(workspace, 2)
    old = measured_by(workspace, {first: ["11110000"]})
    new = measured_by(workspace, {first: ["?"], second: ["?"]}, complete=False)

    found = measured.newest(workspace, QUESTION, (new.id,))

    assert {key: one.run_id for key, one in found.items()} == {first: old.id, second: new.id}


def test_only_runs_with_the_same_solver_neighbours_and_prompts_have_the_same_basis(workspace: Workspace) -> None:
    first, second, third, fourth = question_with(workspace, 4, neighbours=2)
    measured_by(workspace, {first: ["1", "0"]})
    measured_by(workspace, {second: ["11", "00"]})
    measured_by(workspace, {third: ["1"]})
    measured_by(workspace, {fourth: ["1", "0"]}, model="solver-2")

    bases = {key: one.basis for key, one in measured.read(workspace, QUESTION, ()).items()}

    assert bases[first] == bases[second]
    assert len({bases[first], bases[third], bases[fourth]}) == 3


def test_ways_of_deciding_are_counted_apart_from_exact_reading(workspace: Workspace) -> None:
    (candidate,) = question_with(workspace, 1)
    ways = [DecidedBy.EXACT, DecidedBy.SYMBOLIC, DecidedBy.SYMBOLIC, DecidedBy.MODEL, DecidedBy.UNDECIDABLE]
    run = measured_by(workspace, {candidate: ["1111?"]})
    rows = judgements.rollouts_of_run(workspace, run.id, candidate_ids=[candidate])
    judgements.save_rollouts(workspace, [replace(row, decided_by=way) for row, way in zip(rows, ways, strict=True)])

    found = measured.read(workspace, QUESTION, ())[candidate]

    assert decided_text(found) == "2 by algebra, 1 by a model, 1 undecidable"
    assert decided_text(replace(found, equivalence="judge-x")) == "2 by algebra, 1 by judge-x, 1 undecidable"


@pytest.mark.parametrize(
    ("own", "under_way", "said"),
    [
        (utility(), False, "T = 8 fixed"),
        (utility(interval=Interval.ANYTIME, complete=False), True, "live: holds at every look"),
        (utility(interval=Interval.ANYTIME, complete=False), False, "incomplete: holds at every look"),
        (utility(interval=Interval.ANYTIME, stopped_early=True), False, "stopped early: holds at every look"),
        (utility(interval=Interval.ANYTIME), False, "all T done: holds at every look"),
        (utility(complete=False), False, "incomplete"),
    ],
)
def test_what_kind_of_interval_it_is_is_said(own: Utility, under_way: bool, said: str) -> None:
    assert interval_text(Measured(own, "solver", "", under_way=under_way)) == said


@pytest.mark.parametrize(
    ("own", "said"),
    [
        (utility((15, 16)), "15/16 solved without a candidate: the neighbours are too easy for this solver."),
        (utility((1, 16), mean=0.0), "1/16 solved without a candidate, and no more with it: the neighbours may be"),
        (utility((1, 16), mean=0.75), ""),
        (utility((8, 16)), ""),
        (utility((3, 3)), ""),
        (utility((0, 3), mean=0.0), ""),
        (utility((0, 8), 0.1), "0/8 solved without a candidate, and no more with it"),
        (replace(utility((0, 8)), mean=None, low=None, high=None), ""),
        (utility(), ""),
    ],
)
def test_a_control_arm_near_0_or_1_brings_advice_with_its_n(own: Utility, said: str) -> None:
    assert advice(own).startswith(said)
    assert bool(advice(own)) == bool(said)


def test_neighbours_that_some_candidate_helps_with_are_not_called_too_hard(workspace: Workspace) -> None:
    useless, useful = question_with(workspace, 2)
    measured_by(workspace, {useless: ["0000"], useful: ["0000"]}, control=["0000"])
    hard = measured.read(workspace, QUESTION, ())
    assert {one.advice for one in hard.values()} == {advice(hard[useless].utility)} != {""}

    measured_by(workspace, {useless: ["0000"], useful: ["1111"]}, control=["0000"])

    assert {one.advice for one in measured.read(workspace, QUESTION, ()).values()} == {""}


@pytest.mark.parametrize(
    ("own", "control", "said"),
    [
        ((9, 1), (0, 0), ""),  # a tenth is not more than a tenth
        ((8, 1), (9, 0), "1 of 9 rollouts"),
        ((9, 0), (0, 2), "2 of 2 rollouts of the control"),
        ((0, 3), (5, 3), "3 of 3 rollouts, 3 of 8 rollouts of the control"),
    ],
)
def test_many_undecided_rollouts_bring_a_word_of_caution(
    own: tuple[int, int], control: tuple[int, int], said: str
) -> None:
    arms = [(NeighbourValue("n", 0, *counts), NeighbourValue("m", 0, 0, 0)) for counts in (own, control)]
    found = caution(replace(utility(), neighbours=arms[0], control=arms[1]))
    assert found == (
        f"Undecided and left out: {said}. A mean is too high where those left out were wrong." if said else ""
    )


def test_what_says_nothing_is_counted_over_an_arm() -> None:
    arm = (NeighbourValue("n", 1, 2, 3, cut_off=1), NeighbourValue("m", 1, 2, 1), NeighbourValue("k", 1, 2, 0))
    assert odd_text(arm) == "4 undecided (1 cut off)"
    assert odd_text(arm[2:]) == ""
