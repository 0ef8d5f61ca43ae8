"""Gold items: candidates with a known label that stood in somebody's share of a queue to measure them."""

from collections.abc import Iterator
from dataclasses import dataclass

from store.driver import driver
from store.persons import read_persons
from store.workspace import Workspace
from uq_tui.words import ItemRole, Label

_GOLD = (
    "SELECT DISTINCT item.reviewer_id, item.question_id, item.candidate_id, known_label.label FROM queue_item AS item"
    " JOIN queue ON queue.id = item.queue_id AND queue.ready"
    " JOIN known_label ON known_label.candidate_id = item.candidate_id WHERE item.role = ?"
    " ORDER BY item.reviewer_id, item.candidate_id"
)


@dataclass(frozen=True, slots=True)
class Gold:
    """A candidate that measures a person, decided by them or not yet."""

    person: str
    """The smallest id of the reviewer's linked ones."""
    question_id: str
    candidate_id: str
    label: Label
    """The known one."""


def gold_items(ws: Workspace) -> tuple[Gold, ...]:
    """Each person's gold items in all queues, closed ones too; one that stood in several is named once."""
    return tuple(dict.fromkeys(_read(ws)))


def _read(ws: Workspace) -> Iterator[Gold]:
    with ws.read() as conn:
        people = read_persons(conn)
        rows = driver(conn).execute(_GOLD, (ItemRole.GOLD.value,)).fetchall()
    for reviewer_id, question_id, candidate_id, label in rows:
        yield Gold(people[reviewer_id], question_id, candidate_id, Label(label))
