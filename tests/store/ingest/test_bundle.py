"""Work that goes out in bundles and comes back: opened on a machine with nothing else, judged, merged again."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from exports.bundles import write_returned, write_work
from store import (
    blindness,
    bundles,
    candidates,
    decisions,
    persons,
    questions,
    queue_opening,
    queues,
    reviewers,
    shares,
    statements,
)
from store import bundle_shape as shape
from store.grading import GRADING_SCHEME
from store.ingest.expertmath import ORIGINAL_ANSWER
from store.ingest.importer import import_file
from store.review_rows import NewItem, Queue, QueueItem, Said
from store.rows import Origin, Reviewer, VerdictForm
from store.withheld import withheld
from store.workspace import Workspace
from tests.new_workspace import new_workspace
from tests.store.ingest.bundled import described, members_of, packed, share_of, shared
from tests.store.records.giving import give
from tests.store.reviewing import ADA, BOB, RIGHT, WRONG, share
from tests.store.stock import candidate, question, take
from uq_tui.errors import ImportFileError, UqError
from uq_tui.state.reviewing.reference import read as reference_of
from uq_tui.words import (
    AuthorKind,
    BundleDirection,
    ItemRole,
    ItemState,
    NotJudged,
    QueueMode,
    StatementKind,
    TextFormat,
)

DEEP = VerdictForm(not_judged=NotJudged.OUT_OF_DEPTH)
TEDIOUS = VerdictForm(not_judged=NotJudged.TOO_TEDIOUS)


@pytest.fixture
def made(workspace: Workspace) -> Queue:
    return shared(workspace)


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Workspace]:
    opened = new_workspace(tmp_path / "elsewhere.uq.sqlite")
    yield opened
    opened.close()


def sent(ws: Workspace, queue: Queue, folder: Path, reviewer: Reviewer = ADA) -> Path:
    """A bundle of a share that was written, and noted."""
    path = folder / f"{reviewer.handle}.zip"
    report = write_work(ws, share_of(ws, queue, reviewer), path)
    bundles.note(ws, BundleDirection.SENT, queue.id, reviewer.id, path.name, report.sha256, report.rows[shape.ITEMS])
    return path


def came_back(ws: Workspace, queue: Queue, folder: Path) -> Path:
    """What the current reviewer elsewhere has said."""
    path = folder / "back.zip"
    write_returned(ws, queue, reviewers.current(ws), path)
    return path


def states(ws: Workspace, queue: Queue) -> list[ItemState]:
    return [item.state for item in share(ws, queue)]


def to_judge(ws: Workspace, queue: Queue) -> list[QueueItem]:
    return [item for item in share(ws, queue) if not item.linked_to]


def test_a_machine_with_nothing_else_has_the_queue_the_reviewer_and_the_items(
    workspace: Workspace, elsewhere: Workspace, made: Queue, tmp_path: Path
) -> None:
    report = import_file(elsewhere, sent(workspace, made, tmp_path))
    assert (report.format, report.new, report.rejected_total) == ("bundle", 11, 0)
    assert report.counts == {"questions": 2, "candidates": 4, "items": 5}
    assert reviewers.current(elsewhere) == reviewers.get(workspace, ADA.id)
    there = queues.get(elsewhere, made.id)
    assert (there.name, there.mode, there.guideline) == (made.name, made.mode, made.guideline)
    assert there.spec["rules"]["rationale"]
    ours, theirs = share(workspace, made), share(elsewhere, made)
    told = ("id", "position", "question_id", "candidate_id", "answer_group", "linked_to", "state")
    assert [[getattr(item, key) for key in told] for item in theirs] == [
        [getattr(item, key) for key in told] for item in ours
    ]
    assert [item.role for item in theirs] == [ItemRole.PLAIN] * 4 + [ItemRole.REPEAT]
    assert blindness.masked_questions(elsewhere, ADA.id) == {"q0", "q1"}
    assert all(not one.origins for one in candidates.of_question(elsewhere, "q0"))
    assert questions.get(elsewhere, "q0").body.raw == questions.get(workspace, "q0").body.raw
    assert [one.direction for one in bundles.of_queue(elsewhere, made.id)] == [BundleDirection.OPENED]


def test_opening_again_changes_nothing_that_was_decided(
    workspace: Workspace, elsewhere: Workspace, made: Queue, tmp_path: Path
) -> None:
    path = sent(workspace, made, tmp_path)
    import_file(elsewhere, path)
    decisions.decide(elsewhere, ADA, to_judge(elsewhere, made)[0].id, RIGHT)
    before = share(elsewhere, made)
    report = import_file(elsewhere, path)
    assert (report.new, report.changed, report.same) == (0, 0, 11)
    assert "5 items to judge, 5 of them here before." in report.notes[0]
    assert share(elsewhere, made) == before


def test_of_a_bundle_that_broke_off_nobody_sees_anything_until_it_is_opened_again(
    workspace: Workspace, elsewhere: Workspace, made: Queue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = sent(workspace, made, tmp_path)
    before = reviewers.current(elsewhere)
    monkeypatch.setattr(queue_opening, "_AT_ONCE", 2)
    writes = iter([queue_opening._put_items])  # the first two items only

    def put_or_die(*given: Any) -> None:
        next(writes)(*given)

    with monkeypatch.context() as patched:
        patched.setattr(queue_opening, "_put_items", put_or_die)
        with pytest.raises(StopIteration):
            import_file(elsewhere, path)
    assert queues.all_of(elsewhere) == ()
    assert reviewers.current(elsewhere) == before
    assert blindness.masked_questions(elsewhere, ADA.id) == set()
    assert import_file(elsewhere, path).counts["items"] == 5
    assert [item.id for item in share(elsewhere, made)] == [item.id for item in share(workspace, made)]
    assert reviewers.current(elsewhere).id == ADA.id


def test_what_comes_back_decides_the_items_and_rejoins_by_candidate(
    workspace: Workspace, elsewhere: Workspace, made: Queue, tmp_path: Path
) -> None:
    import_file(elsewhere, sent(workspace, made, tmp_path))
    for item, form in zip(to_judge(elsewhere, made), (RIGHT, WRONG, DEEP, WRONG), strict=True):
        decisions.decide(elsewhere, ADA, item.id, form)
    path = came_back(elsewhere, made, tmp_path)
    report = import_file(workspace, path)
    assert (report.counts, report.rejected_total) == ({"verdicts": 5}, 0)
    decided, skipped = ItemState.DECIDED, ItemState.SKIPPED
    assert states(workspace, made) == [decided, decided, decided, skipped, decided]
    assert report.notes == (f"“{made.name}”, share of {ADA.handle}: 4 of 4 items back.",)
    assert import_file(workspace, path).same == 5
    (one,) = shares.status(workspace, made.id)
    assert (one.items, one.returned, one.missing, one.count(NotJudged.OUT_OF_DEPTH)) == (4, 4, 0, 1)
    assert one.sent_at is not None
    assert one.returned_at is not None
    assert one.newest_verdict_at is not None


def test_a_bundle_is_not_opened_where_it_was_written(workspace: Workspace, made: Queue, tmp_path: Path) -> None:
    path = sent(workspace, made, tmp_path)
    with pytest.raises(ImportFileError, match="was written in this workspace"):
        import_file(workspace, path)
    assert reviewers.current(workspace) == reviewers.get(workspace, BOB.id)


def test_somebody_of_the_same_name_and_another_queue_of_that_name_are_told_apart(
    workspace: Workspace, elsewhere: Workspace, made: Queue, tmp_path: Path
) -> None:
    namesake = Reviewer("0199aaaa-0000-7000-8000-00000000000f", "ada", "", ("topology",))
    reviewers.save(elsewhere, namesake)
    mine = shared(elsewhere)
    reviewers.save(elsewhere, namesake)
    report = import_file(elsewhere, sent(workspace, made, tmp_path))
    there = queues.get(elsewhere, made.id)
    assert there.name == f"pilot ({made.id})"
    assert queues.get(elsewhere, mine.id).name == "pilot"
    assert [note for note in report.notes if "another queue “pilot”" in note]
    assert [note for note in report.notes if "Somebody else here is called ada" in note]
    assert reviewers.get(elsewhere, namesake.id) == namesake
    assert persons.persons(elsewhere)[ADA.id] == ADA.id


def test_one_who_is_known_here_keeps_what_they_say_of_themselves(
    workspace: Workspace, elsewhere: Workspace, made: Queue, tmp_path: Path
) -> None:
    own = Reviewer(ADA.id, "ada-at-home", "", ("geometry",), name="Ada")
    reviewers.save(elsewhere, own)
    import_file(elsewhere, sent(workspace, made, tmp_path))
    assert reviewers.current(elsewhere) == own


def test_an_answer_that_is_here_by_a_model_is_no_reference(
    workspace: Workspace, elsewhere: Workspace, made: Queue, tmp_path: Path
) -> None:
    """A bundle can't have an answer scored as if it were the expert's."""
    shared(elsewhere)
    path = sent(workspace, made, tmp_path)
    members = members_of(path)
    before, _, after = members[shape.CANDIDATES].rpartition(b'"reference":false')
    rows = before + b'"reference":true' + after
    judged = rows.split(b'"candidate_id":"')[-1][:64]
    items = b"".join(line + b"\n" for line in members[shape.ITEMS].splitlines() if judged not in line)
    path.write_bytes(packed(described({**members, shape.CANDIDATES: rows, shape.ITEMS: items})))
    report = import_file(elsewhere, path)
    assert report.counts["candidates"] == 4
    assert not candidates.get(elsewhere, judged.decode()).reference


def test_an_open_bundle_tells_authors_where_it_is_opened(
    workspace: Workspace, elsewhere: Workspace, tmp_path: Path
) -> None:
    import_file(elsewhere, sent(workspace, shared(workspace, QueueMode.OPEN), tmp_path))
    origins = {one.origins for key in ("q0", "q1") for one in candidates.of_question(elsewhere, key)}
    (origin,) = origins.pop()
    assert not origins
    assert isinstance(origin, Origin)
    assert (origin.model, origin.organisation, origin.source) == ("gpt-x", "X Labs", "ada.zip")
    assert blindness.masked_questions(elsewhere, ADA.id) == set()


def _another_mode(ws: Workspace, path: Path) -> None:
    members = members_of(path)
    manifest = members[shape.MANIFEST].replace(b'"mode":"blind"', b'"mode":"open"')
    path.write_bytes(packed({**members, shape.MANIFEST: manifest}))


def _another_item(ws: Workspace, path: Path) -> None:
    members = members_of(path)
    rows = members[shape.ITEMS].splitlines()
    first, second = (row.split(b'"item_id":"')[1][:36] for row in (rows[1], rows[3]))
    swapped = members[shape.ITEMS].replace(first, b"x" * 36).replace(second, first).replace(b"x" * 36, second)
    path.write_bytes(packed(described({**members, shape.ITEMS: swapped})))


def test_names_of_queues_that_others_chose_to_collide_are_told_apart(
    workspace: Workspace, elsewhere: Workspace, made: Queue, tmp_path: Path
) -> None:
    first = share(elsewhere, shared(elsewhere))[0]
    shares = {BOB.id: [NewItem(first.question_id, first.candidate_id)]}
    queues.make(elsewhere, name=f"pilot ({made.id})", mode=QueueMode.OPEN, spec={}, guideline="", shares=shares)
    import_file(elsewhere, sent(workspace, made, tmp_path))
    assert queues.get(elsewhere, made.id).name == f"pilot ({made.id}) ({made.id})"


def test_a_queue_that_was_made_here_takes_nothing_from_a_bundle(
    workspace: Workspace, made: Queue, tmp_path: Path
) -> None:
    path = tmp_path / "not-noted.zip"
    write_work(workspace, share_of(workspace, made), path)
    members = members_of(path)
    path.write_bytes(packed({**members, shape.MANIFEST: members[shape.MANIFEST].replace(b"*kind*", b"*harsh*")}))
    with pytest.raises(ImportFileError, match="made here"):
        import_file(workspace, path)
    assert queues.get(workspace, made.id).guideline == "Be *kind*."


@pytest.mark.parametrize("change", [_another_mode, _another_item])
def test_a_bundle_that_contradicts_what_was_opened_is_refused_whole(
    workspace: Workspace,
    elsewhere: Workspace,
    made: Queue,
    tmp_path: Path,
    change: Callable[[Workspace, Path], None],
) -> None:
    path = sent(workspace, made, tmp_path)
    import_file(elsewhere, path)
    before = share(elsewhere, made)
    change(elsewhere, path)
    with pytest.raises(ImportFileError):
        import_file(elsewhere, path)
    assert share(elsewhere, made) == before
    assert queues.get(elsewhere, made.id).mode is QueueMode.BLIND


def test_a_row_by_somebody_else_or_a_damaged_one_has_what_came_back_refused_whole(
    workspace: Workspace, elsewhere: Workspace, made: Queue, tmp_path: Path
) -> None:
    import_file(elsewhere, sent(workspace, made, tmp_path))
    decisions.decide(elsewhere, ADA, to_judge(elsewhere, made)[0].id, RIGHT)
    path = came_back(elsewhere, made, tmp_path)
    members = members_of(path)
    for changed in (
        described(members, reviewer={"id": BOB.id, "handle": "bob"}),
        described({**members, shape.VERDICTS: members[shape.VERDICTS].replace(b'"correct"', b'"incorrect"', 1)}),
        described({**members, shape.STATEMENTS: members[shape.VERDICTS]}),
    ):
        path.write_bytes(packed(changed))
        with pytest.raises(ImportFileError, match="is refused"):
            import_file(workspace, path)
    assert states(workspace, made) == [ItemState.OPEN] * 5


def test_items_out_of_depth_go_to_somebody_else_and_their_next_bundle_takes_them(
    workspace: Workspace, elsewhere: Workspace, made: Queue, tmp_path: Path
) -> None:
    first, second, third, _ = to_judge(workspace, made)
    reviewers.use(workspace, ADA.id)
    for item, form in ((first, DEEP), (second, TEDIOUS), (third, RIGHT)):
        decisions.decide(workspace, ADA, item.id, form)
    (one,) = shares.status(workspace, made.id)
    assert [item.id for item in one.waiting] == [first.id]
    assert shares.hand_on(workspace, made.id, [first.id], BOB.id, barred=()) == shares.HandedOn(1, 0)
    assert shares.hand_on(workspace, made.id, [first.id], BOB.id) == shares.HandedOn(0, 1)
    theirs = share(workspace, made, BOB)
    assert (theirs[0].candidate_id, theirs[0].role) == (first.candidate_id, ItemRole.GOLD)
    assert [item.linked_to for item in theirs] == ["", theirs[0].id]
    assert not [item for line in shares.status(workspace, made.id) for item in line.waiting]
    import_file(elsewhere, sent(workspace, made, tmp_path, BOB))
    assert [item.id for item in share(elsewhere, made, BOB)] == [item.id for item in theirs]


def test_a_newer_bundle_of_the_same_share_adds_what_was_handed_on(
    workspace: Workspace, elsewhere: Workspace, made: Queue, tmp_path: Path
) -> None:
    first, *_ = to_judge(workspace, made)
    decisions.decide(workspace, ADA, first.id, DEEP)
    shares.hand_on(workspace, made.id, [first.id], BOB.id)
    import_file(elsewhere, sent(workspace, made, tmp_path, BOB))
    decisions.decide(elsewhere, BOB, share(elsewhere, made, BOB)[0].id, RIGHT)
    assert blindness.masked_questions(elsewhere, BOB.id) == set()
    second = to_judge(workspace, made)[1]
    decisions.decide(workspace, ADA, second.id, DEEP)
    shares.hand_on(workspace, made.id, [second.id], BOB.id)
    report = import_file(elsewhere, sent(workspace, made, tmp_path, BOB))
    assert report.counts["items"] == 3
    after = share(elsewhere, made, BOB)
    assert [item.state for item in after] == [ItemState.DECIDED, ItemState.DECIDED, ItemState.OPEN]
    assert blindness.masked_questions(elsewhere, BOB.id) == {"q0"}


def test_what_cannot_be_handed_on_is_refused_whole(workspace: Workspace, made: Queue) -> None:
    first, second, _, again = to_judge(workspace, made)
    decisions.decide(workspace, ADA, first.id, DEEP)
    decisions.decide(workspace, ADA, second.id, DEEP)
    decisions.decide(workspace, ADA, again.id, DEEP)
    for item_ids, reviewer_id in (
        ([first.id, to_judge(workspace, made)[2].id], BOB.id),
        ([first.id, again.id], BOB.id),
        ([first.id, share(workspace, made)[2].id], BOB.id),
        ([first.id, "404"], BOB.id),
        ([first.id], ADA.id),
        ([first.id], "404"),
    ):
        with pytest.raises(UqError):
            shares.hand_on(workspace, made.id, item_ids, reviewer_id)
    other = Reviewer("0199aaaa-0000-7000-8000-00000000000e", "ada-again", "", (), linked=(ADA.id,))
    reviewers.make(workspace, other)
    with pytest.raises(UqError, match="the one who gave it back"):
        shares.hand_on(workspace, made.id, [first.id], other.id)
    queues.close(workspace, made.id)
    with pytest.raises(UqError, match="closed"):
        shares.hand_on(workspace, made.id, [first.id], BOB.id)
    assert share(workspace, made, BOB) == ()


def test_a_gold_item_is_none_for_one_who_knows_its_label(workspace: Workspace, made: Queue) -> None:
    first, *_ = to_judge(workspace, made)
    decisions.decide(workspace, ADA, first.id, DEEP)
    shares.hand_on(workspace, made.id, [first.id], BOB.id, barred={first.candidate_id})
    assert share(workspace, made, BOB)[0].role is ItemRole.PLAIN


def test_of_masked_problems_it_is_not_told_what_has_no_label(workspace: Workspace, made: Queue) -> None:
    first, second, third, _ = to_judge(workspace, made)
    for item, form in ((first, DEEP), (second, RIGHT), (third, DEEP)):
        decisions.decide(workspace, ADA, item.id, form)
    (one,) = shares.status(workspace, made.id, masked={"q0"})
    assert (one.returned, one.hidden, one.count(NotJudged.OUT_OF_DEPTH)) == (3, 2, 1)
    assert [item.question_id for item in one.waiting] == ["q1"]


def test_a_verdict_that_is_taken_back_counts_as_missing(workspace: Workspace, made: Queue) -> None:
    first, *_ = to_judge(workspace, made)
    decisions.decide(workspace, ADA, first.id, DEEP)
    decisions.retract(workspace, ADA, first.candidate_id)
    (one,) = shares.status(workspace, made.id)
    assert (one.returned, one.missing, one.unjudged) == (0, 4, ())


def test_a_verdict_given_outside_the_queue_goes_back_too(workspace: Workspace, made: Queue, tmp_path: Path) -> None:
    first, *_ = to_judge(workspace, made)
    give(workspace, ADA, first.candidate_id, RIGHT)
    report = write_returned(workspace, made, ADA, tmp_path / "back.zip")
    assert report.rows[shape.VERDICTS] == 1


def test_what_is_done_of_a_problem_goes_back_unless_it_tells_what_is_hidden(
    workspace: Workspace, elsewhere: Workspace, made: Queue, tmp_path: Path
) -> None:
    import_file(elsewhere, sent(workspace, made, tmp_path))
    first, second, _, _ = to_judge(elsewhere, made)
    for ws in (elsewhere, workspace):  # the second one knows who wrote the answers
        decisions.decide(ws, ADA, first.id, RIGHT)
        decisions.decide(ws, ADA, second.id, RIGHT)
        hidden = withheld(ws, ADA.id)
        assert first.question_id in hidden.questions
        back = [json.loads(line)["candidate_id"] for line in bundles.verdict_lines(ws, made.id, ADA.id, hidden)]
        kept = bundles.verdicts_withheld(ws, made.id, ADA.id, hidden)
        assert second.candidate_id not in back  # it comes once more, and what was said of it isn't shown till then
        assert (len(back), kept) == ((2, 1) if ws is elsewhere else (0, 3))


ODD = "odd \ud83d \0 \u2028 \x85 \x1b[2J \u202e [b]text[/b]\r\n"


@pytest.mark.parametrize("mode", [QueueMode.BLIND, QueueMode.OPEN])
def test_a_bundle_that_is_opened_and_written_there_is_the_same(
    workspace: Workspace, elsewhere: Workspace, tmp_path: Path, mode: QueueMode
) -> None:
    facts = {"asked_at": "2026-01-31T12:00:00.000Z", "tags": ("b", "a"), "category": "algebra", "author": ODD}
    extra = {ORIGINAL_ANSWER: "$7$", GRADING_SCHEME: "Two points.", "unread": [1]}
    take(workspace, question(1, title=ODD, body=ODD, link="https://a.example/1", licence="CC BY", extra=extra, **facts))
    take(workspace, question(2, body="<p>Is it?</p>", format=TextFormat.HTML))
    answers = [candidate(f"{ODD}{n}", f"source:{n % 2 + 1}") for n in range(4)]
    person = Origin(AuthorKind.PERSON, person="Euler", source="f")
    reference = replace(candidate("By hand.", "source:1"), origin=person, reference=True, cut_off=True)
    reviewers.save(workspace, replace(ADA, handle=ODD, expertise=(ODD, "b"), affiliation=ODD, linked=("x",)))
    items = [
        NewItem(one.question_id, key) for one, key in zip(answers, candidates.add(workspace, answers), strict=True)
    ]
    candidates.add(workspace, [reference])
    made = queues.make(workspace, name=ODD, mode=mode, spec={}, guideline=ODD, shares={ADA.id: items})
    path = sent(workspace, made, tmp_path)
    assert import_file(elsewhere, path).rejected_total == 0
    write_work(elsewhere, share_of(elsewhere, queues.get(elsewhere, made.id)), tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == path.read_bytes()
    assert reference_of(elsewhere, "source:1").final_answer == "$7$"


def test_what_came_back_is_written_the_same_where_it_went_to(
    workspace: Workspace, elsewhere: Workspace, made: Queue, tmp_path: Path
) -> None:
    import_file(elsewhere, sent(workspace, made, tmp_path))
    for item in to_judge(elsewhere, made):
        decisions.decide(elsewhere, ADA, item.id, WRONG)
    statements.add(elsewhere, ADA, StatementKind.COMMENT, "q0", Said("Hm."))
    path = came_back(elsewhere, made, tmp_path)
    import_file(workspace, path)
    write_returned(workspace, made, ADA, tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == path.read_bytes()
