"""One candidate on its way through a strategy."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from prompts.loader import Template
from store import judgements
from store.identity import now
from store.rows import Call, Message, StageOutcome
from store.workspace import Workspace
from uq_tui.analysis.votes import Tally, decided, fewest_to_decide, pipeline, tally
from uq_tui.engine.conversations import Conversation, converse
from uq_tui.engine.decision import decision_in
from uq_tui.engine.draws import draws_of, note
from uq_tui.engine.pins import CUT_OFF, template_ref
from uq_tui.engine.protocol import ModelChoice, OutcomeDecided, StageStarted
from uq_tui.engine.spec import Ask, RunContext
from uq_tui.engine.strategy import Check, Once, Reflect, Sample, Stage, Strategy
from uq_tui.words import CallState, Outcome

EMPTY_REPLY = "(empty reply)"
"""Stands for an empty reply in a conversation that goes on; some servers refuse empty messages."""

_REASON_LENGTH = 200


@dataclass(frozen=True, slots=True)
class Judge:
    """What is the same for all candidates of a run."""

    ctx: RunContext
    ws: Workspace
    model: ModelChoice
    strategy: Strategy
    templates: Mapping[str, Template]
    exact: bool


@dataclass(frozen=True, slots=True)
class Judged:
    """A candidate with the texts that prompts show."""

    candidate_id: str
    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class _Slot:
    """One judgement to be asked for."""

    path: str
    sample: int


@dataclass(frozen=True, slots=True)
class _Vote:
    """One judgement. `history` is the conversation with the judge's reply; empty when there was none to go on with."""

    outcome: Outcome
    reason: str = ""
    call_key: str = ""
    history: tuple[Message, ...] = ()
    calls: tuple[Call, ...] = ()
    """All that were made for it, in their order."""


