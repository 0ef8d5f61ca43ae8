"""What a reader of a formula must see: its letters and digits, counted without the reader of formulas."""

import re
import unicodedata
from collections import Counter

from uq_tui.document.maths import symbols as sym
from uq_tui.text import clean

_TOKEN = re.compile(r"\\(?:operatorname|tag|hspace)\*|\\[A-Za-z]+|\\.|.", re.DOTALL)
_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
_ENVIRONMENT = re.compile(r"\\(?:begin|end)\s*\{\w+\*?\}(?:\s*\{[lcr|@{}\s\d]*\}|\[[tbc]\])?")
_ROW_GAP = re.compile(r"(\\\\)\[-?[\d.]+\s*[a-z]+\]")
_LENGTH = re.compile(r"\\(?:[hm]space\*?|h?skip|mskip|m?kern)\s*(?:\{[^{}]*\}|-?[\d.]+\s*(?:pt|em|ex|mu|mm|cm))")
_UNSEEN = re.compile(r"\\(?:label|color|vspace|textcolor|cline)\s*\{[^{}]*\}|\\(?:notag|nonumber)(?![A-Za-z])")
_STRANGE = re.compile(
    r"\\(?:phantom|hphantom|vphantom|proj|ketbra|def|let|newcommand|renewcommand|providecommand|DeclareMathOperator"
    r"|require|fcolorbox|colorbox|raisebox|raise|smash|bbox|ref|eqref|href|genfrac|mathchoice|includegraphics|verb"
    r"|kern|mkern|rule|ce|hskip|mskip|enclose|color|html[A-Z]\w*|operatorname\s*\\)(?![A-Za-z])"
)
_SAME = str.maketrans({"ᵠ": "ϕ", "ᵩ": "ϕ", "∛": "3", "∜": "4"})
"""Small letters and signs, and what they stand for."""
_WORD = re.compile(f"(?:{'|'.join({*sym.ACCENTS, *sym.SPOKEN_ACCENTS.values(), *sym.BRACES})})(?=\\()")
_SIGNS = frozenset("=+-<>≤≥≠∈⊂⊆∪∩×·±→⇒⟹⟺∞∂∀∃≡≈∼∣!*⊗⊕⌊⌋")
_SAME_SIGN = str.maketrans("−∗⟨⟩", "-*<>")
"""Signs as they are counted: many write < and > for angle brackets."""
_CHANGED = re.compile(
    r"\\(?:not|x[a-zA-Z]*arrow|vec|over[a-z]*|under[a-z]*|[kK]et|[bB]ra|[bB]raket|l?r?angle|(?:wide)?(?:hat|tilde)|c?dots"
    r"|long[a-z]*arrow|l?r?floor|abs|norm)(?![a-z])"
)
_TABLES = (sym.LETTERS, sym.BINARY, sym.RELATIONS, sym.BIG, sym.OPEN, sym.CLOSE)


def is_plain(latex: str) -> bool:
    """Whether `in_source` can count it: no macros, nothing that is hidden, marked or shown twice."""
    return clean(latex) == latex and not _STRANGE.search(latex)


def has_plain_signs(latex: str) -> bool:
    """Whether the signs of the formula are drawn as themselves, not stretched, crossed or grown."""
    return not _CHANGED.search(latex)


def signs_in_source(latex: str) -> Counter[str]:
    """Relations, operators and their like that a formula shows."""
    return signs_in_drawing(_plain(latex.replace("\\cdot", "·")))


def signs_in_drawing(text: str) -> Counter[str]:
    """Relations, operators and their like in a drawing."""
    return Counter(sign for sign in unicodedata.normalize("NFKC", text).translate(_SAME_SIGN) if sign in _SIGNS)


def in_source(latex: str) -> Counter[str]:
    """The letters and digits that a formula shows."""
    return counted(_plain(latex))


def _plain(latex: str) -> str:
    for pattern, instead in ((_COMMENT, " "), (_ROW_GAP, r"\1"), (_LENGTH, " "), (_UNSEEN, " "), (_ENVIRONMENT, " ")):
        latex = pattern.sub(instead, latex)
    return "".join(map(_shown, _TOKEN.findall(latex)))


def counted(text: str) -> Counter[str]:
    """The letters and digits of a text, whatever their font, height or accents."""
    return Counter(filter(str.isalnum, unicodedata.normalize("NFKD", text.translate(_SAME)).replace("ɑ", "α")))


def in_drawing(text: str) -> Counter[str]:
    """The letters and digits of a drawing, without words that stand for an accent or a binomial."""
    return counted(_WORD.sub("", text).replace(" choose ", ""))


def _shown(token: str) -> str:
    if token[0] != "\\" or len(token) == 1:
        return token.replace("φ", "ϕ")
    name = token[1:].rstrip("*")
    for table in _TABLES:
        if name in table:
            return table[name].replace("φ", "ϕ")
    if name in sym.FUNCTIONS:
        return sym.SPOKEN.get(name, name)
    if name in ("pmod", "bmod", "mod"):
        return "mod"
    known = (
        sym.DROPPED, sym.TRANSPARENT, sym.FONTS, sym.PLAIN_FONTS, sym.TEXTS, sym.SPACES, sym.ACCENTS, sym.BRACES,
        sym.LONG_ARROWS, _STRUCTURES,
    )  # fmt: skip
    return "" if any(name in names for names in known) else name


_STRUCTURES = frozenset(
    {
        "frac", "dfrac", "tfrac", "cfrac", "nicefrac", "sfrac", "sqrt", "binom", "dbinom", "tbinom", "left", "right",
        "middle", "operatorname", "ket", "bra", "braket", "Ket", "Bra", "Braket", "norm", "abs", "boxed", "fbox", "tag",
        "not", "overset", "underset", "stackrel", "substack", "cancel", "bcancel", "xcancel", "over", "atop", "choose",
        "limits", "nolimits", "hline", "cdot", "colon", "cr", "newline", "rm", "it", "bf", "tt", "sf", "cal", "pod",
        "operatornamewithlimits",
        "mathop",
    }
)  # fmt: skip
