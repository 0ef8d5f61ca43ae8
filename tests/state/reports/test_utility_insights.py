"""What the Insights screen tells of utility: what it is asked for, and what is recorded of it."""

import asyncio
import threading

import pytest

from store import exposures, reviewers
from store.workspace import Workspace
from tests.scored import measured, put_labelled
from tests.state.reports.test_selection import put_two_questions
from uq_tui.state.reports import candidate_scores
from uq_tui.state.reports.labels import Against
from uq_tui.state.reports.selection import Per
from uq_tui.state.reports.utility_insights import UtilityInsightsState
from uq_tui.words import Exposure, Label


async def test_what_insights_ask_for_turns_and_is_recorded(workspace: Workspace) -> None:
    put_two_questions(workspace)
    state = UtilityInsightsState(workspace, reviewers.current(workspace).id)
    await state.load()
    assert state.findings is not None
    assert len(state.findings.selection.qualities) == 3
    turned = []
    for _ in range(3):
        state.turn_labels()
        turned.append(state.wanted.labels.against)
    assert turned == [Against.VERDICTS, Against.KNOWN, None]
    state.turn_unit()
    state.turn_reference()
    state.turn_borderline()
    assert (state.wanted.per, state.wanted.reference_counts) == (Per.AVERAGED, False)
    assert state.wanted.labels.borderline_correct is False


async def test_what_figures_give_away_is_recorded_before_it_is_shown(workspace: Workspace) -> None:
    question_id, (one,) = put_labelled(workspace, 1, [Label.CORRECT])
    measured(workspace, question_id, {one: [(1, 8), (4, 8)]})
    me = reviewers.current(workspace).id
    await UtilityInsightsState(workspace, me).load()
    rows = exposures.of_candidate(workspace, me, one)
    assert {row.what for row in rows} == {Exposure.UTILITY, Exposure.KNOWN_LABEL}
    assert {row.where for row in rows} == {"insights"}


async def test_a_reading_that_is_turned_away_from_is_not_recorded(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    question_id, (one,) = put_labelled(workspace, 1, [Label.CORRECT])
    measured(workspace, question_id, {one: [(1, 8), (4, 8)]})
    me, reading, go_on, read = (
        reviewers.current(workspace).id,
        threading.Event(),
        threading.Event(),
        candidate_scores.read,
    )

    def slow(*given: object, **named: object) -> object:
        reading.set()
        go_on.wait(5)
        return read(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(candidate_scores, "read", slow)
    loading = asyncio.create_task(UtilityInsightsState(workspace, me).load())
    await asyncio.to_thread(reading.wait)
    loading.cancel()
    go_on.set()
    await asyncio.get_running_loop().shutdown_default_executor()  # what was begun in threads is over
    assert exposures.of_candidate(workspace, me, one) == ()
