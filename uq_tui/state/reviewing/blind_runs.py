"""Runs on problems that are judged blind: their titles, costs, errors and results say what is hidden.

A run that makes neighbours says nothing of candidates, and is never hidden.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from store import blindness, evaluation, runs
from store.run_rows import Run
from store.workspace import Workspace
from uq_tui.errors import BlindError, NotFoundError
from uq_tui.state.reviewing.blind import HIDDEN
from uq_tui.words import RunKind


class BlindRuns:
    """Which runs are hidden from a reviewer, from one reading of the store."""

    def __init__(self, ws: Workspace, reviewer_id: str) -> None:
        self._masked = blindness.masked_questions(ws, reviewer_id)
        self._candidates = evaluation.candidates_of(ws, self._masked)

    def hides(self, run: Run) -> bool:
        """Whether a run is about a candidate of a masked problem, or brought some in."""
        return bool(self._masked) and run.kind is not RunKind.NEIGHBOURS and any(self._about(run))

    def _about(self, run: Run) -> Iterator[bool]:
        spec = run.spec
        placebo = (spec.get("placebo") or {}).get("candidate", {}).get("id", "")
        for key in (*spec.get("inputs", ()), spec.get("question_id", ""), placebo):
            yield key in self._masked or key in self._candidates

    def veiled(self, run: Run) -> Run:
        """A run as it may be listed: what it does, when, and how far it is."""
        if not self.hides(run):
            return run
        return replace(
            run,
            title=f"{run.kind.value}, {HIDDEN}",
            spec={},
            asked=0,
            remembered=0,
            repeated=0,
            failed=0,
            retried=0,
            tokens=0,
            cost_usd=None,
            unknown_costs=0,
            message="",
            budget_usd=None,
            budget_tokens=None,
        )


def hides(ws: Workspace, reviewer_id: str, run_id: str) -> bool:
    """Whether a run is hidden from a reviewer; one that isn't there is not."""
    try:
        run = runs.get(ws, run_id)
    except NotFoundError:
        return False
    return BlindRuns(ws, reviewer_id).hides(run)


def require(ws: Workspace, reviewer_id: str, run_ids: Iterable[str]) -> None:
    """Refuse to show or go on with hidden runs. Raises BlindError at the first, NotFoundError: there is no such run."""
    hidden = BlindRuns(ws, reviewer_id)
    for run_id in run_ids:
        if hidden.hides(runs.get(ws, run_id)):
            raise refusal(run_id)


def refusal(run_id: str) -> BlindError:
    """What to say instead of what such a run found."""
    return BlindError(
        f"Run {run_id} is about a problem that you judge blind.",
        hint="Decide its items first. To have it revealed, which is recorded: `uq-tui queue reveal QUESTION`, in the"
        " app Ctrl+R on the workbench.",
    )
