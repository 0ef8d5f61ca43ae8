"""Taking in a share of a queue that was laid out elsewhere: the same queue, reviewer and items, by their ids.

A bundle that comes again, or with more items, adds what is missing; what was decided here stays.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy import Connection, select, update
from sqlalchemy.dialects.sqlite import insert
from sqlmodel import col

from store import bundles, reveals, reviewers
from store.driver import among, listed
from store.identity import now
from store.queue_making import begin, open_item
from store.review_rows import NewItem, Queue
from store.review_tables import QueueItemTable, QueueTable
from store.rows import Reviewer
from store.workspace import Workspace
from uq_tui.errors import ImportFileError
from uq_tui.words import ItemRole, QueueMode

_AT_ONCE = 500
"""Items written in one transaction."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A share as a bundle names it, checked."""

    queue_id: str
    name: str
    mode: QueueMode
    guideline: str
    spec: Mapping[str, Any]
    reviewer: Reviewer
    items: Sequence[Mapping[str, Any]]
    """Rows of `store.bundle_shape.ITEM`."""


@dataclass(frozen=True, slots=True)
class Opened:
    """What became of a share."""

    queue_name: str
    """As the queue is called here: another one may have its name."""
    new_items: int
    namesakes: int
    """Other reviewers here that have the reviewer's public name."""


def require_foreign(ws: Workspace, sent: Sent) -> None:
    """Make sure that a share can be taken in. Raises ImportFileError: it can't, with the reason."""
    with ws.read() as conn:
        if bundles.was_sent(conn, sent.queue_id):
            raise ImportFileError(
                f"The bundle for {sent.reviewer.handle} was written in this workspace: its share is in the queue"
                f" “{sent.name}” already.",
                hint="Open it where its reviewer works.",
            )
        queue = select(col(QueueTable.mode), col(QueueTable.spec)).where(col(QueueTable.id) == sent.queue_id)
        here = conn.execute(queue).one_or_none()
        if here is not None and here.mode != sent.mode:
            raise ImportFileError(f"The queue “{sent.name}” is {here.mode} here, and {sent.mode} in the bundle.")
        if here is not None and json.loads(here.spec) != sent.spec:
            raise ImportFileError(
                f"The queue “{sent.name}” was made here, or asks for something else here than in the bundle."
            )
        stored = _stored(conn, sent)
    for item in sent.items:
        known = stored.get(item["item_id"])
        if known is not None and known != (sent.queue_id, sent.reviewer.id, item["candidate_id"]):
            raise ImportFileError(f"The item {item['item_id']} of the bundle is another one here.")


def open_share(ws: Workspace, sent: Sent) -> Opened:
    """Store the queue and the items of a share whose candidates are stored, and have its reviewer sit here.

    Until all items of a new queue are on disk nobody sees it, be this process killed meanwhile; opening the bundle
    again completes it.
    """
    name = ws.write(lambda conn: _begin(conn, sent))
    with ws.read() as conn:
        stored = _stored(conn, sent)
    missing = [item for item in sent.items if item["item_id"] not in stored]
    for start in range(0, len(missing), _AT_ONCE):
        ws.write(partial(_put_items, sent, missing[start : start + _AT_ONCE]))
    namesakes = ws.write(lambda conn: _finish(conn, sent, name))
    return Opened(name, len(missing), namesakes)


def _stored(conn: Connection, sent: Sent) -> dict[str, tuple[str, str, str]]:
    """Queue, reviewer and candidate of the items that are here, by their ids."""
    table = QueueItemTable
    columns = (col(table.id), col(table.queue_id), col(table.reviewer_id), col(table.candidate_id))
    ids = {"items": listed(item["item_id"] for item in sent.items)}
    found = conn.execute(select(*columns).where(among(col(table.id), "items")), ids)
    return {row.id: (row.queue_id, row.reviewer_id, row.candidate_id) for row in found}


def _begin(conn: Connection, sent: Sent) -> str:
    """Make reviewer and queue known; what the queue is called here, since another one may have its name."""
    reviewers.put_known(conn, sent.reviewer)
    query = select(col(QueueTable.name), col(QueueTable.ready)).where(col(QueueTable.id) == sent.queue_id)
    here = conn.execute(query).one_or_none()
    if here is not None and here.ready:
        conn.execute(update(QueueTable).where(col(QueueTable.id) == sent.queue_id).values(guideline=sent.guideline))
        return str(here.name)
    name = sent.name
    while conn.execute(select(1).where(col(QueueTable.name) == name, col(QueueTable.id) != sent.queue_id)).first():
        name = f"{name} ({sent.queue_id})"
    if here is None:
        begin(conn, Queue(sent.queue_id, name, sent.mode, sent.spec, sent.guideline, now(), None))
    return name


def _put_items(sent: Sent, items: Sequence[Mapping[str, Any]], conn: Connection) -> None:
    table = QueueItemTable
    of_share = (col(table.queue_id) == sent.queue_id, col(table.reviewer_id) == sent.reviewer.id)
    taken = set(conn.execute(select(col(table.position)).where(*of_share)).scalars())
    wanted = {item["position"] for item in items}
    after = max(taken | wanted) + 1
    for item in items:
        position = item["position"]
        if position in taken:
            position, after = after, after + 1
        role = ItemRole.REPEAT if item["repeat"] else ItemRole.PLAIN
        new = NewItem(item["question_id"], item["candidate_id"], role, item["answer_group"])
        row = open_item(item["item_id"], sent.queue_id, sent.reviewer.id, position, new, item["linked_to"])
        conn.execute(insert(table).on_conflict_do_nothing(index_elements=["id"]), row)
    for question_id in dict.fromkeys(item["question_id"] for item in items):
        reveals.follow(conn, sent.queue_id, sent.reviewer.id, question_id)


def _finish(conn: Connection, sent: Sent, name: str) -> int:
    conn.execute(update(QueueTable).where(col(QueueTable.id) == sent.queue_id).values(name=name, ready=True))
    reviewers.sit_down(conn, sent.reviewer.id)
    return reviewers.namesakes(conn, sent.reviewer)
