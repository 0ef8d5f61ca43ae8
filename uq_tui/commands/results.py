"""What a run brought in, as tables and as JSON: new candidates, outcomes, scores, claims, utilities, proposals."""

import dataclasses
from collections.abc import Sequence
from typing import Any

import click
from rich.table import Table

from store import candidates, curations, judgements, proposals
from store import scores as score_rows
from store.curation_rows import Path
from store.judge_rows import Scoring
from store.rows import Candidate
from store.run_rows import Run, StageOutcome
from store.workspace import Workspace
from uq_tui.commands import claims, curation_shown, display, scores, utilities
from uq_tui.commands import proposals as proposed
from uq_tui.commands.revealing import record
from uq_tui.engine.models import SMALL, ModelKind, kind_of
from uq_tui.state.findings.scores import equal_mark
from uq_tui.words import Exposure, RunKind


def show(workspace: Workspace, run: Run) -> None:
    """The run's results as a table on standard output, recorded as shown."""
    match run.kind:
        case RunKind.GENERATE:
            display.print_table(_candidates_table(_new_candidates(workspace, run)))
        case RunKind.VALIDATE:
            display.print_table(_outcomes_table(workspace, _outcomes(workspace, run)))
        case RunKind.JUDGE:
            scored = _scores(workspace, run)
            display.print_table(scores.table(scored))
            if any(equal_mark(one) for one in scored):
                click.echo(scores.EQUAL_REPLIES, err=True)
        case RunKind.AUDIT:
            audited = claims.of_run(workspace, run)
            display.print_table(claims.audits_table(audited))
            if any(one.claims for one in audited):
                click.echo()
                display.print_table(claims.claims_table(audited))
        case RunKind.CBU:
            utilities.show(workspace, run)
        case RunKind.NEIGHBOURS:
            if made := proposals.of_run(workspace, run.id):
                display.print_table(proposed.table(workspace, made))
        case RunKind.CURATE:
            display.print_table(curation_shown.paths_table(_paths(workspace, run)))
    warning = _warning(run)
    if warning:
        click.echo(warning, err=True)


def as_json(workspace: Workspace, run: Run) -> dict[str, object]:
    """The run and its results as JSON-ready values, recorded as shown."""
    found: dict[str, object] = {"run": run_json(run), "warning": _warning(run)}
    match run.kind:
        case RunKind.GENERATE:
            found["candidates"] = [_candidate_json(one) for one in _new_candidates(workspace, run)]
        case RunKind.VALIDATE:
            found["outcomes"] = [dataclasses.asdict(one) for one in _outcomes(workspace, run)]
        case RunKind.JUDGE:
            found["scores"] = [scores.as_json(one) for one in _scores(workspace, run)]
        case RunKind.AUDIT:
            found["audits"] = [one.as_json() for one in claims.of_run(workspace, run)]
        case RunKind.CBU:
            found |= utilities.as_json(workspace, run)
        case RunKind.NEIGHBOURS:
            found["proposals"] = proposed.as_json(workspace, proposals.of_run(workspace, run.id))
        case RunKind.CURATE:
            found["questions"] = [curation_shown.path_json(one) for one in _paths(workspace, run)]
    return found


def run_json(run: Run) -> dict[str, Any]:
    """A run without its pinned inputs, which can be long."""
    return {field.name: getattr(run, field.name) for field in dataclasses.fields(run) if field.name != "spec"}


def _new_candidates(workspace: Workspace, run: Run) -> list[Candidate]:
    """Candidates that the run brought in, recorded as shown with their model: whoever chose it knows it."""
    found = [
        one
        for question_id in run.spec["question_ids"]
        for one in candidates.of_question(workspace, question_id)
        if any(origin.source == run.id for origin in one.origins)
    ]
    record(workspace, ((one.question_id, one.id) for one in found), Exposure.MODEL)
    return found


def _outcomes(workspace: Workspace, run: Run) -> tuple[StageOutcome, ...]:
    found = judgements.outcomes_of_run(workspace, run.id)
    judged = dict.fromkeys(one.candidate_id for one in found)
    owners = [(candidates.get(workspace, candidate_id).question_id, candidate_id) for candidate_id in judged]
    record(workspace, owners, Exposure.OUTCOMES)
    return found


