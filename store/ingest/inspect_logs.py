"""Logs of Inspect, as `.json` or `.eval`: inputs become questions, outputs candidates by the evaluated model.

What scorers gave is a machine's word, whatever it is called: it is kept as numbers of outside scorers, their words
beside the candidate. Where several epochs gave the same answer, it has the mean of its scores in this log. Samples that
ended with an error, or at a limit without an answer, are failed answers. Targets are kept with the question.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

from sqlalchemy import Connection

from store import candidate_extras, external_scores, intake
from store.external_scores import ExternalScore
from store.failed_answers import FailedAnswer
from store.identity import UNNAMED_SOURCE, candidate_id, question_id_for_text
from store.ingest import fields
from store.ingest.candidates_jsonl import put_answers
from store.ingest.expertmath import ORIGINAL_ANSWER
from store.ingest.inspect_files import Log, open_log
from store.ingest.inspect_samples import Answer, answer_of, question_of, target_of
from store.ingest.inspect_scores import explanations_of, scores_of
from store.ingest.report import OnProgress, RowError, Tally, chunks
from store.intake import NewQuestion, Taken
from store.rows import ImportReport, NewCandidate, Origin
from store.workspace import Workspace
from uq_tui.text import counted
from uq_tui.words import AuthorKind, TextFormat

FORMAT = "Inspect log"
NO_MODEL = "none/none"
"""What a log is called by that has no model of its own: each sample's output names who wrote it."""
MEMBERS = frozenset(("header.json", "_journal/start.json"))
"""One of these is in every `.eval` archive."""
KEYS = (frozenset(("status", "eval")), frozenset(("eval", "plan")))
"""Keys with which a log in one document begins, and the first entry of an archive."""

_KEPT = ("id", "epoch", "metadata", "choices", "sandbox", "limit", "total_time", "working_time", "uuid")
"""What is kept of a sample with its question, apart from its target; no text of messages."""


def tells(members: Iterable[str], keys: Set[str]) -> bool:
    """Whether a file is a log, by the names in a zip archive and by the keys that a JSON document begins with."""
    return not MEMBERS.isdisjoint(members) or any(some <= keys for some in KEYS)


def import_log(ws: Workspace, path: Path, *, on_progress: OnProgress | None = None) -> ImportReport:
    """Import a log. Importing it again changes nothing.

    A sample that can't be used is reported by its number in the log; the others are kept.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it cannot be read, is no log, or is beyond a limit.
    """
    tally = Tally(path, FORMAT)
    with open_log(path) as log:
        reader = _Reader(log, path.name)
        rows = reader.rows(tally)
        for chunk in chunks(rows, lambda row: len(row.question.body) + row.characters):
            questions, answers = ws.write(partial(_put, rows=chunk))
            for taken in questions:
                tally.take(taken, "questions")
            for row, taken in zip(chunk, answers, strict=True):
                tally.take(taken, "candidates" if isinstance(row.answer, NewCandidate) else "failed answers")
            if on_progress is not None:
                on_progress(tally.seen)
        _put_scores(ws, reader, tally)
        reader.say(tally)
    return tally.report()


@dataclass(frozen=True, slots=True)
class _Row:
    question: NewQuestion
    answer: NewCandidate | FailedAnswer

    @property
    def characters(self) -> int:
        return len(self.answer.answer) if isinstance(self.answer, NewCandidate) else len(self.answer.error)


def _put(db: Connection, rows: list[_Row]) -> tuple[list[Taken], list[Taken]]:
    """What became of the questions, each once, and of the answers."""
    questions = list({row.question.id: row.question for row in rows}.values())
    return intake.put(db, questions), put_answers(db, [row.answer for row in rows])


def _put_scores(ws: Workspace, reader: "_Reader", tally: Tally) -> None:
    """Store the mean of what each scorer gave to an answer, and what it said, once all samples are read."""
    given = [
        ExternalScore(key, scorer, fmean(values), reader.source) for (key, scorer), values in reader.scores.items()
    ]
    for some in chunks(given, lambda one: len(one.scorer)):
        for taken in ws.write(partial(external_scores.put, given=some)):
            tally.take(taken, "scores")
    for extras in chunks(reader.extras.items(), lambda one: len(str(one[1]))):
        ws.write(partial(_put_extras, source=reader.source, extras=extras))


def _put_extras(db: Connection, source: str, extras: Iterable[tuple[str, list[dict[str, Any]]]]) -> None:
    for key, samples in extras:
        candidate_extras.put(db, key, source, {"inspect": samples})


