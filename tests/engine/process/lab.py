"""A stocked workspace, and an app without screens on top of the real worker."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from store import calls, candidates, intake, neighbours, runs
from store.identity import neighbour_id
from store.rows import Neighbour, NewCandidate, Origin
from store.run_rows import Call, Run
from store.workspace import Workspace
from tests.engine.process.fakes import until
from tests.fakes.openai_server import FakeServer, Rule, SeenRequest
from uq_tui.engine.client import EngineClient
from uq_tui.engine.protocol import Event, RunFinished, RunStarted
from uq_tui.engine.requests import ModelChoice
from uq_tui.words import AuthorKind, TextFormat

E = TypeVar("E")

ROOT = Path(__file__).resolve().parents[3]
QUESTION = "tests:1"
ANSWERS = ("The answer is 4, by counting.", "The answer is 5, by guessing.", "The answer is four.")
_INFER = "You see an answer without its question"
_SUMS = {"What is 2 + 2?": "4", "What is 3 + 3?": "6"}


def stock(ws: Workspace) -> tuple[str, ...]:
    """Put a question with neighbours and candidates into a workspace; the candidates' ids."""
    question = intake.NewQuestion(
        id=QUESTION, title="A sum", body="How much is it?", format=TextFormat.MARKDOWN, source="tests"
    )
    ws.write(lambda db: intake.put(db, [question]))
    around = [Neighbour(neighbour_id(text, answer), text, answer, "tests") for text, answer in _SUMS.items()]
    neighbours.add(ws, QUESTION, around)
    origin = Origin(AuthorKind.PERSON, person="tester")
    return candidates.add(ws, [NewCandidate(QUESTION, text, TextFormat.MARKDOWN, origin) for text in ANSWERS])


def stock_many(ws: Workspace, number: int) -> tuple[str, ...]:
    """Like `stock`, with so many candidates that say nothing in particular."""
    stock(ws)
    origin = Origin(AuthorKind.PERSON, person="tester")
    texts = [f"It is {n}, as one sees after {n + 2} steps." for n in range(number)]
    return candidates.add(ws, [NewCandidate(QUESTION, text, TextFormat.MARKDOWN, origin) for text in texts])


def sensible(request: SeenRequest) -> Rule:
    """A judge that rejects guesses and a solver that can add, but only with a worked example."""
    last = request.user_texts[-1]
    whole = "\n".join(request.user_texts)
    if request.tag:
        word = "reject" if "by guessing" in whole else "accept"
        return Rule(reply=f"I have looked at it.\n{{tag}}: {word}", reasoning="Let me see.")
    if _INFER in last:
        return Rule(reply="How much is two and two?")
    for sum_, answer in _SUMS.items():
        if sum_ in last:
            known = answer if "The answer is" in last else "7"
            return Rule(reply=f"So it is \\boxed{{{known}}}.")
    return Rule(reply="It is four.", reasoning="Two and two.")


class Server:
    """The loopback server as a sensible model, with exceptions."""

    def __init__(self) -> None:
        self.special: dict[str, Rule] = {}
        """Rules for requests that hold a text."""
        self.answers: int | None = None
        """How many requests are still answered; after that replies begin and never end. `None` is all."""
        self.http = FakeServer(self._script)

    def _script(self, request: SeenRequest) -> Rule:
        whole = "\n".join(request.user_texts)
        rule = next((rule for text, rule in self.special.items() if text in whole), None) or sensible(request)
        if self.answers is None:
            return rule
        self.answers -= 1
        return rule if self.answers >= 0 else replace(rule, stall_after=1)

    @property
    def model(self) -> ModelChoice:
        return ModelChoice("openai/scripted", self.http.base_url)

    @property
    def requests(self) -> list[SeenRequest]:
        return self.http.requests

    def stalled(self) -> int:
        """How many replies have begun and go no further."""
        return sum(one.chunks_sent == 1 and not one.finished and not one.disconnected for one in self.requests)


class App:
    """The part of the app that talks to the engine. Remembers all events."""

    def __init__(self, workspace: Path, log: Path) -> None:
        self.client = EngineClient(workspace, log)
        self.events: list[Event] = []
        self.client.subscribe(self.events.append)

    def seen(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    async def event(self, kind: type[E], fits: Callable[[E], bool] = lambda event: True) -> E:
        """The first event of a kind that fits, now or as soon as it comes."""
        await until(lambda: any(fits(event) for event in self.seen(kind)), seconds=60.0)
        return next(event for event in self.seen(kind) if fits(event))

    async def run_id(self, ticket: str) -> str:
        return (await self.event(RunStarted, lambda event: event.ticket == ticket)).run_id

    async def ended(self, ws: Workspace, run_id: str) -> Run:
        await self.event(RunFinished, lambda event: event.run_id == run_id)
        return await asyncio.to_thread(runs.get, ws, run_id)


def stored_calls(ws: Workspace, run_id: str) -> list[Call]:
    """The calls that a run has asked first."""
    with ws.read() as conn:
        keys: Sequence[str] = [
            row.key for row in conn.exec_driver_sql("SELECT key FROM call WHERE run_id = ?", (run_id,))
        ]
    return list(calls.find(ws, keys).values())
