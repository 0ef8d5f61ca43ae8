"""Storing the questions of a file, with what they bring: neighbours, comments, answers that were posted."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from store import intake, neighbours, posted
from store.ingest.report import OnProgress, Tally
from store.ingest.turns import write_in_turns
from store.intake import NewQuestion, Taken
from store.posted import NewComment, NewPostedAnswer
from store.workspace import Workspace
from uq_tui.words import QuestionStatus


@dataclass(frozen=True, slots=True)
class Post:
    """A question with what came with it in its row. It is stored as a whole, or not at all."""

    question: NewQuestion
    answers: tuple[NewPostedAnswer, ...] = ()
    comments: tuple[NewComment, ...] = ()

    @property
    def characters(self) -> int:
        """How much text it has."""
        around = sum(len(one.statement) for one in self.question.neighbours)
        answers = sum(len(one.body) for one in self.answers)
        return len(self.question.body) + around + answers + sum(len(one.body) for one in self.comments)


@dataclass(frozen=True, slots=True)
class Stored:
    """What became of a post and of what came with it."""

    question: Taken
    neighbours: tuple[Taken, ...]
    answers: tuple[Taken, ...]
    comments: tuple[Taken, ...]


def store_questions(
    ws: Workspace, questions: Iterable[NewQuestion], tally: Tally, on_progress: OnProgress | None
) -> None:
    """Store questions and their neighbours as they come and count them, questions in all and by status."""
    store_posts(ws, map(Post, questions), tally, on_progress)


def store_posts(ws: Workspace, posts: Iterable[Post], tally: Tally, on_progress: OnProgress | None) -> None:
    """Store posts as they come and count them and what came with them, questions in all and by status."""

    def done(written: Sequence[Post], results: Sequence[Stored]) -> None:
        for post, stored in zip(written, results, strict=True):
            count(tally, post, stored)
        if on_progress is not None:
            on_progress(tally.seen)

    write_in_turns(ws, posts, put_posts, done, lambda post: post.characters)


def put_posts(db: Connection, posts: Sequence[Post]) -> list[Stored]:
    """Store posts, within a transaction; what became of each, in their order."""
    taken = intake.put(db, [post.question for post in posts])
    return [_with_rest(db, post, question) for post, question in zip(posts, taken, strict=True)]


def count(tally: Tally, post: Post, stored: Stored) -> None:
    """Count a post that is stored now, and by kind what came with it. New comments change a question that was here."""
    within = stored.answers + stored.comments
    is_changed = stored.question is Taken.SAME and any(taken is not Taken.SAME for taken in within)
    taken = Taken.CHANGED if is_changed else stored.question
    tally.take(taken, "questions", (post.question.status or QuestionStatus.UNANSWERED).value)
    tally.counts.update({"posted answers": len(stored.answers), "comments": len(stored.comments)})
    for around in stored.neighbours:
        tally.take(around, "neighbours")


def _with_rest(db: Connection, post: Post, question: Taken) -> Stored:
    around = post.question.neighbours
    return Stored(
        question,
        tuple(neighbours.put(db, post.question.id, around)) if around else (),
        tuple(posted.put_answers(db, post.answers)) if post.answers else (),
        tuple(posted.put_comments(db, post.comments)) if post.comments else (),
    )
