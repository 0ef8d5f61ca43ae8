"""Runs that judge candidates by a strategy.

Each candidate goes through the strategy on its own. What it is asked next depends on nothing but its own completed
waves, so a run that is resumed asks the same again and finds it remembered.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from prompts.loader import Output, ending_name, retry_name
from store.workspace import Workspace
from uq_tui.engine.judging.judgement import Prompts
from uq_tui.engine.judging.seats import Seat, fill, seats_of
from uq_tui.engine.judging.walk import Judging, Screening
from uq_tui.engine.requests import ModelChoice, ValidateRequest
from uq_tui.engine.runs.draws import warn_at_zero
from uq_tui.engine.runs.inputs import Judged, judging_epoch, load_inputs, pin_inputs
from uq_tui.engine.runs.pins import pin_common, pin_model, pinned_model, pinned_template
from uq_tui.engine.runs.together import all_of
from uq_tui.engine.spec import RunContext
from uq_tui.errors import PluginError
from uq_tui.plugins import registry, running
from uq_tui.strategies import catalogue, notation, toml_form
from uq_tui.strategies.tree import Pipeline, Plugin, Strategy, models_in, templates, walk
from uq_tui.text import counted
from uq_tui.words import DecisionForm

_TITLE_LENGTH = 80
"""Characters of a strategy's title in a run's."""


def pin(ws: Workspace, request: ValidateRequest) -> tuple[str, dict[str, Any], int]:
    """Title, spec and number of units (candidates) of a validation.

    Raises:
        NotFoundError: a candidate or the strategy is unknown.
        StrategyError: the strategy is neither a name nor readable as one.
        SlotError: the models don't fill the strategy's slots, or two judges of one vote are the same.
        PluginError: the strategy names a plug-in that can't be used.
        TemplateError: a prompt is malformed.
        UqError: no candidate is named, or the text of one or of its question is not in the workspace.
    """
    inputs = pin_inputs(ws, request.candidate_ids)
    ids = inputs["inputs"]
    strategy = catalogue.find(request.strategy).strategy
    given = (request.model, *request.more_models)
    models = fill(strategy.root, given)
    asked = list(dict.fromkeys(models[slot] for slot in models_in(strategy.root)))
    epoch = judging_epoch(ws, ids, fresh=request.fresh)
    spec = {
        **pin_common(request.model, prompts_of(strategy, request.form), epoch),
        **inputs,
        "strategy": {"name": strategy.name, "title": strategy.title, "notation": strategy.notation},
        "stages": [stage.name for stage in strategy.root.stages],
        "models": [pin_model(model) for model in asked],
        "slots": {str(slot): pin_model(model) for slot, model in enumerate(given, start=1)},
        "exact": request.exact,
        "form": request.form.value,
        "plugins": {name: registry.find(name).version for name in _plugins_of(strategy.root)},
    }
    return _title(strategy, asked, len(ids)), spec, len(ids)


def prompts_of(strategy: Strategy, form: DecisionForm) -> tuple[str, ...]:
    """Names of all templates that a run of the strategy can use."""
    return (*templates(strategy), retry_name(Output.DECISION), ending_name(Output.DECISION, form))


async def run(ctx: RunContext, ws: Workspace) -> None:
    """Judge the pinned candidates side by side. An outcome is stored before it is told.

    Raises:
        NotFoundError, UqError: an input is gone, or is no longer what was pinned.
        PluginError: a plug-in is gone, or is no longer the version that was pinned.
        StoreError: the workspace cannot be read or written.
    """
    spec = ctx.spec
    root = _pinned_root(spec)
    seats = seats_of(root, fill(root, _pinned_slots(spec)))
    screening = Screening(
        ctx=ctx,
        ws=ws,
        root=root,
        prompts=Prompts(
            {name: pinned_template(spec, name) for name in spec["templates"]},
            DecisionForm(spec.get("form", DecisionForm.TAGGED)),
        ),
        seats=seats,
        exact=spec["exact"],
        run_plugin=running.run,
    )
    await asyncio.to_thread(_refuse_other_plugins, spec.get("plugins", {}))
    inputs = await asyncio.to_thread(load_inputs, ws, spec)
    _warn_at_zero(ctx, seats.values())
    done = 0

    async def one(judged: Judged) -> None:
        nonlocal done
        await Judging(screening, judged).whole()
        done += 1
        await ctx.progress(done, len(inputs))

    await all_of([one(judged) for judged in inputs])


def _title(strategy: Strategy, asked: Sequence[ModelChoice], number: int) -> str:
    name = strategy.title
    if len(name) > _TITLE_LENGTH:
        name = f"{name[: _TITLE_LENGTH - 1]}…"
    by = f" by {', '.join(model.id for model in asked)}" if asked else ""
    return f"{name}: {counted(number, 'candidate')}{by}"


def _plugins_of(root: Pipeline) -> tuple[str, ...]:
    return tuple(dict.fromkeys(node.name for node in walk(root) if isinstance(node, Plugin)))


def _pinned_root(spec: Mapping[str, Any]) -> Pipeline:
    """The strategy of a run. Those of uq-tui 0.1.0 pinned it as TOML."""
    pinned = spec["strategy"]
    if "notation" in pinned:
        return notation.parse(pinned["notation"])
    return toml_form.parse_strategy(pinned["name"], pinned["toml"]).root


def _pinned_slots(spec: Mapping[str, Any]) -> list[ModelChoice]:
    """The models of slots from 1 on. Runs of uq-tui 0.1.0 had one model."""
    if "slots" not in spec:
        return [pinned_model(spec)]
    slots: Mapping[str, Mapping[str, str]] = spec["slots"]
    return [ModelChoice(**slots[number]) for number in sorted(slots, key=int)]


def _refuse_other_plugins(pinned: Mapping[str, str]) -> None:
    """Stop a run whose earlier outcomes came from another version of a plug-in."""
    for name, version in pinned.items():
        installed = registry.find(name).version
        if installed != version:
            raise PluginError(
                f"This run was started with version {version} of the plug-in {name}; installed is {installed}.",
                hint="Install that version and resume the run, or start a new one.",
            )


def _warn_at_zero(ctx: RunContext, seats: Iterable[Seat]) -> None:
    """Tell the user of each model that is to draw several samples of one prompt at temperature 0."""
    most: dict[ModelChoice, int] = {}
    for seat in seats:
        most[seat.model] = max(seat.samples, most.get(seat.model, 1))
    for model, samples in most.items():
        if samples > 1:
            warn_at_zero(ctx, f"up to {samples} samples a stage", model)
