"""What is needed to hold validators against labels: who judged what, with which outcome, and what people say of it.

Bodies are never read. Rows come as plain dataclasses of their own, since nothing else uses them.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from sqlalchemy import func, select
from sqlmodel import col

from store.driver import among, listed
from store.opinions import deciding
from store.run_tables import OutcomeTable, RunTable
from store.tables import CandidateOriginTable, CandidateTable, KnownLabelTable
from store.workspace import Workspace
from uq_tui.words import AuthorKind, DecisionForm, Label, Outcome, RunKind, RunState

_DIGEST = 8
"""Characters of a hash that tell versions apart."""


# Built once: building a statement takes longer than running it. Of a dump, a workspace has a million candidates that
# nothing here is about, so those that are wanted are named.
_ORIGIN = CandidateOriginTable
_QUESTIONS = select(col(CandidateTable.id), col(CandidateTable.question_id)).where(
    among(col(CandidateTable.id), "candidates")
)
_CANDIDATES = select(col(CandidateTable.id)).where(among(col(CandidateTable.question_id), "questions"))
_AUTHORS = (
    select(
        col(_ORIGIN.candidate_id), col(_ORIGIN.kind), col(_ORIGIN.model), col(_ORIGIN.system), col(_ORIGIN.base_model)
    )
    .where(among(col(_ORIGIN.candidate_id), "candidates"))
    .order_by(col(_ORIGIN.created_at), col(_ORIGIN.origin_sha256))
)


@dataclass(frozen=True, slots=True)
class ValidationRun:
    """What a finished validation pinned of how it judged."""

    run_id: str
    strategy: str
    notation: str
    """The one-line form of the strategy; empty in runs of uq-tui 0.1.0."""
    models: tuple[str, ...]
    """All that can be asked; none where only plug-ins judge."""
    endpoints: tuple[str, ...]
    """The `api_base` of each model; empty for the provider's own."""
    form: DecisionForm
    prompts: str
    """Eight hexadecimal characters that differ when a prompt, a plug-in or an old run's strategy text does."""
    stages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """What one run made of one candidate."""

    run_id: str
    candidate_id: str
    outcome: Outcome
    rejecting: tuple[tuple[int, str], ...]
    """(round, path) of every node beneath the root that rejected."""
    calls: int | None
    """Different calls that were made for it, remembered ones too; `None` where they were not all recorded."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a reviewer says of a candidate in their newest verdict; no label is not judged."""

    reviewer_id: str
    label: Label | None


@dataclass(frozen=True, slots=True)
class Author:
    """Somebody a candidate came from. `base_model` is what a system was built on."""

    kind: AuthorKind
    model: str
    system: str
    base_model: str


def finished_validations(ws: Workspace) -> tuple[ValidationRun, ...]:
    """Validations that are done, the oldest first."""
    query = (
        select(col(RunTable.id), col(RunTable.spec))
        .where(col(RunTable.kind) == RunKind.VALIDATE.value, col(RunTable.state) == RunState.DONE.value)
        .order_by(col(RunTable.created_at), col(RunTable.id))
    )
    with ws.read() as db:
        return tuple(validation(row.id, json.loads(row.spec)) for row in db.execute(query))


def unfinished_validations(ws: Workspace) -> int:
    """Validations that are not done though they have brought outcomes."""
    query = (
        select(func.count(func.distinct(col(RunTable.id))))
        .join(OutcomeTable, col(OutcomeTable.run_id) == col(RunTable.id))
        .where(col(RunTable.kind) == RunKind.VALIDATE.value, col(RunTable.state) != RunState.DONE.value)
    )
    with ws.read() as db:
        return int(db.execute(query).scalar_one())


def judged(ws: Workspace) -> tuple[Judged, ...]:
    """What every finished validation made of each candidate it came to an end with, the oldest run first."""
    table = OutcomeTable
    query = (
        select(
            col(table.run_id),
            col(table.candidate_id),
            col(table.path),
            col(table.outcome),
            col(table.call_keys),
            col(table.round),
        )
        .join(RunTable, col(RunTable.id) == col(table.run_id))
        .where(col(RunTable.kind) == RunKind.VALIDATE.value, col(RunTable.state) == RunState.DONE.value)
        .order_by(col(RunTable.created_at), col(table.run_id), col(table.candidate_id), col(table.path))
    )
    notation = func.json_extract(col(RunTable.spec), "$.strategy.notation")
    # Runs of uq-tui 0.1.0 kept the last call of each judgement only.
    partly = select(col(RunTable.id)).where(col(RunTable.kind) == RunKind.VALIDATE.value, notation.is_(None))
    with ws.read() as db:
        old = set(db.execute(partly).scalars())
        nodes = groupby(db.execute(query), key=lambda row: (row.run_id, row.candidate_id))
        found = [
            _judged(run_id, candidate_id, rows, recorded=run_id not in old) for (run_id, candidate_id), rows in nodes
        ]
    return tuple(one for one in found if one is not None)


