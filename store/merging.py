"""Sealed rows of files, added to those that are here: a union, whose result doesn't depend on the order of rows.

What is as it nearly always is - a new row, or one that is here - is decided from what the columns say, a batch at
once; the rest in `store.disputes`. All of it is within a transaction.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sqlalchemy import Connection

from store import decided_items, resolution_status
from store.disputes import Disputed, Family, Touched, count, dispute, reconsider
from store.driver import AMONG, driver, listed
from store.frozen_rows import BadRecordError, sealed
from store.intake import Taken
from store.record_shape import HASH_KEY
from store.row_conflicts import Seen, is_redacted
from store.sealed_kinds import KINDS, SealedKind

_SAID = "json_extract(record, '$.candidate_sha256')"
_PLACES = (
    "SELECT id, question_id, answer_sha256, CASE WHEN answer_sha256 IS NULL THEN coalesce("
    f"(SELECT {_SAID} FROM verdict WHERE candidate_id = candidate.id LIMIT 1),"
    f" (SELECT {_SAID} FROM evidence_record WHERE candidate_id = candidate.id LIMIT 1),"
    f" (SELECT max({_SAID}) FROM statement WHERE candidate_id = candidate.id)) END"
    f" FROM candidate WHERE id {AMONG}"
)
"""Rows that count agree on the text of a candidate that isn't here; statements may not know it."""
_DISPUTED = f"SELECT row_id FROM quarantine WHERE reason <> 'damaged' AND kind = ? AND row_id {AMONG}"
_DISPUTED_CANDIDATES = f"SELECT candidate_id FROM quarantine WHERE reason <> 'damaged' AND candidate_id {AMONG}"

_NAMED_BY_ROWS = "SELECT value FROM json_each(?) WHERE " + " OR ".join(
    f"EXISTS (SELECT 1 FROM {table} WHERE candidate_id = value)"
    for table in ("quarantine", *(kind.table for kind in KINDS.values()))
)


class Incoming(NamedTuple):
    """An intact row, and where it is from."""

    kind: SealedKind
    record: Mapping[str, Any]
    line: str
    """Sealed."""
    file: str = ""
    number: int = 0
    """Of its line in the file."""


@dataclass(slots=True)
class Merged:
    """What became of rows."""

    results: list[Taken | str]
    """One a row, in their order; where it is kept apart, why."""
    superseded: int = 0
    """Rows that count, and of which a later revision is here, though not before."""
    touched: Touched = field(default_factory=Touched)


def merge(conn: Connection, rows: Sequence[Incoming]) -> Merged:
    """Take in intact rows. Unknown questions and candidates get stubs, to be completed when their texts arrive.

    A row is `Taken.NEW`, `Taken.CHANGED` where it takes the place of a copy that left out more, `Taken.SAME`, or is
    kept in quarantine. Items of queues are brought in line with what verdicts decide.
    """
    return _Batch(conn, rows).merge()


def put_record(conn: Connection, record: Mapping[str, Any]) -> Taken:
    """Take in one intact row.

    Raises:
        BadRecordError: it was put in quarantine, with why.
    """
    (result,) = merge(conn, [Incoming(KINDS[record["record"]], record, sealed(record))]).results
    if isinstance(result, Taken):
        return result
    raise BadRecordError(result)


def texts_came(conn: Connection, candidate_ids: Iterable[str]) -> None:
    """Hold all rows on candidates, those in quarantine too, against their texts, which were not known before."""
    for (candidate_id,) in driver(conn).execute(_NAMED_BY_ROWS, (listed(candidate_ids),)).fetchall():
        _follow(conn, reconsider(conn, candidate_id))


def _follow(conn: Connection, touched: Touched) -> None:
    """Bring in line what hangs on rows that came to count, or do so no more."""
    resolution_status.refresh_each(conn, touched.said_of)
    decided_items.follow_rows(conn, touched.judged)


@dataclass(slots=True)
class _Family:
    """What is here of one verdict, statement or evidence."""

    subject: tuple[object, ...] = ()
    revisions: dict[int, str] = field(default_factory=dict)
    """The hash of each."""


class _Place(NamedTuple):
    question_id: str
    sha256: str
    """Of the answer's text; "" where nobody has said."""


