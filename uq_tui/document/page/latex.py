r"""LaTeX made ready for latex2mathml, which reads a part of it and guesses at the rest.

It takes what it doesn't know for letters, numbers `align` by itself from (1) on in every formula, ends a `\text` at the
first brace and takes in links, styles and definitions. So macros are expanded here, environments are put in words that
it knows, and what is in a `\text` never passes through it: a mark stands there instead.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from uq_tui.document.maths.macros import Macro, Macros, expand
from uq_tui.document.maths.symbols import TEXTS
from uq_tui.document.maths.texts import with_letters
from uq_tui.document.maths.tokens import Tokens, UnreadableError, as_text, tokenise

MAX_LENGTH = 10_000
"""Longest formula that is converted, in characters, with its macros expanded."""


def names(listed: str) -> frozenset[str]:
    """The names in a list of them with blanks between."""
    return frozenset(listed.split())


_ALIGNED = names("align align* alignat alignat* aligned alignedat flalign flalign* split")
_STACKED = names("gather gather* gathered multline multline*")
_TRANSPARENT = names("equation equation* displaymath math")
_GRIDS = names("matrix smallmatrix")
_COUNTED = names("alignat alignat* alignedat")
"""Environments whose first argument is a number of columns."""

_DROPPED = names(
    r"\nonumber \notag \allowbreak \nobreak \relax \noindent \centering \protect \displaylimits \ensuremath"
    r" \hfill"
)
_DROPPED_WITH_ARGUMENT = names(
    r"\color \class \style \cssId \href \textcolor \colorbox \cline \vspace \require \phantomsection"
)
"""Commands whose first argument says how or where, not what; a second one, if any, stays."""
_TEXTS = frozenset("\\" + name for name in TEXTS)
_PLAIN_TEXTS = frozenset({r"\textup", r"\textnormal", r"\textsl", r"\textsc", r"\mbox", r"\hbox"})
_FONTS = frozenset({r"\mathrm", r"\mathsf", r"\mathtt"})
_OPERATOR = re.compile(r"[A-Za-z]+")
_COLUMNS = re.compile(r"[@!><]\{[^{}]*\}|([pmb])\{[^{}]*\}|[^lcr|]")
_REPEATED = re.compile(r"\*\{([1-9]|1\d|20)\}\{([^{}]*)\}")
_IN_TEXT = re.compile(r"\\([%&_#${} ])|\\[A-Za-z]+ ?|[{}]|~")
_LIMITS = names(
    r"\sum \prod \coprod \bigcup \bigcap \bigsqcup \bigvee \bigwedge \bigoplus \bigotimes \bigodot \biguplus \lim \sup"
    r" \inf \max \min \limsup \liminf \injlim \projlim \varinjlim \varprojlim \gcd \det \Pr \argmax \argmin"
)
"""Operators that have their limits above and below where a formula is displayed."""
_FENCED = {
    "pmatrix": (r"\left(", r"\right)"),
    "bmatrix": (r"\left[", r"\right]"),
    "Bmatrix": (r"\left\{", r"\right\}"),
    "vmatrix": (r"\left|", r"\right|"),
    "Vmatrix": (r"\left\|", r"\right\|"),
}
"""Without a group round it, an exponent would be that of the right fence alone."""


def _macro(body: str) -> Macro:
    return Macro(tuple(tokenise(body)), 1)


_BUILT_IN = {
    **dict.fromkeys((r"\ket", r"\Ket"), _macro(r"{\left|#1\right\rangle}")),
    **dict.fromkeys((r"\bra", r"\Bra"), _macro(r"{\left\langle#1\right|}")),
    **dict.fromkeys((r"\braket", r"\Braket"), _macro(r"{\left\langle#1\right\rangle}")),
    r"\pmod": _macro(r"\quad(\operatorname{mod}#1)"),
    r"\pod": _macro(r"\quad(#1)"),
}
"""What it knows, but draws with the spaces and heights of other things."""
_BLANKS = re.compile(r"\s+")
_ANGLES = {("\\left", "<"): "\\langle", ("\\right", ">"): "\\rangle"}
_OPEN, _CLOSE = "\ue000", "\ue001"
LINE = "\ue002"
r"""The text that stands for an `\hline` at the beginning of a row."""
COLUMNS = "\ue003"
"""What the text in front of the first cell of an array begins with; its columns with their bars follow."""
_MARK = re.compile(f"{_OPEN}(\\d{{1,6}}){_CLOSE}")


@dataclass
class Prepared:
    """A formula that latex2mathml can read."""

    latex: str
    texts: list[str] = field(default_factory=list)
    """What its marks stand for."""

    def text(self, written: str) -> str:
        """The text of an element as latex2mathml has it: a mark is what it stands for."""
        mark = _MARK.fullmatch(written)
        return self.texts[int(mark[1])] if mark and int(mark[1]) < len(self.texts) else written


def prepare(latex: str, macros: Macros, *, display: bool) -> Prepared:
    r"""`latex` for latex2mathml.

    Args:
        latex: a formula without its delimiters.
        macros: what is defined where it stands, with the tags of `\label`.
        display: whether tags of equations are shown.

    Raises:
        UnreadableError: it defines something that can't be expanded, is too long, or holds what no page can show, such
            as a diagram.
    """
    if len(latex) > MAX_LENGTH:
        raise UnreadableError
    tokens = expand(tokenise(latex), {**_BUILT_IN, **macros.commands}).tokens
    made = _Preparation(tokens, macros.tags, display=display).made()
    if len(made.latex) > MAX_LENGTH:
        raise UnreadableError
    return made


class _Preparation:
    def __init__(self, tokens: list[str], tags: Mapping[str, str], *, display: bool) -> None:
        self._tokens = Tokens(tokens)
        self._tags = tags
        self._display = display
        self._out: list[str] = []
        self._texts: list[str] = []
        self._open: list[str] = []
        """Environments that are open, by name; a brace is one without."""
        self._loose_rows = False
        self._label = ""
        self._tagged = False

    def made(self) -> Prepared:
        while (token := self._tokens.peek()) is not None:
            self._tokens.next()
            self._take(token)
        self._end_row()
        if any(self._open):
            raise UnreadableError
        out = ["\\begin{align*}", *self._out, "\\end{align*}"] if self._loose_rows else self._out
        return Prepared(as_text(out), self._texts)

    def _take(self, token: str) -> None:
        out = self._out
        if token.isspace():
            out.append(" ")
        elif token in ("\\begin", "\\end"):
            name = self._tokens.raw_group().strip()
            self._begin(name) if token == "\\begin" else self._end(name)
        elif token in ("{", "}"):
            self._brace(token)
        elif token in ("\\\\", "\\cr", "\\newline"):
            self._tokens.skip("*")
            self._tokens.skip_row_gap()
            self._end_row()
            self._loose_rows = self._loose_rows or not self._open
            out += ("\\\\", " ")
        elif token == "&":
            self._loose_rows = self._loose_rows or not self._open
            out.append(token)
        elif token in _DROPPED_WITH_ARGUMENT:
            self._tokens.raw_option()
            self._tokens.group()
        elif token in ("\\hline", "\\hdashline"):
            out.append(f"\\text{{{LINE}}}")
        elif token == "\\label":
            self._label = self._tokens.raw_group().strip()
        elif token == "\\tag":
            form = "{}" if self._tokens.skip("*") else "({})"
            self._tag(form.format(self._tokens.raw_group()))
        elif token in ("\\ref", "\\eqref", "\\cref", "\\autoref"):
            name = self._tokens.raw_group().strip()
            shown = self._tags.get(name, name)
            self._text("\\text", f"({shown})" if token == "\\eqref" else shown)
        elif token in _TEXTS:
            self._text("\\text" if token in _PLAIN_TEXTS else token, self._tokens.raw_group())
        elif token == "\\operatorname":
            self._operator()
        elif token in _FONTS:
            out += (token, "{{", *self._inner(), "}}")
        elif token in ("\\left", "\\right"):
            self._tokens.skip_space()
            delimiter = self._tokens.next()
            out += (token, _ANGLES.get((token, delimiter), delimiter))
        elif token not in _DROPPED:
            out.append(token)
            if token in _LIMITS:
                self._limits()

    def _inner(self) -> list[str]:
        """The next argument, made ready by itself."""
        inner = _Preparation(self._tokens.group(), self._tags, display=False)
        inner._texts = self._texts
        inner._open = [""]
        while (token := inner._tokens.peek()) is not None:
            inner._tokens.next()
            inner._take(token)
        if inner._open != [""]:
            raise UnreadableError
        return inner._out

    def _brace(self, token: str) -> None:
        if token == "{":
            self._open.append("")
        elif not self._open or self._open.pop():
            raise UnreadableError
        self._out.append(token)

    def _begin(self, name: str) -> None:
        plain = name.removesuffix("*")
        if name in _ALIGNED or name in _STACKED:
            self._tokens.raw_option()
            if name in _COUNTED:
                self._tokens.group()
            self._out.append("\\begin{align*}" if name in _ALIGNED else "\\begin{displaylines}")
        elif plain == "eqnarray":
            self._out.append("\\begin{array}{rcl}")
        elif plain in ("cases", "dcases"):
            self._out.append("\\begin{cases}")
        elif plain in _FENCED:
            self._tokens.raw_option()
            self._out += (_FENCED[plain][0], "\\begin{matrix}")
        elif plain in _GRIDS:
            self._out.append(f"\\begin{{{plain}}}")
        elif plain in ("array", "subarray"):
            self._tokens.raw_option()
            columns = _columns(self._tokens.raw_group())
            self._out.append(f"\\begin{{array}}{{{columns.replace('|', '') or 'c'}}}")
            self._out.append(f"\\text{{{_OPEN}{len(self._texts)}{_CLOSE}}}")
            self._texts.append(COLUMNS + columns)
        elif name not in _TRANSPARENT:
            raise UnreadableError
        self._open.append(name)

    def _end(self, name: str) -> None:
        if not self._open or self._open.pop() != name:
            raise UnreadableError
        self._end_row()
        plain = name.removesuffix("*")
        if name in _ALIGNED:
            self._out.append("\\end{align*}")
        elif name in _STACKED:
            self._out.append("\\end{displaylines}")
        elif plain in ("eqnarray", "subarray"):
            self._out.append("\\end{array}")
        elif plain in _FENCED:
            self._out += ("\\end{matrix}", _FENCED[plain][1])
        elif name not in _TRANSPARENT:
            self._out.append(f"\\end{{{'cases' if plain == 'dcases' else plain}}}")

    def _end_row(self) -> None:
        """A labelled row without a tag has the number that the text's references to it show."""
        if self._label and not self._tagged and (number := self._tags.get(self._label)):
            self._tag(f"({number})")
        self._label, self._tagged = "", False

    def _tag(self, shown: str) -> None:
        self._tagged = True
        if self._display:
            self._out.append("\\qquad ")
            self._text("\\text", shown)

    def _limits(self) -> None:
        """Say that the limits that follow stand above and below."""
        self._tokens.skip_space()
        if self._display and self._tokens.peek() in ("_", "^"):
            self._out.append("\\limits ")

    def _operator(self) -> None:
        starred = "*" if self._tokens.skip("*") else ""
        name = self._tokens.group()
        letters = "".join(token for token in name if not token.isspace())
        if _OPERATOR.fullmatch(letters):
            self._out.append(f"\\operatorname{starred}{{{letters}}}")
            if starred:
                self._limits()
        else:
            self._tokens.insert(["\\mathrm", "{", *name, "}"])

    def _text(self, command: str, raw: str) -> None:
        for number, part in enumerate(re.split(r"(?<!\\)\$", raw)):
            if number % 2:
                inner = _Preparation(["{", *tokenise(part), "}"], self._tags, display=False)
                inner._texts = self._texts
                self._out.append(inner.made().latex)
            elif part:
                self._out.append(f"{command}{{{_OPEN}{len(self._texts)}{_CLOSE}}}")
                self._texts.append(_plain(part))


def _plain(text: str) -> str:
    """Text within a formula as it is read: letters and escapes as they are read, commands left out."""
    words = _IN_TEXT.sub(lambda found: found[1] or (" " if found[0] == "~" else ""), with_letters(text))
    return _BLANKS.sub("\N{NO-BREAK SPACE}", words)  # others would be lost at its ends


def _columns(written: str) -> str:
    """The columns of an array in the signs that are known: l, c, r and a bar."""
    repeated = _REPEATED.sub(lambda found: found[2] * int(found[1]), written[:200])
    return _COLUMNS.sub(lambda found: "l" if found[1] else "", repeated)[:100]
