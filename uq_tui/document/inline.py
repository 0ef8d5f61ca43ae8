"""The tokens of a paragraph into styled spans, with displayed formulas apart."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from markdown_it.token import Token

from uq_tui.document.lines import Span
from uq_tui.document.maths.readable import one_line, readable_rows
from uq_tui.text import clean, clean_line

_WHITE = re.compile(r"[ \t\n]+")
_PUNCTUATION = re.compile(r"[.,;:!?)]+")
_OPENING = {"em_open": "emphasis", "strong_open": "strong", "s_open": "strike", "link_open": "link"}
_CLOSING = frozenset({"em_close", "strong_close", "s_close", "link_close"})


class Display(NamedTuple):
    """A displayed formula: its rows as they are read."""

    rows: tuple[str, ...]


def inline_parts(tokens: Sequence[Token], style: str = "") -> list[list[Span] | Display]:
    """Runs of text, and the displayed formulas between them. `style` is added to every span of text."""
    return _Reader(style).read(tokens)


def inline_spans(tokens: Sequence[Token], style: str = "") -> list[Span]:
    """All of it as one run of text, for headings and table cells: displayed formulas stand in line."""
    spans: list[Span] = []
    for part in inline_parts(tokens, style):
        if isinstance(part, Display):
            spans.append(Span("; ".join(part.rows), _with(style, "math")))
        else:
            spans += (Span(text.replace("\n", " "), kind) for text, kind, *_ in part)
    return spans


def display(latex: str, punctuation: str = "") -> Display:
    """The formula, with the punctuation that follows it at the end of its last row."""
    *rows, last = readable_rows(latex) or ("",)
    return Display((*rows, last + punctuation))


def _with(*styles: str) -> str:
    return " ".join(dict.fromkeys(name for style in styles for name in style.split()))


class _Reader:
    def __init__(self, style: str) -> None:
        self._base = style
        self._styles: list[str] = []
        self._addresses: list[str] = []
        self._linked_from: list[int] = []
        self._spans: list[Span] = []
        self._parts: list[list[Span] | Display] = []

    def read(self, tokens: Sequence[Token]) -> list[list[Span] | Display]:
        for token in tokens:
            self._read(token)
        self._end_run()
        return self._parts or [[]]

    def _end_run(self) -> None:
        """The text so far is a part, if there is any; blanks and breaks beside a displayed formula are nothing."""
        while self._spans and not self._spans[-1].text.strip():
            self._spans.pop()
        if self._spans:
            self._parts.append(self._spans)
            self._spans = []

    def _add(self, text: str, style: str = "") -> None:
        self._spans.append(Span(text, _with(self._base, *self._styles, style)))

    def _read(self, token: Token) -> None:
        kind = token.type
        if kind in ("text", "text_special"):
            self._text(_WHITE.sub(" ", clean(token.content)))
        elif kind == "softbreak":
            self._add(" ")
        elif kind == "hardbreak" and (self._spans or not self._parts):
            self._add("\n")
        elif kind == "code_inline":
            self._add(clean_line(token.content) or " ", "code")
        elif kind == "math_inline":
            self._add(one_line(token.content), "math")
        elif kind == "math_display":
            self._display(token.content)
        elif kind == "image":
            self._image(token)
        elif kind in _OPENING:
            self._styles.append(_OPENING[kind])
            if kind == "link_open":
                self._addresses.append(clean_line(str(token.attrs.get("href", ""))))
                self._linked_from.append(len(self._spans))
        elif kind in _CLOSING:
            self._styles.pop()
            if kind == "link_close":
                self._address()
        elif token.content:
            self._text(_WHITE.sub(" ", clean(token.content)))

    def _text(self, text: str) -> None:
        """Text; the punctuation right behind a displayed formula goes to the end of the formula."""
        if not self._spans and self._parts and isinstance(formula := self._parts[-1], Display):
            found = _PUNCTUATION.match(text)
            if found:
                self._parts[-1] = Display((*formula.rows[:-1], formula.rows[-1] + found[0]))
                text = text[found.end() :]
            text = text.lstrip(" ")
        self._add(text)

    def _display(self, latex: str) -> None:
        self._end_run()
        self._linked_from = [0] * len(self._linked_from)
        self._parts.append(display(latex))

    def _image(self, token: Token) -> None:
        text = clean_line(token.content)
        self._add(f"[image: {text}]" if text else "[image]", "link")
        address = clean_line(str(token.attrs.get("src", "")))
        if address:
            self._add(f" ({address})", "dim")

    def _address(self) -> None:
        """The address of a link behind its text, unless the text says it already."""
        address, start = self._addresses.pop(), self._linked_from.pop()
        text = "".join(span.text for span in self._spans[start:])
        said = text.strip() in (address, address.removeprefix("mailto:")) or f"({address})" in text
        if address and not said:
            self._add(f" ({address})", "dim")
