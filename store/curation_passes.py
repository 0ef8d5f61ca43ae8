"""Applying rules to all questions of a pass: what is read and written for it, in chunks along the questions' `seq`.

A pass is over the questions that were there when its rules were first applied. Each chunk is one write that moves
`passed` on, so a pass that was cut short goes on where it stood.
"""

import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Row

from store import curations
from store.curation_rows import Curation, Cutoff, Facts, Known, Place
from store.driver import AMONG, listed, loaded
from store.workspace import Workspace
from uq_tui.words import CurationStage, QuestionStatus, Subset, TextFormat

_COLUMNS = "seq, id, site, title, tags, status, score, views, answers, asked_at, body_sha256, body_format"
_OF_SITES = "(:sites = '[]' OR site IN (SELECT value FROM json_each(:sites)))"
_CHUNK = f"SELECT {_COLUMNS} FROM question WHERE seq > :after AND seq <= :up_to AND {_OF_SITES} ORDER BY seq LIMIT :n"
_OPEN = (
    "SELECT site, score, count(*) FROM question WHERE seq <= :up_to AND status = :open AND coalesce(answers, 0) = 0"
    f" AND score IS NOT NULL AND {_OF_SITES} GROUP BY site, score ORDER BY site"
)
_STANDING = (
    f"SELECT {_COLUMNS} FROM question WHERE seq IN"
    " (SELECT seq FROM curation_path WHERE curation_id = ? AND stage = ? AND fell = '') ORDER BY seq"
)
_ANSWERED = (
    f"SELECT {_COLUMNS} FROM question INDEXED BY question_score WHERE score IS NOT NULL"
    " AND (status = ? OR id IN (SELECT question_id FROM candidate WHERE reference))"
    " AND EXISTS (SELECT 1 FROM curation_path WHERE curation_id = ? AND curation_path.seq = question.seq)"
    " ORDER BY score DESC, seq"
)
_BODIES = f"SELECT sha256, body FROM text WHERE sha256 {AMONG}"
_PUT = (
    "INSERT INTO curation_path (curation_id, seq, site, stage, fell, unknown, detail) VALUES (?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT DO NOTHING"
)
_PASSED = "UPDATE curation SET passed = ? WHERE id = ? AND passed = ?"
_PUT_CUTOFF = "INSERT INTO curation_cutoff (curation_id, site, subset, n, kept, votes) VALUES (?, ?, ?, ?, ?, ?)"
_CUTOFFS = "SELECT site, n, kept, votes FROM curation_cutoff WHERE curation_id = ? AND subset = ?"


def last_seq(ws: Workspace) -> int:
    """The `seq` of the newest question; 0 where there is none."""
    with ws.read() as db:
        newest: int = db.exec_driver_sql("SELECT coalesce(max(seq), 0) FROM question").scalar_one()
    return newest


def open_votes(ws: Workspace, up_to: int, sites: Sequence[str] = ()) -> dict[str, list[tuple[int, int]]]:
    """By site, (votes, number of questions) of the questions up to a `seq` without answers that aren't closed.

    Of these sites, of all where none is named. Those whose votes are not known can't be ranked, and are left out.
    SQLite counts; no question is brought here.
    """
    wanted = {"up_to": up_to, "open": QuestionStatus.UNANSWERED.value, "sites": listed(sites)}
    with ws.read() as db:
        rows = db.exec_driver_sql(_OPEN, wanted).all()
    return {site: [(score, n) for _, score, n in own] for site, own in groupby(rows, key=lambda row: row[0])}


def start(ws: Workspace, curation_id: str, up_to: int, cutoffs: Iterable[tuple[Subset, Cutoff]]) -> Curation:
    """Pin how far a pass goes and the top shares of its sites, unless that was done already; the pass as it stands.

    Raises:
        NotFoundError: there is no such pass.
    """
    rows = [(curation_id, one.site, subset.value, one.n, one.kept, one.votes) for subset, one in cutoffs]

    def put(db: Connection) -> Curation:
        if curations.read(db, curation_id).up_to is None:
            db.exec_driver_sql("UPDATE curation SET up_to = ? WHERE id = ?", (up_to, curation_id))
            if rows:
                db.exec_driver_sql(_PUT_CUTOFF, rows)
        return curations.read(db, curation_id)

    return ws.write(put)


def cutoffs(ws: Workspace, curation_id: str, subset: Subset = Subset.MAIN) -> dict[str, Cutoff]:
    """The pinned top shares of a pass, by site."""
    with ws.read() as db:
        rows = db.exec_driver_sql(_CUTOFFS, (curation_id, subset.value))
        return {row[0]: Cutoff(*row) for row in rows}


def chunk(ws: Workspace, curation: Curation, limit: int) -> list[Known]:
    """The next questions of a pass that has been started, at most `limit`, in order of arrival, without bodies."""
    at = {"after": curation.passed, "up_to": curation.up_to, "sites": listed(curation.sites), "n": limit}
    with ws.read() as db:
        return [_known(row) for row in db.exec_driver_sql(_CHUNK, at)]


def standing(ws: Workspace, curation_id: str, stage: CurationStage) -> list[Known]:
    """The questions that stand at a stage, in order of arrival, without bodies."""
    with ws.read() as db:
        return [_known(row) for row in db.exec_driver_sql(_STANDING, (curation_id, stage.value))]


def with_known_answers(ws: Workspace, curation_id: str) -> Iterator[Known]:
    """The questions of a pass that have a reference, or an answer that their poster accepted, most votes first.

    Those whose votes are not known are left out. Questions are read as they are taken: a dump has millions.
    """
    with ws.read() as db:
        yield from map(_known, db.exec_driver_sql(_ANSWERED, (QuestionStatus.ACCEPTED.value, curation_id)))


def bodies(ws: Workspace, hashes: Iterable[str]) -> dict[str, str]:
    """The raw bodies with these hashes."""
    with ws.read() as db:
        rows = db.exec_driver_sql(_BODIES, (listed(hashes),))
        return {sha256: body.decode("utf-8", "surrogatepass") for sha256, body in rows}


def put_places(ws: Workspace, curation: Curation, places: Sequence[tuple[str, Place]], passed: int) -> float | None:
    """Store where the questions of a chunk stand or fell, each with its site, and move the pass on to `passed`.

    Returns the seconds that it took to write; `None` where another process has moved the pass on meanwhile, and nothing
    was done.
    """
    rows = [(curation.id, one.seq, site, one.stage.value, one.fell, one.unknown, one.detail) for site, one in places]
    change = Counter((one.stage.value, one.fell, one.unknown, site) for site, one in places)

    def put(db: Connection) -> float | None:
        began = time.perf_counter()
        if db.exec_driver_sql(_PASSED, (passed, curation.id, curation.passed)).rowcount == 0:
            return None
        if rows:
            db.exec_driver_sql(_PUT, rows)
        curations.add_counts(db, curation.id, change)
        return time.perf_counter() - began

    return ws.write(put)


def _known(row: Row[Any]) -> Known:
    facts = Facts(
        site=row.site,
        title=loaded(row.title),
        tags=tuple(json.loads(row.tags)),
        status=QuestionStatus(row.status),
        score=row.score,
        views=row.views,
        answers=row.answers,
        asked_at=row.asked_at,
    )
    return Known(row.seq, row.id, facts, row.body_sha256, TextFormat(row.body_format))
