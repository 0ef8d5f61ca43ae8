"""Results of UQ's validators, as JSON rows: `question_id`, `model_name`, `evaluation`.

They name no answer, only who gave it. A result belongs to the one answer of that model to the question; where there are
several it can't be told which one was judged, unless the row has the `answer` itself. What is found is kept as the
outcomes of runs that are done, one run for each strategy and judge of a file. The file's times have no zone, and are
taken as UTC.
"""

import hashlib
import json
import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import bindparam, select
from sqlmodel import col

from store import imported_runs
from store.identity import candidate_id, now
from store.imported_runs import Found, ImportedRun
from store.ingest import fields
from store.ingest.candidates_jsonl import question_named
from store.ingest.jsonl import parse_rows, read_rows
from store.ingest.question_ids import QuestionFinder
from store.ingest.report import OnProgress, RowError, Tally, chunks
from store.ingest.stack_exchange import checked_site
from store.ingest.uq_evaluations import Evaluation, evaluation_of, failed, name_of, with_stages
from store.intake import Taken
from store.rows import ImportReport
from store.run_rows import Call, Message, StageOutcome
from store.tables import CandidateOriginTable, CandidateTable, ForeignText
from store.workspace import Workspace
from uq_tui.words import CallState

FORMAT = "UQ validator results"
NAIVE = "times without a zone were taken as UTC"
_KEYS = ("strategy", "judge_model", "decisions", "step_results", "is_accepted")
_RUNS = uuid.UUID("6d5ef9e1-97a5-5a0c-9f0d-2f0f4f0b6a51")
"""Namespace of the ids of runs that files tell of, so that a file that comes twice tells of the same."""

# Built once: building a statement takes longer than running it.
_BY_ID = select(col(CandidateTable.id)).where(
    col(CandidateTable.id) == bindparam("this_id"), col(CandidateTable.answer_sha256).is_not(None)
)
_BY_MODEL = (
    select(col(CandidateTable.id))
    .join(CandidateOriginTable, col(CandidateOriginTable.candidate_id) == col(CandidateTable.id))
    .where(
        col(CandidateTable.question_id) == bindparam("this_question"),
        col(CandidateTable.answer_sha256).is_not(None),
        col(CandidateOriginTable.model) == bindparam("this_model", type_=ForeignText),
    )
    .distinct()
    .limit(2)
)

_Pipeline = tuple[str, int, tuple[str, ...]]
"""Judge, planned stages, and the stages that are known."""


def tells(row: Mapping[str, Any]) -> bool:
    """Whether a JSON row is of this form."""
    evaluation = row.get("evaluation")
    return isinstance(evaluation, dict) and "question_id" in row and any(key in evaluation for key in _KEYS)


def import_validations(
    ws: Workspace, path: Path, *, site: str = "", question_id: str = "", on_progress: OnProgress | None = None
) -> ImportReport:
    """Import results of validators. The file is read twice; importing it again changes nothing.

    Args:
        ws: where the questions and answers are.
        path: the file.
        site: the site that post ids belong to, for rows that name none.
        question_id: the question of rows that name none.
        on_progress: called now and then with the number of rows dealt with.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it cannot be read, or `site` is no site.
    """
    reader = _Reader(ws, path, checked_site(site), question_id)
    tally = Tally(path, FORMAT)
    found = _new(parse_rows(path, reader.found, tally), tally)
    for chunk in chunks(found, lambda one: sum(len(call.reply) for call in one.calls)):
        for taken in ws.write(partial(imported_runs.put, found=chunk)):
            tally.take(taken, "results")
        if on_progress is not None:
            on_progress(tally.seen)
    if reader.naive:
        tally.note(NAIVE)
    return tally.report()


def _new(found: Iterable[Found | None], tally: Tally) -> Iterator[Found]:
    """What an earlier row hasn't said already."""
    for one in found:
        if one is None:
            tally.take(Taken.SAME, "results")
        else:
            yield one


@dataclass(frozen=True, slots=True)
class _Result:
    evaluation: Evaluation
    at: str


