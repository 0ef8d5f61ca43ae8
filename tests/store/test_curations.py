"""Passes of the funnel: what is stored of them, read, and decided in them."""

import pytest

from store import curation_lists, curations, reviewers
from store.curation_passes import put_places, start
from store.curation_rows import Curation, Place, StageCount
from store.workspace import Workspace
from tests.store.stock import question, take
from uq_tui.errors import NotFoundError, UqError
from uq_tui.words import CurationStage, QuestionDecision, TextFormat

RULES, MODEL, REVIEW, KEPT = CurationStage
SITE = "mathoverflow.net"


@pytest.fixture
def curation(workspace: Workspace) -> Curation:
    """Four questions: one fell at the rules, one is to be rated, two wait for review."""
    take(workspace, *(question(number, id=f"{SITE}:{number}", site=SITE) for number in range(1, 5)))
    begun = curations.begin(workspace, "autumn", "rules")
    begun = start(workspace, begun.id, 4, ())
    places = [Place(1, RULES, "votes", "votes 3 < 5"), Place(2, MODEL), Place(3, REVIEW), Place(4, REVIEW)]
    assert put_places(workspace, begun, [(SITE, place) for place in places], 4) is not None
    return curations.get(workspace, begun.id)


def numbers(workspace: Workspace, curation: Curation) -> dict[tuple[str, str], int]:
    return {(one.stage.value, one.fell): one.n for one in curations.counts(workspace, curation.id)}


def test_a_pass_has_a_name_of_its_own(workspace: Workspace) -> None:
    first = curations.begin(workspace, " first ", "x = 1")
    second = curations.begin(workspace, "second", "")
    assert (first.name, first.rules, first.up_to, first.ruled) == ("first", "x = 1", None, False)
    assert curations.all_of(workspace) == (second, first)
    assert curations.by_name(workspace, "first") == first
    for name in ("first", "  "):
        with pytest.raises(UqError):
            curations.begin(workspace, name, "")
    with pytest.raises(NotFoundError):
        curations.by_name(workspace, "third")


def test_questions_are_counted_where_they_are(workspace: Workspace, curation: Curation) -> None:
    assert curation.ruled
    assert curations.counts(workspace, curation.id) == (
        StageCount(MODEL, "", False, SITE, "Science", 1),
        StageCount(REVIEW, "", False, SITE, "Science", 2),
        StageCount(RULES, "votes", False, SITE, "Science", 1),
    )


def test_a_chunk_that_another_process_has_done_is_not_done_again(workspace: Workspace, curation: Curation) -> None:
    before = numbers(workspace, curation)
    earlier = Curation(curation.id, curation.name, "", 4, 0, curation.created_at)
    assert put_places(workspace, earlier, [(SITE, Place(1, MODEL))], 1) is None
    assert numbers(workspace, curation) == before


def test_lists_come_by_page_in_order_of_arrival(workspace: Workspace, curation: Curation) -> None:
    first = curation_lists.page(workspace, curation.id, REVIEW, limit=1)
    assert [one.question_id for one in first.rows] == [f"{SITE}:3"]
    second = curation_lists.page(workspace, curation.id, REVIEW, "", after=first.next_after, limit=1)
    assert [one.place for one in second.rows] == [Place(4, REVIEW)]
    assert second.next_after is None
    curations.decide(workspace, _reviewer(workspace), curation.id, f"{SITE}:3", QuestionDecision.REJECT, "too broad")
    both = curation_lists.page(workspace, curation.id, REVIEW)
    assert [(one.place.seq, one.place.fell) for one in both.rows] == [(3, "reject"), (4, "")]
    assert curation_lists.page(workspace, curation.id, REVIEW, site="math.stackexchange.com").rows == ()


def test_a_kept_question_comes_through_and_back(workspace: Workspace, curation: Curation) -> None:
    mine, key = _reviewer(workspace), f"{SITE}:3"
    path = curations.decide(workspace, mine, curation.id, key, QuestionDecision.KEEP, "")
    assert path.place == Place(3, KEPT)
    assert path.decision is not None
    assert path.decision.decision is QuestionDecision.KEEP
    assert [one.question_id for one in curations.kept(workspace, curation.id)] == [key]
    path = curations.undo_decision(workspace, mine, curation.id, key)
    assert (path.place, path.decision, len(path.reviews)) == (Place(3, REVIEW), None, 2)
    assert numbers(workspace, curation) == {("rules", "votes"): 1, ("model", ""): 1, ("review", ""): 2}
    with pytest.raises(UqError, match="No decision"):
        curations.undo_decision(workspace, mine, curation.id, key)


def test_a_paraphrase_is_kept_in_its_own_words(workspace: Workspace, curation: Curation) -> None:
    mine, key = _reviewer(workspace), f"{SITE}:4"
    decision = QuestionDecision.PARAPHRASE
    curations.decide(workspace, mine, curation.id, key, QuestionDecision.REJECT, "vague")
    path = curations.decide(workspace, mine, curation.id, key, decision, "clearer", "Title", "Other words.")
    assert path.place == Place(4, KEPT, detail="in other words: clearer")
    (kept,) = curations.kept(workspace, curation.id)
    assert (kept.title, kept.edited, kept.body_format) == ("Title", True, TextFormat.MARKDOWN)
    assert [one.body for one in path.reviews] == ["", "Other words."]


@pytest.mark.parametrize(
    ("decision", "reason", "title", "body"),
    [
        (QuestionDecision.REJECT, " ", "", ""),
        (QuestionDecision.PARAPHRASE, "", "t", "b"),
        (QuestionDecision.PARAPHRASE, "why", "t", " "),
        (QuestionDecision.KEEP, "", "t", "b"),
    ],
)
def test_a_decision_says_what_it_must(
    workspace: Workspace, curation: Curation, decision: QuestionDecision, reason: str, title: str, body: str
) -> None:
    with pytest.raises(UqError):
        curations.decide(workspace, _reviewer(workspace), curation.id, f"{SITE}:3", decision, reason, title, body)


@pytest.mark.parametrize("number", [1, 2, 9])
def test_only_what_waits_for_review_is_decided_on(workspace: Workspace, curation: Curation, number: int) -> None:
    before = numbers(workspace, curation)
    with pytest.raises(UqError):
        curations.decide(
            workspace, _reviewer(workspace), curation.id, f"{SITE}:{number}", QuestionDecision.KEEP, "good"
        )
    assert numbers(workspace, curation) == before


def _reviewer(workspace: Workspace) -> str:
    return reviewers.current(workspace).id
