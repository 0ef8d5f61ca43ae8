"""How far a reviewer is with a text: its units, as they are read, and the marks on them."""

from collections.abc import Sequence

from sqlalchemy import Connection

from store.ledger import read_marks
from store.reading_rows import LedgerCount
from store.rows import Text
from store.texts import source_map
from uq_tui.document.markup.scan import all_units


def raw_units(text: Text) -> tuple[tuple[int, int] | None, ...]:
    """Where each unit of a text begins and ends in its raw body; None for one whose place can't be told."""
    found = source_map(text)
    return tuple(found.to_raw(unit.start, unit.end) for unit in all_units(text.markdown))


def read_count(conn: Connection, reviewer_id: str, sha256: str, units: Sequence[tuple[int, int] | None]) -> LedgerCount:
    """Within a transaction: how many of these units of a text are in each state. Other marks count for nothing."""
    marks = {(mark.start, mark.end): mark.state for mark in read_marks(conn, reviewer_id, sha256)}
    return LedgerCount.of(len(units), (marks.get(unit) for unit in units if unit))
