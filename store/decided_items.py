"""What verdicts mean for the items of queues. All of it is within a transaction of `store.decisions`.

Whether an item is decided follows from the standing steps of its verdict, or from rows that came back from its
reviewer, and is worked out anew after each change.
"""

import json
from collections.abc import Collection, Iterable

from sqlalchemy import Connection, bindparam, select
from sqlmodel import col

from store import drafts, reveals, steps
from store.driver import driver
from store.identity import now
from store.queues import item_of, read_problem, set_item
from store.review_rows import QueueItem
from store.review_tables import QueueItemTable
from store.rows import Verdict
from store.tables import VerdictTable
from store.verdict_rows import read_latest, read_newest, revisions
from uq_tui.words import UNDECIDED, ItemRole, ItemState, VerdictStatus

# Built once: building a statement takes longer than running it.
_OF_CANDIDATE = (
    select(QueueItemTable)
    .where(
        col(QueueItemTable.reviewer_id) == bindparam("reviewer"),
        col(QueueItemTable.question_id) == bindparam("question"),
        col(QueueItemTable.candidate_id) == bindparam("candidate"),
        col(QueueItemTable.role) != ItemRole.PRACTICE.value,
    )
    .order_by(col(QueueItemTable.queue_id), col(QueueItemTable.position))
)
_LINKED_TO = (
    select(QueueItemTable)
    .where(col(QueueItemTable.linked_to) == bindparam("item"))
    .order_by(col(QueueItemTable.position))
)

_ASSIGNED = (
    # Two paths give JSON, in which a surrogate without its partner stays an escape; alone it would be no text.
    "SELECT imported, status, json_extract(record, '$.assignment.queue_id', '$.status'), repeat FROM verdict"
    " WHERE verdict_id = ? ORDER BY revision"
)
_WITH_ITEMS = (
    "SELECT DISTINCT reviewer_id, question_id, candidate_id FROM json_each(?) AS judged JOIN queue_item"
    " ON reviewer_id = json_extract(judged.value, '$[0]') AND question_id = json_extract(judged.value, '$[1]')"
    " AND candidate_id = json_extract(judged.value, '$[2]')"
)

_JUDGED = (ItemRole.PLAIN, ItemRole.GOLD)
"""Items whose verdict is the reviewer's own first one."""


def of_candidate(conn: Connection, reviewer_id: str, question_id: str, candidate_id: str) -> tuple[QueueItem, ...]:
    """The reviewer's items of a candidate, in all queues, practice apart."""
    this = {"reviewer": reviewer_id, "question": question_id, "candidate": candidate_id}
    return tuple(item_of(row) for row in conn.execute(_OF_CANDIDATE, this))


def linked_to(conn: Connection, item_id: str) -> tuple[QueueItem, ...]:
    """The items that an item's verdict counts for too."""
    return tuple(item_of(row) for row in conn.execute(_LINKED_TO, {"item": item_id}))


def first_comes_first(conn: Connection, item: QueueItem) -> QueueItem:
    """Of an item and its repeat, that which is judged first gets the first verdict: they trade roles if need be.

    Their drafts go along.
    """
    first = read_latest(conn, item.reviewer_id, item.candidate_id)
    stands = first is not None and first.status is VerdictStatus.SUBMITTED
    if item.role is not ItemRole.REPEAT or item.state not in UNDECIDED or stands:
        return item
    drafts.trade(conn, item.reviewer_id, item.candidate_id)
    problem = read_problem(conn, item.queue_id, item.reviewer_id, item.question_id)
    other = next((each for each in problem if each.candidate_id == item.candidate_id and each.role in _JUDGED), None)
    if other is None:
        return set_item(conn, item.id, role=ItemRole.PLAIN.value, verdict_id="")
    for each in linked_to(conn, other.id):
        set_item(conn, each.id, linked_to=item.id)
    set_item(conn, other.id, role=ItemRole.REPEAT.value, verdict_id=item.verdict_id)
    return set_item(conn, item.id, role=other.role.value, verdict_id=other.verdict_id)


def followers(conn: Connection, verdict: Verdict) -> tuple[Verdict, ...]:
    """The newest revisions of the reviewer's verdicts that were given along with this one, and still stand so."""
    decided = (item for item in _decided_by(conn, verdict) if not item.linked_to)
    linked = (each for item in decided for each in linked_to(conn, item.id))
    return tuple(each for each in _standing(conn, linked) if _goes_along(each, verdict.verdict_id))


def stands_alone(item: QueueItem, own: Verdict | None, main_id: str) -> bool:
    """Whether a linked item's verdict was revised by itself, so that it goes along with verdict `main_id` no more."""
    if own is None or own.status is VerdictStatus.RETRACTED or item.state in UNDECIDED:
        return False
    return not _goes_along(own, main_id)


