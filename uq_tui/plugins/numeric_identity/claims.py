"""Identities that a text claims: equations whose letters are all quantified in the same sentence.

Few equations in a proof are claimed for all values of their letters, and one that isn't would be refuted by the first
point. So the sentence must be of a known form, its quantifier too, and nothing in it or around it may restrict it.
"""

import itertools
import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from uq_tui.document.maths.spans import math_spans
from uq_tui.plugins.numeric_identity.domains import Domain, stated
from uq_tui.plugins.numeric_identity.reader import GREEK, RefusedError, plain, read
from uq_tui.plugins.numeric_identity.terms import Term, Variable, parts

MAX_TEXT = 200_000
"""Characters of an answer that are looked at."""
MAX_CLAIMS = 20
"""Claims of one answer that are looked at."""
_BEFORE, _AFTER = 1_000, 300
"""Characters before and behind a sentence in which an assumption may hang over it."""

_HOLE = "⟦{}⟧"
_HOLES = re.compile(r"⟦(\d+)⟧")
_FORMULA = r"⟦(?P<formula>\d+)⟧"
_SPACES = re.compile(r"[^\S\n]+")
_BLANK_LINES = re.compile(r" ?\n ?(?:\n ?)+")
_DISPLAY_BREAK = re.compile(r"\n\n(?=⟦)|(?<=⟧)\n\n(?=[a-z])")
_SENTENCE_END = re.compile(r"(?<=[.!?:;])\s(?=[A-Z*#\\-])|\n\n|\n(?= ?(?:[-*#]|\d{1,3}\.) )")
_EMPHASIS = re.compile(r"[*_#>`]+")

_WORD = (
    r"(?:real|reals|integer|integers|natural|whole|rational|positive|negative|nonnegative|non-negative|nonzero|non-zero"
    r"|and|number|numbers|value|values)"
)
_QUANTIFIER = (
    rf"(?:for|of) (?:all|every|each|any|arbitrary)(?: values? of)?(?P<words>(?: {_WORD})*)"
    rf" (?P<variables>⟦\d+⟧(?:(?:,? and|,) ⟦\d+⟧)*)"
)
_FILLER = (
    r"(?:,|:|then|we|one|has|have|get|obtain|it|is|true|holds?|that|there|the|following|identity|equality|also|still"
    r"|so)"
)
_NO_FORMULA = r"[^⟦]*?"
_FORMS = tuple(
    re.compile(form)
    for form in (
        rf"{_NO_FORMULA}\b{_QUANTIFIER}(?: ?{_FILLER})* {_FORMULA}[^⟦]*",
        rf"{_NO_FORMULA}{_FORMULA}(?: ?{_FILLER})* {_QUANTIFIER}(?:[.,;:][^⟦]*)?",
    )
)
_CALLED = tuple(
    re.compile(form)
    for form in (
        rf"{_NO_FORMULA}\b(?:the|this|an|following|trigonometric|algebraic|binomial) identity ?[,:]? {_FORMULA}[^⟦]*",
        rf"{_NO_FORMULA}{_FORMULA} (?:is an identity|holds identically)\b[^⟦]*",
    )
)
_ALONE = re.compile(rf"{_NO_FORMULA}{_FORMULA}[^⟦]*")
_INNER = re.compile(
    r"\\(?:text|mbox|textrm) ?\{ ?,? ?(?:holds? )?for (?:all|every|each|any)(?P<words>(?: [a-z-]+)*) ?\}"
    r"|\\forall(?![a-zA-Z])"
)
_OUTER = re.compile(
    r"\s*\\forall(?![a-zA-Z])(?:(?P<variables>[^:=]*):|(?P<in_set>[^:=]*?\\in(?![a-zA-Z])[^:=,]*),)(?P<body>.*)",
    re.DOTALL,
)
_RESTRICTING = re.compile(
    r"\b(?:where|with|when|whenever|if|iff|such|provided|unless|except|satisf\w+|subject|only|under|modulo|mod|some|exists?"
    r"|given|fix\w*|suppos\w+|assum\w+|let|odd|even|primes?|triangles?|angles?|large|small|near|almost|approximat\w+"
    r"|asymptotic\w*|matri\w+|operators?|operations?|elements?|groups?|rings?|fields?|maps?|functions?|sequences?"
    r"|permutations?|not|no|never|false|fail\w*|wrong|incorrect\w*|mistake\w*|error\w*|disprov\w*|contradict\w*|absurd"
    r"|impossible|cannot|can't|doesn't|isn't|would|could|might|whether|solv\w+|find|determine|solutions?|roots?|unknown"
    r"|defin\w+|denot\w+|conjectur\w+|formal\w*|or|either|but|however|than|impl(?:y|ies)|equivalent\w*|needs?|requir\w+"
    r"|want\w*|tempting|naive\w*|guess\w*|claim(?:s|ed)|alleg\w+|bezout\w*|bézout\w*)\b|\?"
)
"""Words that restrict, suppose or deny, or that may give the signs another meaning."""
_OTHER_WORLDS = re.compile(
    r"\b(?:(?:sub|semi)?groups?|rings?|fields?|algebras?|modules?|monoids?|matri\w+|vectors?|operators?|operations?"
    r"|permutations?|quaternions?|characteristic|boolean|commut\w+|idempotent|nilpotent|modul[oi]|mod|congruen\w+"
    r"|triangles?|angles?|polygons?)\b",
    re.IGNORECASE,
)
"""Where letters may be no numbers, or not free ones."""
_OVERHANGING = re.compile(
    r"\b(?:suppos\w+|assum\w+|contradict\w*|contrary|absurd|otherwise|mod|modulo|throughout|operations?)\b"
)
_REFUTED = re.compile(r"\b(?:contradict\w*|absurd|impossible|false|fails?|wrong|incorrect|not true|counterexample)\b")
_GOING_ON = re.compile(r"\W*(?:here|where|with|whenever|when|if|provided|unless|except|for)\b")
_TAG = re.compile(r"\\(?:tag\*?|label)\{[^{}]*\}")
_LAYOUT = re.compile(
    r"\\(?:begin|end)\{(?:align|aligned|equation|split|displaymath|math)\*?\}|(?<!\\)&|\\nonumber(?![a-zA-Z])"
)
_LETTER = re.compile(rf"(?P<greek>{GREEK})|\\[a-zA-Z]+|(?P<latin>[a-zA-Z])")
_LONGEST = 2_000
"""Characters of a sentence or formula that is looked at."""
_WORDS = frozenset(_WORD[3:-1].split("|"))


