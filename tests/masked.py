"""A workspace in which everything that a blind reviewer may not see of one problem holds a word found nowhere else."""

import json
import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from store import (
    blindness,
    candidates,
    curation_passes,
    curations,
    external_scores,
    failed_answers,
    neighbours,
    queues,
    ratings,
    reviewers,
    runs,
    statements,
)
from store.curation_rows import CurationAnswer, Place, Rating
from store.external_scores import ExternalScore
from store.failed_answers import FailedAnswer
from store.ingest.importer import import_file
from store.review_rows import ClaimDecided, NewItem, Resolved, Said
from store.rows import KnownLabel, Neighbour, NewCandidate, Origin, Reviewer, VerdictForm
from store.workspace import Workspace
from tests.found_elsewhere import TWO, judge_row, outcome_row, put_row, utility_row
from tests.found_runs import audited_by, judged_by
from tests.judged_runs import THREE_ITER, judged_run, three_iter
from tests.measured_runs import measured_by
from tests.store.records.giving import give
from uq_tui.curation.thresholds import default_toml
from uq_tui.words import (
    AuthorKind,
    ClaimDecision,
    CurationStage,
    ErrorCategory,
    ItemRole,
    Label,
    Outcome,
    QueueMode,
    Reading,
    Relation,
    Resolution,
    RunKind,
    RunState,
    StatementKind,
    TextFormat,
)

MASKED, PLAIN = "masked.example:1", "plain.example:2"
"""Questions: one that the reviewer judges blind, one that they don't."""
PREFIX = "qzx"
"""Each word that may not be seen begins so and says what it is."""
LEAKS = re.compile(
    rf"{PREFIX}\w+"
    r"|7\.39\b|-0\.739\d*|(?<!\d)0?\.74\b"  # scores of judges, of outside scorers, utilities
    r"|0\.7391|739,?137"  # costs, tokens
    r'|(?<!state\.)(?<!Choose: )(?<!"name": ")resolved[ _]by[ _](?:a )?model'  # not where a key says what it is for
    r"|\bc[3-5]\b"  # numbers in the order in which candidates came
)
_QUESTIONS = """\
{"question_id": 1, "title": "Is every masked graph small?", "body": "What holds? It is **masked**.", "site": "masked.example", "score": 1}
{"question_id": 2, "title": "Is every plain graph small?", "body": "What holds? It is **plain**.", "site": "plain.example", "score": 2}
"""  # noqa: E501 - a row is a line
DISSENTER = Reviewer("dissenter", "a-dissenter", "", ())
"""Who disagrees with a colleague on a masked answer."""
NOW = "2026-01-01T00:00:00.000000Z"
GUIDELINE = "Read each answer *twice*."
ANSWER = "Every graph is small, by induction. The last words."
_TEXTS = {
    "call": ("model", "endpoint", "reply", "reasoning", "error", "finish_reason"),
    "run": ("title", "message"),
    "outcome": ("reason",),
    "rollout": ("answer", "reason"),
    "score": ("reason",),
    "audit": ("reason",),
    "claim": ("claim", "problem", "fix"),
    "utility": ("solver",),
}
"""Columns of words of runs that get one of these words at their end."""


@dataclass(frozen=True)
class Masked:
    """What is in the workspace."""

    path: Path
    answers: tuple[str, ...]
    """Ids of the masked candidates; the last is the reference."""
    plain: str
    """Id of the candidate of the other question."""
    runs: tuple[str, ...]
    """Ids of the runs on the masked problem: a validation, a second one that failed, a judge, an audit, a utility."""
    again: str
    """Id of a candidate of the other question that is to be judged once more."""


def reveal(path: Path) -> None:
    """Have everything shown to the reviewer."""
    ws = Workspace.open(path)
    try:
        blindness.reveal(ws, reviewers.current(ws).id, MASKED)
        queues.close(ws, queues.by_name(ws, "once more").id)
    finally:
        ws.close()


def leaks(text: str) -> list[str]:
    """What may not be seen of it."""
    return sorted(set(LEAKS.findall(text)))


def words_of(path: Path) -> Iterator[str]:
    """The words that may not be seen, as the workspace holds them."""
    yield from sorted({found for table in _all_texts(path) for found in re.findall(rf"{PREFIX}\w+", table)})


def fill(path: Path) -> Masked:
    """Make the workspace. The current reviewer has a blind queue of the masked problem, none of it decided."""
    source = path.with_name("questions.jsonl")
    source.write_text(_QUESTIONS, encoding="utf-8")
    ws = Workspace.open(path)
    try:
        import_file(ws, source)
        made = _put_rows(ws)
    finally:
        ws.close()
    _mark(made)
    return made


