"""Real formulas: nearly all are drawn, and nothing of them is lost."""

import unicodedata
from collections import Counter
from functools import cache

import pytest

from tests.document.maths.corpus import Formula, formulas
from tests.document.maths.visible import (
    has_plain_signs,
    in_drawing,
    in_source,
    is_plain,
    signs_in_drawing,
    signs_in_source,
)
from tests.shared import shared_file
from uq_tui.document.maths.drawing import Drawn, draw
from uq_tui.document.maths.readable import is_readable, one_line

WIDTH = 78
FILES, FORMULAS = 12, 3
"""One of so many files and posts, and of these one of so many formulas; `python -m benchmarks maths` takes all."""

pytestmark = pytest.mark.shared


@cache
def sample() -> tuple[Formula, ...]:
    return tuple(dict.fromkeys(formulas(shared_file("data"), FILES)))[::FORMULAS]


def test_most_displayed_formulas_are_drawn_in_two_dimensions() -> None:
    found = Counter(
        draw(formula.latex, WIDTH, definitions=formula.definitions, at=formula.at).how
        for formula in sample()
        if formula.display
    )
    assert found.total() > 500
    assert found[Drawn.STACKED] >= 0.93 * found.total()


def test_few_formulas_stay_source() -> None:
    unread = [formula for formula in sample() if not is_readable(formula.latex)]
    assert len(sample()) > 5_000
    assert len(unread) <= 0.03 * len(sample())


@pytest.mark.parametrize("display", [True, False])
def test_nothing_is_lost_and_nothing_added(display: bool) -> None:
    checked = 0
    for formula in sample():
        if formula.display is not display or formula.is_trial or not is_plain(formula.latex):
            continue
        drawn = shown(formula)
        if drawn is None:
            continue
        checked += 1
        seen, written = in_drawing(drawn), in_source(formula.latex)
        assert not written - seen, (formula.latex, drawn)
        assert not seen - written, (formula.latex, drawn)
        if has_plain_signs(formula.latex):
            assert signs_in_drawing(drawn) == signs_in_source(formula.latex), (formula.latex, drawn)
    assert checked > 400


def shown(formula: Formula) -> str | None:
    """The formula as it is drawn; None where it is shown as source, or a label's number stands beside it."""
    if "\\label" in formula.latex:
        return None
    if not formula.display:
        return one_line(formula.latex) if is_readable(formula.latex) else None
    rows, how = draw(formula.latex, WIDTH)
    return unicodedata.normalize("NFC", "\n".join(rows)) if how is Drawn.STACKED else None
