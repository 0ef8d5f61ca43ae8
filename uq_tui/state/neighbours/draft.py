"""A neighbour while it is written by hand: what is entered, what is wrong with it, and what speaks against it."""

import asyncio
from collections.abc import Sequence

from store.identity import neighbour_id
from store.rows import Neighbour, Question
from uq_tui.analysis.neighbour_advice import Advice, Concern, Posed, advice
from uq_tui.state.neighbours.proposed import Proposed
from uq_tui.text import clean_line
from uq_tui.words import NeighbourUse


class NeighbourDraft:
    """What is entered in the form. Its problem is known at once, advice takes a thread."""

    def __init__(
        self,
        question: Question,
        others: Sequence[Neighbour],
        writer: str,
        *,
        replaces: Neighbour | None = None,
        proposed: Proposed | None = None,
    ) -> None:
        """Begin with nothing, with a neighbour that is to be replaced, or with a proposal.

        Args:
            question: whose neighbour it will be.
            others: the neighbours that the question has.
            writer: who writes it.
            replaces: one of the others, to be set aside once this one is kept.
            proposed: begin with its statement, and with the answer that its solvers gave most often.
        """
        self.question = question
        self.replaces = replaces
        self.statement = ""
        self.answer = ""
        self.source = writer
        self.title = "New neighbour"
        self.about = ""
        """What there is to know before one begins."""
        if replaces is not None:
            self.statement, self.answer = replaces.statement, clean_line(replaces.answer)
            self.title = f"Edit N{replaces.number}"
            self.about = (
                f"What you keep is a new neighbour, since its id is made of its text; N{replaces.number} is set aside,"
                " and what was measured on it stays true of it."
            )
        elif proposed is not None:
            proposal = proposed.proposal
            self.statement, self.answer = proposal.statement, clean_line(proposed.commonest)
            self.source = f"{writer}, after proposal {proposal.number} of run {proposal.run_id}"
            self.title = f"Take over P{proposal.number}"
            self.about = (
                "The solvers did not agree. Their commonest answer is filled in; check it before you keep it."
                if self.answer
                else "The solvers gave no answer that was commoner than the others: it has to be yours."
            )
        self._others = tuple(others)
        self._begun_with = (self.statement, self.answer)

    @property
    def changed(self) -> bool:
        """There is something that leaving would lose."""
        return (self.statement, self.answer) != self._begun_with

    @property
    def problem(self) -> str:
        """Why it can't be kept as it stands; empty when it can."""
        if not self.statement.strip():
            return "There is no statement yet."
        if not self.answer.strip():
            return "There is no answer yet: without one nothing can be checked."
        key = self.neighbour().id
        same = next((one for one in self._others if one.id == key), None)
        if same is None:
            return ""
        if self.replaces is not None and same.id == self.replaces.id:
            return "Nothing is changed yet."
        aside = ", set aside" if same.use is NeighbourUse.SET_ASIDE else ""
        return f"This is N{same.number}{aside}, word for word."

    def neighbour(self) -> Neighbour:
        """What will be stored."""
        statement, answer = self.statement.strip(), self.answer.strip()
        return Neighbour(neighbour_id(statement, answer), statement, answer, self.source)

    async def advise(self) -> tuple[Advice, ...]:
        """What speaks against it so far; nothing while there is no statement."""
        if not self.statement.strip():
            return ()
        row = self.question.row
        posed = Posed(self.statement, self.answer)
        others = [
            Posed(one.statement, one.answer, f"N{one.number}")
            for one in self._others
            if one.use is NeighbourUse.IN_USE and (self.replaces is None or one.id != self.replaces.id)
        ]
        found = await asyncio.to_thread(advice, f"{row.title}\n\n{self.question.body.markdown}", posed, others=others)
        return found if self.answer.strip() else tuple(one for one in found if one.kind is Concern.NEAR_DUPLICATE)
