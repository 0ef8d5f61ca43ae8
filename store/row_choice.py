"""Which rows of people go out: by whom, since when, on which version of a dataset."""

from collections.abc import Iterator

from sqlalchemy import ColumnElement, func
from sqlmodel import col

from store.review_tables import StatementTable
from store.tables import VerdictTable


def conditions(
    table: type[VerdictTable] | type[StatementTable], reviewer_id: str = "", since: str = "", dataset_version: str = ""
) -> Iterator[ColumnElement[bool]]:
    """What rows of a table must meet; "" doesn't restrict.

    Args:
        table: where they are.
        reviewer_id: whose they are.
        since: a day, or a time without its zone: revisions made then or later.
        dataset_version: the version that the row itself names.
    """
    if reviewer_id:
        yield col(table.reviewer_id) == reviewer_id
    if since:
        yield col(table.created_at) >= since
    if dataset_version:
        yield func.json_extract(col(table.record), "$.dataset_version") == dataset_version
