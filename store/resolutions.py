"""Resolving questions: who says that one is solved, by which answer, why, and on whose word.

What is said is a statement, appended, exported and merged as all others are. `store.resolution_status` says what it
comes to.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Connection, select
from sqlmodel import col

from store import blindness, candidates, questions, relations, statements
from store.driver import among, listed
from store.resolution_status import Standing, read_words, standing
from store.review_rows import Resolved, Said, Statement
from store.rows import Reviewer
from store.statement_record import resolved_in
from store.statement_shape import NEEDS_CANDIDATE
from store.tables import QuestionTable
from store.workspace import Workspace
from uq_tui.errors import NotFoundError, UqError
from uq_tui.words import AuthorKind, Relation, Resolution, StatementKind

LONGEST_CREDIT = 200
_LINK = re.compile(r"https?://[^\s<>]+")

# Built once: building a statement takes longer than running it.
_NOT_OPEN = select(col(QuestionTable.id), col(QuestionTable.resolution)).where(
    among(col(QuestionTable.id), "questions"), col(QuestionTable.resolution) != Resolution.OPEN.value
)


@dataclass(frozen=True, slots=True)
class Past:
    """One revision of what somebody said of a question's being solved."""

    statement: Statement
    said: Resolved


def resolve(
    ws: Workspace,
    reviewer: Reviewer,
    question_id: str,
    state: Resolution,
    *,
    why: str,
    candidate_id: str = "",
    credit: str = "",
    verifier: Relation | None = None,
    evidence_url: str = "",
) -> Statement:
    """Say where a question stands. What was said before is kept as its history.

    Args:
        ws: where the question is.
        reviewer: who says it.
        question_id: of which question.
        state: where it stands.
        why: in words; never empty.
        candidate_id: the answer that solves it, where that is a candidate here.
        credit: who solved it; by default the author of that candidate.
        verifier: on whose word; by default what the reviewer is to the question.
        evidence_url: where that can be seen.

    Raises:
        NotFoundError: there is no such question, or it has no such candidate.
        UqError: no reason is given, or a state needs an answer, or one by a model, and none is named, or the link is
            none.
        StoreError: it can't be written.
    """
    if not why.strip():
        raise UqError("Why does it stand so?", hint="Give a reason: others will go by it.")
    if evidence_url.strip() and not _LINK.fullmatch(evidence_url.strip()):
        raise UqError("The link is none.", hint="It begins with https:// or http://; words belong to the reason.")
    if state in NEEDS_CANDIDATE and not candidate_id:
        raise UqError(
            f"Which answer makes it {state.value.replace('_', ' ')}?", hint="Name a candidate of the question."
        )
    if len(credit) > LONGEST_CREDIT:
        raise UqError(f"The credit is longer than {LONGEST_CREDIT} characters.", hint="A name is enough.")
    if candidate_id:
        credit = credit or _credit(ws, state, candidate_id)
    said = Resolved(state, credit, verifier or relations.get(ws, reviewer.id, question_id) or Relation.OTHER)
    return statements.add(
        ws,
        reviewer,
        StatementKind.RESOLUTION,
        question_id,
        Said(why.strip(), evidence_url=evidence_url.strip(), resolved=said),
        candidate_id=candidate_id,
    )


def _credit(ws: Workspace, state: Resolution, candidate_id: str) -> str:
    """The name of a candidate's author. Raises UqError: it is no model's, and is said to be."""
    origins = candidates.get(ws, candidate_id).origins
    by_machine = [one for one in origins if one.kind is not AuthorKind.PERSON]
    if state is Resolution.RESOLVED_BY_MODEL and origins and not by_machine:
        raise UqError(
            "The answer is by a person.", hint=f"Say `{Resolution.RESOLVED_BY_PERSON}`, or name who is to have credit."
        )
    first = (by_machine or list(origins))[:1] if state is Resolution.RESOLVED_BY_MODEL else list(origins)[:1]
    return first[0].name if first else ""


def retract(ws: Workspace, reviewer: Reviewer, question_id: str) -> Statement:
    """Take back the newest thing that the reviewer said of a question's being solved and that stands.

    What they had said before it stands again.

    Raises:
        NotFoundError: they have said nothing of it that stands.
        StoreError: it can't be written.
    """
    questions.get(ws, question_id)
    said = statements.of_question(ws, question_id, (StatementKind.RESOLUTION,))
    own = [one for one in said if one.reviewer_id == reviewer.id and one.stands]
    if not own:
        raise NotFoundError(
            f"{reviewer.handle} has said nothing of whether {question_id} is solved that stands.",
            hint=f"`uq-tui resolve {question_id} --history` has all that was said.",
        )
    newest = max(own, key=lambda one: (one.created_at, one.statement_id))
    return statements.retract(ws, reviewer, newest.statement_id)


def history(ws: Workspace, question_id: str) -> tuple[Past, ...]:
    """All that was ever said of a question's being solved, retractions included, the oldest first."""
    said = statements.of_question(ws, question_id, (StatementKind.RESOLUTION,))
    every = [revision for one in said for revision in statements.history(ws, one.statement_id)]
    ordered = sorted(every, key=lambda one: (one.created_at, one.statement_id, one.revision))
    return tuple(Past(one, found) for one in ordered if (found := resolved_in(one.record)) is not None)


def shown(ws: Workspace, reviewer_id: str, question_ids: Collection[str]) -> dict[str, Resolution]:
    """Where these questions stand as far as the reviewer may know; open ones, and those judged blind, are left out."""
    masked = blindness.masked_questions(ws, reviewer_id)
    with ws.read() as conn:
        return read_shown(conn, question_ids, masked)


def read_shown(conn: Connection, question_ids: Collection[str], masked: Collection[str]) -> dict[str, Resolution]:
    """`shown` within a transaction, to somebody for whom these questions are `masked`."""
    found = conn.execute(_NOT_OPEN, {"questions": listed(question_ids)})
    return {key: Resolution(state) for key, state in found if key not in masked}


def of_question(ws: Workspace, question_id: str) -> Standing:
    """Where a question stands, and by whose word."""
    with ws.read() as conn:
        return standing(read_words(conn, [question_id]).get(question_id, ()))
