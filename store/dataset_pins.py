"""Which version of a dataset a question belongs to, for whoever reads questions and writes rows."""

from sqlalchemy import Connection, bindparam, select
from sqlmodel import col

from store.curation_tables import DatasetEntryTable, DatasetVersionTable

# Built once: building a statement takes longer than running it.
_NEWEST = (
    select(col(DatasetVersionTable.name))
    .join(DatasetEntryTable, col(DatasetEntryTable.version) == col(DatasetVersionTable.name))
    .where(col(DatasetEntryTable.question_id) == bindparam("this_question"))
    .order_by(col(DatasetVersionTable.created_at).desc(), col(DatasetVersionTable.name).desc())
    .limit(1)
)


def newest_of(db: Connection, question_id: str) -> str:
    """The newest version that pins a question, "" where none does."""
    return db.execute(_NEWEST, {"this_question": question_id}).scalar_one_or_none() or ""
