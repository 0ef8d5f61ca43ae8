"""Strategies asked by script in known rounds: a call of a round is answered when all of its round have been made.

A round is written as tokens: the address of a place and what the judge says there. `c`, `f` and `k` are the stages
cycle_consistency, fact_logic and correctness, figures the numbers of votes; `+` accepts, `-` rejects, `?` is
unreadable, `!` fails, `q` infers a question and `0` is empty. ` / ` parts rounds: "1+ 2? / 2- / 3+" asks votes 1 and 2
at once, vote 2 again, then vote 3.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from store.run_rows import Call, Run
from tests.engine.runs.judged import INFERRED
from tests.engine.runs.scripted import ACCEPT, FAILED, REJECT, UNREADABLE, Said, Scripted
from uq_tui.engine.requests import ModelChoice
from uq_tui.engine.spec import Ask
from uq_tui.words import Outcome

MODELS = tuple(ModelChoice(f"scripted/judge-{number}") for number in range(1, 6))
SAID: Mapping[str, Said] = {
    "+": ACCEPT,
    "-": REJECT,
    "?": UNREADABLE,
    "!": FAILED,
    "q": INFERRED,
    "0": Said(""),
}
READ: Mapping[str, Outcome] = {
    "+": Outcome.ACCEPT,
    "-": Outcome.REJECT,
    "?": Outcome.UNPARSED,
    "!": Outcome.FAILED,
    "0": Outcome.UNPARSED,
}
LETTERS: Mapping[str, Outcome] = {outcome.name[0]: outcome for outcome in Outcome}
"""A, R, U, F, S."""
_PATIENCE_S = 30.0
"""A round that isn't complete by then never will be."""
_STAGES = {"c": "cycle_consistency", "f": "fact_logic", "k": "correctness"}


@dataclass(frozen=True, slots=True)
class Token:
    """One call by the path it is made at, and what is said to it."""

    path: str
    mark: str


def path_of(address: str, prefix: str = "") -> str:
    """`1c2` beneath `pipeline` is `pipeline/1/cycle_consistency/2`."""
    parts = [_STAGES.get(letter, letter) for letter in address]
    return "/".join([prefix, *parts] if prefix else parts)


def rounds_of(text: str, prefix: str = "") -> list[list[Token]]:
    """The rounds that a text stands for."""
    return [[Token(path_of(one[:-1], prefix), one[-1]) for one in part.split()] for part in text.split("/")]


@dataclass
class _Progress:
    """How far one candidate is."""

    rounds: Sequence[Sequence[Token]]
    number: int = 0
    arrived: list[str] = field(default_factory=list)
    complete: asyncio.Event = field(default_factory=asyncio.Event)

    def __str__(self) -> str:
        return f"round {self.number + 1} of {len(self.rounds)}: {self.arrived} were asked"


@dataclass
class InRounds(Scripted):
    """Holds every call back until its round is complete. A call that is not of the round under way is an error."""

    progress_of: dict[str, _Progress] = field(default_factory=dict)
    """By candidate."""
    asked_of: dict[str, list[list[Ask]]] = field(default_factory=dict)
    """What each candidate was asked, by rounds."""

    def expect(self, candidate_id: str, rounds: Sequence[Sequence[Token]]) -> None:
        self.progress_of[candidate_id] = _Progress(rounds)
        self.asked_of[candidate_id] = [[] for _ in rounds]

    async def ask(self, run: Run, asks: Sequence[Ask]) -> tuple[Call, ...]:
        answers = [await self._held_back(run, ask) for ask in asks]
        return tuple(answers)

    async def _held_back(self, run: Run, ask: Ask) -> Call:
        progress = self.progress_of[ask.candidate_id]
        assert progress.number < len(progress.rounds), f"{ask.path} is asked after the last round"
        number, tokens, complete = progress.number, progress.rounds[progress.number], progress.complete
        said = next((token.mark for token in tokens if token.path == ask.path), None)
        assert said is not None, f"{ask.path} is asked in {progress}"
        assert ask.path not in progress.arrived, f"{ask.path} is asked twice in {progress}"
        progress.arrived.append(ask.path)
        self.asked_of[ask.candidate_id][number].append(ask)
        if len(progress.arrived) == len(tokens):
            progress.number, progress.arrived, progress.complete = number + 1, [], asyncio.Event()
            complete.set()
        try:
            await asyncio.wait_for(complete.wait(), _PATIENCE_S)
        except TimeoutError as error:
            raise AssertionError(f"{progress}, but not all of {[token.path for token in tokens]}") from error
        return self.call(SAID[said], ask, self.key(ask, run.spec["epoch"]), run.id, run.spec["epoch"])

    def unfinished(self) -> list[str]:
        """Candidates that were not asked all that was expected."""
        return [str(one) for one in self.progress_of.values() if one.number < len(one.rounds)]
