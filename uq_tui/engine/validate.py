"""Runs that judge candidates by a strategy.

Each candidate goes through the strategy on its own, in rounds: a round asks a batch, waits for all of it, and what is
asked next depends on nothing but the candidate's completed rounds. So a run that is resumed asks the same again and
finds it remembered.
"""

import asyncio
from collections.abc import Mapping
from typing import Any

from prompts.loader import load_strategy
from store import candidates, questions
from store.workspace import Workspace
from uq_tui.engine.draws import warn_at_zero
from uq_tui.engine.judging import Judge, Judged, Judging
from uq_tui.engine.pins import (
    epoch_for,
    load_candidate,
    load_question,
    pin_candidate,
    pin_common,
    pin_question,
    pinned_model,
    pinned_template,
)
from uq_tui.engine.protocol import ValidateRequest
from uq_tui.engine.spec import RunContext
from uq_tui.engine.strategy import Sample, parse_strategy
from uq_tui.engine.together import all_of
from uq_tui.errors import UqError
from uq_tui.words import RunKind


def pin(ws: Workspace, request: ValidateRequest) -> tuple[str, dict[str, Any], int]:
    """Title, spec and number of units (candidates) of a validation.

    Raises:
        NotFoundError: a candidate or the strategy is unknown.
        TemplateError: the strategy or a prompt is malformed.
        UqError: no candidate is named, or the text of one or of its question is not in the workspace.
    """
    ids = list(dict.fromkeys(request.candidate_ids))
    if not ids:
        raise UqError("No candidate is named.", hint="Name one or more candidates to validate.")
    source = load_strategy(request.strategy)
    strategy = parse_strategy(request.strategy, source)
    found = [candidates.get(ws, candidate_id) for candidate_id in ids]
    asked = {key: pin_question(questions.get(ws, key)) for key in dict.fromkeys(one.question_id for one in found)}
    epoch = epoch_for(ws, RunKind.VALIDATE, ids, fresh=request.fresh)
    spec = {
        **pin_common(request.model, strategy.templates, epoch),
        "inputs": ids,
        "strategy": {"name": strategy.name, "toml": source},
        "stages": [stage.name for stage in strategy.root.stages],
        "exact": request.exact,
        "questions": asked,
        "candidates": [{**pin_candidate(one), "question_id": one.question_id} for one in found],
    }
    what = "1 candidate" if len(ids) == 1 else f"{len(ids):,} candidates"
    return f"{strategy.title}: {what} by {request.model.id}", spec, len(ids)


async def run(ctx: RunContext, ws: Workspace) -> None:
    """Judge the pinned candidates side by side. An outcome is stored before it is told.

    Raises:
        NotFoundError, UqError: an input is gone, or is no longer what was pinned.
        StoreError: the workspace cannot be read or written.
    """
    strategy = parse_strategy(ctx.spec["strategy"]["name"], ctx.spec["strategy"]["toml"])
    judge = Judge(
        ctx=ctx,
        ws=ws,
        model=pinned_model(ctx.spec),
        strategy=strategy,
        templates={name: pinned_template(ctx.spec, name) for name in ctx.spec["templates"]},
        exact=ctx.spec["exact"],
    )
    inputs = await asyncio.to_thread(_inputs, ctx.spec, ws)
    samples = max((stage.node.n for stage in strategy.root.stages if isinstance(stage.node, Sample)), default=1)
    if samples > 1:
        warn_at_zero(ctx, f"up to {samples} samples a stage")
    done = 0

    async def one(judged: Judged) -> None:
        nonlocal done
        await Judging(judge, judged).whole()
        done += 1
        await ctx.progress(done, len(inputs))

    await all_of([one(judged) for judged in inputs])


def _inputs(spec: Mapping[str, Any], ws: Workspace) -> list[Judged]:
    asked = {key: load_question(ws, pinned) for key, pinned in spec["questions"].items()}
    return [Judged(one["id"], asked[one["question_id"]], load_candidate(ws, one)) for one in spec["candidates"]]
