"""A version of a dataset as JSON lines in the shape of UQ's rows, each with what its licence asks to be said.

Keys: `question_id`, `title`, `body` (as it is stored, in `format`), `tags`, `site`, `category` (where its source names
none, its domain, which UQ's tools read there), `link`, `licence`, `licence_url`, `author`, `author_id`, `author_url`,
`edited` (what was done to it since it was posted, in words), `subset`, `dataset_version`, `score`, `views`,
`answer_count`, `creation_date`, `edited_at`, `status`, then whatever else its source said. What isn't known is null,
or "". Importing such a file brings the questions back as they were.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from exports.rows import ExportReport, export_rows
from store import attribution, datasets, questions, texts
from store.dataset_rows import Pin
from store.frozen_rows import canonical_json
from store.rows import Question
from store.workspace import Workspace

SCHEMA_VERSION = 1


def export_version(ws: Workspace, name: str, path: Path) -> ExportReport:
    """Write the questions of a version in their order, each in the words that it pins, with a manifest beside it.

    The same version gives the same bytes, as long as nothing more becomes known of its questions.

    Raises:
        NotFoundError: there is no such version.
        ExportError: it can't be written; earlier files are as they were.
    """
    pins = datasets.entries(ws, name)
    return export_rows(path, _lines(ws, name, pins), SCHEMA_VERSION)


def _lines(ws: Workspace, name: str, pins: tuple[Pin, ...]) -> Iterator[str]:
    for pin in pins:
        yield canonical_json(row_of(ws, name, pin))


def row_of(ws: Workspace, name: str, pin: Pin) -> dict[str, Any]:
    """One question of a version as it is written."""
    question = questions.get(ws, pin.question_id)
    with ws.read() as db:
        body = texts.read_raw(db, pin.body_sha256)
    whose = attribution.of_question(question)
    reworded = f"reworded in version {name}" if pin.edited else ""
    row = {
        "question_id": pin.question_id,
        "title": pin.title,
        "body": body,
        "format": pin.body_format.value,
        "tags": list(question.row.tags),
        "site": question.row.site,
        "category": question.category or question.domain,
        "link": question.link,
        "licence": whose.licence,
        "licence_url": whose.licence_link,
        "author": _named(question),
        "author_id": question.author_id,
        "author_url": whose.author_link,
        "edited": "; ".join(change for change in (*whose.changes, reworded) if change),
        "subset": pin.subset.value,
        "dataset_version": name,
        "score": question.row.score,
        "views": question.views,
        "answer_count": question.answers,
        "creation_date": question.row.asked_at,
        "edited_at": question.edited_at,
        "status": question.row.status.value,
    }
    return {**row, **{key: value for key, value in question.extra.items() if key not in row}}


def _named(question: Question) -> str:
    """The author's name; "" where there is a number only."""
    return "" if question.author == f"user {question.author_id}" else question.author
