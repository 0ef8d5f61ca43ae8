"""Two or three texts of a question side by side: which ones, how their scrolling is tied, what differs."""

import asyncio
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from store import exposures
from store.rows import Candidate, Question
from uq_tui.document.compare.word_diff import Change, WordDiff, diff
from uq_tui.state.desk import Desk
from uq_tui.state.live_reply import LiveReply
from uq_tui.state.reading.beside.choices import (
    EXPOSES,
    Choice,
    Kind,
    answer_choice,
    question_choice,
    read_choices,
    reasoning_choice,
)
from uq_tui.state.reading.beside.diff_text import differences_text
from uq_tui.state.reading.beside.ties import Tie
from uq_tui.state.reading.readable import Readable, own_words, readable_question, readable_text, readable_words
from uq_tui.state.reviewing import blind
from uq_tui.text import counted
from uq_tui.words import Exposure

WHERE = "side by side"
"""Where exposures are recorded as having happened."""
FEWEST, MOST = 2, 3
"""Panes."""
NO_TEXT = "*The text of this answer is not here: only verdicts on it were imported.*"


class Compared(NamedTuple):
    """The word diff of the answers in two panes, the one further left first."""

    left: int
    right: int
    found: WordDiff


class SideBySideState:
    """`load` reads what there is; `open` gives a pane's text, once it is recorded that it is seen."""

    def __init__(self, desk: Desk, question: Question, chosen: str) -> None:
        """`chosen` is the candidate to begin with; the question's first where it has no such one."""
        self.desk = desk
        self.question = question
        self.choices: tuple[Choice, ...] = ()
        """All that can be read, by candidate."""
        self.panes: tuple[str, ...] = ()
        """Keys of what is read, from left to right."""
        self.tied = True
        """Panes scroll together."""
        self.marking = False
        """The word diff is marked."""
        self._chosen = chosen
        self._texts: dict[str, Readable] = {}
        """What was opened, by key."""
        self._recorded: set[tuple[str, Exposure]] = set()
        self._diffs: dict[tuple[str, str], WordDiff] = {}
        self._at: int | None = None
        """Which change one is at."""

    async def load(self) -> None:
        """Read what there is. At first this also decides on the panes. Raises StoreError."""
        self.choices, beside = await asyncio.to_thread(self._read)
        if not self.panes:
            self.panes = beside

    def _read(self) -> tuple[tuple[Choice, ...], tuple[str, ...]]:
        ws, question_id = self.desk.workspace, self.question.row.id
        there = blind.candidates_of(ws, self.desk.reviewer.id, question_id)
        return read_choices(ws, question_id, there), self._first_panes(there)

    def _first_panes(self, there: tuple[Candidate, ...]) -> tuple[str, ...]:
        """The chosen answer, and the first there is of its reasoning, the next answer, the question.

        Reasoning that the reviewer has never been shown isn't shown unasked: that would end their blindness.
        """
        question = question_choice(self.question.row.id)
        at = next((n for n, one in enumerate(there) if one.id == self._chosen), 0)
        if not there:
            return (question.key,)
        chosen = there[at]
        if chosen.reasoning and self._has_seen(chosen.id, Exposure.REASONING):
            return answer_choice(chosen).key, reasoning_choice(chosen).key
        if len(there) > 1:
            return answer_choice(chosen).key, answer_choice(there[(at + 1) % len(there)]).key
        return answer_choice(chosen).key, question.key

    def _has_seen(self, candidate_id: str, what: Exposure) -> bool:
        shown = exposures.of_candidate(self.desk.workspace, self.desk.reviewer.id, candidate_id)
        return any(row.what is what for row in shown)

    # Which texts

    def choice(self, at: int) -> Choice | None:
        """What is read in a pane; `None` where it is no longer there."""
        return next((one for one in self.choices if one.key == self.panes[at]), None)

    def put(self, at: int, key: str) -> None:
        """Read another text in a pane. One that is read in another pane changes places with it."""
        panes = list(self.panes)
        if key in panes:
            panes[panes.index(key)] = panes[at]
        panes[at] = key
        self._set(panes)

    def add(self) -> bool:
        """Open one more pane, with an answer that is in none, else the question; `False` where no more have room."""
        rest = [one for one in self.choices if one.key not in self.panes]
        plain = [one for one in rest if one.kind is Kind.ANSWER] + [one for one in rest if one.kind is Kind.QUESTION]
        if len(self.panes) >= MOST or not plain:
            return False
        self._set([*self.panes, plain[0].key])
        return True

    def remove(self, at: int) -> bool:
        """Close a pane; `False` where no fewer make sense."""
        if len(self.panes) <= FEWEST:
            return False
        self._set([*self.panes[:at], *self.panes[at + 1 :]])
        return True

    def _set(self, panes: list[str]) -> None:
        self.panes, self._at = tuple(panes), None

    # Texts

    async def open(self, at: int) -> Readable:
        """The text of a pane, after it is recorded that the reviewer sees it. Raises StoreError."""
        choice = self.choice(at)
        if choice is None:
            return own_words("*This text is no longer here.*", "gone")
        await self._record(choice)
        if choice.key not in self._texts:
            self._texts[choice.key] = replace(await self._text(choice), key=choice.key, name=choice.name)
        return self._texts[choice.key]

    async def _record(self, choice: Choice) -> None:
        what, candidate = EXPOSES.get(choice.kind), choice.candidate
        if candidate is not None and candidate.letter and choice.key not in self._texts:
            await asyncio.to_thread(self._note_read, candidate.id, choice.kind is Kind.REASONING)
        if what is None or candidate is None or (candidate.id, what) in self._recorded:
            return
        ws, reviewer = self.desk.workspace, self.desk.reviewer
        await asyncio.to_thread(exposures.record, ws, reviewer.id, self.question.row.id, candidate.id, what, WHERE)
        self._recorded.add((candidate.id, what))

    def _note_read(self, candidate_id: str, reasoning: bool) -> None:
        blind.note_read(self.desk.workspace, self.desk.reviewer.id, [candidate_id], reasoning=reasoning)

    async def _text(self, choice: Choice) -> Readable:
        candidate = choice.candidate
        if candidate is None:
            return readable_question(self.question)
        if choice.kind is Kind.REASONING:
            return readable_words(candidate.reasoning)
        if choice.kind is Kind.ANSWER:
            if not candidate.answer.sha256:
                return own_words(NO_TEXT)
            return await asyncio.to_thread(readable_text, candidate.answer)
        reply = LiveReply(self.desk.workspace, self.desk.engine)
        await reply.follow(choice.call_key, running=False)
        found = reply.readable()
        return found if found.source else own_words("*No reply was kept.*")

    # Ties and differences

    async def compare(self) -> None:
        """Find what differs between the answers that are read, for marking it and for ties. They must be open."""
        for a, b in self._answers():
            keys = self.panes[a], self.panes[b]
            if keys not in self._diffs:
                left, right = (self._texts[key].source for key in keys)
                self._diffs[keys] = await asyncio.to_thread(diff, left, right)

    def _answers(self) -> Iterator[tuple[int, int]]:
        """Pairs of panes that hold answers which are open."""
        held = [
            at
            for at, key in enumerate(self.panes)
            if key in self._texts and (choice := self.choice(at)) is not None and choice.kind is Kind.ANSWER
        ]
        return ((a, b) for n, a in enumerate(held) for b in held[n + 1 :])

    @property
    def compared(self) -> Compared | None:
        """The word diff of the first two answers; `None` where there are none, or it hasn't been computed."""
        for a, b in self._answers():
            found = self._diffs.get((self.panes[a], self.panes[b]))
            return Compared(a, b, found) if found is not None else None
        return None

    @property
    def comparable(self) -> bool:
        """Whether two answers are read."""
        return any(True for _ in self._answers())

    def step(self, by: int, pane: int, offset: int) -> Change | None:
        """Go to the next change, or the one before; after the last comes the first. `None` where nothing differs.

        The first time, that is seen from `offset` of the text in `pane`.
        """
        compared = self.compared
        if compared is None or not compared.found.changes:
            return None
        changes = compared.found.changes
        if self._at is None:
            side = 1 if pane == compared.right else 0
            before = bisect_left(changes, offset, key=lambda one: one[side].start)
            self._at = (before if by > 0 else before - 1) % len(changes)
        else:
            self._at = (self._at + by) % len(changes)
        return changes[self._at]

    def tie(self, own: int, other: int) -> Tie:
        """How the places of two panes go together: by paragraphs where both hold answers, else by share of the text."""
        left, right = self.panes[own], self.panes[other]
        lengths = [len(self._texts[key].source) if key in self._texts else 0 for key in (left, right)]
        if (left, right) in self._diffs:
            pairs = self._diffs[left, right].pairs
        else:
            found = self._diffs.get((right, left))
            pairs = tuple((own, other) for other, own in found.pairs) if found is not None else ()
        return Tie(lengths[0], lengths[1], pairs)

    @property
    def told(self) -> str:
        """How panes scroll, and what differs, in one line."""
        parts = []
        compared = self.compared
        if self.marking and compared is not None:
            if self._at is not None:
                parts.append(f"{self._at + 1:,} of {counted(len(compared.found.changes), 'place')}")
            parts.append(differences_text(compared.found))
        elif self.comparable:
            parts.append("Comparing the answers …" if self.marking else "d marks what differs")
        parts.append("w frees scrolling" if self.tied else "scrolling is free, w ties it")
        return "  ·  ".join(parts)
