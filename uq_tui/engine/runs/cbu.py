"""Runs that measure Consequence-Based Utility (arXiv 2602.06291v1, Section 3).

A solver attempts each neighbour T times with a candidate as worked example, and in the control arm without one. Round t
asks attempt t of every arm on every neighbour, so that all intervals narrow together.
"""

import asyncio
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from prompts.loader import Output, Template, render
from store import candidates, judgements, neighbours, questions
from store.run_rows import Call, Message, NeighbourValue, Rollout, Utility
from store.workspace import Workspace
from uq_tui.analysis import independence
from uq_tui.analysis.answers import compare
from uq_tui.analysis.boxes import boxed
from uq_tui.analysis.independence import Draws, Sample
from uq_tui.analysis.utility import Rolls, count, estimate
from uq_tui.engine.protocol import RolloutDecided, UtilityUpdated
from uq_tui.engine.requests import CbuRequest, ModelChoice
from uq_tui.engine.runs.draws import sample_of, warn_at_zero
from uq_tui.engine.runs.pins import (
    epoch_for,
    load_candidate,
    load_question,
    pin_candidate,
    pin_common,
    pin_question,
    pinned_model,
    pinned_template,
    template_ref,
)
from uq_tui.engine.spec import Ask, RunContext
from uq_tui.engine.verification.symbolic import SymbolicChecker
from uq_tui.errors import UqError
from uq_tui.text import counted
from uq_tui.words import CallState, DecidedBy, RunKind

ROLLOUT, CONTROL = "cbu.rollout", "cbu.control"
CONTROL_ARM = ""
"""Candidate id of rollouts without a candidate."""


def pin(ws: Workspace, request: CbuRequest) -> tuple[str, dict[str, Any], int]:
    """Title, spec and number of units (rollouts) of a measurement.

    Raises:
        NotFoundError: the question or a candidate is unknown.
        TemplateError: a prompt is malformed.
        UqError: the question has no neighbours or no candidates, a candidate is another question's, a text is not in
            the workspace, or `rollouts` is below 1.
    """
    question = questions.get(ws, request.question_id)
    if request.rollouts < 1:
        raise UqError(f"{request.rollouts} rollouts were asked for.", hint="Ask for 1 or more a neighbour.")
    around = neighbours.of_question(ws, request.question_id)
    if not around:
        raise UqError(
            f"Question {request.question_id} has no neighbours, and utility is measured on neighbours.",
            hint="Import related questions whose answers are known as its neighbours, then start again.",
        )
    chosen = _chosen(ws, request)
    arms = len(chosen) + request.control
    spec = {
        **pin_common(
            request.model,
            [ROLLOUT, CONTROL] if request.control else [ROLLOUT],
            epoch_for(ws, RunKind.CBU, [request.question_id], fresh=request.fresh),
        ),
        "inputs": [request.question_id],
        "question_id": request.question_id,
        "question": pin_question(question),
        "candidates": chosen,
        "neighbour_ids": [neighbour.id for neighbour in around],
        "rollouts": request.rollouts,
        "control": request.control,
    }
    what = counted(len(chosen), "candidate")
    return f"Utility of {what} by {request.model.id}", spec, arms * len(around) * request.rollouts


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


@dataclass(frozen=True, slots=True)
class _Arm:
    """One candidate, or the control. `prompts` has one a neighbour."""

    candidate_id: str
    template: Template
    prompts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Plan:
    """All that is pinned, with its texts. `expected` has the known answer of each neighbour, in their order."""

    arms: tuple[_Arm, ...]
    expected: Mapping[str, str]
    rollouts: int
    solver: ModelChoice

    @property
    def units(self) -> list[tuple[_Arm, str]]:
        """What each round asks: every arm on every neighbour."""
        return [(arm, key) for arm in self.arms for key in self.expected]


async def run(ctx: RunContext, ws: Workspace) -> None:
    """Do all pinned rollouts, round by round; rollouts and utilities are stored before they are told.

    Raises:
        NotFoundError, UqError: an input is gone, or is no longer what was pinned.
        StoreError: the workspace cannot be read or written.
    """
    plan = await asyncio.to_thread(_plan, ctx.spec, ws)
    if plan.rollouts > 1:
        warn_at_zero(ctx, f"{plan.rollouts:,} rollouts on each neighbour")
    rollouts: list[Rollout] = []
    samples: dict[tuple[str, str], list[Sample]] = {(arm.candidate_id, key): [] for arm, key in plan.units}
    constrained: set[str] = set()
    async with SymbolicChecker() as checker:
        for sample in range(plan.rollouts):
            units = plan.units
            calls = await ctx.ask([_ask(plan, arm, key, sample) for arm, key in units])
            new = []
            for (arm, key), call in zip(units, calls, strict=True):
                value, decided_by, answer = await judge_rollout(call, plan.expected[key], checker)
                new.append(Rollout(ctx.run_id, arm.candidate_id, key, sample, value, decided_by, answer, call.key))
                if (drawn := sample_of([call])) is not None:
                    samples[arm.candidate_id, key].append(drawn)
            rollouts += new
            constrained |= {arm.candidate_id for (arm, _), call in zip(units, calls, strict=True) if call.constrained}
            await asyncio.to_thread(judgements.save_rollouts, ws, new)
            for one in new:
                ctx.emit(RolloutDecided(ctx.run_id, one.candidate_id, one.neighbour_id, one.sample, one.value))
            for utility in _utilities(ctx.run_id, plan, rollouts, samples, constrained):
                await asyncio.to_thread(judgements.save_utility, ws, utility)
                ctx.emit(UtilityUpdated(ctx.run_id, utility.candidate_id, utility.mean, utility.complete))
            decided = sum(one.value is not None for one in rollouts)
            await ctx.progress(decided, len(units) * plan.rollouts)


