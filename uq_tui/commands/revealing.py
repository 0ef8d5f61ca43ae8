"""What a command shows about candidates beyond question and answer, and the record that it did.

A verdict counts as blind only if its reviewer had been shown none of this; so whatever a command prints of it, to a
person or as JSON, is recorded first.
"""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from store import (
    attribution,
    candidate_extras,
    candidates,
    elsewhere,
    exposures,
    external_scores,
    judgements,
    reviewers,
    scores,
)
from store.attribution import Attribution
from store.elsewhere import FoundElsewhere
from store.external_scores import ExternalScore
from store.judge_rows import Scoring
from store.rows import Candidate, KnownLabel
from store.run_rows import StageOutcome, Utility
from store.workspace import Workspace
from uq_tui.commands.scores import as_json
from uq_tui.state.findings import elsewhere as told_elsewhere
from uq_tui.state.findings.audited import Audited, category_text, read_audits, telling
from uq_tui.state.reports.figures import number
from uq_tui.state.utility.measured import caution, odd_text
from uq_tui.text import counted
from uq_tui.words import Exposure

WHERE = "command line"


@dataclass(frozen=True, slots=True)
class Known:
    """What the workspace knows about one candidate."""

    candidate: Candidate
    outcomes: tuple[StageOutcome, ...]
    """Of whole strategies, oldest run first."""
    scorings: tuple[Scoring, ...]
    """By judges: the newest finished run of each judge and model."""
    audits: tuple[Audited, ...]
    """The newest first."""
    utility: Utility | None
    outside: tuple[ExternalScore, ...]
    """By scorers outside uq-tui, in the order of their names."""
    elsewhere: tuple[FoundElsewhere, ...]
    """By runs elsewhere, those that ended first at the front."""
    label: KnownLabel | None
    said: Mapping[str, Mapping[str, Any]]
    """By files, beyond what has a place of its own here."""
    posted: Attribution | None
    """Whose it is, where it was posted on a site."""

    def facts(self) -> list[str]:
        """One line for each thing known."""
        lines = [f"by {origin.name} ({origin.kind.value}), from {origin.source}" for origin in self.candidate.origins]
        lines += [f"posted {self.posted.text}"] if self.posted else []
        lines += [
            f"run {one.run_id}: {one.outcome.value}" + (f", {one.reason}" if one.reason else "")
            for one in self.outcomes
        ]
        lines += [_scored(one) for one in self.scorings]
        lines += [line for one in self.audits for line in _audited(one)]
        if self.utility is not None and self.utility.mean is not None:
            incomplete = "" if self.utility.complete else ", incomplete"
            odd = odd_text(self.utility.neighbours)
            said = f", {odd}" if odd else ""
            lines.append(f"utility {self.utility.mean:.2f}{said} (run {self.utility.run_id}{incomplete})")
            lines += [caution(self.utility)] if caution(self.utility) else []
        lines += [f"{one.scorer}: {number(one.value)} (from {one.source})" for one in self.outside]
        lines += [line for one in self.elsewhere for line in told_elsewhere.lines(one)]
        if self.label is not None:
            parts = (self.label.label.value, self.label.marks_text, self.label.flaw)
            lines.append(f"known label: {', '.join(part for part in parts if part)}")
        lines += [f"{source} says more, shown by --json: {', '.join(said)}" for source, said in self.said.items()]
        return lines

    def as_json(self) -> dict[str, object]:
        """All of it."""
        return {
            "origins": [dataclasses.asdict(origin) for origin in self.candidate.origins],
            "posted": dataclasses.asdict(self.posted) if self.posted else None,
            "reasoning": self.candidate.reasoning,
            "outcomes": [dataclasses.asdict(one) for one in self.outcomes],
            "scores": [as_json(one) for one in self.scorings],
            "audits": [_audit_json(one) for one in self.audits],
            "utility": dataclasses.asdict(self.utility) if self.utility else None,
            "outside_scores": [
                {"scorer": one.scorer, "value": one.value, "source": one.source} for one in self.outside
            ],
            "found_elsewhere": [dataclasses.asdict(one) for one in self.elsewhere],
            "known_label": dataclasses.asdict(self.label) if self.label else None,
            "said": self.said,
        }


