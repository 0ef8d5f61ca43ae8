"""Runs that have neighbours made: a model proposes, solvers answer, and what they agree on is kept.

The way of RealMath targets (arXiv 2602.06291v1, the generated part of its dataset): one call asks for five problems
around the question, without answers; then every solver is asked each of them several times, as the control arm of a
utility run asks. Where all agree (`neighbours_agreement`), the problem becomes a neighbour with that answer. It is
provisional: what several models believe, and nobody has proven.

The solvers' samples are not those of a later control arm: a problem is kept because they came out well, so they would
show it to be easier than it is.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from sqlalchemy import Connection

from prompts.loader import Output, Template, render
from store import neighbours, proposals, questions
from store.identity import neighbour_id, now
from store.rows import Neighbour
from store.run_rows import Attempt, Call, Message, Proposal
from store.workspace import Workspace
from uq_tui.analysis.neighbour_advice import Posed, advice
from uq_tui.engine.judging.conversations import Conversation, converse
from uq_tui.engine.protocol import AttemptRead, NeighbourProposed, ProposalDecided
from uq_tui.engine.requests import ModelChoice, NeighboursRequest
from uq_tui.engine.runs.draws import warn_at_zero
from uq_tui.engine.runs.neighbours_agreement import Agreement, agreement, read_attempt
from uq_tui.engine.runs.neighbours_reading import WANTED, Problem, ReadProblems, read_problems
from uq_tui.engine.runs.pins import (
    epoch_for,
    load_question,
    pin_common,
    pin_model,
    pin_question,
    pinned_model,
    pinned_template,
    template_ref,
)
from uq_tui.engine.runs.replies import CUT, failure, said
from uq_tui.engine.runs.solver_sampling import usual_sampling
from uq_tui.engine.runs.together import all_of
from uq_tui.engine.spec import Ask, RunContext
from uq_tui.engine.verification.verifier import Verifier
from uq_tui.errors import UqError
from uq_tui.text import counted
from uq_tui.words import CallState, NeighbourUse, ProposalState, RunKind

TEMPLATE, RETRY, CONTROL = "neighbours.propose", "retry.neighbours", "cbu.control"
MOST_SAMPLES = 64
"""Times a solver may be asked for one problem."""
FEWEST_SOLVERS = 2
FIRST_SAMPLE = 1_000_000
"""Sample index of a solver's first call for a problem: out of reach of any utility run's rollouts."""


def pin(ws: Workspace, request: NeighboursRequest) -> tuple[str, dict[str, Any], int]:
    """Title, spec and number of units (proposals) of a run.

    The model that proposes may be among the solvers.

    Raises:
        NotFoundError: the question is unknown.
        TemplateError: a prompt is malformed.
        UqError: there are fewer than two solvers, one is named twice, `samples` is below 1 or above `MOST_SAMPLES`, or
            the question's text is not in the workspace.
    """
    question = questions.get(ws, request.question_id)
    _require_solvers([solver.id for solver in request.solvers])
    if not 1 <= request.samples <= MOST_SAMPLES:
        raise UqError(
            f"{request.samples:,} answers of each solver were asked for.",
            hint=f"Ask for 1 to {MOST_SAMPLES:,} to each problem.",
        )
    ids = [request.question_id]
    models = dict.fromkeys((request.model, *request.solvers))
    spec = {
        **pin_common(
            request.model,
            [TEMPLATE, RETRY, CONTROL],
            epoch_for(ws, RunKind.NEIGHBOURS, ids, fresh=request.fresh),
        ),
        "models": [pin_model(model) for model in models],
        "usual_sampling": usual_sampling(request.solvers),
        "inputs": ids,
        "question_id": request.question_id,
        "question": pin_question(question),
        "solvers": [pin_model(solver) for solver in request.solvers],
        "samples": request.samples,
    }
    solvers = ", ".join(solver.id for solver in request.solvers)
    return f"Neighbours by {request.model.id}, answered by {solvers}", spec, WANTED


def _require_solvers(ids: Sequence[str]) -> None:
    if len(set(ids)) < FEWEST_SOLVERS:
        raise UqError(
            f"{counted(len(set(ids)), 'solver')} can't agree with another.",
            hint="Name two or more different models that solve what is proposed.",
        )
    if len(set(ids)) < len(ids):
        twice = next(one for one in ids if ids.count(one) > 1)
        raise UqError(f"The solver {twice} is named twice.", hint="Ask it more often by raising the samples.")


@dataclass(frozen=True, slots=True)
class _Plan:
    """All that is pinned, with its texts."""

    question_id: str
    question: str
    model: ModelChoice
    solvers: tuple[ModelChoice, ...]
    samples: int
    control: Template


async def run(ctx: RunContext, ws: Workspace) -> None:
    """Have problems proposed, and answered side by side; each is decided when its answers are there.

    What a solver answers is stored as it comes, so that a reader sees how a proposal fares.

    Running it again leaves what was agreed on as it is, also when it was set aside since, and asks what failed.

    Raises:
        NotFoundError, UqError: the question is gone, or is no longer what was pinned; or no problems could be had from
            the model, asked twice, and then none is stored.
        StoreError: the workspace cannot be read or written.
    """
    plan = await asyncio.to_thread(_plan, ctx.spec, ws)
    if plan.samples > 1:
        for solver in plan.solvers:
            warn_at_zero(ctx, f"{plan.samples:,} answers to each problem", solver)
    problems = await _propose(ctx, plan)
    proposed = await asyncio.to_thread(_begin, ws, ctx.run_id, plan.question_id, problems)
    for one in proposed:
        ctx.emit(NeighbourProposed(ctx.run_id, one.question_id, one.number))
    turn = asyncio.Lock()
    done = 0

    async def settle(proposal: Proposal, verifier: Verifier) -> None:
        nonlocal done
        if proposal.state is not ProposalState.AGREED:
            attempts = await _attempts(ctx, ws, plan, proposal)
            found = await agreement(attempts, partial(_equal, verifier))
            async with turn:  # the next one is compared with the neighbour that this one becomes
                proposal = await asyncio.to_thread(_decide, ws, plan, proposal, found)
        ctx.emit(ProposalDecided(ctx.run_id, proposal.question_id, proposal.number, proposal.state))
        done += 1
        await ctx.progress(done, WANTED)

    async with Verifier() as verifier:
        await all_of([settle(one, verifier) for one in proposed])


def _plan(spec: Mapping[str, Any], ws: Workspace) -> _Plan:
    return _Plan(
        question_id=spec["question_id"],
        question=load_question(ws, spec["question"]),
        model=pinned_model(spec),
        solvers=tuple(ModelChoice(one["id"], one["api_base"]) for one in spec["solvers"]),
        samples=spec["samples"],
        control=pinned_template(spec, CONTROL),
    )


async def _propose(ctx: RunContext, plan: _Plan) -> tuple[Problem, ...]:
    """The proposed problems. A reply that can't be read is asked for again once, in the same conversation."""
    template = pinned_template(ctx.spec, TEMPLATE)
    conversation = converse(ctx.secret, (), template, {"question": plan.question})
    call = await _ask_for_problems(ctx, plan.model, template, conversation)
    read = _read(call, conversation)
    twice = ""
    if call.state is CallState.DONE and read.trouble:
        template = pinned_template(ctx.spec, RETRY)
        conversation = converse(ctx.secret, (*conversation.messages, said(call)), template, {})
        call = await _ask_for_problems(ctx, plan.model, template, conversation)
        read = _read(call, conversation)
        twice = ", asked twice"
    if call.state is CallState.FAILED:
        raise UqError(f"No problems were proposed: {failure(call)}.", hint="Resume the run to ask again.")
    if read.trouble:
        raise UqError(
            f"The problems that {plan.model.id} proposed can't be read: {read.trouble}{twice}.",
            hint="Have them proposed afresh, or by another model.",
        )
    return read.problems


