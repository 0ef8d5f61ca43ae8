"""Who is who: reviewers that are linked to each other are one person, whatever they are called.

People with the same name are kept apart, since nothing but an id tells them apart.
"""

import json
from collections.abc import Iterable, Iterator

from sqlalchemy import Connection

from store.driver import driver
from store.workspace import Workspace

_OF_REVIEWERS = "SELECT id, linked FROM reviewer"
# The conditions are those of partial indexes: of a million rows only those with links are read.
_OF_ROWS = " UNION ".join(
    f"SELECT reviewer_id, json_extract(record, '$.reviewer.linked_ids') FROM {table}"
    """ WHERE instr(record, '"linked_ids":["')"""
    for table in ("verdict", "statement")
)


class Persons(dict[str, str]):
    """The person behind each linked reviewer id; whoever has no links is a person under their own id.

    A person's id is the smallest of theirs.
    """

    def __missing__(self, reviewer_id: str) -> str:
        return reviewer_id


def persons(ws: Workspace) -> Persons:
    """The person behind each reviewer id, as reviewers of this workspace and all rows that count link them.

    A link holds both ways and goes on from one to the next, whichever side has said it.
    """
    with ws.read() as conn:
        return read_persons(conn)


def read_persons(conn: Connection) -> Persons:
    """`persons` within a transaction."""
    return joined(_links(conn))


def joined(links: Iterable[tuple[str, str]]) -> Persons:
    """The classes that pairs of the same person come to; the order of pairs, and in them, changes nothing."""
    parent: dict[str, str] = {}

    def root(one: str) -> str:
        while (above := parent.setdefault(one, one)) != one:
            parent[one] = one = parent[above]
        return one

    for pair in links:
        first, other = sorted(map(root, pair))
        parent[other] = first
    return Persons({one: root(one) for one in parent})


def _links(conn: Connection) -> Iterator[tuple[str, str]]:
    raw = driver(conn)
    for statement in (_OF_REVIEWERS, _OF_ROWS):
        for reviewer_id, linked in raw.execute(statement):
            yield from ((reviewer_id, other) for other in json.loads(linked or "[]"))
