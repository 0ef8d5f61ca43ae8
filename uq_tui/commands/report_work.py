"""`uq-tui report work`: what models and people have been at, and what it took."""

import dataclasses

import click

from store import reviewers
from uq_tui.commands import blind
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, write_json
from uq_tui.commands.report_sections import print_nothing, print_sections
from uq_tui.state.reports import work, work_tables


@click.command("work", epilog=exit_codes())
@json_option
@pass_invocation
def report_work(invocation: Invocation) -> None:
    """Show calls, tokens and cost by model, what failed, and the pace of verdicts.

    What nobody reported is unknown and counted apart: a sum over other calls has a ≥ before it. Of problems that you
    still judge blind neither runs nor verdicts count.
    """
    with invocation.open() as workspace:
        found = work.read(workspace, reviewers.current(workspace).id, blind.left_out(workspace))
    if invocation.as_json:
        plain = dataclasses.asdict(found)
        del plain["left_out"]
        write_json({**plain, "left_out_blind": found.left_out.questions})
    elif not (found.models or found.people):
        print_nothing(work_tables.NOTHING_YET, found.left_out, work_tables.WHAT_TO_DO)
    else:
        print_sections(work_tables.intro(found), work_tables.sections(found))
