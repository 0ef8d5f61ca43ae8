"""The tokens of a paragraph into styled spans, with displayed formulas apart."""

import re
from collections.abc import Iterator, Sequence

from markdown_it.token import Token

from uq_tui.document.drawing.formulas import Display
from uq_tui.document.drawing.lines import Span, as_one
from uq_tui.document.drawing.placed import Setting, code, prose
from uq_tui.document.markup.units import PUNCTUATION
from uq_tui.text import clean, clean_line

_BLANK = re.compile(r"[\t\n]")
_OPENING = {"em_open": "emphasis", "strong_open": "strong", "s_open": "strike", "link_open": "link"}
_CLOSING = frozenset({"em_close", "strong_close", "s_close", "link_close"})


def inline_parts(tokens: Sequence[Token], setting: Setting, style: str = "") -> list[list[Span] | Display]:
    """Runs of text, and the displayed formulas between them. `style` is added to every span of text."""
    return _Reader(setting, style).read(tokens)


def inline_spans(tokens: Sequence[Token], setting: Setting, style: str = "") -> list[Span]:
    """All of it as one run of text, for headings and table cells: displayed formulas stand in line."""
    spans: list[Span] = []
    for part in inline_parts(tokens, setting, style):
        if isinstance(part, Display):
            formula = setting.formula(part.latex, part.start) + part.punctuation
            spans += as_one(formula, _with(style, "math"), part.start, part.end)
        else:
            spans += (span._replace(text=" ") if span.text == "\n" else span for span in part)
    return spans


def _with(*styles: str) -> str:
    return " ".join(dict.fromkeys(name for style in styles for name in style.split()))


class _Reader:
    def __init__(self, setting: Setting, style: str) -> None:
        self._setting = setting
        self._base = style
        self._styles: list[str] = []
        self._links: list[tuple[Token, int]] = []
        self._spans: list[Span] = []
        self._parts: list[list[Span] | Display] = []

    def read(self, tokens: Sequence[Token]) -> list[list[Span] | Display]:
        for token in self._joined(tokens):
            self._read(token)
        self._end_run()
        return self._parts or [[]]

    def _joined(self, tokens: Sequence[Token]) -> Iterator[Token]:
        """The tokens, with texts that follow each other as one: a backslash that escapes nothing begins a new one."""
        source = self._setting.text
        begin = stop = -1
        for token in tokens:
            start, end = token.meta["at"]
            plain = token.type in ("text", "text_special") and token.content == source[start:end]
            if stop >= 0 and not (plain and start == stop):
                yield Token("text", "", 0, content=source[begin:stop], meta={"at": (begin, stop)})
                stop = -1
            if not plain:
                yield token
                continue
            if stop < 0:
                begin = start
            stop = end
        if stop >= 0:
            yield Token("text", "", 0, content=source[begin:stop], meta={"at": (begin, stop)})

    def _end_run(self) -> None:
        """The text so far is a part, if there is any; blanks and breaks beside a displayed formula are nothing."""
        while self._spans and not self._spans[-1].text.strip(" \n"):
            self._spans.pop()
        if self._spans:
            self._parts.append(self._spans)
            self._spans = []

    def _style(self, style: str = "") -> str:
        if not (self._base or self._styles):
            return style
        return _with(self._base, *self._styles, style)

    def _read(self, token: Token) -> None:
        kind = token.type
        if kind == "text":
            self._text(token.content, *token.meta["at"])
        elif kind == "text_special":
            self._spans += as_one(_BLANK.sub(" ", clean(token.content)), self._style(), *token.meta["at"])
        elif kind == "softbreak":
            self._spans += as_one(" ", self._style(), *token.meta["at"])
        elif kind == "hardbreak" and (self._spans or not self._parts):
            self._spans.append(Span("\n", "", *token.meta["at"]))
        elif kind == "code_inline":
            self._code(token)
        elif kind == "math_inline":
            start, end = token.meta["at"]
            self._spans += as_one(self._setting.formula(token.content, start), self._style("math"), start, end)
        elif kind == "math_display":
            self._end_run()
            self._links = [(link, 0) for link, _ in self._links]
            self._parts.append(Display(token.content, *token.meta["at"]))
        elif kind == "image":
            self._image(token)
        elif kind == "footnote_ref":
            number = self._setting.context.footnotes[token.meta["label"]]
            self._spans += as_one(f"[{number}]", self._style("link"), *token.meta["at"])
        elif kind in _OPENING:
            self._styles.append(_OPENING[kind])
            if kind == "link_open":
                self._links.append((token, len(self._spans)))
        elif kind in _CLOSING:
            self._styles.pop()
            if kind == "link_close":
                self._link(*self._links.pop())

    def _text(self, text: str, start: int, end: int) -> None:
        """Text; the punctuation right behind a displayed formula goes to the end of the formula."""
        if not self._spans and self._parts and isinstance(formula := self._parts[-1], Display):
            found = PUNCTUATION.match(text)
            if found and not formula.punctuation:
                text, start = text[found.end() :], start + found.end()
                self._parts[-1] = formula._replace(end=start, punctuation=found[0])
            blanks = len(text) - len(text.lstrip(" "))
            text, start = text[blanks:], start + blanks
        style = self._style()
        if end - start != len(text):
            self._spans += as_one(text, style, start, end)
            return
        if "\\" in text:
            at = 0
            for reference in self._setting.context.definitions.references(text):
                self._spans += prose(text[at : reference.start], start + at, style)
                self._spans += as_one(reference.shown, style, start + reference.start, start + reference.end)
                at = reference.end
            text, start = text[at:], start + at
        self._spans += prose(text, start, style)

    def _code(self, token: Token) -> None:
        """Code within text. Where its lines don't stand in the text as in the code, it stands as one."""
        style = self._style("code")
        for text, start, end in self._setting.pieces(token.content, *token.meta["inner"]):
            if end - start == len(text):
                self._spans += code(text, start, style)
            else:
                self._spans += as_one(clean_line(text) or " ", style, start, end)

    def _image(self, token: Token) -> None:
        start, end = token.meta["at"]
        alt_start, alt_end = token.meta["inner"]
        style = self._style("link")
        text = clean_line(token.content)
        if text:
            alt = self._setting.found(token.content, style, alt_start, alt_end)
            self._spans += (Span("[image: ", style), *alt, Span("]", style))
        else:
            self._spans += as_one("[image]", style, start, alt_end)
        self._address(token, "src", alt_end, end)

    def _link(self, link: Token, begin: int) -> None:
        """The address of a link behind its text, unless the text says it already."""
        address = clean_line(str(link.attrs.get("href", "")))
        text = "".join(span.text for span in self._spans[begin:])
        said = text.strip() in (address, address.removeprefix("mailto:")) or f"({address})" in text
        self._address(link, "" if said else "href", link.meta["inner"][1], link.meta["at"][1])

    def _address(self, token: Token, name: str, start: int, end: int) -> None:
        """The address and the title of a link or an image, in brackets."""
        address = str(token.attrs.get(name, ""))
        title = str(token.attrs.get("title", ""))
        style = self._style("dim")
        said: list[Span] = []
        if address:
            said += self._setting.found(address, style, start, end)
            start = said[-1].end if said[-1].end < end else start
        if title:
            said += (Span(' "' if said else '"', style), *self._setting.found(title, style, start, end))
            said.append(Span('"', style))
        if said:
            self._spans += (Span(" (", style), *said, Span(")", style))