class _Reader:
    """Makes findings of rows: whose answer it was, and which run it belongs to."""

    def __init__(self, ws: Workspace, path: Path, site: str, question_id: str) -> None:
        self._ws = ws
        self._source = path.name
        self._site = site
        self._question_id = question_id
        self._finder = QuestionFinder(ws)
        self.naive = False
        """A time had no zone."""
        self._pipelines = frozenset(self._survey(path))
        self._seen: dict[tuple[_Pipeline, str], list[str]] = {}
        """Digests of what was found of a candidate so far, by pipeline and candidate."""

    def _survey(self, path: Path) -> Iterator[_Pipeline]:
        for row in read_rows(path):
            try:
                found = None if row.problem else self._result(row.value).evaluation
            except RowError:  # said when the row is read for good
                continue
            if found is not None and found.stages:
                yield found.judge, found.planned, found.stages

    def _result(self, row: Mapping[str, Any]) -> _Result:
        given = row.get("evaluation")
        error = given.get("error") if isinstance(given, dict) and not any(key in given for key in _KEYS) else None
        error = error or (row.get("error") if given is None else None)
        if error:
            return _Result(failed(error if isinstance(error, str) else json.dumps(error)), "")
        if given is None:
            raise RowError("no `evaluation`")
        return _Result(evaluation_of(given), self._time(given))

    def _time(self, given: Mapping[str, Any]) -> str:
        at = given.get("timestamp")
        moment = fields.moment(at)
        if moment is not None and isinstance(at, str):
            self.naive = self.naive or datetime.fromisoformat(at.strip()).tzinfo is None
        return moment or ""

    def found(self, row: Mapping[str, Any]) -> Found | None:
        """What a row tells of a candidate; `None` where an earlier row says the very same."""
        result = self._result(row)
        question = question_named(row, self._finder, self._site, self._question_id)
        candidate = self._candidate(question, row)
        pipeline = self._pipeline(result.evaluation)
        evaluation = with_stages(result.evaluation, pipeline[2])
        digest = hashlib.sha256(repr(evaluation).encode("utf-8", "surrogatepass")).hexdigest()
        before = self._seen.setdefault((pipeline, candidate), [])
        if digest in before:
            return None
        before.append(digest)
        return _finding(self._run(pipeline, len(before)), candidate, evaluation, result.at)

    def _pipeline(self, evaluation: Evaluation) -> _Pipeline:
        """The strategy of which an evaluation may have but the first steps."""
        if not evaluation.stages:
            if len(self._pipelines) != 1:
                raise RowError("its evaluation failed, and the file doesn't say by which of several strategies")
            return next(iter(self._pipelines))
        own = evaluation.judge, evaluation.planned, evaluation.stages
        longer = {
            one
            for one in self._pipelines
            if one[:2] == own[:2] and one[2][: len(evaluation.stages)] == evaluation.stages
        }
        longest = {one for one in longer if not any(_goes_on(other, one) for other in longer)}
        return longest.pop() if len(longest) == 1 else own

    def _run(self, pipeline: _Pipeline, turn: int) -> ImportedRun:
        judge, planned, stages = pipeline
        numbers = range(len(stages) + 1, planned + 1)
        names = (*map(name_of, stages), *(f"step_{number}" for number in numbers))
        known = " => ".join(stages) + (f" => {planned - len(stages)} more" if numbers else "")
        key = json.dumps([self._source, judge, planned, stages, turn])
        return ImportedRun(
            id=str(uuid.uuid5(_RUNS, key)),
            source=self._source,
            strategy=known,
            stages=(*stages, *(f"step_{number}: unknown" for number in numbers)),
            stage_names=names,
            judge=judge,
        )

    def _candidate(self, question: str, row: Mapping[str, Any]) -> str:
        """The answer that was judged. Raises RowError: it is none, or can't be told."""
        model = fields.text(row, "model_name", "model").strip()
        answer = fields.text(row, "answer")
        with self._ws.read() as db:
            found = (
                db.execute(_BY_ID, {"this_id": candidate_id(question, answer)}).scalars().all()
                if answer
                else db.execute(_BY_MODEL, {"this_question": question, "this_model": model}).scalars().all()
            )
        by = f"by {model!a}" if model else "without a model's name"
        if not found:
            raise RowError(f"no answer {by} to question {question} is here; import the answers first")
        if len(found) > 1:
            raise RowError(
                f"several answers {by} to question {question} are here, and the row doesn't say which one was judged"
            )
        return found[0]


def _goes_on(longer: _Pipeline, shorter: _Pipeline) -> bool:
    return len(longer[2]) > len(shorter[2]) and longer[2][: len(shorter[2])] == shorter[2]


def _finding(run: ImportedRun, candidate: str, evaluation: Evaluation, at: str) -> Found:
    outcomes, calls = [], []
    for number, rung in enumerate(evaluation.rungs):
        own = [
            _call(run, candidate, f"{rung.path}#{place}", reply.text, reply.purpose, evaluation.prompt, at)
            for place, reply in enumerate(rung.replies)
        ]
        calls += own
        keys = tuple(call.key for call in own)
        read = keys[-1] if keys else ""
        outcomes.append(StageOutcome(run.id, candidate, rung.path, rung.outcome, rung.reason, read, number, at, keys))
    return Found(run, tuple(outcomes), tuple(calls))


def _call(run: ImportedRun, candidate: str, place: str, reply: str, purpose: str, prompt: str, at: str) -> Call:
    """A reply as the call that brought it, as far as the file tells of that. Its key is no key that we would ask by."""
    key = json.dumps(["imported", run.id, candidate, place, reply])
    return Call(
        key=hashlib.sha256(key.encode()).hexdigest(),
        model=run.judge,
        endpoint="",
        messages=(Message("user", prompt),) if prompt and place.endswith("#0") else (),
        parameters={},
        dropped=(),
        epoch=0,
        sample=0,
        template=purpose,
        template_version="",
        template_sha256="",
        state=CallState.DONE,
        reasoning="",
        reply=reply,
        finish_reason="",
        error_kind=None,
        error="",
        tokens_in=None,
        tokens_out=None,
        cost_usd=None,
        latency_s=None,
        attempts=1,
        constrained=False,
        run_id=run.id,
        created_at=at or now(),
    )
