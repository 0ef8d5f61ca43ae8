"""What is shown of a problem that is judged blind."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from store import candidates, decisions, exposures, queues, reviewers, runs, undoing, verdicts
from store.review_rows import NewItem
from store.rows import Candidate, NewCandidate, Origin, VerdictForm
from store.withheld import withheld
from store.workspace import Workspace
from tests.fakes.scripted_engine import ScriptedEngine
from tests.masked import MASKED, PLAIN, Masked, fill, leaks, reveal
from tests.store.stock import QUESTION, take
from uq_tui.engine.protocol import OutcomeDecided
from uq_tui.engine.requests import ModelChoice
from uq_tui.errors import BlindError
from uq_tui.state.desk import Desk
from uq_tui.state.reviewing import blind, blind_runs
from uq_tui.state.workbench import Change, WorkbenchState
from uq_tui.words import AuthorKind, Exposure, Label, Outcome, QueueMode, TextFormat


@pytest.fixture
def made(tmp_path: Path) -> Masked:
    return fill(tmp_path / "masked.uq.sqlite")


@pytest.fixture
def opened(made: Masked) -> Iterator[Workspace]:
    ws = Workspace.open(made.path)
    yield ws
    ws.close()


@pytest.fixture
def answered(workspace: Workspace) -> Callable[..., Candidate]:
    """A candidate of a masked question."""

    def put(answer: str, origin: Origin, *, reasoning: str = "") -> Candidate:
        take(workspace, QUESTION)
        new = NewCandidate(QUESTION.id, answer, TextFormat.MARKDOWN, origin, reasoning=reasoning)
        (key,) = candidates.add(workspace, [new])
        share = {reviewers.current(workspace).id: [NewItem(QUESTION.id, key)]}
        queues.make(workspace, name="q", mode=QueueMode.BLIND, spec={}, guideline="", shares=share)
        return candidates.get(workspace, key)

    return put


BY_CLAUDE = Origin(AuthorKind.MODEL, model="anthropic/claude-3-5-sonnet-20241022")


def _me(ws: Workspace) -> str:
    return reviewers.current(ws).id


@pytest.mark.parametrize(("place", "named"), [(0, "A"), (25, "Z"), (26, "AA"), (51, "AZ"), (52, "BA"), (702, "AAA")])
def test_letters_go_on_after_z(place: int, named: str) -> None:
    assert blind.letter(place) == named


def test_masked_candidates_have_letters_and_nothing_that_tells(opened: Workspace) -> None:
    found = blind.candidates_of(opened, _me(opened), MASKED)
    assert [one.called for one in found] == ["A", "B", "C", "Ref"]
    assert [one.number for one in found] == [1, 2, 3, 4]
    assert found[-1].reference
    assert leaks(repr(found)) == []
    assert all(not one.origins and not one.created_at for one in found)
    assert {one.id for one in found} == {one.id for one in candidates.of_question(opened, MASKED)}
    assert blind.candidate(opened, _me(opened), found[1].id) == found[1]


def test_nothing_is_masked_for_others_nor_of_other_questions_nor_once_revealed(opened: Workspace, made: Masked) -> None:
    plain = candidates.of_question(opened, MASKED)
    assert blind.candidates_of(opened, "colleague", MASKED) == plain
    assert blind.mask_of(opened, "colleague", MASKED) is None
    assert blind.candidates_of(opened, _me(opened), PLAIN) == candidates.of_question(opened, PLAIN)
    with pytest.raises(BlindError, match=f"uq-tui queue reveal {MASKED}"):
        blind.require(opened, _me(opened), MASKED)
    assert blind.reveal(opened, _me(opened), MASKED)
    assert not blind.reveal(opened, _me(opened), MASKED)
    assert [one.called for one in blind.candidates_of(opened, _me(opened), MASKED)] == ["c1", "c2", "c3", "c4"]
    blind.require(opened, _me(opened), MASKED)


def test_an_answer_with_its_authors_name_is_flagged_and_showing_it_recorded(
    workspace: Workspace, answered: Callable[..., Candidate]
) -> None:
    one = answered("Proof by Claude 3.5 Sonnet.", BY_CLAUDE)
    mask = blind.mask_of(workspace, _me(workspace), one.question_id)
    assert mask is not None
    assert mask.names_author(one.id)
    blind.note_read(workspace, _me(workspace), [one.id])
    (row,) = exposures.of_candidate(workspace, _me(workspace), one.id)
    assert (row.what, row.where) == (Exposure.MODEL, "answer text")


def test_a_wrong_name_is_flagged_alike_and_tells_nothing(
    workspace: Workspace, answered: Callable[..., Candidate]
) -> None:
    one = answered("As GPT-4, I say yes.", BY_CLAUDE)
    mask = blind.mask_of(workspace, _me(workspace), one.question_id)
    assert mask is not None
    assert mask.names_author(one.id)
    blind.note_read(workspace, _me(workspace), [one.id])
    assert exposures.of_candidate(workspace, _me(workspace), one.id) == ()


def test_a_name_in_passing_is_flagged_whichever_of_the_problems_authors_has_it(
    workspace: Workspace, answered: Callable[..., Candidate]
) -> None:
    own = answered("Others, such as Claude 3.5 Sonnet, fail.", BY_CLAUDE)
    by_another = Origin(AuthorKind.MODEL, model="openai/another")
    new = [NewCandidate(QUESTION.id, text, TextFormat.MARKDOWN, by_another) for text in ("Not Claude 3.5 Sonnet.", "?")]
    other, plain = candidates.add(workspace, new)
    mask = blind.mask_of(workspace, _me(workspace), own.question_id)
    assert mask is not None
    assert [mask.names_author(key) for key in (own.id, other, plain)] == [True, True, False]


def test_reasoning_with_its_authors_name_counts_when_it_is_shown(
    workspace: Workspace, answered: Callable[..., Candidate]
) -> None:
    one = answered("As Claude Shannon showed.", BY_CLAUDE, reasoning="I am claude-3-5-sonnet-20241022.")
    mask = blind.mask_of(workspace, _me(workspace), one.question_id)
    assert mask is not None
    assert not mask.names_author(one.id)
    blind.note_read(workspace, _me(workspace), [one.id])
    assert exposures.of_candidate(workspace, _me(workspace), one.id) == ()
    blind.note_read(workspace, _me(workspace), [one.id], reasoning=True)
    assert [row.where for row in exposures.of_candidate(workspace, _me(workspace), one.id)] == ["reasoning text"]


def test_runs_on_it_are_veiled_and_refused_and_others_are_not(opened: Workspace, made: Masked) -> None:
    hidden = blind_runs.BlindRuns(opened, _me(opened))
    veiled = [hidden.veiled(run) for run in runs.recent(opened)]
    assert leaks(repr(veiled)) == []
    assert {run.id for run in veiled if "hidden while" in run.title} == set(made.runs)
    assert [run for run in veiled if run.id not in made.runs] == [
        run for run in runs.recent(opened) if run.id not in made.runs
    ]
    assert blind_runs.hides(opened, _me(opened), made.runs[0])
    assert not blind_runs.hides(opened, _me(opened), "no such run")
    with pytest.raises(BlindError):
        blind_runs.require(opened, _me(opened), made.runs)
    reveal(made.path)
    blind_runs.require(opened, _me(opened), made.runs)


def test_rows_that_are_withheld_are_those_on_it_and_own_ones_to_be_given_once_more(
    opened: Workspace, made: Masked
) -> None:
    kept = withheld(opened, _me(opened))
    assert verdicts.count(opened, kept) == 3
    assert leaks("".join(verdicts.records(opened, without=kept))) == []
    reveal(made.path)
    assert not withheld(opened, _me(opened))
    assert len([*verdicts.records(opened, without=withheld(opened, _me(opened)))]) == 4


async def test_the_workbench_takes_no_event_of_it_and_starts_nothing(opened: Workspace, made: Masked) -> None:
    desk = await Desk.sit_down(opened, ScriptedEngine(opened.path), ModelChoice("replay/none"))
    state = WorkbenchState(desk)
    await state.load(MASKED)
    first = state.candidates[0].id
    assert state.apply(OutcomeDecided(made.runs[0], first, "stage", Outcome.REJECT, "why", "")) is Change.NOTHING
    assert (state.ladders, state.measured) == ({}, {})
    for start in (state.validate_request, state.generate_request):
        with pytest.raises(BlindError):
            start()
    await state.note_exposures(answer=True, reasoning=False)
    assert exposures.of_candidate(opened, desk.reviewer.id, first) == ()
    await state.reveal()
    assert state.mask is None
    assert state.ladders.keys() == {made.answers[0]}
    assert state.measured.keys() == set(made.answers[:2])


async def test_the_workbench_notices_that_another_window_has_the_problem_judged_blind_again(
    opened: Workspace, made: Masked
) -> None:
    desk = await Desk.sit_down(opened, ScriptedEngine(opened.path), ModelChoice("replay/none"))
    state = WorkbenchState(desk)
    await state.load(MASKED)
    queue = queues.by_name(opened, "blind")
    while (item := queues.next_item(opened, queue.id, desk.reviewer.id)) is not None:
        decisions.decide(opened, desk.reviewer, item.id, VerdictForm(label=Label.UNSURE))
    assert await state.mask_has_moved()
    await state.reload()
    assert state.ladders
    assert not await state.mask_has_moved()
    undoing.undo(opened, desk.reviewer, queue.id)
    assert await state.mask_has_moved()
    await state.reload()
    assert (state.ladders, state.measured, state.mask is None) == ({}, {}, False)
