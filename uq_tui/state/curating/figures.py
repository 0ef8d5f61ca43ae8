"""Counts and shares of the funnel in words. A share never stands without what it is a share of."""

UNDEFINED = "–"
"""A share of nothing, or a figure that nobody gives."""


def count_words(n: int | None) -> str:
    """`1,234`; a dash where it is not known."""
    return UNDEFINED if n is None else f"{n:,}"


def per_cent(n: int | None, of: int | None) -> str:
    """`4.5 %`, with two decimals below one per cent; a dash where it is undefined or not known."""
    if n is None or not of:
        return UNDEFINED
    share = 100 * n / of
    return f"{share:.{2 if 0 < share < 1 else 0 if share >= 100 else 1}f} %"


def share_words(n: int | None, of: int | None) -> str:
    """`4.5 % of 1,234`; empty where nothing is said of a share."""
    return "" if of is None else f"{per_cent(n, of)} of {of:,}"
