"""The verdicts that stand: what people say of candidates, one row for each verdict as it is.

A verdict stands in its newest revision, unless that retracts it. Of several ordinary verdicts that one person has given
on a candidate, under whatever ids, the newest stands. Repeats and adjudications stand beside them, each by itself.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from sys import intern
from typing import Any, NamedTuple

from sqlalchemy import Connection

from store.driver import AMONG, driver, listed, loaded
from store.persons import Persons, read_persons
from store.withheld import NOTHING, Withheld
from store.workspace import Workspace
from uq_tui.words import Label, NotJudged, VerdictStatus

_COLUMNS = (
    "SELECT verdict_id, revision, status, candidate_id, question_id, reviewer_id, reviewer, label, not_judged, blind,"
    " created_at, repeat, CASE WHEN settles THEN json_extract(record, '$.settles') END"
)
_DETAILS = (
    ", json_extract(record, '$.score_0_7', '$.confidence', '$.assignment.repeat_of', '$.assignment.linked_to',"
    " '$.seconds_active', '$.assignment.queue_id', '$.dataset_version')"
)
"""What no column repeats. To read it from the row takes as long as all the rest."""
_PLAIN = f"{_COLUMNS}, '' FROM verdict WHERE NOT repeat"
_WHOLE = f"{_COLUMNS}{_DETAILS} FROM verdict WHERE 1"
# Conditions that hold for all verdicts of a question or person or for none: they don't change which one stands.
_PLACE = " AND question_id IN (SELECT id FROM question WHERE ? IN ('', site) AND ? IN ('', domain))"
_QUESTIONS = f" AND question_id {AMONG}"
_PEOPLE = f" AND (settles OR reviewer_id {AMONG})"
"""By all of somebody's ids."""
_BY_CANDIDATE = " ORDER BY +candidate_id"
"""So that revisions are held of one candidate only. SQLite sorts them: by an index, it would read all over the file."""
_NAMES = (
    "SELECT reviewer_id, reviewer, max(created_at || verdict_id || printf('%09d', revision)) FROM verdict"
    " GROUP BY reviewer_id"
)
"""Of each reviewer the name in their newest row: SQLite takes it from the row that has the maximum."""
_PLACES = "SELECT id, site, domain FROM question WHERE id IN (SELECT question_id FROM verdict)"
_OUTSIDE = "SELECT id FROM question WHERE NOT (? IN ('', site) AND ? IN ('', domain))"
_NO_DETAILS = (None, None, None, None, 0.0, None, "")

_LABELS = {label.value: label for label in Label}
_NOT_JUDGED = {reason.value: reason for reason in NotJudged}


class _Row(NamedTuple):
    """A revision as it is read."""

    verdict_id: str
    revision: int
    status: str
    candidate_id: str
    question_id: str
    reviewer_id: str
    reviewer: str
    label: str | None
    not_judged: str | None
    blind: int
    created_at: str
    repeat: int
    settles: str | None
    details: str


@dataclass(frozen=True, slots=True)
class VerdictSubset:
    """Which of the verdicts that stand are wanted. Empty fields don't restrict.

    Queue, people and blindness choose among what people say by themselves. Adjudications are in whatever these are:
    what they settle remains settled.
    """

    site: str = ""
    domain: str = ""
    dataset_version: str = ""
    """The version that the row names."""
    queue_id: str = ""
    """The queue in which the verdict was given."""
    reviewer_ids: tuple[str, ...] = ()
    """People by any of their ids."""
    since: str = ""
    """A day, or a time without its zone; revisions made before it are out."""
    blind_only: bool = False
    question_ids: frozenset[str] | None = None
    """`None` for all questions."""


