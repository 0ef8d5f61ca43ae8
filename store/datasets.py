"""Versions of a dataset: which questions each pins, in which words, and what has changed.

A version can be changed, with a reason that is kept, until a result names it or another version is made from it. From
then on it stays as it is, so that a result can be held against the questions it was about.
"""

import json
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, insert, select, text, update
from sqlmodel import col

from store import curations, dataset_pins
from store.curation_tables import DatasetChangeTable, DatasetEntryTable, DatasetVersionTable
from store.dataset_rows import Change, Pin, Proposal, Version
from store.driver import among, listed
from store.identity import now
from store.resolution_status import VERIFIERS, Standing, read_words, standing
from store.tables import QuestionTable
from store.workspace import Workspace
from uq_tui.errors import NotFoundError, UqError
from uq_tui.text import clean_line, counted
from uq_tui.words import RESOLVED, DatasetChange, Relation, Resolution, Subset, TextFormat

LONGEST_NAME = 80
_ENTRY = DatasetEntryTable
_CHANGE = DatasetChangeTable
_COLUMNS = ("question_id", "title", "body_sha256", "body_format", "subset", "edited")

_NAMED_BY_VERDICT = text(
    "SELECT 1 FROM dataset_entry AS entry JOIN verdict ON verdict.question_id = entry.question_id"
    " WHERE entry.version = :version AND json_extract(verdict.record, '$.dataset_version') = :version LIMIT 1"
)
_NAMED_BY_RUN = text(
    "SELECT 1 FROM (SELECT spec FROM run WHERE instr(spec, :quoted)) AS naming, json_tree(naming.spec) AS pinned"
    " WHERE pinned.key = 'dataset_version' AND pinned.value = :version LIMIT 1"
)
"""`quoted` is the version as it stands in JSON: taking apart the specs of all runs would take seconds of a write."""

# Reading


def versions(ws: Workspace) -> tuple[Version, ...]:
    """All versions, the newest first."""
    table = DatasetVersionTable
    query = select(table).order_by(col(table.created_at).desc(), col(table.name).desc())
    with ws.read() as db:
        rows = db.execute(query).mappings().all()
        return tuple(_version(db, row) for row in rows)


def get(ws: Workspace, name: str) -> Version:
    """One version. Raises NotFoundError."""
    with ws.read() as db:
        return _require(db, name)


def entries(ws: Workspace, name: str) -> tuple[Pin, ...]:
    """The questions of a version, in their order there. Raises NotFoundError."""
    with ws.read() as db:
        _require(db, name)
        return _entries(db, name)


def of_question(ws: Workspace, question_id: str) -> str:
    """The newest version that pins a question, or ""."""
    with ws.read() as db:
        return dataset_pins.newest_of(db, question_id)


def changes(ws: Workspace, name: str, *, without: Collection[str] = ()) -> tuple[Change, ...]:
    """What was changed in a version, and which of its questions people have resolved since; the oldest first.

    That the questions `without` are resolved is left out. Raises NotFoundError.
    """
    with ws.read() as db:
        version = _require(db, name)
        rows = db.execute(select(_CHANGE).where(col(_CHANGE.version) == name)).mappings().all()
        stands = _standings(db, name, version.verifiers)
    made = [
        Change(row["number"], row["question_id"], DatasetChange(row["change"]), row["reason"], row["created_at"])
        for row in rows
    ]
    resolved = [
        Change(0, question_id, DatasetChange.RESOLVED, _resolved_by(one), one.word.created_at)
        for question_id, one in stands.items()
        if one.state in RESOLVED and one.word is not None and question_id not in without
    ]
    return tuple(sorted((*made, *resolved), key=lambda one: (one.at, one.number)))


def _resolved_by(stands: Standing) -> str:
    credit = clean_line(stands.word.said.credit) if stands.word else ""
    by = "a model" if stands.state is Resolution.RESOLVED_BY_MODEL else "a person"
    return f"by {credit or by}"


