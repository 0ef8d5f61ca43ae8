"""`uq-tui cbu`: measure how much candidates help with related questions whose answers are known."""

import click
from click.core import ParameterSource

from store import neighbours
from store.run_rows import Run
from uq_tui.analysis.allocation import DELTA, EPSILON
from uq_tui.commands import ids, planned, running
from uq_tui.commands.invocation import Finite, Invocation, json_option, pass_invocation, utf8
from uq_tui.engine.requests import MOST_ROLLOUTS, CbuRequest, ModelChoice
from uq_tui.engine.runs.solver_sampling import family_of

FIXED, AT_MOST = 8, 64
"""Rollouts on each neighbour unless another number is given: without and with an early stop."""


@click.command("cbu", epilog=running.EPILOG)
@click.argument("question_id", type=utf8, metavar="QUESTION")
@click.option(
    "--candidate", "given", type=utf8, multiple=True, metavar="ID", help="Only this candidate; may be repeated."
)
@running.model_options
@click.option(
    "--rollouts",
    type=click.IntRange(1, MOST_ROLLOUTS),
    metavar="T",
    help=f"Attempts at each neighbour, {FIXED} by default; with --adaptive at most so many, {AT_MOST} by default.",
)
@click.option("--adaptive", is_flag=True, help="Stop as soon as one candidate is known to be about the best.")
@click.option(
    "--epsilon",
    type=Finite(0, 1, min_open=True, max_open=True),
    default=EPSILON,
    show_default=True,
    metavar="E",
    help="With --adaptive, how far below the best that one may be.",
)
@click.option(
    "--delta",
    type=Finite(0, 1, min_open=True, max_open=True),
    default=DELTA,
    show_default=True,
    metavar="D",
    help="With --adaptive, the chance that it is further below.",
)
@click.option(
    "--no-control", is_flag=True, help="Leave out the attempts without any candidate, and with them the lift."
)
@click.option(
    "--placebo", type=utf8, default="", metavar="CANDIDATE", help="Also try with this candidate to another question."
)
@click.option("--fenced", is_flag=True, help="Put a fence around candidates, against such as give orders.")
@click.option(
    "--equivalence-model",
    type=utf8,
    default="",
    metavar="ID",
    help="Ask this model, at the same --api-base, about answers that can't be compared.",
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
    rollouts: int | None,
    adaptive: bool,
    epsilon: float,
    delta: float,
    no_control: bool,
    placebo: str,
    fenced: bool,
    equivalence_model: str,
    fresh: bool,
    budget_usd: float | None,
    budget_tokens: int | None,
) -> None:
    """Measure the consequence-based utility of a question's candidates.

    The model attempts each neighbour with a candidate as the worked example; the utility is the mean share solved.
    It holds for these neighbours only. Equal replies are one draw counted more than once: a score with such is marked
    "not independent", and its interval is too narrow.
    """
    rule = (ctx.get_parameter_source(name) for name in ("epsilon", "delta"))
    if not adaptive and ParameterSource.COMMANDLINE in rule:
        raise click.UsageError("--epsilon and --delta say when --adaptive stops; give that too.")
    with invocation.open() as workspace:
        wanted = tuple(dict.fromkeys(ids.candidate(workspace, one) for one in given))
        request = CbuRequest(
            question_id,
            ModelChoice(model, api_base),
            wanted,
            rollouts or (AT_MOST if adaptive else FIXED),
            control=not no_control,
            fresh=fresh,
            adaptive=adaptive,
            epsilon=epsilon,
            delta=delta,
            placebo_id=ids.candidate(workspace, placebo) if placebo else "",
            fenced=fenced,
            equivalence=ModelChoice(equivalence_model, api_base) if equivalence_model else None,
        )
        calls = planned.of_cbu(
            request,
            candidates=len(wanted or ids.candidates_of(workspace, question_id)),
            neighbours=len(neighbours.in_use(workspace, question_id)),
        )
        code = running.run_request(
            invocation,
            workspace,
            request,
            calls,
            budget_usd=budget_usd,
            budget_tokens=budget_tokens,
            about=sampling_text,
        )
        ctx.exit(code)


def sampling_text(run: Run) -> str:
    """How the solver's replies are drawn, as far as the settings or its family say; else ""."""
    model = run.spec["model"]["id"]
    drawn = {name: value for name, value in run.spec["sampling"][model].items() if value not in (None, "")}
    if not drawn:
        return ""
    values = ", ".join(
        f"{name} {value:g}" if isinstance(value, float) else f"{name} {value}" for name, value in drawn.items()
    )
    family = family_of(model) if run.spec["usual_sampling"] else None
    whence = f"; usual for {family.name} where config.toml says nothing" if family else ""
    return f"Replies of {model}: {values}{whence}."
