"""Saving rows that are keyed by what they are about, so that a resumed run may save them again."""

from collections.abc import Sequence

from sqlalchemy import or_
from sqlalchemy.dialects.sqlite import Insert, insert
from sqlmodel import SQLModel


def saving(table: type[SQLModel], key: Sequence[str], *, kept: str = "") -> Insert:
    """Insert, or update where a value differs; `kept` is a column that alone is no difference."""
    new = insert(table)
    values = [name for name in table.model_fields if name not in key]
    differs = or_(*(getattr(table, name).is_distinct_from(new.excluded[name]) for name in values if name != kept))
    replaced = {name: new.excluded[name] for name in values}
    return new.on_conflict_do_update(index_elements=list(key), set_=replaced, where=differs)
