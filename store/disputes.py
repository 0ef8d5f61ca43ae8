"""Rows that contradict others, or what is known of their candidate: which of them count, worked out anew.

What is here afterwards depends on which rows were seen, on the texts and on what was recorded here, never on the order
in which they came. All of it is within a transaction.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection

from store import quarantine
from store.driver import bound_row, driver
from store.quarantine import Quarantined
from store.row_conflicts import Seen, best_copies, conflicts
from store.sealed_kinds import KINDS, VERDICT, SealedKind
from store.stubs import ensure
from uq_tui.words import QuarantineReason, StatementKind

CONFLICT, CONTRADICTION = QuarantineReason.CONFLICT, QuarantineReason.CONTRADICTION
_DISAGREE = "rows differ in which question or which text its candidate is"

_PLACE = "SELECT question_id, answer_sha256 FROM candidate WHERE id = ?"
_HAS_CONTRADICTION = "SELECT 1 FROM quarantine WHERE candidate_id = ? AND reason = 'contradiction' LIMIT 1"
_SAID_BY = " UNION ALL ".join(
    (
        *(f"SELECT question_id, record AS line FROM {kind.table} WHERE candidate_id = :id" for kind in KINDS.values()),
        "SELECT json_extract(line, '$.question_id'), line FROM quarantine"
        " WHERE candidate_id = :id AND reason = 'conflict'",
    )
)
_SAID = (
    f"SELECT question_id, json_extract(line, '$.candidate_sha256') AS sha256 FROM ({_SAID_BY})"
    " WHERE sha256 <> '' OR :any LIMIT 1"
)
"""What rows that don't contradict each other say of a candidate: those that name its text, or any."""

Family = tuple[str, str]
"""A kind, and the id of a verdict, statement or evidence of that kind."""
Disputed = tuple[Seen, tuple[str, int]]
"""A row, and file and line that it is from."""


@dataclass(slots=True)
class Touched:
    """What has changed, so that what hangs on it can be brought in line."""

    families: set[Family] = field(default_factory=set)
    candidates: set[str] = field(default_factory=set)
    judged: set[tuple[str, str, str]] = field(default_factory=set)
    """Reviewer, question and candidate of verdicts."""
    said_of: set[str] = field(default_factory=set)
    """Questions that resolutions are of."""
    stubs: int = 0
    """Candidates that were added without a text."""
    withdrawn: int = 0
    """Rows that counted before."""
    released: int = 0
    """Rows that were in quarantine before, and count."""

    def note(self, one: Seen) -> None:
        """A row came to count, or does so no more."""
        kind, row = one.kind, one.record
        self.families.add((kind.name, kind.row_id(row)))
        self.candidates.add(row["candidate_id"])
        if kind is VERDICT:
            self.judged.add((row["reviewer"]["id"], row["question_id"], row["candidate_id"]))
        elif row.get("kind") == StatementKind.RESOLUTION:
            self.said_of.add(row["question_id"])

    def add(self, other: "Touched") -> None:
        """What else has changed."""
        self.families |= other.families
        self.candidates |= other.candidates
        self.judged |= other.judged
        self.said_of |= other.said_of
        self.stubs += other.stubs
        self.withdrawn += other.withdrawn
        self.released += other.released


def dispute(conn: Connection, rows: Sequence[Disputed], touched: Touched) -> list[str]:
    """Take in rows that can't simply be added. Whether one counts can be looked up by its hash afterwards.

    All of them together, since working out anew what counts of a verdict takes the longer the more of it is here.

    Returns of each why it doesn't; "" where it does, or a fuller copy of it.

    Args:
        conn: of the transaction.
        rows: the rows, not counted yet.
        touched: is told what changes.
    """
    for new, origin in rows:
        contradiction = _contradiction(conn, new, touched)
        _put_aside(conn, new, CONTRADICTION if contradiction else CONFLICT, contradiction, origin)
    _settle_families(conn, (new for new, _ in rows), touched)
    kept = [quarantine.find(conn, _sha256(new.line)) for new, _ in rows]
    return [f"{one.reason}: {one.detail}" if one is not None else "" for one in kept]


