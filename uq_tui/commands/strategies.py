"""`uq-tui strategies`: what strategies there are, and what one of them asks."""

import dataclasses
from typing import Any

import click

from uq_tui.commands import display
from uq_tui.commands.groups import ListingGroup
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.errors import EXIT_PROBLEM, StrategyError
from uq_tui.state.strategy.outline import outline
from uq_tui.strategies import catalogue
from uq_tui.strategies.catalogue import PaperRow, Preset, Source
from uq_tui.strategies.planning import PlannedCalls, planned_calls
from uq_tui.strategies.tree import models_in, slot_count
from uq_tui.text import clean_line

_EPILOG = exit_codes("a file of yours is no strategy", "nothing could be done")


@click.group("strategies", cls=ListingGroup, epilog=_EPILOG)
def group() -> None:
    """List strategies, or show one in full. Plain `strategies` lists."""


@group.command("list", epilog=_EPILOG)
@json_option
@pass_invocation
@click.pass_context
def list_strategies(ctx: click.Context, invocation: Invocation) -> None:
    """List the strategies that have names: what ships, your own, and the rows of the paper's table."""
    found, problems = _all()
    if invocation.as_json:
        write_json(
            {
                "default": catalogue.DEFAULT,
                "strategies": [_as_json(preset) for preset in found],
                "problems": [dataclasses.asdict(problem) for problem in problems],
            }
        )
    else:
        _print(found)
    for problem in problems:
        click.echo(clean_line(f"{problem.message} {problem.hint}"), err=True)
    ctx.exit(EXIT_PROBLEM if problems else 0)


@group.command("show", epilog=exit_codes())
@click.argument("text", type=utf8, metavar="NAME-OR-NOTATION")
@json_option
@pass_invocation
def show(invocation: Invocation, text: str) -> None:
    """Show what a strategy asks, given by name or as its one-line form: its tree, models and calls."""
    preset = catalogue.find(text)
    row = next((row for row in catalogue.paper_rows() if row.name == preset.strategy.name), None)
    if invocation.as_json:
        write_json({**_as_json(preset), "outline": list(outline(preset.strategy.root)), "paper": _paper_as_json(row)})
        return
    strategy = preset.strategy
    title = strategy.title if strategy.title != strategy.notation else "A strategy without a name"
    click.echo(clean_line(title))
    if strategy.purpose:
        click.echo(clean_line(strategy.purpose))
    click.echo()
    for line in outline(strategy.root):
        indent = len(line) - len(line.lstrip())
        click.echo(" " * (indent + 2) + clean_line(line))
    click.echo()
    facts = {"Notation": strategy.notation, "Models": _models(preset), "Calls": _calls_line(preset)}
    if row is not None:
        facts |= _paper_lines(row)
    for name, value in facts.items():
        click.echo(f"{name + ':':<10}{clean_line(value)}")


@dataclasses.dataclass(frozen=True, slots=True)
class _Problem:
    """A file of the user's that is no strategy."""

    file: str
    message: str
    hint: str


def _all() -> tuple[list[Preset], list[_Problem]]:
    """Every strategy that has a name, and what is wrong with files that hold none."""
    own, problems = [], []
    for file in catalogue.own_files():
        try:
            own.append(catalogue.load_own(file))
        except StrategyError as error:
            problems.append(_Problem(str(file), error.message, error.hint))
    shapes, rows = (
        [preset for preset in catalogue.shipped() if preset.source is source] for source in (Source.SHAPE, Source.ROW)
    )
    return [*shapes, *own, *rows], problems


def _print(found: list[Preset]) -> None:
    shown = display.table("name", "calls", "slots", "models", "notation", right=("slots",), fold=("models", "notation"))
    for preset in found:
        name = preset.strategy.name
        shown.add_row(
            display.cell(f"{name} (default)" if name == catalogue.DEFAULT else name),
            display.cell(_range(planned_calls(preset.strategy))),
            display.cell(slot_count(preset.strategy.root)),
            display.cell(", ".join(preset.models) or None),
            display.cell(preset.strategy.notation),
        )
    display.print_table(shown)


def _as_json(preset: Preset) -> dict[str, Any]:
    strategy = preset.strategy
    return {
        "name": strategy.name,
        "title": strategy.title,
        "purpose": strategy.purpose,
        "source": preset.source.value,
        "notation": strategy.notation,
        "slots": slot_count(strategy.root),
        "models": list(preset.models),
        "models_are_ours": preset.models_are_ours,
        "own_models": [model for model in models_in(strategy.root) if isinstance(model, str)],
        "calls": dataclasses.asdict(planned_calls(strategy)),
    }


def _models(preset: Preset) -> str:
    """Which models it asks, as far as that is fixed."""
    named = [model for model in models_in(preset.strategy.root) if isinstance(model, str)]
    slots = slot_count(preset.strategy.root)
    parts = [f"{number} {model}" for number, model in enumerate(preset.models, start=1)]
    if slots and not parts:
        parts = ["one, which --model names" if slots == 1 else f"{slots}, which --model names, slot 1 first"]
    parts += named
    ours = " (our choice: the paper does not print which it asked)" if preset.models_are_ours else ""
    return f"{', '.join(parts)}{ours}" if parts else "none"


def _calls_line(preset: Preset) -> str:
    calls = planned_calls(preset.strategy)
    if not calls.most:
        return "none: plug-ins ask no model"
    exact = "" if calls.fewest == calls.most else f", {calls.most:,} with --exact"
    return f"{_range(calls)} for one candidate{exact}; one more for each unreadable decision"


def _range(calls: PlannedCalls) -> str:
    return f"{calls.most:,}" if calls.fewest == calls.most else f"{calls.fewest:,} to {calls.most:,}"


def _paper_lines(row: PaperRow) -> dict[str, str]:
    """What the paper prints of it, and the counts behind that."""
    lines = {"Printed": f"accuracy {row.accuracy:.2f} %, precision {row.precision:.2f} %, recall {row.recall:.2f} %"}
    if row.matrix is None:
        lines["Counts"] = "none in whole numbers give these three"
    else:
        n, correct, hits, false_alarms, misses, rejected = row.matrix
        baseline = 100 * (n - correct) / n
        lines["Counts"] = (
            f"n {n}, {correct} correct: {hits} accepted, {misses} rejected; {n - correct} wrong: "
            f"{false_alarms} accepted, {rejected} rejected (ours, found by search). "
            f"Rejecting all would be {baseline:.2f} % accurate"
        )
    return lines | ({"Note": row.note} if row.note else {})


def _paper_as_json(row: PaperRow | None) -> dict[str, Any] | None:
    if row is None:
        return None
    return {
        "accuracy": row.accuracy,
        "precision": row.precision,
        "recall": row.recall,
        "matrix": None if row.matrix is None else row.matrix._asdict(),
        "note": row.note,
    }
