"""The second pass on a candidate: what machines claimed confirmed or refuted, their reasoning called sound or not.

It comes after the reveal, or before any verdict in assisted queues. Each decision is a revision of one statement, on
disk before it is shown as made: a pass of thirty claims makes thirty short rows, and a kill loses none.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace

from store import candidates, exposures, questions, statements
from store.review_rows import ClaimDecided, Said, StageJudged
from store.rows import Candidate, Reviewer
from store.statement_record import said_in
from store.workspace import Workspace
from uq_tui.state.desk import Desk
from uq_tui.state.reviewing import blind
from uq_tui.state.reviewing.claims import ClaimItem, claim_key, claims_on
from uq_tui.state.reviewing.traces import StageItem, stage_key, stages_of
from uq_tui.text import counted
from uq_tui.words import ClaimDecision, Exposure, Soundness, StatementKind

WHERE = "second pass"
Item = ClaimItem | StageItem
Decision = ClaimDecision | Soundness


@dataclass(frozen=True, slots=True)
class Matter:
    """All there is to decide on one candidate, and what one reviewer has decided."""

    question: str
    """The title of its question."""
    candidate: Candidate
    items: tuple[Item, ...]
    """Claims, then judgements."""
    said: Said

    @property
    def decisions(self) -> dict[str, Decision]:
        """What was decided, by the keys of items. There may be some on what is no longer listed."""
        on_claims = {claim_key(one.source, one.claim_id): one.decision for one in self.said.claims}
        return {**on_claims, **{stage_key(one.run_id, one.stage): one.sound for one in self.said.soundness}}

    def decision(self, item: Item) -> Decision | None:
        """What was decided; `None` while nothing is."""
        return self.decisions.get(item.key)

    @property
    def decided(self) -> int:
        """Items with a decision."""
        made = self.decisions
        return sum(item.key in made for item in self.items)


def read(ws: Workspace, reviewer: Reviewer, candidate_id: str) -> Matter:
    """What there is to decide on a candidate.

    Raises:
        NotFoundError: there is no such candidate.
        BlindError: its problem is masked for this reviewer.
    """
    candidate = candidates.get(ws, candidate_id)
    blind.require(ws, reviewer.id, candidate.question_id)
    items: tuple[Item, ...] = (*claims_on(ws, candidate), *stages_of(ws, candidate_id))
    standing = statements.second_pass(ws, reviewer.id, candidate_id)
    title = questions.get(ws, candidate.question_id).row.title
    return Matter(title, candidate, items, said_in(standing.record) if standing is not None else Said())


def decide(ws: Workspace, reviewer: Reviewer, candidate: Candidate, item: Item, decision: Decision | None) -> Said:
    """Record a decision, or with `None` that there is none any more; returns all that stands then. Raises StoreError.

    Decisions that another window has made meanwhile are kept.
    """
    made = statements.change(
        ws,
        reviewer,
        StatementKind.SECOND_PASS,
        candidate.question_id,
        _deciding(item, decision),
        candidate_id=candidate.id,
    )
    return said_in(made.record)


def _deciding(item: Item, decision: Decision | None) -> Callable[[Said], Said]:
    def on_claim(said: Said, item: ClaimItem) -> Said:
        others = tuple(one for one in said.claims if (one.claim_id, one.source) != (item.id, item.source))
        own = (ClaimDecided(item.id, item.source, ClaimDecision(decision)),) if decision else ()
        return replace(said, claims=others + own)

    def on_stage(said: Said, item: StageItem) -> Said:
        others = tuple(one for one in said.soundness if (one.run_id, one.stage) != (item.run_id, item.path))
        own = (StageJudged(item.strategy, item.path, item.run_id, Soundness(decision)),) if decision else ()
        return replace(said, soundness=others + own)

    return lambda said: on_claim(said, item) if isinstance(item, ClaimItem) else on_stage(said, item)


def expose(ws: Workspace, reviewer: Reviewer, matter: Matter, where: str) -> None:
    """Record what the list and its replies tell of the candidate. To be called before they are shown."""
    told = {Exposure.CLAIMS} if any(isinstance(one, ClaimItem) for one in matter.items) else set()
    if any(isinstance(one, StageItem) for one in matter.items):
        told.add(Exposure.OUTCOMES)
    if any(isinstance(one, ClaimItem) and not one.source.startswith("audit ") for one in matter.items):
        told.add(Exposure.SCORES)  # a grader's reply has its grade
    candidate = matter.candidate
    for what in sorted(told):
        exposures.record(ws, reviewer.id, candidate.question_id, candidate.id, what, where)


@dataclass(frozen=True, slots=True)
class _Step:
    item: Item
    before: Decision | None


class SecondPass:
    """What the screen shows. `load` reads; `decide` and `undo` write, and return once that is on disk."""

    def __init__(self, desk: Desk, candidate_id: str) -> None:
        self._desk = desk
        self._candidate_id = candidate_id
        self._steps: list[_Step] = []
        self.matter: Matter | None = None
        """`None` until it is read, and recorded as shown."""

    async def load(self) -> None:
        """Read the store, and record that this is shown. Raises BlindError, StoreError."""
        self.matter = await asyncio.to_thread(self._read)

    def _read(self) -> Matter:
        ws, reviewer = self._desk.workspace, self._desk.reviewer
        matter = read(ws, reviewer, self._candidate_id)
        expose(ws, reviewer, matter, WHERE)
        return matter

    def item(self, key: str) -> Item | None:
        """The item that goes by this key."""
        return next((one for one in self.matter.items if one.key == key), None) if self.matter else None

    async def decide(self, key: str, decision: Decision) -> str:
        """Record a decision; returns the key of the item to go on with. Raises StoreError: nothing has changed."""
        item = self.item(key)
        if item is None or self.matter is None:
            return key
        before = self.matter.decision(item)
        await self._record(item, decision)
        self._steps.append(_Step(item, before))
        return self.next_after(key)

    async def undo(self) -> str:
        """Take back the last decision made here; returns the key of its item, "" when there is none."""
        if not self._steps:
            return ""
        step = self._steps[-1]
        await self._record(step.item, step.before)
        self._steps.pop()
        return step.item.key

    async def _record(self, item: Item, decision: Decision | None) -> None:
        assert self.matter is not None
        desk, candidate = self._desk, self.matter.candidate
        said = await asyncio.to_thread(decide, desk.workspace, desk.reviewer, candidate, item, decision)
        self.matter = replace(self.matter, said=said)

    @property
    def undoable(self) -> bool:
        """Whether a decision was made here that can be taken back."""
        return bool(self._steps)

    def next_after(self, key: str) -> str:
        """The next item without a decision, from the top again at the end; the following one when all have one."""
        if self.matter is None or not self.matter.items:
            return ""
        keys = [one.key for one in self.matter.items]
        at = keys.index(key) if key in keys else -1
        in_turn = [*self.matter.items[at + 1 :], *self.matter.items[: at + 1]]
        made = self.matter.decisions
        left = next((one for one in in_turn if one.key not in made), None)
        return left.key if left is not None else keys[min(at + 1, len(keys) - 1)]

    @property
    def progress(self) -> str:
        """`3 of 12 decided, all saved`."""
        if self.matter is None:
            return ""
        of = len(self.matter.items)
        saved = ", all saved" if self.matter.decided else ""
        return f"{self.matter.decided:,} of {of:,} decided{saved}" if of else "Nothing to decide"

    @property
    def counts(self) -> str:
        """`4 claims, 8 judgements`."""
        if self.matter is None:
            return ""
        claims = sum(isinstance(one, ClaimItem) for one in self.matter.items)
        return f"{counted(claims, 'claim')}, {counted(len(self.matter.items) - claims, 'judgement')}"