def reconsider(conn: Connection, candidate_id: str) -> Touched:
    """Hold all rows on a candidate against its text, which has just arrived."""
    touched = Touched()
    seen = [*_counting_on(conn, candidate_id), *_aside_on(conn, candidate_id, CONFLICT, CONTRADICTION)]
    for one in seen:
        contradiction = _against_text(conn, one)
        if one.counts and contradiction:
            _withdraw(conn, one, CONTRADICTION, contradiction, touched)
        elif not one.counts:
            # One that doesn't contradict is in conflict until its family is settled.
            _put_aside(conn, one, CONTRADICTION if contradiction else CONFLICT, contradiction)
    _settle_families(conn, seen, touched)
    return touched


def settle_family(conn: Connection, kind: SealedKind, row_id: str, touched: Touched) -> None:
    """Have those rows of one verdict, statement or evidence count that can, and no others."""
    aside = _lines(conn, kind, row_id, CONFLICT)
    known = {one.line: one.detail for one in aside}
    seen = [*_counting(conn, kind, row_id), *(_seen(kind, line, counts=False) for line in known)]
    copies = best_copies(seen)
    kept = {one.line for one in copies}
    for one in seen:
        if one.line not in kept:
            _drop(conn, one)
    reasons = list(zip(copies, conflicts(copies), strict=True))
    for one, reason in reasons:
        if reason and one.counts:
            _withdraw(conn, one, CONFLICT, reason, touched)
        elif reason and reason != known[one.line]:
            _put_aside(conn, one, CONFLICT, reason)
    for one, reason in reasons:
        if not reason and not one.counts:
            quarantine.take_out(conn, _sha256(one.line))
            touched.released += 1
            count(conn, one.kind, [one], touched)


def count(conn: Connection, kind: SealedKind, rows: Iterable[Seen], touched: Touched) -> None:
    """Add rows of one kind to those that count, with stubs for what they are about."""
    told = list(rows)
    touched.stubs += ensure(conn, [one.record for one in told])
    values = [kind.values(one.record, one.line) for one in told]
    columns = ", ".join(values[0])
    statement = f"INSERT INTO {kind.table} ({columns}) VALUES ({', '.join('?' * len(values[0]))})"
    driver(conn).executemany(statement, [bound_row(row.values()) for row in values])
    for one in told:
        touched.note(one)


def _contradiction(conn: Connection, new: Seen, touched: Touched) -> str:
    """What a row says of its candidate that isn't so; "" for nothing.

    Where the text isn't here, rows on the candidate can only contradict each other, and then none of them counts.
    """
    candidate_id = new.record["candidate_id"]
    if not candidate_id:
        return ""
    raw = driver(conn)
    place = raw.execute(_PLACE, (candidate_id,)).fetchone()
    if place is not None and place[1] is not None:
        return _against_text(conn, new)
    if raw.execute(_HAS_CONTRADICTION, (candidate_id,)).fetchone() is not None:
        return _DISAGREE
    if not _differs(conn, new):
        return ""
    others = [*_counting_on(conn, candidate_id), *_aside_on(conn, candidate_id, CONFLICT)]
    for one in others:
        if one.counts and not one.here:
            _withdraw(conn, one, CONTRADICTION, _DISAGREE, touched)
        elif not one.counts:
            _put_aside(conn, one, CONTRADICTION, _DISAGREE)
    _settle_families(conn, others, touched)
    return _DISAGREE


def _differs(conn: Connection, new: Seen) -> bool:
    """Whether a row says something else of its candidate than the rows do that don't contradict each other."""
    candidate_id, sha256 = new.record["candidate_id"], new.record["candidate_sha256"]
    raw = driver(conn)
    said = raw.execute(_SAID, {"id": candidate_id, "any": not sha256}).fetchone()
    if said is None:  # none of them names the text
        said = raw.execute(_SAID, {"id": candidate_id, "any": True}).fetchone()
    if said is None:
        return False
    question_id, known = said
    return question_id != new.record["question_id"] or bool(sha256 and known and sha256 != known)


