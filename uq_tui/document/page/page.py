"""The page as a whole: one file that loads nothing, runs nothing and sends nothing."""

import base64
import hashlib
from functools import cache
from pathlib import Path

from uq_tui.document.markup.parse import parse
from uq_tui.document.markup.scan import Scan
from uq_tui.document.page.markup import shown
from uq_tui.document.page.render import Renderer

_CONTENTS_FROM = 3
"""Headings that a page needs for a list of them at its top."""
_NOTE = "Written by uq-tui from the text as it is stored. This page holds no program and loads nothing."


def write_page(source: str, title: str, counted_from: int = 0) -> str:
    """`source` as an HTML page, formulas as MathML; those that can't be read stay LaTeX.

    Nothing in it is run or loaded, whatever the source says: markup is written by us only, all text is escaped, and the
    page's own policy forbids all but its one style sheet. Paragraphs, displayed formulas, code blocks and tables bear
    the same numbers as in the app.

    Args:
        source: Markdown with mathematics, hostile or not.
        title: what the page is called; it should tell nothing that the reader must not see.
        counted_from: the first code point of `source` whose paragraphs are numbered.
    """
    body, headings = body_of(source, counted_from=counted_from)
    return whole(title, contents(headings), body)


def body_of(source: str, *, prefix: str = "", counted_from: int = 0) -> tuple[str, list[tuple[int, str]]]:
    """A text as HTML without the page round it, and level and text of each heading, as HTML text.

    `prefix` begins all ids in it, where several texts share a page.
    """
    change = Scan(counted_from).feed(source)
    context = change.context
    renderer = Renderer(prefix)
    body: list[str] = []
    for segment in change.segments:
        tokens, _ = parse(source[segment.start : segment.end], context.references, context.footnotes)
        body.append(renderer.render_segment(tokens, segment, context))
    return "".join(body), renderer.headings


def whole(title: str, above: str, body: str) -> str:
    """A page of what is in it, all of it HTML that was written here."""
    return (
        f"{_head(title)}<body><header>{shown(title)}</header>\n{above}"
        f'<main lang="" translate="no">\n{body}</main>\n<footer>{_NOTE}</footer></body></html>\n'
    )


@cache
def _style() -> tuple[str, str]:
    """The style sheet, and the hash by which the page's policy lets it in."""
    style = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
    return style, base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()


def _head(title: str) -> str:
    style, digest = _style()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; img-src 'none'; form-action 'none'; base-uri 'none'"
    return (
        '<!DOCTYPE html>\n<html lang="en"><head>'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta charset="utf-8"><meta name="referrer" content="no-referrer">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{shown(title)}</title><style>{style}</style></head>\n"
    )


def contents(headings: list[tuple[int, str]]) -> str:
    """A list of the headings that leads to them, shut at first; none for a text of few."""
    if len(headings) < _CONTENTS_FROM:
        return ""
    items = "".join(
        f'<li class="l{level}"><a href="#h{number}">{text or "–"}</a></li>\n'
        for number, (level, text) in enumerate(headings, 1)
    )
    return f"<nav><details><summary>Contents</summary><ul>\n{items}</ul></details></nav>\n"
