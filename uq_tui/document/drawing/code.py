r"""What is what in a piece of code, for its colours: best effort, in time linear in its length, never a guess.

One pattern a family of languages, whose every alternative takes what it has looked at. The lexers of larger libraries
know more, but some of them take minutes for 50 KB of blank lines or brackets, and code is foreign text.
"""

import re
from functools import lru_cache
from typing import NamedTuple

MAX_HIGHLIGHTED = 50_000
"""Longer pieces of code stay plain, in characters."""


class Stretch(NamedTuple):
    """Characters of a piece of code in one style; the style is empty for what is nothing special."""

    start: int
    end: int
    style: str


class _Family(NamedTuple):
    """Languages that write comments and strings the same way: patterns for these, and the words they keep."""

    comment: str
    string: str
    keywords: str


_HASH = r"\#[^\n]*"
_SLASHES = r"//[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/)?"
_DOUBLE = r'"(?:\\.|[^"\\\n])*"?'
_SINGLE = r"'(?:\\.|[^'\\\n])*'?"
_SIGN = r"'(?:\\[^\n']{1,8}|[^'\\\n])'"
_TRIPLE = r'"""(?:[^"]|"(?!""))*(?:""")?|' + "'''(?:[^']|'(?!''))*(?:''')?"
_BACKTICKS = r"`(?:\\.|[^`\\])*`?"

_C_WORDS = (
    "auto break case char class const constexpr continue default delete do double else enum explicit extern false float"
    " for goto if inline int long namespace new nullptr operator private protected public register return short signed"
    " sizeof static struct switch template this throw true try catch typedef typename union unsigned using virtual void"
    " volatile while bool"
)
_FAMILIES = {
    "bash console sh shell zsh": _Family(
        _HASH,
        f"{_DOUBLE}|'[^']*'?",
        "case do done elif else esac export fi for function if in local return select then until while",
    ),
    "c c++ cc cpp cxx h hpp": _Family(_SLASHES, f"{_DOUBLE}|{_SIGN}", _C_WORDS),
    "c# cs csharp java kotlin kt scala swift": _Family(
        _SLASHES,
        f"{_DOUBLE}|{_SIGN}",
        f"{_C_WORDS} abstract boolean byte def extends final finally foreach fun func guard implements import"
        " instanceof interface internal is let match null object override package sealed super synchronized throws"
        " trait val var when where yield",
    ),
    "coq rocq isabelle ml ocaml": _Family(
        r"\(\*(?:[^*]|\*(?!\)))*(?:\*\))?",
        _DOUBLE,
        "Axiom Definition End Fixpoint Import Inductive Lemma Module Proof Qed Record Require Section Theorem and apply"
        " as begin done else end exists fix for forall fun function have if imports in inductive intros lemma let match"
        " module of open proof qed rec show simpl struct then theorem theory type using val when where with",
    ),
    "go golang": _Family(
        _SLASHES,
        f"{_DOUBLE}|{_SIGN}|{_BACKTICKS}",
        "break case chan const continue default defer else fallthrough false for func go goto if import interface map"
        " nil package range return select struct switch true type var",
    ),
    "haskell hs": _Family(
        r"--[^\n]*|\{-(?:[^-]|-(?!\}))*(?:-\})?",
        f"{_DOUBLE}|{_SIGN}",
        "case class data deriving do else forall if import in infix infixl infixr instance let module newtype of then"
        " type where",
    ),
    "javascript js jsx node ts tsx typescript": _Family(
        _SLASHES,
        f"{_DOUBLE}|{_SINGLE}|{_BACKTICKS}",
        "async await break case catch class const continue default delete do else enum export extends false finally for"
        " from function if implements import in instanceof interface let new null of return static super switch this"
        " throw true try type typeof undefined var void while with yield",
    ),
    "json json5 jsonl": _Family(_SLASHES, _DOUBLE, "false null true"),
    "jl julia": _Family(
        _HASH,
        f"{_TRIPLE}|{_DOUBLE}|{_SIGN}",
        "abstract begin break catch const continue do else elseif end export false finally for function global if"
        " import in let local macro module mutable nothing quote return struct true try using where while",
    ),
    "lean lean3 lean4": _Family(
        r"--[^\n]*|/-(?:[^-]|-(?!/))*(?:-/)?",
        _DOUBLE,
        "abbrev axiom by class def deriving do else end example exact extends from fun have if import in inductive"
        " instance intro lemma let match mutual namespace noncomputable obtain open private rcases refine return rfl rw"
        " section show simp structure sorry suffices then theorem unfold universe using variable where with",
    ),
    "latex tex": _Family(r"(?<!\\)%[^\n]*", r"(?!)", ""),
    "maple mathematica maxima wl wolfram": _Family(
        r"\(\*(?:[^*]|\*(?!\)))*(?:\*\))?|/\*(?:[^*]|\*(?!/))*(?:\*/)?",
        _DOUBLE,
        "Block Do False For If Map Module Return Solve Sum Switch Table True Which While With and block do else false"
        " for if in local not or proc return then thru true while",
    ),
    "matlab octave": _Family(
        r"[%\#][^\n]*",
        _DOUBLE,
        "break case catch classdef continue else elseif end endfor endfunction endif endwhile for function global if"
        " otherwise return switch try while",
    ),
    "gap py python python3 sage sagemath": _Family(
        _HASH,
        f"{_TRIPLE}|{_DOUBLE}|{_SINGLE}",
        "False None True and as assert async await break case class continue def del do elif else end except fi finally"
        " for from function global if import in is lambda local match nonlocal not od or pass raise repeat return then"
        " try until while with yield",
    ),
    "r rscript": _Family(
        _HASH,
        f"{_DOUBLE}|{_SINGLE}",
        "FALSE Inf NA NULL NaN TRUE break else for function if in next repeat return while",
    ),
    "perl pl rb ruby": _Family(
        _HASH,
        f"{_DOUBLE}|{_SINGLE}",
        "begin class def do else elsif end ensure false for foreach if in module my next nil our package require rescue"
        " return self sub super then true undef unless until use when while yield",
    ),
    "rs rust": _Family(
        _SLASHES,
        f"{_DOUBLE}|{_SIGN}",
        "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move"
        " mut pub ref return self static struct super trait true type unsafe use where while",
    ),
    "mysql postgresql sql sqlite": _Family(
        r"--[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/)?",
        f"{_SINGLE}|{_DOUBLE}",
        "and as asc between by case create delete desc distinct drop else end exists from group having in index inner"
        " insert into is join key left like limit not null on or order outer primary references select set table then"
        " union unique update values view when where with",
    ),
    "cfg ini toml yaml yml": _Family(r"[\#;][^\n]*", f"{_TRIPLE}|{_DOUBLE}|{_SINGLE}", "false no null off on true yes"),
    "html svg xml": _Family(r"<!--(?:[^-]|-(?!->))*(?:-->)?", f"{_DOUBLE}|{_SINGLE}", ""),
}
_FAMILY_OF = {language: family for languages, family in _FAMILIES.items() for language in languages.split()}
_ANY_CASE = frozenset({"mysql", "postgresql", "sql", "sqlite"})


