"""Candidates with labels, as files for Consequence-Based Utility have them: CSV or JSON rows, one answer each.

Read are `problem_id`, `answer`, `model_name`, `label`; and `author_kind`, `system`, `person`, `organisation`,
`base_model`, `prompt`, `reasoning`, `format` and `finish_reason`, as `candidates_jsonl` has them. CSV columns may be in
any order and case. Others are not looked at.

A problem is named by its question's id, its link, or an id it has in its source. Of an ExpertMath file that is its
`source` cell or its place among the originals, from 1: `3`, `#3` or `NAME#3`. A file that counts from 0 is refused.

A label is one of ours, or 1, 0, true, false, which the report says. An answer whose model is called `human`, `expert`
or `reference` is the expert's own solution, unless `label_source` says that a reviewer has judged it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from store import candidates
from store.identity import candidate_id
from store.ingest import fields
from store.ingest.candidates_jsonl import candidate_of, store_candidates
from store.ingest.csv_rows import column_name, read_csv
from store.ingest.expertmath import ordinal
from store.ingest.jsonl import Row, parse_each, read_rows
from store.ingest.question_ids import NoSuchQuestionError, QuestionFinder
from store.ingest.report import OnProgress, RowError, Tally
from store.ingest.stack_exchange import checked_site
from store.rows import ImportReport, NewCandidate
from store.workspace import Workspace
from uq_tui.errors import ImportFileError
from uq_tui.words import AuthorKind, Label

KEYS = ("problem_id", "answer", "model_name")
"""Columns that together tell this form."""

EXPERTS = frozenset(("human", "expert", "reference"))
"""Names in place of a model's that stand for the expert's own solution."""

JUDGED = "verdict"
"""What `label_source` says of an answer whose label a reviewer gave: whatever its author is called, no reference."""

_PASSED_ON = (
    "answer",
    "author_kind",
    "system",
    "person",
    "organisation",
    "base_model",
    "prompt",
    "reasoning",
    "format",
    "finish_reason",
)
_OTHER_WORDS = {"1": Label.CORRECT, "true": Label.CORRECT, "0": Label.INCORRECT, "false": Label.INCORRECT}
_PLACE = re.compile("#?([0-9]{1,6})")


def import_labelled(
    ws: Workspace, path: Path, *, as_csv: bool, site: str = "", on_progress: OnProgress | None = None
) -> ImportReport:
    """Import candidates with the labels that come with them. Importing a file again changes nothing.

    A row that names no question here, or several, is rejected with its line, and so is one that gives the same answer
    another label than an earlier row.

    Args:
        as_csv: the file has a header line and its rows are CSV, else they are JSON.
        site: the site that post ids belong to.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it cannot be read, has a column twice, or counts problems from 0; or `site` is no site.
    """
    reader = _Reader(ws, path, checked_site(site))
    rows = reader.checked(as_csv=as_csv)
    tally = Tally(path, "labelled candidates")
    store_candidates(ws, parse_each(rows, reader.candidate, tally), tally, on_progress)
    reader.say(tally)
    return tally.report()


class _Reader:
    """Makes candidates of rows, finds their questions, and holds labels against those of earlier rows."""

    def __init__(self, ws: Workspace, path: Path, site: str) -> None:
        self._ws = ws
        self._path = path
        self._site = site
        self._finder = QuestionFinder(ws)
        self._labels: dict[str, tuple[int, Label]] = {}
        """By candidate id: the line, and what it said."""
        self._others: dict[str, int] = {}
        """Lines of answers that are no reference, by candidate id."""
        self._read_as: dict[str, Label] = {}
        self._line = 0

    def checked(self, *, as_csv: bool) -> Iterator[Row]:
        """The rows, after a look through all of them for problems that are counted from 0. Raises ImportFileError."""
        zero = next((row.line for row in self._rows(as_csv=as_csv) if self._is_zero(row.value)), None)
        if zero is not None:
            raise ImportFileError(
                f"{self._path}, line {zero}: this file counts problems from 0, and here they are counted from 1.",
                hint="Add one to each `problem_id`, or name problems by the `source` they have.",
            )
        return self._numbered(self._rows(as_csv=as_csv))

    def _rows(self, *, as_csv: bool) -> Iterator[Row]:
        return read_csv(self._path, KEYS) if as_csv else read_rows(self._path)

    def _numbered(self, rows: Iterator[Row]) -> Iterator[Row]:
        for row in rows:
            self._line = row.line
            yield row

    def _is_zero(self, row: Mapping[str, Any]) -> bool:
        try:
            problem = fields.identifier(_plainly_named(row), "problem_id")
            place = _PLACE.fullmatch(problem)
            return place is not None and int(place[1]) == 0 and not self._found((problem,))
        except RowError:  # said when the row is read for good
            return False

    def _found(self, names: Iterable[str]) -> frozenset[str]:
        """The questions that have one of these names. Raises RowError: several have the same."""
        found = set()
        for name in names:
            with suppress(NoSuchQuestionError):
                found.add(self._finder.find(name, site=self._site))
        return frozenset(found)

    def candidate(self, raw: Mapping[str, Any]) -> NewCandidate:
        """The candidate in a row. Raises RowError: it has none, or none that can be placed."""
        row = _plainly_named(raw)
        question_id = self._question(fields.identifier(row, "problem_id"))
        model = fields.text(row, "model_name").strip()
        by_expert = model.lower() in EXPERTS and row.get("label_source") != JUDGED
        label = self._label(row.get("label"))
        passed: dict[str, Any] = {key: row[key] for key in _PASSED_ON if key in row}
        passed |= {"reference": True} if by_expert else _author(row, model)
        if label is not None:
            passed["known_label"] = {"label": label.value}
        new = candidate_of(passed, question_id, source=self._path.name)
        key = candidate_id(question_id, new.answer)
        self._hold_against(key, label)
        self._check_author(key, new)
        return new

    def _check_author(self, key: str, new: NewCandidate) -> None:
        """Raise RowError when a reference has the very answer of a model or a system."""
        if not new.reference:
            self._others.setdefault(key, self._line)
        elif key in self._others:
            raise RowError(
                f"the reference is a person's own solution, and line {self._others[key]} has the same answer"
            )
        elif refusal := candidates.reference_refusal(self._ws, new):
            raise RowError(refusal)

    def _question(self, problem: str) -> str:
        if not problem:
            raise RowError("no `problem_id`")
        place = _PLACE.fullmatch(problem)
        if place is None or self._site:
            return self._finder.find(problem, site=self._site)
        found = self._found((problem, ordinal(int(place[1]))))
        if len(found) > 1:
            raise RowError(f"problem {problem} may be {' or '.join(sorted(found))}; write the one that is meant")
        return next(iter(found), "") or self._finder.find(problem)

    def _label(self, given: object) -> Label | None:
        word = _label_word(given)
        if not word:
            return None
        try:
            return Label(word)
        except ValueError:
            label = _OTHER_WORDS.get(word.removesuffix(".0"))
        if label is None:
            raise RowError(f"`label` is {word!a}, not one of {', '.join((*Label, *_OTHER_WORDS))}")
        self._read_as[word] = label
        return label

    def _hold_against(self, key: str, label: Label | None) -> None:
        if label is None:
            return
        line, known = self._labels.setdefault(key, (self._line, label))
        if known is not label:
            raise RowError(f"its `label` is {label}, where line {line} says of the same answer that it is {known}")

    def say(self, tally: Tally) -> None:
        """Note how labels in other words than ours were read."""
        for word, label in sorted(self._read_as.items()):
            tally.note(f"label {word} was read as {label}")


def is_labelled_candidate(row: Mapping[str, Any]) -> bool:
    """Whether a JSON row is of this form."""
    return set(KEYS) <= {column_name(name) for name in row}


def _author(row: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The author's name under the key of its kind: in this form a system or a person stands as `model_name`, too."""
    kind = fields.text(row, "author_kind").strip().lower()
    key = kind if kind in (AuthorKind.SYSTEM, AuthorKind.PERSON) else "model_name"
    return {} if row.get(key) and key != "model_name" else {key: name if name != kind else ""}


def _plainly_named(row: Mapping[str, Any]) -> dict[str, Any]:
    return {column_name(name): value for name, value in row.items()}


def _label_word(given: object) -> str:
    if given is None:
        return ""
    if isinstance(given, bool):
        return str(given).lower()
    if isinstance(given, int | float):
        return f"{given:g}"
    if not isinstance(given, str):
        raise RowError("`label` is neither text, a number, true nor false")
    return given.strip().lower().replace(" ", "_")
