"""One judgement: a check asked of one judge, and its decision read from the reply."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from prompts.loader import Output, Template, ending_name
from store.run_rows import Call, Message
from uq_tui.engine.judging.conversations import Conversation, converse
from uq_tui.engine.judging.decision import Decision, decision_in
from uq_tui.engine.judging.seats import Seat
from uq_tui.engine.runs.inputs import Judged
from uq_tui.engine.runs.pins import template_ref
from uq_tui.engine.runs.replies import CUT, EMPTY_REPLY, failure, said
from uq_tui.engine.spec import Ask, RunContext
from uq_tui.strategies.tree import CheckKind
from uq_tui.words import CallState, DecisionForm, Outcome


@dataclass(frozen=True, slots=True)
class Prompts:
    """The templates of a run by name, and the form in which they ask for decisions."""

    templates: Mapping[str, Template]
    form: DecisionForm

    @property
    def ending(self) -> Template | None:
        """How a judge is told to end; `None` in runs of uq-tui 0.1.0, whose templates say it themselves."""
        return self.templates.get(ending_name(Output.DECISION, self.form))


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one judgement came to."""

    outcome: Outcome
    reason: str
    calls: tuple[Call, ...]
    """All that were made for it, one after the other; the last is the one that was read."""
    conversation: tuple[Message, ...] = field(default=(), repr=False)
    """All that was said, the judge's last reply included. Empty when there is nothing to go on from."""

    @property
    def words(self) -> str:
        """What the judge wrote, without reasoning; empty when it wrote nothing."""
        texts = [message.content.strip() for message in self.conversation if message.role == "assistant"]
        return "\n\n".join(text for text in texts if text != EMPTY_REPLY)


class Asking:
    """Asks judges about one candidate. Every method raises what asking raises."""

    def __init__(self, ctx: RunContext, prompts: Prompts, judged: Judged) -> None:
        self._ctx = ctx
        self._prompts = prompts
        self._judged = judged

    async def check(self, kind: CheckKind, seat: Seat) -> Judgement:
        """The check from its beginning."""
        values = {"question": self._judged.question, "candidate": self._judged.answer}
        if kind is not CheckKind.CYCLE_CONSISTENCY:
            return await self._decision(seat, kind.templates[-1], values)
        inference = await self._inference(seat)
        if (problem := _inference_problem(inference)) is not None:
            return problem
        compared = await self._decision(seat, kind.templates[-1], {**values, "inferred": inference.reply.strip()})
        return replace(compared, calls=(inference, *compared.calls))

    async def look_again(self, before: Judgement, seat: Seat) -> Judgement:
        """The same judge's judgement after it was asked to look again. `before` has a conversation."""
        return await self._decision(seat, "reflect", {}, before.conversation)

    async def after_reading(self, others: str, before: Judgement, seat: Seat) -> Judgement:
        """The same judge's judgement after it was shown what others wrote. `before` has a conversation."""
        return await self._decision(seat, "debate", {"others": others}, before.conversation)

    async def _inference(self, seat: Seat) -> Call:
        """The question inferred from the answer alone."""
        template = self._prompts.templates[CheckKind.CYCLE_CONSISTENCY.templates[0]]
        return await self._ask(seat, template, self._converse(template, {"candidate": self._judged.answer}))

    async def _decision(
        self, seat: Seat, name: str, values: Mapping[str, str], history: Sequence[Message] = ()
    ) -> Judgement:
        """A decision; a reply that can't be read is asked for again once, in the same conversation."""
        first = await self._once(seat, name, values, history)
        if first.outcome is not Outcome.UNPARSED:
            return first
        again = await self._once(seat, "retry.decision", {}, first.conversation)
        twice = ", asked twice" if again.outcome is Outcome.UNPARSED else ""
        return replace(again, reason=again.reason + twice, calls=(*first.calls, *again.calls))

    async def _once(self, seat: Seat, name: str, values: Mapping[str, str], history: Sequence[Message]) -> Judgement:
        template = self._prompts.templates[name]
        conversation = self._converse(template, values, history)
        return _read(conversation, await self._ask(seat, template, conversation))

    def _converse(self, template: Template, values: Mapping[str, str], history: Sequence[Message] = ()) -> Conversation:
        return converse(self._ctx.secret, history, template, values, self._prompts.ending)

    async def _ask(self, seat: Seat, template: Template, conversation: Conversation) -> Call:
        (call,) = await self._ctx.ask(
            [
                Ask(
                    model=seat.model,
                    messages=conversation.messages,
                    template=template_ref(template),
                    candidate_id=self._judged.candidate_id,
                    path=seat.path,
                    sample=seat.sample,
                    form=conversation.form,
                    tag=conversation.tag,
                )
            ]
        )
        return call


def _read(conversation: Conversation, call: Call) -> Judgement:
    """The judgement in a call's reply. Reasoning never enters the conversation, only the reply does.

    A reply that was cut decides nothing: what looks like its last line may come from a copy of the instructions, which
    hold the line for accept before the one for reject.
    """
    if call.state is CallState.FAILED:
        return _failed(call)
    decision = decision_in(conversation, call.reply)
    if call.cut_off:
        decision = Decision(Outcome.UNPARSED, f"{decision.reason}, {CUT}" if decision.reason else CUT)
    return Judgement(decision.outcome, decision.reason, (call,), (*conversation.messages, said(call)))


def _failed(call: Call) -> Judgement:
    return Judgement(Outcome.FAILED, failure(call), (call,))


def _inference_problem(inference: Call) -> Judgement | None:
    """What a judgement comes to without an inferred question to compare; a cut one would lack what it is asked for."""
    if inference.state is CallState.FAILED:
        return _failed(inference)
    if not inference.reply.strip():
        return Judgement(Outcome.UNPARSED, "no question was inferred from the answer", (inference,))
    if inference.cut_off:
        return Judgement(Outcome.UNPARSED, f"no whole question was inferred from the answer, {CUT}", (inference,))
    return None
