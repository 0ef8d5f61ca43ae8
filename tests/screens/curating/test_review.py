"""Reviewing questions: decided by one key, with reasons and in other words."""

import pytest
import pytest_asyncio

from store import candidates, curation_drafts, curations, exposures
from store.curation_drafts import ParaphraseDraft
from store.curation_rows import Curation
from store.rows import NewCandidate, Origin
from tests.screens.conftest import Host
from tests.screens.waiting import screen_text, shown, wait_until
from tests.state.curating.curated import curated, rate
from tests.state.reviewing.laid_out import Clock
from uq_tui.screens.curating.review import QuestionReviewScreen
from uq_tui.state.desk import Desk
from uq_tui.widgets.keeps_words import holding
from uq_tui.words import AuthorKind, CurationStage, Exposure, TextFormat


@pytest_asyncio.fixture
async def curation(desk: Desk) -> Curation:
    """Three questions to review; the first has two answers by models, one of them rated."""
    made = curated(desk.workspace)
    by = [Origin(AuthorKind.MODEL, model=f"model-{name}", source="test") for name in "ab"]
    answers = [NewCandidate("first", f"By {one.model}.", TextFormat.MARKDOWN, one) for one in by]
    rate(desk.workspace, made, "first", candidates.add(desk.workspace, answers)[0])
    return made


def fell(desk: Desk, curation: Curation, question_id: str) -> tuple[CurationStage, str, str]:
    path = curations.path(desk.workspace, curation.id, question_id)
    assert path is not None
    return path.place.stage, path.place.fell, path.place.detail


def exposed(desk: Desk, candidate_id: str) -> set[Exposure]:
    return {row.what for row in exposures.of_candidate(desk.workspace, desk.reviewer.id, candidate_id)}


async def test_questions_are_decided_with_reasons_and_taken_back(desk: Desk, curation: Curation) -> None:
    clock = Clock()
    app = Host(QuestionReviewScreen(desk, curation, clock=clock))
    async with app.run_test(size=(120, 40)) as pilot:
        await shown(pilot, "Text of first.", "views per vote: 103", "2 of 5 decided", "mean 25.0 %")
        await pilot.press("y")  # too soon
        clock.wait()
        first, second = [one.id for one in candidates.of_question(desk.workspace, "first")]
        assert exposed(desk, first) == {Exposure.SCORES}
        await pilot.press("a")
        await shown(pilot, "By model-a.", "Answer 1 of 2: c1 model-a, the one that")
        await wait_until(pilot, lambda: exposed(desk, first) == {Exposure.SCORES, Exposure.MODEL})
        assert not exposed(desk, second)
        await pilot.press("a")
        await shown(pilot, "By model-b.")
        await pilot.press("y", "y")  # held: the second is for nothing
        await shown(pilot, "Text of second.", "recorded: keep, u undoes", "3 of 5 decided")
        clock.wait()
        await pilot.press("x")
        await shown(pilot, "Enter records: reject")
        await pilot.press(*"a twin", "enter")
        await shown(pilot, "Text of third.", "recorded: reject, u undoes")
        assert fell(desk, curation, "second") == (CurationStage.REVIEW, "reject", "a twin")
        clock.wait()
        await pilot.press("u")
        await shown(pilot, "Text of second.", "undone", "a twin")
        clock.wait()
        await pilot.press("l")
        await shown(pilot, "Text of third.", "put off: it comes again")
        clock.wait()
        await pilot.press("y")
        await shown(pilot, "Text of second.", "a twin")
        clock.wait()
        await pilot.press("x")
        await shown(pilot, "No question waits for a person", "5 of 5 decided: 3 kept, 2 rejected")
    assert not app.errors


@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
async def test_a_paraphrase_is_a_draft_until_it_is_recorded(
    desk: Desk, curation: Curation, size: tuple[int, int]
) -> None:
    clock = Clock()
    app = Host(QuestionReviewScreen(desk, curation, clock=clock))
    async with app.run_test(size=size) as pilot:
        await shown(pilot, "Text of first.", "y keep")
        assert ("votes: 12" in screen_text(pilot)) is (size[0] > 100)
        await pilot.press("right")
        await shown(pilot, "votes: 12")
        clock.wait()
        await pilot.press("p")
        await shown(pilot, "In other words", "How *first*?")
        await pilot.press(*"Now ", "ctrl+s")
        await shown(pilot, "needs a reason")
        await pilot.press("escape")
        await wait_until(pilot, lambda: "In other words" not in screen_text(pilot))
        key = (desk.reviewer.id, curation.id, "first")
        assert curation_drafts.get(desk.workspace, *key).body == "Now Text of first."
        clock.wait()
        await pilot.press("p")
        await shown(pilot, "Now Text of first.")
        await pilot.press("tab", *"vague", "ctrl+s")
        await shown(pilot, "Text of second.", "recorded: paraphrase")
        assert fell(desk, curation, "first")[0] is CurationStage.KEPT
        assert not curation_drafts.get(desk.workspace, *key)
    assert not app.errors


async def test_words_on_a_question_are_kept_where_they_were_written_last(desk: Desk, curation: Curation) -> None:
    clock = Clock()
    app = Host(QuestionReviewScreen(desk, curation, clock=clock))
    async with app.run_test(size=(120, 40)) as pilot:
        await shown(pilot, "Text of first.")
        await pilot.press("r", *"old")
        clock.wait()
        await pilot.press("enter", "p")
        await shown(pilot, "In other words")
        await pilot.press("tab", "end", *" new")
        for one in holding(app.screen_stack):
            await one.keep_words()
        key = (desk.reviewer.id, curation.id, "first")
        assert curation_drafts.get(desk.workspace, *key) == ParaphraseDraft(reason="old new")
        await pilot.press("escape")
        await shown(pilot, "old new", "y keep")
        assert not holding(app.screen_stack)
    assert not app.errors
