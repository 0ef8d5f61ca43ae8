"""Where a reviewer has left off: in which queue, and at which item of each. Kept with the workspace's facts.

An item is named by its id: what stands at its place may be another by the next time.
"""

from store import facts
from store.workspace import Workspace


def last_queue(ws: Workspace, reviewer_id: str) -> str:
    """The queue this reviewer was in last; "" before the first."""
    return facts.get(ws, _key(reviewer_id))


def enter(ws: Workspace, reviewer_id: str, queue_id: str) -> None:
    """This reviewer goes to a queue; with "" to none."""
    facts.put(ws, _key(reviewer_id), queue_id)


def last_item(ws: Workspace, reviewer_id: str, queue_id: str) -> str:
    """The item this reviewer was at last in a queue; "" when they never were in it."""
    return facts.get(ws, _key(reviewer_id, queue_id))


def keep(ws: Workspace, reviewer_id: str, queue_id: str, item_id: str) -> None:
    """This reviewer is at an item of a queue."""
    facts.put(ws, _key(reviewer_id, queue_id), item_id)


def _key(reviewer_id: str, queue_id: str = "") -> str:
    return f"review:{reviewer_id}:{queue_id}"
