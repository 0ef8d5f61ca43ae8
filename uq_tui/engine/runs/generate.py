"""Runs that ask a model for candidates."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from prompts.loader import Output, render
from store import candidates, questions, run_pins
from store.rows import NewCandidate, Origin
from store.run_rows import Call, Message
from store.workspace import Workspace
from uq_tui.engine.protocol import CandidateAdded, EngineProblem
from uq_tui.engine.requests import MOST_ANSWERS, GenerateRequest, ModelChoice
from uq_tui.engine.runs.draws import warn_at_zero
from uq_tui.engine.runs.pins import (
    load_question,
    pin_common,
    pin_question,
    pinned_model,
    pinned_template,
    template_ref,
)
from uq_tui.engine.runs.together import all_of
from uq_tui.engine.spec import Ask, RunContext
from uq_tui.errors import UqError
from uq_tui.text import counted
from uq_tui.words import AuthorKind, CallState, RunKind, TextFormat

TEMPLATE = "generate.answer"


def pin(ws: Workspace, request: GenerateRequest) -> tuple[str, dict[str, Any], int]:
    """Title, spec and number of units (answers) of a generation.

    A question's first sample index is the first that no earlier run of this model on it has taken, whether or not its
    calls brought an answer: so generating again always asks anew, and resuming never does.

    Raises:
        NotFoundError: a question is unknown.
        TemplateError: the prompt is malformed.
        UqError: no question is named, the text of one is not in the workspace, or `samples` is
            below 1 or above `MOST_ANSWERS`.
    """
    ids = list(dict.fromkeys(request.question_ids))
    if not ids:
        raise UqError("No question is named.", hint="Name one or more questions to answer.")
    if not 1 <= request.samples <= MOST_ANSWERS:
        raise UqError(f"{request.samples:,} answers were asked for.", hint=f"Ask for 1 to {MOST_ANSWERS:,}.")
    spec = {
        **pin_common(request.model, [TEMPLATE], epoch=0),
        "inputs": ids,
        "question_ids": ids,
        "questions": [pin_question(questions.get(ws, key)) for key in ids],
        "samples": request.samples,
        "first_sample": _free_samples(ws, request.model, ids),
    }
    total = len(ids) * request.samples
    what = counted(total, "answer")
    return f"{what} by {request.model.id}", spec, total


def _free_samples(ws: Workspace, model: ModelChoice, question_ids: Sequence[str]) -> dict[str, int]:
    free = dict.fromkeys(question_ids, 0)
    for spec in run_pins.about(ws, RunKind.GENERATE, question_ids, ["model", "first_sample", "samples"]):
        if pinned_model(spec) == model:
            for key in free.keys() & spec["first_sample"].keys():
                free[key] = max(free[key], spec["first_sample"][key] + spec["samples"])
    return free


@dataclass(frozen=True, slots=True)
class _Wanted:
    """One answer to be asked for."""

    question_id: str
    ask: Ask

    @property
    def prompt(self) -> str:
        return self.ask.messages[-1].content


async def run(ctx: RunContext, ws: Workspace) -> None:
    """Ask for all pinned answers side by side; each becomes a candidate as soon as it is complete.

    A reply without text is no candidate: it counts as not done, and is reported once at the end.

    Raises:
        NotFoundError, UqError: a question is gone, or is no longer what was pinned.
        StoreError: the workspace cannot be read or written.
    """
    wanted = await asyncio.to_thread(_wanted, ctx, ws)
    if ctx.spec["samples"] > 1:
        warn_at_zero(ctx, f"{ctx.spec['samples']:,} answers to each question")
    done = empty = 0

    async def one(answer: _Wanted) -> None:
        nonlocal done, empty
        (call,) = await ctx.ask([answer.ask])
        if call.state is CallState.FAILED:
            return
        if not call.reply.strip():
            empty += 1
            return
        new = _candidate(ctx.run_id, answer, call)
        (candidate_id,) = await asyncio.to_thread(candidates.add, ws, [new])
        ctx.emit(CandidateAdded(ctx.run_id, answer.question_id, candidate_id))
        done += 1
        await ctx.progress(done, len(wanted))

    await all_of([one(answer) for answer in wanted])
    if empty:
        ctx.emit(_empty_problem(ctx, empty, len(wanted)))


def _wanted(ctx: RunContext, ws: Workspace) -> list[_Wanted]:
    template, model = pinned_template(ctx.spec, TEMPLATE), pinned_model(ctx.spec)
    wanted = []
    for pinned in ctx.spec["questions"]:
        key = pinned["id"]
        message = Message("user", render(template, {"question": load_question(ws, pinned)}))
        first = ctx.spec["first_sample"][key]
        wanted += [
            _Wanted(
                key,
                Ask(
                    model=model,
                    messages=(message,),
                    template=template_ref(template),
                    path=f"{key}/{sample}",
                    sample=sample,
                    form=Output(template.output.value),
                ),
            )
            for sample in range(first, first + ctx.spec["samples"])
        ]
    return wanted


def _candidate(run_id: str, answer: _Wanted, call: Call) -> NewCandidate:
    return NewCandidate(
        question_id=answer.question_id,
        answer=call.reply.strip(),
        format=TextFormat.MARKDOWN,
        origin=Origin(
            kind=AuthorKind.MODEL, model=answer.ask.model.id, prompt=answer.prompt, source=run_id, call_key=call.key
        ),
        reasoning=call.reasoning,
        cut_off=call.cut_off,
    )


def _empty_problem(ctx: RunContext, empty: int, total: int) -> EngineProblem:
    model = pinned_model(ctx.spec).id
    return EngineProblem(
        ticket=ctx.run_id,
        title="Generate",
        message=f"{counted(empty, 'reply', 'replies', of=total)} by {model} held no answer.",
        hint="Such a model may have spent all its tokens on reasoning: raise max_tokens, then generate again.",
    )