def proposal(ws: Workspace, name: str, *, without: Collection[str] = ()) -> Proposal:
    """How much of a version is solved on the word of its verifiers, the questions `without` left out.

    Raises NotFoundError.
    """
    with ws.read() as db:
        version = _require(db, name)
        stands = _standings(db, name, version.verifiers)
        main = [one.question_id for one in _entries(db, name) if one.subset is not Subset.DEVELOPMENT]
    counted_in = [key for key in main if key not in without]
    solved = sum(key in stands and stands[key].state in RESOLVED for key in counted_in)
    return Proposal(name, solved, len(counted_in), len(main) - len(counted_in))


def resolved(ws: Workspace, name: str) -> frozenset[str]:
    """The questions of a version that are resolved on the word of its verifiers. Raises NotFoundError."""
    with ws.read() as db:
        version = _require(db, name)
        stands = _standings(db, name, version.verifiers)
    return frozenset(key for key, one in stands.items() if one.state in RESOLVED)


def _standings(db: Connection, name: str, verifiers: Collection[Relation]) -> dict[str, Standing]:
    """Where the questions of a version stand of which something is said."""
    ids = list(db.execute(select(col(_ENTRY.question_id)).where(col(_ENTRY.version) == name)).scalars())
    return {question_id: standing(words, verifiers) for question_id, words in read_words(db, ids).items()}


# What a version can be made of


def pins_of_questions(ws: Workspace, question_ids: Iterable[str], subset: Subset = Subset.MAIN) -> tuple[Pin, ...]:
    """Questions as they stand now, in the order in which they are named, each once.

    Raises:
        NotFoundError: one is not in the workspace, or its text isn't.
    """
    ids = tuple(dict.fromkeys(question_ids))
    wanted: tuple[Any, ...] = (
        QuestionTable.id,
        QuestionTable.title,
        QuestionTable.body_sha256,
        QuestionTable.body_format,
    )
    found: dict[str, Pin] = {}
    with ws.read() as db:
        for row in db.execute(select(*wanted).where(among(col(QuestionTable.id), "ids")), {"ids": listed(ids)}):
            if row.body_sha256 is not None:
                found[row.id] = Pin(row.id, row.title, row.body_sha256, TextFormat(row.body_format), subset)
    for question_id in ids:
        if question_id not in found:
            raise NotFoundError(
                f"There is no question {question_id} with its text in this workspace.",
                hint="Import the question first.",
            )
    return tuple(found[question_id] for question_id in ids)


def pins_of_curation(ws: Workspace, curation_id: str) -> tuple[Pin, ...]:
    """What a curation has kept, each in the words it was kept in. Raises NotFoundError."""
    return tuple(
        Pin(one.question_id, one.title, one.body_sha256, one.body_format, edited=one.edited)
        for one in curations.kept(ws, curation_id)
    )


# Making and changing


def make(
    ws: Workspace,
    name: str,
    pins: Sequence[Pin],
    *,
    parent: str = "",
    curation_id: str = "",
    verifiers: Sequence[Relation] = VERIFIERS,
    note: str = "",
) -> Version:
    """Make a version of questions. Where it has a parent, how it differs from that is kept, with `note` as the reason.

    Raises:
        UqError: the name is taken or none, or there are no questions or no verifiers.
        NotFoundError: there is no such parent.
        StoreError: it can't be written.
    """
    if not name or clean_line(name) != name or len(name) > LONGEST_NAME:
        raise UqError(f"A version's name is one line of 1 to {LONGEST_NAME} characters.", hint="For instance 2026-12.")
    if not pins:
        raise UqError("A version needs questions.", hint="Name some, or a curation that has kept some.")
    if not verifiers:
        raise UqError("Somebody's word must be able to resolve a question.", hint="For instance domain_expert.")

    def write(db: Connection) -> Version:
        if db.execute(select(1).where(col(DatasetVersionTable.name) == name)).first() is not None:
            raise UqError(f"There is a version {name} already.", hint="Give the new one another name.")
        before = _entries(db, _require(db, parent).name) if parent else ()
        at = now()
        version = {
            "name": name,
            "parent": parent,
            "curation_id": curation_id,
            "verifiers": json.dumps([one.value for one in dict.fromkeys(verifiers)]),
            "note": note,
            "created_at": at,
        }
        db.execute(insert(DatasetVersionTable), version)
        db.execute(insert(_ENTRY), [_entry(name, position, pin) for position, pin in enumerate(pins)])
        if parent:
            _note(db, name, _differences(before, pins), note or f"made from {parent}", at)
        return _require(db, name)

    return ws.write(write)


