"""`uq-tui neighbours`: the related questions that utility is measured on; writing, proposing and setting them aside."""

import dataclasses
from pathlib import Path

import click

from store import neighbours, proposals, questions, reviewers
from store.ingest.files import whole_text
from store.rows import Neighbour
from store.workspace import Workspace
from uq_tui.commands import display, ids, planned, running
from uq_tui.commands import proposals as shown_proposals
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.commands.proposals import shortened
from uq_tui.commands.typed import FROM_INPUT, standard_input
from uq_tui.engine.requests import ModelChoice, NeighboursRequest
from uq_tui.errors import UqError
from uq_tui.state.neighbours import neighbourhood
from uq_tui.state.neighbours.neighbourhood import Advised
from uq_tui.text import clean_line
from uq_tui.words import NeighbourUse

_NONE = (
    "The question {} has no neighbours. `uq-tui neighbours add` writes one, `uq-tui neighbours propose` has a model"
    " make some, `uq-tui import` brings some in."
)
_USES = {NeighbourUse.IN_USE: "in use", NeighbourUse.SET_ASIDE: "set aside"}


@click.group("neighbours", epilog=exit_codes())
def group() -> None:
    """List, write, propose or set aside neighbours: related questions whose answers can be checked.

    The utility of candidates is measured on those in use.
    """


@group.command("list", epilog=exit_codes())
@click.argument("question_id", type=utf8, metavar="QUESTION")
@json_option
@pass_invocation
def list_neighbours(invocation: Invocation, question_id: str) -> None:
    """List the neighbours of QUESTION with their answers, and what speaks against each."""
    with invocation.open() as workspace:
        found = neighbourhood.load(workspace, question_id)
    if invocation.as_json:
        write_json({"question_id": question_id, "neighbours": [_json(one) for one in found]})
        return
    if not found:
        click.echo(clean_line(_NONE.format(question_id)), err=True)
        return
    fold = ("source", "note and advice", "statement")
    shown = display.table("no.", "id", "use", "answer", *fold, fold=fold)
    for one in found:
        row = one.neighbour
        source = f"run {display.short_run(one.run_id)}" if one.run_id else row.source
        about = " ".join(filter(None, (row.note, *(advice.text for advice in one.advice if advice.text != row.note))))
        values = (f"N{row.number}", display.short_id(row.id), _USES[row.use], shortened(row.answer), source or None)
        shown.add_row(*(display.cell(value) for value in (*values, about, shortened(row.statement))))
    display.print_table(shown)


@group.command("add", epilog=exit_codes())
@click.argument("question_id", type=utf8, metavar="QUESTION")
@click.option("--statement", type=utf8, default="", metavar="TEXT", help="What it asks; - reads standard input.")
@click.option(
    "--file", type=click.Path(path_type=Path), metavar="FILE", help="A text file that holds what it asks, instead."
)
@click.option("--answer", type=utf8, required=True, metavar="ANSWER", help="Its answer, as it would stand in a box.")
@json_option
@pass_invocation
def add(invocation: Invocation, question_id: str, statement: str, file: Path | None, answer: str) -> None:
    """Write a neighbour of QUESTION. It stands alone: a solver sees nothing else."""
    if bool(statement) == (file is not None):
        raise click.UsageError("Give --statement or --file, and not both.")
    text = whole_text(file) if file is not None else standard_input() if statement == FROM_INPUT else statement
    if not text.strip() or not answer.strip():
        raise UqError(
            f"The {'answer' if text.strip() else 'statement'} is empty.",
            hint="A neighbour needs both: a solver is asked the one and held to the other.",
        )
    with invocation.open() as workspace:
        questions.get(workspace, question_id)
        known = {one.id for one in neighbours.of_question(workspace, question_id)}
        writer = reviewers.current(workspace).handle
        (key,) = neighbours.add(workspace, question_id, [Neighbour("", text.strip(), answer.strip(), writer)])
        one = _one(workspace, question_id, key)
    _tell(invocation, one, "was there already" if key in known else "is new")


@group.command("set-aside", epilog=exit_codes())
@click.argument("question_id", type=utf8, metavar="QUESTION")
@click.argument("neighbour", type=utf8)
@click.option("--note", type=utf8, default="", metavar="TEXT", help="Why.")
@json_option
@pass_invocation
def set_aside(invocation: Invocation, question_id: str, neighbour: str, note: str) -> None:
    """Leave NEIGHBOUR, a number such as N2 or an id, out of new measurements. What was measured on it stays."""
    _set_use(invocation, question_id, neighbour, NeighbourUse.SET_ASIDE, note)


