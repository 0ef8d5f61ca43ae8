"""`uq-tui report standing`: who has solved what, and who has judged it."""

import dataclasses
from typing import Any

import click

from store import reviewers
from uq_tui.analysis.classification import Figure
from uq_tui.commands import blind
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, write_json
from uq_tui.commands.report_labels import CORRECT, INCORRECT, borderline_option
from uq_tui.commands.report_sections import print_nothing, print_sections
from uq_tui.commands.revealing import WHERE
from uq_tui.commands.verdict_subset import subset_json, subset_of, subset_options
from uq_tui.state.reports import standing, standing_tables
from uq_tui.state.reports.agreement import Wanted
from uq_tui.state.reports.solvers import Solver
from uq_tui.state.reports.standing import StandingFindings


@click.command("standing", epilog=exit_codes())
@subset_options
@borderline_option
@json_option
@pass_invocation
def report_standing(invocation: Invocation, /, borderline: str, **options: Any) -> None:
    """Say which models, systems and people have solved what, and who has judged it.

    Places go by questions that people have verified as resolved, with how many were judged. What validators would make
    of it stands beside it: each gives other places, so none decides. Problems that you still judge blind are left out.
    """
    with invocation.open() as workspace:
        own = reviewers.current(workspace).id
        wanted = Wanted(subset_of(workspace, options), borderline == CORRECT)
        found = standing.read(workspace, wanted, own, blind.left_out(workspace))
        standing.record_shown(workspace, own, found, WHERE)
    if invocation.as_json:
        write_json(_as_json(found))
    elif standing_tables.is_empty(found):
        print_nothing(standing_tables.NOTHING_YET, found.left_out, standing_tables.WHAT_TO_DO)
    else:
        print_sections(standing_tables.intro(found), standing_tables.sections(found))


def _as_json(found: StandingFindings) -> dict[str, Any]:
    by = found.validators
    return {
        "verdicts": subset_json(found.wanted.subset),
        "borderline": CORRECT if found.wanted.borderline_correct else INCORRECT,
        "left_out_blind": found.left_out.questions,
        "outcomes_from_elsewhere": found.elsewhere,
        "questions": {state.value: n for state, n in found.states.items()},
        "names": {kind.value: n for kind, n in found.answerers.items()},
        "ranking": [
            {"place": one.place, **_solver(one.solver), "resolved": one.resolved, "correct": _figure(one.correct)}
            for one in found.ranking
        ],
        "validators": [
            {
                "no": one.number,
                **dataclasses.asdict(one.validator),
                "accepted": _figure(one.accepted),
                "undecided": one.undecided,
                "base_rate": _figure(one.base_rate),
            }
            for one in by.rates
        ],
        "passed": [
            {
                "no": one.number,
                "by": None if one.by is None else _solver(one.by),
                "place": one.place,
                "passed": _figure(one.passed),
                "correct": _figure(one.correct),
            }
            for one in by.passed
        ],
        "places": [
            {**_solver(one.by), "places": [{"no": no, "place": place} for no, place in sorted(one.places.items())]}
            for one in by.moved
        ],
        "like_people": [
            {
                "no": one.number,
                "authors": one.authors,
                "candidates": one.candidates,
                "tau_b": one.tau_b,
                "undefined": one.undefined,
            }
            for one in by.likeness
        ],
        "credit": [{**dataclasses.asdict(one), "stood": _figure(one.stood)} for one in found.credit],
    }


def _solver(one: Solver) -> dict[str, str]:
    return {"name": one.name, "kind": one.kind.value}


def _figure(one: Figure) -> dict[str, Any]:
    """As `report validators --json` has figures: `null` where one is undefined, with the reason."""
    return dataclasses.asdict(one)
