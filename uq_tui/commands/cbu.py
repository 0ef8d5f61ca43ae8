"""`uq-tui cbu`: measure how much candidates help with related questions whose answers are known."""

import click

from store import neighbours
from uq_tui.commands import ids, planned, running
from uq_tui.commands.invocation import Invocation, json_option, pass_invocation, utf8
from uq_tui.engine.requests import CbuRequest, ModelChoice


@click.command("cbu", epilog=running.EPILOG)
@click.argument("question_id", type=utf8, metavar="QUESTION")
@click.option(
    "--candidate", "given", type=utf8, multiple=True, metavar="ID", help="Only this candidate; may be repeated."
)
@running.model_options
@click.option(
    "--rollouts", type=click.IntRange(min=1), default=8, show_default=True, help="Attempts at each neighbour."
)
@click.option(
    "--no-control", is_flag=True, help="Leave out the attempts without any candidate, and with them the lift."
)
@running.fresh_option
@running.budget_options
@json_option
@pass_invocation
@click.pass_context
def cbu(
    ctx: click.Context,
    invocation: Invocation,
    question_id: str,
    given: tuple[str, ...],
    model: str,
    api_base: str,
    rollouts: int,
    no_control: bool,
    fresh: bool,
    budget_usd: float | None,
    budget_tokens: int | None,
) -> None:
    """Measure the consequence-based utility of a question's candidates.

    The model attempts each neighbour with a candidate as the worked example; the utility is the mean share solved.
    It holds for these neighbours only. Equal replies are one draw counted more than once: a score with such is marked
    "not independent", and its interval is too narrow.
    """
    with invocation.open() as workspace:
        wanted = tuple(dict.fromkeys(ids.candidate(workspace, one) for one in given))
        request = CbuRequest(
            question_id, ModelChoice(model, api_base), wanted, rollouts, control=not no_control, fresh=fresh
        )
        calls = planned.of_cbu(
            request,
            candidates=len(wanted or ids.candidates_of(workspace, question_id)),
            neighbours=len(neighbours.of_question(workspace, question_id)),
        )
        code = running.run_request(
            invocation, workspace, request, calls, budget_usd=budget_usd, budget_tokens=budget_tokens
        )
        ctx.exit(code)