def add(ws: Workspace, name: str, pins: Sequence[Pin], reason: str) -> tuple[str, ...]:
    """Add questions to a version; the ids of those that it had not. Raises as `remove` does."""

    def write(db: Connection) -> tuple[str, ...]:
        _require_changeable(db, name, reason)
        there = {one.question_id for one in _entries(db, name)}
        new = [pin for pin in pins if pin.question_id not in there]
        last = db.execute(select(func.max(col(_ENTRY.position))).where(col(_ENTRY.version) == name)).scalar_one()
        if new:
            first = 0 if last is None else last + 1
            db.execute(insert(_ENTRY), [_entry(name, first + at, pin) for at, pin in enumerate(new)])
        return _note(db, name, [(pin.question_id, DatasetChange.ADDED) for pin in new], reason, now())

    return ws.write(write)


def remove(ws: Workspace, name: str, question_ids: Collection[str], reason: str) -> tuple[str, ...]:
    """Take questions out of a version; their ids.

    Raises:
        NotFoundError: there is no such version, or it has no such question.
        UqError: no reason is given, or the version can't be changed any more.
        StoreError: it can't be written.
    """

    def write(db: Connection) -> tuple[str, ...]:
        _require_changeable(db, name, reason)
        ids = _require_entries(db, name, question_ids)
        this = (col(_ENTRY.version) == name, col(_ENTRY.question_id) == bindparam("gone"))
        db.execute(delete(_ENTRY).where(*this), [{"gone": key} for key in ids])
        return _note(db, name, [(key, DatasetChange.REMOVED) for key in ids], reason, now())

    return ws.write(write)


def move(ws: Workspace, name: str, question_ids: Collection[str], subset: Subset, reason: str) -> tuple[str, ...]:
    """Move questions to another subset; the ids of those that were not in it. Raises as `remove` does."""

    def write(db: Connection) -> tuple[str, ...]:
        _require_changeable(db, name, reason)
        _require_entries(db, name, question_ids)
        wanted = set(question_ids)
        ids = [one.question_id for one in _entries(db, name) if one.question_id in wanted and one.subset is not subset]
        this = (col(_ENTRY.version) == name, col(_ENTRY.question_id) == bindparam("moved"))
        if ids:
            db.execute(update(_ENTRY).where(*this).values(subset=subset.value), [{"moved": key} for key in ids])
        return _note(db, name, [(key, DatasetChange.MOVED) for key in ids], f"to {subset.value}: {reason}", now())

    return ws.write(write)


def _differences(before: Sequence[Pin], after: Sequence[Pin]) -> list[tuple[str, DatasetChange]]:
    """Each question of two versions that differs in them, and how; one that was moved and edited counts as edited."""
    old, new = ({pin.question_id: pin for pin in pins} for pins in (before, after))
    found = [(key, DatasetChange.REMOVED) for key in old if key not in new]
    for key, pin in new.items():
        was = old.get(key)
        if was is None:
            found.append((key, DatasetChange.ADDED))
        elif (was.title, was.body_sha256) != (pin.title, pin.body_sha256):
            found.append((key, DatasetChange.EDITED))
        elif was.subset is not pin.subset:
            found.append((key, DatasetChange.MOVED))
    return found


