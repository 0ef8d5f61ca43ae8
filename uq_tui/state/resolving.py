"""Whether a question is solved, as a reviewer may know it: the dialog, the command and the heads of questions show it.

While they judge the problem blind, none of it is told: it would say what others made of an answer.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass

from store import candidates, exposures, questions, relations, resolutions
from store.resolution_status import Standing
from store.resolutions import Past
from store.review_rows import Statement
from store.rows import Candidate, Question, Reviewer
from store.workspace import Workspace
from uq_tui.state.desk import Desk
from uq_tui.state.reviewing import blind
from uq_tui.text import clean, clean_line
from uq_tui.words import Exposure, Relation, Resolution, VerdictStatus

WHERE = "resolution"
"""The place of exposures by this."""
WORDS = {
    Resolution.OPEN: "open",
    Resolution.CANDIDATE_ACCEPTED: "an answer is accepted",
    Resolution.RESOLVED_BY_MODEL: "resolved by a model",
    Resolution.RESOLVED_BY_PERSON: "resolved by a person",
    Resolution.WITHDRAWN: "withdrawn",
}
VERIFIERS = {
    Relation.ORIGINAL_POSTER: "the original poster",
    Relation.ANSWER_AUTHOR: "the answer's author",
    Relation.DOMAIN_EXPERT: "a domain expert",
    Relation.OTHER: "somebody else",
}
"""On whose word."""


@dataclass(frozen=True, slots=True)
class Matter:
    """All there is to know of a question's being solved."""

    question: Question
    stands: Standing
    past: tuple[Past, ...]
    """The oldest first."""
    called: dict[str, str]
    """What its candidates are called, by id."""
    relation: Relation | None
    """What the reviewer is to the question."""

    @property
    def head(self) -> str:
        """`resolved by a model: gpt-x, c2, says ada on the word of a domain expert`, on one line."""
        word = self.stands.word
        if word is None:
            return WORDS[self.stands.state]
        said = next((one for one in self.past if one.statement.statement_id == word.statement_id), None)
        by = clean_line(said.statement.reviewer) if said else "somebody"
        about = (clean_line(word.said.credit), self.called.get(word.candidate_id, ""))
        named = ", ".join(part for part in about if part)
        told = f"{WORDS[self.stands.state]}: {named}" if named else WORDS[self.stands.state]
        return f"{told}; so says {by}, on the word of {VERIFIERS[word.said.verifier]}"

    def has_own(self, reviewer_id: str) -> bool:
        """Whether the reviewer has said something that they could take back."""
        newest = {one.statement.statement_id: one.statement for one in self.past}
        return any(one.stands and one.reviewer_id == reviewer_id for one in newest.values())


def past_text(one: Past, called: dict[str, str]) -> str:
    """One act in a few lines: when, who, what, whose credit, on whose word; then why."""
    made = one.statement
    taken_back = "took back: " if made.status is VerdictStatus.RETRACTED else ""
    about = ", ".join(
        part for part in (clean_line(one.said.credit), called.get(made.candidate_id, ""), _link(made)) if part
    )
    head = (
        f"{made.created_at[:16].replace('T', ' ')}  {clean_line(made.reviewer)}  {taken_back}{WORDS[one.said.state]}"
        f"{f' ({about})' if about else ''}, on the word of {VERIFIERS[one.said.verifier]}"
    )
    why = clean(made.text).replace("\n", "\n    ")
    return f"{head}\n    {why}"


def _link(made: Statement) -> str:
    return clean_line(str(made.record["evidence_url"]))


def read(ws: Workspace, reviewer: Reviewer, question_id: str) -> Matter:
    """Read it, and record that the reviewer is shown it.

    Raises:
        NotFoundError: there is no such question.
        BlindError: they judge it blind.
    """
    question = questions.get(ws, question_id)
    blind.require(ws, reviewer.id, question_id)
    there = candidates.of_question(ws, question_id)
    past = resolutions.history(ws, question_id)
    credited = [one.statement.candidate_id for one in past if one.said.credit and one.statement.candidate_id]
    exposures.record_all(
        ws, reviewer.id, [(question_id, key) for key in dict.fromkeys(credited)], Exposure.MODEL, WHERE
    )
    _expose_others(ws, reviewer, question_id, past)
    called = {one.id: one.called for one in there}
    relation = relations.get(ws, reviewer.id, question_id)
    return Matter(question, resolutions.of_question(ws, question_id), past, called, relation)


def _expose_others(ws: Workspace, reviewer: Reviewer, question_id: str, past: Iterable[Past]) -> None:
    """Record that what others made of answers is shown."""
    by_others = [one.statement.candidate_id for one in past if one.statement.reviewer_id != reviewer.id]
    about = [(question_id, key) for key in dict.fromkeys(by_others) if key]
    exposures.record_all(ws, reviewer.id, about, Exposure.OTHER_VERDICTS, WHERE)


def told_of(ws: Workspace, reviewer: Reviewer, question_id: str) -> str:
    """Where a question stands, for its head, without names; "" where it is open, or they judge it blind.

    That it is shown is recorded.
    """
    state = resolutions.shown(ws, reviewer.id, [question_id]).get(question_id)
    if state is None:
        return ""
    _expose_others(ws, reviewer, question_id, resolutions.history(ws, question_id))
    return WORDS[state]


@dataclass(frozen=True, slots=True)
class Saying:
    """What the reviewer is about to say."""

    state: Resolution
    why: str
    verifier: Relation
    credit: str = ""
    evidence_url: str = ""
    with_candidate: bool = False
    """The answer before the reviewer solves it."""


class Resolving:
    """What the dialog shows. All methods return once what they did is on disk."""

    def __init__(self, desk: Desk, question_id: str, candidate: Candidate | None) -> None:
        """`candidate` is the answer before the reviewer, if there is one."""
        self._desk = desk
        self._question_id = question_id
        self.candidate = candidate
        self.matter: Matter | None = None

    async def load(self) -> None:
        """Read the store. Raises NotFoundError, BlindError, StoreError."""
        own = self._desk.workspace, self._desk.reviewer, self._question_id
        self.matter = await asyncio.to_thread(read, *own)

    async def say(self, said: Saying) -> None:
        """Record it. Raises UqError: something is missing."""
        about = self.candidate.id if said.with_candidate and self.candidate else ""
        await asyncio.to_thread(self._say, said, about)
        await self.load()

    def _say(self, said: Saying, candidate_id: str) -> None:
        blind.require(self._desk.workspace, self._desk.reviewer.id, self._question_id)
        resolutions.resolve(
            self._desk.workspace,
            self._desk.reviewer,
            self._question_id,
            said.state,
            why=said.why,
            candidate_id=candidate_id,
            credit=clean_line(said.credit),
            verifier=said.verifier,
            evidence_url=clean_line(said.evidence_url),
        )

    async def take_back(self) -> None:
        """Take back the newest thing the reviewer has said of it. Raises NotFoundError."""
        own = self._desk.workspace, self._desk.reviewer, self._question_id
        await asyncio.to_thread(resolutions.retract, *own)
        await self.load()
