"""What the standing of models, systems and people is counted from: who answered, and what is resolved by whose word."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from sqlalchemy import select
from sqlmodel import col

from store.driver import AMONG, driver, listed, loaded
from store.resolution_status import Standing, read_words, standing
from store.review_tables import StatementTable
from store.workspace import Workspace
from uq_tui.words import AuthorKind, Relation, Resolution, StatementKind

_SOURCE = "kind, model, system, base_model, person FROM candidate_origin"
_OF_CANDIDATES = f"SELECT candidate_id, {_SOURCE} WHERE candidate_id {AMONG} ORDER BY created_at, origin_sha256"
_ALL = (
    f"SELECT DISTINCT {_SOURCE} JOIN candidate ON candidate.id = candidate_id"
    f" WHERE NOT reference AND NOT question_id {AMONG}"
)
_STATES = f"SELECT resolution, count(*) FROM question WHERE NOT id {AMONG} GROUP BY resolution"
_SAID_OF = select(col(StatementTable.question_id)).where(col(StatementTable.kind) == StatementKind.RESOLUTION.value)
# Rows are canonical JSON: the text is there wherever the key has this value. Only those that have it are parsed.
_BY_POSTER = (
    f"""SELECT verdict_id, revision FROM verdict WHERE instr(record, '"relation":"{Relation.ORIGINAL_POSTER.value}"')"""
    f" AND json_extract(record, '$.reviewer.relation') = '{Relation.ORIGINAL_POSTER.value}'"
)


@dataclass(frozen=True, slots=True)
class Source:
    """Who an origin says that a candidate is by. All names are foreign text."""

    kind: AuthorKind
    model: str
    system: str
    base_model: str
    person: str


def sources(ws: Workspace, candidate_ids: Iterable[str]) -> dict[str, tuple[Source, ...]]:
    """Who wrote each of these candidates, each source once, the first one first."""
    found = defaultdict[str, dict[Source, None]](dict)
    with ws.read() as conn:
        for candidate_id, *values in driver(conn).execute(_OF_CANDIDATES, [listed(candidate_ids)]):
            found[candidate_id][_source(values)] = None
    return {key: tuple(own) for key, own in found.items()}


def all_sources(ws: Workspace, without: Collection[str]) -> tuple[Source, ...]:
    """Everybody who has answered a question that isn't among `without`, in no order. References aren't answers."""
    with ws.read() as conn:
        return tuple(_source(values) for values in driver(conn).execute(_ALL, [listed(without)]))


def states(ws: Workspace, without: Collection[str]) -> dict[Resolution, int]:
    """How many questions that aren't among `without` stand where."""
    with ws.read() as conn:
        return {Resolution(state): n for state, n in driver(conn).execute(_STATES, [listed(without)])}


def resolved(ws: Workspace, without: Collection[str]) -> dict[str, Standing]:
    """Where each question stands of which anybody has said anything, and isn't among `without`."""
    with ws.read() as conn:
        keys = set(conn.execute(_SAID_OF.distinct()).scalars()) - set(without)
        return {key: standing(words) for key, words in read_words(conn, keys).items()} if keys else {}


def by_posters(ws: Workspace) -> frozenset[str]:
    """The revisions of verdicts, as `verdict_id#revision`, whose reviewer had asked the question."""
    with ws.read() as conn:
        return frozenset(f"{verdict_id}#{revision}" for verdict_id, revision in driver(conn).execute(_BY_POSTER))


def _source(values: Iterable[object]) -> Source:
    kind, *names = map(loaded, values)
    return Source(AuthorKind(kind), *names)