def questions_of(ws: Workspace, candidate_ids: Iterable[str]) -> dict[str, str]:
    """The question id of each of these candidates that is here."""
    with ws.read() as db:
        return {row.id: row.question_id for row in db.execute(_QUESTIONS, {"candidates": listed(candidate_ids)})}


def candidates_of(ws: Workspace, question_ids: Iterable[str]) -> frozenset[str]:
    """The ids of all candidates of these questions."""
    with ws.read() as db:
        return frozenset(db.execute(_CANDIDATES, {"questions": listed(question_ids)}).scalars())


def opinions(ws: Workspace) -> dict[str, tuple[Opinion, ...]]:
    """What reviewers say of each candidate that has verdicts: one opinion of each person, their newest.

    Retracted verdicts are out, and so are repeats, which measure the reviewer. Where an adjudication settles what
    reviewers say, its opinion is the only one.
    """
    return {key: tuple(Opinion(one.reviewer_id, one.label) for one in given) for key, given in deciding(ws)}


def known_labels(ws: Workspace) -> dict[str, Label]:
    """The labels that came with candidates."""
    with ws.read() as db:
        rows = db.execute(select(col(KnownLabelTable.candidate_id), col(KnownLabelTable.label)))
        return {row.candidate_id: Label(row.label) for row in rows}


def references(ws: Workspace) -> frozenset[str]:
    """Ids of candidates that are reference solutions: correct by definition."""
    with ws.read() as db:
        return frozenset(db.execute(select(col(CandidateTable.id)).where(col(CandidateTable.reference))).scalars())


def labelled(ws: Workspace) -> tuple[str, ...]:
    """Ids of candidates that came with a label and whose text is here, question by question in their order."""
    query = (
        select(col(CandidateTable.id))
        .join(KnownLabelTable, col(KnownLabelTable.candidate_id) == col(CandidateTable.id))
        .where(col(CandidateTable.answer_sha256).is_not(None))
        .order_by(col(CandidateTable.question_id), col(CandidateTable.number))
    )
    with ws.read() as db:
        return tuple(db.execute(query).scalars())


def authors(ws: Workspace, candidate_ids: Iterable[str]) -> dict[str, tuple[Author, ...]]:
    """Who wrote each of these candidates, each author once, the first one first."""
    found = defaultdict[str, dict[Author, None]](dict)
    with ws.read() as db:
        for row in db.execute(_AUTHORS, {"candidates": listed(candidate_ids)}):
            found[row.candidate_id][Author(AuthorKind(row.kind), row.model, row.system, row.base_model)] = None
    return {candidate_id: tuple(given) for candidate_id, given in found.items()}


def validation(run_id: str, spec: Mapping[str, Any]) -> ValidationRun:
    """What a validation pinned of how it judges, from its spec."""
    # Runs of uq-tui 0.1.0 pinned one model, and their strategy as text in place of a notation.
    strategy = spec["strategy"]
    models = spec["models"] if "models" in spec else [spec["model"]]
    versions = {name: template["sha256"] for name, template in spec.get("templates", {}).items()}
    pinned = [versions, spec.get("plugins", {}), strategy.get("toml", ""), spec.get("sampling", {})]
    return ValidationRun(
        run_id=run_id,
        strategy=strategy["name"],
        notation=strategy.get("notation", ""),
        models=tuple(model["id"] for model in models),
        endpoints=tuple(model.get("api_base", "") for model in models),
        form=DecisionForm(spec.get("form", DecisionForm.TAGGED)),
        prompts=hashlib.sha256(json.dumps(pinned, sort_keys=True).encode()).hexdigest()[:_DIGEST],
        stages=tuple(spec.get("stages", ())),
    )


def _judged(run_id: str, candidate_id: str, rows: Iterable[Any], *, recorded: bool) -> Judged | None:
    """One candidate's nodes together; `None` when the strategy as a whole has come to no end.

    `recorded` says whether the run kept all calls of a judgement.
    """
    whole: Outcome | None = None
    rejecting = []
    calls: set[str] = set()
    for row in rows:
        calls.update(json.loads(row.call_keys) if row.call_keys != "[]" else ())
        if row.path == "":
            whole = Outcome(row.outcome)
        elif row.outcome == Outcome.REJECT.value:
            rejecting.append((row.round, row.path))
    if whole is None:
        return None
    return Judged(run_id, candidate_id, whole, tuple(rejecting), len(calls) if recorded else None)
