"""`uq-tui report candidates`: all scores of one question's candidates."""

import dataclasses
from typing import Any

import click

from store import questions, reviewers
from uq_tui.commands import blind
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.commands.report_labels import label_options, labels
from uq_tui.commands.report_sections import print_sections
from uq_tui.commands.revealing import WHERE
from uq_tui.state.reports import candidate_scores, candidate_table
from uq_tui.state.reports.candidate_scores import Given, Scores
from uq_tui.state.reports.candidate_table import Ranked
from uq_tui.state.reports.scorers import Scorer


@click.command("candidates", epilog=exit_codes())
@click.argument("question", type=utf8)
@click.option("--by", type=utf8, default="", metavar="NAME", help="Rank by this scorer; a part of its name is enough.")
@label_options
@json_option
@pass_invocation
def report_candidates(invocation: Invocation, question: str, by: str, against: str | None, borderline: str) -> None:
    """Show what every scorer gave to the candidates of QUESTION, ranked.

    Utility with lift and control for each solver, the mean of each judge, the outcome of each validator, the scores of
    outside scorers, and the label: verdicts or the known one; the reference solution is correct. Ties are marked.
    """
    with invocation.open() as workspace:
        questions.get(workspace, question)
        blind.refuse(workspace, question_id=question)
        found = candidate_scores.read(workspace, question, labels(against, borderline))
        chosen = candidate_table.chosen(found, by)
        candidate_scores.record_shown(workspace, reviewers.current(workspace).id, found.rows, WHERE)
    if invocation.as_json:
        write_json(_as_json(question, found, chosen))
    else:
        print_sections((), [candidate_table.section(found, chosen)])


def _as_json(question_id: str, found: Scores, by: Scorer | None) -> dict[str, Any]:
    numbers = {scorer: number for number, scorer in enumerate(found.scorers, 1)}
    return {
        "question_id": question_id,
        "ranked_by": None if by is None else numbers[by],
        "scorers": [scorer_json(number, found.names[one], one) for one, number in numbers.items()],
        "candidates": [_candidate_json(one, numbers) for one in candidate_table.ranked(found.rows, by)],
    }


def scorer_json(number: int, name: str, one: Scorer) -> dict[str, Any]:
    """A scorer with the number and the name that a report gives it."""
    return {"no": number, "shown_as": name, **dataclasses.asdict(one)}


def _candidate_json(one: Ranked, numbers: dict[Scorer, int]) -> dict[str, Any]:
    row = one.row
    return {
        **dataclasses.asdict(row.place),
        "rank": one.rank,
        "tied": one.tied,
        "standing": row.held.standing,
        "labels": list(row.held.labels),
        "label_source": row.held.source,
        "scores": [_given_json(number, row.given[by]) for by, number in numbers.items() if by in row.given],
    }


def _given_json(number: int, given: Given) -> dict[str, Any]:
    shown = {name: getattr(given, name) for name in ("value", "n", "planned", "low", "high", "outcome", "comparable")}
    utility = None if given.utility is None else dataclasses.asdict(given.utility)
    return {"scorer": number, **shown, "run_id": given.run_id, "samples": list(given.samples), "utility": utility}
