"""Runs that measure Consequence-Based Utility (arXiv 2602.06291v1, Section 3).

A solver attempts each neighbour T times with a candidate as worked example, and in control arms without one or with
another question's. Round t asks attempt t of every arm on every neighbour, so that all intervals narrow together. Where
the run may stop early, completed rounds decide which arms the next one asks.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from store import candidates, judgements, neighbours, questions
from store.rows import Neighbour
from store.run_rows import Call, Rollout
from store.workspace import Workspace
from uq_tui.analysis.allocation import DELTA, EPSILON
from uq_tui.engine.protocol import RolloutDecided, UtilityUpdated
from uq_tui.engine.requests import MOST_ROLLOUTS, CbuRequest
from uq_tui.engine.runs import cbu_arms, cbu_rows
from uq_tui.engine.runs.cbu_arms import CONTROL, FENCED, ROLLOUT, Arm, Plan
from uq_tui.engine.runs.cbu_rows import Record
from uq_tui.engine.runs.draws import warn_at_zero
from uq_tui.engine.runs.pins import epoch_for, pin_candidate, pin_common, pin_model, pin_question
from uq_tui.engine.runs.solver_sampling import usual_sampling
from uq_tui.engine.runs.together import all_of
from uq_tui.engine.spec import RunContext
from uq_tui.engine.verification import equivalence
from uq_tui.engine.verification.verifier import Verified, Verifier
from uq_tui.errors import UqError
from uq_tui.text import counted
from uq_tui.words import DecidedBy, RunKind


def pin(ws: Workspace, request: CbuRequest) -> tuple[str, dict[str, Any], int]:
    """Title, spec and highest number of units (rollouts) of a measurement.

    Raises:
        NotFoundError: the question or a candidate is unknown.
        ModelError: a model's address could carry a secret.
        TemplateError: a prompt is malformed.
        UqError: the question has no neighbours in use or no candidates, a candidate is another question's, or the
            placebo is not, a text is not in the workspace, or a number is out of its range.
    """
    question = questions.get(ws, request.question_id)
    _require_numbers(request)
    used = _used(ws, request.question_id)
    chosen = _chosen(ws, request)
    if request.adaptive and len(chosen) < 2:
        raise UqError(
            "A run that stops early compares candidates, and there is only one.",
            hint="Ask for a fixed number of rollouts, or add a candidate.",
        )
    models = [request.model, *([request.equivalence] if request.equivalence else [])]
    templates = [
        FENCED if request.fenced else ROLLOUT,
        *([CONTROL] if request.control else []),
        *(equivalence.PROMPTS if request.equivalence else ()),
    ]
    spec = {
        **pin_common(request.model, templates, epoch_for(ws, RunKind.CBU, [question.row.id], fresh=request.fresh)),
        "models": [pin_model(model) for model in models],
        "usual_sampling": usual_sampling([request.model]),
        "inputs": [request.question_id],
        "question_id": request.question_id,
        "question": pin_question(question),
        "candidates": chosen,
        "neighbour_ids": [neighbour.id for neighbour in used],
        "rollouts": request.rollouts,
        "control": request.control,
        "placebo": _placebo(ws, request),
        "fenced": request.fenced,
        "adaptive": {"epsilon": request.epsilon, "delta": request.delta} if request.adaptive else None,
        "equivalence": pin_model(request.equivalence) if request.equivalence else None,
    }
    arms = len(chosen) + request.control + bool(request.placebo_id)
    title = f"Utility of {counted(len(chosen), 'candidate')} by {request.model.id}"
    return title, spec, arms * len(used) * request.rollouts


def _require_numbers(request: CbuRequest) -> None:
    if not 1 <= request.rollouts <= MOST_ROLLOUTS:
        raise UqError(
            f"{request.rollouts:,} rollouts were asked for.", hint=f"Ask for 1 to {MOST_ROLLOUTS:,} on each neighbour."
        )
    if not (0.0 < request.epsilon < 1.0 and 0.0 < request.delta < 1.0):
        raise UqError(
            f"Candidates can't be compared within {request.epsilon:g} at an error of {request.delta:g}.",
            hint=f"Both lie between 0 and 1; {EPSILON:g} and {DELTA:g} are usual.",
        )


def _used(ws: Workspace, question_id: str) -> tuple[Neighbour, ...]:
    used = neighbours.in_use(ws, question_id)
    if used:
        return used
    if neighbours.of_question(ws, question_id):
        raise UqError(
            f"All neighbours of question {question_id} are set aside, and utility is measured on neighbours.",
            hint="Take one into use again, or add another, then start again.",
        )
    raise UqError(
        f"Question {question_id} has no neighbours, and utility is measured on neighbours.",
        hint="Write related questions or have some proposed (`uq-tui neighbours`, n on the workbench), or import some.",
    )


def _chosen(ws: Workspace, request: CbuRequest) -> list[dict[str, str]]:
    named = [candidates.get(ws, key) for key in dict.fromkeys(request.candidate_ids)]
    strangers = [one.id for one in named if one.question_id != request.question_id]
    if strangers:
        raise UqError(
            f"Candidate {strangers[0]} answers another question than {request.question_id}.",
            hint="Measure the candidates of one question at a time.",
        )
    chosen = named or [one for one in candidates.of_question(ws, request.question_id) if one.answer.sha256]
    if not chosen:
        raise UqError(
            f"Question {request.question_id} has no candidate whose text is here.",
            hint="Generate or import an answer first.",
        )
    return [pin_candidate(one) for one in chosen]


def _placebo(ws: Workspace, request: CbuRequest) -> dict[str, dict[str, str]] | None:
    """Another question's candidate with its question."""
    if not request.placebo_id:
        return None
    found = candidates.get(ws, request.placebo_id)
    if found.question_id == request.question_id:
        raise UqError(
            f"Candidate {found.id} answers the very question that is measured, so it is no placebo.",
            hint="Name a candidate to another question.",
        )
    return {"candidate": pin_candidate(found), "question": pin_question(questions.get(ws, found.question_id))}


