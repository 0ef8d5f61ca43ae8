"""What people say beside verdicts on one question and its answers: comments, acceptances, a note of one's own.

While a problem is judged blind, what others say of its answers is hidden, and so is any acceptance: both tell what they
think. What is said of the question itself is shown.
"""

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from store import exposures, notes, questions, relations, statements
from store.notes import Note
from store.review_rows import Said, Statement
from store.rows import Question, Reviewer
from store.statement_record import said_in
from store.workspace import Workspace
from uq_tui.errors import UqError
from uq_tui.state.desk import Desk
from uq_tui.state.reviewing import blind
from uq_tui.text import clean_line
from uq_tui.words import Exposure, Relation, StatementKind

WHERE = "comments"
HIDDEN = f"What others say of the answers is {blind.HIDDEN}."
_KINDS = (StatementKind.COMMENT, StatementKind.ACCEPTANCE)
_MOST_DEPTH = 6
"""Answers to answers are set in no deeper."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A comment or an acceptance as it is listed."""

    statement: Statement
    depth: int
    """0 for what answers nothing."""
    about: str
    """`question`, or what the candidate is called, such as `c3`."""
    mine: bool

    @property
    def key(self) -> str:
        """What it goes by in a list."""
        return self.statement.statement_id

    @property
    def head(self) -> str:
        """`ada, on c3, 2026-01-31 12:00`."""
        when = self.statement.created_at[:16].replace("T", " ")
        revised = ", revised" if self.statement.revision > 1 and self.statement.stands else ""
        accepted = ": accepted" if self.statement.kind is StatementKind.ACCEPTANCE else ""
        return clean_line(f"{self.statement.reviewer}, on {self.about}, {when}{revised}{accepted}")

    @property
    def text(self) -> str:
        """Its words; of an acceptance also who accepted, when, and where that can be seen."""
        if not self.statement.stands:
            return "(taken back)"
        if self.statement.kind is StatementKind.COMMENT:
            return self.statement.text
        return accepted_words(said_in(self.statement.record))


def accepted_words(said: Said) -> str:
    """`by asker, 2026-01-30, https://...: thanks`."""
    facts = ", ".join(filter(None, (f"by {said.accepted_by}", said.accepted_at, said.evidence_url)))
    return f"{facts}: {said.text}" if said.text else facts


@dataclass(frozen=True, slots=True)
class Talk:
    """All that a reviewer may read of it."""

    question: Question
    called: dict[str, str]
    """What the candidates are called, by id, in their order."""
    entries: tuple[Entry, ...]
    is_hidden: bool
    """What others say of the answers is left out, if they say anything."""
    relation: Relation | None
    note: Note


def read(ws: Workspace, reviewer: Reviewer, question_id: str) -> Talk:
    """What is said of a question and its answers, as this reviewer may see it. Raises NotFoundError."""
    question = questions.get(ws, question_id)
    mask = blind.mask_of(ws, reviewer.id, question_id)
    called = {one.id: one.called for one in blind.candidates_of(ws, reviewer.id, question_id)}
    found = [
        one
        for one in statements.of_question(ws, question_id, _KINDS)
        if mask is None or not one.candidate_id or one.reviewer_id == reviewer.id
    ]
    return Talk(
        question=question,
        called=called,
        entries=tuple(_threads(found, called, reviewer)),
        is_hidden=mask is not None,
        relation=relations.get(ws, reviewer.id, question_id),
        note=notes.get(ws, reviewer, question_id),
    )


def _threads(found: Iterable[Statement], called: dict[str, str], reviewer: Reviewer) -> list[Entry]:
    """In the order in which they were said, answers beneath what they answer.

    What was taken back is listed only where something stands beneath it.
    """
    listed: list[Entry] = []
    for one, depth in reversed(list(_in_order({one.statement_id: one for one in found}))):
        if one.stands or (listed and listed[-1].depth > min(depth, _MOST_DEPTH)):
            about = called.get(one.candidate_id, "answer") if one.candidate_id else "question"
            listed.append(Entry(one, min(depth, _MOST_DEPTH), about, one.reviewer_id == reviewer.id))
    return listed[::-1]


def _in_order(known: dict[str, Statement]) -> Iterator[tuple[Statement, int]]:
    answers: dict[str, list[Statement]] = {}
    for one in known.values():
        answers.setdefault(one.in_reply_to if one.in_reply_to in known else "", []).append(one)
    seen: set[str] = set()
    # A file may name comments that answer each other in a ring: such begin a thread of their own.
    for top in (*answers.get("", ()), *known.values()):
        waiting = [(top, 0)]
        while waiting:
            one, depth = waiting.pop()
            if one.statement_id not in seen:
                seen.add(one.statement_id)
                yield one, depth
                waiting += [(answer, depth + 1) for answer in reversed(answers.get(one.statement_id, []))]


