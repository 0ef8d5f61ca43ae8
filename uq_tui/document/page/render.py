"""Tokens as HTML. All that is foreign goes through `shown` or `mathml`; markup is written here only."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from uq_tui.document.markup.context import Context
from uq_tui.document.markup.parse import PROSE
from uq_tui.document.markup.scan import Segment
from uq_tui.document.markup.units import Unit, UnitKind, plain_text
from uq_tui.document.page.markup import shown
from uq_tui.document.page.mathml import mathml

_FOLLOWED = re.compile(r"https?://[^\s]+", re.IGNORECASE)
"""Addresses that may be followed; the others are text."""
_ALIGNED = re.compile(r"text-align:(left|center|right)")

_WORDS = frozenset({"text", "text_special"})

Tokens = Sequence[Token]


class Renderer(RendererHTML):
    """Writes one segment after the other. Methods are named after the tokens that they write."""

    def __init__(self, prefix: str = "") -> None:
        super().__init__()
        self._prefix = prefix
        """What ids begin with."""
        self.headings: list[tuple[int, str]] = []
        """Level and text of each heading so far, as HTML text; the id of the first is `h1`."""
        self._segment = Segment(0, 0, 0, (), (), "", 1)
        self._context: Context | None = None
        self._units: Iterator[tuple[int, Unit]] = iter(())
        self._due: tuple[int, Unit] | None = None
        self._spoilers: list[bool] = []
        """Whether it is one, of each quote that is open."""
        self._links: list[tuple[str, int]] = []
        """Address and first token of each link that is open."""

    def render_segment(self, tokens: Tokens, segment: Segment, context: Context) -> str:
        """The HTML of a segment, whose blocks are `tokens`."""
        self._segment, self._context = segment, context
        self._units = enumerate(segment.units, segment.number)
        self._due = next(self._units, None)
        return self.render(tokens, _OPTIONS, {})

    # Numbers

    def _number(self, kind: UnitKind, at: int | None) -> str:
        """The number of the unit of this kind that begins here, in the margin; nothing where none does."""
        while self._due is not None and at is not None and self._due[1].end <= at:
            self._due = next(self._units, None)
        if self._due is None or self._due[1].kind is not kind or (at is not None and self._due[1].start > at):
            return ""
        number = self._due[0]
        self._due = next(self._units, None)
        return f'<a class="n" id="{self._prefix}u{number}" href="#{self._prefix}u{number}">{number}</a>'

    # Blocks

    def render(self, tokens: Tokens, options: OptionsDict, env: EnvType) -> str:
        """The HTML of blocks."""
        parts: list[str] = []
        for idx, token in enumerate(tokens):
            if token.type == "inline":
                parts.append(self.renderInline(token.children or (), options, env))
            elif token.type in self.rules:
                parts.append(self.rules[token.type](tokens, idx, options, env))
            elif not token.hidden:
                parts.append(f"</{token.tag}>\n" if token.nesting < 0 else f"<{token.tag}>")
        return "".join(parts)

    def heading_open(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        level, inline = int(tokens[idx].tag[1]), tokens[idx + 1]
        self.headings.append((level, shown(plain_text(inline.children or ()))))
        return f'<h{level} id="{self._prefix}h{len(self.headings)}">'

    def blockquote_open(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        spoiler = bool(tokens[idx].meta.get("spoiler"))
        self._spoilers.append(spoiler)
        return "<details><summary>Spoiler</summary><blockquote>" if spoiler else "<blockquote>"

    def blockquote_close(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        return "</blockquote></details>\n" if self._spoilers.pop() else "</blockquote>\n"

    def ordered_list_open(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        start = tokens[idx].attrs.get("start", 1)
        return f'<ol start="{int(start)}">'

    def list_item_open(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        checked = tokens[idx].meta.get("checked")
        return "<li>" if checked is None else f'<li class="task">{"☑" if checked else "☐"} '

    def footnote_open(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        label, number = self._footnote(tokens[idx])
        called = f'<span class="label">{number} ({shown(label)})</span>'
        return f'<aside class="footnote" id="{self._prefix}f{number}">{called}'

    def footnote_close(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        return "</aside>\n"

    def table_open(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        return f'<div class="wide">{self._number(UnitKind.TABLE, None)}<table>'

    def table_close(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        return "</table></div>\n"

    def th_open(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        token = tokens[idx]
        aligned = _ALIGNED.fullmatch(str(token.attrs.get("style", "")))
        return f'<{token.tag} class="{aligned[1]}">' if aligned else f"<{token.tag}>"

    td_open = th_open

    def hr(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        return "<hr>\n"

    def fence(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        token = tokens[idx]
        language = token.info.strip() if token.type == "fence" else ""
        prose = ' class="prose"' if language == PROSE else ""
        label = f'<span class="label">{shown(language)}</span>' if language and not prose else ""
        code = shown(token.content.removesuffix("\n"))
        return (
            f'<div class="wide">{self._number(UnitKind.CODE, None)}{label}<pre{prose}><code>{code}</code></pre></div>\n'
        )

    code_block = fence

    def plain_block(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        return f'<p class="plain">{shown(tokens[idx].content)}</p>\n'

    def math_block(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        token = tokens[idx]
        return f"<p>{self._display(token)}{shown(token.info)}</p>\n"

    # Within paragraphs

    def renderInline(self, tokens: Tokens, options: OptionsDict, env: EnvType) -> str:  # noqa: N802 (their name)
        """The HTML of a paragraph's content, with the numbers of its runs of prose."""
        parts: list[str] = []
        words: list[str] = []
        for idx, token in enumerate(tokens):
            at = token.meta.get("at")
            number = self._number(UnitKind.PARAGRAPH, at[0]) if at and token.type != "math_display" else ""
            if number or token.type not in _WORDS:
                parts += (self._words("".join(words)), number)
                words.clear()
            if token.type in _WORDS:
                words.append(token.content)
            elif token.type in self.rules:
                parts.append(self.rules[token.type](tokens, idx, options, env))
            elif token.tag and token.nesting:
                parts.append(f"</{token.tag}>" if token.nesting < 0 else f"<{token.tag}>")
            else:
                parts.append(shown(token.content))
        return "".join((*parts, self._words("".join(words))))

    def _words(self, text: str) -> str:
        """Words as they stand, with the numbers of the equations that they refer to."""
        if self._context is None or "ref{" not in text:
            return shown(text)
        parts: list[str] = []
        at = 0
        for found in self._context.definitions.references(text):
            parts += (shown(text[at : found.start]), shown(found.shown))
            at = found.end
        return "".join((*parts, shown(text[at:])))

    def hardbreak(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        return "<br>\n"

    def softbreak(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        return "\n"

    def code_inline(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        return f"<code>{shown(tokens[idx].content)}</code>"

    def math_inline(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        return self._formula(tokens[idx], display=False)

    def math_display(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        return self._display(tokens[idx])

    def footnote_ref(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        _, number = self._footnote(tokens[idx])
        return f'<sup><a href="#{self._prefix}f{number}">{number}</a></sup>'

    def link_open(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        address = str(tokens[idx].attrs.get("href", ""))
        self._links.append((address, idx))
        if _FOLLOWED.fullmatch(address):
            return f'<a href="{shown(address)}" rel="noreferrer noopener">'
        return '<span class="link">'

    def link_close(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        """The end of a link, and where it leads, unless its text says so already."""
        address, start = self._links.pop()
        end = "</a>" if _FOLLOWED.fullmatch(address) else "</span>"
        if not address or plain_text(tokens[start:idx]) in (address, address.removeprefix("mailto:")):
            return end
        return end + _address(address)

    def image(self, tokens: Tokens, idx: int, options: OptionsDict, env: EnvType) -> str:
        """What is said of the image, and where it would be; it is never loaded."""
        token = tokens[idx]
        words = plain_text(token.children or ())
        address = str(token.attrs.get("src", ""))
        return f'<span class="image">[image{": " + shown(words) if words else ""}]</span>{_address(address)}'

    # Formulas

    def _display(self, token: Token) -> str:
        number = self._number(UnitKind.DISPLAY, token.meta["at"][0])
        return f'<span class="display">{number}{self._formula(token, display=True)}</span>'

    def _formula(self, token: Token, *, display: bool) -> str:
        assert self._context is not None
        macros = self._context.definitions.at(self._segment.start + token.meta["at"][0])
        return (
            mathml(token.content, display=display, macros=macros) or f'<code class="tex">{shown(token.content)}</code>'
        )

    def _footnote(self, token: Token) -> tuple[str, int]:
        assert self._context is not None
        label = str(token.meta["label"])
        return label, self._context.footnotes.get(label, 0)


_OPTIONS: Any = {}
"""The renderer that we build on asks for none."""


def _address(address: str) -> str:
    return f' <span class="address">({shown(address)})</span>' if address else ""
