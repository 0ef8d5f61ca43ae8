"""`uq-tui validate`: screen candidates by a strategy of checks."""

import click

from uq_tui.commands import ids, planned, running
from uq_tui.commands.invocation import Invocation, json_option, pass_invocation, utf8
from uq_tui.engine.requests import ModelChoice, ValidateRequest
from uq_tui.strategies import catalogue
from uq_tui.strategies.catalogue import Preset
from uq_tui.strategies.tree import models_in, slot_count
from uq_tui.words import DecisionForm


@click.command("validate", epilog=running.EPILOG)
@click.argument("candidate_ids", type=utf8, metavar="CANDIDATE...", nargs=-1)
@click.option(
    "--question", "question_id", type=utf8, default="", metavar="ID", help="Screen all candidates of this question."
)
@click.option("--labelled", is_flag=True, help="Screen all candidates that came with a known label.")
@click.option(
    "--model",
    "models",
    type=utf8,
    multiple=True,
    metavar="ID",
    help="The model: see `uq-tui models`. Again for each further slot of the strategy.",
)
@click.option(
    "--api-base",
    type=utf8,
    default="",
    metavar="URL",
    help="Where these models are served, if not at their providers' or where config.toml says.",
)
@click.option(
    "--strategy",
    "strategy_text",
    type=utf8,
    default=catalogue.DEFAULT,
    show_default=True,
    metavar="NAME-OR-NOTATION",
    help="How the checks are put together: see `uq-tui strategies`.",
)
@click.option("--exact", is_flag=True, help="Ask every planned vote, decided or not.")
@click.option(
    "--form",
    type=click.Choice([form.value for form in DecisionForm]),
    default=DecisionForm.TAGGED.value,
    show_default=True,
    help="How decisions are asked for: under a code that no answer can know, or by the papers' bare [[Y]] and [[N]].",
)
@running.fresh_option
@running.budget_options
@json_option
@pass_invocation
@click.pass_context
def validate(
    ctx: click.Context,
    invocation: Invocation,
    candidate_ids: tuple[str, ...],
    question_id: str,
    labelled: bool,
    models: tuple[str, ...],
    api_base: str,
    strategy_text: str,
    exact: bool,
    form: str,
    fresh: bool,
    budget_usd: float | None,
    budget_tokens: int | None,
) -> None:
    """Screen candidates, given by id or the first characters of one. An accepted candidate is not proved correct."""
    if bool(candidate_ids) + bool(question_id) + labelled != 1:
        raise click.UsageError("Name candidates, or a question with --question, or take all --labelled ones.")
    first, *others = _fillings(catalogue.find(strategy_text), models, api_base)
    with invocation.open() as workspace:
        chosen = ids.labelled_candidates(workspace) if labelled else ids.chosen(workspace, candidate_ids, question_id)
        request = ValidateRequest(
            chosen, first, strategy_text, exact, fresh, more_models=tuple(others), form=DecisionForm(form)
        )
        calls = planned.of_validation(request)
        code = running.run_request(
            invocation, workspace, request, calls, budget_usd=budget_usd, budget_tokens=budget_tokens
        )
        ctx.exit(code)


def _fillings(preset: Preset, models: tuple[str, ...], api_base: str) -> tuple[ModelChoice, ...]:
    """The models of a strategy's slots, at least one: those that are named, else those of the preset.

    A strategy that leaves no slot open goes by the first of its own models, or by none if it asks none.
    """
    if api_base and not models:
        raise click.UsageError("--api-base needs --model.")
    needed = slot_count(preset.strategy.root)
    if not needed:
        if models:
            raise click.UsageError("This strategy leaves no model open; leave --model out.")
        own = models_in(preset.strategy.root)
        return (ModelChoice(str(own[0]) if own else ""),)
    given = models or preset.models
    if len(given) != needed:
        wanted = "one model" if needed == 1 else f"{needed} models, slot 1 first"
        raise click.UsageError(f"This strategy takes {wanted}: give --model {'once' if needed == 1 else 'for each'}.")
    return tuple(ModelChoice(model, api_base) for model in given)
