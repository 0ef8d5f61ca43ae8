"""Graded work: problems with their solutions, attempts at them, and what people made of these. Shared by its formats.

A row goes in whole or is rejected. A problem is stored once, however many rows of a file repeat it: what later ones say
of it otherwise is kept with their attempts. Of an answer that a file has twice, the first row stands.

Full marks make an answer correct, anything less incorrect; an answer without marks gets no label. Marks that can't be,
such as 6 of 1, give none either: the row is stored, the marks stay in what is kept beside it, and a note names
the line. A label that another file gave before stands, and where the two differ that is said.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from store import candidates, external_scores, intake
from store.external_scores import ExternalScore
from store.identity import UNNAMED_SOURCE, candidate_id, question_id_for_text, text_sha256
from store.ingest import fields
from store.ingest.expertmath import ORIGINAL_ANSWER
from store.ingest.jsonl import Row, parse_each
from store.ingest.report import OnProgress, RowError, Tally, chunks
from store.intake import NewQuestion, Taken
from store.rows import ImportReport, KnownLabel, NewCandidate, Origin
from store.search import plain_text
from store.workspace import Workspace
from uq_tui.words import AuthorKind, Label, TextFormat

_LINES_NAMED = 10
_EMPTY: tuple[object, ...] = (None, "", [], {})
_ID = "id"
_EXACT = 2**53
"""Floats below this have all their digits."""


@dataclass(frozen=True, slots=True)
class Work:
    """What a row brings."""

    question: NewQuestion | None
    """None where the problem is stored already."""
    candidates: tuple[NewCandidate, ...] = ()
    """Reference solutions first, then attempts."""
    scores: tuple[ExternalScore, ...] = ()


Parse = Callable[[Mapping[str, Any], "GradedFile"], Work]
"""Reads one row. Raises RowError: it can't be used."""


def import_graded(
    ws: Workspace, path: Path, name: str, rows: Iterable[Row], parse: Parse, on_progress: OnProgress | None = None
) -> ImportReport:
    """Store what the rows of a file bring. Importing a file again changes nothing.

    Args:
        name: what the format is called in the report.

    Raises:
        StoreError: the workspace cannot be written.
        Whatever reading `rows` raises.
    """
    tally = Tally(path, name)
    file = GradedFile(ws, path.name, tally)
    for chunk in chunks(file.works(rows, parse), _characters):
        found, overruled = ws.write(partial(_put, given=chunk))
        for kind, taken in found:
            tally.take(taken, kind)
        file.overruled += overruled
        if on_progress is not None:
            on_progress(tally.seen)
    file.say()
    return tally.report()


@dataclass(frozen=True, slots=True)
class _Given:
    line: int
    work: Work


def _characters(given: _Given) -> int:
    work = given.work
    question = len(work.question.body) if work.question else 0
    return question + sum(len(one.answer) + len(one.reasoning) for one in work.candidates)


def _put(db: Connection, given: Sequence[_Given]) -> tuple[list[tuple[str, Taken]], list[str]]:
    """Store it, within a transaction: what became of each thing by its kind, and where labels were overruled."""
    overruled: list[str] = []
    new = [_under_older_label(db, one, each.line, overruled) for each in given for one in each.work.candidates]
    asked = [each.work.question for each in given if each.work.question is not None]
    found = [("questions", taken) for taken in intake.put(db, asked)]
    found += (("candidates", taken) for taken in candidates.put(db, new))
    scores = [score for each in given for score in each.work.scores]
    found += (("scores", taken) for taken in external_scores.put(db, scores))
    return found, overruled


def _under_older_label(db: Connection, new: NewCandidate, line: int, overruled: list[str]) -> NewCandidate:
    """The candidate without its label where another file has given one."""
    label = new.known_label
    stored = candidates.read_known_label(db, candidate_id(new.question_id, new.answer)) if label else None
    if label is None or stored is None or stored.source == label.source:
        return new
    if _decision(stored) != _decision(label):
        overruled.append(f"line {line}")  # not what is stored: whoever is told may be judging it blind
    return replace(new, known_label=None)


@dataclass(frozen=True, slots=True)
class _Problem:
    """What the first row of a problem says, in hashes."""

    line: int
    said: Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class _Answer:
    """What the first row of an answer says."""

    line: int
    label: KnownLabel | None
    extra: bytes
    """Hash of it."""
    reference: Origin | None
    """Where it is from, if it is a reference."""


