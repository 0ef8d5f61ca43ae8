"""Importing a file or folder, whatever it is: told by its content, not by its name."""

from collections.abc import Mapping
from enum import Enum, auto
from itertools import islice
from pathlib import Path
from typing import Any

from store.ingest import expertmath, labelled_candidates, pack
from store.ingest.candidates_jsonl import AUTHOR_KEYS, import_answer_file, import_candidates
from store.ingest.csv_rows import csv_delimiter
from store.ingest.files import UTF16_MARKS, open_unpacked
from store.ingest.jsonl import read_rows
from store.ingest.neighbour_rows import ANSWER_KEYS, STATEMENT_KEYS, import_neighbours, with_plain_names
from store.ingest.posts_xml import import_posts
from store.ingest.report import OnProgress
from store.ingest.scores_rows import KEYS, import_scores
from store.ingest.uq_jsonl import BODY_KEYS, import_questions
from store.ingest.verdict_jsonl import import_statements, import_verdicts
from store.rows import ImportReport
from store.workspace import Workspace
from uq_tui.errors import ImportFileError

_LOOKED_AT = 200
"""Rows among which the first telling one decides what a file holds."""

_POSTS = "Posts.xml"
_ANSWER_SUFFIXES = frozenset((".md", ".markdown", ".txt", ".tex"))
_START_BYTES = 4096
_VERDICT = "verdict"
_STATEMENT = "statement"
_NOT_IMPORTED = {
    b"PK\x03\x04": "a zip archive; unpack it first",
    b"7z\xbc\xaf": "a 7z archive; unpack it first",
    b"\x28\xb5\x2f\xfd": "packed with zstd; unpack it first",
    b"SQLite format 3\0": "a SQLite database; a workspace is opened, not imported",
}
"""How files begin that people try, and what to say about them."""

_HINT = (
    "Import questions, neighbours, candidates, verdicts or scores as JSON lines; ExpertMath, candidates with labels or"
    " scores as CSV; a Posts.xml, a pack's folder, or an answer as .md or .txt with `--question`."
)
_REFERENCE = (
    "Import the solution as .md, .markdown, .txt or .tex with `--question`, or as a JSON row that says"
    ' `"reference": true`.'
)


def import_file(
    ws: Workspace,
    path: Path,
    *,
    site: str = "",
    question_id: str = "",
    reference: bool = False,
    on_progress: OnProgress | None = None,
) -> ImportReport:
    """Import whatever it is: JSON rows, CSV, a dump's Posts.xml, a pack's folder, or a text as one answer.

    Rows that cannot be used are in the report, with line and reason; importing a file again changes nothing.

    Args:
        site: the Stack Exchange site of posts whose file doesn't name it: a host or the API's short name.
        question_id: the question that answers and neighbours belong to which name none.
        reference: the file is the expert's own solution of the question `question_id`, as one text.
        on_progress: called now and then with the number of rows dealt with.

    Raises:
        NotFoundError: there is no such file or folder, or no question `question_id`.
        ImportFileError: it cannot be read, is none of these, or can't be the reference.
        StoreError: the workspace cannot be written.
    """
    is_answer = bool(question_id) and path.suffix.lower() in _ANSWER_SUFFIXES and not path.is_dir()
    if reference and not is_answer:
        raise ImportFileError(f"{path} is not one answer to a question, so it can't be the reference.", hint=_REFERENCE)
    if path.is_dir():
        return _import_folder(ws, path, site, on_progress)
    if is_answer:
        return import_answer_file(ws, path, question_id, reference=reference)
    content = _content(path)
    as_csv = content in _AS_CSV.values()
    match content:
        case _Content.POSTS:
            return import_posts(ws, path, site=site, on_progress=on_progress)
        case _Content.VERDICTS:
            return import_verdicts(ws, path, on_progress=on_progress)
        case _Content.STATEMENTS:
            return import_statements(ws, path, on_progress=on_progress)
        case _Content.SCORES | _Content.SCORES_CSV:
            return import_scores(ws, path, site=site, as_csv=as_csv, on_progress=on_progress)
        case _Content.EXPERTMATH | _Content.EXPERTMATH_CSV:
            return expertmath.import_expertmath(ws, path, as_csv=as_csv, on_progress=on_progress)
        case _Content.LABELLED | _Content.LABELLED_CSV:
            return labelled_candidates.import_labelled(ws, path, as_csv=as_csv, site=site, on_progress=on_progress)
        case _Content.NEIGHBOURS:
            return import_neighbours(ws, path, site=site, question_id=question_id, on_progress=on_progress)
        case _Content.CANDIDATES:
            return import_candidates(ws, path, site=site, question_id=question_id, on_progress=on_progress)
        case _Content.QUESTIONS:
            return import_questions(ws, path, site=site, on_progress=on_progress)


