"""The ledger of a text: marks by unit, kept over a restart, counted, undone, and never lost."""

import asyncio
from dataclasses import asdict

import pytest

from store import candidates, intake, ledger, questions, reviewers
from store.intake import NewQuestion
from store.reading_rows import LedgerCount, LedgerMark
from store.rows import NewCandidate, Origin, VerdictForm
from store.workspace import Workspace
from tests.engine.runs.scripted import add_candidates, add_question
from tests.store.records.giving import give
from uq_tui.document.markup.scan import all_units
from uq_tui.document.markup.units import UnitKind
from uq_tui.errors import UqError
from uq_tui.state.reading.marks.ledger import Ledger
from uq_tui.state.reading.marks.unit_marks import summary
from uq_tui.state.reading.readable import Readable, own_words, readable_question, readable_text, readable_words
from uq_tui.words import AuthorKind, Label, LedgerState, TextFormat

ANSWER = "# Proof\r\n\r\nLet 🙂 be\r\neven.\r\n\r\n$$x^2$$\r\n\r\n- So it is.\r\n\r\n```\r\ncode\r\n```\r\n"
CHECKED, DOUBTFUL, WRONG, SKIPPED = LedgerState


@pytest.fixture
def answer(workspace: Workspace) -> Readable:
    add_question(workspace)
    (added,) = add_candidates(workspace, ANSWER)
    return readable_text(candidates.get(workspace, added).answer, added)


async def opened(ws: Workspace, readable: Readable) -> Ledger:
    found = Ledger(ws, reviewers.current(ws).id)
    await found.open(readable, all_units(readable.source))
    return found


def stored(ws: Workspace, readable: Readable) -> list[tuple[str, LedgerState | None, str]]:
    """What is marked of the first stored text: the raw words, the state, the note."""
    (text,) = readable.texts
    marks = ledger.marks(ws, reviewers.current(ws).id, text.sha256)
    return [(text.raw[mark.start : mark.end], mark.state, mark.note) for mark in marks]


async def test_units_are_the_paragraphs_formulas_code_and_tables(workspace: Workspace, answer: Readable) -> None:
    found = await opened(workspace, answer)
    assert [found.line(index).kind for index in range(4)] == [
        UnitKind.PARAGRAPH,
        UnitKind.DISPLAY,
        UnitKind.PARAGRAPH,
        UnitKind.CODE,
    ]
    assert found.count == LedgerCount(units=4)
    assert (found.glyphs, found.summary, found.orphans_text) == ({}, "0 of 4 units", "")


async def test_marks_are_kept_on_the_stored_words_and_restored(workspace: Workspace, answer: Readable) -> None:
    found = await opened(workspace, answer)
    for index, state in enumerate((CHECKED, DOUBTFUL, WRONG, SKIPPED)):
        await found.set(index, state)
    assert [words for words, _, _ in stored(workspace, answer)][:2] == ["Let 🙂 be\r\neven.", "$$x^2$$"]
    again = await opened(workspace, answer)
    assert again.glyphs == found.glyphs == {0: "✓", 1: "~", 2: "✗", 3: "·"}
    assert again.summary == "4 of 4 units: 1 checked, 1 doubtful, 1 wrong, 1 skipped"


async def test_a_mark_is_changed_and_taken_back(workspace: Workspace, answer: Readable) -> None:
    found = await opened(workspace, answer)
    await found.set(0, CHECKED)
    await found.set(0, WRONG)
    assert [state for _, state, _ in stored(workspace, answer)] == [WRONG]
    await found.set(0, None)
    assert stored(workspace, answer) == []
    assert found.glyphs == {}


async def test_a_note_stays_when_the_state_changes(workspace: Workspace, answer: Readable) -> None:
    found = await opened(workspace, answer)
    await found.note(0, "why\x1b[2J even?")
    assert found.glyphs == {0: "*"}
    await found.set(0, DOUBTFUL)
    assert (found.line(0).state, found.line(0).note) == (DOUBTFUL, "why\x1b[2J even?")
    assert found.line(0).line == "1, paragraph, doubtful: why␛[2J even?"
    await found.set(0, None)
    assert found.line(0).line == "1, paragraph, not marked: why␛[2J even?"
    assert found.count.marked == 0
    await found.note(0, "")
    assert stored(workspace, answer) == []


async def test_a_note_of_another_process_stays_when_the_state_changes(workspace: Workspace, answer: Readable) -> None:
    found, other = await opened(workspace, answer), await opened(workspace, answer)
    await other.note(0, "by command")
    await found.set(0, CHECKED)
    assert stored(workspace, answer) == [("Let 🙂 be\r\neven.", CHECKED, "by command")]
    await found.undo()
    assert found.line(0).note == "by command"


async def test_every_step_can_be_undone(workspace: Workspace, answer: Readable) -> None:
    found = await opened(workspace, answer)
    await found.set(0, CHECKED)
    await found.note(0, "sure")
    await found.set(1, WRONG)
    await found.set(0, None)
    said = [await found.undo() for _ in range(5)]
    assert said == [
        "Unit 1 is checked again.",
        "Unit 2 is not marked again.",
        "Unit 1 has no note again.",
        "Unit 1 is not marked again.",
        "",
    ]
    assert stored(workspace, answer) == []


