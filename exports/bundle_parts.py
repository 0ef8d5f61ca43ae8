"""What stands in a bundle: the rows of a reviewer's share of a queue.

Whatever a blind reviewer may not know is never read into a row: authors, reasoning, times, scores, known labels, files,
how the queue was built, which items are gold items. Candidates of a question stand in the order of their ids, which
are hashes and tell nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from store import candidates, questions, queues
from store.bundle_shape import RECORD, SCHEMA_VERSION, Holds, Required
from store.grading import scheme_of
from store.ingest.expertmath import ORIGINAL_ANSWER
from store.record_shape import TIME, is_text
from store.review_rows import Queue, QueueItem
from store.rows import Candidate, Reviewer
from store.workspace import Workspace
from uq_tui.words import ItemRole, QueueMode

_ORIGIN_KEYS = ("model", "system", "organisation", "base_model", "person")
_PAGE = 1_000


@dataclass(frozen=True, slots=True)
class Share:
    """What a reviewer has to do in a queue, without practice: its feedback is known labels."""

    queue: Queue
    reviewer: Reviewer
    items: tuple[QueueItem, ...]
    """In order."""
    practice: int
    """Items that stay out."""

    @property
    def question_ids(self) -> tuple[str, ...]:
        """The questions of its items, in order."""
        return tuple(dict.fromkeys(one.question_id for one in self.items))


def read_share(ws: Workspace, queue: Queue, reviewer: Reviewer) -> Share:
    """A reviewer's share of a queue; one without items where they have none."""
    found: list[QueueItem] = []
    while page := queues.items(ws, queue.id, reviewer.id, after=found[-1].position if found else -1, limit=_PAGE):
        found += page
    kept = tuple(one for one in found if one.role is not ItemRole.PRACTICE)
    return Share(queue, reviewer, kept, len(found) - len(kept))


def work_manifest(share: Share) -> dict[str, Any]:
    """The manifest of a bundle with a share in it, without its members."""
    queue, reviewer = share.queue, share.reviewer
    rules: Mapping[str, Any] = queue.spec.get("rules", {})
    return {
        "schema_version": SCHEMA_VERSION,
        "record": RECORD,
        "holds": Holds.WORK.value,
        "queue": {
            "id": queue.id,
            "name": queue.name,
            "mode": queue.mode.value,
            "guideline": queue.guideline,
            "grouped": bool(queue.spec.get("grouped", True)),
            "two_steps": bool(queue.spec.get("two_steps", False)),
            "required": [name.value for name in Required if rules.get(name)],
        },
        "reviewer": {
            "id": reviewer.id,
            "handle": reviewer.handle,
            "orcid": reviewer.orcid,
            "expertise": list(reviewer.expertise),
            "affiliation": reviewer.affiliation,
            "linked_ids": list(reviewer.linked),
        },
    }


def returned_manifest(queue: Queue, reviewer: Reviewer) -> dict[str, Any]:
    """The manifest of a returned bundle, without its members."""
    return {
        "schema_version": SCHEMA_VERSION,
        "record": RECORD,
        "holds": Holds.RETURNED.value,
        "queue": {"id": queue.id, "name": queue.name},
        "reviewer": {"id": reviewer.id, "handle": reviewer.handle},
    }


def question_rows(ws: Workspace, question_ids: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The questions, with what their source says of the solution. Their votes and answers on the site stay out."""
    for question_id in question_ids:
        found = questions.get(ws, question_id)
        reference = found.extra.get(ORIGINAL_ANSWER, "")
        yield {
            "question_id": question_id,
            "title": found.row.title,
            "body": found.body.raw,
            "format": found.body.format.value,
            "site": found.row.site,
            "source_url": found.link,
            "source_author": found.author,
            "source_author_id": found.author_id,
            "licence": found.licence,
            "tags": list(found.row.tags),
            "category": found.category,
            "domain": found.domain,
            "dataset_version": found.dataset_version,
            "asked_at": _time(found.row.asked_at),
            "edited_at": _time(found.edited_at),
            "reference_answer": reference if isinstance(reference, str) else "",
            "grading": scheme_of(found.extra),
        }


def _time(at: str | None) -> str | None:
    """A time as bundles have it; other ways to write one are left out."""
    return at if is_text(at, TIME) else None


def candidate_rows(ws: Workspace, share: Share) -> Iterator[dict[str, Any]]:
    """The candidates that are judged, and the references they are read against."""
    judged = {one.candidate_id for one in share.items}
    blind = share.queue.mode is QueueMode.BLIND
    for question_id in share.question_ids:
        there = (one for one in candidates.of_question(ws, question_id) if one.answer.sha256)
        wanted = [one for one in there if one.reference or one.id in judged]
        for one in sorted(wanted, key=lambda one: (one.reference, one.id)):
            yield _candidate(one, blind=blind)


def _candidate(one: Candidate, *, blind: bool) -> dict[str, Any]:
    origins = [
        {"kind": origin.kind.value, **{key: getattr(origin, key) for key in _ORIGIN_KEYS}} for origin in one.origins
    ]
    return {
        "candidate_id": one.id,
        "question_id": one.question_id,
        "answer": one.answer.raw,
        "format": one.answer.format.value,
        "cut_off": one.cut_off,
        "reference": one.reference,
        "reasoning": "" if blind else one.reasoning,
        "origins": [] if blind else origins,
    }


def item_rows(share: Share) -> Iterator[dict[str, Any]]:
    """The items. Gold items look like plain ones; of a repeat it can't be hidden that its candidate comes twice."""
    for one in share.items:
        yield {
            "item_id": one.id,
            "position": one.position,
            "question_id": one.question_id,
            "candidate_id": one.candidate_id,
            "answer_group": one.answer_group,
            "repeat": one.role is ItemRole.REPEAT,
            "linked_to": one.linked_to,
        }
