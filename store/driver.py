"""The SQLite driver beneath a connection, for what is written row by row in thousands.

Core builds, compiles and converts for each statement; the driver caches a statement by its text and takes rows as they
are. So values are converted here as `ForeignText` does.
"""

import json
import sqlite3
from collections.abc import Iterable
from typing import Any

from sqlalchemy import ColumnElement, Connection, bindparam, func, select
from sqlalchemy.orm import Mapped

AMONG = "IN (SELECT value FROM json_each(?))"
"""A condition on values that `listed` makes the parameter of: one statement, however many there are."""


def driver(db: Connection) -> sqlite3.Connection:
    """The driver's connection, within the same transaction."""
    connection: Any = db.connection.driver_connection
    assert isinstance(connection, sqlite3.Connection)
    return connection


def bound(value: Any) -> Any:
    """A value as a `ForeignText` column stores it: text that has lone surrogates as a blob, all else as it is."""
    if isinstance(value, str):
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            return value.encode("utf-8", "surrogatepass")
    return value


def bound_row(values: Iterable[Any]) -> tuple[Any, ...]:
    """`bound` for each of a row's values."""
    return tuple([bound(value) if value.__class__ is str and not value.isascii() else value for value in values])


def loaded(value: Any) -> Any:
    """A value as `bound` was given it."""
    return value.decode("utf-8", "surrogatepass") if isinstance(value, bytes) else value


def among(column: Mapped[Any], name: str) -> ColumnElement[bool]:
    """`AMONG` for a statement of Core, with the parameter bound as `name`."""
    return column.in_(select(func.json_each(bindparam(name)).table_valued("value").c.value))


def listed(values: Iterable[Any]) -> str:
    """Values as the parameter of `AMONG` and `among`: texts, or whole numbers."""
    return json.dumps(list(values))