def _put_rows(ws: Workspace) -> Masked:
    label = KnownLabel(Label.INCORRECT, f"{PREFIX}flaw", f"{PREFIX}labelfile", 2.0, 7.0)
    extra = {f"{PREFIX}grade": f"{PREFIX}graded"}
    machine = Origin(
        AuthorKind.MODEL,
        model=f"openai/{PREFIX}model",
        organisation=f"{PREFIX}organisation",
        base_model=f"{PREFIX}base",
        prompt=f"{PREFIX}prompt",
        source=f"{PREFIX}file.jsonl",
    )
    system = Origin(AuthorKind.SYSTEM, system=f"{PREFIX}system", source=f"{PREFIX}file.jsonl")
    person = Origin(AuthorKind.PERSON, person=f"{PREFIX}person", source=f"{PREFIX}file.jsonl")
    plain = Origin(AuthorKind.MODEL, model="openai/plain", source="plain.jsonl")
    answers = candidates.add(
        ws,
        [
            NewCandidate(MASKED, ANSWER, TextFormat.MARKDOWN, machine, "Think.", known_label=label, extra=extra),
            NewCandidate(MASKED, "<p>No graph is small.</p>", TextFormat.HTML, system, known_label=label),
            NewCandidate(MASKED, "Some graphs are small.", TextFormat.MARKDOWN, person),
            NewCandidate(MASKED, "Yes, all are.", TextFormat.MARKDOWN, person, reference=True),
        ],
    )
    other, again = candidates.add(
        ws,
        [
            NewCandidate(
                PLAIN, "Plainly so.", TextFormat.MARKDOWN, plain, known_label=KnownLabel(Label.CORRECT, "", "")
            ),
            NewCandidate(PLAIN, "Plainly not so.", TextFormat.MARKDOWN, plain),
        ],
    )
    for question_id in (MASKED, PLAIN):
        neighbours.add(ws, question_id, [Neighbour("", f"What is 1 + {k}?", str(1 + k), "us") for k in (1, 2)])
    first, second = answers[:2]
    model = "openai/judge"
    made = [
        judged_run(ws, first, THREE_ITER, three_iter("aar"), model=model, cost=0.7391),
        judged_run(ws, first, THREE_ITER, three_iter("aaa"), model=model, cost=0.7391),
        judged_by(ws, first, [7, 8, "no score", "!failed"], model=model),
        audited_by(ws, first, ANSWER, [(ErrorCategory.OTHER, "The last words.")], model=model),
        measured_by(ws, {first: ["1110"], second: ["1000"]}, control=["1000"], question_id=MASKED, model=model),
    ]
    for one in made:
        runs.set_state(ws, one.id, RunState.DONE, "told")
    runs.set_state(ws, made[1].id, RunState.FAILED, "failed")
    for key in (other, again):
        judged_run(ws, key, THREE_ITER, three_iter("aaa"), model="openai/plain-judge")
    judged_by(ws, other, [3, 4], model="openai/plain-judge")
    outside = [ExternalScore(first, f"{PREFIX}scorer", -0.739137, f"{PREFIX}scores.csv")]
    ws.write(lambda db: external_scores.put(db, outside))
    _find_elsewhere(ws, first)
    _rate(ws, first)
    failed = FailedAnswer(MASKED, f"openai/{PREFIX}failedmodel", f"{PREFIX}failederror", f"{PREFIX}failedfile")
    ws.write(lambda db: failed_answers.put(db, [failed]))
    own = reviewers.current(ws)
    give(ws, own, again, VerdictForm(label=Label.INCORRECT, rationale=f"{PREFIX}earlier"))
    colleague = Reviewer("colleague", "a-colleague", "", ())
    reviewers.save(ws, colleague)
    form = VerdictForm(label=Label.CORRECT_BORDERLINE, confidence=2, rationale=f"{PREFIX}rationale")
    give(ws, colleague, first, form)
    reviewers.save(ws, DISSENTER)
    give(ws, DISSENTER, first, VerdictForm(label=Label.INCORRECT, rationale=f"{PREFIX}dissent"))
    give(ws, colleague, other, VerdictForm(label=Label.CORRECT, rationale="By a colleague."))
    _say(ws, colleague, first)
    reviewers.save(ws, own)
    items = [NewItem(MASKED, key) for key in answers[:3]]
    queues.make(ws, name="blind", mode=QueueMode.BLIND, spec={}, guideline=GUIDELINE, shares={own.id: items})
    once_more = [NewItem(PLAIN, again, role=ItemRole.REPEAT)]
    queues.make(ws, name="once more", mode=QueueMode.OPEN, spec={}, guideline="", shares={own.id: once_more})
    return Masked(ws.path, answers, other, tuple(one.id for one in made), again)


