"""Displayed formulas set among text."""

import pytest

from tests.document.drawn import check, expect, lay_out, placed, shown, styled


def test_displayed_formulas_stand_alone() -> None:
    assert shown("a\\\nb $$c$$ \n$$d$$ e \\\n f $$g$$") == "a\nb\n    c\n    d\ne\nf\n    g"
    assert shown("\\[ x \\]\n\\[ y \\]") == "    x\n\n    y"


def test_a_fraction_is_as_high_as_it_is() -> None:
    assert shown("so $$\\frac{a}{b} = c$$ Then") == expect(
        """
        so
            a
            ─ = c
            b
        Then
        """
    )


def test_every_row_of_a_formula_shows_all_of_it() -> None:
    source = "so $$\\frac{a}{b}$$ Then"
    lines = lay_out(source, 40).lines[1:4]
    assert {(line.start, line.end, line.unit) for line in lines} == {(3, 18, 1)}
    assert {source[line.start : line.end] for line in lines} == {"$$\\frac{a}{b}$$"}


@pytest.mark.parametrize(
    ("source", "last"),
    [
        ("$$a = b$$.", "    a = b."),
        ("so $$a = b$$, as", "    a = b,"),
        ("$$\n\\begin{align}\na &= b \\\\ &= c\n\\end{align}\n$$,", "      = c,"),
        ("$$\n\\begin{gather}\na \\\\\n\\end{gather}\n$$.", "    a."),
    ],
)
def test_punctuation_behind_a_formula_is_drawn_in_its_last_line(source: str, last: str) -> None:
    assert last in shown(source).split("\n")


def test_a_formula_stands_for_the_punctuation_behind_it() -> None:
    assert placed("so $$a$$, as")[1] == ("a,", "$$a$$,")


def test_what_swallows_what_comes_behind_it_gets_no_punctuation() -> None:
    assert shown("$$a % b$$.").strip().startswith("a")


def test_a_tag_stands_behind_its_equation() -> None:
    assert shown("$$a = b \\tag{7}$$").split() == ["a", "=", "b", "(7)"]


def test_references_are_read() -> None:
    source = "$$a = b \\label{one}\\tag{7}$$\n\nBy \\eqref{one} and \\ref{two}."
    assert shown(source).split("\n")[-1] == "By (7) and \\ref{two}."
    assert ("(7)", "\\eqref{one}") in placed(source)


def test_macros_are_those_of_the_whole_text() -> None:
    assert shown("$\\newcommand{\\R}{\\mathbb{R}}$\n\n# A\n\nin $\\R$").endswith("in ℝ")


def test_what_is_too_wide_in_two_dimensions_is_to_be_scrolled() -> None:
    sum_of_many = "\\left(" + "+".join(f"\\frac{{a_{{{n}}}}}{{b_{{{n}}}}}" for n in range(30)) + "\\right)^2"
    source = f"$$x = {sum_of_many}$$\n\ntext"
    lines = lay_out(source, 40).lines
    check(lines, source, 40)
    wide = [line.wide for line in lines]
    assert any(line.width > 40 for line in lines) == wide[0]
    assert wide == [wide[0]] * (len(lines) - 2) + [False, False]


def test_a_formula_that_can_not_be_read_is_shown_as_it_is() -> None:
    assert shown("$\\begin{CD} A \\end{CD}$") == "\\begin{CD} A \\end{CD}"


def test_source_that_does_not_fit_goes_on_further_in() -> None:
    source = "$$\n\\begin{tikzcd} A \\arrow[r] & B \\arrow[r] & C \\end{tikzcd}\n$$"
    lines = lay_out(source, 24).lines
    check(lines, source, 24)
    assert not any(line.wide for line in lines)
    assert "".join("".join(line.text.split()) for line in lines) == "".join(source.strip("$\n").split())


def test_formulas_in_headings_and_cells_stand_in_line() -> None:
    assert shown("# On $$\\frac{a}{b}$$.") == "# On a/b."
    assert styled("|$$x^2$$|\n|-|\n", "math") == ["x²"]
