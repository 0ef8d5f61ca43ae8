"""`uq-tui generate`: ask a model for candidate answers."""

from functools import partial

import click

from store import questions
from uq_tui.commands import asking_again, planned, running
from uq_tui.commands.invocation import Invocation, json_option, pass_invocation, utf8
from uq_tui.engine.requests import MOST_ANSWERS, GenerateRequest, ModelChoice


@click.command("generate", epilog=running.EPILOG)
@click.argument("question_ids", type=utf8, metavar="QUESTION...", nargs=-1)
@partial(running.model_options, required=False)
@click.option(
    "--samples", type=click.IntRange(1, MOST_ANSWERS), default=1, show_default=True, help="Candidates per question."
)
@click.option(
    "--failed",
    is_flag=True,
    help="Ask again the models whose answers failed, by imported files: of these questions, or of all. `--model` asks"
    " that one in their place.",
)
@running.budget_options
@json_option
@pass_invocation
@click.pass_context
def generate(
    ctx: click.Context,
    invocation: Invocation,
    question_ids: tuple[str, ...],
    model: str,
    api_base: str,
    samples: int,
    failed: bool,
    budget_usd: float | None,
    budget_tokens: int | None,
) -> None:
    """Ask a model for candidate answers to questions, given by id."""
    if not failed and not question_ids:
        raise click.UsageError("Name the questions, or ask again for all answers that failed with --failed.")
    if not failed and not model:
        raise click.UsageError("Missing option '--model'.")
    wanted = tuple(dict.fromkeys(question_ids))
    with invocation.open() as workspace:
        for question_id in wanted:
            questions.get(workspace, question_id)
        if failed:
            again = asking_again.of_failures(workspace, wanted, model, api_base, samples)
            code = asking_again.run_each(
                invocation, workspace, again, budget_usd=budget_usd, budget_tokens=budget_tokens
            )
        else:
            request = GenerateRequest(wanted, ModelChoice(model, api_base), samples)
            calls = planned.of_generation(request)
            code = running.run_request(
                invocation, workspace, request, calls, budget_usd=budget_usd, budget_tokens=budget_tokens
            )
        ctx.exit(code)
