"""What a bundle consists of: the members of its archive in their order, and the shapes of the rows in them.

A bundle takes a share of a queue to a reviewer elsewhere, or brings back what they said. Manifest and rows have exactly
the keys of their shapes. A blind bundle holds nothing that tells who wrote an answer or what came of it: neither names,
reasoning, times, scores and labels, nor which items have known labels.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any

from store.record_shape import ID, is_text, misfits
from uq_tui.words import AuthorKind, QueueMode, TextFormat

SCHEMA_VERSION = 1
RECORD = "bundle"
MANIFEST = "manifest.json"
QUESTIONS, CANDIDATES, ITEMS = "questions.jsonl", "candidates.jsonl", "items.jsonl"
VERDICTS, STATEMENTS = "verdicts.jsonl", "statements.jsonl"


class Holds(StrEnum):
    """What a bundle is for."""

    WORK = "work"
    """A reviewer's share of a queue, to be judged elsewhere."""
    RETURNED = "returned"
    """What they said, on its way back."""


class Required(StrEnum):
    """What a queue may ask of a verdict beside a label, by the names that its rules have in `queue.spec`."""

    SCORE = "score"
    RATIONALE = "rationale"
    CONFIDENCE = "confidence"
    QUOTE = "quote_if_incorrect"


MEMBERS: Mapping[Holds, tuple[str, ...]] = {
    Holds.WORK: (QUESTIONS, CANDIDATES, ITEMS),
    Holds.RETURNED: (VERDICTS, STATEMENTS),
}
"""The members behind the manifest, in their order."""

MOST_MANIFEST_BYTES = 4 * 1024 * 1024
MOST_LINE_BYTES = 16 * 1024 * 1024
MOST_ITEMS = 100_000

_OF_MEMBER: Mapping[str, Any] = {"rows": int, "bytes": int, "sha256": str}
_REVIEWER: Mapping[str, Any] = {
    "id": str,
    "handle": str,
    "orcid": str,
    "expertise": [str],
    "affiliation": str,
    "linked_ids": [str],
}
_WORK_ON: Mapping[str, Any] = {
    "id": str,
    "name": str,
    "mode": QueueMode,
    "guideline": str,
    "grouped": bool,
    "two_steps": bool,
    "required": [Required],
}
"""What working on a queue takes. How it was built is withheld: a filter tells what all that passes it has in common."""

_QUEUES_AND_REVIEWERS: Mapping[Holds, Mapping[str, Any]] = {
    Holds.WORK: {"queue": _WORK_ON, "reviewer": _REVIEWER},
    Holds.RETURNED: {"queue": {"id": str, "name": str}, "reviewer": {"id": str, "handle": str}},
}
MANIFESTS: Mapping[Holds, Mapping[str, Any]] = {
    holds: {
        "schema_version": int,
        "record": str,
        "holds": Holds,
        **_QUEUES_AND_REVIEWERS[holds],
        "members": dict.fromkeys(MEMBERS[holds], _OF_MEMBER),
    }
    for holds in Holds
}

QUESTION: Mapping[str, Any] = {
    "question_id": str,
    "title": str,
    "body": str,
    "format": TextFormat,
    "site": str,
    "source_url": str,
    "source_author": str,
    "source_author_id": str,
    "licence": str,
    "tags": [str],
    "category": str,
    "domain": str,
    "dataset_version": str,
    "asked_at": (str, None),
    "edited_at": (str, None),
    "reference_answer": str,
    "grading": str,
}
CANDIDATE: Mapping[str, Any] = {
    "candidate_id": str,
    "question_id": str,
    "answer": str,
    "format": TextFormat,
    "cut_off": bool,
    "reference": bool,
    "reasoning": str,
    "origins": [
        {"kind": AuthorKind, "model": str, "system": str, "organisation": str, "base_model": str, "person": str}
    ],
}
ITEM: Mapping[str, Any] = {
    "item_id": str,
    "position": int,
    "question_id": str,
    "candidate_id": str,
    "answer_group": int,
    "repeat": bool,
    "linked_to": str,
}


def manifest_problems(manifest: Mapping[str, Any]) -> Iterator[str]:
    """What keeps a parsed object from being the manifest of a bundle of this version."""
    if manifest.get("record") != RECORD or manifest.get("schema_version") != SCHEMA_VERSION:
        yield "it is no manifest of a bundle"
        return
    if manifest.get("holds") not in set(Holds):
        yield f"`holds` is none of {', '.join(Holds)}"
        return
    yield from exact_problems(manifest, MANIFESTS[Holds(manifest["holds"])])


def exact_problems(value: Any, shape: Any) -> Iterator[str]:
    """What keeps a parsed value from having a shape and no key beyond it."""
    yield from misfits(value, shape)
    yield from _unknown(value, shape)


def _unknown(value: Any, shape: Any) -> Iterator[str]:
    if isinstance(shape, list) and isinstance(value, list):
        for one in value:
            yield from _unknown(one, shape[0])
    elif isinstance(shape, Mapping) and isinstance(value, Mapping):
        yield from (f"there is a key {key!a}, which has no place in it" for key in value if key not in shape)
        for key in value.keys() & shape.keys():
            yield from _unknown(value[key], shape[key])


def reviewer_problems(reviewer: Mapping[str, Any], queue: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with who and what a manifest of the right shape is for."""
    if not is_text(reviewer["id"], ID) or not is_text(queue["id"], ID):
        yield "the id of its reviewer or queue is no id"
    elif not all(is_text(one, ID) for one in reviewer.get("linked_ids", ())):
        yield "an id that its reviewer has elsewhere is no id"
    elif not reviewer["handle"].strip() or not queue["name"].strip():
        yield "its reviewer or queue has no name"
