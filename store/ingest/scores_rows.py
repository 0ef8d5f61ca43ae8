"""Scores by scorers outside uq-tui, as JSON rows or CSV.

Read are: `candidate_id`, whole or the first characters of one, or else `question_id` (with `link` or `site`) and
`answer`; `scorer`; `value`. Other keys are not looked at. More is better, whatever the scale.
"""

import math
import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from store import candidates, external_scores
from store.external_scores import ExternalScore
from store.identity import candidate_id
from store.ingest import fields
from store.ingest.csv_rows import read_csv
from store.ingest.jsonl import parse_each, parse_rows
from store.ingest.question_ids import QuestionFinder
from store.ingest.report import OnProgress, RowError, Tally, chunks
from store.ingest.stack_exchange import checked_site
from store.rows import ImportReport
from store.workspace import Workspace

KEYS = ("scorer", "value")
"""Keys that together tell a score; no other row has both."""

SHORTEST_ID = 6
"""Characters of a candidate id that are needed to name it."""

LARGEST = 1e100
"""Sums and squares of some scores have to be numbers too."""

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
        ImportFileError: it cannot be read, or `site` is no site; a CSV file has a column twice.
    """
    tally = Tally(path, "scores")
    reader = _Reader(ws, checked_site(site), path.name)
    found = (
        parse_each(read_csv(path, KEYS), lambda row: reader.score(_with_number(row)), tally)
        if as_csv
        else parse_rows(path, reader.score, tally)
    )
    for chunk in chunks(found, lambda one: len(one.scorer)):
        for taken in ws.write(partial(external_scores.put, given=chunk)):
            tally.take(taken, "scores")
        if on_progress is not None:
            on_progress(tally.seen)
    return tally.report()


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


def _with_number(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """A row of a CSV file, in which every cell is text, with its value as a number where it is one."""
    given = str(row["value"]).strip()
    if not given:
        raise RowError("no `value`")
    return {**row, "value": float(given) if _NUMBER.fullmatch(given) else given}
