"""Whether solvers agree on the answer to a proposed neighbour. Nobody knows it, so agreement is all there is to go by.

The rule: of the k samples that a solver was asked for, more than half must have one answer, where samples that failed,
were cut or brought no answer count among the k and never for an answer; and these answers of all solvers must be the
same. Two answers are the same only when exact reading or algebra shows it: where neither can tell, they are not. The
paper (arXiv 2602.06291v1) keeps a problem when three models give one answer each and all agree, which is this rule for
three solvers and k = 1.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from store.run_rows import Attempt, Call
from uq_tui.analysis.answers import MAX_LENGTH, compare, read
from uq_tui.analysis.boxes import final_boxes
from uq_tui.words import CallState, DecidedBy, ProposalState

Equal = Callable[[str, str], Awaitable[bool | None]]
"""Whether two answers are the same; `None` where that can't be told."""

_SHOWN = 40
"""Characters of an answer in a reason."""
_WITHOUT: Mapping[DecidedBy, str] = {
    DecidedBy.NO_ANSWER: "without an answer",
    DecidedBy.CUT_OFF: "cut off",
    DecidedBy.CALL_FAILED: "failed",
    DecidedBy.UNDECIDABLE: "with several answers or one too long",
}


@dataclass(frozen=True, slots=True)
class Agreement:
    """What became of a proposal. `answer` is that on which all agreed, else empty; `reason` says why there is none."""

    state: ProposalState
    answer: str = ""
    reason: str = ""


@dataclass(slots=True)
class _Group:
    """Samples with the same answer, as it was spelled."""

    spellings: Counter[str]

    @property
    def answer(self) -> str:
        """The spelling most samples used, the shortest of these."""
        return min(self.spellings, key=lambda text: (-self.spellings[text], len(text), text))

    @property
    def votes(self) -> int:
        return self.spellings.total()


def read_attempt(call: Call) -> tuple[str, DecidedBy | None]:
    """The answer in a solver's reply and `None`, or no answer and why there is none.

    A reply that was cut has no answer even where a box was complete: what it would have ended with is unknown. Nor has
    one that ends with several boxes, unless they say the same by exact reading.
    """
    if call.state is CallState.FAILED:
        return "", DecidedBy.CALL_FAILED
    if call.cut_off:
        return "", DecidedBy.CUT_OFF
    answers = final_boxes(call.reply)
    if not answers:
        return "", DecidedBy.NO_ANSWER
    last = answers[-1]
    if len(last) > MAX_LENGTH or not all(compare(last, other) for other in answers[:-1]):
        return "", DecidedBy.UNDECIDABLE
    return last, None


async def agreement(attempts: Sequence[Attempt], equal: Equal) -> Agreement:
    """Whether the solvers agree.

    Without a majority it is `UNANSWERED` where a solver has so few answers that none could have been one.

    Args:
        attempts: all samples that were asked of each of the solvers, whatever came of them.
        equal: compares two answers.
    """
    by_solver: dict[str, list[Attempt]] = {}
    for one in attempts:
        by_solver.setdefault(one.solver, []).append(one)
    groups = {solver: await _groups(own, equal) for solver, own in by_solver.items()}
    majorities = {solver: _majority(groups[solver], len(own)) for solver, own in by_solver.items()}
    found = [one for one in majorities.values() if one is not None]
    told = "; ".join(_said(solver, groups[solver], own) for solver, own in by_solver.items())
    if len(found) < len(by_solver):
        short = any(2 * sum(one.state is None for one in own) <= len(own) for own in by_solver.values())
        return Agreement(ProposalState.UNANSWERED if short else ProposalState.DISAGREED, reason=told)
    same = [await equal(found[0].answer, other.answer) for other in found[1:]]
    if all(same):
        return Agreement(ProposalState.AGREED, plain(found[0].answer))
    unsure = "" if False in same else "; whether these are the same could not be told"
    return Agreement(ProposalState.DISAGREED, reason=f"{told}{unsure}")


def plain(answer: str) -> str:
    """An answer as it is kept: an integer by its digits, however it was spelled; others as they are."""
    value = read(answer)
    return str(value) if isinstance(value, Fraction) and value.denominator == 1 else answer


async def _groups(attempts: Sequence[Attempt], equal: Equal) -> list[_Group]:
    """The answers of one solver, the same ones together; the largest group first."""
    groups: list[_Group] = []
    for text, votes in Counter(one.answer for one in attempts if one.state is None).items():
        for group in groups:
            if await equal(group.answer, text):
                group.spellings[text] = votes
                break
        else:
            groups.append(_Group(Counter({text: votes})))
    return sorted(groups, key=lambda group: -group.votes)


def _majority(groups: Sequence[_Group], asked: int) -> _Group | None:
    return groups[0] if groups and 2 * groups[0].votes > asked else None


def _said(solver: str, groups: Sequence[_Group], attempts: Sequence[Attempt]) -> str:
    """`m says 1234 (3 of 4)`; without a majority all that it says: `m: 1234 (2 of 4), 99 (1 of 4), 1 cut off`."""
    asked = len(attempts)
    if (chosen := _majority(groups, asked)) is not None:
        return f"{solver} says {_shown(chosen.answer)} ({chosen.votes} of {asked})"
    parts = [f"{_shown(group.answer)} ({group.votes} of {asked})" for group in groups]
    without = Counter(one.state for one in attempts if one.state is not None)
    parts += [f"{votes} {_WITHOUT.get(state, state.value)}" for state, votes in without.items()]
    return f"{solver} has no majority: {', '.join(parts)}"


def _shown(answer: str) -> str:
    line = " ".join(answer.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"
