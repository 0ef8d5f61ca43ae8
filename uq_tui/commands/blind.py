"""Blindness on the command line: whoever sits at the workspace is told no more of a problem than the app shows them."""

from collections.abc import Iterable, Mapping
from typing import Any

import store.withheld
from store import blindness, candidates, reviewers
from store.rows import Candidate
from store.withheld import Withheld
from store.workspace import Workspace
from uq_tui.engine.requests import CbuRequest, CurateRequest, GenerateRequest, NeighboursRequest, Request
from uq_tui.state.reviewing import blind, blind_runs
from uq_tui.state.reviewing.blind import LeftOut
from uq_tui.state.reviewing.blind_runs import BlindRuns
from uq_tui.text import counted


def candidates_of(workspace: Workspace, question_id: str) -> tuple[Candidate, ...]:
    """The candidates of a question as the current reviewer may see them."""
    return blind.candidates_of(workspace, reviewers.current(workspace).id, question_id)


def candidate(workspace: Workspace, candidate_id: str) -> Candidate:
    """One candidate as the current reviewer may see it. Raises NotFoundError."""
    return blind.candidate(workspace, reviewers.current(workspace).id, candidate_id)


def number(one: Candidate) -> int | None:
    """A candidate's number as JSON has it; `None` where it would tell who wrote it."""
    return None if one.letter else one.number


def note_read(workspace: Workspace, candidate_ids: Iterable[str], *, reasoning: bool = False) -> None:
    """Record that printed answers, or reasoning, hold their authors' names, where they do."""
    blind.note_read(workspace, reviewers.current(workspace).id, candidate_ids, reasoning=reasoning)


def refuse(workspace: Workspace, *, question_id: str = "", candidate_id: str = "") -> None:
    """Refuse what would show something masked of a question, or of a candidate's. Raises BlindError."""
    asked = question_id or candidates.get(workspace, candidate_id).question_id
    blind.require(workspace, reviewers.current(workspace).id, asked)


def refuse_request(workspace: Workspace, request: Request) -> None:
    """Refuse to start a run that would find something masked. Raises BlindError, NotFoundError."""
    for question_id in _questions(workspace, request):
        refuse(workspace, question_id=question_id)


def _questions(workspace: Workspace, request: Request) -> Iterable[str]:
    match request:
        case NeighboursRequest():
            return ()
        case GenerateRequest() | CurateRequest():
            return request.question_ids
        case CbuRequest():
            placebo = (candidates.get(workspace, request.placebo_id).question_id,) if request.placebo_id else ()
            return (request.question_id, *placebo)
    return dict.fromkeys(candidates.get(workspace, key).question_id for key in request.candidate_ids)


def refuse_runs(workspace: Workspace, run_ids: Iterable[str]) -> None:
    """Refuse to show or go on with runs on masked problems. Raises BlindError."""
    blind_runs.require(workspace, reviewers.current(workspace).id, run_ids)


def runs(workspace: Workspace) -> BlindRuns:
    """Which runs are hidden from the current reviewer."""
    return BlindRuns(workspace, reviewers.current(workspace).id)


def left_out(workspace: Workspace) -> LeftOut:
    """What figures leave out for the current reviewer."""
    return blind.left_out(workspace, reviewers.current(workspace).id)


def withheld(workspace: Workspace) -> Withheld:
    """The verdict rows that the current reviewer is not to see."""
    return store.withheld.withheld(workspace, reviewers.current(workspace).id)


def masked(workspace: Workspace) -> frozenset[str]:
    """Ids of all questions that are masked for the current reviewer."""
    return blindness.masked_questions(workspace, reviewers.current(workspace).id)


_KEPT = (
    "record",
    "verdict_id",
    "revision",
    "supersedes",
    "status",
    "question_id",
    "question_title",
    "candidate_id",
    "reviewer",
    "label",
    "not_judged",
    "score_0_7",
    "confidence",
    "errors",
    "rationale",
    "question_flags",
    "seconds_active",
    "seconds_total",
    "created_at",
)
"""What of a row the reviewer has said, or needs to name it. That it is not blind would tell which names in answers are
those of authors."""


def row(record: Mapping[str, Any]) -> dict[str, Any]:
    """Of a verdict row on a masked problem what the reviewer said; its evidence and its author are left out."""
    return {key: record[key] for key in _KEPT if key in record} | {"hidden": blind.HIDDEN}


def held_back(rows: int) -> str:
    """`3 rows on problems you still judge blind are held back.`"""
    return f"{counted(rows, 'row')} on problems you still judge blind {'is' if rows == 1 else 'are'} held back."
