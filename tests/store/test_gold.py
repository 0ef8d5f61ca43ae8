"""Gold items by person."""

from dataclasses import replace

from store import candidates, reviewers
from store.gold import Gold, gold_items
from store.review_rows import NewItem
from store.rows import KnownLabel, NewCandidate, Origin
from store.workspace import Workspace
from tests.store.records.samples import QUESTION_ID
from tests.store.records.stock import put_question
from tests.store.reviewing import queue
from tests.store.standing import ADA, BOB
from uq_tui.words import AuthorKind, ItemRole, Label, TextFormat

ADA_ELSEWHERE = replace(ADA, id="0199aaaa-0000-7000-8000-000000000001", handle="ada too", linked=(ADA.id,))


def test_a_gold_item_is_named_once_a_person_with_its_known_label(workspace: Workspace) -> None:
    put_question(workspace)
    known = KnownLabel(Label.INCORRECT, "", "f.jsonl")
    origin = Origin(AuthorKind.MODEL, model="m")
    one, other = candidates.add(
        workspace,
        [
            NewCandidate(QUESTION_ID, text, TextFormat.MARKDOWN, origin, known_label=known)
            for text in ("One.", "Another.")
        ],
    )
    for reviewer in (ADA, ADA_ELSEWHERE, BOB):
        reviewers.make(workspace, reviewer)
    gold, plain = NewItem(QUESTION_ID, one, ItemRole.GOLD), NewItem(QUESTION_ID, other)
    queue(workspace, {ADA: [gold, plain], BOB: [plain]}, name="one")
    queue(workspace, {ADA_ELSEWHERE: [gold]}, name="two")
    assert gold_items(workspace) == (Gold(ADA_ELSEWHERE.id, QUESTION_ID, one, Label.INCORRECT),)
