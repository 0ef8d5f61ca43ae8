"""Filters and orders of the question list in words, and filters changed by facets."""

from collections.abc import Iterable
from dataclasses import replace

from store.rows import Facet, QuestionFilter
from store.saved_views import SavedView
from uq_tui.words import Direction, FacetKind, Order, QuestionStatus, Resolution, ScoreBand

_ORDERS = {
    (Order.ARRIVAL, Direction.UP): "",
    (Order.ARRIVAL, Direction.DOWN): "newest import first",
    (Order.SCORE, Direction.UP): "lowest score first",
    (Order.SCORE, Direction.DOWN): "highest score first",
    (Order.ASKED, Direction.UP): "oldest first",
    (Order.ASKED, Direction.DOWN): "newest first",
}

_BANDS = [band.value for band in ScoreBand]


def order_words(order: Order, direction: Direction) -> str:
    """An order as it is said under a list; the usual one needs no words."""
    return _ORDERS.get((order, direction), "")


def held(wanted: QuestionFilter) -> tuple[tuple[FacetKind, str], ...]:
    """The facets a filter restricts to, with their values."""
    single = (
        (FacetKind.STATUS, wanted.status),
        (FacetKind.RESOLUTION, wanted.resolution),
        (FacetKind.DOMAIN, wanted.domain),
        (FacetKind.SITE, wanted.site),
        (FacetKind.SCORE, wanted.score_band),
        (FacetKind.YEAR, wanted.year),
    )
    tags = tuple((FacetKind.TAG, tag) for tag in wanted.tags)
    return tuple((kind, str(value)) for kind, value in single if value) + tags


def value_words(kind: FacetKind, value: str) -> str:
    """A value as it is shown: resolutions are words of ours, all else is shown as its source has it."""
    return value.replace("_", " ") if kind is FacetKind.RESOLUTION else value


def held_words(wanted: QuestionFilter) -> str:
    """What a filter restricts to, on one line; empty where it restricts to nothing."""
    return " · ".join(f"{kind} {value_words(kind, value)}" for kind, value in held(wanted))


def toggled(wanted: QuestionFilter, kind: FacetKind, value: str) -> QuestionFilter:
    """The filter restricted to a value too; without that, where it was. Of tags several hold, of all else one."""
    lifts = (kind, value) in held(wanted)
    match kind:
        case FacetKind.STATUS:
            return replace(wanted, status=None if lifts else QuestionStatus(value))
        case FacetKind.RESOLUTION:
            return replace(wanted, resolution=None if lifts else Resolution(value))
        case FacetKind.SCORE:
            return replace(wanted, score_band=None if lifts else ScoreBand(value))
        case FacetKind.DOMAIN:
            return replace(wanted, domain="" if lifts else value)
        case FacetKind.SITE:
            return replace(wanted, site="" if lifts else value)
        case FacetKind.YEAR:
            return replace(wanted, year="" if lifts else value)
        case FacetKind.TAG:
            rest = tuple(tag for tag in wanted.tags if tag != value)
            return replace(wanted, tags=rest if lifts else (*wanted.tags, value))


def in_order(facets: Iterable[Facet]) -> tuple[Facet, ...]:
    """Facets as they are read: scores from the lowest, years from the latest, unknown last; all else as it came."""
    return tuple(sorted(facets, key=_place))


def _place(facet: Facet) -> tuple[bool, int]:
    match facet.kind:
        case FacetKind.SCORE if facet.value in _BANDS:
            return facet.value == ScoreBand.UNKNOWN, _BANDS.index(facet.value)
        case FacetKind.YEAR if facet.value.isdecimal():
            return False, -int(facet.value)
        case kind:
            return kind is FacetKind.YEAR, 0


def view_words(view: SavedView) -> str:
    """What a view shows, on one line."""
    parts = [held_words(view.filter)]
    parts += [view.filter.text.strip()] if view.filter.text else []
    parts += [order_words(view.order, view.direction) or ("best first" if view.order is Order.RELEVANCE else "")]
    return " · ".join(part for part in parts if part) or "all questions"