@dataclass(frozen=True, slots=True)
class _Before:
    """What an earlier process has stored of the run: whole rounds, by their number."""

    rounds: Mapping[int, Mapping[tuple[str, str], Rollout]]

    @classmethod
    def read(cls, ws: Workspace, run_id: str) -> "_Before":
        rounds: dict[int, dict[tuple[str, str], Rollout]] = {}
        for one in judgements.rollouts_of_run(ws, run_id):
            rounds.setdefault(one.sample, {})[one.candidate_id, one.neighbour_id] = one
        return cls(rounds)

    @property
    def rollouts(self) -> list[Rollout]:
        return [one for kept in self.rounds.values() for one in kept.values()]


async def run(ctx: RunContext, ws: Workspace) -> None:
    """Do all pinned rollouts, round by round; rollouts and utilities are stored before they are told.

    Which arms a round asks was decided by the rounds before it, as they stood then. A round that is stored is asked of
    the same arms again, whatever became meanwhile of calls that had failed.

    Raises:
        NotFoundError, UqError: an input is gone, or is no longer what was pinned.
        StoreError: the workspace cannot be read or written.
    """
    plan = await asyncio.to_thread(cbu_arms.load, ctx.spec, ws, ctx.secret)
    if plan.rollouts > 1:
        at_most = "up to " if plan.rule else ""
        warn_at_zero(ctx, f"{at_most}{plan.rollouts:,} rollouts on each neighbour")
    before = await asyncio.to_thread(_Before.read, ws, ctx.run_id)
    record = Record()
    wanted = plan.arms
    async with Verifier() as verifier:
        for number in range(plan.rollouts):
            kept = before.rounds.get(number, {})
            await _round(ctx, ws, _Round(plan, number, _asked_in(plan, kept) or wanted, wanted, kept), verifier, record)
            wanted = await asyncio.to_thread(_wanted_after, plan, number, before, record)
            goes_on = number + 1 < plan.rollouts and bool(wanted or number + 1 in before.rounds)
            await _tell(ctx, ws, plan, record, complete=not goes_on)
            left = (plan.rollouts - number - 1) * len(wanted) * len(plan.neighbours)
            decided = sum(one.value is not None for one in record.rollouts)
            await ctx.progress(decided, len(record.rollouts) + left)
            if not goes_on:
                break


