"""`uq-tui templates`: the prompts that runs use, and which of them the user has reworded."""

import sys
from dataclasses import dataclass
from pathlib import Path

import click

from prompts.loader import Template, load_template, override_file, overrides, shipped_template, template_names
from uq_tui.commands import display
from uq_tui.commands.groups import ListingGroup
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.errors import EXIT_PROBLEM, TemplateError
from uq_tui.paths import config_dir
from uq_tui.text import clean, clean_line

SHORT_HASH = 12
"""Characters of a hash in tables."""


@dataclass(frozen=True, slots=True)
class _Listed:
    """A template as runs would use it. `problem` says why an override can't be used; `used` is then `None`."""

    name: str
    used: Template | None
    override: Path | None
    problem: str


@click.group("templates", cls=ListingGroup, epilog=exit_codes())
def group() -> None:
    """List the prompt templates, or show one. Plain `templates` lists.

    A copy in the folder `templates` of the configuration folder overrides the template of its name.
    """


@group.command("list", epilog=exit_codes(partly="an override cannot be used"))
@json_option
@pass_invocation
def list_templates(invocation: Invocation) -> None:
    """List the templates that runs use, with version and hash, and overrides that cannot be used."""
    folder = config_dir() / "templates"
    listed = [_listed(name, folder) for name in template_names()]
    unused = _unused(folder)
    if invocation.as_json:
        write_json({"templates": [_object(one) for one in listed], "unused": [str(file) for file in unused]})
    else:
        shown = display.table("name", "version", "sha256", "output", "overridden", "purpose", fold=("purpose",))
        for one in listed:
            shown.add_row(*(display.cell(value) for value in _row(one)))
        display.print_table(shown)
    for problem in [one.problem for one in listed if one.problem]:
        click.echo(clean_line(problem), err=True)
    for file in unused:
        click.echo(clean_line(f"{file} overrides nothing: no template has its name."), err=True)
    if unused or any(one.problem for one in listed):
        click.get_current_context().exit(EXIT_PROBLEM)


@group.command("show", epilog=exit_codes())
@click.argument("name", type=utf8)
@click.option("--shipped", is_flag=True, help="The one that ships with uq-tui, also where it is overridden.")
@json_option
@pass_invocation
def show(invocation: Invocation, name: str, shipped: bool) -> None:
    """Print a template as a file: a copy to start an override from."""
    folder = config_dir() / "templates"
    template = shipped_template(name) if shipped else load_template(name, folder)
    if invocation.as_json:
        own = override_file(name, folder)
        override = None if shipped or not overrides(own) else own
        write_json({**_object(_Listed(name, template, override, "")), "source": template.source})
    else:
        click.echo(clean(template.source) if sys.stdout.isatty() else template.source, nl=False)


def _listed(name: str, folder: Path) -> _Listed:
    own = override_file(name, folder)
    override = own if overrides(own) else None
    try:
        return _Listed(name, load_template(name, folder), override, "")
    except TemplateError as error:
        return _Listed(name, None, override, error.message)


def _unused(folder: Path) -> list[Path]:
    """Files among the overrides that are none, most likely because of a slip in the name."""
    known = {override_file(name, folder) for name in template_names()}
    return sorted(file for file in folder.glob("*.md") if file not in known)


def _row(one: _Listed) -> tuple[str | None, ...]:
    overridden = "no" if one.override is None else "yes" if one.used else "unusable"
    if one.used is None:
        return (one.name, None, None, None, overridden, None)
    return (one.name, one.used.version, one.used.sha256[:SHORT_HASH], one.used.output, overridden, one.used.purpose)


def _object(one: _Listed) -> dict[str, object]:
    used = one.used
    return {
        "name": one.name,
        "version": used.version if used else None,
        "purpose": used.purpose if used else None,
        "inputs": list(used.inputs) if used else None,
        "output": used.output.value if used else None,
        "sha256": used.sha256 if used else None,
        "overridden": one.override is not None,
        "file": str(one.override) if one.override else None,
        "problem": one.problem,
    }
