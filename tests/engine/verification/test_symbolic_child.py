"""What the child of symbolic equality makes of formulas, in this process."""

import io
import json
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from uq_tui.analysis.formula import canonical
from uq_tui.engine.verification import symbolic_child

Rendered = tuple[str, Fraction]


def _numbers() -> st.SearchStrategy[Rendered]:
    whole = st.integers(0, 30).map(lambda n: (str(n), Fraction(n)))
    decimal = st.integers(0, 999).map(lambda n: (f"{n // 100}.{n % 100:02}", Fraction(n, 100)))
    return st.one_of(whole, decimal)


def _combined(parts: st.SearchStrategy[Rendered]) -> st.SearchStrategy[Rendered]:
    def divided(left: Rendered, right: Rendered, form: str) -> Rendered:
        bottom = right if right[1] else ("2", Fraction(2))
        return form.format(left[0], bottom[0]), left[1] / bottom[1]

    pair = st.tuples(parts, parts)
    return st.one_of(
        pair.map(lambda p: (f"({p[0][0]}+{p[1][0]})", p[0][1] + p[1][1])),
        pair.map(lambda p: (f"({p[0][0]} - {p[1][0]})", p[0][1] - p[1][1])),
        pair.map(lambda p: (f"({p[0][0]})({p[1][0]})", p[0][1] * p[1][1])),
        pair.map(lambda p: (f"{{{p[0][0]}}} \\cdot {{{p[1][0]}}}", p[0][1] * p[1][1])),
        pair.map(lambda p: divided(p[0], p[1], "\\frac{{{}}}{{{}}}")),
        pair.map(lambda p: divided(p[0], p[1], "(({})/({}))")),
        parts.map(lambda p: (f"(-({p[0]}))", -p[1])),
        parts.map(lambda p: (f"({p[0]})^{{2}}", p[1] ** 2)),
        parts.map(lambda p: (f"({p[0]})^3", p[1] ** 3)),
        parts.map(lambda p: (f"\\sqrt{{({p[0]})^2}}", abs(p[1]))),
    )


@settings(max_examples=25)
@given(st.recursive(_numbers(), _combined, max_leaves=6))
def test_a_formula_keeps_its_value(rendered: Rendered) -> None:
    text, value = rendered
    written = canonical(text)

    assert written is not None
    assert symbolic_child.equal(symbolic_child.parse(written), symbolic_child.parse("0") + value) is True


@settings(max_examples=25)
@given(st.recursive(_numbers(), _combined, max_leaves=4), st.recursive(_numbers(), _combined, max_leaves=4))
def test_formulas_are_equal_exactly_when_their_values_are(left: Rendered, right: Rendered) -> None:
    expressions = [symbolic_child.parse(canonical(text) or "") for text, _ in (left, right)]

    assert symbolic_child.equal(*expressions) is (left[1] == right[1])


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("(-1)^n", r"\cos(\pi n)"),
        ("0", r"\sin(\pi n)"),
        (r"\sqrt{1-x}\sqrt{2-x}", r"\sqrt{(1-x)(2-x)}"),
        (r"\sqrt{x^2}", "x"),
        (r"\arccos(x)", r"\frac{\pi}{2}-\arcsin(x)"),
    ],
)
def test_what_is_equal_where_both_are_real_is_not_different(left: str, right: str) -> None:
    expressions = [symbolic_child.parse(canonical(text) or "") for text in (left, right)]

    assert symbolic_child.equal(*expressions) is not False


@pytest.mark.parametrize(
    ("text", "name"), [("N", "N"), ("n", "n"), ("x_{12}", "x_{12}"), (r"\phi", "phi"), (r"\Phi", "Phi")]
)
def test_variables_keep_their_case_and_subscript(text: str, name: str) -> None:
    written = canonical(text)

    assert written is not None
    assert symbolic_child.parse(written).name == name


def test_a_difference_at_one_point_is_enough() -> None:
    left, right = symbolic_child.parse("(x)^{2}"), symbolic_child.parse("(x)^{3}")

    assert symbolic_child.equal(left, right) is False


@pytest.mark.parametrize("undefined", [r"\frac{1}{0}", r"\frac{1}{(x-x)}"])
def test_what_is_undefined_equals_nothing(undefined: str) -> None:
    assert symbolic_child.equal(symbolic_child.parse("5"), symbolic_child.parse(undefined)) is None


@pytest.mark.parametrize(
    ("error", "answer"),
    [
        (MemoryError(), "it took too much memory"),
        (RecursionError(), "it went too deep"),
        (ValueError("no such thing"), None),
    ],
)
def test_what_the_algebra_system_raises_ends_one_pair_only(
    monkeypatch: pytest.MonkeyPatch, error: Exception, answer: str | None
) -> None:
    def parse(formula: str) -> str:
        if formula == "bad":
            raise error
        return formula

    monkeypatch.setattr(symbolic_child, "parse", parse)
    monkeypatch.setattr(symbolic_child, "equal", lambda left, right: left == right)
    monkeypatch.setattr(symbolic_child, "limit_cpu", lambda seconds: None)
    sink = io.StringIO()
    symbolic_child.serve(io.StringIO('["bad", "1", 5]\n["1", "1", 5]\n'), sink)

    assert [json.loads(line) for line in sink.getvalue().splitlines()] == ["ready", answer, True]
