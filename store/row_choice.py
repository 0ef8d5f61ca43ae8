"""Which rows of people go out: by whom, since when, on which version of a dataset."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime

from sqlalchemy import ColumnElement, func
from sqlalchemy.orm import Mapped
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
        yield names_version(col(table.record), dataset_version)


def names_version(record: ColumnElement[str] | Mapped[str], dataset_version: str) -> ColumnElement[bool]:
    """Whether a column's rows name a version of a dataset."""
    return func.json_extract(record, "$.dataset_version") == dataset_version


def since_when(said: str) -> str:
    """A day (`2026-01-31`) or a UTC time (`2026-01-31T12:00:00Z`) as the `since` of `conditions`.

    Raises:
        ValueError: it is neither; the message says what is.
    """
    text = said.strip()
    for form, kept in (("%Y-%m-%d", "%Y-%m-%d"), ("%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%dT%H:%M:%S")):
        with suppress(ValueError):
            return datetime.strptime(text, form).replace(tzinfo=UTC).strftime(kept)
    raise ValueError(f"{said!a} is neither a day such as 2026-01-31 nor a UTC time such as 2026-01-31T12:00:00Z")