def _against_text(conn: Connection, row: Seen) -> str:
    """What a row says of a candidate whose text is here that isn't so."""
    question_id, sha256 = driver(conn).execute(_PLACE, (row.record["candidate_id"],)).fetchone()
    if row.record["question_id"] != question_id:
        return f"its candidate is stored as an answer to {question_id}"
    if row.record["candidate_sha256"] not in ("", sha256):
        return "its `candidate_sha256` is not that of the stored answer"
    return ""


def _settle_families(conn: Connection, rows: Iterable[Seen], touched: Touched) -> None:
    for kind, row_id in dict.fromkeys((one.kind.name, one.kind.row_id(one.record)) for one in rows):
        settle_family(conn, KINDS[kind], row_id, touched)
        _drop_lesser_copies(conn, KINDS[kind], row_id)


def _drop_lesser_copies(conn: Connection, kind: SealedKind, row_id: str) -> None:
    """Of rows that contradict their candidate keep the best copy of each content, as of others."""
    seen = [_seen(kind, one.line, counts=False) for one in _lines(conn, kind, row_id, CONTRADICTION)]
    kept = {one.line for one in best_copies(seen)}
    for one in seen:
        if one.line not in kept:
            _drop(conn, one)


def _withdraw(conn: Connection, one: Seen, reason: QuarantineReason, detail: str, touched: Touched) -> None:
    _drop(conn, one)
    _put_aside(conn, one, reason, detail)
    touched.withdrawn += 1
    touched.note(one)


def _drop(conn: Connection, one: Seen) -> None:
    if not one.counts:
        quarantine.take_out(conn, _sha256(one.line))
        return
    where = f"{one.kind.id_key} = ?" + (" AND revision = ?" if one.kind.has_revisions else "")
    this = (one.kind.row_id(one.record), one.revision) if one.kind.has_revisions else (one.kind.row_id(one.record),)
    driver(conn).execute(f"DELETE FROM {one.kind.table} WHERE {where}", this)


def _put_aside(
    conn: Connection, one: Seen, reason: QuarantineReason, detail: str, origin: tuple[str, int] = ("", 0)
) -> None:
    line = Quarantined(
        _sha256(one.line),
        one.kind.name,
        one.kind.row_id(one.record),
        one.revision,
        one.record["candidate_id"],
        reason,
        detail,
        *origin,
        one.line,
    )
    quarantine.put(conn, [line])


def _counting(conn: Connection, kind: SealedKind, row_id: str) -> Iterator[Seen]:
    return _stored(conn, kind, kind.id_key, row_id)


def _counting_on(conn: Connection, candidate_id: str) -> Iterator[Seen]:
    for kind in KINDS.values():
        yield from _stored(conn, kind, "candidate_id", candidate_id)


def _stored(conn: Connection, kind: SealedKind, column: str, value: str) -> Iterator[Seen]:
    imported = "imported" if kind.has_revisions else "1"
    rows = driver(conn).execute(f"SELECT record, {imported} FROM {kind.table} WHERE {column} = ?", (value,)).fetchall()
    for line, is_imported in rows:
        yield _seen(kind, line, counts=True, here=not is_imported)


def _lines(conn: Connection, kind: SealedKind, row_id: str, reason: QuarantineReason) -> list[Quarantined]:
    return list(quarantine.of_row(conn, kind.name, row_id, reason))


def _aside_on(conn: Connection, candidate_id: str, *reasons: QuarantineReason) -> Iterator[Seen]:
    for reason in reasons:
        for one in list(quarantine.on_candidate(conn, candidate_id, reason)):
            yield _seen(KINDS[one.kind], one.line, counts=False)


def _seen(kind: SealedKind, line: str, *, counts: bool, here: bool = False) -> Seen:
    return Seen(kind, json.loads(line), line, counts, here)


def _sha256(line: str) -> str:
    return hashlib.sha256(line.encode()).hexdigest()
