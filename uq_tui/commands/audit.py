"""`uq-tui audit`: have a model look for flaws in candidates and quote them."""

import click

from uq_tui.commands import ids, planned, running
from uq_tui.commands.invocation import Invocation, json_option, pass_invocation, utf8
from uq_tui.engine.requests import AuditRequest, ModelChoice


@click.command("audit", epilog=running.EPILOG)
@click.argument("candidate_ids", type=utf8, metavar="CANDIDATE...", nargs=-1)
@click.option(
    "--question", "question_id", type=utf8, default="", metavar="ID", help="Audit all candidates of this question."
)
@running.model_options
@running.fresh_option
@running.budget_options
@json_option
@pass_invocation
@click.pass_context
def audit(
    ctx: click.Context,
    invocation: Invocation,
    candidate_ids: tuple[str, ...],
    question_id: str,
    model: str,
    api_base: str,
    fresh: bool,
    budget_usd: float | None,
    budget_tokens: int | None,
) -> None:
    """Have a model quote the flaws in candidates, given by id or the first characters of one.

    Four kinds are looked for: incorrect reasoning, unjustified compression, unjustified interpretation, external
    references. Each claim stands on a quote of the answer; a quote that is not in the answer exactly is dropped and
    counted. A claim may be wrong, and an audit without claims proves nothing.
    """
    if bool(candidate_ids) == bool(question_id):
        raise click.UsageError("Name candidates, or a question with --question.")
    with invocation.open() as workspace:
        chosen = ids.chosen(workspace, candidate_ids, question_id)
        request = AuditRequest(chosen, ModelChoice(model, api_base), fresh)
        calls = planned.of_audit(request)
        code = running.run_request(
            invocation, workspace, request, calls, budget_usd=budget_usd, budget_tokens=budget_tokens
        )
        ctx.exit(code)