def _note(
    db: Connection, name: str, found: Sequence[tuple[str, DatasetChange]], reason: str, at: str
) -> tuple[str, ...]:
    """Keep what was changed; the questions' ids."""
    last = db.execute(select(func.max(col(_CHANGE.number))).where(col(_CHANGE.version) == name)).scalar_one()
    rows = [
        {"version": name, "number": number, "question_id": key, "change": change, "reason": reason, "created_at": at}
        for number, (key, change) in enumerate(found, (last or 0) + 1)
    ]
    if rows:
        db.execute(insert(_CHANGE), rows)
    return tuple(key for key, _ in found)


def _require(db: Connection, name: str) -> Version:
    row = db.execute(select(DatasetVersionTable).where(col(DatasetVersionTable.name) == name)).mappings().one_or_none()
    if row is None:
        raise NotFoundError(f"There is no version {name} of a dataset here.", hint="`uq-tui dataset list` has them.")
    return _version(db, row)


def _require_changeable(db: Connection, name: str, reason: str) -> None:
    if not reason.strip():
        raise UqError("Why is it changed?", hint="Give a reason: it is kept with the change.")
    _require(db, name)
    child = select(col(DatasetVersionTable.name)).where(col(DatasetVersionTable.parent) == name).limit(1)
    made_from = db.execute(child).scalar_one_or_none()
    why = f"{made_from} was made from it" if made_from is not None else ""
    if not why and db.execute(_NAMED_BY_VERDICT, {"version": name}).first() is not None:
        why = "verdicts name it"
    if not why and db.execute(_NAMED_BY_RUN, {"version": name, "quoted": json.dumps(name)}).first() is not None:
        why = "runs name it"
    if why:
        raise UqError(
            f"The version {name} stays as it is: {why}.",
            hint=f"Make a new one from it: `uq-tui dataset make NAME --from {name}`.",
        )


def _require_entries(db: Connection, name: str, question_ids: Collection[str]) -> tuple[str, ...]:
    there = {one.question_id for one in _entries(db, name)}
    missing = [key for key in question_ids if key not in there]
    if missing:
        more = f", nor {counted(len(missing) - 1, 'other')}" if len(missing) > 1 else ""
        raise NotFoundError(
            f"The version {name} has no question {missing[0]}{more}.", hint=f"`uq-tui dataset show {name}` lists them."
        )
    return tuple(dict.fromkeys(question_ids))


def _entries(db: Connection, name: str) -> tuple[Pin, ...]:
    columns = [getattr(_ENTRY, column) for column in _COLUMNS]
    query = select(*columns).where(col(_ENTRY.version) == name).order_by(col(_ENTRY.position))
    return tuple(
        Pin(row.question_id, row.title, row.body_sha256, TextFormat(row.body_format), Subset(row.subset), row.edited)
        for row in db.execute(query)
    )


def _entry(name: str, position: int, pin: Pin) -> dict[str, Any]:
    return {
        "version": name,
        "position": position,
        "question_id": pin.question_id,
        "title": pin.title,
        "body_sha256": pin.body_sha256,
        "body_format": pin.body_format.value,
        "subset": pin.subset.value,
        "edited": pin.edited,
    }


def _version(db: Connection, row: Any) -> Version:
    of_each = select(col(_ENTRY.subset), func.count()).where(col(_ENTRY.version) == row["name"])
    found = {Subset(subset): n for subset, n in db.execute(of_each.group_by(col(_ENTRY.subset)))}
    return Version(
        name=row["name"],
        parent=row["parent"],
        curation_id=row["curation_id"],
        verifiers=tuple(Relation(one) for one in json.loads(row["verifiers"])),
        note=row["note"],
        created_at=row["created_at"],
        counts={subset: found[subset] for subset in Subset if subset in found},
    )