async def _ask_for_problems(
    ctx: RunContext, model: ModelChoice, template: Template, conversation: Conversation
) -> Call:
    ask = Ask(
        model=model,
        messages=conversation.messages,
        template=template_ref(template),
        form=conversation.form,
        tag=conversation.tag,
    )
    (call,) = await ctx.ask([ask])
    return call


def _read(call: Call, conversation: Conversation) -> ReadProblems:
    """What a reply proposes. One that was cut proposes nothing: whatever object is in it may have been a draft."""
    read = read_problems(call.reply, conversation.tag)
    if not call.cut_off:
        return read
    return ReadProblems(trouble=f"{read.trouble}, {CUT}" if read.trouble else CUT)


def _begin(ws: Workspace, run_id: str, question_id: str, problems: Sequence[Problem]) -> tuple[Proposal, ...]:
    """The run's proposals as they are stored, and stored now where they weren't."""
    stored = {one.number for one in proposals.of_run(ws, run_id)}
    new = [
        Proposal(run_id, number, question_id, one.statement, one.skill, ProposalState.ASKED, created_at=now())
        for number, one in enumerate(problems, start=1)
        if number not in stored
    ]
    proposals.save(ws, new)
    return proposals.of_run(ws, run_id)


async def _attempts(ctx: RunContext, ws: Workspace, plan: _Plan, proposal: Proposal) -> list[Attempt]:
    """All solvers' attempts at a proposal, each stored as its call ends."""
    message = Message("user", render(plan.control, {"neighbour": proposal.statement}))

    def store(solver: ModelChoice, sample: int, call: Call) -> Attempt:
        attempt = Attempt(ctx.run_id, proposal.number, solver.id, sample, *read_attempt(call), call.key)
        proposals.save_attempts(ws, [attempt])
        return attempt

    async def attempt(number: int, solver: ModelChoice, sample: int) -> Attempt:
        ask = Ask(
            model=solver,
            messages=(message,),
            template=template_ref(plan.control),
            path=f"{proposal.number}/{number}/{sample}",
            sample=FIRST_SAMPLE + sample,
            form=Output(plan.control.output.value),
        )
        (call,) = await ctx.ask([ask])
        found = await asyncio.to_thread(store, solver, sample, call)  # a reply may be long
        ctx.emit(AttemptRead(ctx.run_id, proposal.question_id, proposal.number))
        return found

    solvers = enumerate(plan.solvers)
    return await all_of(
        [attempt(number, solver, sample) for number, solver in solvers for sample in range(plan.samples)]
    )


