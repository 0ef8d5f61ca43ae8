"""The recorded tour: what to do next, and when it has been done."""

import asyncio
import json
from dataclasses import dataclass

from store.ingest.pack import question_ids
from uq_tui.engine.protocol import Event, RunFinished, RunStarted
from uq_tui.engine.requests import ModelChoice
from uq_tui.startup import PACK
from uq_tui.state.desk import Desk
from uq_tui.state.strategy.choice import StrategyChoice
from uq_tui.words import RunKind

MODEL = "replay/tour"
"""The recorded replies. They are scripted by us; no model wrote them."""


@dataclass(frozen=True, slots=True)
class _Step:
    text: str
    done_by: str


_STEPS = (
    _Step(
        "Press {workbench.validate:v}: three stages judge candidate c1, three turns each. "
        "(Replies here are scripted, not a model's.)",
        "validate started",
    ),
    _Step("Watch Stages fill. Tab goes there; arrows choose a turn, its reply stands below.", "validate finished"),
    _Step(
        "Down in Candidates chooses c2; press {workbench.validate:v} again and see a vote stop early.",
        "validate finished",
    ),
    _Step(
        "Press {workbench.utility:u}, then {measure.start:Enter}: does each candidate help to solve two neighbours "
        "with known answers?",
        "cbu finished",
    ),
    _Step("Read the answer, then press {workbench.judge:Enter}: the verdict is yours to give.", "verdict"),
    _Step("Press {workbench.export:x}: export verdicts as JSONL.", "export"),
    _Step(
        "Press {app.model:m}, choose local/smollm2-135m, then {workbench.validate:v}: the same, live, with the "
        "embedded model.",
        "model",
    ),
    _Step(
        "That was the tour. {app.questions:Q} lists all questions; {workbench.generate:g} asks the chosen model for an "
        "answer; {app.keys:?} shows the keys.",
        "never",
    ),
)
"""Keys stand in them as `{id:usual key}`."""


class Tour:
    """Where the tour stands."""

    def __init__(self, question_id: str) -> None:
        self.question_id = question_id
        self._at = 0
        self._kinds: dict[str, RunKind] = {}

    @classmethod
    async def begin(cls, desk: Desk) -> "Tour":
        """Start the tour on its question, with its recorded replies as the model, and the strategy they are for."""
        question_id = await asyncio.to_thread(_tour_question)
        desk.model, desk.strategy = ModelChoice(MODEL), StrategyChoice()
        return cls(question_id)

    @property
    def text(self) -> str:
        """The line that says what to do next, with keys as `{id:usual key}`."""
        return f"Tour {self._at + 1} of {len(_STEPS)}   {_STEPS[self._at].text}   {{app.tour:T}} ends the tour."

    def apply(self, event: Event) -> bool:
        """Take one engine event; True when the tour moved on."""
        match event:
            case RunStarted():
                self._kinds[event.run_id] = event.kind
                return self.note(f"{event.kind} started")
            case RunFinished() if event.run_id in self._kinds:
                return self.note(f"{self._kinds[event.run_id]} finished")
        return False

    def note(self, what: str) -> bool:
        """The user did something the tour may be waiting for; True when it moved on."""
        if what != _STEPS[self._at].done_by:
            return False
        self._at += 1
        return True


def _tour_question() -> str:
    """The id of the question the bundled pack names for the tour."""
    named = json.loads((PACK / "pack.json").read_text(encoding="utf-8"))["tour_question"]
    return question_ids(PACK)[named]
