"""A pass of the funnel with questions at every place of it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, insert
from sqlmodel import col, select

from store import curation_passes, curations, intake
from store.curation_rows import Curation, Place
from store.curation_tables import CurationAnswerTable, RatingTable
from store.identity import now
from store.intake import NewQuestion
from store.tables import QuestionTable
from store.workspace import Workspace
from uq_tui.curation.thresholds import default_toml
from uq_tui.words import CurationStage, QuestionStatus, Reading, Rule, TextFormat

SITE, OTHER_SITE = "quantumcomputing.stackexchange.com", "puzzling.stackexchange.com"


@dataclass(frozen=True)
class At:
    """Where a question is to be."""

    stage: CurationStage
    fell: str = ""
    detail: str = ""
    unknown: bool = False
    site: str = SITE


STANDS = At(CurationStage.REVIEW)
EVERYWHERE: Mapping[str, At] = {
    "old": At(CurationStage.RULES, Rule.AGE, "1.2 years < 2"),
    "seen": At(CurationStage.RULES, Rule.VIEWS, "views unknown", unknown=True),
    "few": At(CurationStage.RULES, Rule.VIEWS, "120 views < 500", site=OTHER_SITE),
    "new": At(CurationStage.MODEL),
    "half": At(CurationStage.MODEL, "", "undecided: 1 of 3 ratings read", unknown=True),
    "easy": At(CurationStage.MODEL, "expert_solvability", "expert solvability 90 > 70, mean of 3"),
    "first": STANDS,
    "second": STANDS,
    "third": STANDS,
    "bad": At(CurationStage.REVIEW, "reject", "a duplicate"),
    "good": At(CurationStage.KEPT, site=OTHER_SITE),
}
"""At least one question at every place."""


def curated(ws: Workspace, where: Mapping[str, At] = EVERYWHERE, name: str = "pilot") -> Curation:
    """A pass by the paper's rules whose questions are where they are said to be, in this order."""
    questions = [
        NewQuestion(
            question_id,
            f"How *{question_id}*?",
            f"Text of {question_id}.",
            TextFormat.MARKDOWN,
            source="tests",
            site=at.site,
            status=QuestionStatus.UNANSWERED,
            score=12,
            views=1_236,
            answers=0,
            tags=("shor",),
            asked_at="2014-05-01T00:00:00Z",
            author="somebody",
            licence="CC BY-SA 3.0",
        )
        for question_id, at in where.items()
    ]
    ws.write(lambda db: intake.put(db, questions))
    curation = curations.begin(ws, name, default_toml())
    seqs = _seqs(ws, where)
    last = max(seqs.values(), default=0)
    curation = curation_passes.start(ws, curation.id, last, ())
    places = [
        (at.site, Place(seqs[question_id], at.stage, str(at.fell), at.detail, at.unknown))
        for question_id, at in where.items()
    ]
    curation_passes.put_places(ws, curation, places, last)
    return curations.get(ws, curation.id)


def _seqs(ws: Workspace, ids: Iterable[str]) -> dict[str, int]:
    wanted = select(col(QuestionTable.id), col(QuestionTable.seq)).where(col(QuestionTable.id).in_(list(ids)))
    with ws.read() as db:
        return {row.id: row.seq for row in db.execute(wanted)}


def rate(ws: Workspace, curation: Curation, question_id: str, candidate_id: str) -> None:
    """Three ratings of a question with an answer: two that were read, and one that failed."""
    about = {"curation_id": curation.id, "question_id": question_id, "run_id": "run", "created_at": now()}
    answer = {"state": Reading.READ.value, "reason": "", "candidate_id": candidate_id, "call_key": "k"}
    read = {"state": Reading.READ.value, "reason": "", "well_defined": True, "approachable": True, "objective": False}
    nothing = dict.fromkeys(("answer_correctness", "expert_solvability", "well_defined", "approachable", "objective"))
    failed = {**nothing, "state": Reading.FAILED.value, "reason": "timed out", "explanation": ""}
    rows: list[dict[str, Any]] = [
        {**read, "answer_correctness": 10.0, "expert_solvability": 30.0, "explanation": "It is *hard*."},
        {**read, "answer_correctness": 40.0, "expert_solvability": 60.0, "explanation": "Still open."},
        failed,
    ]

    def put(db: Connection) -> None:
        db.execute(insert(CurationAnswerTable), {**about, **answer})
        for sample, row in enumerate(rows):
            db.execute(insert(RatingTable), {**about, **row, "sample": sample, "call_key": f"r{sample}"})

    ws.write(put)