def _asked_in(plan: Plan, kept: Mapping[tuple[str, str], Rollout]) -> tuple[Arm, ...]:
    """The arms that a stored round has asked."""
    keys = {candidate_id for candidate_id, _ in kept}
    return tuple(arm for arm in plan.arms if arm.key in keys)


def _wanted_after(plan: Plan, number: int, before: _Before, record: Record) -> tuple[Arm, ...]:
    """The arms that the next round is to ask. After the last stored one they are decided on as they were then."""
    last_stored = number + 1 == len(before.rounds)
    return cbu_rows.open_arms(plan, before.rollouts if last_stored else record.rollouts)


@dataclass(frozen=True, slots=True)
class _Round:
    """One round: of the arms `asked`, those `wanted` are still open. `kept` is what is stored of it."""

    plan: Plan
    number: int
    asked: tuple[Arm, ...]
    wanted: tuple[Arm, ...]
    kept: Mapping[tuple[str, str], Rollout]

    def settled(self, arm: Arm, neighbour: Neighbour) -> Rollout | None:
        """A stored rollout that failed and need not be made again, since its arm is no longer open."""
        stored = self.kept.get((arm.key, neighbour.id))
        if stored is None or stored.decided_by is not DecidedBy.CALL_FAILED or arm in self.wanted:
            return None
        return stored


async def _round(ctx: RunContext, ws: Workspace, this: _Round, verifier: Verifier, record: Record) -> None:
    """Ask one round, decide its rollouts, store them, add them to the record, and tell them."""
    every = list(this.plan.units(this.asked))
    settled = [found for unit in every if (found := this.settled(*unit)) is not None]
    units = [unit for unit in every if this.settled(*unit) is None]
    calls = await ctx.ask([this.plan.ask(arm, neighbour, this.number) for arm, neighbour in units])
    verified = await _verified(ctx, this, verifier, record, units, calls)
    new = [
        Rollout(
            run_id=ctx.run_id,
            candidate_id=arm.key,
            neighbour_id=neighbour.id,
            sample=this.number,
            value=found.value,
            decided_by=found.decided_by,
            answer=found.answer,
            call_key=call.key,
            reason=found.reason,
        )
        for (arm, neighbour), call, found in zip(units, calls, verified, strict=True)
    ]
    await asyncio.to_thread(judgements.save_rollouts, ws, new)
    record.add([*new, *settled], {call.key: call for call in calls})
    for one in new:
        ctx.emit(RolloutDecided(ctx.run_id, one.candidate_id, one.neighbour_id, one.sample, one.value, one.decided_by))


async def _verified(
    ctx: RunContext,
    this: _Round,
    verifier: Verifier,
    record: Record,
    units: Sequence[tuple[Arm, Neighbour]],
    calls: Sequence[Call],
) -> list[Verified]:
    """What became of each rollout, in their order. A model is asked last, and only where nothing else could tell."""
    found = await all_of(
        [verifier.verify(neighbour.answer, call) for (_, neighbour), call in zip(units, calls, strict=True)]
    )
    comparing = this.plan.comparing
    if comparing is None:
        return found
    open_ = [place for place, one in enumerate(found) if one.open]
    asked = [comparing.ask(*units[place], this.number, found[place].answer) for place in open_]
    replies = await ctx.ask([ask for _, ask in asked])
    for place, (conversation, _), reply in zip(open_, asked, replies, strict=True):
        found[place] = equivalence.read_equivalence(conversation, reply, found[place])
        if reply.constrained:
            record.constrained.add(units[place][0].key)
    return found


async def _tell(ctx: RunContext, ws: Workspace, plan: Plan, record: Record, *, complete: bool) -> None:
    """Store every candidate's utility by the rounds so far, and tell it."""
    found = await asyncio.to_thread(cbu_rows.utilities, ctx.run_id, plan, record, complete=complete)
    await asyncio.to_thread(judgements.save_utilities, ws, found)
    for utility in found:
        ctx.emit(UtilityUpdated(ctx.run_id, utility.candidate_id, utility.mean, utility.complete))
