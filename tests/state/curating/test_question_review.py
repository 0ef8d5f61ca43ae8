"""Going through the questions that wait for a person."""

import pytest
import pytest_asyncio

from store import candidates, curation_drafts, curations, exposures
from store.curation_drafts import ParaphraseDraft
from store.curation_rows import Curation
from store.review_rows import NewItem
from store.rows import NewCandidate, Origin
from store.workspace import Workspace
from tests.engine.runs.scripted import add_candidates
from tests.state.curating.curated import At, curated, rate
from tests.state.reviewing.laid_out import Clock, desk_of, make_queue
from uq_tui.errors import UqError
from uq_tui.state.curating.question_review import QuestionReview
from uq_tui.state.desk import Desk
from uq_tui.words import AuthorKind, CurationStage, Exposure, QuestionDecision, TextFormat

KEEP, REJECT, PARAPHRASE = QuestionDecision


@pytest.fixture
def curation(workspace: Workspace) -> Curation:
    return curated(workspace)


@pytest_asyncio.fixture
async def desk(workspace: Workspace) -> Desk:
    return await desk_of(workspace)


@pytest_asyncio.fixture
async def review(desk: Desk, curation: Curation) -> QuestionReview:
    opened = QuestionReview(desk, curation, clock=Clock())
    await opened.open()
    return opened


def shown(review: QuestionReview) -> str:
    return review.shown.question.row.id if review.shown is not None else ""


def where(ws: Workspace, curation: Curation, question_id: str) -> tuple[CurationStage, str]:
    path = curations.path(ws, curation.id, question_id)
    assert path is not None
    return path.place.stage, path.place.fell


async def test_the_next_comes_at_once(review: QuestionReview, workspace: Workspace, curation: Curation) -> None:
    assert (shown(review), review.progress_words) == ("first", "2 of 5 decided: 1 kept, 1 rejected")
    await review.decide(KEEP, "")
    assert (shown(review), review.told) == ("second", "recorded: keep")
    await review.decide(REJECT, "a duplicate")
    assert (shown(review), review.told) == ("third", "recorded: reject")
    assert review.progress_words == "4 of 5 decided: 2 kept, 2 rejected"
    assert where(workspace, curation, "first") == (CurationStage.KEPT, "")
    assert where(workspace, curation, "second") == (CurationStage.REVIEW, "reject")
    await review.decide(PARAPHRASE, "two questions in one", "Other *title*", "Other text.")
    assert review.shown is None
    (kept,) = [one for one in curations.kept(workspace, curation.id) if one.question_id == "third"]
    assert (kept.title, kept.edited) == ("Other *title*", True)


@pytest.mark.parametrize("decision", [REJECT, PARAPHRASE])
async def test_what_is_not_kept_as_it_is_needs_a_reason(review: QuestionReview, decision: QuestionDecision) -> None:
    with pytest.raises(UqError):
        await review.decide(decision, " ", "", "")
    assert (shown(review), review.busy, review.can_undo) == ("first", False, False)


async def test_what_is_put_off_comes_again_behind_the_others(review: QuestionReview) -> None:
    await review.put_off()
    assert (shown(review), review.told) == ("second", "put off: it comes again")
    await review.decide(KEEP, "")
    await review.decide(KEEP, "")
    assert shown(review) == "first"
    await review.put_off()
    assert (shown(review), review.told) == ("first", "nothing else is left but this one")


async def test_undo_shows_the_question_with_the_words_that_went_with_it(
    review: QuestionReview, workspace: Workspace, curation: Curation
) -> None:
    await review.decide(PARAPHRASE, "unclear", "Title", "Text")
    await review.decide(KEEP, "fine")
    await review.undo()
    assert (shown(review), review.told, review.turn.draft) == ("second", "undone", ParaphraseDraft(reason="fine"))
    await review.undo()
    assert (shown(review), review.turn.draft) == ("first", ParaphraseDraft("Title", "Text", "unclear"))
    assert where(workspace, curation, "first") == (CurationStage.REVIEW, "")
    await review.undo()
    assert (shown(review), review.can_undo) == ("first", False)


async def test_a_draft_is_there_again_and_goes_with_the_decision(
    review: QuestionReview, desk: Desk, curation: Curation
) -> None:
    words = ParaphraseDraft("T", "B", "why")
    await review.keep_draft(words)
    assert review.turn.draft == words
    again = QuestionReview(desk, curation)
    await again.open()
    assert again.turn.draft == words
    await again.decide(KEEP, "why")
    assert not curation_drafts.get(desk.workspace, desk.reviewer.id, curation.id, "first")


async def test_what_another_window_has_decided_is_not_decided_again(
    review: QuestionReview, desk: Desk, curation: Curation
) -> None:
    curations.decide(desk.workspace, desk.reviewer.id, curation.id, "first", REJECT, "a duplicate")
    await review.decide(KEEP, "")
    assert (shown(review), review.told) == ("second", "not recorded: somebody has decided it meanwhile")
    assert where(desk.workspace, curation, "first") == (CurationStage.REVIEW, "reject")
    assert not review.can_undo


async def test_without_questions_nothing_is_shown_and_nothing_decided(workspace: Workspace, desk: Desk) -> None:
    review = QuestionReview(desk, curated(workspace, {"k": At(CurationStage.KEPT)}))
    await review.open()
    await review.decide(KEEP, "")
    await review.put_off()
    assert (review.shown, review.progress_words) == (None, "1 of 1 decided: 1 kept, 0 rejected")


async def test_keys_do_nothing_just_after_a_question_has_come(desk: Desk, curation: Curation) -> None:
    clock = Clock()
    review = QuestionReview(desk, curation, clock=clock)
    await review.open()
    assert not review.guard.lets("keep")
    clock.wait()
    assert review.guard.lets("keep")
    review.guard.recorded("keep")
    await review.decide(KEEP, "")
    assert not review.guard.lets("reject")


def exposed(desk: Desk, candidate_id: str) -> set[Exposure]:
    return {row.what for row in exposures.of_candidate(desk.workspace, desk.reviewer.id, candidate_id)}


async def test_ratings_and_names_that_were_shown_are_logged(
    desk: Desk, workspace: Workspace, curation: Curation
) -> None:
    by = Origin(AuthorKind.MODEL, model="a-model", source="test")
    (answer,) = candidates.add(workspace, [NewCandidate("first", "Yes.", TextFormat.MARKDOWN, by)])
    rate(workspace, curation, "first", answer)
    review = QuestionReview(desk, curation)
    await review.open()
    assert exposed(desk, answer) == {Exposure.SCORES}
    await review.note_answer(answer)
    assert exposed(desk, answer) == {Exposure.SCORES, Exposure.MODEL}


async def test_of_a_masked_question_neither_names_nor_ratings_are_read(
    desk: Desk, workspace: Workspace, curation: Curation
) -> None:
    (answer,) = add_candidates(workspace, "An answer.", question_id="first")
    rate(workspace, curation, "first", answer)
    make_queue(workspace, desk, [NewItem("first", answer)])
    review = QuestionReview(desk, curation)
    await review.open()
    assert review.shown is not None
    assert (review.shown.path.ratings, review.shown.path.answer) == ((), None)
    assert [one.origins for one in review.shown.candidates] == [()]
    await review.note_answer(answer)
    assert exposed(desk, answer) == set()
