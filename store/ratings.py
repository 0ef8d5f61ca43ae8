"""What models have made of the questions of a pass: the answer, the ratings, and the step that follows from them.

Each is one write, so that no question stands where its ratings don't put it, and none is rated without its answer.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import asdict, replace

from sqlalchemy import Connection, select
from sqlmodel import col

from store import candidates, curations
from store.curation_reading import read_place
from store.curation_rows import CurationAnswer, Place, Rating
from store.curation_tables import CurationAnswerTable, CurationPathTable, RatingTable
from store.rows import NewCandidate
from store.tables import QuestionTable
from store.upsert import saving
from store.workspace import Workspace
from uq_tui.words import CurationStage, Reading

ANSWER = "answer"
"""What goes by this name among the calls about a question; ratings go by the number of their sample."""

_SAVE_ANSWER = saving(CurationAnswerTable, ("curation_id", "question_id"), kept="created_at")
_SAVE_RATING = saving(RatingTable, ("curation_id", "question_id", "sample"), kept="created_at")


def waiting(
    ws: Workspace, curation_id: str, *, site: str = "", leave_out: Collection[str] = (), limit: int | None = None
) -> tuple[str, ...]:
    """Ids of questions that wait for models, those with most votes first, then in order of arrival.

    Args:
        ws: where to look.
        curation_id: the pass.
        site: only those of this site, in its canonical spelling; "" for all.
        leave_out: ids of questions that are passed over.
        limit: at most so many; `None` for all.
    """
    path, question = CurationPathTable, QuestionTable
    query = (
        select(col(question.id))
        .join(path, col(path.seq) == col(question.seq))
        .where(col(path.curation_id) == curation_id, col(path.stage) == CurationStage.MODEL.value, col(path.fell) == "")
        .order_by(col(question.score).desc(), col(question.seq))
    )
    if site:
        query = query.where(col(path.site) == site)
    if limit is not None:
        query = query.limit(limit + len(leave_out))
    with ws.read() as db:
        found = [key for key in db.execute(query).scalars() if key not in leave_out]
    return tuple(found[:limit])


def unread(ws: Workspace, curation_id: str) -> dict[str, set[str]]:
    """By question, what came and could not be read: samples of ratings by their number, and `ANSWER`."""
    answer, rating = CurationAnswerTable, RatingTable
    answers = select(col(answer.question_id)).where(
        col(answer.curation_id) == curation_id, col(answer.state) == Reading.UNPARSED.value
    )
    samples = select(col(rating.question_id), col(rating.sample)).where(
        col(rating.curation_id) == curation_id, col(rating.state) == Reading.UNPARSED.value
    )
    found: defaultdict[str, set[str]] = defaultdict(set)
    with ws.read() as db:
        for question_id in db.execute(answers).scalars():
            found[question_id].add(ANSWER)
        for question_id, sample in db.execute(samples):
            found[question_id].add(str(sample))
    return dict(found)


def save_answer(ws: Workspace, answer: CurationAnswer, candidate: NewCandidate | None, detail: str) -> bool:
    """Store what became of the answer call, with the candidate it brought.

    `detail` says why nothing can be decided, or is "". Returns whether the question still waits for models; where it
    does not, nothing is stored.
    """
    row = {**asdict(answer), "state": answer.state.value}

    def put(db: Connection) -> bool:
        place = _waiting(db, answer.curation_id, answer.question_id)
        if place is None:
            return False
        if candidate is not None:
            candidates.put(db, [candidate])
        db.execute(_SAVE_ANSWER, row)
        curations.move(db, answer.curation_id, replace(place, detail=detail, unknown=bool(detail)))
        return True

    return ws.write(put)


def save_ratings(
    ws: Workspace, ratings: Sequence[Rating], stage: CurationStage, fell: str, detail: str, *, decided: bool = True
) -> bool:
    """Store at least one rating of a question, and put the question where all its ratings put it.

    Returns whether the question still waited for models; where it did not, nothing is stored.
    """
    rows = [{**asdict(one), "state": one.state.value} for one in ratings]
    curation_id, question_id = ratings[0].curation_id, ratings[0].question_id

    def put(db: Connection) -> bool:
        place = _waiting(db, curation_id, question_id)
        if place is None:
            return False
        db.execute(_SAVE_RATING, rows)
        curations.move(db, curation_id, Place(place.seq, stage, fell, detail, not decided))
        return True

    return ws.write(put)


def _waiting(db: Connection, curation_id: str, question_id: str) -> Place | None:
    """Where a question stands that waits for models; `None` where it does not."""
    place = read_place(db, curation_id, question_id)
    return place if place is not None and place.stage is CurationStage.MODEL and not place.fell else None


def still_waits(ws: Workspace, curation_id: str, question_id: str) -> bool:
    """Whether a question stands at the stage of models."""
    with ws.read() as db:
        return _waiting(db, curation_id, question_id) is not None
