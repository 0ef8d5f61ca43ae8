"""Runs that have candidates scored by a judge template, several times each.

All samples of a candidate are asked for in one round, and those whose reply holds no score once more in a second; so a
run that is resumed asks the same again and finds it remembered. A sample without a score stays without one.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from prompts.loader import Output, Template, ending_name, retry_name
from store import scores
from store.identity import now
from store.judge_rows import Score
from store.run_rows import Call, Message
from store.workspace import Workspace
from uq_tui.analysis.scale import Scale
from uq_tui.engine.judging import judges
from uq_tui.engine.judging.conversations import Conversation, converse
from uq_tui.engine.protocol import ScoreRead
from uq_tui.engine.requests import JudgeRequest
from uq_tui.engine.runs.draws import warn_at_zero
from uq_tui.engine.runs.inputs import Judged, judging_epoch, load_inputs, pin_inputs
from uq_tui.engine.runs.pins import pin_common, pinned_model, pinned_template, template_ref
from uq_tui.engine.runs.replies import CUT, failure, said
from uq_tui.engine.runs.together import all_of
from uq_tui.engine.spec import Ask, RunContext
from uq_tui.errors import UqError
from uq_tui.text import counted
from uq_tui.words import CallState, DecisionForm, Reading


def pin(ws: Workspace, request: JudgeRequest) -> tuple[str, dict[str, Any], int]:
    """Title, spec and number of units (samples) of a judge run.

    Raises:
        NotFoundError: a candidate or the judge is unknown.
        TemplateError: a prompt is malformed.
        UqError: no candidate is named, the text of one or of its question is not in the workspace, or `samples` is
            below 1 or above `judges.MOST_SAMPLES`.
    """
    judge = judges.find(request.judge)
    if not 1 <= request.samples <= judges.MOST_SAMPLES:
        raise UqError(
            f"{request.samples:,} samples were asked for.",
            hint=f"Ask for 1 to {judges.MOST_SAMPLES:,} of each candidate.",
        )
    inputs = pin_inputs(ws, request.candidate_ids)
    number = len(inputs["inputs"])
    epoch = judging_epoch(ws, inputs["inputs"], fresh=request.fresh)
    common = pin_common(request.model, judge.prompts(request.form), epoch)
    spec = {
        **common,
        **inputs,
        "judge": {
            "name": judge.name,
            "title": judge.title,
            "template": judge.template,
            "output": judge.output.value,
            "lowest": judge.scale.lowest,
            "highest": judge.scale.highest,
            "prompt_sha256": common["templates"][judge.template]["sha256"],
        },
        "samples": request.samples,
        "form": request.form.value,
    }
    return f"{judge.title}: {counted(number, 'candidate')} by {request.model.id}", spec, number * request.samples


@dataclass(frozen=True, slots=True)
class _Judge:
    """The judge as the run has pinned it."""

    name: str
    output: Output
    scale: Scale
    template: Template
    ending: Template
    retry: Template


@dataclass(frozen=True, slots=True)
class _Sample:
    """One sample after a round. `score` is `None` where none was read, and `reason` says why."""

    number: int
    conversation: Conversation
    call: Call
    score: float | None
    reason: str

    @property
    def state(self) -> Reading:
        if self.call.state is CallState.FAILED:
            return Reading.FAILED
        return Reading.UNPARSED if self.score is None else Reading.READ


async def run(ctx: RunContext, ws: Workspace) -> None:
    """Have the pinned candidates scored side by side. Scores are stored before they are told.

    Raises:
        NotFoundError, UqError: an input is gone, or is no longer what was pinned.
        StoreError: the workspace cannot be read or written.
    """
    judge = _pinned(ctx.spec)
    inputs = await asyncio.to_thread(load_inputs, ws, ctx.spec)
    samples = ctx.spec["samples"]
    if samples > 1:
        warn_at_zero(ctx, f"{samples:,} scores of each candidate")
    done = 0

    async def settled(candidate_id: str, found: Sequence[_Sample]) -> None:
        nonlocal done
        rows = [_row(ctx.run_id, candidate_id, judge.name, sample) for sample in found]
        await asyncio.to_thread(scores.save, ws, rows)
        for row in rows:
            ctx.emit(ScoreRead(ctx.run_id, candidate_id, row.sample, row.score, row.state))
        done += len(rows)
        await ctx.progress(done, len(inputs) * samples)

    async def one(judged: Judged) -> None:
        candidate_id = judged.candidate_id
        asking = _Asking(ctx, judge, candidate_id)
        first = await asking.first({"question": judged.question, "candidate": judged.answer}, samples)
        unread = [sample for sample in first if sample.state is Reading.UNPARSED]
        if len(unread) < len(first):
            await settled(candidate_id, [sample for sample in first if sample.state is not Reading.UNPARSED])
        if unread:
            await settled(candidate_id, await asking.again(unread))

    await all_of([one(judged) for judged in inputs])


class _Asking:
    """Asks the judge about one candidate. Both methods raise what asking raises."""

    def __init__(self, ctx: RunContext, judge: _Judge, candidate_id: str) -> None:
        self._ctx = ctx
        self._judge = judge
        self._candidate_id = candidate_id

    async def first(self, values: Mapping[str, str], samples: int) -> list[_Sample]:
        """All samples."""
        conversation = self._converse((), self._judge.template, values)
        return await self._round(self._judge.template, [(number, conversation) for number in range(samples)])

    async def again(self, unread: Sequence[_Sample]) -> list[_Sample]:
        """These samples once more, each in its own conversation."""
        retry = self._judge.retry
        asked = [
            (one.number, self._converse((*one.conversation.messages, said(one.call)), retry, {})) for one in unread
        ]
        return [
            _Sample(one.number, one.conversation, one.call, one.score, f"{one.reason}, asked twice")
            if one.state is Reading.UNPARSED
            else one
            for one in await self._round(retry, asked)
        ]

    async def _round(self, template: Template, asked: Sequence[tuple[int, Conversation]]) -> list[_Sample]:
        calls = await self._ctx.ask([self._ask(template, number, conversation) for number, conversation in asked])
        return [
            _read(self._judge.output, number, conversation, call)
            for (number, conversation), call in zip(asked, calls, strict=True)
        ]

    def _converse(self, history: Sequence[Message], template: Template, values: Mapping[str, str]) -> Conversation:
        scale = None if self._judge.output is Output.DECISION else self._judge.scale
        return converse(self._ctx.secret, history, template, values, self._judge.ending, scale)

    def _ask(self, template: Template, number: int, conversation: Conversation) -> Ask:
        return Ask(
            model=pinned_model(self._ctx.spec),
            messages=conversation.messages,
            template=template_ref(template),
            candidate_id=self._candidate_id,
            path=str(number),
            sample=number,
            form=conversation.form,
            tag=conversation.tag,
            scale=conversation.scale,
        )


def _read(output: Output, number: int, conversation: Conversation, call: Call) -> _Sample:
    """What a call brought. A reply that was cut gives no score: `Score: 1` may be the beginning of a 10."""
    if call.state is CallState.FAILED:
        return _Sample(number, conversation, call, None, failure(call))
    if call.cut_off:
        return _Sample(number, conversation, call, None, CUT)
    found = judges.read(output, conversation, call.reply)
    return _Sample(number, conversation, call, found.value, found.reason)


def _row(run_id: str, candidate_id: str, judge: str, sample: _Sample) -> Score:
    return Score(
        run_id=run_id,
        candidate_id=candidate_id,
        sample=sample.number,
        judge=judge,
        score=sample.score,
        state=sample.state,
        reason=sample.reason,
        call_key=sample.call.key,
        created_at=now(),
    )


def _pinned(spec: Mapping[str, Any]) -> _Judge:
    judge = spec["judge"]
    output = Output(judge["output"])
    return _Judge(
        name=judge["name"],
        output=output,
        scale=Scale(judge["lowest"], judge["highest"]),
        template=pinned_template(spec, judge["template"]),
        ending=pinned_template(spec, ending_name(output, DecisionForm(spec["form"]))),
        retry=pinned_template(spec, retry_name(output)),
    )
