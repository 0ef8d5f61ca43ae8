"""The candidates that a run judges, with the texts its prompts show: pinned when it is created, read when it runs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from store import candidates, questions
from store.workspace import Workspace
from uq_tui.engine.runs.pins import epoch_for, load_candidate, load_question, pin_candidate, pin_question
from uq_tui.errors import UqError
from uq_tui.words import RunKind

_SAME_PROMPTS = (RunKind.VALIDATE, RunKind.JUDGE)
"""Kinds of run that ask the same: one judge is the correctness check."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A candidate with the texts that prompts show."""

    candidate_id: str
    question: str
    answer: str


def pin_inputs(ws: Workspace, candidate_ids: Iterable[str]) -> dict[str, Any]:
    """The part of a spec that says which candidates a run judges, each once, in order; their ids are its `inputs`.

    Raises:
        NotFoundError: a candidate is unknown.
        UqError: none is named, or the text of one or of its question is not in the workspace.
    """
    ids = list(dict.fromkeys(candidate_ids))
    if not ids:
        raise UqError("No candidate is named.", hint="Name one or more candidates.")
    found = [candidates.get(ws, candidate_id) for candidate_id in ids]
    asked = dict.fromkeys(one.question_id for one in found)
    return {
        "inputs": ids,
        "questions": {question_id: pin_question(questions.get(ws, question_id)) for question_id in asked},
        "candidates": [{**pin_candidate(one), "question_id": one.question_id} for one in found],
    }


def load_inputs(ws: Workspace, spec: Mapping[str, Any]) -> list[Judged]:
    """What `pin_inputs` has pinned. Raises NotFoundError, and UqError when a text is no longer what was pinned."""
    asked = {question_id: load_question(ws, pinned) for question_id, pinned in spec["questions"].items()}
    return [Judged(one["id"], asked[one["question_id"]], load_candidate(ws, one)) for one in spec["candidates"]]


def judging_epoch(ws: Workspace, candidate_ids: Iterable[str], *, fresh: bool) -> int:
    """The epoch of a run that asks judges about these candidates: a fresh one is new to validations and judges both."""
    ids = list(candidate_ids)
    return max(epoch_for(ws, kind, ids, fresh=fresh) for kind in _SAME_PROMPTS)
