"""What the store holds for one question at the stage of review. Functions wait for the disk: call them in a thread."""

from dataclasses import dataclass, replace

from store import curations, exposures, posted, questions
from store.curation_rows import Curation, Path
from store.posted import PostComment
from store.rows import Candidate, Question
from store.workspace import Workspace
from uq_tui.state.reviewing import blind
from uq_tui.state.reviewing.blind import Mask
from uq_tui.words import Exposure

PLACE = "question review"
"""Where an exposure took place, in the log."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A question with all that helps to decide on it, as far as this reviewer may see it."""

    question: Question
    curation: Curation
    path: Path
    """Without ratings where the question's answers are judged blind: they are about one of these."""
    comments: tuple[PostComment, ...]
    """Those on the question itself."""
    candidates: tuple[Candidate, ...]
    mask: Mask | None

    @property
    def rated(self) -> str:
        """The candidate that ratings are about; empty where there is none."""
        return (self.path.answer.candidate_id or "") if self.path.answer is not None else ""


def read(ws: Workspace, reviewer_id: str, curation: Curation, question_id: str) -> Reviewed:
    """Read a question that a pass has come to; that ratings were shown is logged.

    Raises:
        NotFoundError: the pass has not come to this question.
    """
    path = curations.require_path(ws, curation.id, question_id)
    mask = blind.mask_of(ws, reviewer_id, question_id)
    if mask is not None:
        path = replace(path, place=replace(path.place, detail=""), answer=None, ratings=())
    question = questions.get(ws, question_id)
    shown = Reviewed(
        question=question,
        curation=curation,
        path=path,
        comments=_comments(ws, question),
        candidates=blind.candidates_of(ws, reviewer_id, question_id),
        mask=mask,
    )
    if path.ratings and shown.rated:
        exposures.record(ws, reviewer_id, question_id, shown.rated, Exposure.SCORES, PLACE)
    return shown


def _comments(ws: Workspace, question: Question) -> tuple[PostComment, ...]:
    """Those on the question itself, with their authors called as the site calls them."""
    there = [one for one in posted.comments_of(ws, question.row.id) if one.candidate_id is None]
    with ws.read() as db:
        names = [posted.author_name(db, question.row.site, one.author, one.author_id) for one in there]
    return tuple(replace(one, author=name) for one, name in zip(there, names, strict=True))