@dataclass(slots=True)
class _Reader:
    """Makes rows of samples, and gathers what scorers gave to each answer."""

    log: Log
    source: str
    scores: dict[tuple[str, str], list[float]] = field(default_factory=lambda: defaultdict(list))
    """By candidate and scorer."""
    extras: dict[str, list[dict[str, Any]]] = field(default_factory=lambda: defaultdict(list))
    """What is kept of the samples behind a candidate."""
    unscored: int = 0

    @property
    def evaluation(self) -> Mapping[str, Any]:
        """The log's `eval`: task, data set, model."""
        found = self.log.header.get("eval")
        return found if isinstance(found, dict) else {}

    def rows(self, tally: Tally) -> Iterator[_Row]:
        """A row for each sample that can be used; the others are reported."""
        for sample in self.log.samples:
            tally.read += 1
            try:
                if sample.problem:
                    raise RowError(sample.problem)
                yield self._row(sample.value)
            except RowError as error:
                tally.reject(sample.number, f"{sample.name}: {error}" if sample.name else str(error))

    def _row(self, sample: Mapping[str, Any]) -> _Row:
        body = question_of(sample)
        model = self._model(sample)
        question = self._question(body, sample)
        answer = answer_of(sample)
        if answer.failure:
            return _Row(question, FailedAnswer(question.id, model, answer.failure[:2_000], self.source))
        self._gather(candidate_id(question.id, answer.text), sample)
        return _Row(question, self._candidate(question.id, model, answer))

    def _model(self, sample: Mapping[str, Any]) -> str:
        model, output = fields.text(self.evaluation, "model"), sample.get("output")
        return fields.text(output, "model") if model == NO_MODEL and isinstance(output, dict) else model

    def _question(self, body: str, sample: Mapping[str, Any]) -> NewQuestion:
        dataset = self.evaluation.get("dataset")
        dataset = fields.text(dataset, "name") if isinstance(dataset, dict) else ""
        task = fields.text(self.evaluation, "task")
        targets = target_of(sample)
        kept = {key: sample[key] for key in _KEPT if key in ("id", "metadata", "choices") and sample.get(key)}
        about = {"task": task, "dataset": dataset, "target": list(targets), **kept}
        extra: dict[str, Any] = {f"inspect: {self._log_id()}": about}
        if targets:
            extra[ORIGINAL_ANSWER] = "\n\n".join(targets)
        return NewQuestion(
            id=question_id_for_text(UNNAMED_SOURCE, body),
            title=fields.title_of(body),
            body=body,
            format=TextFormat.MARKDOWN,
            source=self.source,
            source_id=f"{dataset or task}/{sample.get('id')}" if sample.get("id") is not None else "",
            extra=extra,
        )

    def _log_id(self) -> str:
        return fields.text(self.evaluation, "eval_id", "run_id") or self.source

    def _candidate(self, question: str, model: str, answer: Answer) -> NewCandidate:
        return NewCandidate(
            question_id=question,
            answer=answer.text,
            format=TextFormat.MARKDOWN,
            origin=Origin(AuthorKind.MODEL, model=model, source=self.source),
            reasoning=answer.reasoning,
            cut_off=answer.cut_off,
        )

    def _gather(self, candidate: str, sample: Mapping[str, Any]) -> None:
        kept = {key: sample[key] for key in _KEPT if key != "metadata" and sample.get(key) is not None}
        self.extras[candidate].append({**kept, "scores": explanations_of(sample)})
        for scorer, value in scores_of(sample, self.evaluation):
            if value is None:
                self.unscored += 1
            else:
                self.scores[candidate, scorer].append(value)

    def say(self, tally: Tally) -> None:
        """Note what there is to know of the log as a whole."""
        status = self.log.header.get("status")
        if not self.log.finished:
            tally.note("The evaluation has not come to its end: the log has what was written by then.")
        elif status != "success":
            tally.note(f"The evaluation's status is {status!a}.")
        if not tally.read:
            results = self.log.header.get("results")
            ran = results.get("completed_samples") if isinstance(results, dict) else None
            more = f", though {counted(ran, 'sample')} ran" if isinstance(ran, int) and ran else ""
            tally.note(f"The log has no samples{more}: nothing in it can be imported.")
        if self.scores:
            tally.note("Scores are those of Inspect's scorers, machines all of them: no labels.")
        if self.unscored:
            tally.note(f"{counted(self.unscored, 'score')} left out: unscored, or no number.")
