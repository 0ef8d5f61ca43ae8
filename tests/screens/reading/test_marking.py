"""Marks and remarks in a reading view: keys, dialogs, clicks, and what is there at the next start."""

import pytest
from textual import work
from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.widgets import OptionList, TextArea

from store import candidates, drafts, exposures, ledger, remarks
from store.rows import MarkedError, NewCandidate, Origin, Quote, VerdictForm
from tests.found_runs import audited_by
from tests.screens.conftest import first_question
from tests.screens.waiting import screen_text, shown, wait_until
from uq_tui.app import UqApp
from uq_tui.screens.reading.marking import WHERE, Markings
from uq_tui.screens.reading.note import NoteModal
from uq_tui.screens.reading.remarks import RemarksModal
from uq_tui.state.desk import Desk
from uq_tui.state.reading.lines.highlights import Layer
from uq_tui.state.reading.readable import Readable, own_words, readable_text, readable_words
from uq_tui.text import clean_line
from uq_tui.widgets.document import Document
from uq_tui.widgets.failures import TellsFailures, WorkFailed
from uq_tui.words import AuthorKind, ErrorCategory, Exposure, LedgerState, TextFormat

ANSWER = "Let it be \x1b[2J even.\r\n\r\n$$x^2 + y$$\r\n\r\nSo by Gauss it is.\r\n\r\n```\r\ncode\r\n```\r\n"
SIZE = (100, 40)


class Reader(TellsFailures, App[None]):
    """Shows one text, and answers the document as the app does."""

    CSS_PATH = UqApp.CSS_PATH

    def __init__(self, desk: Desk, readable: Readable) -> None:
        super().__init__()
        self.markings = Markings(self, desk)
        self.readable = readable
        self.errors: list[BaseException] = []

    def compose(self) -> ComposeResult:
        yield Document(id="text")

    def on_mount(self) -> None:
        self.document.read(self.readable)
        self.document.focus()

    @property
    def document(self) -> Document:
        return self.screen_stack[0].query_one(Document)

    @work(exit_on_error=False)
    async def on_document_shown(self, event: Document.Shown) -> None:
        await self.markings.shown(event.document)

    @work(exit_on_error=False)
    async def on_document_wanted(self, event: Document.Wanted) -> None:
        await self.markings.wanted(event)

    @work(exit_on_error=False)
    async def on_document_clicked(self, event: Document.Clicked) -> None:
        await self.markings.clicked(event.document, event.offset)

    def on_work_failed(self, failure: WorkFailed) -> None:
        self.errors.append(failure.error)


@pytest.fixture
def answer(desk: Desk) -> Readable:
    new = NewCandidate(first_question(desk.workspace), ANSWER, TextFormat.MARKDOWN, Origin(AuthorKind.MODEL, model="m"))
    (added,) = candidates.add(desk.workspace, [new])
    return readable_text(candidates.get(desk.workspace, added).answer, added)


def marks(desk: Desk, readable: Readable) -> list[tuple[str, LedgerState | None, str]]:
    """What the store has: the raw words, the state, the note."""
    found = ledger.marks(desk.workspace, desk.reviewer.id, readable.texts[0].sha256)
    return [(ANSWER[mark.start : mark.end], mark.state, mark.note) for mark in found]


def notes(desk: Desk, readable: Readable) -> list[tuple[str, str]]:
    found = remarks.of_texts(desk.workspace, desk.reviewer.id, [readable.texts[0].sha256])
    return [(one.quote, one.note) for one in found]


async def ready(pilot: Pilot[None], reader: Reader) -> None:
    """Wait until the marks of the text are read."""
    await wait_until(pilot, lambda: reader.markings.of(reader.document).remarks.readable is reader.document.readable)


async def write(pilot: Pilot[None], text: str) -> None:
    """Write a note in the dialog, and keep it."""
    await wait_until(pilot, lambda: isinstance(pilot.app.screen, NoteModal))
    pilot.app.screen.query_one(TextArea).text = text
    await pilot.press("ctrl+s")
    await wait_until(pilot, lambda: not isinstance(pilot.app.screen, NoteModal))


def select(reader: Reader, words: str) -> tuple[int, int]:
    start = reader.document.source.index(words)
    reader.document.select(start, start + len(words))
    return start, start + len(words)


async def test_units_are_marked_by_keys_and_the_margin_shows_it(desk: Desk, answer: Readable) -> None:
    reader = Reader(desk, answer)
    async with reader.run_test(size=SIZE) as pilot:
        await ready(pilot, reader)
        await pilot.press("J", "1", "2", "3", "4")
        await wait_until(pilot, lambda: len(marks(desk, answer)) == 4)
        assert [state for _, state, _ in marks(desk, answer)] == list(LedgerState)
        await shown(pilot, "✓", "~", "✗", "·", "4 of 4 units: 1 checked, 1 doubtful, 1 wrong, 1 skipped")
        await pilot.press("0")
        await wait_until(pilot, lambda: len(marks(desk, answer)) == 3)
    assert reader.errors == []


