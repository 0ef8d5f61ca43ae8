"""Frozen rows of reviewing: queues, their items, decisions, statements. As importable as `store.rows`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from store.rows import Verdict, VerdictForm
from uq_tui.words import (
    ClaimDecision,
    ItemRole,
    ItemState,
    QueueMode,
    Relation,
    Resolution,
    Soundness,
    StatementKind,
    VerdictRole,
    VerdictStatus,
)


@dataclass(frozen=True, slots=True)
class Queue:
    """Work laid out for reviewers."""

    id: str
    name: str
    mode: QueueMode
    spec: Mapping[str, Any]
    """What it was built from; `uq_tui.state.reviewing.queue_spec` reads it."""
    guideline: str
    """Markdown; empty when there is none."""
    created_at: str
    closed_at: str | None


@dataclass(frozen=True, slots=True)
class NewItem:
    """An item on its way into a queue, in one reviewer's share. Its place is that in the sequence it comes in."""

    question_id: str
    candidate_id: str
    role: ItemRole = ItemRole.PLAIN
    answer_group: int = 0
    linked_to: int | None = None
    """Place in the same share of the item whose verdict counts for this one too."""


@dataclass(frozen=True, slots=True)
class QueueItem:
    """One candidate in one reviewer's share of a queue."""

    id: str
    queue_id: str
    reviewer_id: str
    position: int
    """From 0."""
    question_id: str
    candidate_id: str
    answer_group: int
    role: ItemRole
    linked_to: str
    """The item whose verdict counts for this one; empty when it is judged itself."""
    state: ItemState
    given: str
    verdict_id: str
    decided_at: str | None


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a reviewer is with a queue, in items that are judged themselves; linked ones are apart."""

    total: int
    decided: int
    skipped: int
    put_off: int
    linked: int
    """Items that another one's verdict counts for."""

    @property
    def left(self) -> int:
        """Items still to decide, put off ones included."""
        return self.total - self.decided - self.skipped


@dataclass(frozen=True, slots=True)
class Decision:
    """What came of deciding, undoing or redoing on an item or a candidate."""

    verdict: Verdict
    linked: tuple[Verdict, ...]
    """Those recorded with it on identical answers."""
    item: QueueItem | None
    """The item as it stands now; `None` outside queues."""
    revealed: bool
    """With it the last item of a problem in a blind queue was decided."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A form that is not submitted yet."""

    form: VerdictForm
    version: int
    updated_at: str


@dataclass(frozen=True, slots=True)
class DraftCopy:
    """A draft that another window's took the place of."""

    id: str
    candidate_id: str
    role: VerdictRole
    form: VerdictForm
    kept_at: str


@dataclass(frozen=True, slots=True)
class ClaimDecided:
    """What a reviewer made of one claim of a machine."""

    claim_id: str
    source: str
    """What claimed it, such as `audit by MODEL`."""
    decision: ClaimDecision


@dataclass(frozen=True, slots=True)
class StageJudged:
    """What a reviewer made of the reasoning behind one judgement of a validator run."""

    strategy: str
    stage: str
    """Its path in the strategy, such as `fact_logic/2`."""
    run_id: str
    sound: Soundness


@dataclass(frozen=True, slots=True)
class Resolved:
    """What a person says of whether a question is solved."""

    state: Resolution
    credit: str = ""
    """Who solved it: a model, a system or a person, by their public name."""
    verifier: Relation = Relation.OTHER
    """On whose word: what they are to the question. It may be another person than the one who records it."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a statement says, beside whose it is and what it is about. Which fields are used depends on its kind."""

    text: str = ""
    in_reply_to: str = ""
    """Id of the statement that it answers."""
    claims: tuple[ClaimDecided, ...] = ()
    soundness: tuple[StageJudged, ...] = ()
    accepted_by: str = ""
    """Of an acceptance: who accepted the answer, by their public name."""
    accepted_at: str = ""
    """Of an acceptance: when, as far as it is known, such as `2026-01-31`."""
    evidence_url: str = ""
    """Of an acceptance or a resolution: where it can be seen."""
    resolved: Resolved | None = None
    """Of a resolution, and only of one."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One stored revision of what a person said beside verdicts. `record` is the exported row."""

    statement_id: str
    revision: int
    kind: StatementKind
    status: VerdictStatus
    question_id: str
    candidate_id: str
    """Empty when it is about the question."""
    reviewer_id: str
    reviewer: str
    created_at: str
    record: Mapping[str, Any] = field(repr=False)

    @property
    def stands(self) -> bool:
        """Whether it has not been taken back."""
        return self.status is VerdictStatus.SUBMITTED

    @property
    def text(self) -> str:
        """Its words."""
        return str(self.record["text"])

    @property
    def in_reply_to(self) -> str:
        """Id of the statement that it answers, or ""."""
        return str(self.record["in_reply_to"])
