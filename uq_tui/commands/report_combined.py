"""`uq-tui report combined`: utility together with a judge."""

import dataclasses
from typing import Any

import click

from store import reviewers
from uq_tui.commands import blind
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.commands.report_labels import held_json, label_options, labels
from uq_tui.commands.report_sections import print_nothing, print_sections
from uq_tui.commands.revealing import WHERE
from uq_tui.state.reports import candidate_scores, combined, utility_tables
from uq_tui.state.reports.combined import Combined, Wanted


@click.command("combined", epilog=exit_codes())
@click.option("--solver", type=utf8, default="", metavar="NAME", help="Whose utilities; a part of the name is enough.")
@click.option("--judge", type=utf8, default="", metavar="NAME", help="Whose scores; a part of the name is enough.")
@click.option("--folds", type=click.IntRange(2), default=10, show_default=True, help="Folds, each of whole questions.")
@click.option("--seed", type=int, default=0, show_default=True, help="Puts the same questions into the same folds.")
@label_options
@json_option
@pass_invocation
def report_combined(
    invocation: Invocation, solver: str, judge: str, folds: int, seed: int, against: str | None, borderline: str
) -> None:
    """Show what a judge's scores (J), utilities (U) and both together say of correctness.

    Logistic regression, cross-validated on questions that it has not seen, beside class balance and what calling all
    candidates what most are would reach; calibration of every solver and judge; tokens, distinct replies and similarity
    of the samples. Without --solver and --judge those with most labelled candidates are taken.
    """
    with invocation.open() as workspace:
        left_out = blind.left_out(workspace)
        scores = candidate_scores.read(workspace, labels=labels(against, borderline), left_out=left_out)
        found = combined.combine(workspace, scores, Wanted(solver, judge, folds, seed))
        candidate_scores.record_told(workspace, reviewers.current(workspace).id, found.told, WHERE)
    if invocation.as_json:
        write_json({**_as_json(found), "left_out_blind": left_out.questions})
    elif not found.calibrated:
        print_nothing(utility_tables.NO_SCORES, left_out, utility_tables.WHAT_TO_DO)
    else:
        print_sections(
            (*left_out.lines, *utility_tables.combined_intro(found)), utility_tables.combined_sections(found)
        )


def _as_json(found: Combined) -> dict[str, Any]:
    return {
        "solver": found.solver,
        "judge": found.judge,
        **held_json(found.held),
        "labels": {source.value: count for source, count in found.labels.items()},
        "references_left_out": found.references,
        "regression": dataclasses.asdict(found.comparison),
        "calibration": [{"scorer": one.name, **dataclasses.asdict(one.calibration)} for one in found.calibrated],
        "replies": [dataclasses.asdict(one) for one in found.replies],
    }