async def test_marking_goes_on_to_the_next_unit_and_nothing_else_does(desk: Desk, answer: Readable) -> None:
    reader = Reader(desk, answer)
    async with reader.run_test(size=SIZE) as pilot:
        await ready(pilot, reader)
        units = []
        for key in ("1", "0", "2", "3", "backspace", "4"):
            await pilot.press(key)
            units.append(reader.document.unit_at)
        assert units == [1, 1, 2, 3, 3, 3]
        await pilot.press("semicolon")
        await shown(pilot, "Note on 4, code")
        await pilot.press("escape")
        await wait_until(pilot, lambda: len(marks(desk, answer)) == 3)


async def test_a_cursor_out_of_sight_is_not_what_is_marked(desk: Desk) -> None:
    many = "\n\n".join(f"Step {number}." for number in range(200))
    reader = Reader(desk, readable_words(many))
    async with reader.run_test(size=SIZE) as pilot:
        await ready(pilot, reader)
        await pilot.press("J", "end")
        await wait_until(pilot, lambda: "Step 199." in screen_text(pilot))
        await pilot.press("1")
        await shown(pilot, "1 of 200 units: 1 checked", "✓")
        assert reader.document.unit_at is not None
        assert reader.document.unit_at > 150


async def test_marks_are_there_at_the_next_start(desk: Desk, answer: Readable) -> None:
    for _ in range(2):
        reader = Reader(desk, answer)
        async with reader.run_test(size=SIZE) as pilot:
            await ready(pilot, reader)
            await pilot.press("J", "J", "3")
            await shown(pilot, "✗", "1 of 4 units: 1 wrong")
    assert marks(desk, answer) == [("$$x^2 + y$$", LedgerState.WRONG, "")]


async def test_a_note_is_written_on_a_unit_and_kept_beside_its_mark(desk: Desk, answer: Readable) -> None:
    reader = Reader(desk, answer)
    async with reader.run_test(size=SIZE) as pilot:
        await ready(pilot, reader)
        await pilot.press("J", "2", "K", "semicolon")
        await shown(pilot, "Note on 1, paragraph", clean_line("Let it be \x1b[2J even."))
        await write(pilot, "why [even]?")
        await wait_until(pilot, lambda: marks(desk, answer)[0][2] == "why [even]?")
        await pilot.press("semicolon")
        await shown(pilot, "why [even]?")
        await pilot.press("escape")
    assert marks(desk, answer)[0][1:] == (LedgerState.DOUBTFUL, "why [even]?")


async def test_the_first_unit_that_is_not_marked_is_gone_to(desk: Desk, answer: Readable) -> None:
    reader = Reader(desk, answer)
    async with reader.run_test(size=SIZE) as pilot:
        await ready(pilot, reader)
        await pilot.press("J", "1", "J", "1")
        await wait_until(pilot, lambda: len(marks(desk, answer)) == 2)
        await pilot.press("full_stop")
        await wait_until(pilot, lambda: reader.document.unit_at == 1)


async def test_a_selection_is_remarked_on_and_undone(desk: Desk, answer: Readable) -> None:
    reader = Reader(desk, answer)
    async with reader.run_test(size=SIZE) as pilot:
        await ready(pilot, reader)
        place = select(reader, "by Gauss")
        await pilot.press("M")
        await write(pilot, "where?")
        await wait_until(pilot, lambda: notes(desk, answer) == [("by Gauss", "where?")])
        await wait_until(pilot, lambda: reader.document.highlights.ranges(Layer.REMARK) == [place])
        await pilot.press("backspace")
        await wait_until(pilot, lambda: notes(desk, answer) == [])
        assert reader.document.highlights.ranges(Layer.REMARK) == ()


async def test_the_list_goes_to_a_remark_edits_and_removes_it(desk: Desk, answer: Readable) -> None:
    text = answer.texts[0]
    at = ANSWER.index("by Gauss")
    remarks.add(desk.workspace, desk.reviewer.id, text.raw, at, at + 8, "where\x1b[2J?")
    reader = Reader(desk, answer)
    async with reader.run_test(size=SIZE) as pilot:
        await ready(pilot, reader)
        await pilot.press("M")
        await shown(pilot, "remark", "“by Gauss”", "where␛[2J?")
        await pilot.press("e")
        await write(pilot, "which one?")
        await shown(pilot, "which one?")
        await pilot.press("d")
        await shown(pilot, "Nothing is marked in this text.")
        await pilot.press("u")
        await shown(pilot, "The remark is back.")
        await pilot.press("enter")
        await wait_until(pilot, lambda: not isinstance(pilot.app.screen, RemarksModal))
        start = reader.document.source.index("by Gauss")
        await wait_until(pilot, lambda: reader.document.highlights.ranges(Layer.POINTED) == [(start, start + 8)])
    assert notes(desk, answer) == [("by Gauss", "which one?")]


