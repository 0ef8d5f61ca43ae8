"""`uq-tui report convergence`: how fast utilities and judges' means settle."""

import dataclasses
from typing import Any

import click

from store import reviewers
from uq_tui.analysis.convergence import Size
from uq_tui.commands import blind
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, write_json
from uq_tui.commands.report_candidates import scorer_json
from uq_tui.commands.report_sections import print_nothing, print_sections
from uq_tui.commands.revealing import WHERE
from uq_tui.state.reports import candidate_scores, convergence, utility_tables
from uq_tui.state.reports.convergence import Convergence, Wanted


@click.command("convergence", epilog=exit_codes())
@click.option(
    "--size",
    type=click.Choice([one.value for one in Size]),
    default=Size.CALLS.value,
    show_default=True,
    help="What n counts: all calls for a candidate, or samples on each neighbour.",
)
@click.option("--replacement", is_flag=True, help="Draw with replacement.")
@click.option("--from-zero", is_flag=True, help="Divide by the top of a scale, as the paper does, not by its width.")
@click.option("--seed", type=int, default=0, show_default=True, help="Draws the same subsamples each time.")
@json_option
@pass_invocation
def report_convergence(invocation: Invocation, size: str, replacement: bool, from_zero: bool, seed: int) -> None:
    """Show how fast utilities and judges' means settle, by the rollouts and scores that are stored.

    The mean normalised error of n = 4, 8, 16, 32 and 64 samples of those that a candidate has, and the worst one.
    """
    wanted = Wanted(Size(size), replacement, from_zero, seed=seed)
    with invocation.open() as workspace:
        left_out = blind.left_out(workspace)
        found = convergence.settle(candidate_scores.read(workspace, left_out=left_out), wanted)
        candidate_scores.record_told(workspace, reviewers.current(workspace).id, found.told, WHERE)
    if invocation.as_json:
        write_json({**_as_json(found), "left_out_blind": left_out.questions})
    elif not found.curves:
        print_nothing(utility_tables.NO_SAMPLES, left_out)
    else:
        print_sections(
            (*left_out.lines, *utility_tables.convergence_intro(found)), utility_tables.convergence_sections(found)
        )


def _as_json(found: Convergence) -> dict[str, Any]:
    return {
        **dataclasses.asdict(found.wanted),
        "scorers": [
            {
                **scorer_json(number, one.name, one.scorer),
                "candidates": one.candidates,
                "used": one.used,
                "points": [dataclasses.asdict(point) for point in one.points],
            }
            for number, one in enumerate(found.curves, 1)
        ],
    }
