"""Bodies: once, whole, converted when read."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select

from store import texts
from store.identity import text_sha256
from store.rows import Text
from store.tables import ConversionTable, TextTable
from store.workspace import Workspace
from uq_tui.document.source_map import SourceMap
from uq_tui.words import TextFormat

AWKWARD = "a\0b\ud83d c\r\n\u2028\x1b[2J"


def read(ws: Workspace, body: str, text_format: TextFormat) -> Text:
    ws.write(lambda db: texts.put(db, [body]))
    with ws.read() as db:
        return texts.read(ws, db, text_sha256(body), text_format)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(st.text(st.characters()))
def test_every_text_comes_back_as_it_was(workspace: Workspace, body: str) -> None:
    markdown = body.replace("\r\n", "\n")
    assert read(workspace, body, TextFormat.MARKDOWN) == Text(text_sha256(body), TextFormat.MARKDOWN, body, markdown)


def test_line_ends_of_two_signs_are_read_as_one(workspace: Workspace) -> None:
    assert read(workspace, "a\r\nb\rc\r\n", TextFormat.PLAIN).markdown == "a\nb\rc\n"


def test_a_body_is_stored_once(workspace: Workspace) -> None:
    workspace.write(lambda db: texts.put(db, [AWKWARD, "x", AWKWARD]))
    workspace.write(lambda db: texts.put(db, [AWKWARD]))
    with workspace.read() as db:
        assert db.execute(select(func.count()).select_from(TextTable)).scalar_one() == 2
        assert texts.read_raw(db, text_sha256(AWKWARD)) == AWKWARD


def test_no_hash_is_an_empty_text(workspace: Workspace) -> None:
    with workspace.read() as db:
        assert texts.read(workspace, db, None, TextFormat.HTML) == Text("", TextFormat.HTML, "", "")


def test_html_is_converted_once_a_converter(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    converted: list[str] = []

    def convert(raw: str) -> tuple[str, SourceMap]:
        converted.append(raw)
        return f"{len(converted)}: \ud800", SourceMap()

    monkeypatch.setattr(texts, "_converted", convert)
    assert read(workspace, "<p>x</p>", TextFormat.HTML) == Text(
        text_sha256("<p>x</p>"), TextFormat.HTML, "<p>x</p>", "1: \ud800"
    )
    assert read(workspace, "<p>x</p>", TextFormat.HTML).markdown == "1: \ud800"
    monkeypatch.setattr(texts, "CONVERTER", "another")
    assert read(workspace, "<p>x</p>", TextFormat.HTML).markdown == "2: \ud800"
    workspace.write(lambda db: None)
    with workspace.read() as db:
        assert db.execute(select(func.count()).select_from(ConversionTable)).scalar_one() == 2


def test_html_is_read_as_markdown(workspace: Workspace) -> None:
    text = read(workspace, "<p>Is it <strong>so</strong>?</p>", TextFormat.HTML)
    assert text.raw == "<p>Is it <strong>so</strong>?</p>"
    assert text.markdown.strip() == "Is it **so**?"


def test_what_is_read_leads_to_what_is_stored(workspace: Workspace) -> None:
    for body, text_format in (("<p>Is it <b>so</b>?</p>", TextFormat.HTML), ("a\r\nso", TextFormat.PLAIN)):
        text = read(workspace, body, text_format)
        at = text.markdown.index("so")
        assert texts.source_map(text).to_raw(at, at + 2) == (body.index("so"), body.index("so") + 2)


def test_what_another_converter_made_has_no_map() -> None:
    assert texts.source_map(Text("0", TextFormat.HTML, "<p>x</p>", "x, older")) == SourceMap()


def test_the_map_of_a_long_text_is_made_where_it_is_read(workspace: Workspace) -> None:
    body = "<p>It is so.</p>" * 1_000
    text = read(workspace, body, TextFormat.HTML)
    texts._converted.cache_clear()
    assert read(workspace, body, TextFormat.HTML) == text
    made = texts._converted.cache_info().misses
    assert texts.source_map(text).runs
    assert texts._converted.cache_info().misses == made == 1