def _scores(workspace: Workspace, run: Run) -> tuple[Scoring, ...]:
    found = score_rows.of_run(workspace, run.id)
    record(workspace, ((one.question_id, one.candidate_id) for one in found), Exposure.SCORES)
    return found


def _paths(workspace: Workspace, run: Run) -> list[Path]:
    """The questions of a curation run as they stand now, their answers recorded as shown with model and ratings."""
    places = (curations.path(workspace, run.spec["curation"]["id"], key) for key in run.spec["inputs"])
    found = [one for one in places if one is not None]
    answers = [(one.question_id, one.answer.candidate_id) for one in found if one.answer is not None]
    shown = [(question_id, answer) for question_id, answer in answers if answer is not None]
    record(workspace, shown, Exposure.MODEL)
    record(workspace, shown, Exposure.SCORES)
    return found


def _candidate_json(one: Candidate) -> dict[str, object]:
    return {
        "id": one.id,
        "question_id": one.question_id,
        "number": one.number,
        "answer": one.answer.raw,
        "reasoning": one.reasoning,
        "cut_off": one.cut_off,
    }


def _candidates_table(found: Sequence[Candidate]) -> Table:
    shown = display.table("candidate", "no.", "characters", "", "question", right=("characters",), fold=("question",))
    for one in found:
        cut_off = "cut at the length limit" if one.cut_off else ""
        length = f"{len(one.answer.raw):,}"
        values = (display.short_id(one.id), f"c{one.number}", length, cut_off, one.question_id)
        shown.add_row(*(display.cell(value) for value in values))
    return shown


def _outcomes_table(workspace: Workspace, found: Sequence[StageOutcome]) -> Table:
    """Candidates down, stages across; the last columns are the whole strategy's outcome and its reason."""
    by_place = {(one.candidate_id, one.path): one for one in found}
    stages = list(dict.fromkeys(one.path for one in sorted(found, key=_place) if one.path and "/" not in one.path))
    names = [stage.replace("_", " ") for stage in stages]
    judged = [
        candidates.get(workspace, candidate_id) for candidate_id in dict.fromkeys(one.candidate_id for one in found)
    ]
    several = len({one.question_id for one in judged}) > 1
    place = ("question",) if several else ()
    shown = display.table("candidate", "no.", *names, "outcome", "why", *place, fold=("why", "question"))
    for candidate in sorted(judged, key=lambda one: (one.question_id, one.number)):
        whole = by_place.get((candidate.id, ""))
        cells = [by_place.get((candidate.id, stage)) for stage in stages]
        ends = (whole.reason if whole else None, candidate.question_id)
        shown.add_row(
            *(display.cell(value) for value in (display.short_id(candidate.id), f"c{candidate.number}")),
            *(display.outcome_cell(one.outcome) if one else display.cell(None) for one in (*cells, whole)),
            *(display.cell(value) for value in (ends if several else ends[:1])),
        )
    return shown


def _place(one: StageOutcome) -> tuple[int, str]:
    return one.round, one.created_at


_FREE = (RunKind.AUDIT, RunKind.NEIGHBOURS)
"""Runs that have a small model write what no grammar holds to its form."""


def _warning(run: Run) -> str:
    """What to think of results of models that cannot judge; "" where no call was answered."""
    if not run.asked and not run.remembered:
        return ""
    models = dict.fromkeys(str(model["id"]) for model in run.spec.get("models", [run.spec["model"]]))
    if run.kind is RunKind.GENERATE:
        models = {model: None for model in models if kind_of(model) is ModelKind.REPLAY}
    said = (model_warning(model, by_grammar=run.kind not in _FREE) for model in models)
    return " ".join(filter(None, said))


def model_warning(model: str, *, by_grammar: bool = True) -> str:
    """What to think of judgements by this model; "" where nothing speaks against them beforehand.

    `by_grammar` says whether small models were held to the form of their answers.
    """
    kind = kind_of(model)
    if kind is ModelKind.REPLAY:
        return f"{model} plays back recorded replies; no model was asked."
    if kind is ModelKind.HOSTED:
        return ""
    small = f"It is {SMALL}." if kind is ModelKind.EMBEDDED else "What a small model decides means nothing."
    held = "was held to the answer format by a grammar" if by_grammar else "runs on this machine"
    return f"{model} {held}. {small}"