async def test_the_own_verdict_is_listed_and_what_has_no_place_is_said(desk: Desk, answer: Readable) -> None:
    quotes = (Quote("by Gauss", None, None, "", ""), Quote("by\x1b[2J Euler", None, None, "", ""))
    form = VerdictForm(errors=(MarkedError("fabricated_reference", quotes, problem="No such."),))
    drafts.save(desk.workspace, desk.reviewer.id, answer.key, form, based_on=0)
    reader = Reader(desk, answer)
    async with reader.run_test(size=SIZE) as pilot:
        await ready(pilot, reader)
        assert len(reader.document.highlights.ranges(Layer.REMARK)) == 1
        await pilot.press("M")
        await shown(pilot, "error", "fabricated reference: No such.", "by␛[2J Euler", "unanchored: its words are not")
        await pilot.press("e", "d", "end", "enter")
        await shown(pilot, "It can't be shown: its words are not in the text.")
        assert isinstance(pilot.app.screen, RemarksModal)
    kept = drafts.get(desk.workspace, desk.reviewer.id, answer.key)
    assert kept is not None
    assert kept.form == form


async def test_a_click_on_a_remark_opens_it(desk: Desk, answer: Readable) -> None:
    text = answer.texts[0]
    for words in ("Let it", "by Gauss"):
        at = ANSWER.index(words)
        remarks.add(desk.workspace, desk.reviewer.id, text.raw, at, at + len(words), words)
    reader = Reader(desk, answer)
    async with reader.run_test(size=SIZE) as pilot:
        await ready(pilot, reader)
        row, line = next((y, line) for y, line in enumerate(screen_text(pilot).split("\n")) if "by Gauss" in line)
        await pilot.click(offset=(line.index("Gauss"), row))
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, RemarksModal))
        assert pilot.app.screen.query_one(OptionList).highlighted == 1


async def test_claims_are_shown_when_asked_for_and_recorded(desk: Desk, answer: Readable) -> None:
    audited_by(desk.workspace, answer.key, ANSWER, [(ErrorCategory.EXTERNAL_REFERENCES, "by Gauss")])
    reader = Reader(desk, answer)
    async with reader.run_test(size=SIZE) as pilot:
        await ready(pilot, reader)
        assert reader.document.highlights.ranges(Layer.CLAIM) == ()
        await pilot.press("M")
        await shown(pilot, "your verdict is then not blind")
        assert exposures.of_candidate(desk.workspace, desk.reviewer.id, answer.key) == ()
        await pilot.press("c")
        await shown(pilot, "“by Gauss”", "external references")
        (row,) = exposures.of_candidate(desk.workspace, desk.reviewer.id, answer.key)
        assert (row.what, row.where) == (Exposure.CLAIMS, WHERE)
        await pilot.press("escape")
        await wait_until(pilot, lambda: len(reader.document.highlights.ranges(Layer.CLAIM)) == 1)


async def test_another_text_has_its_own_marks(desk: Desk, answer: Readable) -> None:
    reader = Reader(desk, answer)
    async with reader.run_test(size=SIZE) as pilot:
        await ready(pilot, reader)
        await pilot.press("J", "1")
        await shown(pilot, "1 of 4 units")
        reader.document.read(own_words("Ours alone."))
        await wait_until(pilot, lambda: "1 of 4 units" not in screen_text(pilot))
        await wait_until(pilot, lambda: "✓" not in screen_text(pilot))
        await pilot.press("1")
        reader.document.read(answer)
        await shown(pilot, "1 of 4 units: 1 checked")
    assert reader.errors == []


async def test_the_count_of_one_text_never_stands_under_another(desk: Desk, answer: Readable, other: Readable) -> None:
    reader = Reader(desk, answer)
    async with reader.run_test(size=SIZE) as pilot:
        await ready(pilot, reader)
        await pilot.press("J", "1")
        await shown(pilot, "1 of 4 units")
        reader.document.read(other)
        assert reader.document.border_subtitle == ""
    assert reader.errors == []


