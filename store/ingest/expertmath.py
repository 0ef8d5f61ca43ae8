"""ExpertMath's public form: a row a variant, with the original question and its answer in every row.

Columns are `original question`, `source`, `original answer`, `variant source` (not always there), `variant question`
and `variant answer`, in any order and case, with other spaces, and with or without remarks in brackets; as CSV or as
JSON rows. Each original becomes a question, named by a hash of its statement, and its variants become its neighbours.

An original answer is kept with its question, so that candidates' final answers can be compared with it. One that is a
whole solution is a reference solution by a person, too.

Files of candidates may name an original by its id, by its `source` cell, or by its place among the file's different
originals, from 1: `#3`, or `NAME#3` where several files are here, `NAME` being the file's name up to its first dot.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from store import candidates, intake, neighbours
from store.identity import UNNAMED_SOURCE, candidate_id, neighbour_id, question_id_for_text, text_sha256
from store.ingest import fields
from store.ingest.csv_rows import column_name, read_csv
from store.ingest.jsonl import parse_each, read_rows
from store.ingest.report import OnProgress, RowError, Tally, chunks
from store.intake import NewQuestion, Taken
from store.rows import ImportReport, Neighbour, NewCandidate, Origin
from store.search import plain_text
from store.workspace import Workspace
from uq_tui.text import counted
from uq_tui.words import AuthorKind

KEYS = ("original_question", "variant_question", "variant_answer")
"""Columns that together tell this form."""

ORIGINAL_ANSWER = "original_answer"
"""Key of a question's `extra` under which its original answer is kept as it came."""

_SOURCE = "source"
_VARIANT_SOURCE = "variant_source"
_COLUMNS = frozenset((*KEYS, ORIGINAL_ANSWER, _SOURCE, _VARIANT_SOURCE))
_LONGEST_FINAL = 300
"""Characters; what is longer, or in paragraphs, is no final answer by itself."""


@dataclass(frozen=True, slots=True)
class _Given:
    """What a row brings. The question and the reference come with the first row of an original."""

    question_id: str
    question: NewQuestion | None
    reference: NewCandidate | None
    variant: Neighbour | None

    @property
    def characters(self) -> int:
        question = len(self.question.body) if self.question else 0
        return question + (len(self.reference.answer) if self.reference else 0) + self._variant_characters

    @property
    def _variant_characters(self) -> int:
        return len(self.variant.statement) if self.variant else 0


@dataclass(frozen=True, slots=True)
class _Original:
    """What an earlier row said of an original, in hashes."""

    line: int
    source: str
    answer_sha256: str


def import_expertmath(
    ws: Workspace, path: Path, *, as_csv: bool, on_progress: OnProgress | None = None
) -> ImportReport:
    """Import originals with their variants. Importing a file again changes nothing.

    A row that lacks something, or that contradicts an earlier row of the same original, is rejected with its line; the
    rows around it are kept.

    Args:
        as_csv: the file has a header line and its rows are CSV, else they are JSON.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it cannot be read, or has a column twice.
    """
    tally = Tally(path, "ExpertMath")
    reader = _Reader(ws, path, tally)
    for chunk in chunks(reader.rows(as_csv=as_csv), lambda given: given.characters):
        for kind, taken in ws.write(partial(_put, given=chunk)):
            tally.take(taken, kind)
        if on_progress is not None:
            on_progress(tally.seen)
    reader.say()
    return tally.report()


def _put(db: Connection, given: Sequence[_Given]) -> list[tuple[str, Taken]]:
    """Store what several rows bring, within a transaction; what became of each thing, by its kind."""
    asked = [one.question for one in given if one.question is not None]
    solved = [one.reference for one in given if one.reference is not None]
    found = [("questions", taken) for taken in intake.put(db, asked)]
    found += (("candidates", taken) for taken in candidates.put(db, solved))
    for one in given:
        if one.variant is not None:
            found += (("neighbours", taken) for taken in neighbours.put(db, one.question_id, [one.variant]))
    return found


