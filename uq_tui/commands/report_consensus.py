"""`uq-tui report consensus`: what verdicts come to."""

from pathlib import Path
from typing import Any

import click

from exports.consensus import export_consensus
from store import reviewers
from uq_tui.analysis.consensus import DECIDING, Method
from uq_tui.analysis.dawid_skene import Reliability
from uq_tui.commands import blind
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, write_json
from uq_tui.commands.report_labels import CORRECT, INCORRECT, borderline_option
from uq_tui.commands.report_sections import print_nothing, print_sections
from uq_tui.commands.revealing import WHERE
from uq_tui.commands.verdict_subset import subset_json, subset_of, subset_options
from uq_tui.state.reports import agreement_tables, consensus, consensus_tables
from uq_tui.state.reports.consensus import ConsensusFindings, Wanted
from uq_tui.text import clean_line, counted
from uq_tui.words import Label


@click.command("consensus", epilog=exit_codes())
@click.option(
    "--method",
    type=click.Choice([one.value for one in Method]),
    default=Method.MAJORITY.value,
    show_default=True,
    help="Whether everybody counts the same, or by how reliable they are.",
)
@subset_options
@borderline_option
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    metavar="FILE",
    help="Write what each candidate comes to as JSON lines.",
)
@json_option
@pass_invocation
def report_consensus(invocation: Invocation, /, method: str, borderline: str, out: Path | None, **options: Any) -> None:
    """Say what the verdicts on each candidate come to, by majority or by Dawid and Skene's method.

    Ties are shown as ties. Where an adjudication settles a candidate, it is the consensus. With dawid-skene also how
    reliable each person is, as far as agreement with others tells.
    """
    with invocation.open() as workspace:
        own = reviewers.current(workspace).id
        wanted = Wanted(subset_of(workspace, options), borderline == CORRECT, Method(method))
        found = consensus.read(workspace, wanted, own, blind.left_out(workspace))
        rows = invocation.as_json or out is not None
        consensus.record_shown(workspace, own, found, WHERE, rows=rows)
        written = export_consensus(out, found.rows) if out is not None else 0
    if invocation.as_json:
        write_json(_as_json(found, out))
        return
    if not found.rows:
        print_nothing(agreement_tables.NOTHING_YET, found.left_out, agreement_tables.WHAT_TO_DO)
    else:
        print_sections(consensus_tables.intro(found), consensus_tables.sections(found))
    if out is not None:
        click.echo(clean_line(f"{counted(written, 'row')} written to {out}"), err=True)


def _as_json(found: ConsensusFindings, out: Path | None) -> dict[str, Any]:
    estimate = found.estimate
    return {
        "verdicts": subset_json(found.wanted.subset),
        "method": found.wanted.method,
        "borderline": CORRECT if found.wanted.borderline_correct else INCORRECT,
        "left_out_blind": found.left_out.questions,
        "standings": dict(found.standings),
        "people": [{"id": key, "name": name} for key, name in sorted(found.people.items())],
        "reliability": [] if estimate is None else [_reliability(*one) for one in estimate.people.items()],
        "converged": None if estimate is None else estimate.converged,
        "candidates": [row.record for row in found.rows],
        "file": None if out is None else str(out),
    }


def _reliability(person: str, own: Reliability[Label]) -> dict[str, Any]:
    return {
        "person": person,
        "n": own.n,
        "right": own.right,
        "expected": {label: own.expected[label] for label in DECIDING},
        "says": {true: {label: own.says[true][label] for label in DECIDING} for true in DECIDING},
    }
