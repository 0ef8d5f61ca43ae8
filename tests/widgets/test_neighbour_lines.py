"""Neighbours and proposals in a list: what each line says, and nothing that a terminal obeys."""

from store import judgements, neighbours, questions, runs
from store.rows import Neighbour
from store.run_rows import Rollout
from store.workspace import Workspace
from tests.engine.runs.scripted import QUESTION, add_question
from tests.fakes.scripted_engine import ScriptedEngine
from tests.proposed_runs import begun_proposing, put_proposal
from uq_tui.engine.protocol import RunStarted
from uq_tui.engine.requests import ModelChoice
from uq_tui.state.desk import Desk
from uq_tui.state.neighbours.screen import NeighboursState
from uq_tui.widgets.neighbour_lines import entries, run_key, run_of
from uq_tui.words import DecidedBy, NeighbourUse, ProposalState, RunKind


async def lines(workspace: Workspace, *going: str) -> list[str]:
    """The list's entries as text; `going` are runs under way."""
    desk = await Desk.sit_down(workspace, ScriptedEngine(workspace.path), ModelChoice("m"))
    assert isinstance(desk.engine, ScriptedEngine)
    desk.engine.tell(*(RunStarted("t", run_id, RunKind.NEIGHBOURS, "x") for run_id in going))
    state = NeighboursState(desk, questions.get(workspace, QUESTION))
    await state.load()
    return [entry.prompt.plain for entry in entries(state)]


def add(workspace: Workspace, statement: str, answer: str, source: str = "anna") -> str:
    (key,) = neighbours.add(workspace, QUESTION, [Neighbour("", statement, answer, source)])
    return key


async def test_each_has_its_number_words_answer_and_source(workspace: Workspace) -> None:
    add_question(workspace)
    add(workspace, "How many\nare in $x^2$?", r"\frac{3}{4}")
    assert await lines(workspace) == ["In use (1)", "N1  How many are in x²?\n    3/4  anna"]


async def test_one_set_aside_says_why_and_keeps_its_number(workspace: Workspace) -> None:
    add_question(workspace)
    key = add(workspace, "What?", "7")
    add(workspace, "Where is the largest of them?", "8")
    neighbours.set_use(workspace, QUESTION, key, NeighbourUse.SET_ASIDE, "too easy")
    assert await lines(workspace) == [
        "In use (1)",
        "N2  Where is the largest of them?\n    8  anna",
        "Set aside (1)",
        "N1  What?\n    7  too easy  anna",
    ]


async def test_control_has_its_n_and_advice_its_mark(workspace: Workspace) -> None:
    add_question(workspace)
    key = add(workspace, "Is 5040 the number of orders of seven books?", "5040")
    run = runs.create(workspace, RunKind.CBU, "Utility", {"model": {"id": "o3"}}, 8)
    rollouts = [
        Rollout(run.id, "", key, sample, int(sample < 3), DecidedBy.EXACT, "", f"call {sample}") for sample in range(8)
    ]
    judgements.save_rollouts(workspace, rollouts)
    (_, line) = await lines(workspace)
    assert line.endswith("\n    5040  control .38 (3/8)  ! answer stated  anna")


async def test_advice_of_one_kind_has_one_mark(workspace: Workspace) -> None:
    add_question(workspace)
    for number in range(4):
        add(workspace, f"How many ways are there to go home from the station in {number + 30} minutes?", "7 or more")
    *_, line = await lines(workspace)
    assert line.endswith("\n    7 or more  ! near-duplicate ×3  ! form of answer  anna")


async def test_proposals_say_how_they_stand(workspace: Workspace) -> None:
    add_question(workspace)
    ended, going = begun_proposing(workspace, QUESTION), begun_proposing(workspace, QUESTION)
    put_proposal(workspace, ended, 1, "One?", state=ProposalState.DISAGREED, reason="a says 7;\nb says 8")
    put_proposal(workspace, ended, 2, "Two?")
    put_proposal(workspace, going, 1, "Three?", {"a": ["7", "8"], "b": ["7"]})
    add(workspace, "One?", "7")
    assert await lines(workspace, going.id) == [
        "In use (1)",
        "N1  One?\n    7  anna",
        "Under way (1)",
        "◌ 0 of 5 proposals decided",
        "Proposed, no neighbours (3)",
        "P1  Three?\n    ◌ being solved, 3 replies so far",
        "P1  One?\n    not agreed  a says 7; b says 8  taken over as N1",
        "P2  Two?\n    not finished",
    ]


async def test_foreign_text_is_harmless_and_short(workspace: Workspace) -> None:
    add_question(workspace)
    add(workspace, "[b]\x1b[2J" + "x" * 10_000, "\u202e" + "9" * 5_000, "file\x07\n" + "y" * 500)
    (_, line) = await lines(workspace)
    assert line.startswith("N1  [b]␛[2Jxxx")
    assert not any(sign in line for sign in "\x1b\x07\u202e")
    assert line.count("\n") == 1
    assert len(line) < 300


def test_runs_have_keys_of_their_own() -> None:
    assert run_of(run_key("r1")) == "r1"
    assert run_of("r1 1") == run_of("") == ""