def expose(ws: Workspace, reviewer: Reviewer, talk: Talk, where: str) -> None:
    """Record that what others say of answers is shown. To be called before it is."""
    said_on = dict.fromkeys(one.statement.candidate_id for one in talk.entries if not one.mine)
    shown = [(talk.question.row.id, candidate_id) for candidate_id in said_on if candidate_id]
    exposures.record_all(ws, reviewer.id, shown, Exposure.OTHER_VERDICTS, where)


def checked_acceptance(by: str, at: str, url: str, text: str) -> Said:
    """An acceptance as it was typed. Raises UqError: nobody is named, or nothing shows it."""
    if not by.strip():
        raise UqError("Who has accepted the answer?", hint="Name the question's poster, by their public name.")
    if not (url.strip() or text.strip()):
        raise UqError("What shows that it was accepted?", hint="Give a link, or quote what the poster said.")
    return Said(text.strip(), accepted_by=clean_line(by), accepted_at=clean_line(at), evidence_url=clean_line(url))


class Comments:
    """What the dialog shows. `load` reads; all others write, and return once that is on disk."""

    def __init__(self, desk: Desk, question_id: str, candidate_id: str = "") -> None:
        """`candidate_id` is of the answer before the reviewer, if there is one."""
        self._desk = desk
        self._question_id = question_id
        self.candidate_id = candidate_id
        self.talk: Talk | None = None
        """`None` until it is read, and recorded as shown."""
        self._version = ""
        """Of the note as this window has it."""

    async def load(self) -> None:
        """Read the store, and record that this is shown. Raises NotFoundError, StoreError."""
        is_first = self.talk is None
        self.talk = await asyncio.to_thread(self._read)
        if is_first:
            self._version = self.talk.note.version

    def _read(self) -> Talk:
        ws, reviewer = self._desk.workspace, self._desk.reviewer
        talk = read(ws, reviewer, self._question_id)
        expose(ws, reviewer, talk, WHERE)
        return talk

    @property
    def called(self) -> str:
        """What the answer before the reviewer is called; empty where there is none."""
        return self.talk.called.get(self.candidate_id, "") if self.talk else ""

    def entry(self, key: str) -> Entry | None:
        """The entry that goes by this key."""
        return next((one for one in self.talk.entries if one.key == key), None) if self.talk else None

    async def comment(self, text: str, *, on_answer: bool = False, reply_to: Entry | None = None) -> str:
        """Say something of the question, of the answer, or to what somebody said; its key. Raises UqError."""
        about = self.candidate_id if on_answer else ""
        said = Said(text)
        if reply_to is not None:
            about, said = reply_to.statement.candidate_id, Said(text, in_reply_to=reply_to.key)
        return await self._add(StatementKind.COMMENT, said, about)

    async def accept(self, said: Said) -> str:
        """Record that the poster has accepted the answer before the reviewer. Raises UqError."""
        return await self._add(StatementKind.ACCEPTANCE, said, self.candidate_id)

    async def _add(self, kind: StatementKind, said: Said, about: str) -> str:
        ws, reviewer = self._desk.workspace, self._desk.reviewer
        made = await asyncio.to_thread(statements.add, ws, reviewer, kind, self._question_id, said, candidate_id=about)
        await self.load()
        return made.statement_id

    async def revise(self, key: str, text: str) -> None:
        """Give one's own comment other words. Raises UqError."""
        await asyncio.to_thread(statements.revise, self._desk.workspace, self._desk.reviewer, key, text)
        await self.load()

    async def take_back(self, key: str) -> None:
        """Retract what one has said. Raises NotFoundError."""
        await asyncio.to_thread(statements.retract, self._desk.workspace, self._desk.reviewer, key)
        await self.load()

    async def relate(self, relation: Relation) -> None:
        """Say what one is to the question. Raises StoreError."""
        own = self._desk.workspace, self._desk.reviewer.id, self._question_id
        await asyncio.to_thread(relations.put, *own, relation)
        await self.load()

    async def keep_note(self, body: str) -> None:
        """Keep the note as far as it is written. Raises StoreError."""
        own = self._desk.workspace, self._desk.reviewer, self._question_id
        self._version = (await asyncio.to_thread(notes.keep, *own, body, self._version)).version

    async def leave_note(self, body: str) -> None:
        """Make the note a statement, if it says something new. Raises StoreError."""
        own = self._desk.workspace, self._desk.reviewer, self._question_id
        await asyncio.to_thread(notes.leave, *own, body, self._version)
        self._version = ""