@dataclass(frozen=True, slots=True)
class Given:
    """A verdict as it stands."""

    verdict_id: str
    revision: int
    candidate_id: str
    question_id: str
    person: str
    """The smallest id of the reviewer's linked ones."""
    reviewer_id: str
    handle: str
    label: Label | None
    not_judged: NotJudged | None
    score_0_7: int | None
    confidence: int | None
    """1 to 5."""
    blind: bool
    created_at: str
    """Of the revision."""
    repeat_of: str
    """The id of the same person's earlier verdict that this one repeats, "" in others."""
    linked_to: str
    """The revision that it goes along with, given on an identical answer; "" where the answer itself was judged."""
    settles: tuple[str, ...]
    """The revisions, as `verdict_id#revision`, between which it decides; empty in all but adjudications."""
    seconds_active: float
    queue_id: str
    """The queue in which it was given; "" outside of queues."""
    dataset_version: str
    """The version that the row names; "" where it names none."""

    @property
    def name(self) -> str:
        """How rows name the revision."""
        return f"{self.verdict_id}#{self.revision}"

    @property
    def ordinary(self) -> bool:
        """Whether it is neither a repeat nor an adjudication."""
        return not self.repeat_of and not self.settles


@dataclass(frozen=True, slots=True)
class Said:
    """What stands of one candidate."""

    ordinary: tuple[Given, ...]
    """One of each person, in order of time."""
    adjudications: tuple[Given, ...]

    @property
    def settled_by(self) -> Given | None:
        """The newest adjudication that fits: it names all ordinary verdicts as they stand."""
        if not self.adjudications:
            return None
        names = {one.name for one in self.ordinary}
        return next((one for one in reversed(self.adjudications) if names.issubset(one.settles)), None)

    @property
    def deciding(self) -> tuple[Given, ...]:
        """The adjudication that fits, else all ordinary verdicts."""
        settled_by = self.settled_by
        return self.ordinary if settled_by is None else (settled_by,)


def standing(ws: Workspace, subset: VerdictSubset = VerdictSubset(), without: Withheld = NOTHING) -> tuple[Given, ...]:
    """All verdicts that stand and are wanted, in order of (created_at, verdict_id).

    Which verdicts stand doesn't depend on the subset: a verdict that a newer one has taken the place of is in none.

    Args:
        ws: where to look.
        subset: which are wanted.
        without: what the reader is not to see; their own verdicts under linked ids are out with the others.
    """
    with ws.read() as conn:
        return tuple(sorted(_standing(conn, subset, without), key=_moment))


def people_here(ws: Workspace) -> dict[str, str]:
    """The newest public name of everybody who has a verdict here, by reviewer id."""
    with ws.read() as conn:
        return {reviewer_id: loaded(handle) for reviewer_id, handle, _ in driver(conn).execute(_NAMES)}


def places(ws: Workspace) -> dict[str, tuple[str, str]]:
    """Site and field of each question on which there is a verdict."""
    with ws.read() as conn:
        rows = driver(conn).execute(_PLACES)
        return {question_id: (loaded(site), loaded(domain)) for question_id, site, domain in rows}


def outside(ws: Workspace, subset: VerdictSubset) -> frozenset[str]:
    """The questions that a subset leaves out by themselves, whatever verdicts they have."""
    found = set[str]()
    with ws.read() as conn:
        db = driver(conn)
        if subset.site or subset.domain:
            found |= {key for (key,) in db.execute(_OUTSIDE, (subset.site, subset.domain))}
        if subset.question_ids is not None:
            found |= {key for (key,) in db.execute("SELECT id FROM question")} - subset.question_ids
    return frozenset(found)


def by_candidate(given: Iterable[Given]) -> dict[str, Said]:
    """What stands of each candidate that has an ordinary verdict or an adjudication. Repeats are left out."""
    ordinary = defaultdict[str, list[Given]](list)
    adjudications = defaultdict[str, list[Given]](list)
    for one in given:
        if not one.repeat_of:
            (adjudications if one.settles else ordinary)[one.candidate_id].append(one)
    keys = dict.fromkeys((*ordinary, *adjudications))
    return {key: Said(tuple(ordinary.get(key, ())), tuple(adjudications.get(key, ()))) for key in keys}


def each_candidate(conn: Connection, subset: VerdictSubset, without: Withheld) -> Iterator[tuple[str, Said]]:
    """`by_candidate` of what `standing` finds, one candidate after the other, so that not all is held at once."""
    return _each(_standing(conn, subset, without))


def deciding(ws: Workspace) -> Iterator[tuple[str, tuple[Given, ...]]]:
    """One candidate after the other with the verdicts that its label follows from; scores and times are not read."""
    with ws.read() as conn:
        for key, said in _each(_standing(conn, VerdictSubset(), NOTHING, plain=True)):
            if said.ordinary:
                yield key, said.deciding


