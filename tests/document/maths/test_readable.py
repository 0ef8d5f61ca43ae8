"""LaTeX as a line that reads."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.document.sources import hostile_text
from tests.document.work import calls
from tests.shared import shared_file
from uq_tui.document.maths import symbols as sym
from uq_tui.document.maths.readable import MAX_LENGTH, is_readable, one_line, read_rows, readable_line

COMMANDS = sorted(
    {
        *list(sym.LETTERS)[:9], *sym.BIG, *sym.ACCENTS, *sym.FONTS, *sym.PLAIN_FONTS, *sym.DROPPED, *sym.DEFINING,
        *sym.SPACES, *sym.TRANSPARENT, *sym.DROPPED_WITH_ARGUMENT, "frac", "sqrt", "left", "right", "middle", "begin",
        "end", "text", "not", "over", "choose", "ket", "braket", "ketbra", "proj", "operatorname", "tag", "boxed",
        "pmod", "stackrel", "xrightarrow", "unknown", "\\", "{", "}", "begin{array}{cc}", "end{array}",
        "begin{cases}", "end{cases}", "begin{align}", "end{align}",
    }
)  # fmt: skip
latex = st.lists(
    st.sampled_from(COMMANDS).map("\\{}".format) | st.sampled_from(list("{}[]^_'$&%~<>|()=+-,;:/ab1. \n{}{}")),
    max_size=25,
).map("".join)

PAIRS = [
    r"\frac{%s}{%s}", "{%s}^{%s}", "{%s}_{%s}", "%s+%s", "%s = %s", "%s,%s", r"\begin{pmatrix}%s & %s\end{pmatrix}",
    r"\overset{%s}{%s}", r"\begin{align} %s &= %s \\ \end{align}", "%s %s", r"{%s \over %s}",
]  # fmt: skip
SINGLES = [
    r"\sqrt{%s}", r"\left( %s \right)", r"\mathrm{%s}", r"\mathbb{%s}", r"|%s\rangle", r"\hat{%s}", r"\overline{%s}",
    "-%s", r"\boxed{%s}", "{%s}'",
]  # fmt: skip
well_formed = st.recursive(
    st.sampled_from([*"123456789xyz", r"\alpha", r"\infty "]),
    lambda inner: st.one_of(
        st.tuples(inner, inner, st.sampled_from(PAIRS)).map(lambda parts: parts[2] % parts[:2]),
        st.tuples(inner, st.sampled_from(SINGLES)).map(lambda parts: parts[1] % parts[0]),
    ),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("latex", "line"),
    [
        (r"\frac{a}{b} \in \mathbb{R}^n", "a/b ∈ ℝⁿ"),
        (r"\frac12 + \frac{a+b}{2c}", "1/2 + (a + b)/(2c)"),
        (r"\frac{1}{2}x", "(1/2)x"),
        (r"\frac{\frac{a}{b}}{c}", "(a/b)/c"),
        (r"{a \over b}", "a/b"),
        (r"\frac{(a+b)}{(c+d)}", "(a + b)/(c + d)"),
        (r"\sum_{i=1}^n x_i^2", "∑ᵢ₌₁ⁿ xᵢ²"),
        (r"\int_0^1 f(x)\,dx", "∫₀¹ f(x) dx"),
        (r"\lim_{n\to\infty} a_n", "lim_(n→∞) aₙ"),
        (r"|\psi\rangle = \frac{1}{\sqrt{2}}(|0\rangle + |1\rangle)", "|ψ⟩ = (1/√2)(|0⟩ + |1⟩)"),
        (r"\ket{0}\bra{1}, \braket{a|b}", "|0⟩⟨1|, ⟨a|b⟩"),
        (r"|0> + <1|", "|0⟩ + ⟨1|"),
        (r"a<b>c", "a < b > c"),
        (r"e^{-iHt/\hbar}", "e^(-iHt/ℏ)"),
        (r"\rho_A \otimes \rho_B", "ρ_A ⊗ ρ_B"),
        (r"\rho_A x", "ρ_A x"),
        (r"A^\dagger A^* 45^\circ", "A†A*45°"),
        (r"H^{\otimes n}", "H^(⊗n)"),
        (r"2^{n^k}", "2^(nᵏ)"),
        (r"\lim_{x \to 0} \frac{\sin x}{x} + \log\frac{a}{b}", "lim_(x→0) (sin x)/x + log (a/b)"),
        (r"a_c^b + \rho_A^2 x + T_A^Q", "aᵇ_c + ρ²_A x + T_A^Q"),
        (r"\underbrace{a+b}_{n} = \overrightarrow{AB}", "underbrace(a + b)ₙ = vec(AB)"),
        (r"x + {}_2F_1, {}^{14}C", "x + ₂F₁, ¹⁴C"),
        (r"{x^2}^3 \sqrt{x}^2 \sqrt{x^2}", "(x²)³(√x)²√(x²)"),
        (r"f'(x) f''", "f′(x)f″"),
        (r"-1 - (-2)", "-1 - (-2)"),
        (r"\lvert + \rangle", "|+⟩"),
        (r"2\sin x + \log_2 n", "2 sin x + log₂ n"),
        (r"\sin(x)", "sin(x)"),
        (r"\operatorname{Tr}\rho", "Tr ρ"),
        (r"\text{if } x > 0", "if x > 0"),
        (r"\text{if $x^2$ then}", "if x² then"),
        (r"f: X \to Y", "f: X → Y"),
        (r"\{x \mid x > 0\}", "{x ∣ x > 0}"),
        (r"a \not\in B, a \not= b", "a ∉ B, a ≠ b"),
        (r"\hat{x} \tilde{O}(n) \overline{AB}", "x̂Õ(n)A̅B̅"),
        (r"\sqrt[3]{x+1} \sqrt 2", "∛(x + 1)√2"),
        (r"\mathcal{H} \mathbf{x} \mathfrak{g}", "ℋ𝐱𝔤"),
        (r"\left( \frac{a}{b} \right.", "(a/b"),
        (r"\begin{pmatrix} a & b \\ c & d\end{pmatrix}", "(a b; c d)"),
        (r"\left[\begin{array}{cc} 1 & 0 \\[2pt] 0 & 1 \end{array}\right]", "[1 0; 0 1]"),
        (r"\begin{matrix} 1 \\ 2 \end{matrix}", "[1; 2]"),
        (r"\begin{cases} x & x>0 \\ -x & x \le 0 \end{cases}", "{x, x > 0; -x, x ≤ 0}"),
        (r"\begin{cases} a \\ b \end{cases} \Rightarrow \begin{cases} c \\ d \end{cases}", "{a; b} ⇒ {c; d}"),
        (r"16\sqrt[16]{x} + 2\sqrt[3]{x}", "16 ¹⁶√x + 2∛x"),
        ("S =: T == U <= V := W", "S =: T == U <= V := W"),
        (r"\begin{align} a &= b \\ &= c \end{align}", "a = b; = c"),
        (r"\binom{n}{k} \pmod 7", "(n choose k) (mod 7)"),
        (r"p \bmod q", "p mod q"),
        (r"\sin A \cdot \cos B \cdot 2 \cdot \sum_i a_i", "sin A · cos B·2 · ∑ᵢ aᵢ"),
        (r"1{,}000", "1,000"),
        (r"10\% \$5", "10%$5"),
        (r"\boxed{42}", "[ 42 ]"),
        (r"a % a comment" "\n" r"+ b", "a + b"),
        (r"\foo{a}{b^2} \bar x", "\\foo{a}{b²}x̄"),
        (r"\displaystyle\Big(x\Big)\label{a}\nonumber", "(x)"),
        (r"\quad", ""),
        ("", ""),
        ("x\x1b[2J\u202e", "x\u241b[2J‹U+202E›"),
    ],
)
def test_formulas(latex: str, line: str) -> None:
    assert one_line(latex) == line


@pytest.mark.parametrize(
    "latex",
    [
        r"{a", r"a}", r"\frac{a}", "^", "_", r"\begin{tikzcd} A \ar[r] & B \end{tikzcd}", r"\begin{pmatrix} a",
        r"\begin{align} a \end{gather}", r"\def\a{\a\a}\a", r"\newcommand{\a}[1]{x} \a", r"\left",
        "x" * (MAX_LENGTH + 1), r"\sqrt{" * 50 + "x" + "}" * 50,
    ],
)  # fmt: skip
def test_what_can_not_be_read_stays_latex(latex: str) -> None:
    assert not is_readable(latex)
    assert one_line(latex) == " ".join(latex.split())


def test_rows_of_a_displayed_formula_are_aligned() -> None:
    assert read_rows(r"\begin{align} f(x) &= a \\ &= b & c &= d \end{align}") == ("f(x) = a", "     = b  c = d")
    assert read_rows(r"a = b \\ c = d") == ("a = b", "c = d")


def test_a_title() -> None:
    title = "Is $\\frac{a}{b} \\in \\mathbb{R}$ worth \\$5 or $6,\x1b[2J\nand \\(x_1\\)?"
    assert readable_line(title) == "Is a/b ∈ ℝ worth $5 or $6,\u241b[2J and x₁?"


def test_a_title_with_money_only() -> None:
    assert readable_line("From $5 to $2000") == "From $5 to $2000"


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        (r"Determine all \( a_{1}, \ldots, a_{n…", "Determine all …"),
        (r"Let $x_1$ be $\frac{1…", "Let x₁ be …"),
        (r"Is \[ \sum_{k…", "Is …"),
        (r"\( a_{1}, \ldots, a_{n…", r"\( a_{1}, \ldots, a_{n…"),
        ("From $5 to what is more…", "From $5 to what is more…"),
        (r"A break \\( and more…", r"A break \\( and more…"),
    ],
)
def test_of_a_title_that_was_cut_in_a_formula_the_rest_is_shown(title: str, shown: str) -> None:
    assert readable_line(title) == shown


@given(latex | hostile_text)
def test_always_one_clean_line(text: str) -> None:
    line = one_line(text)
    assert len(line.splitlines()) <= 1
    assert not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]", line)
    assert line.count("?") <= text.count("?")


@given(well_formed)
def test_every_digit_is_kept(text: str) -> None:
    assert is_readable(text)
    assert sorted(filter(str.isdigit, unicodedata.normalize("NFKC", one_line(text)))) == sorted(
        filter(str.isdigit, text)
    )


@pytest.mark.parametrize(
    "latex",
    [
        "{" * 10_000, "\\frac" * 4_000, "x^{" * 3_000 + "}" * 3_000, "a'" * 9_000, "\\text{$" * 2_000,
        "\\over " * 3_000, "\\left(" * 1_500, "\\begin{matrix}" * 1_000, "\\proj{" * 18 + "x" + "}" * 18,
        "\\hat" * 4_000 + "x",
        "a_1" * 6_000, "a+" * 9_000, "1," * 9_000,
    ],
)  # fmt: skip
def test_hostile_formulas_cost_little(latex: str) -> None:
    assert calls(lambda: one_line(latex)) < 50 * len(latex) + 500
    assert len(one_line(latex)) < 100_000


@pytest.mark.shared
def test_real_formulas_read() -> None:
    """KaTeX's own screenshots: nothing raises, and nearly all can be read."""
    text = shared_file("data/markdown-latex-torture/katex-ss_data.yaml").read_text(encoding="utf-8")
    formulas = re.findall(r"^(?:\w+|    tex): (?!\|)(.+)$", text, re.MULTILINE)
    assert len(formulas) > 50
    assert sum(map(is_readable, formulas)) > 0.9 * len(formulas)
    for formula in formulas:
        assert one_line(formula)
