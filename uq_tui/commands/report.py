"""`uq-tui report`: what all that is in the workspace comes to."""

import dataclasses
from typing import Any

import click

from store import reviewers
from uq_tui.commands import blind
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.commands.report_agreement import report_agreement
from uq_tui.commands.report_candidates import report_candidates
from uq_tui.commands.report_combined import report_combined
from uq_tui.commands.report_consensus import report_consensus
from uq_tui.commands.report_convergence import report_convergence
from uq_tui.commands.report_judges import report_judges
from uq_tui.commands.report_labels import CORRECT, INCORRECT, against_option, borderline_option
from uq_tui.commands.report_plots import report_plots
from uq_tui.commands.report_sections import print_nothing, print_sections
from uq_tui.commands.report_selection import report_selection
from uq_tui.commands.report_standing import report_standing
from uq_tui.commands.report_work import report_work
from uq_tui.commands.revealing import WHERE
from uq_tui.state.reports import insight_tables, insights
from uq_tui.state.reports.insights import Findings, Wanted
from uq_tui.state.reports.labels import Against


@click.group("report", epilog=exit_codes())
def group() -> None:
    """Say what all that is in the workspace comes to."""


for _command in (
    report_agreement,
    report_consensus,
    report_judges,
    report_candidates,
    report_selection,
    report_convergence,
    report_combined,
    report_standing,
    report_work,
    report_plots,
):
    group.add_command(_command)


@group.command("validators", epilog=exit_codes())
@against_option("Without it: verdicts, or known labels while no judged candidate has a verdict.")
@borderline_option
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
        found = insights.read(workspace, wanted, blind.left_out(workspace))
        insights.record_shown(workspace, reviewers.current(workspace).id, found, WHERE)
    if invocation.as_json:
        write_json(_as_json(found))
    else:
        _print(found)


def _print(found: Findings) -> None:
    if not found.report.validators:
        print_nothing(insight_tables.NOTHING_YET, found.left_out, insight_tables.WHAT_TO_DO)
        return
    print_sections(insight_tables.intro(found), insight_tables.sections(found.report))


def _as_json(found: Findings) -> dict[str, Any]:
    """All counts and figures; a figure that is undefined has `null` and says why."""
    return {
        "against": found.against,
        "fell_back": found.fell_back,
        "borderline": CORRECT if found.borderline_correct else INCORRECT,
        "reviewers": found.reviewers,
        "unfinished_runs": found.unfinished,
        "outcomes_from_elsewhere": found.elsewhere,
        "left_out_blind": found.left_out.questions,
        **dataclasses.asdict(found.report),
    }
