"""`uq-tui judge`: have candidates scored by a judge template."""

import click

from uq_tui.commands import ids, planned, running
from uq_tui.commands.invocation import Invocation, json_option, pass_invocation, utf8
from uq_tui.engine.judging.judges import JUDGES, MOST_SAMPLES
from uq_tui.engine.requests import JudgeRequest, ModelChoice
from uq_tui.words import DecisionForm


@click.command("judge", epilog=running.EPILOG)
@click.argument("candidate_ids", type=utf8, metavar="CANDIDATE...", nargs=-1)
@click.option(
    "--question", "question_id", type=utf8, default="", metavar="ID", help="Score all candidates of this question."
)
@running.model_options
@click.option(
    "--judge",
    "name",
    type=click.Choice(list(JUDGES)),
    default="scale_10",
    show_default=True,
    metavar="NAME",
    help="scale_10, proof_grader (0 to 7), uq_binary (accepted or not) or pairwise (1 to 5).",
)
@click.option(
    "--samples",
    type=click.IntRange(1, MOST_SAMPLES),
    default=8,
    show_default=True,
    help="Times each candidate is scored.",
)
@click.option(
    "--form",
    type=click.Choice([form.value for form in DecisionForm]),
    default=DecisionForm.TAGGED.value,
    show_default=True,
    help="How the score is asked for; exact is the papers' bare form, which an answer can imitate.",
)
@running.fresh_option
@running.budget_options
@json_option
@pass_invocation
@click.pass_context
def judge(
    ctx: click.Context,
    invocation: Invocation,
    candidate_ids: tuple[str, ...],
    question_id: str,
    model: str,
    api_base: str,
    name: str,
    samples: int,
    form: str,
    fresh: bool,
    budget_usd: float | None,
    budget_tokens: int | None,
) -> None:
    """Score candidates, given by id or the first characters of one. A high score proves nothing.

    Shown are mean and standard deviation of the samples that brought a score. Replies without a readable score and
    failed calls are counted apart, never as low scores. Look at the share of scores at the top of the scale: where all
    scores are there, candidates can't be told apart.
    """
    if bool(candidate_ids) == bool(question_id):
        raise click.UsageError("Name candidates, or a question with --question.")
    with invocation.open() as workspace:
        chosen = ids.chosen(workspace, candidate_ids, question_id)
        request = JudgeRequest(chosen, ModelChoice(model, api_base), name, samples, fresh, DecisionForm(form))
        calls = planned.of_judging(request)
        code = running.run_request(
            invocation, workspace, request, calls, budget_usd=budget_usd, budget_tokens=budget_tokens
        )
        ctx.exit(code)
