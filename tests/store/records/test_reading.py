"""Marks in the ledger and remarks: kept by reviewer and text, and still there when the text has another version."""

import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from store import intake, ledger, questions, remarks, reviewers, texts
from store.identity import text_sha256
from store.intake import NewQuestion
from store.reading_rows import LedgerCount, LedgerMark
from store.workspace import Workspace
from tests.store.records.samples import REVIEWER
from uq_tui.document.anchors import Place, place
from uq_tui.errors import NotFoundError
from uq_tui.words import LedgerState, TextFormat

RAW = "One.\r\n\r\nTwo 🙂 \ud800.\n\nThree\x00."
HASH = text_sha256(RAW)
OTHER = replace(REVIEWER, id="0199bbbb-0000-7000-8000-000000000002", handle="bo")
QUESTION = NewQuestion(id="source:1", title="T", body=RAW, format=TextFormat.MARKDOWN, source="f")


@pytest.fixture(autouse=True)
def _people(workspace: Workspace) -> None:
    for reviewer in (OTHER, REVIEWER):
        reviewers.save(workspace, reviewer)


def mark(start: int, end: int, state: LedgerState | None = LedgerState.CHECKED, note: str = "") -> LedgerMark:
    return LedgerMark(start, end, state, note)


def marks(ws: Workspace, reviewer_id: str = REVIEWER.id) -> list[LedgerMark]:
    return [replace(one, marked_at="") for one in ledger.marks(ws, reviewer_id, HASH)]


def stored_body(ws: Workspace, sha256: str) -> str:
    with ws.read() as db:
        return texts.read_raw(db, sha256)


def test_marks_are_kept_in_the_order_of_the_text(workspace: Workspace) -> None:
    ledger.put(workspace, REVIEWER.id, RAW, [mark(8, 16, LedgerState.WRONG, "no \ud800"), mark(0, 4)])
    assert marks(workspace) == [mark(0, 4), mark(8, 16, LedgerState.WRONG, "no \ud800")]
    assert all(one.marked_at for one in ledger.marks(workspace, REVIEWER.id, HASH))


def test_a_later_mark_takes_the_place_of_the_earlier(workspace: Workspace) -> None:
    ledger.put(workspace, REVIEWER.id, RAW, [mark(0, 4)])
    ledger.put(workspace, REVIEWER.id, RAW, [mark(0, 4, LedgerState.DOUBTFUL, "why?")])
    assert marks(workspace) == [mark(0, 4, LedgerState.DOUBTFUL, "why?")]


def test_a_note_can_stand_alone_and_nothing_at_all_is_no_row(workspace: Workspace) -> None:
    ledger.put(workspace, REVIEWER.id, RAW, [mark(0, 4), mark(8, 16, None, "come back")])
    ledger.put(workspace, REVIEWER.id, RAW, [mark(0, 4, None)])
    assert marks(workspace) == [mark(8, 16, None, "come back")]


def test_marks_belong_to_a_reviewer_and_a_text(workspace: Workspace) -> None:
    ledger.put(workspace, OTHER.id, RAW, [mark(0, 4, LedgerState.WRONG)])
    ledger.put(workspace, REVIEWER.id, f"{RAW} ", [mark(0, 4)])
    assert marks(workspace) == []
    assert marks(workspace, OTHER.id) == [mark(0, 4, LedgerState.WRONG)]


@pytest.mark.parametrize(("start", "end"), [(-1, 3), (3, 3), (4, 3), (0, len(RAW) + 1)])
def test_a_span_outside_the_text_is_refused(workspace: Workspace, start: int, end: int) -> None:
    with pytest.raises(ValueError, match="outside"):
        ledger.put(workspace, REVIEWER.id, RAW, [mark(0, 4), mark(start, end)])
    with pytest.raises(ValueError, match="outside"):
        remarks.add(workspace, REVIEWER.id, RAW, start, end, "")
    assert marks(workspace) == []


def test_a_marked_text_is_stored_with_its_marks(workspace: Workspace) -> None:
    ledger.put(workspace, REVIEWER.id, RAW, [mark(0, 4)])
    assert stored_body(workspace, HASH) == RAW


def test_marks_are_there_at_the_next_start(tmp_path: Path) -> None:
    path = tmp_path / "desk.uq.sqlite"
    with closing(Workspace.open(path)) as first:
        me = reviewers.current(first).id
        ledger.put(first, me, RAW, [mark(0, 4)])
        made = remarks.add(first, me, RAW, 8, 11, "hm")
    with closing(Workspace.open(path)) as second:
        assert marks(second, me) == [mark(0, 4)]
        assert remarks.of_texts(second, me, [HASH]) == (made,)


