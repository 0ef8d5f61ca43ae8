"""`uq-tui report`: what all that is in the workspace comes to."""

import dataclasses
from typing import Any

import click

from store import reviewers
from uq_tui.commands import display
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.commands.report_judges import report_judges
from uq_tui.commands.revealing import WHERE
from uq_tui.state import insight_tables, insights
from uq_tui.state.insights import Against, Findings, Wanted
from uq_tui.text import clean_line

CORRECT, INCORRECT = "correct", "incorrect"
PROSE = 78
"""Columns of sentences."""


@click.group("report", epilog=exit_codes())
def group() -> None:
    """Say what all that is in the workspace comes to."""


group.add_command(report_judges)


@group.command("validators", epilog=exit_codes())
@click.option(
    "--against",
    type=click.Choice([one.value for one in Against]),
    help="What counts as the truth. Without it: verdicts, or known labels while no judged candidate has a verdict.",
)
@click.option(
    "--borderline",
    type=click.Choice((CORRECT, INCORRECT)),
    default=CORRECT,
    show_default=True,
    help="What a borderline correct answer counts as.",
)
@click.option(
    "--strategy",
    "strategies",
    type=utf8,
    multiple=True,
    metavar="NAME",
    help="Only this strategy, by name or one-line form; may be given several times.",
)
@json_option
@pass_invocation
def report_validators(
    invocation: Invocation, against: str | None, borderline: str, strategies: tuple[str, ...]
) -> None:
    """Hold validators against labels: accuracy, precision, recall, kappa, and what to think of them.

    Shares come with how many they are of, and rates with 95 % intervals. What is undefined is shown as such.
    """
    wanted = Wanted(Against(against) if against else None, borderline == CORRECT, strategies)
    with invocation.open() as workspace:
        found = insights.read(workspace, wanted)
        insights.record_shown(workspace, reviewers.current(workspace).id, found, WHERE)
    if invocation.as_json:
        write_json(_as_json(found))
    else:
        _print(found)


def _print(found: Findings) -> None:
    if not found.report.validators:
        for line in (insight_tables.NOTHING_YET, *insight_tables.WHAT_TO_DO):
            click.echo(line, err=True)
        return
    for line in insight_tables.intro(found):
        _say(line)
    for section in insight_tables.sections(found.report):
        click.echo(f"\n{section.title}")
        _say(section.about)
        wrapping = [name for name in section.columns if name not in section.numbers]
        shown = display.table(*section.columns, right=section.numbers, fold=wrapping)
        for row in section.rows:
            shown.add_row(*(display.cell(value) for value in row))
        display.print_table(shown)
        for note in section.notes:
            _say(note)


def _say(sentences: str) -> None:
    """Prose, in lines that a terminal of usual width holds."""
    click.echo(click.wrap_text(clean_line(sentences), width=PROSE))


def _as_json(found: Findings) -> dict[str, Any]:
    """All counts and figures; a figure that is undefined has `null` and says why."""
    return {
        "against": found.against,
        "fell_back": found.fell_back,
        "borderline": CORRECT if found.borderline_correct else INCORRECT,
        "reviewers": found.reviewers,
        "unfinished_runs": found.unfinished,
        **dataclasses.asdict(found.report),
    }
