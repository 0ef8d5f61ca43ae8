"""Neighbours as JSON rows, by themselves or within a question's row.

By themselves: `statement` (or `variant`, `problem`), `answer` (or `final_answer`), `source`, and the question they
belong to: `question_id`, `question_key` (its id in its source, such as a pack's key) or `link`, with `site`.

Within a question's row: a list under `neighbours` or `variants`, each entry with a statement (here `question` will do,
too) and an answer; or the columns of Daft-Math, `Original Question`, `Integer Answer Variant Question` and `Integer
Variant Answer`, where a row is a question with one neighbour.

An answer must be there, since nothing can be measured without one. Whether it can be checked is not looked at here: it
is told beside the neighbour wherever that is shown.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from store import neighbours
from store.ingest import fields
from store.ingest.jsonl import parse_rows
from store.ingest.question_ids import QuestionFinder
from store.ingest.report import OnProgress, RowError, Tally, chunks
from store.ingest.stack_exchange import checked_site
from store.intake import Taken
from store.rows import ImportReport, Neighbour
from store.workspace import Workspace

STATEMENT_KEYS = ("statement", "variant", "problem")
"""Keys of a neighbour's text. Rows of other kinds have none of them beside an answer and no author."""
ANSWER_KEYS = ("answer", "final_answer")
LIST_KEYS = ("neighbours", "variants")
"""Keys of question rows that may hold neighbours."""

_WITHIN = (*STATEMENT_KEYS, "question")
_LINK = ("link", "url", "source_url")
_QUESTION = ("question_id", "question_key")
_ORIGINAL, _VARIANT, _VARIANT_ANSWER = (
    "original_question",
    "integer_answer_variant_question",
    "integer_variant_answer",
)


def import_neighbours(
    ws: Workspace, path: Path, *, site: str = "", question_id: str = "", on_progress: OnProgress | None = None
) -> ImportReport:
    """Import neighbours from JSON rows of their own. Those that are stored already stay as they are.

    Args:
        site: the site that post ids belong to, for rows that name none.
        question_id: the question of rows that name none; an id, a link, or the id it had in its source.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it cannot be read, or `site` is no site.
    """
    site = checked_site(site)
    tally = Tally(path, "neighbours")
    finder = QuestionFinder(ws)

    def parse(row: Mapping[str, Any]) -> tuple[str, Neighbour]:
        return _question(row, finder, site, question_id), neighbour_of(row, source=path.name)

    for chunk in chunks(parse_rows(path, parse, tally), lambda given: len(given[1].statement)):
        for taken in ws.write(partial(put_each, given=chunk)):
            tally.take(taken, "neighbours")
        if on_progress is not None:
            on_progress(tally.seen)
    return tally.report()


def put_each(db: Connection, given: Sequence[tuple[str, Neighbour]]) -> list[Taken]:
    """Store neighbours of several questions, within a transaction; one result each. Raises NotFoundError."""
    return [taken for question_id, one in given for taken in neighbours.put(db, question_id, [one])]


def neighbour_of(row: Mapping[str, Any], *, source: str, keys: Sequence[str] = STATEMENT_KEYS) -> Neighbour:
    """The neighbour in a row. Raises RowError: it lacks its statement or answer, or a field is of a wrong kind.

    Args:
        row: the row, or an entry of a list in one.
        source: where it is from, where the row doesn't say.
        keys: those that may hold the statement.
    """
    statement, answer = fields.text(row, *keys), _answer(row, *ANSWER_KEYS)
    if not statement.strip():
        raise RowError(f"no `{keys[0]}`")
    if not answer:
        raise RowError("no `answer`")
    return Neighbour("", statement, answer, fields.text(row, "source") or source)


def with_plain_names(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """A row of Daft-Math as a question's row with a list of neighbours; any other row as it is. Nothing is raised."""
    by_name = {name.strip().lower().replace(" ", "_"): name for name in row}
    if _ORIGINAL not in by_name or _VARIANT not in by_name:
        return row
    used = {key: by_name[key] for key in (_ORIGINAL, _VARIANT, _VARIANT_ANSWER) if key in by_name}
    rest = {name: value for name, value in row.items() if name not in used.values()}
    entry = {"statement": row[used[_VARIANT]], "answer": row.get(used.get(_VARIANT_ANSWER, ""))}
    entries = [entry] if entry["statement"] else []
    return {**rest, "question": row[used[_ORIGINAL]], "neighbours": entries}


def neighbours_within(row: Mapping[str, Any], *, source: str) -> tuple[tuple[Neighbour, ...], frozenset[str]]:
    """The neighbours that a question's row brings, and the keys they stand under.

    A list of anything but objects is no list of neighbours, nor is one none of whose objects has a statement and an
    answer: such a row stays a question, and keeps its list.

    Raises:
        RowError: one of them lacks something, or a field is of a wrong kind.
    """
    found: list[Neighbour] = []
    keys = [key for key in LIST_KEYS if _is_neighbours(row.get(key))]
    for key in keys:
        for number, entry in enumerate(row[key], start=1):
            try:
                found.append(neighbour_of(entry, source=source, keys=_WITHIN))
            except RowError as error:
                raise RowError(f"`{key}`, entry {number}: {error}") from error
    return tuple(found), frozenset(keys)


def _is_neighbours(value: object) -> bool:
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        return False
    return any(any(key in entry for key in _WITHIN) and any(key in entry for key in ANSWER_KEYS) for entry in value)


def _question(row: Mapping[str, Any], finder: QuestionFinder, site: str, question_id: str) -> str:
    identifier = fields.identifier(row, *_QUESTION) or question_id
    link = fields.text(row, *_LINK)
    if not identifier and not link:
        raise RowError("no `question_id`, `question_key` or `link`")
    return finder.find(identifier, link=link, site=fields.text(row, "site") or site)


def _answer(row: Mapping[str, Any], *names: str) -> str:
    """An answer as text. Tables have integers as floats at times: 1024.0 is 1024."""
    value = next((row[name] for name in names if row.get(name) not in (None, "")), None)
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else str(value)
    return fields.identifier(row, *names)
