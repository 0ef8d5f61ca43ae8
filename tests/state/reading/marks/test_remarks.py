"""What is anchored in a text that is read: remarks, the reviewer's own errors, and claims once they are asked for."""

from dataclasses import replace

import pytest

from store import candidates, drafts, exposures, intake, questions, remarks, reviewers
from store.intake import NewQuestion
from store.rows import MarkedError, NewCandidate, Origin, Quote, VerdictForm
from store.whereabouts import Answer, answers_with, questions_with
from store.workspace import Workspace
from tests.engine.runs.scripted import QUESTION, add_candidates, add_question
from tests.found_runs import audited_by
from tests.store.records.giving import give
from uq_tui.document.anchors import SEVERAL
from uq_tui.errors import UqError
from uq_tui.state.reading.marks.entries import UNSHOWN, Entry, Kind
from uq_tui.state.reading.marks.remarks import Remarks
from uq_tui.state.reading.readable import Readable, own_words, readable_question, readable_text, readable_words
from uq_tui.words import AuthorKind, ErrorCategory, Exposure, Label, Reading, TextFormat

ANSWER = "First, by Gauss.\r\nClearly it is so 🙂.\r\nBy a theorem it is 7."
SOURCE = ANSWER.replace("\r\n", "\n")


@pytest.fixture
def candidate(workspace: Workspace) -> str:
    add_question(workspace)
    (added,) = add_candidates(workspace, ANSWER)
    return added


def answer(ws: Workspace, candidate_id: str) -> Readable:
    return readable_text(candidates.get(ws, candidate_id).answer, candidate_id)


async def opened(ws: Workspace, readable: Readable) -> Remarks:
    found = Remarks(ws, reviewers.current(ws).id, "workbench")
    await found.open(readable)
    return found


def exposed(ws: Workspace, candidate_id: str) -> list[tuple[Exposure, str]]:
    shown = exposures.of_candidate(ws, reviewers.current(ws).id, candidate_id)
    return [(row.what, row.where) for row in shown]


def span(words: str) -> tuple[int, int]:
    return SOURCE.index(words), SOURCE.index(words) + len(words)


def shown(found: Remarks) -> list[tuple[Kind, str, str]]:
    return [
        (entry.kind, SOURCE[slice(*entry.place)] if entry.place else entry.why, entry.said) for entry in found.entries
    ]


def notes(found: Remarks) -> list[str]:
    return [entry.said for entry in found.entries]


async def test_a_remark_stands_on_the_words_that_were_selected(workspace: Workspace, candidate: str) -> None:
    found = await opened(workspace, answer(workspace, candidate))
    await found.add(*span("theorem"), "which?")
    await found.add(*span("so 🙂.\nBy"), "")
    assert shown(found) == [(Kind.REMARK, "so 🙂.\nBy", ""), (Kind.REMARK, "theorem", "which?")]
    assert found.ranges(Kind.REMARK) == (span("so 🙂.\nBy"), span("theorem"))
    (first, second) = remarks.of_texts(workspace, reviewers.current(workspace).id, [found.readable.texts[0].sha256])
    assert (first.quote, second.quote) == ("so 🙂.\r\nBy", "theorem")
    assert found.entries[1].line == "remark on “theorem”: which?"


async def test_remarks_are_there_when_the_text_is_opened_again(workspace: Workspace, candidate: str) -> None:
    before = await opened(workspace, answer(workspace, candidate))
    await before.add(*span("theorem"), "which?")
    assert (await opened(workspace, answer(workspace, candidate))).entries == before.entries


HTML = (
    "<p>First, a &lt; b &amp; so it is.</p><p>Then $$x^2 &lt; y$$ and <em>on</em> it goes.</p>"
    "<ul><li>One <strong>of</strong> two</li></ul><pre><code>code &gt;\n  here\n</code></pre>"
)


