"""Brackets that are as tall as what they hold."""

from uq_tui.document.maths.boxes import Box, beside

_PARTS = {
    sign: tuple(parts)
    for sign, parts in zip(
        ["(", ")", "[", "]", "⌊", "⌋", "⌈", "⌉", "|", "∣", "‖", "∥", "⟦", "⟧"],
        ["⎛⎜⎝", "⎞⎟⎠", "⎡⎢⎣", "⎤⎥⎦", "⎢⎢⎣", "⎥⎥⎦", "⎡⎢⎢", "⎤⎥⎥", "│││", "│││", "‖‖‖", "‖‖‖", "⟦⟦⟦", "⟧⟧⟧"],
        strict=True,
    )
}
"""Top, middle and bottom."""
_BRACES = {"{": tuple("⎧⎪⎨⎩"), "}": tuple("⎫⎪⎬⎭")}
"""Top, extension, middle and bottom."""
_TWO_ROWS = {"{": "⎰⎱", "}": "⎱⎰"}
_ANGLES = {"⟨": tuple("╱⟨╲"), "⟩": tuple("╲⟩╱")}
"""Above the base, on it and below."""


def grown(sign: str, above: int, below: int) -> Box:
    """The delimiter with `above` rows over the base and `below` under it; one that can't grow stands on the base."""
    height = above + 1 + below
    if height == 1 or not sign:
        return Box((sign,))
    if sign in _PARTS:
        top, middle, bottom = _PARTS[sign]
        rows = (top, *[middle] * (height - 2), bottom)
    elif sign in _BRACES and height == 2:
        rows = tuple(_TWO_ROWS[sign])
    elif sign in _BRACES:
        top, more, middle, bottom = _BRACES[sign]
        first = min(max(above - 1, 0), height - 3)
        rows = (top, *[more] * first, middle, *[more] * (height - 3 - first), bottom)
    elif sign in _ANGLES:
        over, on, under = _ANGLES[sign]
        rows = (*[over] * above, on, *[under] * below)
    else:
        return Box((sign,))
    return Box(rows, above)


def fenced(left: str, inner: Box, right: str) -> Box:
    """The box between two delimiters as tall as it is; either may be empty."""
    signs = [grown(sign, inner.base, inner.below) for sign in (left, right)]
    return beside([box for box in (signs[0], inner, signs[1]) if box.rows != ("",)] or [inner])