class _Reader:
    """Makes questions, references and neighbours of rows, and holds each row against those before it."""

    def __init__(self, ws: Workspace, path: Path, tally: Tally) -> None:
        self._ws = ws
        self._path = path
        self._tally = tally
        self._line = 0
        self._numbers: dict[str, int] = {}
        self._originals: dict[str, _Original] = {}
        self._variants: dict[tuple[str, str], tuple[int, str]] = {}
        """By original and statement: the line, and the neighbour's id."""
        self._finals = 0
        self._without = 0
        self._passed_over: dict[str, None] = {}

    def rows(self, *, as_csv: bool) -> Iterator[_Given]:
        """What the rows of the file bring, in their order; those that can't be used are reported."""
        rows = read_csv(self._path, KEYS) if as_csv else read_rows(self._path)

        def numbered() -> Iterator[Any]:
            for row in rows:
                self._line = row.line
                yield row

        return parse_each(numbered(), self._given, self._tally)

    def say(self) -> None:
        """Note what became of the answers, and which columns were not looked at."""
        if self._finals:
            self._tally.note(f"{counted(self._finals, 'original answer')} kept to compare final answers with")
        if self._without:
            self._tally.note(f"{counted(self._without, 'original')} without an answer")
        if self._passed_over:
            self._tally.note(f"not looked at: {', '.join(self._passed_over)}")

    def _given(self, raw: Mapping[str, Any]) -> _Given:
        row = _plainly_named(raw)
        self._passed_over.update(dict.fromkeys(str(name) for name in row if name and name not in _COLUMNS))
        statement = fields.text(row, KEYS[0])
        if not statement.strip():
            raise RowError("no `original question`")
        question_id = question_id_for_text(UNNAMED_SOURCE, statement)
        # Also of a row that is rejected, so that the numbers of those behind it stay when it is mended.
        number = self._numbers.setdefault(question_id, len(self._numbers) + 1)
        answer, source = _answer(row, ORIGINAL_ANSWER), fields.text(row, _SOURCE).strip()
        said = _Original(self._line, source, text_sha256(answer))
        before = self._originals.get(question_id)
        self._hold_against(before, said)
        variant = self._variant(row, question_id)
        if before is not None:
            return _Given(question_id, None, None, variant)
        self._originals[question_id] = said
        question = self._question(question_id, number, statement, answer, source)
        return _Given(question_id, question, self._reference(question, answer), variant)

    def _hold_against(self, before: _Original | None, said: _Original) -> None:
        if before is None:
            return
        for name, same in (
            ("original answer", before.answer_sha256 == said.answer_sha256),
            ("source", before.source == said.source),
        ):
            if not same:
                raise RowError(
                    f"its `{name}` is not that of line {before.line}, where the same original question stands"
                )

    def _variant(self, row: Mapping[str, Any], question_id: str) -> Neighbour | None:
        statement, answer = fields.text(row, KEYS[1]), _answer(row, KEYS[2])
        if not statement.strip():
            if answer.strip():
                raise RowError("a `variant answer` without a `variant question`")
            return None
        if not answer.strip():
            raise RowError("no `variant answer`")
        key = neighbour_id(statement, answer)
        place = (question_id, text_sha256(statement))
        line, known = self._variants.get(place, (self._line, key))
        if known != key:
            raise RowError(f"its `variant answer` is not that of line {line}, where the same variant question stands")
        self._variants[place] = (line, key)
        return Neighbour("", statement, answer, fields.text(row, _VARIANT_SOURCE).strip() or self._path.name)

    def _question(self, question_id: str, number: int, statement: str, answer: str, source: str) -> NewQuestion:
        text_format = fields.format_of(statement)
        extra = {_SOURCE: source, ORIGINAL_ANSWER: answer}
        return NewQuestion(
            id=question_id,
            title=fields.title_of(plain_text(statement, text_format)),
            body=statement,
            format=text_format,
            source=self._path.name,
            link=source if source.startswith(("https://", "http://")) and len(source.split()) == 1 else "",
            source_id=source,
            other_ids=(ordinal(number), f"{self._path.name.partition('.')[0]}{ordinal(number)}"),
            extra={name: said for name, said in extra.items() if said},
        )

    def _reference(self, question: NewQuestion, answer: str) -> NewCandidate | None:
        if not answer.strip():
            self._without += 1
            return None
        self._finals += 1
        if not is_whole_solution(answer):
            return None
        origin = Origin(AuthorKind.PERSON, source=self._path.name)
        new = NewCandidate(question.id, answer, fields.format_of(answer), origin, reference=True)
        if refusal := candidates.reference_refusal(self._ws, new):
            self._tally.note(
                f"line {self._line}: its answer {candidate_id(question.id, answer)[:6]} is no reference. {refusal}"
            )
            return None
        return new


def ordinal(number: int) -> str:
    """The name of the original that stands at place `number` of its file, from 1."""
    return f"#{number}"


def is_whole_solution(answer: str) -> bool:
    """Whether an original answer is more than a final one: it is long, in paragraphs, or boxes what it arrives at."""
    text = answer.strip().replace("\r\n", "\n")
    words_and_box = "\\boxed" in text and not text.lstrip("$\\[( ").startswith("boxed")
    return words_and_box or "\n\n" in text or len(text) > _LONGEST_FINAL


def is_expertmath(row: Mapping[str, Any]) -> bool:
    """Whether a JSON row is of this form."""
    return set(KEYS) <= {column_name(name) for name in row}


def _plainly_named(row: Mapping[str, Any]) -> Mapping[str, Any]:
    named: dict[str, Any] = {}
    for name, value in row.items():
        plain = column_name(name)
        if plain in _COLUMNS and plain in named:
            raise RowError(f"two keys that are called `{plain}`")
        named[plain] = value
    return named


def _answer(row: Mapping[str, Any], name: str) -> str:
    """An answer as text; tables have integers as floats at times: 1024.0 is 1024."""
    value = row.get(name)
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else str(value)
    return fields.text(row, name) if isinstance(value, str) else fields.identifier(row, name)