@dataclass(frozen=True, slots=True)
class Claim:
    """Two terms that the text says are equal for all points of the domains."""

    latex: str
    left: Term
    right: Term
    domains: tuple[Domain, ...]


@dataclass(frozen=True, slots=True)
class _Sentence:
    """In lower case, with formulas as numbers in `⟦⟧`; and the text around it."""

    text: str
    before: str
    after: str


Quantifier = tuple[str, frozenset[str]]
"""Its LaTeX, and the words before that."""


@dataclass(frozen=True, slots=True)
class _Quantified:
    """A formula with its quantifiers; without any it is called an identity."""

    latex: str
    quantifiers: tuple[Quantifier, ...]


def claims(question: str, answer: str) -> tuple[Claim, ...]:
    """The identities that the answer claims, at most `MAX_CLAIMS`, in reading order.

    The question counts only as a place where letters may have been mentioned before, or which may be about other things
    than numbers.
    """
    formulas: list[str] = []
    text = _punched(answer[:MAX_TEXT], formulas)
    asked = [question[span.inner_start : span.inner_end] for span in math_spans(question[:MAX_TEXT])]
    mentioned = {letter for latex in asked for letter in _letters(latex)}
    has_congruences = "mod" in question or "mod" in answer
    is_about_numbers = not (_OTHER_WORLDS.search(question) or _OTHER_WORLDS.search(answer))
    found: list[Claim] = []
    for sentence in _sentences(text):
        quantified = _quantified(sentence, formulas)
        is_congruence = has_congruences and quantified is not None and "\\equiv" in quantified.latex
        if quantified is not None and not is_congruence and not _is_overhung(sentence):
            checkable = _checkable(quantified, mentioned)
            found += [one for one in checkable if is_about_numbers or all(domain.is_stated for domain in one.domains)]
        if len(found) >= MAX_CLAIMS:
            break
        mentioned |= {letter for number in _HOLES.findall(sentence.text) for letter in _letters(formulas[int(number)])}
    return tuple(found[:MAX_CLAIMS])


def _punched(text: str, formulas: list[str]) -> str:
    """The text with a number for each formula; a full stop that ends a displayed formula stands behind it."""
    text = text.replace("⟦", "[").replace("⟧", "]").replace("\r\n", "\n")
    parts, at = [], 0
    for span in math_spans(text):
        inner = _TAG.sub("", text[span.inner_start : span.inner_end]).strip()
        stop = "." if inner.endswith(".") else ""
        parts += [text[at : span.start], _HOLE.format(len(formulas)), stop]
        formulas.append(inner.rstrip(".,;"))
        at = span.end
    return "".join((*parts, text[at:]))


def _sentences(text: str) -> Iterator[_Sentence]:
    """Sentences that hold a formula; a displayed formula belongs to the sentence around it."""
    joined = _DISPLAY_BREAK.sub(" ", _BLANK_LINES.sub("\n\n", _SPACES.sub(" ", text)))
    start = 0
    for end in [*(found.start() for found in _SENTENCE_END.finditer(joined)), len(joined)]:
        sentence = joined[start:end]
        if "⟦" in sentence:
            yield _Sentence(_simple(sentence), joined[max(0, start - _BEFORE) : start], joined[end : end + _AFTER])
        start = end


def _simple(text: str) -> str:
    """In lower case, without emphasis, with single spaces, and none before punctuation."""
    text = " ".join(_EMPHASIS.sub("", text.replace("’", "'")).lower().split())
    return re.sub(r" (?=[.,;:])", "", text)


