"""Colours: enough contrast in the theme for it, and outcomes that stay apart without red or green cones."""

from itertools import combinations

import pytest
from textual.color import Color

from uq_tui.config import THEMES
from uq_tui.themes import BY_NAME

OUTCOMES = ("text-success", "text-error", "text-warning", "text-muted")
"""Accepted, rejected, unparsed or failed, skipped."""

# Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE TVCG
# 15 (2009): the matrices for no red cones and for no green cones, on linear RGB.
WITHOUT_RED = (
    (0.152286, 1.052583, -0.204868),
    (0.114503, 0.786281, 0.099216),
    (-0.003882, -0.048116, 1.051998),
)
WITHOUT_GREEN = (
    (0.367322, 0.860646, -0.227968),
    (0.280085, 0.672501, 0.047413),
    (-0.011820, 0.042940, 0.968881),
)
ALL_CONES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
APART = 20.0
"""Least distance in CIE L*a*b* (1976) of two colours; some 2.3 can just be told from each other side by side."""


def colour(theme: str, name: str) -> Color:
    """A colour of a theme as it stands on the theme's ground."""
    found = BY_NAME[theme].to_color_system().generate()
    ground = Color.parse(found["background"])
    if found[name].startswith("auto"):
        share = found[name].removeprefix("auto").strip().rstrip("%") or "100"
        return ground.blend(ground.get_contrast_text(1.0), float(share) / 100)
    return ground.blend(Color.parse(found[name]), Color.parse(found[name]).a).with_alpha(1)


def lab(one: Color, eyes: tuple[tuple[float, float, float], ...]) -> tuple[float, float, float]:
    """A colour as such eyes see it, in CIE L*a*b* under D65 (IEC 61966-2-1, ISO/CIE 11664-4)."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in one.normalized]
    red, green, blue = (
        min(1.0, max(0.0, sum(share * part for share, part in zip(row, linear, strict=True)))) for row in eyes
    )
    whole = (
        (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047,
        0.2126 * red + 0.7152 * green + 0.0722 * blue,
        (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883,
    )
    x, y, z = (part ** (1 / 3) if part > (6 / 29) ** 3 else part / (3 * (6 / 29) ** 2) + 4 / 29 for part in whole)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(one: Color, other: Color, eyes: tuple[tuple[float, float, float], ...]) -> float:
    pairs = zip(lab(one, eyes), lab(other, eyes), strict=True)
    return float(sum((a - b) ** 2 for a, b in pairs) ** 0.5)


def test_every_theme_of_the_settings_is_there() -> None:
    assert tuple(BY_NAME) == THEMES


def test_the_measure_knows_what_the_textbooks_know() -> None:
    red, green = Color.parse("#ff0000"), Color.parse("#00ff00")
    assert distance(Color.parse("black"), Color.parse("white"), ALL_CONES) == pytest.approx(100, abs=0.1)
    assert lab(red, ALL_CONES) == pytest.approx((53.2, 80.1, 67.2), abs=0.2)
    brown, olive = Color.parse("#b86f00"), Color.parse("#8f8f00")
    assert distance(red, green, ALL_CONES) > 150
    assert distance(brown, olive, WITHOUT_GREEN) < distance(brown, olive, ALL_CONES) / 3


@pytest.mark.parametrize("eyes", [WITHOUT_RED, WITHOUT_GREEN, ALL_CONES], ids=["no red", "no green", "all"])
def test_outcomes_stay_apart_in_the_theme_for_the_colour_blind(eyes: tuple[tuple[float, float, float], ...]) -> None:
    near = {
        (one, other): round(found, 1)
        for one, other in combinations(OUTCOMES, 2)
        if (found := distance(colour("colour-blind", one), colour("colour-blind", other), eyes)) < APART
    }
    assert near == {}


def test_the_usual_colours_of_outcomes_would_not_do_for_the_colour_blind() -> None:
    usual = [colour("dark", name) for name in OUTCOMES[:3]]
    assert min(distance(*pair, WITHOUT_GREEN) for pair in combinations(usual, 2)) < APART
