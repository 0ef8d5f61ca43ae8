"""Formulas of real texts as MathML."""

from xml.etree import ElementTree

import pytest

from tests.document.maths.corpus import formulas
from tests.shared import shared_file
from uq_tui.document.page.mathml import mathml


@pytest.mark.shared
def test_nearly_all_formulas_of_real_texts_become_mathml() -> None:
    found = drawn = 0
    for formula in formulas(shared_file("data"), every=15):
        written = mathml(formula.latex, display=formula.display, macros=formula.definitions.at(formula.at))
        if written is not None:
            ElementTree.fromstring(written)
        if not formula.is_trial:
            found += 1
            drawn += written is not None

    assert found > 2_000
    assert drawn >= 0.99 * found