def _find_elsewhere(ws: Workspace, candidate_id: str) -> None:
    """Have runs elsewhere find something of an answer: a validation, a judge, a utility."""
    run_id = f"{PREFIX}elsewhererun"
    names = {"strategy": f"{PREFIX}elsewherestrategy", "reason": f"{PREFIX}elsewherereason"}
    validator = {**TWO, "strategy": names["strategy"], "models": [f"openai/{PREFIX}elsewheremodel"]}
    outcomes = [outcome_row(run_id, path, Outcome.REJECT, **names) for path in ("", "fact_logic")]
    put_row(ws, candidate_id, run_id, validator=validator, outcomes=outcomes)
    judges = [judge_row(judge=f"{PREFIX}elsewherejudge", model=f"{PREFIX}elsewherescorer", mean=7.39)]
    put_row(ws, candidate_id, f"{run_id}2", RunKind.JUDGE, judges=judges)
    utilities = [utility_row(solver=f"{PREFIX}elsewheresolver", mean=0.7391, low=0.7391, high=0.7391)]
    put_row(ws, candidate_id, f"{run_id}3", RunKind.CBU, utilities=utilities)


def _rate(ws: Workspace, candidate_id: str) -> None:
    """Have both problems go through the funnel: the masked one is rated, and waits for people."""
    curation = curations.begin(ws, "pass", default_toml())
    curation = curation_passes.start(ws, curation.id, 2, ())
    places = [Place(1, CurationStage.MODEL), Place(2, CurationStage.RULES, "votes", "votes 2 < 5")]
    curation_passes.put_places(ws, curation, [("", place) for place in places], 2)
    of_this = (curation.id, MASKED)
    answer = CurationAnswer(*of_this, "run", Reading.READ, f"{PREFIX}answered", candidate_id, "call", NOW)
    ratings.save_answer(ws, answer, None, "")
    rating = Rating(
        *of_this,
        sample=0,
        run_id="run",
        state=Reading.READ,
        reason=f"{PREFIX}unread",
        answer_correctness=7.39,
        expert_solvability=7.39,
        well_defined=True,
        approachable=True,
        objective=True,
        explanation=f"{PREFIX}explained",
        call_key="call",
        created_at=NOW,
    )
    ratings.save_ratings(ws, [rating], CurationStage.REVIEW, "", f"{PREFIX}detail 7.39")


def _say(ws: Workspace, colleague: Reviewer, candidate_id: str) -> None:
    """Have somebody else comment on an answer, record that it was accepted and solves it, and go through its claims."""
    claim = ClaimDecided("claim", f"audit by {PREFIX}auditor", ClaimDecision.CONFIRM)
    solved = Resolved(Resolution.RESOLVED_BY_MODEL, f"{PREFIX}credit", Relation.DOMAIN_EXPERT)
    for kind, said in (
        (StatementKind.COMMENT, Said(f"{PREFIX}comment")),
        (StatementKind.ACCEPTANCE, Said(f"{PREFIX}thanks", accepted_by=f"{PREFIX}accepter")),
        (StatementKind.SECOND_PASS, Said(claims=(claim,))),
        (StatementKind.RESOLUTION, Said(f"{PREFIX}solved", resolved=solved)),
    ):
        statements.add(ws, colleague, kind, MASKED, said, candidate_id=candidate_id)


def _mark(made: Masked) -> None:
    """Put the words and the odd figures into what runs have kept of the masked problem."""
    marks = ",".join("?" * len(made.runs))
    db = sqlite3.connect(made.path)
    with db:
        for table, columns in _TEXTS.items():
            own = "id" if table == "run" else "run_id"
            for column in columns:
                db.execute(
                    f'UPDATE "{table}" SET "{column}" = "{column}" || ? WHERE "{own}" IN ({marks})',
                    (f" {PREFIX}{table}{column}", *made.runs),
                )
        for run_id in made.runs:
            db.execute(
                "UPDATE run SET spec = json_set(spec, '$.inputs', json(?)), cost_usd = 0.7391, tokens = 739137"
                " WHERE id = ?",
                (json.dumps(list(made.answers[:2])), run_id),
            )
            db.execute(
                "UPDATE run SET spec = json_set(spec, '$.model.id', ?) WHERE id = ? AND kind != 'cbu'",
                (f"openai/{PREFIX}judge", run_id),
            )
            db.execute("UPDATE score SET score = 7.39 WHERE run_id = ? AND score IS NOT NULL", (run_id,))
            db.execute(
                "UPDATE utility SET mean = 0.7391 WHERE run_id = ? AND candidate_id = ?", (run_id, made.answers[0])
            )
    db.close()


def _all_texts(path: Path) -> Iterator[str]:
    db = sqlite3.connect(path)
    names = [
        row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%fts%'")
    ]
    for name in names:
        for row in db.execute(f'SELECT * FROM "{name}"'):
            yield " ".join(str(value) for value in row)
    db.close()
