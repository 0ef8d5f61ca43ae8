"""Neighbours with advice: from the question, the other neighbours, control arms and the run that made them."""

from dataclasses import replace

import pytest

from store import judgements, neighbours, proposals
from store.identity import neighbour_id, text_sha256
from store.rows import Neighbour
from store.run_rows import Proposal, Rollout
from store.workspace import Workspace
from tests.store.records.samples import AT, QUESTION_ID
from tests.store.records.stock import put_question, put_run
from uq_tui.analysis.neighbour_advice import Concern
from uq_tui.errors import NotFoundError
from uq_tui.state.neighbours import neighbourhood
from uq_tui.words import DecidedBy, NeighbourUse, ProposalState, RunKind

PATHS = "How many lattice paths from the origin to (6, 6) never rise above the diagonal on their way?"
TREES = "In how many ways can a convex polygon with eight sides be cut into triangles by its diagonals?"


@pytest.fixture
def ws(workspace: Workspace) -> Workspace:
    put_question(workspace)
    return workspace


def put(ws: Workspace, *pairs: tuple[str, str], source: str = "us") -> tuple[str, ...]:
    new = [Neighbour("", statement, answer, source) for statement, answer in pairs]
    return neighbours.add(ws, QUESTION_ID, new)


def concerns(ws: Workspace) -> list[list[Concern]]:
    return [[one.kind for one in advised.advice] for advised in neighbourhood.load(ws, QUESTION_ID)]


def test_sound_neighbours_come_without_advice_in_order_of_arrival(ws: Workspace) -> None:
    put(ws, (PATHS, "132"), (TREES, "132"))
    found = neighbourhood.load(ws, QUESTION_ID)
    assert [(one.neighbour.number, one.advice, one.control, one.run_id) for one in found] == [
        (1, (), None, ""),
        (2, (), None, ""),
    ]


def test_of_two_alike_the_later_is_told_and_only_while_the_earlier_is_in_use(ws: Workspace) -> None:
    first, _ = put(ws, (PATHS, "132"), (PATHS.replace("6", "7"), "429"))
    assert concerns(ws) == [[], [Concern.NEAR_DUPLICATE]]
    assert neighbourhood.load(ws, QUESTION_ID)[1].advice[0].text == "It is N1 with other numbers."
    neighbours.set_use(ws, QUESTION_ID, first, NeighbourUse.SET_ASIDE)
    assert concerns(ws) == [[], []]


def test_what_a_run_made_is_held_to_a_large_integer_and_names_its_run(ws: Workspace) -> None:
    run_id = put_run(ws, RunKind.NEIGHBOURS)
    proposals.save(ws, [Proposal(run_id, 1, QUESTION_ID, PATHS, "s", ProposalState.AGREED, "132", created_at=AT)])
    put(ws, (PATHS, "132"), source=run_id)
    put(ws, (TREES, "132"))
    made, written = neighbourhood.load(ws, QUESTION_ID)
    assert (made.run_id, [one.kind for one in made.advice]) == (run_id, [Concern.ANSWER_FORM])
    assert (written.run_id, written.advice) == ("", ())


def test_control_arms_are_told_with_their_counts(ws: Workspace) -> None:
    (key,) = put(ws, (PATHS, "132"))
    run_id = put_run(ws, RunKind.CBU)
    whole = Rollout(run_id, "", key, 0, 1, DecidedBy.EXACT, "132", "")
    rows = [replace(whole, sample=sample, call_key=text_sha256(str(sample))) for sample in range(8)]
    judgements.save_rollouts(ws, rows)
    (found,) = neighbourhood.load(ws, QUESTION_ID)
    assert found.control is not None
    assert (found.control.solver, found.control.solved, found.control.decided) == ("gpt-x", 8, 8)
    assert "control 8/8 [.68, 1.00] by gpt-x" in found.advice[0].text


def test_the_title_is_part_of_the_question(ws: Workspace) -> None:
    put(ws, ("Is f uniform? Is it?", "132"))
    assert concerns(ws) == [[Concern.NEAR_DUPLICATE]]
    assert neighbourhood.load(ws, QUESTION_ID)[0].neighbour.id == neighbour_id("Is f uniform? Is it?", "132")


def test_an_unknown_question(ws: Workspace) -> None:
    with pytest.raises(NotFoundError):
        neighbourhood.load(ws, "source:404")
