"""Audits of one candidate: what machines hold against it, claim by claim."""

from collections.abc import Sequence
from dataclasses import dataclass

from store import audits, runs
from store.judge_rows import Audit, Claim
from store.rows import Text
from store.texts import source_map
from store.workspace import Workspace
from uq_tui.citations.places import Lines
from uq_tui.document.source_map import SourceMap
from uq_tui.state.quoting import one_line, quoted
from uq_tui.text import counted
from uq_tui.words import ErrorCategory, Reading

CAUTION = "A machine's claims: each may be wrong, and an audit without claims proves nothing."


@dataclass(frozen=True, slots=True)
class Flaw:
    """A claim, with the line of the answer on which its quote begins, and the quote as it is read."""

    claim: Claim
    line: int
    quote: str

    @property
    def category(self) -> str:
        """The kind of flaw in words."""
        return category_text(self.claim.category)

    def markdown(self) -> str:
        """All about it. Foreign words stay in their quotes and lines."""
        claim = self.claim
        return "\n\n".join(
            [
                f"**{self.category}**, line {self.line:,}",
                quoted(self.quote),
                f"**It claims:** {one_line(claim.claim)}",
                f"**Problem:** {one_line(claim.problem)}",
                f"**What would fix it:** {one_line(claim.fix)}",
            ]
        )


@dataclass(frozen=True, slots=True)
class Audited:
    """One audit of the candidate: by which model, when, and what it claims."""

    audit: Audit
    model: str
    flaws: tuple[Flaw, ...]

    @property
    def told(self) -> bool:
        """Whether there are words of the model's to read; of a call that failed there are none."""
        return self.audit.state is not Reading.FAILED

    @property
    def when(self) -> str:
        """`2026-01-02 12:03`."""
        return self.audit.created_at[:16].replace("T", " ")

    def groups(self) -> tuple[tuple[ErrorCategory, tuple[Flaw, ...]], ...]:
        """Claims by category, in the order of the categories; those without a claim are left out."""
        by_category = {
            category: tuple(one for one in self.flaws if one.claim.category is category) for category in ErrorCategory
        }
        return tuple((category, own) for category, own in by_category.items() if own)

    def outcome_text(self) -> str:
        """`3 claims, 1 quote dropped`; of an audit that brought nothing its state and the reason."""
        reason = one_line(self.audit.reason)
        if self.audit.state is not Reading.READ:
            return f"{self.audit.state}: {reason}" if reason else self.audit.state.value
        claims = counted(len(self.flaws), "claim") if self.flaws else "no claims"
        dropped = self.audit.dropped
        return f"{claims}, {counted(dropped, 'quote')} dropped" if dropped else claims

    def markdown(self) -> str:
        """What came of the audit as a whole."""
        lines = [f"**{self.outcome_text()}**", f"By {one_line(self.model)}, {self.when}"]
        if self.audit.state is Reading.READ and self.audit.reason:
            lines.append(f"{one_line(self.audit.reason)}.")
        if self.told:
            lines.append("Enter reads the whole reply.")
        return "\n\n".join(lines)


def category_text(category: ErrorCategory) -> str:
    """`incorrect reasoning`."""
    return category.value.replace("_", " ")


def read_audits(ws: Workspace, candidate_id: str, answer: Text) -> tuple[Audited, ...]:
    """All audits of a candidate, the newest first.

    Args:
        ws: where to look.
        candidate_id: whose.
        answer: its answer, in whose raw text quotes have their places.
    """
    lines, found = Lines(answer.raw), source_map(answer)

    def audited(audit: Audit) -> Audited:
        model = str(runs.get(ws, audit.run_id).spec["model"]["id"])
        claims = audits.claims_of(ws, audit.run_id, audit.candidate_id)
        flaws = (Flaw(claim, lines.number(claim.start), _as_read(claim, answer, found)) for claim in claims)
        return Audited(audit, model, tuple(flaws))

    return tuple(audited(audit) for audit in reversed(audits.of_candidate(ws, candidate_id)))


def _as_read(claim: Claim, answer: Text, found: SourceMap) -> str:
    """A quote without the tags and entities that the raw text has in it; as it was kept where it can't be told."""
    place = found.to_source(claim.start, claim.end)
    return answer.markdown[place[0] : place[1]] if place else claim.quote


def telling(found: Sequence[Audited]) -> bool:
    """Whether any of them shows what a machine thinks of the candidate."""
    return any(one.told for one in found)