async def test_what_was_marked_is_undone_step_by_step(desk: Desk, answer: Readable) -> None:
    reader = Reader(desk, answer)
    async with reader.run_test(size=SIZE, notifications=True) as pilot:
        await ready(pilot, reader)
        await pilot.press("J", "1", "K", "2")
        await wait_until(pilot, lambda: [state for _, state, _ in marks(desk, answer)] == [LedgerState.DOUBTFUL])
        await pilot.press("backspace")
        await shown(pilot, "Unit 1 is checked again.")
        await pilot.press("backspace")
        await shown(pilot, "Unit 1 is not marked again.")
        await pilot.press("backspace")
        await shown(pilot, "There is nothing to undo.")
    assert marks(desk, answer) == []


async def test_keys_pressed_at_once_mark_the_units_they_were_pressed_on(desk: Desk, answer: Readable) -> None:
    reader = Reader(desk, answer)
    async with reader.run_test(size=SIZE) as pilot:
        await ready(pilot, reader)
        document = reader.document
        document.action_unit(1)
        for tool in ("mark:checked", "mark:wrong", "mark:skipped"):
            document.action_want(tool)
        await wait_until(pilot, lambda: len(marks(desk, answer)) == 3)
    states = [state for _, state, _ in marks(desk, answer)]
    assert states == [LedgerState.CHECKED, LedgerState.WRONG, LedgerState.SKIPPED]


async def test_a_second_view_of_the_text_shows_the_mark_too(desk: Desk, answer: Readable) -> None:
    reader = Reader(desk, answer)
    async with reader.run_test(size=SIZE) as pilot:
        await ready(pilot, reader)
        second = Document(id="second")
        await reader.mount(second)
        second.read(answer)
        await wait_until(pilot, lambda: reader.markings.of(second).remarks.readable is second.readable)
        await pilot.press("J", "3")
        await wait_until(pilot, lambda: screen_text(pilot).count("✗") == 2)


@pytest.fixture
def other(desk: Desk) -> Readable:
    new = NewCandidate(first_question(desk.workspace), "Another.", TextFormat.MARKDOWN, Origin(AuthorKind.MODEL))
    (added,) = candidates.add(desk.workspace, [new])
    return readable_text(candidates.get(desk.workspace, added).answer, added)


async def test_a_key_never_marks_a_text_that_came_after_it(desk: Desk, answer: Readable, other: Readable) -> None:
    reader = Reader(desk, answer)
    async with reader.run_test(size=SIZE) as pilot:
        await ready(pilot, reader)
        reader.document.action_unit(1)
        reader.document.action_want("mark:wrong")
        reader.document.read(other)
        await wait_until(pilot, lambda: bool(reader.errors) or bool(marks(desk, answer)))
    assert marks(desk, other) == []
    assert marks(desk, answer) or "nothing was changed" in str(reader.errors[0])


async def test_a_note_stays_with_the_text_it_was_begun_on(desk: Desk, answer: Readable, other: Readable) -> None:
    reader = Reader(desk, answer)
    async with reader.run_test(size=SIZE) as pilot:
        await ready(pilot, reader)
        await pilot.press("J", "semicolon")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, NoteModal))
        reader.document.read(other)
        await ready(pilot, reader)
        await write(pilot, "why?")
        await wait_until(pilot, lambda: len(marks(desk, answer)) == 1)
    assert [note for _, _, note in marks(desk, answer)] == ["why?"]
    assert marks(desk, other) == []
    assert reader.errors == []


async def test_keys_are_undone_in_the_order_they_were_pressed(desk: Desk, answer: Readable) -> None:
    reader = Reader(desk, answer)
    async with reader.run_test(size=SIZE) as pilot:
        await ready(pilot, reader)
        select(reader, "by Gauss")
        await pilot.press("M")
        await write(pilot, "where?")
        await wait_until(pilot, lambda: len(notes(desk, answer)) == 1)
        for tool in ("mark:checked", "mark:undo", "mark:undo", "mark:wrong"):
            reader.document.action_want(tool)
        await wait_until(pilot, lambda: LedgerState.WRONG in [state for _, state, _ in marks(desk, answer)])
    assert [state for _, state, _ in marks(desk, answer)] == [LedgerState.WRONG]
    assert notes(desk, answer) == []


async def test_what_was_changed_in_the_list_is_undone_by_the_key(desk: Desk, answer: Readable) -> None:
    text = answer.texts[0]
    remarks.add(desk.workspace, desk.reviewer.id, text.raw, 0, 6, "first")
    reader = Reader(desk, answer)
    async with reader.run_test(size=SIZE) as pilot:
        await ready(pilot, reader)
        await pilot.press("M", "d")
        await shown(pilot, "Nothing is marked in this text.")
        await pilot.press("escape")
        await wait_until(pilot, lambda: not isinstance(pilot.app.screen, RemarksModal))
        await pilot.press("backspace")
        await wait_until(pilot, lambda: notes(desk, answer) == [("Let it", "first")])