class GradedFile:
    """A file as it is read: holds each row against those before it, and gathers what is to be said of the whole."""

    def __init__(self, ws: Workspace, source: str, tally: Tally) -> None:
        self.ws = ws
        self.source = source
        """The name of the file."""
        self.line = 0
        self.overruled: list[str] = []
        """Lines of labels against which a label of another file stands."""
        self._tally = tally
        self._problems: dict[str, _Problem] = {}
        self._answers: dict[str, _Answer] = {}
        self._noted: dict[str, list[str]] = {}
        self._of_row: list[tuple[str, str]] = []

    def works(self, rows: Iterable[Row], parse: Parse) -> Iterator[_Given]:
        """What the rows bring, in their order; those that can't be used are reported."""

        def numbered() -> Iterator[Row]:
            for row in rows:
                self.line = row.line
                self._of_row = []
                yield row

        def settled(raw: Mapping[str, Any]) -> _Given:
            work = self._settled(parse(raw, self))
            for what, where in self._of_row:
                self._noted.setdefault(what, []).append(where)
            return _Given(self.line, work)

        return parse_each(numbered(), settled, self._tally)

    def note(self, what: str, more: str = "") -> None:
        """Have it said of this row, together with others of which the same is to be said."""
        self._of_row.append((what, f"line {self.line}" + (f" ({more})" if more else "")))

    def read_more(self, parts: int) -> None:
        """Count parts of this row, beyond the first, as rows that were read."""
        self._tally.read += parts

    def reject_part(self, reason: str) -> None:
        """Report a part of this row that can't be used, while the others are."""
        self._tally.reject(self.line, reason)

    def marked(self, marks: float | None, full: float | None, flaw: str = "") -> KnownLabel | None:
        """The label that marks stand for; None where there are none, or none that can be."""
        if marks is None:
            return None
        if full is None:
            self.note("no label is taken from marks of which it isn't known how many there are", f"{marks:g}")
            return None
        if full <= 0 or not 0 <= marks <= full:
            self.note("no label is taken from marks that can't be", f"{marks:g} of {full:g}")
            return None
        label = Label.CORRECT if marks == full else Label.INCORRECT
        return KnownLabel(label, "" if label is Label.CORRECT else flaw, self.source, marks, full)

    def say(self) -> None:
        """Note what was found in several rows."""
        groups = {**self._noted, "another file gave other labels before, and these stand": self.overruled}
        for what, where in groups.items():
            if where:
                more = len(where) - _LINES_NAMED
                named = ", ".join(where[:_LINES_NAMED]) + (f", and {more:,} more" if more > 0 else "")
                self._tally.note(f"{what}: {named}")

    def _settled(self, work: Work) -> Work:
        """The work without what is stored of it already. Raises RowError: it contradicts an earlier row."""
        question = work.question
        facts = _facts(question) if question is not None else {}
        said = {name: _hash(value) for name, value in facts.items()}
        before = self._problems.get(question.id) if question is not None else None
        other = [name for name, known in said.items() if before is not None and before.said.get(name) != known]
        if before is not None and ORIGINAL_ANSWER in other:
            raise RowError(f"its answer is not that of line {before.line}, where the same problem stands")
        given = self._references_checked(work.candidates)
        for one in given:
            self._hold_against(one)
        if question is not None and before is None:
            self._problems[question.id] = _Problem(self.line, said)
        if before is not None and question is not None and other:
            given = self._with_other(given, before, {name: facts[name] for name in other})
            # Files of answers may name it by this id, too.
            question = replace(question, title="", category="", tags=(), extra={}) if _ID in other else None
        elif before is not None:
            question = None
        seen = {key for one in given if (key := candidate_id(one.question_id, one.answer)) in self._answers}
        return Work(
            question,
            tuple(kept for one in given if (kept := self._registered(one)) is not None),
            tuple(score for score in work.scores if score.candidate_id not in seen),
        )

    def _with_other(
        self, given: Sequence[NewCandidate], before: _Problem, other: Mapping[str, Any]
    ) -> tuple[NewCandidate, ...]:
        """The candidates, the last attempt with what this row says of the problem otherwise than the first one."""
        if not given or given[-1].reference:
            self.note(
                "what the first row says of a problem stands",
                f"{', '.join(other)}; line {before.line} has the same problem",
            )
            return tuple(given)
        return (*given[:-1], replace(given[-1], extra={**given[-1].extra, "problem": dict(other)}))

    def _references_checked(self, given: Sequence[NewCandidate]) -> tuple[NewCandidate, ...]:
        """The candidates without references that are a model's answer, too."""
        attempts = {one.answer for one in given if not one.reference and not _by_a_person(one)}
        kept = []
        for one in given:
            before = self._answers.get(candidate_id(one.question_id, one.answer))
            if not one.reference or (before is not None and before.reference is not None):
                kept.append(one)
            elif one.answer in attempts or before is not None or candidates.reference_refusal(self.ws, one):
                self.note("no reference, as the same answer is a candidate's")
            else:
                kept.append(one)
        return tuple(kept)

    def _hold_against(self, new: NewCandidate) -> None:
        before = self._answers.get(candidate_id(new.question_id, new.answer))
        label = new.known_label
        if before is None or label is None or before.label is None or _decision(before.label) == _decision(label):
            return
        raise RowError(
            f"it is {_said(label)}, where line {before.line} says of the same answer that it is {_said(before.label)}"
        )

    def _registered(self, new: NewCandidate) -> NewCandidate | None:
        """What is to be stored of an answer; None of a solution that each row of its problem repeats."""
        key = candidate_id(new.question_id, new.answer)
        extra = _hash(new.extra)
        before = self._answers.get(key)
        if before is None:
            origin = new.origin if new.reference else None
            self._answers[key] = _Answer(self.line, new.known_label, extra, origin)
            return new
        if new.reference and new.origin == before.reference and extra == before.extra:
            return None
        if new.extra and extra != before.extra:
            self.note("what the first row says of an answer stands", f"line {before.line} has the same answer")
        if before.label is None and new.known_label is not None:
            self._answers[key] = replace(before, label=new.known_label)
        return replace(new, extra={}, known_label=None if before.label is not None else new.known_label)