def test_marks_of_several_threads_are_all_kept(workspace: Workspace) -> None:
    threads = [
        threading.Thread(target=ledger.put, args=(workspace, REVIEWER.id, RAW, [mark(at, at + 1)])) for at in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert marks(workspace) == [mark(at, at + 1) for at in range(8)]


def test_counts_are_of_units_in_each_state() -> None:
    states = [LedgerState.CHECKED, LedgerState.CHECKED, LedgerState.WRONG, None, LedgerState.SKIPPED]
    counted = LedgerCount.of(9, states)
    assert counted == LedgerCount(units=9, checked=2, doubtful=0, wrong=1, skipped=1)
    assert counted.marked == 4


def test_a_remark_holds_its_words_and_what_surrounds_them(workspace: Workspace) -> None:
    made = remarks.add(workspace, REVIEWER.id, RAW, 8, 13, "a smile\x1b[2J \ud800")
    assert remarks.of_texts(workspace, REVIEWER.id, [HASH]) == (made,)
    assert (made.quote, made.prefix, made.suffix) == ("Two 🙂", "One.\r\n\r\n", " \ud800.\n\nThree\x00.")
    assert place(made, RAW) == Place(8, 13)
    assert remarks.of_texts(workspace, OTHER.id, [HASH]) == ()


def test_remarks_stand_in_the_order_of_the_text(workspace: Workspace) -> None:
    for start, end in ((8, 11), (0, 4), (8, 9)):
        remarks.add(workspace, REVIEWER.id, RAW, start, end, "")
    found = remarks.of_texts(workspace, REVIEWER.id, [HASH, "0" * 64])
    assert [(one.start, one.end) for one in found] == [(0, 4), (8, 9), (8, 11)]


def test_a_remark_is_edited_removed_and_brought_back(workspace: Workspace) -> None:
    made = remarks.add(workspace, REVIEWER.id, RAW, 0, 4, "first")
    assert remarks.edit(workspace, made.id, "second").note == "second"
    assert remarks.remove(workspace, made.id).removed_at is not None
    assert remarks.of_texts(workspace, REVIEWER.id, [HASH]) == ()
    assert [one.id for one in remarks.of_texts(workspace, REVIEWER.id, [HASH], removed=True)] == [made.id]
    assert remarks.restore(workspace, made.id) == replace(made, note="second")
    assert len(remarks.of_texts(workspace, REVIEWER.id, [HASH])) == 1


def test_an_unknown_remark_is_not_found(workspace: Workspace) -> None:
    for change in (remarks.get, remarks.remove, remarks.restore):
        with pytest.raises(NotFoundError):
            change(workspace, "nobody's")


def test_remarks_are_found_by_the_first_characters_of_their_ids(workspace: Workspace) -> None:
    made = remarks.add(workspace, REVIEWER.id, RAW, 0, 4, "")
    assert remarks.find_by_prefix(workspace, REVIEWER.id, made.id[:13]) == (made.id,)
    assert remarks.find_by_prefix(workspace, OTHER.id, made.id[:13]) == ()
    assert remarks.find_by_prefix(workspace, REVIEWER.id, "x\ud800") == ()


def test_a_new_version_of_a_question_leaves_marks_with_the_old_text(workspace: Workspace) -> None:
    workspace.write(lambda db: intake.put(db, [QUESTION]))
    ledger.put(workspace, REVIEWER.id, RAW, [mark(0, 4)])
    made = remarks.add(workspace, REVIEWER.id, RAW, 8, 11, "which two?")
    newer = f"Edited.\n\n{RAW}"
    workspace.write(lambda db: intake.put(db, [replace(QUESTION, body=newer)]))
    assert questions.get(workspace, "source:1").body.raw == newer
    assert questions.body_hashes(workspace, "source:1") == (text_sha256(newer), HASH)
    assert marks(workspace) == [mark(0, 4)]
    assert remarks.of_texts(workspace, REVIEWER.id, [HASH]) == (made,)
    assert stored_body(workspace, made.text_sha256)[made.start : made.end] == made.quote
    assert place(made, newer, same_text=False) == Place(17, 20)


def test_importing_the_same_again_changes_no_mark(workspace: Workspace) -> None:
    for _ in range(2):
        workspace.write(lambda db: intake.put(db, [QUESTION]))
        ledger.put(workspace, REVIEWER.id, RAW, [LedgerMark(0, 4, LedgerState.CHECKED, "", "2026-01-01T00:00:00.0Z")])
    assert questions.body_hashes(workspace, "source:1") == (HASH,)
    assert [one.marked_at for one in ledger.marks(workspace, REVIEWER.id, HASH)] == ["2026-01-01T00:00:00.0Z"]
