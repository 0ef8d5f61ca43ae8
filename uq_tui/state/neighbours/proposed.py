"""A neighbour that a model proposed: what each solver answered, and whether they agreed."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from store.run_rows import Attempt, Proposal
from uq_tui.analysis import answers
from uq_tui.state.quoting import inline_code, one_line
from uq_tui.words import DecidedBy, ProposalState

_NO_ANSWER = {
    DecidedBy.NO_ANSWER: "no answer",
    DecidedBy.CUT_OFF: "a reply that was cut off",
    DecidedBy.CALL_FAILED: "no reply",
    DecidedBy.UNDECIDABLE: "several answers or one too long",
}
_STATES = {
    ProposalState.ASKED: "not finished",
    ProposalState.AGREED: "agreed",
    ProposalState.DISAGREED: "not agreed",
    ProposalState.UNANSWERED: "not answered",
}


@dataclass(frozen=True, slots=True)
class Given:
    """One answer, as it was written first, and how often it was given."""

    answer: str
    times: int


@dataclass(frozen=True, slots=True)
class SolverAnswers:
    """What one solver made of a proposal."""

    solver: str
    given: tuple[Given, ...]
    """The commonest first; of answers that read the same, one."""
    without: tuple[tuple[DecidedBy, int], ...]
    """Attempts that brought no answer, by why."""

    @property
    def attempts(self) -> int:
        """How many there were so far, with or without an answer."""
        return sum(one.times for one in self.given) + sum(times for _, times in self.without)

    @property
    def unanimous(self) -> bool:
        """Every attempt brought the same answer."""
        return len(self.given) == 1 and not self.without

    def sentence(self) -> str:
        """Markdown: `o3 gave 2024 3 times of 4, no answer once.`"""
        parts = [f"{inline_code(one.answer)} {_times(one.times)}" for one in self.given]
        parts += [f"{_NO_ANSWER.get(why, why.value)} {_times(times)}" for why, times in self.without]
        whole = f" of {self.attempts}" if self.attempts > 1 else ""
        head, *rest = parts
        return f"{inline_code(self.solver)} gave {', '.join([f'{head}{whole}', *rest])}."


@dataclass(frozen=True, slots=True)
class Proposed:
    """A proposal with its attempts."""

    proposal: Proposal
    solvers: tuple[SolverAnswers, ...] = ()

    @classmethod
    def of(cls, proposal: Proposal, attempts: Sequence[Attempt]) -> "Proposed":
        """A proposal with those of the attempts that are at it."""
        own = [one for one in attempts if (one.run_id, one.number) == (proposal.run_id, proposal.number)]
        names = dict.fromkeys(one.solver for one in own)
        return cls(proposal, tuple(_answers_of(name, (one for one in own if one.solver == name)) for name in names))

    @property
    def key(self) -> str:
        """What it goes by in a list."""
        return f"{self.proposal.run_id} {self.proposal.number}"

    def state_text(self, *, under_way: bool) -> str:
        """What became of it, in words; `under_way` says that its run is."""
        asked = self.proposal.state is ProposalState.ASKED
        return "being solved" if asked and under_way else _STATES[self.proposal.state]

    @property
    def commonest(self) -> str:
        """The answer that was given most often by all solvers together; empty without one, or where two tie."""
        if self.proposal.answer:
            return self.proposal.answer
        counted = _counted((one.answer, one.times) for solver in self.solvers for one in solver.given)
        if not counted or (len(counted) > 1 and counted[0].times == counted[1].times):
            return ""
        return counted[0].answer

    def outcome(self, *, under_way: bool) -> str:
        """Markdown: what each solver answered, then what came of it."""
        state = f"**{self.state_text(under_way=under_way).capitalize()}.**"
        lines = "\n".join(f"- {solver.sentence()}" for solver in self.solvers)
        return "\n\n".join(part for part in (lines, f"{state} {one_line(self.proposal.reason)}".rstrip()) if part)


def _answers_of(solver: str, attempts: Iterable[Attempt]) -> SolverAnswers:
    own = tuple(attempts)
    without = Counter(one.state for one in own if one.state is not None)
    given = _counted((one.answer, 1) for one in own if one.state is None)
    return SolverAnswers(solver, given, tuple(sorted(without.items())))


def _counted(found: Iterable[tuple[str, int]]) -> tuple[Given, ...]:
    """Answers that read the same counted together, the commonest first, then in order of arrival."""
    first: dict[answers.Value, str] = {}
    times: Counter[answers.Value] = Counter()
    for answer, number in found:
        value = answers.read(answer) if len(answer) <= answers.MAX_LENGTH else answer
        first.setdefault(value, answer)
        times[value] += number
    return tuple(Given(first[value], number) for value, number in times.most_common())


def _times(number: int) -> str:
    return "once" if number == 1 else "twice" if number == 2 else f"{number} times"
