"""Audits and their claims as tables and as JSON, recorded as shown."""

import dataclasses
from collections.abc import Sequence

from rich.table import Table

from store import audits, candidates
from store.judge_rows import Audit, Claim
from store.rows import Candidate
from store.run_rows import Run
from store.workspace import Workspace
from uq_tui.commands import display
from uq_tui.commands.revealing import record
from uq_tui.words import Exposure, Reading


@dataclasses.dataclass(frozen=True, slots=True)
class Audited:
    """A candidate with its audit in one run."""

    candidate: Candidate
    audit: Audit
    claims: tuple[Claim, ...]

    def as_json(self) -> dict[str, object]:
        """The audit and its claims."""
        return {
            **dataclasses.asdict(self.audit),
            "question_id": self.candidate.question_id,
            "claims": [dataclasses.asdict(claim) for claim in self.claims],
        }


def of_run(workspace: Workspace, run: Run) -> list[Audited]:
    """A run's audits, in the candidates' order. Those that were read are recorded as shown, also without a claim."""
    found = [
        Audited(
            candidates.get(workspace, audit.candidate_id),
            audit,
            audits.claims_of(workspace, run.id, audit.candidate_id),
        )
        for audit in audits.of_run(workspace, run.id)
    ]
    shown = [one.candidate for one in found if one.audit.state is Reading.READ]
    record(workspace, ((one.question_id, one.id) for one in shown), Exposure.CLAIMS)
    return found


def audits_table(found: Sequence[Audited]) -> Table:
    """One row a candidate: whether an audit was read, and how many quotes were kept and dropped."""
    several = len({one.candidate.question_id for one in found}) > 1
    place = ("question",) if several else ()
    shown = display.table(
        "candidate", "no.", "audit", "claims", "dropped", "why", *place, right=("claims", "dropped"), fold=("why",)
    )
    for one in found:
        read = one.audit.state is Reading.READ
        values = (
            display.short_id(one.candidate.id),
            f"c{one.candidate.number}",
            one.audit.state.value,
            len(one.claims) if read else None,
            one.audit.dropped if read else None,
            one.audit.reason or None,
            *((one.candidate.question_id,) if several else ()),
        )
        shown.add_row(*(display.cell(value) for value in values))
    return shown


def claims_table(found: Sequence[Audited]) -> Table:
    """One row a claim."""
    texts = ("quote", "claim", "problem", "fix")
    shown = display.table("candidate", "category", *texts, fold=("category", *texts))
    for one in found:
        for claim in one.claims:
            values = (display.short_id(one.candidate.id), claim.category.value.replace("_", " "))
            shown.add_row(
                *(display.cell(value) for value in values), *(display.cell(getattr(claim, name)) for name in texts)
            )
    return shown
