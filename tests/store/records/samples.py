"""Rows as tests need them: real shapes, made-up content."""

from dataclasses import replace
from typing import Any

from store.frozen_rows import Revision
from store.identity import candidate_id, text_sha256
from store.reading_rows import LedgerCount
from store.rows import (
    Candidate,
    ExposureRow,
    MarkedError,
    Origin,
    Question,
    QuestionRow,
    Quote,
    Reviewer,
    Text,
    VerdictForm,
)
from store.verdict_record import build
from uq_tui.words import AuthorKind, Exposure, Label, QuestionStatus, Relation, TextFormat, VerdictStatus

QUESTION_ID = "math.stackexchange.com:2087"
ANSWER = "Step 1. Every bounded continuous map is uniform.\r\nStep 2. So the limit is uniform. 𝔘\u00a0done"
AT = "2026-01-31T12:00:00.000000Z"
REVIEWER = Reviewer("0199aaaa-0000-7000-8000-000000000001", "ada", "0000-0002-1825-0097", ("analysis",))


def text(raw: str) -> Text:
    return Text(text_sha256(raw), TextFormat.MARKDOWN, raw, raw)


def question() -> Question:
    row = QuestionRow(
        seq=1,
        id=QUESTION_ID,
        title="Is $f$ uniform?",
        site="math.stackexchange.com",
        status=QuestionStatus.UNANSWERED,
        score=3,
        tags=("analysis",),
        asked_at=None,
        candidates=1,
        verdicts=0,
    )
    return Question(
        row=row,
        body=text("Is it?"),
        link="https://math.stackexchange.com/q/2087",
        author="asker",
        licence="CC BY-SA 4.0",
        category="science",
        dataset_version="2026-01",
        views=None,
        answers=0,
        extra={},
    )


def candidate(answer: str = ANSWER, *origins: Origin) -> Candidate:
    return Candidate(
        id=candidate_id(QUESTION_ID, answer),
        question_id=QUESTION_ID,
        number=1,
        answer=text(answer),
        reasoning="",
        cut_off=False,
        origins=origins or (Origin(AuthorKind.SYSTEM, model="m", system="s", organisation="o", base_model="b"),),
        created_at=AT,
    )


def form(**changes: Any) -> VerdictForm:
    quote = Quote("uniform", 31, 38, "", "")
    whole = VerdictForm(
        label=Label.INCORRECT,
        score_0_7=2,
        confidence=4,
        rationale="The first step is wrong.",
        errors=(MarkedError("incorrect_reasoning", (quote,), "all maps", "take x^2", "assume compactness"),),
        question_flags=("ill_posed",),
        relation=Relation.DOMAIN_EXPERT,
        seconds_active=12.5,
        seconds_total=60.0,
    )
    return replace(whole, **changes)


def exposure(what: Exposure, at: str = AT, where: str = "workbench") -> ExposureRow:
    return ExposureRow(REVIEWER.id, QUESTION_ID, candidate().id, what, where, at)


def no_evidence() -> dict[str, Any]:
    return {"outcomes": [], "judges": [], "utilities": [], "prompt_hashes": [], "app_version": "0.1.0"}


FIRST = Revision("0199aaaa-0000-7000-8000-0000000000ff", 1, "", VerdictStatus.SUBMITTED, AT)


def record(*exposures: ExposureRow, revision: Revision = FIRST, **changes: Any) -> dict[str, Any]:
    """An unsealed row of the sample question, candidate and form."""
    ledger = LedgerCount(units=2, checked=1)
    return build(revision, question(), candidate(), REVIEWER, form(**changes), exposures, ledger, no_evidence())