async def judge_rollout(call: Call, expected: str, checker: SymbolicChecker) -> tuple[int | None, DecidedBy, str]:
    """Value of a rollout, how it came about, and the boxed answer ("" without one).

    1 when the boxed answer equals the known one, else 0; a complete reply without a boxed answer is 0 too, as the
    paper's v has it. `None`, no evidence either way: a failed call, a reply cut off before its answer, an answer that
    could not be compared.

    Args:
        call: the solver's call.
        expected: the neighbour's known answer.
        checker: decides what exact comparison can't.
    """
    if call.state is CallState.FAILED:
        return None, DecidedBy.CALL_FAILED, ""
    answer = boxed(call.reply)
    if answer is None:
        return (None, DecidedBy.CUT_OFF, "") if call.cut_off else (0, DecidedBy.NO_ANSWER, "")
    exact = compare(expected, answer)
    if exact is not None:
        return (1, DecidedBy.EXACT, answer) if exact else (0, DecidedBy.DIFFERENT, answer)
    equal = await checker.equal(expected, answer)
    if equal is None:
        return None, DecidedBy.UNDECIDABLE, answer
    return (1, DecidedBy.SYMBOLIC, answer) if equal else (0, DecidedBy.DIFFERENT, answer)


def _plan(spec: Mapping[str, Any], ws: Workspace) -> _Plan:
    around = {one.id: one for one in neighbours.of_question(ws, spec["question_id"])}
    gone = [key for key in spec["neighbour_ids"] if key not in around]
    if gone:
        raise UqError(f"Neighbour {gone[0]} of this run is no longer in the workspace.", hint="Start a new run.")
    used = [around[key] for key in spec["neighbour_ids"]]
    question = load_question(ws, spec["question"])
    template = pinned_template(spec, ROLLOUT)
    arms = []
    for pinned in spec["candidates"]:
        texts = {"question": question, "candidate": load_candidate(ws, pinned)}
        prompts = {one.id: render(template, {**texts, "neighbour": one.statement.strip()}) for one in used}
        arms.append(_Arm(pinned["id"], template, prompts))
    if spec["control"]:
        template = pinned_template(spec, CONTROL)
        prompts = {one.id: render(template, {"neighbour": one.statement.strip()}) for one in used}
        arms.append(_Arm(CONTROL_ARM, template, prompts))
    return _Plan(tuple(arms), {one.id: one.answer for one in used}, spec["rollouts"], pinned_model(spec))


def _ask(plan: _Plan, arm: _Arm, neighbour_id: str, sample: int) -> Ask:
    return Ask(
        model=plan.solver,
        messages=(Message("user", arm.prompts[neighbour_id]),),
        template=template_ref(arm.template),
        candidate_id=arm.candidate_id,
        path=f"{neighbour_id}/{sample}",
        sample=sample,
        form=Output(arm.template.output.value),
    )


def _utilities(
    run_id: str,
    plan: _Plan,
    rollouts: Sequence[Rollout],
    samples: Mapping[tuple[str, str], Sequence[Sample]],
    constrained: Set[str],
) -> list[Utility]:
    """The utility of every candidate by the rollouts so far. `samples` has their replies by arm and neighbour."""
    values: dict[tuple[str, str], list[int | None]] = {(arm.candidate_id, key): [] for arm, key in plan.units}
    for one in rollouts:
        values[one.candidate_id, one.neighbour_id].append(one.value)
    rolls = {arm.candidate_id: [count(values[arm.candidate_id, key]) for key in plan.expected] for arm in plan.arms}
    draws = {place: independence.count(drawn) for place, drawn in samples.items()}
    control = rolls.pop(CONTROL_ARM, [])
    complete = len(rollouts) == len(values) * plan.rollouts
    utilities = []
    for candidate_id, own in rolls.items():
        found = estimate(own, control)
        utilities.append(
            Utility(
                run_id=run_id,
                candidate_id=candidate_id,
                solver=plan.solver.id,
                mean=found.utility.value if found.utility else None,
                low=found.utility.low if found.utility else None,
                high=found.utility.high if found.utility else None,
                rollouts=plan.rollouts,
                neighbours=_neighbour_values(own, {key: draws[candidate_id, key] for key in plan.expected}),
                control=_neighbour_values(control, {key: draws[CONTROL_ARM, key] for key in plan.expected})
                if control
                else (),
                control_mean=found.control.value if found.control else None,
                lift=found.lift.value if found.lift else None,
                lift_low=found.lift.low if found.lift else None,
                lift_high=found.lift.high if found.lift else None,
                complete=complete,
                constrained=bool(constrained & {candidate_id, CONTROL_ARM}),
            )
        )
    return utilities


def _neighbour_values(rolls: Sequence[Rolls], draws: Mapping[str, Draws]) -> tuple[NeighbourValue, ...]:
    """One value a neighbour; both are in the order of the neighbours."""
    return tuple(
        NeighbourValue(
            neighbour_id=key,
            solved=one.solved,
            decided=one.decided,
            undecided=one.undecided,
            replies=drawn.replies,
            distinct=drawn.distinct,
            cut_off=drawn.cut_off,
            temperature=drawn.temperature,
        )
        for (key, drawn), one in zip(draws.items(), rolls, strict=True)
    )