def reveal(workspace: Workspace, question_id: str, shown: Sequence[Candidate]) -> dict[str, Known]:
    """What is known about each of a question's candidates, by candidate id; recorded as shown."""
    utilities = {one.candidate_id: one for one in judgements.utilities_of_question(workspace, question_id)}
    scorings = scores.newest(workspace, question_id)
    outside = external_scores.of_question(workspace, question_id)
    found = {}
    for candidate in shown:
        outcomes = judgements.outcomes_of_candidate(workspace, candidate.id)
        known = Known(
            candidate,
            tuple(one for one in outcomes if one.path == ""),
            tuple(one for one in scorings if one.candidate_id == candidate.id),
            read_audits(workspace, candidate.id, candidate.answer),
            utilities.get(candidate.id),
            tuple(one for one in outside if one.candidate_id == candidate.id),
            elsewhere.of_candidate(workspace, candidate.id),
            candidates.known_label(workspace, candidate.id),
            candidate_extras.of_candidate(workspace, candidate.id),
            attribution.of_candidate(workspace, candidate.id),
        )
        for what in _exposed(known):
            record(workspace, [(question_id, candidate.id)], what)
        found[candidate.id] = known
    return found


def _scored(one: Scoring) -> str:
    """`scale_10 by MODEL: mean 8.25 of 6 scores, 1 unparsed, 1 failed (run RUN)`."""
    parts = [f"mean {fmean(one.values):.2f} of {counted(len(one.values), 'score')}" if one.values else "no score"]
    parts += [f"{n:,} {word}" for n, word in ((one.unparsed, "unparsed"), (one.failed, "failed")) if n]
    return f"{one.judge} by {one.model}: {', '.join(parts)} (run {one.run_id})"


def _audited(one: Audited) -> list[str]:
    """`audited by MODEL: 1 claim (run RUN)`, and each claim: `incorrect reasoning in “QUOTE”: PROBLEM`."""
    lines = [f"audited by {one.model}: {one.outcome_text()} (run {one.audit.run_id})"]
    return lines + [
        f"{category_text(flaw.claim.category)} in “{flaw.quote}”: {flaw.claim.problem}" for flaw in one.flaws
    ]


def _audit_json(one: Audited) -> dict[str, object]:
    claims = [dataclasses.asdict(flaw.claim) for flaw in one.flaws]
    return {**dataclasses.asdict(one.audit), "model": one.model, "claims": claims}


def _exposed(known: Known) -> Iterable[Exposure]:
    for one in known.elsewhere:
        yield from one.exposes
    if known.candidate.origins:
        yield Exposure.MODEL
    if known.candidate.reasoning:
        yield Exposure.REASONING
    if known.outcomes:
        yield Exposure.OUTCOMES
    if known.scorings or known.outside:
        yield Exposure.SCORES
    if telling(known.audits) or known.said:
        yield Exposure.CLAIMS
    if known.utility:
        yield Exposure.UTILITY
    if known.label or known.said:
        yield Exposure.KNOWN_LABEL


def record_rows(workspace: Workspace, rows: Iterable[Mapping[str, Any]]) -> None:
    """Record what whole verdict rows show of their candidates: who wrote them, and the evidence frozen in the row."""
    for row in rows:
        shown = {
            Exposure.MODEL: any(value for key, value in row["candidate_origin"].items() if key != "kind"),
            Exposure.OUTCOMES: bool(row["evidence"]["outcomes"]),
            Exposure.SCORES: bool(row["evidence"]["judges"] or row["evidence"].get("outside_scores")),
            Exposure.UTILITY: bool(row["evidence"]["utilities"]),
        }
        for what in (what for what, is_shown in shown.items() if is_shown):
            record(workspace, [(row["question_id"], row["candidate_id"])], what)


def record(workspace: Workspace, shown: Iterable[tuple[str, str]], what: Exposure) -> None:
    """Record that the current reviewer is shown `what` about candidates, given as (question id, candidate id)."""
    reviewer = reviewers.current(workspace)
    for question_id, candidate_id in shown:
        exposures.record(workspace, reviewer.id, question_id, candidate_id, what, WHERE)
