"""`uq-tui report selection`: how well each scorer picks the correct candidates."""

import dataclasses
from typing import Any

import click

from store import reviewers
from uq_tui.commands import blind
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, write_json
from uq_tui.commands.report_candidates import scorer_json
from uq_tui.commands.report_labels import held_json, label_options, labels
from uq_tui.commands.report_sections import print_nothing, print_sections
from uq_tui.commands.revealing import WHERE
from uq_tui.state.reports import candidate_scores, selection, utility_tables
from uq_tui.state.reports.selection import Per, Selection, Wanted


@click.command("selection", epilog=exit_codes())
@click.option(
    "--unit",
    type=click.Choice([one.value for one in Per]),
    default=Per.ORIGINAL.value,
    show_default=True,
    help="What a metric is computed for: a question by its mean, a question averaged over its neighbours, a neighbour.",
)
@click.option("--reference-out", is_flag=True, help="Rank no reference solution; only HumanWin looks at it then.")
@label_options
@json_option
@pass_invocation
def report_selection(
    invocation: Invocation, unit: str, reference_out: bool, against: str | None, borderline: str
) -> None:
    """Show how well each scorer picks the correct candidates.

    HumanWin, MeanWin, Acc@1, Recall@5 and AUC of solvers, judges, validators and outside scorers, over the questions
    with labelled candidates, beside the base rate and what blind scores would reach. Then how often wrong, correct and
    reference candidates score above their question's mean, and separation against difficulty.
    """
    with invocation.open() as workspace:
        left_out = blind.left_out(workspace)
        wanted = Wanted(labels(against, borderline), Per(unit), not reference_out)
        found = selection.select(candidate_scores.read(workspace, labels=wanted.labels, left_out=left_out), wanted)
        candidate_scores.record_told(workspace, reviewers.current(workspace).id, found.told, WHERE)
    if invocation.as_json:
        write_json({**_as_json(found), "left_out_blind": left_out.questions})
    elif not found.qualities:
        print_nothing(utility_tables.NO_SCORES, left_out, utility_tables.WHAT_TO_DO)
    else:
        print_sections(
            (*left_out.lines, *utility_tables.selection_intro(found)), utility_tables.selection_sections(found)
        )


def _as_json(found: Selection) -> dict[str, Any]:
    return {
        "unit": found.wanted.per,
        "reference_counts": found.wanted.reference_counts,
        **held_json(found.wanted.labels),
        "labels": {source.value: count for source, count in found.labels.items()},
        "candidates": found.candidates,
        "labelled": found.labelled,
        "questions": found.questions,
        "scorers": [
            {
                **scorer_json(number, one.name, one.scorer),
                "metrics": dataclasses.asdict(one.metrics),
                "above_mean": dataclasses.asdict(one.above),
                "separation": None if one.separation is None else dataclasses.asdict(one.separation),
            }
            for number, one in enumerate(found.qualities, 1)
        ],
    }
