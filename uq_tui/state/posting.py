"""Getting an answer ready to be posted: not while its problem is judged blind, and recorded as shown."""

import asyncio
from pathlib import Path

from exports.posting import Posting, export_for_posting, prepare
from store import candidates, exposures, sites
from store.rows import Reviewer
from store.workspace import Workspace
from uq_tui.state.desk import Desk
from uq_tui.state.files import place
from uq_tui.state.reviewing import blind
from uq_tui.text import clean_line
from uq_tui.words import Exposure, PostingRule

WHERE = "posting"
"""The place of exposures by this."""
RULES = {
    PostingRule.FORBIDDEN: "forbidden",
    PostingRule.MAY_BE_DELETED: "may be deleted",
    PostingRule.WITH_REFERENCE: "allowed with a reference",
    PostingRule.UNKNOWN: "unknown",
}


def read(ws: Workspace, reviewer: Reviewer, candidate_id: str) -> Posting:
    """What is to be posted. That the reviewer is shown its author and verdicts is recorded.

    Raises:
        NotFoundError: there is no such candidate, or its text is not here.
        BlindError: the reviewer judges its problem blind.
    """
    question_id = candidates.get(ws, candidate_id).question_id
    blind.require(ws, reviewer.id, question_id)
    for what in (Exposure.MODEL, Exposure.OTHER_VERDICTS):
        exposures.record(ws, reviewer.id, question_id, candidate_id, what, WHERE)
    return prepare(ws, candidate_id)


def policy_lines(posting: Posting) -> tuple[str, ...]:
    """What the site says to answers that a machine wrote, by which source, and where to look."""
    policy = posting.policy
    site = clean_line(sites.name_of(posting.question.row.site)) or "a source that is no site"
    if not posting.by_machine:
        return (f"{site}: a person wrote this answer, so that its policy on machines' answers is not about it.",)
    return (
        f"{site}, answers by machines: {RULES[policy.rule]}. {policy.text}",
        *((f"By {policy.source}",) if policy.source else ()),
        *((f"Look before posting: {policy.look_at}",) if policy.look_at else ()),
    )


class PostingDesk:
    """What the dialog shows and does."""

    def __init__(self, desk: Desk, candidate_id: str) -> None:
        self._desk = desk
        self._candidate_id = candidate_id
        self.posting: Posting | None = None

    async def load(self) -> None:
        """Read the store. Raises as `read` does."""
        own = self._desk.workspace, self._desk.reviewer, self._candidate_id
        self.posting = await asyncio.to_thread(read, *own)

    async def write(self, path: str, *, anyway: bool = False) -> Path:
        """Write the file; where it stands. Raises ExportError, BlindError, NotFoundError."""
        await self.load()
        assert self.posting is not None
        target = place(path)
        await asyncio.to_thread(export_for_posting, self.posting, target, anyway=anyway)
        return target
