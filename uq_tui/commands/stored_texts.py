"""Stored texts as people name them on the command line: a question's body, a candidate's answer or its reasoning."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

import click

from store import candidates, questions
from store.rows import Question
from store.workspace import Workspace
from uq_tui.commands import blind, ids
from uq_tui.commands.invocation import utf8
from uq_tui.commands.revealing import record
from uq_tui.engine.runs.pins import pin_candidate
from uq_tui.errors import NotFoundError
from uq_tui.state.reading.readable import Placed, Readable, readable_question, readable_text, readable_words
from uq_tui.words import Exposure

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class StoredText:
    """One stored text, as the app shows it."""

    readable: Readable
    question_id: str
    candidate_id: str = ""
    earlier: tuple[str, ...] = ()
    """The hashes of earlier versions, of a question's body."""

    @property
    def text(self) -> Placed:
        """The stored text itself."""
        return self.readable.texts[0]

    def as_json(self) -> dict[str, object]:
        """Which text it is."""
        return {"question_id": self.question_id, "candidate_id": self.candidate_id, "text_sha256": self.text.sha256}


def text_argument(command: Command) -> Command:
    """Add the argument and the option that name a text."""
    option = click.option("--reasoning", is_flag=True, help="The candidate's reasoning instead of its answer.")
    return click.argument("text", type=utf8, metavar="QUESTION|CANDIDATE")(option(command))


def named(workspace: Workspace, given: str, *, reasoning: bool) -> StoredText:
    """The text of a question named by its id, or of a candidate by its id or the first characters of one.

    Seeing reasoning is recorded, and that a text names its author.

    Raises:
        NotFoundError: there is no such text here.
    """
    question = _question(workspace, given)
    if question is not None:
        return _question_text(workspace, question, reasoning=reasoning)
    try:
        candidate = candidates.get(workspace, ids.candidate(workspace, given))
    except NotFoundError as error:
        raise NotFoundError(
            f"There is no question {given!a}, and no candidate whose id starts so.",
            hint="`uq-tui questions` lists questions, `uq-tui questions show QUESTION` one with its candidates.",
        ) from error
    pin_candidate(candidate)  # refuses one whose text is not here
    if not reasoning:
        blind.note_read(workspace, [candidate.id])
        return StoredText(readable_text(candidate.answer, candidate.id), candidate.question_id, candidate.id)
    if not candidate.reasoning:
        raise NotFoundError(
            "No reasoning was kept with this candidate.", hint="Its answer is named without the option."
        )
    record(workspace, [(candidate.question_id, candidate.id)], Exposure.REASONING)
    blind.note_read(workspace, [candidate.id], reasoning=True)
    return StoredText(readable_words(candidate.reasoning), candidate.question_id, candidate.id)


def _question(workspace: Workspace, given: str) -> Question | None:
    with suppress(NotFoundError):
        return questions.get(workspace, given)
    return None


def _question_text(workspace: Workspace, question: Question, *, reasoning: bool) -> StoredText:
    if reasoning:
        raise click.UsageError("--reasoning is a candidate's, and this is a question.")
    question_id = question.row.id
    if not question.body.sha256:
        raise NotFoundError(f"The text of the question {question_id} is not in this workspace.", hint="Import it.")
    earlier = questions.body_hashes(workspace, question_id)[1:]
    return StoredText(readable_question(question), question_id, earlier=earlier)