class Judging:
    """The progress of one candidate. Every outcome is stored before it is told; every node of the strategy gets one."""

    def __init__(self, judge: Judge, judged: Judged) -> None:
        self._judge = judge
        self._judged = judged
        self._round = 0
        self._repeated: list[str] = []
        """Stages of which samples came out equal."""

    async def whole(self) -> None:
        """Go through all stages. Raises StoreError and what asking raises."""
        self._started("")
        outcomes: list[tuple[str, Outcome]] = []
        for stage in self._judge.strategy.root.stages:
            rejected = any(outcome is Outcome.REJECT for _, outcome in outcomes)
            if rejected and not self._judge.exact:
                await self._skip((stage.name, *stage.vote_paths), "an earlier stage rejected")
                outcomes.append((stage.name, Outcome.SKIPPED))
            else:
                outcomes.append((stage.name, await self._stage(stage)))
        vote = _vote_of(pipeline(outcomes))
        if self._repeated:
            vote = replace(vote, reason=f"{vote.reason}; equal samples in {', '.join(self._repeated)}")
        await self._decided({"": vote})

    async def _stage(self, stage: Stage) -> Outcome:
        self._started(stage.name)
        match stage.node:
            case Once(check):
                (vote,) = await self._check(check, [_Slot(stage.name, 0)])
            case Reflect():
                vote = _vote_of(await self._turns(stage, stage.node))
            case Sample():
                vote = await self._samples(stage, stage.node)
        await self._decided({stage.name: vote})
        return vote.outcome

    async def _turns(self, stage: Stage, node: Reflect) -> Tally:
        """Turns one after the other. A turn whose call failed ends them: there is nothing to look at again."""
        votes: list[_Vote] = []
        for path in stage.vote_paths:
            if votes and votes[-1].outcome is Outcome.FAILED:
                await self._skip(stage.vote_paths[len(votes) :], "the turn before failed")
                break
            if not self._judge.exact and decided(node.vote, _outcomes(votes), node.turns) is not None:
                await self._skip(stage.vote_paths[len(votes) :], "decided by the turns before")
                break
            self._started(path)
            if votes:
                template = self._judge.templates["reflect"]
                conversation = self._converse(template, {}, votes[-1].history)
                (vote,) = await self._judgements([(_Slot(path, 0), template, conversation)])
            else:
                (vote,) = await self._check(node.check, [_Slot(path, 0)])
            votes.append(vote)
            await self._decided({path: vote})
        return tally(node.vote, _outcomes(votes), node.turns)

    async def _samples(self, stage: Stage, node: Sample) -> _Vote:
        """Samples in waves, each as small as can decide. Equal ones all count, and the reason says that they are."""
        votes: list[_Vote] = []
        paths = stage.vote_paths
        while len(votes) < node.n:
            wave = node.n if self._judge.exact else fewest_to_decide(node.vote, _outcomes(votes), node.n)
            if wave == 0:
                await self._skip(paths[len(votes) :], "decided by the samples before")
                break
            slots = [_Slot(path, sample) for sample, path in enumerate(paths)][len(votes) : len(votes) + wave]
            for slot in slots:
                self._started(slot.path)
            new = await self._check(node.check, slots)
            votes += new
            await self._decided({slot.path: vote for slot, vote in zip(slots, new, strict=True)})
        vote = _vote_of(tally(node.vote, _outcomes(votes), node.n))
        equal = note(draws_of([one.calls for one in votes]))
        if not equal:
            return vote
        self._repeated.append(stage.name)
        return replace(vote, reason=f"{vote.reason}; {equal}")

    async def _check(self, check: Check, slots: Sequence[_Slot]) -> list[_Vote]:
        """The check from its beginning, once a slot."""
        values = {"question": self._judged.question, "candidate": self._judged.answer}
        template = self._judge.templates[check.templates[-1]]
        if check is not Check.CYCLE_CONSISTENCY:
            conversation = self._converse(template, values)
            return await self._judgements([(slot, template, conversation) for slot in slots])
        inferences = await self._infer(slots)
        compared = [
            (slot, template, self._converse(template, {**values, "inferred": call.reply.strip()}))
            for slot, (call, problem) in zip(slots, inferences, strict=True)
            if problem is None
        ]
        votes = iter(await self._judgements(compared) if compared else ())
        return [problem or _after(call, next(votes)) for call, problem in inferences]

    async def _infer(self, slots: Sequence[_Slot]) -> list[tuple[Call, _Vote | None]]:
        """The question inferred from the answer alone, once a slot; with a vote where none was inferred."""
        template = self._judge.templates[Check.CYCLE_CONSISTENCY.templates[0]]
        conversation = self._converse(template, {"candidate": self._judged.answer})
        calls = await self._ask([self._ask_for(slot, template, conversation) for slot in slots])
        return [(call, _inference_problem(call)) for call in calls]

    async def _judgements(self, asked: Sequence[tuple[_Slot, Template, Conversation]]) -> list[_Vote]:
        """A decision each; what can't be read is asked again once, in the same conversation."""
        calls = await self._ask([self._ask_for(*one) for one in asked])
        votes = [_read(conversation, call) for (_, _, conversation), call in zip(asked, calls, strict=True)]
        unread = [number for number, vote in enumerate(votes) if vote.outcome is Outcome.UNPARSED]
        if not unread:
            return votes
        template = self._judge.templates["retry.decision"]
        again = [self._converse(template, {}, votes[number].history) for number in unread]
        calls = await self._ask(
            [self._ask_for(asked[number][0], template, one) for number, one in zip(unread, again, strict=True)]
        )
        for number, conversation, call in zip(unread, again, calls, strict=True):
            vote = _read(conversation, call)
            vote = replace(vote, calls=(*votes[number].calls, *vote.calls))
            if vote.outcome is Outcome.UNPARSED:
                vote = replace(vote, reason=f"{vote.reason}, asked twice")
            votes[number] = vote
        return votes

    def _converse(self, template: Template, values: Mapping[str, str], history: Sequence[Message] = ()) -> Conversation:
        ending = self._judge.templates.get("ending.decision")  # runs of earlier versions have none
        return converse(self._judge.ctx.secret, history, template, values, ending)

    def _ask_for(self, slot: _Slot, template: Template, conversation: Conversation) -> Ask:
        return Ask(
            model=self._judge.model,
            messages=conversation.messages,
            template=template_ref(template),
            candidate_id=self._judged.candidate_id,
            path=slot.path,
            sample=slot.sample,
            form=conversation.form,
            tag=conversation.tag,
        )

    async def _ask(self, asks: Sequence[Ask]) -> tuple[Call, ...]:
        self._round += 1
        return await self._judge.ctx.ask(asks)

    def _started(self, path: str) -> None:
        self._judge.ctx.emit(StageStarted(self._judge.ctx.run_id, self._judged.candidate_id, path))

    async def _skip(self, paths: Iterable[str], reason: str) -> None:
        await self._decided({path: _Vote(Outcome.SKIPPED, reason) for path in paths})

    async def _decided(self, votes: Mapping[str, _Vote]) -> None:
        run_id, candidate_id = self._judge.ctx.run_id, self._judged.candidate_id
        rows = [
            StageOutcome(run_id, candidate_id, path, vote.outcome, vote.reason, vote.call_key, self._round, now())
            for path, vote in votes.items()
        ]
        await asyncio.to_thread(judgements.save_outcomes, self._judge.ws, rows)
        for row in rows:
            self._judge.ctx.emit(OutcomeDecided(run_id, candidate_id, row.path, row.outcome, row.reason, row.call_key))


def _read(conversation: Conversation, call: Call) -> _Vote:
    """The vote in a call's reply. Reasoning never enters the conversation, only the reply does."""
    if call.state is CallState.FAILED:
        return _failed(call)
    decision = decision_in(conversation, call.reply)
    reasons = [decision.reason, "the reply was cut at the length limit" if call.finish_reason == CUT_OFF else ""]
    said = Message("assistant", call.reply if call.reply.strip() else EMPTY_REPLY)
    return _Vote(decision.outcome, ", ".join(filter(None, reasons)), call.key, (*conversation.messages, said), (call,))


def _after(first: Call, vote: _Vote) -> _Vote:
    """The vote as it came about: by a call before those that it was read from."""
    return replace(vote, calls=(first, *vote.calls))


def _failed(call: Call) -> _Vote:
    kind = call.error_kind.value.replace("_", " ") if call.error_kind is not None else "unknown"
    return _Vote(Outcome.FAILED, f"call failed ({kind}): {call.error}"[:_REASON_LENGTH], call.key, calls=(call,))


def _inference_problem(call: Call) -> _Vote | None:
    if call.state is CallState.FAILED:
        return _failed(call)
    if not call.reply.strip():
        return _Vote(Outcome.UNPARSED, "no question was inferred from the answer", call.key, calls=(call,))
    return None


def _vote_of(result: Tally) -> _Vote:
    return _Vote(result.outcome, result.reason)


def _outcomes(votes: Sequence[_Vote]) -> list[Outcome]:
    return [vote.outcome for vote in votes]
