"""Bodies: stored once under their hash, raw and whole; HTML is turned into Markdown when it is read."""

from collections.abc import Iterable
from functools import lru_cache

from sqlalchemy import Connection, bindparam, select
from sqlalchemy.dialects.sqlite import insert
from sqlmodel import col

from store.driver import driver
from store.html import CONVERTER, html_with_map
from store.identity import text_sha256
from store.rows import Text
from store.tables import ConversionTable, TextTable
from store.workspace import Workspace
from uq_tui.document.source_map import SourceMap
from uq_tui.words import TextFormat

_PUT = "INSERT INTO text (sha256, body, chars) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
_RAW = select(col(TextTable.body)).where(col(TextTable.sha256) == bindparam("this_text"))
"""Made once: putting it together takes longer than running it."""
_MAPS_KEPT = 16
"""Conversions that are kept with their maps: of the texts that somebody goes back and forth between."""
_LONG = 10_000
"""Characters of HTML that take 10 ms to convert."""


def put(db: Connection, bodies: Iterable[str]) -> None:
    """Store bodies that are not stored yet."""
    rows = ((text_sha256(body), body.encode("utf-8", "surrogatepass"), len(body)) for body in bodies)
    driver(db).executemany(_PUT, rows)


def read_raw(db: Connection, sha256: str) -> str:
    """The body with this hash, as it came."""
    body = db.execute(_RAW, {"this_text": sha256}).scalar_one()
    return body.decode("utf-8", "surrogatepass")


def read(ws: Workspace, db: Connection, sha256: str | None, text_format: TextFormat) -> Text:
    """The body with this hash, with its Markdown; an empty one with an empty hash when `sha256` is None.

    Markdown is read as it came, but for CRLF, which becomes LF. A conversion from HTML is kept by (hash, converter
    version), without waiting for that.
    """
    if sha256 is None:
        return Text("", text_format, "", "")
    raw = read_raw(db, sha256)
    markdown = _markdown(ws, db, sha256, raw) if text_format is TextFormat.HTML else raw.replace("\r\n", "\n")
    return Text(sha256, text_format, raw, markdown)


def _markdown(ws: Workspace, db: Connection, sha256: str, raw: str) -> str:
    of_this = (col(ConversionTable.sha256) == sha256, col(ConversionTable.converter) == CONVERTER)
    kept = db.execute(select(col(ConversionTable.markdown)).where(*of_this)).scalar_one_or_none()
    if kept is not None:
        if len(raw) >= _LONG:
            _converted(raw)  # here, in a reader's thread, so that `source_map` need not do it in the UI's
        return kept
    markdown, _ = _converted(raw)
    row = {"sha256": sha256, "converter": CONVERTER, "markdown": markdown}
    ws.submit(lambda writing: writing.execute(insert(ConversionTable).on_conflict_do_nothing(), row))
    return markdown


def source_map(text: Text) -> SourceMap:
    """From `text.markdown` to `text.raw`; an empty map where that can't be told.

    HTML is converted again for it, which takes 1 ms for a post as they usually are, unless it has just been read and is
    long: maps are as large as the texts, and not worth storing.
    """
    if text.format is not TextFormat.HTML:
        return SourceMap.crlf(text.raw)
    markdown, found = _converted(text.raw)
    return found if markdown == text.markdown else SourceMap()


_converted = lru_cache(maxsize=_MAPS_KEPT)(html_with_map)
