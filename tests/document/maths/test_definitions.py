r"""Macros, and the numbers of labelled equations."""

import pytest
from hypothesis import given

from tests.document.maths.test_readable import latex
from tests.document.sources import hostile_text
from uq_tui.document.maths.definitions import EMPTY, MAX_LABELS, MAX_MACROS
from uq_tui.document.maths.macros import MAX_TOKENS, expand
from uq_tui.document.maths.readable import one_line
from uq_tui.document.maths.tokens import UnreadableError, as_text, tokenise


@pytest.mark.parametrize(
    ("latex", "line"),
    [
        (r"\newcommand{\R}{\mathbb R} x \in \R^n", "x ∈ ℝⁿ"),
        (r"\newcommand*\R{\mathbb R} \R", "ℝ"),
        (r"\newcommand{\half}[1]{\frac{#1}{2}} \half{x+1} \half y", "((x + 1)/2)(y/2)"),
        (r"\newcommand{\p}[2][n]{#2^{#1}} \p{x} + \p[k]{x}", "xⁿ + xᵏ"),
        (r"\def\pair#1#2{(#1,#2)} \pair ab", "(a, b)"),
        (r"\let\eps=\varepsilon \eps", "ε"),
        (r"\let\eps\varepsilon \let\e\eps \e", "ε"),
        (r"\DeclareMathOperator{\rk}{rk} 2\rk A", "2 rk A"),
        (r"\DeclareMathOperator*{\esup}{ess\,sup} \esup_x f", "ess supₓ f"),
        (r"\providecommand{\R}{R} \providecommand{\R}{S} \R", "R"),
        (r"\renewcommand{\le}{\leqslant} a \le b", "a ⩽ b"),
        (r"\DeclarePairedDelimiter{\ceil}{\lceil}{\rceil} \ceil{x}", "⌈x⌉"),
        (r"\def\x{\alpha}\x y", "αy"),
        (r"\newcommand{\R}{\mathbb R}", r"‹defines \R›"),
        (r"\def\a{1}\def\b{2}\def\c{3}\def\d{4}", r"‹defines \a \b \c …›"),
    ],
)
def test_macros_in_a_formula(latex: str, line: str) -> None:
    assert one_line(latex) == line


@pytest.mark.parametrize(
    "latex",
    [
        r"\def\a{\a\a}\a", r"\def\a{\a}\a", r"\def\a#1{\a{#1#1}}\a x", r"\def\a#1,{#1}\a x,", r"\def\a", r"\newcommand",
        r"\newcommand{\a}[12]{x}\a", r"\newcommand{\a}[x]{x}\a", r"\newcommand{ab}{c}", r"\def\a#1{x}\a",
        r"\def\d#1{#1#1}" + r"\d{" * 40 + "x" + "}" * 40,
    ],
)  # fmt: skip
def test_macros_that_do_not_end_or_are_wrong_stay_latex(latex: str) -> None:
    assert one_line(latex) == latex


def test_definitions_hold_from_where_they_stand_and_before_the_first() -> None:
    text = "$\\R$ then $\\newcommand{\\R}{\\mathbb R}$, later $\\renewcommand{\\R}{\\mathbb Q}$ and $\\R$"
    definitions = EMPTY.extended(text, 0)
    assert [one_line(r"\R", definitions=definitions, at=at) for at in (0, 40, len(text))] == ["ℝ", "ℝ", "ℚ"]


def test_a_text_read_in_stretches_is_as_the_whole() -> None:
    parts = [
        "\\newcommand{\\N}{\\mathbb N}\n\\newcommand{\\two}[1]{\n  #1#1}\n\nwords $x$ ",
        "$$ a \\label{a} $$",
        "and $\\def\\Z{\\mathbb Z}$ \\[ b \\tag{$\\ast$} \\label{b} \\\\ c \\label{c} \\]",
    ]
    whole = EMPTY.extended("".join(parts), 0)
    grown, at = EMPTY, 0
    for part in parts:
        grown = grown.extended(part, at)
        at += len(part)
    for definitions in (whole, grown):
        assert one_line(r"\N\Z\two x", definitions=definitions, at=at) == "ℕℤxx"
        assert definitions.tags == {"a": "1", "b": "\\ast", "c": "2"}


def test_what_defines_nothing_changes_nothing() -> None:
    definitions = EMPTY.extended("$\\newcommand{\\R}{\\mathbb R}$", 0)
    for text in ("", "prose $x_1$", "in prose a \\label{x}", "$\\newcommand{\\broken$", "`\\def`"):
        assert definitions.extended(text, 100) is definitions
    assert definitions.at(5) is definitions.at(50)


def test_references_in_prose() -> None:
    text = "$$ a \\label{eq:one} $$ By \\eqref{eq:one} and \\ref{eq:one}, not \\ref{none}."
    definitions = EMPTY.extended(text, 0)
    assert [(text[at.start : at.end], at.shown) for at in definitions.references(text)] == [
        ("\\eqref{eq:one}", "(1)"),
        ("\\ref{eq:one}", "1"),
    ]


def test_tags_and_labels_are_kept_within_bounds() -> None:
    many = EMPTY.extended("".join(f"$\\def\\{'a' * (n % 50 + 1)}{{{n}}}$ " for n in range(MAX_MACROS)), 0)
    assert many.extended("$\\def\\zz{z}$", 10_000) is many
    labelled = EMPTY.extended("".join(f"$$ x \\label{{{n}}} $$\n\n" for n in range(MAX_LABELS + 5)), 0)
    assert len(labelled.tags) == MAX_LABELS


@given(latex)
def test_tokens_make_the_latex_again(text: str) -> None:
    assert tokenise(as_text(tokenise(text))) == tokenise(text)


@given(latex | hostile_text)
def test_expansion_ends(text: str) -> None:
    try:
        expanded = expand(tokenise("\\def\\q#1{#1\\q{#1}x}" + text), EMPTY.extended(f"${text}$", 0).at(0).commands)
    except UnreadableError:
        return
    assert len(expanded.tokens) <= max(MAX_TOKENS, len(text))
