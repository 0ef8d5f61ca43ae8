"""What RealMath-Eval says elsewhere of solutions: where a judge erred, and what segments of solutions got.

A row names a solution by its student and the place of its problem in the exam: `student_id_mapped` with
`question_location_mapped`, in the `detailed_results` of a JSON document; or `sample_id` with `question`. Where a
student solved two problems of one place, the marks or the segment's words decide. The solutions have to be here.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select
from sqlmodel import col

from store import candidate_extras, texts
from store.candidates import read_known_label
from store.ingest import fields
from store.ingest.graded import rest
from store.ingest.jsonl import Row, parse_each
from store.ingest.report import OnProgress, RowError, Tally, chunks
from store.intake import Taken
from store.rows import ImportReport
from store.tables import CandidateOriginTable, CandidateTable, SourceIdTable
from store.workspace import Workspace

NAME = "RealMath-Eval, details"
RESULTS = "detailed_results"
RESULT_KEYS = frozenset(("student_id_mapped", "question_location_mapped", "primary_category_code"))
SEGMENT_KEYS = frozenset(("sample_id", "question", "segment_text", "real_score", "max_score"))


def tells(keys: Iterable[str]) -> bool:
    """Whether a row with these keys speaks of a solution."""
    names = frozenset(keys)
    return names >= RESULT_KEYS or names >= SEGMENT_KEYS


def import_details(
    ws: Workspace, path: Path, rows: Iterable[Row], on_progress: OnProgress | None = None
) -> ImportReport:
    """Keep what the rows say beside the solutions they name. Importing a file again changes nothing.

    A row whose solution isn't here, or can't be told from another, is rejected.

    Raises:
        StoreError: the workspace cannot be written.
        Whatever reading `rows` raises.
    """
    tally = Tally(path, NAME)
    finder = _Finder(ws, path.name)
    for chunk in chunks(parse_each(finder.numbered(rows), finder.detail, tally), lambda one: len(str(one.said))):
        for taken in ws.write(partial(_put, given=chunk)):
            tally.take(taken, "details")
        if on_progress is not None:
            on_progress(tally.seen)
    return tally.report()


@dataclass(frozen=True, slots=True)
class _Detail:
    candidate_id: str
    source: str
    said: Mapping[str, Any]


def _put(db: Connection, given: Iterable[_Detail]) -> list[Taken]:
    put = candidate_extras.put
    return [Taken.NEW if put(db, one.candidate_id, one.source, one.said) else Taken.SAME for one in given]


class _Finder:
    """Finds the solutions that rows mean."""

    def __init__(self, ws: Workspace, source: str) -> None:
        self._ws = ws
        self._source = source
        self._line = 0
        self._by_place: dict[str, dict[str, list[str]]] = {}
        """Ids of solutions by place and student."""

    def numbered(self, rows: Iterable[Row]) -> Iterable[Row]:
        """The rows, while their lines are kept."""
        for row in rows:
            self._line = row.line
            yield row

    def detail(self, row: Mapping[str, Any]) -> _Detail:
        """What a row says, and of which solution. Raises RowError: of none that can be told."""
        student = fields.identifier(row, "student_id_mapped", "sample_id")
        place = fields.identifier(row, "question_location_mapped", "question")
        found = self._at(place).get(student, [])
        if len(found) > 1:
            found = [one for one in found if self._fits(one, row)]
        if len(found) != 1:
            raise RowError(
                f"several solutions of {place} by {student} may be meant"
                if found
                else f"no solution of {place} by {student} is in this workspace; import the solutions first"
            )
        return _Detail(found[0], f"{self._source}:{self._line}", rest(row))

    def _at(self, place: str) -> Mapping[str, list[str]]:
        if place not in self._by_place:
            query = (
                select(col(CandidateTable.id), col(CandidateOriginTable.person))
                .join(SourceIdTable, col(SourceIdTable.question_id) == col(CandidateTable.question_id))
                .join(CandidateOriginTable, col(CandidateOriginTable.candidate_id) == col(CandidateTable.id))
                .where(col(SourceIdTable.source_id) == place, col(CandidateOriginTable.person) != "")
            )
            found: dict[str, list[str]] = {}
            with self._ws.read() as db:
                for row in db.execute(query.distinct().order_by(col(CandidateTable.id))):
                    found.setdefault(row.person, []).append(row.id)
            self._by_place[place] = found
        return self._by_place[place]

    def _fits(self, candidate_id: str, row: Mapping[str, Any]) -> bool:
        """Whether the solution has the marks that the row says, or the words."""
        segment = fields.text(row, "segment_text").strip()
        with self._ws.read() as db:
            if segment:
                query = select(col(CandidateTable.answer_sha256)).where(col(CandidateTable.id) == candidate_id)
                sha256 = db.execute(query).scalar_one()
                return sha256 is not None and segment in texts.read_raw(db, sha256)
            label = read_known_label(db, candidate_id)
        return label is not None and label.marks == fields.number(row, "gt")
