"""`uq-tui validate`: screen candidates by a strategy of checks."""

import click

from store.workspace import Workspace
from uq_tui.commands import ids, planned, running
from uq_tui.commands.invocation import Invocation, json_option, pass_invocation, utf8
from uq_tui.engine.protocol import ModelChoice, ValidateRequest


@click.command("validate", epilog=running.EPILOG)
@click.argument("candidate_ids", type=utf8, metavar="CANDIDATE...", nargs=-1)
@click.option(
    "--question", "question_id", type=utf8, default="", metavar="ID", help="Screen all candidates of this question."
)
@running.model_options
@click.option("--strategy", type=utf8, default="3-iter", show_default=True, help="How the checks are put together.")
@click.option("--exact", is_flag=True, help="Ask every planned vote, decided or not.")
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
    model: str,
    api_base: str,
    strategy: str,
    exact: bool,
    fresh: bool,
    budget_usd: float | None,
    budget_tokens: int | None,
) -> None:
    """Screen candidates, given by id or the first characters of one. An accepted candidate is not proved correct."""
    if bool(candidate_ids) == bool(question_id):
        raise click.UsageError("Name candidates, or a question with --question.")
    with invocation.open() as workspace:
        chosen = ids.candidates_of(workspace, question_id) if question_id else _resolved(workspace, candidate_ids)
        request = ValidateRequest(chosen, ModelChoice(model, api_base), strategy, exact=exact, fresh=fresh)
        calls = planned.of_validation(request)
        code = running.run_request(
            invocation, workspace, request, calls, budget_usd=budget_usd, budget_tokens=budget_tokens
        )
        ctx.exit(code)


def _resolved(workspace: Workspace, given: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ids.candidate(workspace, one) for one in given))