def problem(
    statement: str,
    source: str,
    *,
    source_id: str = "",
    category: str = "",
    tags: Sequence[str] = (),
    answer: str = "",
    extra: Mapping[str, Any],
) -> NewQuestion:
    """The question that a statement is, in Markdown; it is named by a hash of it. Raises RowError: there is none.

    Args:
        source: the name of the file.
        answer: its short answer, which final answers are compared with.
    """
    if not statement.strip():
        raise RowError("no statement of the problem")
    return NewQuestion(
        id=question_id_for_text(UNNAMED_SOURCE, statement),
        title=fields.title_of(plain_text(statement, TextFormat.MARKDOWN)),
        body=statement,
        format=TextFormat.MARKDOWN,
        source=source,
        source_id=source_id,
        category=category.strip(),
        tags=tuple(dict.fromkeys(tag.strip() for tag in tags if tag.strip())),
        extra={**extra, ORIGINAL_ANSWER: answer} if answer.strip() else dict(extra),
    )


def reference(question_id: str, solution: str, source: str, *, person: str = "", **extra: Any) -> NewCandidate:
    """A reference solution, in Markdown."""
    origin = Origin(AuthorKind.PERSON, person=person, source=source)
    return NewCandidate(question_id, solution, TextFormat.MARKDOWN, origin, reference=True, extra=extra)


def rest(row: Mapping[str, Any], *used: str) -> dict[str, Any]:
    """What a row says beyond what was used of it, without empty fields, nulls at any depth, and `.0`.

    Tables write null for what a row doesn't say, and 7 as 7.0, so that a problem would differ by the kind of file it
    stands in.
    """
    kept = {name: _plain(value) for name, value in row.items() if name not in used}
    return {name: value for name, value in kept.items() if value not in _EMPTY}


def an_object(row: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """A field that is an object; empty when it isn't there or null. Raises RowError: it is something else."""
    value = row.get(name)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise RowError(f"`{name}` is not an object")
    return value


def objects(row: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """A field that is a list of objects; empty when it isn't there or null. Raises RowError: it is something else."""
    value = row.get(name)
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(one, Mapping) for one in value):
        raise RowError(f"`{name}` is not a list of objects")
    return value


def short_answer(value: object) -> str:
    """An answer of any JSON type as text: `12`, `True`, `[0, 5]`, `0.25`. Tables have integers as floats at times."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, float) and _is_whole(value):
        return str(int(value))
    return json.dumps(value)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _plain(one) for name, one in value.items() if one is not None}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return int(value) if isinstance(value, float) and _is_whole(value) else value


def _is_whole(number: float) -> bool:
    return number.is_integer() and abs(number) < _EXACT


def _facts(question: NewQuestion) -> dict[str, Any]:
    facts = {**question.extra, _ID: question.source_id, "category": question.category, "tags": question.tags}
    return {name: value for name, value in facts.items() if value not in ("", ())}


def _hash(value: object) -> bytes:
    return bytes.fromhex(text_sha256(json.dumps(value, sort_keys=True))[:16])


def _by_a_person(new: NewCandidate) -> bool:
    return new.origin is not None and new.origin.kind is AuthorKind.PERSON


def _decision(label: KnownLabel) -> tuple[Label, float | None, float | None]:
    return label.label, label.marks, label.full_marks


def _said(label: KnownLabel) -> str:
    return f"{label.label}, {label.marks_text}" if label.marks_text else label.label.value