def language_of(info: str) -> str:
    """The language that the first word of a fence's info string names, in lower case; `{.python}` names it too."""
    word = info.split(maxsplit=1)[0] if info.strip() else ""
    return word.strip("{}.").lower()


@lru_cache(maxsize=64)
def stretches(text: str, language: str) -> tuple[Stretch, ...]:
    """The code from its beginning to its end in stretches; one plain one where it is too long or not known."""
    family = _FAMILY_OF.get(language)
    if family is None or len(text) > MAX_HIGHLIGHTED:
        return (Stretch(0, len(text), ""),)
    keywords = frozenset(family.keywords.split())
    any_case = language in _ANY_CASE
    found: list[Stretch] = []
    at = 0
    for match in _pattern(family).finditer(text):
        style = match.lastgroup or ""
        if style == "word":
            word = match[0].lower() if any_case else match[0]
            style = "keyword" if word in keywords else "name" if text.startswith("(", match.end()) else ""
        if not style:
            continue
        if at < match.start():
            found.append(Stretch(at, match.start(), ""))
        found.append(Stretch(*match.span(), style))
        at = match.end()
    if at < len(text):
        found.append(Stretch(at, len(text), ""))
    return tuple(found)


@lru_cache(maxsize=len(_FAMILIES))
def _pattern(family: _Family) -> re.Pattern[str]:
    return re.compile(
        f"(?P<comment>{family.comment})|(?P<string>{family.string})"
        r"|(?P<number>\d[\w.]*)"
        r"|(?P<keyword>\\[A-Za-z]+|\#(?:include|define|ifdef|ifndef|if|else|endif)\b)"
        r"|(?P<word>[^\W\d]\w*)"
        r"|(?P<punctuation>[-+*/%=<>!&|^~?:;,.(){}\[\]@]+)",
        re.DOTALL,
    )
