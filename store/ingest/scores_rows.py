"""Scores by scorers outside uq-tui, as JSON rows or CSV.

Read are: `candidate_id`, whole or the first characters of one, or else `question_id` (with `link` or `site`) and
`answer`; `scorer`; `value`. Other keys are not looked at. More is better, whatever the scale.
"""

import csv
import io
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from store import candidates, external_scores
from store.external_scores import ExternalScore
from store.identity import candidate_id
from store.ingest import fields
from store.ingest.files import whole_text
from store.ingest.jsonl import parse_rows
from store.ingest.question_ids import QuestionFinder
from store.ingest.report import OnProgress, RowError, Tally, chunks
from store.ingest.stack_exchange import checked_site
from store.rows import ImportReport
from store.workspace import Workspace
from uq_tui.errors import ImportFileError

KEYS = ("scorer", "value")
"""Keys that together tell a score; no other row has both."""

SHORTEST_ID = 6
"""Characters of a candidate id that are needed to name it."""

LARGEST = 1e100
"""Sums and squares of some scores have to be numbers too."""

_DELIMITERS = (",", ";", "\t")
_LINE_END = re.compile(r"\r|\n")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?")
_WHOLE_ID = 64


def import_scores(
    ws: Workspace, path: Path, *, site: str = "", as_csv: bool = False, on_progress: OnProgress | None = None
) -> ImportReport:
    """Import scores. The newest value of a candidate and scorer stands; importing a file again changes nothing.

    Args:
        site: the site that post ids belong to, for rows that name none.
        as_csv: the file has a header line and a score a line, else JSON rows.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it cannot be read, or `site` is no site; a CSV file is larger than 16 MiB, or has a column
            twice.
    """
    tally = Tally(path, "scores")
    reader = _Reader(ws, checked_site(site), path.name)
    found = _csv_rows(path, reader, tally) if as_csv else parse_rows(path, reader.score, tally)
    for chunk in chunks(found, lambda one: len(one.scorer)):
        for taken in ws.write(partial(external_scores.put, given=chunk)):
            tally.take(taken, "scores")
        if on_progress is not None:
            on_progress(tally.seen)
    return tally.report()


def csv_delimiter(text: str) -> str:
    """What separates the columns of a CSV file of scores, by its text or the start of it; "" when it is none."""
    header = _LINE_END.split(text, maxsplit=1)[0]
    return next((mark for mark in _DELIMITERS if set(KEYS) <= set(_columns(header, mark))), "")


def _columns(header: str, delimiter: str) -> list[str]:
    return _names(next(csv.reader([header], delimiter=delimiter), []))


def _names(columns: Iterable[str]) -> list[str]:
    return [name.strip().lower() for name in columns]


class _Reader:
    """Makes scores of rows, and finds the candidates that they name."""

    def __init__(self, ws: Workspace, site: str, source: str) -> None:
        self._ws = ws
        self._site = site
        self._source = source
        self._questions = QuestionFinder(ws)
        self._found: dict[str, tuple[str, ...]] = {}

    def score(self, row: Mapping[str, Any]) -> ExternalScore:
        """The score in a row. Raises RowError: it has none, or its candidate is not in the workspace."""
        scorer = fields.text(row, "scorer").strip()
        if not scorer:
            raise RowError("no `scorer`")
        value = _value(row.get("value"))
        return ExternalScore(self._candidate(row), scorer, value, self._source)

    def _candidate(self, row: Mapping[str, Any]) -> str:
        given = fields.text(row, "candidate_id").strip().lower()
        if given:
            return self._by_id(given)
        answer = fields.text(row, "answer")
        identifier, link = fields.identifier(row, "question_id"), fields.text(row, "link", "url")
        if not answer or not (identifier or link):
            raise RowError("neither a `candidate_id` nor a `question_id` with an `answer`")
        question = self._questions.find(identifier, link=link, site=fields.text(row, "site") or self._site)
        wanted = candidate_id(question, answer)
        if not self._with_prefix(wanted):
            raise RowError(
                f"no candidate of question {question} has exactly this answer; import the answers first, or name the"
                " candidate by its id"
            )
        return wanted

    def _by_id(self, given: str) -> str:
        if len(given) < SHORTEST_ID:
            raise RowError(f"{given!a} is too short for the id of a candidate: {SHORTEST_ID} characters or more")
        found = self._with_prefix(given)
        if not found:
            what = "has the id" if len(given) >= _WHOLE_ID else "has an id that starts with"
            raise RowError(f"no candidate here {what} {given!a}; import the candidates first")
        if len(found) > 1:
            raise RowError(f"the ids of several candidates start with {given!a}; give more of it")
        return found[0]

    def _with_prefix(self, prefix: str) -> tuple[str, ...]:
        if prefix not in self._found:
            self._found[prefix] = candidates.find_by_prefix(self._ws, prefix)
        return self._found[prefix]


def _value(given: object) -> float:
    if given is None:
        raise RowError("no `value`")
    if isinstance(given, bool) or not isinstance(given, int | float):
        raise RowError(f"`value` is {_shown(given)}, not a number")
    try:
        value = float(given)
    except OverflowError:
        value = math.inf
    if not math.isfinite(value):
        raise RowError("`value` is not a finite number")
    if abs(value) > LARGEST:
        raise RowError(f"`value` is larger than {LARGEST:g}")
    return value


def _shown(given: object) -> str:
    text = ascii(given)
    return text if len(text) <= 40 else f"{text[:40]}..."


def _csv_rows(path: Path, reader: _Reader, tally: Tally) -> Iterator[ExternalScore]:
    """Scores of a CSV file; a field in quotes may hold newlines."""
    text = whole_text(path)
    csv.field_size_limit(max(len(text), csv.field_size_limit()))  # an answer may be all of it
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=csv_delimiter(text), strict=True)
    try:
        names = _names(next(lines))
    except csv.Error as error:
        raise ImportFileError(f"The first line of {path} is no CSV: {error}.", hint="It names the columns.") from error
    twice = next((name for name, count in Counter(names).items() if name and count > 1), "")
    if twice:
        raise ImportFileError(f"{path} has two columns that are called {twice!a}.", hint="Leave one of them out.")
    while True:
        line = lines.line_num + 1
        try:
            values = next(lines, None)
        except csv.Error as error:
            tally.read += 1
            tally.reject(line, f"the line is no CSV, and nothing after it is read: {error}")
            return
        if values is None:
            return
        if not any(value.strip() for value in values):
            continue
        tally.read += 1
        try:
            yield reader.score(_csv_row(names, values))
        except RowError as error:
            tally.reject(line, str(error))


def _csv_row(names: list[str], values: list[str]) -> dict[str, Any]:
    if len(values) != len(names):
        raise RowError(f"{len(values)} fields, where the first line has {len(names)}")
    row: dict[str, Any] = dict(zip(names, values, strict=True))
    given = row["value"].strip()
    if not given:
        raise RowError("no `value`")
    row["value"] = float(given) if _NUMBER.fullmatch(given) else given
    return row
