"""What there is to read of a question: itself, and of each candidate the answer, and what models wrote about it.

Labels tell where a text is from, never what came of it: who looks through the list has seen no outcome by that.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from store import audits, judgements, neighbours, scores
from store.rows import Candidate
from store.workspace import Workspace
from uq_tui.state.ladder import judged
from uq_tui.state.ladder.ladder import Ladder, Rung
from uq_tui.text import clean_line
from uq_tui.words import Exposure


class Kind(StrEnum):
    """Kinds of texts."""

    QUESTION = "question"
    ANSWER = "answer"
    REASONING = "reasoning"
    CHECK = "check"
    """A reply on the way of a strategy."""
    SCORE = "score"
    """A judge's reply with a score."""
    AUDIT = "audit"
    ROLLOUT = "rollout"


EXPOSES = {
    Kind.REASONING: Exposure.REASONING,
    Kind.CHECK: Exposure.OUTCOMES,
    Kind.SCORE: Exposure.SCORES,
    Kind.AUDIT: Exposure.CLAIMS,
    Kind.ROLLOUT: Exposure.UTILITY,
}
"""What a reviewer has been shown of the candidate once they read such a text."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One text that can be read. `key` tells it from all others of the question."""

    key: str
    kind: Kind
    label: str
    """Within what there is of the candidate: `Reply  turn 2, fact / logic`. Harmless to a terminal."""
    candidate: Candidate | None = None
    """Whom it is of; `None` for the question."""
    call_key: str = ""
    """The call whose reply it is."""

    @property
    def title(self) -> str:
        """What stands over the text."""
        return self.label if self.candidate is None else f"{self.label}  {self.candidate.called}"

    @property
    def name(self) -> str:
        """What files made of the text are called."""
        return self.kind.value if self.candidate is None else f"{self.candidate.called}-{self.kind.value}"


def question_choice(question_id: str) -> Choice:
    """The question."""
    return Choice(f"question {question_id}", Kind.QUESTION, "Question")


def answer_choice(candidate: Candidate) -> Choice:
    """A candidate's answer."""
    return Choice(f"answer {candidate.id}", Kind.ANSWER, "Reference" if candidate.reference else "Answer", candidate)


def reasoning_choice(candidate: Candidate) -> Choice:
    """A candidate's reasoning."""
    return Choice(f"reasoning {candidate.id}", Kind.REASONING, "Reasoning", candidate)


def read_choices(ws: Workspace, question_id: str, candidates: Sequence[Candidate]) -> tuple[Choice, ...]:
    """All texts of a question, its candidates in their order.

    Of checks there are the replies of the newest run of each candidate, of judges those of the newest finished run of
    each judge and model, of rollouts those behind the utility that stands. Of candidates that are judged blind there is
    none of these.
    """
    found = [question_choice(question_id)]
    scorings = scores.newest(ws, question_id)
    utilities = {one.candidate_id: one.run_id for one in judgements.utilities_of_question(ws, question_id)}
    numbers = {one.id: one.number for one in neighbours.of_question(ws, question_id)}
    for candidate in candidates:
        found.append(answer_choice(candidate))
        if candidate.reasoning:
            found.append(reasoning_choice(candidate))
        if candidate.letter:
            continue  # what machines made of it is hidden
        found += _checks(ws, candidate)
        for scoring in scorings:
            if scoring.candidate_id == candidate.id:
                name = clean_line(f"{scoring.judge} by {scoring.model}")
                found += (
                    _reply(candidate, Kind.SCORE, f"Judge {name}, sample {one.sample + 1}", one.call_key)
                    for one in scoring.scores
                    if one.call_key
                )
        found += (
            _reply(candidate, Kind.AUDIT, f"Audit of {one.created_at[:16].replace('T', ' ')}", one.call_key)
            for one in audits.of_candidate(ws, candidate.id)
            if one.call_key
        )
        if candidate.id in utilities:
            found += _rollouts(ws, candidate, utilities[candidate.id], numbers)
    return tuple(found)


def matching(choices: Sequence[Choice], typed: str) -> tuple[Choice, ...]:
    """Those whose title holds every word that was typed."""
    words = typed.casefold().split()
    return tuple(one for one in choices if all(word in one.title.casefold() for word in words))


def _reply(candidate: Candidate, kind: Kind, label: str, call_key: str) -> Choice:
    return Choice(f"{kind} {candidate.id} {call_key}", kind, label, candidate, call_key)


def _checks(ws: Workspace, candidate: Candidate) -> Iterator[Choice]:
    newest = judged.newest(ws, candidate.id)
    if newest is None:
        return
    ladder = newest.ladder
    for rung, labels in _rungs(ladder, ladder.whole, ()):
        where = clean_line(", ".join(reversed(labels))) or clean_line(rung.label)
        for number, key in enumerate(rung.call_keys, 1):
            many = f" {number} of {len(rung.call_keys)}" if len(rung.call_keys) > 1 else ""
            yield _reply(candidate, Kind.CHECK, f"Reply{many}  {where}", key)


def _rungs(ladder: Ladder, rung: Rung, labels: tuple[str, ...]) -> Iterator[tuple[Rung, tuple[str, ...]]]:
    """A rung and all beneath it, each with the labels from the stage down to it."""
    yield rung, labels
    for part in ladder.parts(rung.path):
        yield from _rungs(ladder, part, (*labels, part.label))


def _rollouts(ws: Workspace, candidate: Candidate, run_id: str, numbers: dict[str, int]) -> Iterator[Choice]:
    rolled = judgements.rollouts_of_run(ws, run_id, candidate_ids={candidate.id})
    for one in sorted(rolled, key=lambda one: (numbers.get(one.neighbour_id, 0), one.sample)):
        if one.call_key and one.neighbour_id in numbers:
            label = f"Rollout {one.sample + 1} on N{numbers[one.neighbour_id]}"
            yield _reply(candidate, Kind.ROLLOUT, label, one.call_key)
