"""Formulas as MathML."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.document.maths.definitions import EMPTY
from uq_tui.document.page.mathml import mathml

PIECES = r"""
\frac \sqrt { } [ ] ^ _ a 1 ( ) \left( \right) \left< \right> \middle| & \\ \\[2pt] \begin{array}{c|c} \end{array}
\begin{align} \end{align} \begin{cases} \end{cases} \text{ \text{<script>alert(1)</script>} $ \over \genfrac \not '
\href{javascript:alert(1)}{x} \style{color:red}{x} \class{y}{x} \unicode{x202e} \rule{9em}{9em} \color{red} \limits
\sum \mathbb{R} \mathrm \operatorname{f} \operatorname* \tag{1} \label{x} \ref{x} \hline \newcommand{\x}{y} \def\x{\x\x}
\x # % \& \xrightarrow[a]{b} \Big \raise \kern-9em <script> </math> <!-- &lt; &#x3c; \verb|<| \substack \skew
\hspace{1e9em} \sideset \mathchoice \smash[b] \root \of \DeclareMathOperator{\f}{f} \newenvironment
"""
formulas = st.lists(
    st.sampled_from([*PIECES.split(), " ", "\n"]) | st.text(st.characters(exclude_categories=[]), max_size=3),
    max_size=14,
).map("".join)


def drawn(latex: str, *, display: bool = True, before: str = "") -> str:
    """The formula as MathML without its outermost elements; `before` is text with definitions."""
    found = mathml(latex, display=display, macros=EMPTY.extended(before, 0).at(len(before)))
    assert found is not None
    ElementTree.fromstring(found)
    return found.partition("<mrow>")[2].removesuffix("</mrow></math>")


def words(latex: str, *, before: str = "") -> str:
    """The text of the formula."""
    text = "".join(ElementTree.fromstring(f"<m>{drawn(latex, before=before)}</m>").itertext())
    return text.replace("\N{NO-BREAK SPACE}", " ")


@given(formulas, st.booleans())
def test_what_comes_out_is_well_formed_and_holds_nothing_but_formulas(latex: str, display: bool) -> None:
    found = mathml(latex, display=display)
    if found is None:
        return
    for element in ElementTree.fromstring(found).iter():
        assert element.tag.startswith("{http://www.w3.org/1998/Math/MathML}m")
        assert not any(name in ("style", "href", "src") or name.startswith("on") for name in element.attrib)


def test_markup_in_text_stays_text() -> None:
    assert drawn(r"\text{<script>alert(1)</script>}") == "<mtext>&lt;script&gt;alert(1)&lt;/script&gt;</mtext>"
    assert drawn(r"\text{&lt;b&gt;}") == "<mtext>&amp;lt;b&amp;gt;</mtext>"
    assert drawn(r"\unicode{x3c}b") == "<mo>&lt;</mo><mi>b</mi>"


@pytest.mark.parametrize(
    "latex", [r"\href{javascript:f}{x}", r"\style{color:red}{x}", r"\class{n}{x}", r"\color{white}x"]
)
def test_links_styles_and_colours_are_left_out(latex: str) -> None:
    found = drawn(latex)
    assert re.sub("</?mrow>", "", found) == "<mi>x</mi>"


def test_what_turns_the_direction_of_reading_is_a_mark() -> None:
    assert drawn(r"\unicode{x202e}") == "<mi>‹U+202E›</mi>"
    assert "‹U+202E›" in drawn("\\text{a\u202eb}")


def test_nothing_can_be_moved_over_other_lines() -> None:
    assert "-1000em" not in drawn(r"\kern-1000em x")
    assert "1000em" not in drawn(r"\hspace{1000em} \rule{1000em}{1000em}")
    assert 'width="2em"' in drawn(r"a \qquad b")


def test_macros_are_expanded() -> None:
    assert words(r"\R^n \to \norm{x}", before=r"$\newcommand{\R}{\mathbb{R}} \def\norm#1{\|#1\|}$") == "ℝn→‖x‖"


def test_a_macro_without_end_is_given_up() -> None:
    assert mathml(r"\def\a{\a\a}\a", display=True) is None


def test_tags_and_numbers_of_labels_are_shown_where_references_find_them() -> None:
    text = r"$$\begin{align} a \label{p} \\ b \tag{$*$} \label{q} \end{align}$$"
    assert words(text.strip("$"), before=text) == "a(1)b(*)"
    assert words(r"\text{by \ref{q}}") == "by q"
    assert words(r"x \eqref{q}", before=text) == "x(*)"


def test_align_gets_no_numbers_of_its_own() -> None:
    assert words(r"\begin{align} a &= b \\ c &= d \end{align}") == "a=bc=d"


def test_a_text_goes_on_behind_braces_and_formulas_within() -> None:
    assert words(r"\text{if {\bf all} $x_{1}$ do, 5\% of them} y") == "if all x1 do, 5% of themy"


def test_accents_in_a_text_stand_on_their_letters() -> None:
    assert "<mtext>Erdős,\u00a0naïve</mtext>" in drawn(r"\text{Erd\H{o}s, na\"{\i}ve}")


def test_the_bars_of_an_array_are_classes_of_cells() -> None:
    array = drawn(r"\begin{array}{c|c} a & b \\ \hline c & d \\ \hline \end{array}")
    table = ElementTree.fromstring(f"<m>{array}</m>")
    assert [cell.get("class") for cell in table.iter("mtd")] == ["after", None, "above after below", "above below"]


def test_outer_bars_and_repeated_columns_are_kept() -> None:
    array = drawn(r"\begin{array}{|*{2}{c|}@{x}r} a & b & c \end{array}")
    table = ElementTree.fromstring(f"<m>{array}</m>")
    assert [cell.get("class") for cell in table.iter("mtd")] == ["before after", "after", None]


@pytest.mark.parametrize(
    "latex", [r"\begin{pmatrix} a & b \end{pmatrix}^{-1}", r"\binom{n}{k}^2", r"\ket{0}^2", r"(a)^2_3"]
)
def test_scripts_have_one_base_however_it_is_fenced(latex: str) -> None:
    for element in ElementTree.fromstring(f"<m>{drawn(latex)}</m>").iter():
        if element.tag in ("msup", "msubsup"):
            assert len(element) == (2 if element.tag == "msup" else 3)


def test_limits_stand_below_where_a_formula_is_displayed() -> None:
    for name in (r"\lim", r"\max", r"\bigcup", r"\operatorname*{ess}"):
        assert "<munder>" in drawn(f"{name}_n x")
        assert "<munder>" in drawn(rf"\left( {name}_n x \right)")
        assert "<munder>" not in drawn(f"{name}_n x", display=False)
    assert "<munderover>" in drawn(r"\left( \sum_{i=1}^n x_i \right)")


def test_relations_are_operators_and_names_have_space_around_them() -> None:
    assert "<mo>⟺</mo>" in drawn(r"a \iff b")
    assert "<mo>⩽</mo>" in drawn(r"a \leqslant b")
    assert "<mo>:</mo>" in drawn("f: A")
    assert '<mo lspace="0em" rspace="0em" stretchy="false">/</mo>' in drawn("n/2")
    assert '<mo lspace="0.167em" rspace="0.167em">sin</mo>' in drawn(r"2\sin x")


def test_only_what_is_asked_to_grow_grows() -> None:
    assert '<mo stretchy="false">⌊</mo>' in drawn(r"\lfloor \frac{a}{b} \rfloor")
    assert 'stretchy="true"' in drawn(r"\left\lfloor \frac{a}{b} \right\rfloor")
    assert 'minsize="2.047em" maxsize="2.047em" stretchy="true">|</mo>' in drawn(r"\bigg| x")


def test_lines_over_and_under_are_borders() -> None:
    assert '<mrow class="over">' in drawn(r"\overline{a + b}")
    assert '<mrow class="under">' in drawn(r"\underline{a + b}")


def test_blanks_at_the_ends_of_texts_are_kept() -> None:
    assert "<mtext>if\N{NO-BREAK SPACE}</mtext>" in drawn(r"\text{if } x")


def test_an_upright_d_is_upright_and_alphabets_are_characters() -> None:
    assert '<mi mathvariant="normal">d</mi>' in drawn(r"\mathrm{d}x")
    assert drawn(r"\Theta \theta") == '<mi mathvariant="normal">Θ</mi><mi>θ</mi>'
    assert words(r"\mathbb{Q} \mathcal{AB} \mathfrak{g} \mathbf{x} \boldsymbol{\alpha} \mathsf{NP}") == "ℚ𝒜ℬ𝔤𝐱𝜶𝖭𝖯"


@pytest.mark.parametrize(
    "latex",
    [
        r"\nosuch{a}",
        r"\begin{tikzcd} a \end{tikzcd}",
        "{",
        "}",
        r"\left( a",
        r"\begin{align} a",
        r"\ce{H2O}",
        "a" * 20_000,
    ],
)
def test_what_can_not_be_read_is_not_guessed_at(latex: str) -> None:
    assert mathml(latex, display=True) is None


@pytest.mark.parametrize(
    "piece", ["{", r"\frac", r"\sqrt", "x^", "'", r"\text{", r"\mathrm{", r"\left.", r"\over a", r"\def\a{"]
)
def test_no_depth_is_too_deep(piece: str) -> None:
    found = mathml(piece * (9_000 // len(piece)), display=True)
    assert found is None or ElementTree.fromstring(found) is not None