@pytest.mark.parametrize(
    ("words", "quoted"),
    [
        ("< b & so", "&lt; b &amp; so"),
        ("$$x^2 < y$$", "$$x^2 &lt; y$$"),
        ("is.\n\nThen", "is.</p><p>Then"),
        ("on", "on"),
        ("of** two", "of</strong> two"),
        ("code >\n  here", "code &gt;\n  here"),
    ],
)
async def test_in_html_a_remark_is_kept_on_what_was_stored(workspace: Workspace, words: str, quoted: str) -> None:
    add_question(workspace)
    new = NewCandidate(QUESTION, HTML, TextFormat.HTML, Origin(AuthorKind.MODEL, model="m"))
    (key,) = candidates.add(workspace, [new])
    found = await opened(workspace, answer(workspace, key))
    source = found.readable.source.replace("\\", " ")  # escapes are of the Markdown alone
    start = source.index(words)
    await found.add(start, start + len(words), "hm")
    (made,) = remarks.of_texts(workspace, reviewers.current(workspace).id, [found.readable.texts[0].sha256])
    assert made.quote == quoted
    assert (await opened(workspace, answer(workspace, key))).entries[0].place == (start, start + len(words))


async def test_the_reasoning_of_a_candidate_can_be_remarked_on(workspace: Workspace) -> None:
    found = await opened(workspace, readable_words("Think\r\nof 8.", "r1"))
    await found.add(6, 11, "why 8?")
    assert [(entry.quote, entry.place) for entry in found.entries] == [("of 8.", (6, 11))]
    assert found.answer is None


async def test_what_is_no_stored_text_takes_no_remark(workspace: Workspace) -> None:
    found = await opened(workspace, own_words("Ours."))
    with pytest.raises(UqError, match="stored text"):
        await found.add(0, 4, "hm")
    assert found.entries == ()


async def test_editing_removing_and_undoing(workspace: Workspace, candidate: str) -> None:
    found = await opened(workspace, answer(workspace, candidate))
    await found.add(*span("theorem"), "which?")
    (made,) = found.entries
    await found.edit(made.key, "which one?")
    await found.remove(made.key)
    assert notes(found) == []
    assert await found.undo() == "The remark is back."
    assert notes(found) == ["which one?"]
    assert await found.undo() == "The earlier note is back."
    assert list(found.entries) == [made]
    assert await found.undo() == "The remark is removed again."
    assert notes(found) == []
    assert await found.undo() == ""


async def test_a_new_text_leaves_nothing_to_undo_of_the_old(workspace: Workspace, candidate: str) -> None:
    found = await opened(workspace, answer(workspace, candidate))
    await found.add(*span("theorem"), "which?")
    await found.open(readable_words("Other.", "other"))
    assert await found.undo() == ""
    await found.open(answer(workspace, candidate))
    assert len(found.entries) == 1


async def test_the_entry_at_a_place_is_the_shortest_there(workspace: Workspace, candidate: str) -> None:
    found = await opened(workspace, answer(workspace, candidate))
    for words in ("By a theorem it is 7.", "theorem", "First"):
        await found.add(*span(words), words)
    at = span("theorem")[0]
    here = [found.at(offset) for offset in (at - 1, at, at + 6, at + 7, span("Clearly")[0])]
    assert [entry and entry.said for entry in here] == [
        "By a theorem it is 7.",
        "theorem",
        "theorem",
        "By a theorem it is 7.",
        None,
    ]


async def test_quotes_of_the_own_verdict_are_shown_the_draft_before_the_verdict(
    workspace: Workspace, candidate: str
) -> None:
    me = reviewers.current(workspace)
    quotes = tuple(Quote(words, None, None, "", "") for words in ("theorem", "it is", "lemma"))
    form = VerdictForm(Label.INCORRECT, errors=(MarkedError("external_references", quotes, problem="No such."),))
    give(workspace, me, candidate, form)
    found = await opened(workspace, answer(workspace, candidate))
    said = "external references: No such."
    assert shown(found) == [
        (Kind.ERROR, "theorem", said),
        (Kind.ERROR, SEVERAL, said),
        (Kind.ERROR, "its words are not in the text", said),
    ]
    assert found.entries[1].line == f"error on “it is”: {said}, unanchored: {SEVERAL}"
    entered = VerdictForm(errors=(MarkedError("other", (Quote("7", None, None, "", ""),)),))
    drafts.save(workspace, me.id, candidate, entered, based_on=0)
    await found.open(answer(workspace, candidate))
    assert shown(found) == [(Kind.ERROR, "7", "other")]


