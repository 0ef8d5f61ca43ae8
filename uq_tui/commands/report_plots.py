"""`uq-tui report plots`: the plots and tables of Insights as files."""

from pathlib import Path
from typing import Any

import click

from store import reviewers
from store.opinions import VerdictSubset
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.commands.report_labels import INCORRECT, borderline_option
from uq_tui.commands.revealing import WHERE
from uq_tui.commands.verdict_subset import subset_of, subset_options
from uq_tui.state.reports.saving import Format, items, save
from uq_tui.state.reports.tab import Option
from uq_tui.state.reports.tabs import TABS
from uq_tui.text import clean_line, counted


@click.command("plots", epilog=exit_codes())
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    metavar="FOLDER",
    help="Where files go; it is made where it isn't there. Files of the same names are replaced.",
)
@click.option(
    "--tab",
    "tabs",
    type=click.Choice([tab.name for tab in TABS]),
    multiple=True,
    help="Only this tab of Insights; may be given several times.",
)
@click.option(
    "--format",
    "formats",
    type=click.Choice([one.value for one in Format]),
    multiple=True,
    help="Only this format; may be given several times. SVG and PNG need matplotlib, which the extra `plots` brings.",
)
@click.option(
    "--only", type=utf8, default="", metavar="TEXT", help="Only plots and tables with this in the name of their file."
)
@subset_options
@borderline_option
@json_option
@pass_invocation
def report_plots(
    invocation: Invocation,
    /,
    out: Path,
    tabs: tuple[str, ...],
    formats: tuple[str, ...],
    only: str,
    borderline: str,
    **options: Any,
) -> None:
    """Save the plots of Insights as SVG and PNG, and their numbers and all tables as CSV.

    With an option that chooses verdicts, only the tabs are saved that are on verdicts: agreement, consensus, standing.
    """
    wanted = frozenset(map(Format, formats)) or frozenset(Format)
    written: list[Path] = []
    with invocation.open() as workspace:
        reviewer_id = reviewers.current(workspace).id
        subset = subset_of(workspace, options)
        reports = {tab.name: tab.open(workspace, reviewer_id) for tab in TABS if not tabs or tab.name in tabs}
        if subset != VerdictSubset():
            others = [name for name, report in reports.items() if not report.on_verdicts]
            if tabs and others:
                raise click.UsageError(
                    f"Verdicts can't be chosen for {', '.join(others)}: not all there comes from them."
                )
            reports = {name: report for name, report in reports.items() if report.on_verdicts}
        for name, report in reports.items():
            report.restrict(subset)
            if borderline == INCORRECT and Option.BORDERLINE in report.options:
                report.turn(Option.BORDERLINE)
            there = [one for one in items(name, report.read(WHERE)) if only in one.name]
            saved = save(out, there, wanted)
            written += saved
            if not invocation.as_json:
                click.echo("".join(f"{clean_line(str(path))}\n" for path in saved), nl=False)
    if invocation.as_json:
        write_json({"files": [str(path) for path in written]})
    else:
        click.echo(f"Wrote {counted(len(written), 'file')}." if written else "There is nothing to save yet.", err=True)
