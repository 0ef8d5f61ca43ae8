"""A published table of ratings with some missing."""

from collections.abc import Sequence

FOUR_RATERS: Sequence[Sequence[int | None]] = (
    (1, 1, None, 1),
    (2, 2, 3, 2),
    (3, 3, 3, 3),
    (3, 3, 3, 3),
    (2, 2, 2, 2),
    (1, 2, 3, 4),
    (4, 4, 4, 4),
    (1, 1, 2, 1),
    (2, 2, 2, 2),
    (None, 5, 5, 5),
    (None, None, 1, 1),
    (None, None, 3, None),
)
"""Krippendorff's own example of 12 units and four raters (Computing Krippendorff's Alpha-Reliability, 2011, data C)."""
