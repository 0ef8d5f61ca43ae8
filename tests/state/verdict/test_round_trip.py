"""Quotes keep their place: selected in what is read, recorded, exported, imported elsewhere, and shown again."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from exports.verdicts import export_verdicts
from store import candidates
from store.ingest.importer import import_file
from store.rows import Candidate, NewCandidate, Origin, Reviewer
from store.workspace import Workspace
from tests.engine.runs.scripted import QUESTION, add_question
from tests.fakes.scripted_engine import ScriptedEngine
from tests.new_workspace import new_workspace
from tests.state.reading.lines.test_view import view_of
from uq_tui.engine.requests import ModelChoice
from uq_tui.state.desk import Desk
from uq_tui.state.reading.lines.caret import caret_from
from uq_tui.state.reading.marks.entries import error_entries
from uq_tui.state.reading.readable import readable_text
from uq_tui.state.verdict.editor import VerdictEditor
from uq_tui.state.verdict.errors import raw_place
from uq_tui.words import AuthorKind, ErrorCategory, Label, TextFormat

BY = Origin(AuthorKind.MODEL, model="m")
CRLF = (
    "First it holds.\r\n\r\nThen it holds.\r\n\r\n"
    "```py\r\nif it holds:\r\n    pass\r\n```\r\n\r\nAt last it holds again.\r\n"
)
SIGNS = "So\u00a0that e\u0301\u0302 is 👩‍👩‍👧 and\u00a0 𝔽₃, שלום too: $\\mathbb{F}_3$ is so\u00a0that."
FORMULA = "Let $x+1$ and $x+1$ be.\n\n$$\\frac{x+1}{2}=y$$\n\nSo $x+1$ is it."
HTML = (
    "<p>If $a &lt; b$, then <b>all is</b>&nbsp;well: &ldquo;all is&rdquo; so &amp; so.</p>\r\n"
    "<ul><li>all is</li></ul><pre><code>all &lt; is\n  so</code></pre>"
)


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Workspace]:
    """Another workspace that has the same answers."""
    opened = new_workspace(tmp_path / "elsewhere.uq.sqlite")
    yield opened
    opened.close()


def answered(ws: Workspace, raw: str, text_format: TextFormat) -> Candidate:
    add_question(ws)
    (candidate_id,) = candidates.add(ws, [NewCandidate(QUESTION, raw, text_format, BY)])
    return candidates.get(ws, candidate_id)


@pytest.mark.parametrize(
    ("raw", "text_format", "shown", "nth", "words"),
    [
        (CRLF, TextFormat.MARKDOWN, "it holds", 0, 2),
        (CRLF, TextFormat.MARKDOWN, "it holds", 1, 2),
        (CRLF, TextFormat.MARKDOWN, "it holds", 3, 2),
        pytest.param(CRLF, TextFormat.MARKDOWN, "it holds.", 1, 9, id="across a code fence"),
        (SIGNS, TextFormat.MARKDOWN, "e\u0301\u0302", 0, 5),
        (SIGNS, TextFormat.MARKDOWN, "that.", 0, 1),
        (SIGNS, TextFormat.MARKDOWN, "👩‍👩‍👧", 0, 4),
        (FORMULA, TextFormat.MARKDOWN, "$x+1$", 0, 1),
        (FORMULA, TextFormat.MARKDOWN, "$x+1$", 1, 1),
        (FORMULA, TextFormat.MARKDOWN, "$x+1$", 2, 1),
        (FORMULA, TextFormat.MARKDOWN, "$$\\frac", 0, 1),
        (HTML, TextFormat.HTML, "all is", 0, 2),
        (HTML, TextFormat.HTML, "all is", 1, 2),
        (HTML, TextFormat.HTML, "all is", 2, 2),
        (HTML, TextFormat.HTML, "$a", 0, 4),
        (HTML, TextFormat.HTML, "so & so", 0, 3),
        (HTML, TextFormat.HTML, "all < is", 0, 4),
    ],
)
async def test_a_quote_is_shown_again_where_it_was_selected(
    workspace: Workspace,
    elsewhere: Workspace,
    tmp_path: Path,
    raw: str,
    text_format: TextFormat,
    shown: str,
    nth: int,
    words: int,
) -> None:
    candidate = answered(workspace, raw, text_format)
    readable = readable_text(candidate.answer, candidate.id)
    at = -1
    for _ in range(nth + 1):
        at = readable.source.index(shown, at + 1)
    view = view_of(readable.source, 40)
    caret = caret_from(view, at)
    assert caret is not None
    selected = caret.anchored().by_words(view, words - 1).range
    assert selected[0] <= at < selected[1]

    desk = await Desk.sit_down(workspace, ScriptedEngine(workspace.path), ModelChoice("replay/none"))
    editor = VerdictEditor(desk)
    await editor.open(candidate)
    place = raw_place(readable, selected, candidate.answer.sha256)
    editor.add_quote(ErrorCategory.OTHER, *place)
    editor.edit(lambda form: replace(form, label=Label.INCORRECT))
    decision = await editor.save(candidate.id)
    (quote,) = decision.verdict.record["errors"][0]["quotes"]
    assert (quote["start"], quote["end"], quote["quote"]) == (*place, raw[slice(*place)])
    expected = readable.to_source(candidate.answer.sha256, *place)
    assert expected is not None
    assert_same_words(readable.source, selected, expected)

    file = tmp_path / "verdicts.jsonl"
    export_verdicts(workspace, file)
    assert answered(elsewhere, raw, text_format).id == candidate.id
    import_file(elsewhere, file)
    for ws in (workspace, elsewhere):
        (entry,) = error_entries(ws, reviewer_of(file).id, candidate.id, readable)
        assert entry.place == expected
    again = tmp_path / "again.jsonl"
    export_verdicts(elsewhere, again)
    assert again.read_bytes() == file.read_bytes()


def assert_same_words(source: str, selected: tuple[int, int], found: tuple[int, int]) -> None:
    """What is shown again is what was selected, save for marks of Markdown at its ends."""
    assert selected[0] <= found[0] < found[1] <= selected[1]
    assert source[selected[0] : found[0]].strip("*`$ ") == ""
    assert source[found[1] : selected[1]].strip("*`$ ") == ""


def reviewer_of(file: Path) -> Reviewer:
    """Whose the only row of a file is."""
    row = json.loads(file.read_text(encoding="utf-8"))["reviewer"]
    return Reviewer(row["id"], row["handle"], row["orcid"], tuple(row["expertise"]))