def _goes_along(own: Verdict, main_id: str) -> bool:
    return str(own.record.get("assignment", {}).get("linked_to")).startswith(f"{main_id}#")


def group(conn: Connection, verdict: Verdict) -> tuple[Verdict, ...]:
    """All other verdicts that stand on answers identical to this one's, where a queue has linked them."""
    roots = {item.linked_to or item.id for item in _decided_by(conn, verdict)}
    query = select(QueueItemTable).where(col(QueueItemTable.id).in_(roots) | col(QueueItemTable.linked_to).in_(roots))
    members = [item_of(row) for row in conn.execute(query)]
    others = (item for item in members if item.verdict_id != verdict.verdict_id)
    return _standing(conn, sorted(others, key=lambda item: (item.queue_id, item.position)))


def _decided_by(conn: Connection, verdict: Verdict) -> list[QueueItem]:
    theirs = of_candidate(conn, verdict.reviewer_id, verdict.question_id, verdict.candidate_id)
    return [item for item in theirs if item.verdict_id == verdict.verdict_id and item.state not in UNDECIDED]


def _standing(conn: Connection, items: Iterable[QueueItem]) -> tuple[Verdict, ...]:
    ids = dict.fromkeys(item.verdict_id for item in items if item.verdict_id)
    newest = (read_newest(conn, verdict_id) for verdict_id in ids)
    return tuple(each for each in newest if each is not None and each.status is VerdictStatus.SUBMITTED)


def settle(conn: Connection, newest: Iterable[Verdict]) -> tuple[tuple[QueueItem, ...], bool]:
    """Bring items, and the reveals of their problems, in line with the newest revisions of some verdicts.

    Returns the items that have changed, as they stand now, and whether a problem was so revealed.
    """
    changed = [item for verdict in newest for item in _settle(conn, verdict)]
    problems = dict.fromkeys((item.queue_id, item.reviewer_id, item.question_id) for item in changed)
    revealed = [reveals.follow(conn, *problem) for problem in problems]
    return tuple(changed), any(revealed)


def follow_rows(conn: Connection, judged: Collection[tuple[str, str, str]]) -> None:
    """Bring items in line with verdicts that came in from elsewhere, or were found not to count.

    `judged` are their reviewers, questions and candidates. Of several verdicts of one reviewer that decide an item the
    newest does.
    """
    this = json.dumps(sorted(judged))
    for reviewer_id, question_id, candidate_id in driver(conn).execute(_WITH_ITEMS, (this,)).fetchall():
        own = (col(VerdictTable.reviewer_id) == reviewer_id, col(VerdictTable.candidate_id) == candidate_id)
        newest = {verdict.verdict_id: verdict for verdict in revisions(conn, *own)}
        for item in of_candidate(conn, reviewer_id, question_id, candidate_id):
            if item.state not in UNDECIDED and item.verdict_id not in newest:
                set_item(conn, item.id, state=ItemState.OPEN, verdict_id="", decided_at=None)
                reveals.follow(conn, item.queue_id, reviewer_id, question_id)
        settle(conn, sorted(newest.values(), key=lambda verdict: (verdict.created_at, verdict.verdict_id)))


def _returned(conn: Connection, verdict_id: str) -> frozenset[tuple[str, bool]]:
    """The queues whose items a verdict has decided elsewhere, and whether as a repeat; none that it took back since."""
    decided: set[tuple[str, bool]] = set()
    for imported, status, assigned, is_repeat in driver(conn).execute(_ASSIGNED, (verdict_id,)):
        queue_id, _ = json.loads(assigned)
        if status == VerdictStatus.RETRACTED:
            decided.clear()
        elif imported and queue_id:
            decided.add((queue_id, bool(is_repeat)))
    return frozenset(decided)


def _settle(conn: Connection, newest: Verdict) -> list[QueueItem]:
    stands = newest.status is VerdictStatus.SUBMITTED
    decided = steps.decided_items(conn, newest.verdict_id) if stands else frozenset()
    returned = _returned(conn, newest.verdict_id) if stands else frozenset()
    changed = []
    for item in of_candidate(conn, newest.reviewer_id, newest.question_id, newest.candidate_id):
        if item.id in decided or (item.queue_id, item.role is ItemRole.REPEAT) in returned:
            state = ItemState.SKIPPED if newest.not_judged else ItemState.DECIDED
            at = item.decided_at or now()
            changed.append(set_item(conn, item.id, state=state, verdict_id=newest.verdict_id, decided_at=at))
        elif item.verdict_id == newest.verdict_id and item.state not in UNDECIDED:
            # A repeat keeps its verdict, so that judging it anew is the next revision of that.
            kept = item.verdict_id if item.role is ItemRole.REPEAT else ""
            changed.append(set_item(conn, item.id, state=ItemState.OPEN, verdict_id=kept, decided_at=None))
    return changed