def _each(given: Iterable[Given]) -> Iterator[tuple[str, Said]]:
    for _, several in groupby(given, key=_candidate):
        yield from by_candidate(several).items()


def _standing(conn: Connection, subset: VerdictSubset, without: Withheld, *, plain: bool = False) -> Iterator[Given]:
    """What stands, candidate by candidate, of each in order of time."""
    people = read_persons(conn)
    query, values = (_PLAIN, []) if plain else _query(subset, people)
    rows = map(_row, driver(conn).execute(f"{query}{_BY_CANDIDATE}", values))
    stand = (row for _, several in groupby(rows, key=_candidate) for row in _one_a_person(several, people))
    yield from _wanted(stand, subset, without, people)


def _row(values: Sequence[Any]) -> _Row:
    """A row as it is read, with one copy of what many rows say: there may be a million."""
    verdict_id, revision, status, candidate_id, question_id, reviewer_id, reviewer, label, *rest = values
    shared = (intern(candidate_id), intern(question_id), intern(reviewer_id), intern(loaded(reviewer)))
    return _Row(verdict_id, revision, intern(status), *shared, label and intern(label), *rest)


def _query(subset: VerdictSubset, people: Persons) -> tuple[str, list[str]]:
    """The statement that reads all revisions by the people and on the questions that are wanted, and its parameters."""
    query, values = _WHOLE, list[str]()
    if subset.site or subset.domain:
        query += _PLACE
        values += [subset.site, subset.domain]
    if subset.question_ids is not None:
        query += _QUESTIONS
        values.append(listed(subset.question_ids))
    if subset.reviewer_ids:
        wanted = {people[key] for key in subset.reviewer_ids}
        query += _PEOPLE
        values.append(listed({*wanted, *(key for key in people if people[key] in wanted)}))
    return query, values


def _one_a_person(revisions: Iterable[_Row], people: Persons) -> Sequence[_Row]:
    """Of all revisions of verdicts on a candidate those that stand, in order of time."""
    newest = {row.verdict_id: row for row in sorted(revisions, key=_revision)}
    by_time = sorted(newest.values(), key=_moment)
    place = {(row.verdict_id if row.repeat or row.settles else "", people[row.reviewer_id]): row for row in by_time}
    retracted = VerdictStatus.RETRACTED.value
    return sorted((row for row in place.values() if row.status != retracted), key=_moment)


def _candidate(one: _Row | Given) -> str:
    return one.candidate_id


def _revision(row: _Row) -> int:
    return row.revision


def _moment(one: _Row | Given) -> tuple[str, str]:
    return one.created_at, one.verdict_id


def _wanted(stand: Iterable[_Row], subset: VerdictSubset, without: Withheld, people: Persons) -> Iterator[Given]:
    own = people[without.reviewer_id]
    for row in stand:
        person = people[row.reviewer_id]
        if row.question_id in without.questions or (person == own and row.candidate_id in without.candidates):
            continue
        if row.created_at < subset.since:
            continue
        opinion = not row.settles
        if opinion and subset.blind_only and not row.blind:
            continue
        found = json.loads(row.details) if row.details else _NO_DETAILS
        score, confidence, repeat_of, linked_to, seconds, queue_id, version = found
        if (opinion and subset.queue_id not in ("", queue_id)) or subset.dataset_version not in ("", version):
            continue
        yield Given(
            verdict_id=row.verdict_id,
            revision=row.revision,
            candidate_id=row.candidate_id,
            question_id=row.question_id,
            person=person,
            reviewer_id=row.reviewer_id,
            handle=row.reviewer,
            label=_LABELS[row.label] if row.label else None,
            not_judged=_NOT_JUDGED[row.not_judged] if row.not_judged else None,
            score_0_7=score,
            confidence=confidence,
            blind=bool(row.blind),
            created_at=row.created_at,
            repeat_of=repeat_of or "",
            linked_to=linked_to or "",
            settles=tuple(json.loads(row.settles)) if row.settles else (),
            seconds_active=seconds,
            queue_id=intern(queue_id or ""),
            dataset_version=intern(version),
        )
