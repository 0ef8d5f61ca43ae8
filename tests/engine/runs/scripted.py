"""A model that follows a script, on a real workspace, without caller and providers."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from store import calls, candidates, intake, neighbours, runs, stubs
from store.identity import neighbour_id, now
from store.rows import Neighbour, NewCandidate, Origin
from store.run_rows import Call, Message, Run
from store.workspace import Workspace
from uq_tui.engine.protocol import Event
from uq_tui.engine.requests import ModelChoice
from uq_tui.engine.runs import audit, cbu, curate, generate, judge, validate
from uq_tui.engine.runs import neighbours as neighbours_run
from uq_tui.engine.spec import Ask, Prepared, RunContext, TemplateRef
from uq_tui.words import AuthorKind, CallErrorKind, CallState, RunKind, TextFormat

MODEL = ModelChoice("scripted/judge")
QUESTION = "tests:1"
JOBS: Mapping[RunKind, ModuleType] = {
    RunKind.GENERATE: generate,
    RunKind.VALIDATE: validate,
    RunKind.JUDGE: judge,
    RunKind.AUDIT: audit,
    RunKind.CBU: cbu,
    RunKind.NEIGHBOURS: neighbours_run,
    RunKind.CURATE: curate,
}


ANY_ASK = Ask(MODEL, (Message("user", "?"),), TemplateRef("t", "1", "0"))


@dataclass(frozen=True, slots=True)
class Said:
    """What the scripted model answers. `{tag}` becomes the tag that was asked for."""

    reply: str = ""
    reasoning: str = ""
    finish_reason: str = "stop"
    error: CallErrorKind | None = None
    constrained: bool = False
    temperature: float | None = None


ACCEPT = Said("Checked.\n{tag}: accept", reasoning="SECRET THOUGHTS")
REJECT = Said("Checked.\n{tag}: reject", reasoning="SECRET THOUGHTS")
UNREADABLE = Said("I would accept it.")
FAILED = Said(error=CallErrorKind.TIMEOUT)

Script = Callable[[Ask], Said]


@dataclass
class Scripted:
    """Asks by script, keeps calls in the workspace, and remembers the ones that are done."""

    ws: Workspace
    script: Script
    asks: list[Ask] = field(default_factory=list)
    """All that were sent; remembered ones are not."""
    batches: list[int] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    progress: list[tuple[int, int]] = field(default_factory=list)
    die_after: int | None = None
    """Cancel the run instead of sending more than so many."""
    on_event: Callable[[Event], None] | None = None

    async def ask(self, run: Run, asks: Sequence[Ask]) -> tuple[Call, ...]:
        self.batches.append(len(asks))
        answered = []
        for ask in asks:
            key = self.key(ask, run.spec["epoch"])
            kept = calls.get(self.ws, key)
            if kept is None or kept.state is CallState.FAILED:
                if self.die_after is not None and len(self.asks) >= self.die_after:
                    raise asyncio.CancelledError
                self.asks.append(ask)
                kept = self.call(self.script(ask), ask, key, run.id, run.spec["epoch"])
                calls.save(self.ws, [kept])  # not in a thread, which would go on after a cancellation
            answered.append(kept)
        await asyncio.sleep(0)
        return tuple(answered)

    @staticmethod
    def key(ask: Ask, epoch: int) -> str:
        """The key of an ask, as the real caller makes it."""
        return Prepared(ask, ask.model.id, ask.model.api_base, {}, (), False).key(epoch)

    def emit(self, event: Event) -> None:
        self.events.append(event)
        if self.on_event is not None:
            self.on_event(event)

    @staticmethod
    def call(said: Said, ask: Ask = ANY_ASK, key: str = "key", run_id: str = "run", epoch: int = 0) -> Call:
        """The call a script's answer makes."""
        failed = said.error is not None
        return Call(
            key=key,
            model=ask.model.id,
            endpoint=ask.model.api_base,
            messages=ask.messages,
            parameters={} if said.temperature is None else {"temperature": said.temperature},
            dropped=(),
            epoch=epoch,
            sample=ask.sample,
            template=ask.template.name,
            template_version=ask.template.version,
            template_sha256=ask.template.sha256,
            state=CallState.FAILED if failed else CallState.DONE,
            reasoning=said.reasoning,
            reply=said.reply.replace("{tag}", ask.tag),
            finish_reason="" if failed else said.finish_reason,
            error_kind=said.error,
            error="it took too long" if failed else "",
            tokens_in=None,
            tokens_out=None,
            cost_usd=None,
            latency_s=None,
            attempts=1,
            constrained=said.constrained,
            run_id=run_id,
            created_at=now(),
        )


def start(ws: Workspace, kind: RunKind, request: Any) -> Run:
    """A stored run of the request, not begun."""
    title, spec, total = JOBS[kind].pin(ws, request)
    return runs.create(ws, kind, title, spec, total)


async def conduct(model: Scripted, run: Run) -> None:
    """Run a run to its end."""

    async def progress(done: int, total: int) -> None:
        model.progress.append((done, total))

    async def ask(asks: Sequence[Ask]) -> tuple[Call, ...]:
        return await model.ask(run, asks)

    context = RunContext(run.id, run.spec, ask, model.emit, progress, model.ws.secret)
    job: Callable[[RunContext, Workspace], Awaitable[None]] = JOBS[run.kind].run
    await job(context, model.ws)


def add_question(
    ws: Workspace,
    question_id: str = QUESTION,
    *,
    title: str = "A count",
    body: str = "How many are there?",
    site: str = "math.stackexchange.com",
) -> str:
    """Put one question into the workspace."""
    new = intake.NewQuestion(question_id, title, body, TextFormat.MARKDOWN, source="tests", site=site)
    ws.write(lambda db: intake.put(db, [new]))
    return question_id


def add_candidates(ws: Workspace, *answers: str, question_id: str = QUESTION) -> tuple[str, ...]:
    """Put candidates into the workspace; their ids."""
    origin = Origin(AuthorKind.PERSON, person="tester")
    return candidates.add(ws, [NewCandidate(question_id, text, TextFormat.MARKDOWN, origin) for text in answers])


def add_neighbours(ws: Workspace, pairs: Mapping[str, str], question_id: str = QUESTION) -> tuple[str, ...]:
    """Put neighbours (statement to answer) into the workspace; their ids."""
    around = [Neighbour(neighbour_id(text, answer), text, answer, "tests") for text, answer in pairs.items()]
    neighbours.add(ws, question_id, around)
    return tuple(one.id for one in around)


def add_stub(ws: Workspace, question_id: str, candidate_id: str) -> None:
    """Make a candidate, and if need be its question, known as an imported verdict does: without their texts."""
    blank = dict.fromkeys(("site", "source_url", "source_author", "licence", "dataset_version"), "")
    record = {**blank, "question_id": question_id, "question_title": "Only a title", "candidate_id": candidate_id}
    ws.write(lambda db: stubs.ensure(db, [record]))