async def test_claims_are_shown_only_when_asked_for_and_recorded_then(workspace: Workspace, candidate: str) -> None:
    gauss = [(ErrorCategory.EXTERNAL_REFERENCES, "by Gauss")]
    audited_by(workspace, candidate, ANSWER, gauss)
    audited_by(workspace, candidate, ANSWER, [*gauss, (ErrorCategory.UNJUSTIFIED_COMPRESSION, "Clearly it is")])
    found = await opened(workspace, answer(workspace, candidate))
    assert notes(found) == []
    assert exposed(workspace, candidate) == []
    await found.show_claims(True)
    assert [(kind, words) for kind, words, _ in shown(found)] == [
        (Kind.CLAIM, "by Gauss"),
        (Kind.CLAIM, "Clearly it is"),
    ]
    assert exposed(workspace, candidate) == [(Exposure.CLAIMS, "workbench")]
    await found.show_claims(False)
    assert found.ranges(Kind.CLAIM) == ()


async def test_another_text_has_its_claims_left_out_again(workspace: Workspace, candidate: str) -> None:
    (other,) = add_candidates(workspace, "It is 8.")
    for one, words in ((candidate, ANSWER), (other, "It is 8.")):
        audited_by(workspace, one, words, [(ErrorCategory.OTHER, words[:5])])
    found = await opened(workspace, answer(workspace, candidate))
    await found.show_claims(True)
    await found.open(answer(workspace, candidate))
    assert len(found.ranges(Kind.CLAIM)) == 1
    await found.open(answer(workspace, other))
    assert found.ranges(Kind.CLAIM) == ()
    assert exposed(workspace, other) == []


@pytest.mark.parametrize(
    ("state", "recorded"), [(Reading.READ, True), (Reading.UNPARSED, True), (Reading.FAILED, False)]
)
async def test_that_an_audit_found_nothing_tells_too(
    workspace: Workspace, candidate: str, state: Reading, recorded: bool
) -> None:
    audited_by(workspace, candidate, ANSWER, state=state)
    found = await opened(workspace, answer(workspace, candidate))
    await found.show_claims(True)
    assert (exposed(workspace, candidate) != []) == recorded


async def test_of_questions_answered_alike_the_one_that_is_read_counts(workspace: Workspace, candidate: str) -> None:
    add_question(workspace, "tests:2")
    (alike,) = add_candidates(workspace, ANSWER, question_id="tests:2")
    for key in (alike, f"answer {alike}"):
        found = await opened(workspace, replace(answer(workspace, alike), key=key))
        assert found.answer == Answer(alike, "tests:2")
    found = await opened(workspace, replace(answer(workspace, alike), key="elsewhere"))
    assert found.answer is None
    sha256 = found.readable.texts[0].sha256
    assert answers_with(workspace, sha256) == tuple(sorted([Answer(candidate, QUESTION), Answer(alike, "tests:2")]))


async def test_remarks_on_an_earlier_version_are_found_again_or_said_to_be_lost(workspace: Workspace) -> None:
    first = NewQuestion(
        id="source:1", title="T", body="Let n be even. Is n / 2 odd? Sure?", format=TextFormat.MARKDOWN, source="f"
    )
    workspace.write(lambda db: intake.put(db, [first]))
    found = await opened(workspace, readable_question(questions.get(workspace, "source:1")))
    source = found.readable.source
    for words in ("n / 2 odd", "even", "Sure"):
        await found.add(source.index(words), source.index(words) + len(words), words)
    newer = replace(first, body="Edited. Let n be even. Is n / 2 odd? Perhaps it is: an even number. Sure?")
    workspace.write(lambda db: intake.put(db, [newer]))
    await found.open(readable_question(questions.get(workspace, "source:1")))
    source = found.readable.source
    at = source.index("n / 2 odd")
    assert [(entry.said, entry.place, entry.why) for entry in found.entries] == [
        ("n / 2 odd", (at, at + 9), ""),
        ("Sure", (len(source) - 5, len(source) - 1), ""),
        ("even", None, SEVERAL),
    ]
    assert questions_with(workspace, found.readable.texts[0].sha256) == ("source:1",)


def test_an_entry_is_told_on_one_harmless_line() -> None:
    entry = Entry(Kind.REMARK, "k", "two\n\nlines\x1b[2J", "so\u202e\nso", None, UNSHOWN)
    assert entry.line == f"remark on “two lines␛[2J”: so‹U+202E› so, unanchored: {UNSHOWN}"
