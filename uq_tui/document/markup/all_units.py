"""The units of a whole text: what a reader goes by, one after the other."""

from uq_tui.document.markup.scan import Scan, Unit


def all_units(source: str) -> tuple[Unit, ...]:
    """The units of `source` in order, as code points of it."""
    return tuple(
        Unit(unit.start + segment.start, unit.end + segment.start, unit.kind)
        for segment in Scan().feed(source).segments
        for unit in segment.units
    )