class _Batch:
    """Rows on their way in, and all that is here of their families and candidates."""

    def __init__(self, conn: Connection, rows: Sequence[Incoming]) -> None:
        self._conn = conn
        self._rows = rows
        self._families: dict[Family, _Family] = {}
        self._places: dict[str, _Place] = {}
        self._disputed: set[Family] = set()
        self._disputed_candidates: set[str] = set()
        self._waiting: dict[str, list[Seen]] = {}
        self._in_dispute: list[tuple[int, Family, Disputed]] = []
        """Each with its place among the results."""
        self._done = Merged([])
        self._load(((row.kind.name, row.kind.row_id(row.record)) for row in rows), _candidates(rows))

    def merge(self) -> Merged:
        for row in self._rows:
            self._done.results.append(self._take(row))
        self._write()
        self._settle()
        _follow(self._conn, self._done.touched)
        return self._done

    def _take(self, row: Incoming) -> Taken | str:
        """Have a row wait to be written, or to be looked at closer, which then says what became of it."""
        key = row.kind.name, row.kind.row_id(row.record)
        family = self._families.setdefault(key, _Family())
        revision = row.kind.revision(row.record)
        if family.revisions.get(revision) == row.record[HASH_KEY]:
            return Taken.SAME
        values = row.kind.values(row.record, row.line)
        subject = tuple([values[name] for name in row.kind.subject])
        newest = max(family.revisions, default=None)
        if key in self._disputed or not self._fits(row, family, revision, subject):
            self._disputed.add(key)
            seen = Seen(row.kind, row.record, row.line, counts=False)
            self._in_dispute.append((len(self._done.results), key, (seen, (row.file, row.number))))
            return Taken.SAME
        family.subject = subject
        family.revisions[revision] = row.record[HASH_KEY]
        self._waiting.setdefault(row.kind.name, []).append(Seen(row.kind, row.record, row.line, counts=False))
        self._done.superseded += newest is not None
        return Taken.NEW

    def _fits(self, row: Incoming, family: _Family, revision: int, subject: tuple[object, ...]) -> bool:
        """Whether a row simply adds to its family, and says of its candidate what is known; what is new is noted."""
        if family.revisions and (family.subject != subject or revision in family.revisions or is_redacted(row.record)):
            return False
        candidate_id = row.record["candidate_id"]
        if not candidate_id:
            return True
        if candidate_id in self._disputed_candidates:
            return False
        said = _Place(row.record["question_id"], row.record["candidate_sha256"])
        known = self._places.setdefault(candidate_id, said)
        if known.question_id != said.question_id or known.sha256 not in ("", said.sha256, said.sha256 or known.sha256):
            return False
        if not known.sha256:
            self._places[candidate_id] = said
        return True

    def _settle(self) -> None:
        if not self._in_dispute:
            return
        before = {key: dict(self._families[key].revisions) for _, key, _ in self._in_dispute}
        mine = Touched()
        reasons = dispute(self._conn, [row for _, _, row in self._in_dispute], mine)
        self._load(before, ())
        for (place, key, (one, _)), reason in zip(self._in_dispute, reasons, strict=True):
            result = reason or self._became(one, self._families[key].revisions, before[key])
            mine.released -= result in (Taken.NEW, Taken.CHANGED)
            self._done.results[place] = result
        self._done.touched.add(mine)

    def _became(self, one: Seen, now: Mapping[int, str], before: dict[int, str]) -> Taken:
        """What became of a row that isn't in quarantine, by the revisions of its family; `before` gets it, too."""
        sha256 = one.record[HASH_KEY]
        if now.get(one.revision) != sha256 or before.get(one.revision) == sha256:
            return Taken.SAME
        had = one.revision in before
        self._done.superseded += bool(before) and not had
        before[one.revision] = sha256
        return Taken.CHANGED if had else Taken.NEW

    def _write(self) -> None:
        for name, rows in self._waiting.items():
            count(self._conn, KINDS[name], rows, self._done.touched)
        self._waiting.clear()

    def _load(self, families: Iterable[Family], candidates: Iterable[str]) -> None:
        """Read what is here of families and candidates, in place of what was known of them."""
        raw = driver(self._conn)
        ids: dict[str, list[str]] = {}
        for key in families:
            ids.setdefault(key[0], []).append(key[1])
            self._families[key] = _Family()
            self._disputed.discard(key)
        for name, wanted in ids.items():
            kind, these = KINDS[name], listed(wanted)
            self._disputed.update((name, row_id) for (row_id,) in raw.execute(_DISPUTED, (name, these)))
            revision = "revision" if kind.has_revisions else "0"
            columns = f"{kind.id_key}, {revision}, {HASH_KEY}, {', '.join(kind.subject)}"
            stored = raw.execute(f"SELECT {columns} FROM {kind.table} WHERE {kind.id_key} {AMONG}", (these,))
            for row_id, number, sha256, *subject in stored:
                family = self._families[name, row_id]
                # Copies without the reviewer name another one: what comes then is looked at closer.
                agrees = not family.revisions or family.subject == tuple(subject)
                family.subject = tuple(subject) if agrees else ()
                family.revisions[number] = sha256
        wanted_candidates = set(candidates)
        self._disputed_candidates -= wanted_candidates
        for candidate_id in wanted_candidates:
            self._places.pop(candidate_id, None)
        these = listed(wanted_candidates)
        self._disputed_candidates.update(row[0] for row in raw.execute(_DISPUTED_CANDIDATES, (these,)))
        for candidate_id, question_id, sha256, said in raw.execute(_PLACES, (these,)):
            if sha256 is None and said is None:
                # Nothing that counts is on it, so what isn't counted has to be looked at.
                self._disputed_candidates.add(candidate_id)
            self._places[candidate_id] = _Place(question_id, sha256 or said or "")


def _candidates(rows: Iterable[Incoming]) -> set[str]:
    return {row.record["candidate_id"] for row in rows}