async def test_the_first_unit_that_is_not_marked(workspace: Workspace, answer: Readable) -> None:
    found = await opened(workspace, answer)
    seen = [found.first_unmarked]
    for index in (1, 0, 2, 3):
        await found.set(index, CHECKED)
        seen.append(found.first_unmarked)
    assert seen == [0, 0, 2, 3, None]


async def test_marks_of_keys_pressed_at_once_come_in_their_order(workspace: Workspace, answer: Readable) -> None:
    found = await opened(workspace, answer)
    await asyncio.gather(*(found.set(0, state) for state in (CHECKED, WRONG, None, DOUBTFUL)))
    assert found.line(0).state is DOUBTFUL
    assert [await found.undo() for _ in range(2)] == ["Unit 1 is not marked again.", "Unit 1 is wrong again."]
    assert stored(workspace, answer)[0][1] is WRONG


async def test_only_the_body_of_a_question_can_be_marked(workspace: Workspace) -> None:
    add_question(workspace)
    found = await opened(workspace, readable_question(questions.get(workspace, "tests:1")))
    units = all_units(readable_question(questions.get(workspace, "tests:1")).source)
    marked = found.first_unmarked
    assert marked == len(units) - found.count.units
    await found.set(marked, CHECKED)
    assert found.count == LedgerCount(units=found.count.units, checked=1)


async def test_what_has_no_place_in_a_stored_text_takes_no_mark(workspace: Workspace) -> None:
    found = await opened(workspace, own_words("Ours.\n\nAll ours."))
    for index in (0, 1, 2, -1):
        with pytest.raises(UqError, match="no place"):
            await found.set(index, CHECKED)
    assert (found.count, found.summary, found.first_unmarked) == (LedgerCount(), "", None)


async def test_another_version_of_a_text_has_no_marks(workspace: Workspace) -> None:
    first = NewQuestion(id="source:1", title="T", body="One.\n\nTwo.", format=TextFormat.MARKDOWN, source="f")
    workspace.write(lambda db: intake.put(db, [first]))
    old = readable_text(questions.get(workspace, "source:1").body, "q")
    found = await opened(workspace, old)
    await found.set(0, CHECKED)
    newer = readable_words("One.\n\nTwo, and more.", "q")
    await found.open(newer, all_units(newer.source))
    assert (found.glyphs, found.orphans) == ({}, ())
    await found.open(old, all_units(old.source))
    assert found.glyphs == {0: "✓"}


async def test_marks_of_units_that_are_cut_otherwise_today_are_told_and_kept(
    workspace: Workspace, answer: Readable
) -> None:
    (text,) = answer.texts
    me = reviewers.current(workspace).id
    at = text.raw.index("Let")
    ledger.put(workspace, me, text.raw, [LedgerMark(at, at + 3, CHECKED, ""), LedgerMark(at, at + 5, WRONG, "")])
    found = await opened(workspace, answer)
    assert found.orphans_text == "2 marks belong to no paragraph of today"
    assert [(mark.end - mark.start, mark.state) for mark in found.orphans] == [(3, CHECKED), (5, WRONG)]
    assert found.count == LedgerCount(units=4)
    await found.set(0, CHECKED)
    assert len(stored(workspace, answer)) == 3
    ledger.put(workspace, me, text.raw, [LedgerMark(at, at + 3, None, "")])
    assert (await opened(workspace, answer)).orphans_text == "1 mark belongs to no paragraph of today"


async def test_marks_stay_while_a_text_grows(workspace: Workspace) -> None:
    grown = readable_words("One.\n\nTwo.\n\nThree.", "w")
    part = Readable(grown.source, "w", grown.texts)
    found = Ledger(workspace, reviewers.current(workspace).id)
    units = all_units(grown.source)
    await found.open(part, units[:1])
    await found.set(0, CHECKED)
    await found.open(grown, units)
    assert found.summary == "1 of 3 units: 1 checked"
    assert await found.undo() == "Unit 1 is not marked again."


def test_a_summary_names_only_states_that_occur() -> None:
    assert summary(LedgerCount(40, 10, 1, 1, 0)) == "12 of 40 units: 10 checked, 1 doubtful, 1 wrong"
    assert summary(LedgerCount(1)) == "0 of 1 unit"
    assert summary(LedgerCount()) == ""


HTML = (
    "<p>First, a &lt; b &amp; so.</p><p>Then $$x^2$$ and <em>on</em>.</p><ul><li>One<ul><li>Inner</li></ul></li></ul>"
    "<blockquote><p>Said.</p></blockquote><pre><code>code\n  here\n</code></pre>"
    "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td></tr></table><hr><h2>End</h2><p>Bye.<br>Bye!</p>"
)


@pytest.mark.parametrize(("raw", "form"), [(ANSWER, TextFormat.MARKDOWN), (HTML, TextFormat.HTML)])
async def test_every_mark_counts_in_the_verdict(workspace: Workspace, raw: str, form: TextFormat) -> None:
    add_question(workspace)
    new = NewCandidate("tests:1", raw, form, Origin(AuthorKind.MODEL, model="m"))
    (key,) = candidates.add(workspace, [new])
    found = await opened(workspace, readable_text(candidates.get(workspace, key).answer, key))
    for index in range(len(found)):
        await found.set(index, list(LedgerState)[index % 4])
    saved = give(workspace, reviewers.current(workspace), key, VerdictForm(Label.UNSURE))
    assert saved.record["ledger"] == asdict(found.count)
    assert found.count.marked == found.count.units == len(found) > 3