def _is_overhung(sentence: _Sentence) -> bool:
    """Whether something near the sentence may restrict, suppose or deny what it says."""
    return bool(
        _RESTRICTING.search(sentence.text)
        or _OVERHANGING.search(sentence.before.lower())
        or _GOING_ON.match(sentence.after.lower())
        or _REFUTED.search(sentence.after.lower())
    )


def _quantified(sentence: _Sentence, formulas: Sequence[str]) -> _Quantified | None:
    """The formula that the sentence claims, when it is of a known form."""
    if len(sentence.text) > _LONGEST:
        return None
    for form in _FORMS:
        if found := form.fullmatch(sentence.text):
            words = frozenset(found["words"].split())
            over = [formulas[int(number)] for number in _HOLES.findall(found["variables"])]
            return _Quantified(formulas[int(found["formula"])], tuple((latex, words) for latex in over))
    if found := _ALONE.fullmatch(sentence.text):
        latex = formulas[int(found["formula"])]
        within = _quantified_within(latex)
        is_called = any(form.fullmatch(sentence.text) for form in _CALLED)
        return within or (_Quantified(latex, ()) if is_called else None)
    return None


def _quantified_within(latex: str) -> _Quantified | None:
    """A formula that brings its quantifier: `\\forall x: ...`, or `... \\quad \\text{for all } x`."""
    if len(latex) > _LONGEST:
        return None
    if found := _OUTER.fullmatch(latex):
        return _Quantified(found["body"], ((found["variables"] or found["in_set"], frozenset()),))
    found = _INNER.search(latex)
    if found is None:
        return None
    body, variables = plain(latex[: found.start()]).rstrip(" ,"), plain(latex[found.end() :])
    if body.endswith("(") and variables.endswith(")"):
        body, variables = body[:-1], variables[:-1]
    return _Quantified(body.rstrip(" ,"), ((variables, frozenset((found["words"] or "").split())),))


def _checkable(quantified: _Quantified, mentioned: Set[str]) -> list[Claim]:
    """Its equations, as far as they can be read and all their letters are quantified.

    Letters of which it isn't said what numbers they are must be new: something may have been said of them before.
    """
    try:
        domains = tuple(_domain(*quantifier) for quantifier in quantified.quantifiers) or _called(quantified.latex)
        equations = _equations(quantified.latex)
    except RefusedError:
        return []
    names = [name for domain in domains for name in domain.names]
    unstated = {_base(name) for domain in domains if not domain.is_stated for name in domain.names}
    if len(set(names)) < len(names) or unstated & mentioned:
        return []
    found = []
    for left, right in equations:
        try:
            sides = read(left, frozenset(names)), read(right, frozenset(names))
        except RefusedError:
            continue
        # One that is only called an identity may be a condition, as Bezout's, unless its sides have the same letters.
        is_claimed = bool(quantified.quantifiers) or _names(sides[0]) == _names(sides[1])
        if is_claimed and not (_defines(*sides) or _defines(*reversed(sides))):
            found.append(Claim(f"{left.strip()} = {right.strip()}", *sides, domains))
    return found


def _names(term: Term) -> set[str]:
    return {part.name for part in parts(term) if isinstance(part, Variable)}


def _defines(name: Term, side: Term) -> bool:
    """Whether one side only gives the other a name, or a value."""
    return isinstance(name, Variable) and name not in parts(side)


def _domain(latex: str, words: frozenset[str]) -> Domain:
    if not words <= _WORDS:
        raise RefusedError
    return stated(latex, words)


def _called(latex: str) -> tuple[Domain, ...]:
    """All letters of a formula that is called an identity, with nothing said of them."""
    inner = re.findall(r"\\(?:sum|prod) ?_ ?\{ ?([a-zA-Z])", latex)
    names = sorted(_letters(latex) - set(inner) - {"e"})
    return (stated(", ".join(names), frozenset()),)


def _equations(latex: str) -> list[tuple[str, str]]:
    """The neighbours in a chain of equal terms, which may run over lines that begin with the sign."""
    rows = [plain(row) for row in _LAYOUT.sub("", latex).split("\\\\")]
    if any(not row.startswith(("=", "\\equiv")) for row in rows[1:] if row):
        raise RefusedError
    sides, depth, start, text = [], 0, 0, re.sub(r"\\equiv(?![a-zA-Z])", "=", " ".join(rows))
    for at, character in enumerate(text):
        depth += (character in "{(") - (character in "})")
        if character == "=" and depth == 0:
            sides.append(text[start:at])
            start = at + 1
    sides.append(text[start:])
    return list(itertools.pairwise(sides))


def _letters(latex: str) -> set[str]:
    """The letters of a formula, those of names of functions and the like left out."""
    found = _LETTER.finditer(latex)
    return {match["greek"] or match["latin"] for match in found if match["greek"] or match["latin"]}


def _base(name: str) -> str:
    """A name without its subscript."""
    return name.partition("_")[0]
