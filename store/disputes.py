"""Rows that contradict others, or what is known of their candidate: which of them count, worked out anew.

What is here afterwards depends on which rows were seen, on the texts and on what was recorded here, never on the order
in which they came. All of it is within a transaction.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
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
_MANY = 16
"""So many rows in conflict over one revision settle that further ones are, too."""

_PLACE = "SELECT question_id, answer_sha256 FROM candidate WHERE id = ?"
_HAS_CONTRADICTION = "SELECT 1 FROM quarantine WHERE candidate_id = ? AND reason = 'contradiction' LIMIT 1"
_CONTESTED = (
    f"SELECT line FROM quarantine WHERE kind = ? AND row_id = ? AND revision = ? AND reason = 'conflict' LIMIT {_MANY}"
)

Family = tuple[str, str]
"""A kind, and the id of a verdict, statement or evidence of that kind."""


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


def dispute(conn: Connection, new: Seen, origin: tuple[str, int], touched: Touched) -> str:
    """Take in a row that can't simply be added. Whether it counts can be looked up by its hash afterwards.

    Returns why it doesn't; "" where it does, or a fuller copy of it.

    Args:
        conn: of the transaction.
        new: the row, not counted yet.
        origin: file and line that it is from.
        touched: is told what changes.
    """
    contradiction = _contradiction(conn, new, touched)
    if contradiction:
        _put_aside(conn, new, CONTRADICTION, contradiction, origin)
        _drop_lesser_copies(conn, new)
        return f"{CONTRADICTION}: {contradiction}"
    _put_aside(conn, new, CONFLICT, "", origin)
    if not _is_hopeless(conn, new):
        settle_family(conn, new.kind, new.kind.row_id(new.record), touched)
    else:
        _put_aside(conn, new, CONFLICT, f"{new.kind.row_id(new.record)}#{new.revision} is known with other content")
    kept = quarantine.find(conn, _sha256(new.line))
    return f"{kept.reason}: {kept.detail}" if kept is not None else ""


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
    seen = [*_counting(conn, kind, row_id), *_aside(conn, kind, row_id)]
    copies = best_copies(seen)
    kept = {one.line for one in copies}
    for one in seen:
        if one.line not in kept:
            _drop(conn, one)
    reasons = list(zip(copies, conflicts(copies), strict=True))
    for one, reason in reasons:
        if reason and one.counts:
            _withdraw(conn, one, CONFLICT, reason, touched)
        elif reason:
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
    others = [*_counting_on(conn, candidate_id), *_aside_on(conn, candidate_id, CONFLICT)]
    if not _differ([new, *others]):
        return ""
    for one in others:
        if one.counts and not one.here:
            _withdraw(conn, one, CONTRADICTION, _DISAGREE, touched)
        elif not one.counts:
            _put_aside(conn, one, CONTRADICTION, _DISAGREE)
    _settle_families(conn, others, touched)
    return _DISAGREE


def _differ(rows: Iterable[Seen]) -> bool:
    told = [one.record for one in rows]
    questions = {row["question_id"] for row in told}
    texts = {row["candidate_sha256"] for row in told} - {""}
    return len(questions) > 1 or len(texts) > 1


def _against_text(conn: Connection, row: Seen) -> str:
    """What a row says of a candidate whose text is here that isn't so."""
    question_id, sha256 = driver(conn).execute(_PLACE, (row.record["candidate_id"],)).fetchone()
    if row.record["question_id"] != question_id:
        return f"its candidate is stored as an answer to {question_id}"
    if row.record["candidate_sha256"] not in ("", sha256):
        return "its `candidate_sha256` is not that of the stored answer"
    return ""


def _is_hopeless(conn: Connection, new: Seen) -> bool:
    """Whether so many rows are in conflict over the revision that this one changes nothing for any other."""
    this = (new.kind.name, new.kind.row_id(new.record), new.revision)
    contested = driver(conn).execute(_CONTESTED, this).fetchall()
    if len(contested) < _MANY or new.left_out:
        return False
    known = (_seen(new.kind, line, counts=False) for (line,) in contested)
    return any(
        one.line != new.line and (one.subject, one.reviewer_id) == (new.subject, new.reviewer_id) for one in known
    )


def _settle_families(conn: Connection, rows: Iterable[Seen], touched: Touched) -> None:
    for kind, row_id in dict.fromkeys((one.kind.name, one.kind.row_id(one.record)) for one in rows):
        settle_family(conn, KINDS[kind], row_id, touched)


def _drop_lesser_copies(conn: Connection, new: Seen) -> None:
    """Of rows that contradict their candidate keep the best copy of each content, as of others."""
    row_id = new.kind.row_id(new.record)
    seen = [_seen(new.kind, one.line, counts=False) for one in _lines(conn, new.kind, row_id, CONTRADICTION)]
    same = [one for one in seen if one.content == new.content]
    for one in same:
        if one.line != best_copies(same)[0].line:
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


def _aside(conn: Connection, kind: SealedKind, row_id: str) -> Iterator[Seen]:
    """Rows of a verdict, statement or evidence that agree with what is known of their candidate, and don't count."""
    return (_seen(kind, one.line, counts=False) for one in _lines(conn, kind, row_id, CONFLICT))


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