class _Content(Enum):
    POSTS = auto()
    VERDICTS = auto()
    STATEMENTS = auto()
    SCORES = auto()
    SCORES_CSV = auto()
    EXPERTMATH = auto()
    EXPERTMATH_CSV = auto()
    LABELLED = auto()
    LABELLED_CSV = auto()
    NEIGHBOURS = auto()
    CANDIDATES = auto()
    QUESTIONS = auto()


_AS_CSV = {
    expertmath.KEYS: _Content.EXPERTMATH_CSV,
    labelled_candidates.KEYS: _Content.LABELLED_CSV,
    KEYS: _Content.SCORES_CSV,
}
"""By the columns that tell it."""


def _import_folder(ws: Workspace, folder: Path, site: str, on_progress: OnProgress | None) -> ImportReport:
    if (folder / pack.DESCRIPTION).exists():
        return pack.import_pack(ws, folder, on_progress)
    if (folder / _POSTS).exists():
        return import_posts(ws, folder / _POSTS, site=site, on_progress=on_progress)
    raise ImportFileError(f"The folder {folder} holds neither {pack.DESCRIPTION} nor {_POSTS}.", hint=_HINT)


def _content(path: Path) -> _Content:
    with open_unpacked(path) as file:
        start = file.read(_START_BYTES)
    for mark, what in _NOT_IMPORTED.items():
        if start.startswith(mark):
            raise ImportFileError(f"{path} is {what}.")
    text = start.decode("utf-16" if start.startswith(UTF16_MARKS) else "utf-8-sig", "replace")
    if text.lstrip().startswith("<"):
        return _Content.POSTS
    for columns, found in _AS_CSV.items():
        if csv_delimiter(text, columns):
            return found
    problems: list[str] = []
    for row in islice(read_rows(path), _LOOKED_AT):
        content = None if row.problem else _content_of_row(row.value)
        if content is not None:
            return content
        problems.append(f"line {row.line}: {row.problem or 'none of the keys that tell what it is'}")
    if not problems:
        raise ImportFileError(f"{path} is empty.")
    raise ImportFileError(f"{path} is in no format that can be imported ({problems[0]}).", hint=_HINT)


def _content_of_row(row: Mapping[str, Any]) -> _Content | None:
    if row.get("record") == _VERDICT:
        return _Content.VERDICTS
    if row.get("record") == _STATEMENT:
        return _Content.STATEMENTS
    if all(key in row for key in KEYS):
        return _Content.SCORES
    if expertmath.is_expertmath(row):
        return _Content.EXPERTMATH
    if labelled_candidates.is_labelled_candidate(row):
        return _Content.LABELLED
    row = with_plain_names(row)
    has_author = any(row.get(key) for key in AUTHOR_KEYS)
    has_body = any(row.get(key) for key in BODY_KEYS)
    if any(row.get(key) for key in STATEMENT_KEYS) and any(key in row for key in ANSWER_KEYS) and not has_author:
        return _Content.NEIGHBOURS
    if any(key in row for key in ("answer", "error")) and (not has_body or has_author):
        return _Content.CANDIDATES
    return _Content.QUESTIONS if has_body else None