@group.command("use", epilog=exit_codes())
@click.argument("question_id", type=utf8, metavar="QUESTION")
@click.argument("neighbour", type=utf8)
@json_option
@pass_invocation
def use(invocation: Invocation, question_id: str, neighbour: str) -> None:
    """Take NEIGHBOUR, which was set aside, back into use."""
    _set_use(invocation, question_id, neighbour, NeighbourUse.IN_USE, "")


@group.command("propose", epilog=running.EPILOG)
@click.argument("question_id", type=utf8, metavar="QUESTION")
@click.option("--model", type=utf8, required=True, metavar="ID", help="The model that proposes: see `uq-tui models`.")
@click.option(
    "--solver",
    "solvers",
    type=utf8,
    multiple=True,
    required=True,
    metavar="ID",
    help="A model that solves what is proposed. Two or more; the one that proposes may be among them.",
)
@click.option(
    "--api-base",
    type=utf8,
    default="",
    metavar="URL",
    help="Where these models are served, if not at their providers' or where config.toml says.",
)
@click.option(
    "--samples",
    type=click.IntRange(min=1),
    default=4,
    show_default=True,
    help="Answers of each to each problem.",
)
@running.fresh_option
@running.budget_options
@json_option
@pass_invocation
@click.pass_context
def propose(
    ctx: click.Context,
    invocation: Invocation,
    question_id: str,
    model: str,
    solvers: tuple[str, ...],
    api_base: str,
    samples: int,
    fresh: bool,
    budget_usd: float | None,
    budget_tokens: int | None,
) -> None:
    """Have a model propose five problems around QUESTION, and keep those on whose answers all solvers agree.

    A solver's answer is the one that more than half of its samples give. What the models agree on is proven by nobody.
    """
    request = NeighboursRequest(
        question_id,
        ModelChoice(model, api_base),
        tuple(ModelChoice(solver, api_base) for solver in solvers),
        samples,
        fresh,
    )
    with invocation.open() as workspace:
        questions.get(workspace, question_id)
        code = running.run_request(
            invocation,
            workspace,
            request,
            planned.of_neighbours(request),
            budget_usd=budget_usd,
            budget_tokens=budget_tokens,
        )
    ctx.exit(code)


@group.command("proposals", epilog=exit_codes())
@click.argument("question_id", type=utf8, metavar="QUESTION")
@json_option
@pass_invocation
def list_proposals(invocation: Invocation, question_id: str) -> None:
    """List what models proposed as neighbours of QUESTION, what solvers answered, and what became of it."""
    with invocation.open() as workspace:
        questions.get(workspace, question_id)
        found = proposals.of_question(workspace, question_id)
        if invocation.as_json:
            write_json({"question_id": question_id, "proposals": shown_proposals.as_json(workspace, found)})
        elif found:
            display.print_table(shown_proposals.table(workspace, found))
        else:
            click.echo("Nothing was proposed yet. `uq-tui neighbours propose` asks a model.", err=True)


def _set_use(invocation: Invocation, question_id: str, given: str, use: NeighbourUse, note: str) -> None:
    with invocation.open() as workspace:
        before = ids.neighbour(workspace, question_id, given)
        neighbours.set_use(workspace, question_id, before.id, use, note)
        one = _one(workspace, question_id, before.id)
    _tell(invocation, one, f"{'was' if before.use is use else 'is now'} {_USES[use]}")


def _one(workspace: Workspace, question_id: str, key: str) -> Advised:
    return next(one for one in neighbourhood.load(workspace, question_id) if one.neighbour.id == key)


def _tell(invocation: Invocation, one: Advised, said: str) -> None:
    if invocation.as_json:
        write_json(_json(one))
        return
    click.echo(f"N{one.neighbour.number}  {display.short_id(one.neighbour.id)}  {said}")
    for advice in one.advice:
        click.echo(clean_line(f"! {advice.text}"), err=True)


def _json(one: Advised) -> dict[str, object]:
    row = dataclasses.asdict(one.neighbour)
    control = dataclasses.asdict(one.control) if one.control else None
    return {**row, "run_id": one.run_id, "control": control, "advice": [dataclasses.asdict(a) for a in one.advice]}
