"""Rollouts by neighbour and by what came of them."""

import pytest

from store import judgements, neighbours
from store.run_rows import Rollout
from store.workspace import Workspace
from tests.engine.runs.scripted import QUESTION
from tests.measured_runs import measured_by, question_with
from uq_tui.state.utility.rollouts import Filter, Kind, grouped, kind_of, told_by
from uq_tui.words import DecidedBy


def listed(ws: Workspace, show: Filter) -> list[list[tuple[Kind, list[int]]]]:
    """For each neighbour its kinds with the samples under each."""
    (candidate,) = question_with(ws, 1, neighbours=2)
    run = measured_by(ws, {candidate: ["10n1c", "!?e"]})
    rows = judgements.rollouts_of_run(ws, run.id, candidate_ids=[candidate])
    groups = grouped(rows, neighbours.of_question(ws, QUESTION), show)
    assert [(one.neighbour.number, one.solved, one.decided, one.undecided) for one in groups] == [
        (1, 2, 4, 1),
        (2, 0, 0, 3),
    ]
    return [[(kind, [one.sample for one in found]) for kind, found in one.by_kind] for one in groups]


def test_all_are_listed_by_neighbour_and_kind(workspace: Workspace) -> None:
    assert listed(workspace, Filter.ALL) == [
        [(Kind.SOLVED, [0, 3]), (Kind.NOT_SOLVED, [1]), (Kind.NO_ANSWER, [2]), (Kind.CUT_OFF, [4])],
        [(Kind.UNDECIDABLE, [1]), (Kind.ENDED, [2]), (Kind.FAILED, [0])],
    ]


def test_only_unsolved_ones_leave_out_those_without_a_value(workspace: Workspace) -> None:
    assert listed(workspace, Filter.UNSOLVED) == [[(Kind.NOT_SOLVED, [1]), (Kind.NO_ANSWER, [2])], []]


def test_only_undecided_ones_leave_out_those_with_a_value(workspace: Workspace) -> None:
    assert [kinds for kinds, *_ in listed(workspace, Filter.UNDECIDED)] == [
        (Kind.CUT_OFF, [4]),
        (Kind.UNDECIDABLE, [1]),
    ]


@pytest.mark.parametrize(
    ("value", "by", "kind", "told"),
    [
        (1, DecidedBy.SYMBOLIC, Kind.SOLVED, "by algebra"),
        (0, DecidedBy.MODEL, Kind.NOT_SOLVED, "by a model"),
        (0, DecidedBy.DIFFERENT, Kind.NOT_SOLVED, "read exactly or by algebra"),
        (0, DecidedBy.NO_ANSWER, Kind.NO_ANSWER, ""),
        (None, DecidedBy.MODEL, Kind.UNDECIDABLE, ""),
    ],
)
def test_a_rollout_says_how_it_was_decided(value: int | None, by: DecidedBy, kind: Kind, told: str) -> None:
    rollout = Rollout("r", "c", "n", 0, value, by, "7", "k")
    assert (kind_of(rollout), told_by(rollout)) == (kind, told)