async def _equal(verifier: Verifier, expected: str, answer: str) -> bool | None:
    return (await verifier.equal(expected, answer)).value


def _decide(ws: Workspace, plan: _Plan, proposal: Proposal, found: Agreement) -> Proposal:
    """Store what became of the proposal, in one write with its neighbour where there is one.

    A neighbour that repeats the question or another, or gives its answer away, is set aside at once.
    """
    decided = replace(proposal, state=found.state, answer=found.answer, reason=found.reason)
    if found.state is not ProposalState.AGREED:
        proposals.save(ws, [decided])
        return decided
    key = neighbour_id(proposal.statement, found.answer)
    others = [
        Posed(one.statement, one.answer, f"N{one.number}")
        for one in neighbours.of_question(ws, proposal.question_id)
        if one.use is NeighbourUse.IN_USE or one.id == key
    ]
    about = advice(plan.question, Posed(proposal.statement, found.answer), others=others, generated=True)
    reason = " ".join(one.text for one in about if one.severe)
    use = NeighbourUse.SET_ASIDE if reason else NeighbourUse.IN_USE
    new = Neighbour(key, proposal.statement, found.answer, proposal.run_id, use, reason)
    decided = replace(decided, reason=reason, neighbour_id=key)

    def write(db: Connection) -> None:
        neighbours.put(db, proposal.question_id, [new])
        proposals.put(db, [decided])

    ws.write(write)
    return decided
