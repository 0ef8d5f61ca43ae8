"""What the rows that leave a workspace have in common: revisions, one line of JSON each, sealed with its hash."""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from store import post_links
from store.record_shape import HASH_KEY
from store.rows import Candidate, Question, Reviewer
from uq_tui.errors import UqError
from uq_tui.words import Relation, VerdictStatus

_SURROGATE = re.compile("[\ud800-\udfff]")
_ENCODE = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
_HASH_LENGTH = len(f',"{HASH_KEY}":""}}') + 64
"""Characters of a sealed line from the comma before its hash to the end."""


class BadRecordError(UqError):
    """A line that is not an intact row; the message says why."""

    title = "Row"


class NewerRecordError(BadRecordError):
    """A row of a later schema version."""


@dataclass(frozen=True, slots=True)
class Revision:
    """Which revision of which verdict or statement a row is."""

    id: str
    number: int
    supersedes: str
    """`id#number` of the revision before, "" for the first."""
    status: VerdictStatus
    created_at: str


def question_keys(question: Question) -> dict[str, str]:
    """The keys of a row that say what it is about, and whose that is: those of `record_shape.QUESTION_KEYS`."""
    return {
        "question_id": question.row.id,
        "question_title": question.row.title,
        "site": question.row.site,
        "source_url": question.link,
        "source_author": question.author,
        "source_author_url": post_links.author_link(question.row.site, question.author_id),
        "source_edited": post_links.edited_on(question.edited_at, question.row.asked_at),
        "licence": question.licence,
        "dataset_version": question.dataset_version,
    }


def origin_of(candidate: Candidate) -> dict[str, str]:
    """The key `candidate_origin` of a row: the first of the places that the answer came from. Persons aren't named."""
    origin = candidate.origins[0] if candidate.origins else None
    return {
        "kind": origin.kind.value if origin else "",
        "model": origin.model if origin else "",
        "system": origin.system if origin else "",
        "organisation": origin.organisation if origin else "",
        "base_model": origin.base_model if origin else "",
    }


def reviewer_of(reviewer: Reviewer, relation: Relation) -> dict[str, Any]:
    """The key `reviewer` of a row. A reviewer's own name is no part of it."""
    return {
        "id": reviewer.id,
        "handle": reviewer.handle,
        "orcid": reviewer.orcid,
        "relation": relation.value,
        "expertise": list(reviewer.expertise),
        "affiliation": reviewer.affiliation,
        "linked_ids": list(reviewer.linked),
    }


def retracted(record: Mapping[str, Any], revision: Revision) -> dict[str, Any]:
    """The unsealed row that takes `record` back: what was said, seen and known then, under a new revision."""
    changed = {
        "revision": revision.number,
        "supersedes": revision.supersedes,
        "status": revision.status.value,
        "created_at": revision.created_at,
    }
    return {key: changed.get(key, value) for key, value in record.items() if key != HASH_KEY}


def canonical_json(value: Any) -> str:
    """`value` as one line of JSON that is valid Unicode: keys in their own order, no spaces, no NaN.

    A surrogate without its partner is written as an escape; two that form a pair are the character they mean,
    as every JSON reader takes them. U+2028, U+2029 and U+0085 stand as they are: lines end at a line feed only.

    Raises:
        ValueError: a number that JSON has no word for.
    """
    text = _ENCODE(value)
    if text.isascii() or _SURROGATE.search(text) is None:
        return text
    paired = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return _SURROGATE.sub(lambda found: f"\\u{ord(found.group()):04x}", paired)


def row_sha256(record: Mapping[str, Any]) -> str:
    """sha256 of the canonical JSON, as UTF-8, of the row without its own hash."""
    rest = {key: value for key, value in record.items() if key != HASH_KEY}
    return hashlib.sha256(canonical_json(rest).encode()).hexdigest()


def sealed(record: Mapping[str, Any]) -> str:
    """The finished line, without line feed: the row with its hash as its last key."""
    rest = {key: value for key, value in record.items() if key != HASH_KEY}
    return canonical_json({**rest, HASH_KEY: row_sha256(rest)})


def verify_row(
    record: Mapping[str, Any], kind: str, version: int, problems: Callable[[Mapping[str, Any]], Iterable[str]]
) -> str:
    """Make sure that a row read from strict JSON is an intact one of its kind, of a version we know; its sealed line.

    Keys this version doesn't know are allowed: they are covered by the hash.

    Args:
        record: the row.
        kind: what its key `record` must say.
        version: the newest schema version of that kind that is known.
        problems: what is wrong with a row of that version, hash apart.

    Raises:
        NewerRecordError: the row has a later schema version.
        BadRecordError: it isn't such a row, a key is missing or has another type, or the hash doesn't fit.
    """
    found = record.get("schema_version")
    if type(found) is int and found > version:
        raise NewerRecordError(f"it has schema version {found}; this uq-tui reads up to {version}")
    if found != version or record.get("record") != kind:
        raise BadRecordError(f"it is not a {kind} row")
    problem = next(iter(problems(record)), None)
    if problem is not None:
        raise BadRecordError(problem)
    line = _with_hash_last(record)
    if _sealed_sha256(line) != record[HASH_KEY]:
        raise BadRecordError(f"its {HASH_KEY} doesn't fit its content: the row was damaged or edited")
    return line


def _with_hash_last(record: Mapping[str, Any]) -> str:
    if [*record][-1] == HASH_KEY:
        return canonical_json(record)
    rest = {key: value for key, value in record.items() if key != HASH_KEY}
    return canonical_json({**rest, HASH_KEY: record[HASH_KEY]})


def _sealed_sha256(line: str) -> str:
    """The hash that a line must have to be sealed with it, if that has the length of one."""
    return hashlib.sha256(f"{line[:-_HASH_LENGTH]}}}".encode()).hexdigest()
