"""`uq-tui report agreement`: how far people agree."""

import dataclasses
from typing import Any

import click

from store import reviewers
from uq_tui.analysis.agreement_figures import Measured
from uq_tui.commands import blind
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, write_json
from uq_tui.commands.report_labels import CORRECT, INCORRECT, borderline_option
from uq_tui.commands.report_sections import print_nothing, print_sections
from uq_tui.commands.revealing import WHERE
from uq_tui.commands.verdict_subset import subset_json, subset_of, subset_options
from uq_tui.state.reports import agreement, agreement_tables
from uq_tui.state.reports.agreement import AgreementFindings, Wanted
from uq_tui.state.reports.agreement_people import Pair
from uq_tui.state.reports.agreement_validators import Beside


@click.command("agreement", epilog=exit_codes())
@subset_options
@borderline_option
@json_option
@pass_invocation
def report_agreement(invocation: Invocation, /, borderline: str, **options: Any) -> None:
    """Say how far people agree: percent, Cohen's kappa, Krippendorff's alpha.

    Over all candidates that several people judged, for each two people, for each person with themselves on repeats and
    with known labels of gold items, and for each validator beside people. Each figure comes with n and a 95 % interval
    from 1,000 resamples; what is undefined is shown as such, with the reason.
    """
    with invocation.open() as workspace:
        own = reviewers.current(workspace).id
        wanted = Wanted(subset_of(workspace, options), borderline == CORRECT)
        found = agreement.read(workspace, wanted, own, blind.left_out(workspace))
        agreement.record_shown(workspace, own, found, WHERE)
    if invocation.as_json:
        write_json(_as_json(found))
    elif not found.counts.verdicts:
        print_nothing(agreement_tables.NOTHING_YET, found.left_out, agreement_tables.WHAT_TO_DO)
    else:
        print_sections(agreement_tables.intro(found), agreement_tables.sections(found))


def _as_json(found: AgreementFindings) -> dict[str, Any]:
    return {
        "verdicts": subset_json(found.wanted.subset),
        "borderline": CORRECT if found.wanted.borderline_correct else INCORRECT,
        "counts": dataclasses.asdict(found.counts),
        "left_out_blind": found.left_out.questions,
        "outcomes_from_elsewhere": found.elsewhere,
        "people": [{"id": key, "name": name} for key, name in sorted(found.people.items())],
        "overall": [{"of": one.of, "figure": one.figure, **figure_json(one.found)} for one in found.overall],
        "pairs": [_pair(one) for one in found.pairs],
        "repeats": [
            {
                "person": one.person or None,
                "same_label": figure_json(one.labels),
                "kappa": figure_json(one.kappa),
                "undecided": one.undecided,
                "not_compared": one.not_compared,
            }
            for one in found.repeats
        ],
        "gold": [
            {"person": one.person, "right": figure_json(one.right), "undecided": one.undecided} for one in found.gold
        ],
        "validators": [_beside(one) for one in found.validators],
    }


def figure_json(found: Measured) -> dict[str, Any]:
    """A figure as JSON has it: `null` where it or its interval is undefined, with the reason."""
    return {
        "value": found.value,
        "low": found.low,
        "high": found.high,
        "n": found.n,
        "expected": found.expected,
        "undefined": found.undefined,
        "no_interval": found.interval.why,
        "undefined_resamples": found.interval.undefined,
    }


def _pair(one: Pair) -> dict[str, Any]:
    return {
        "people": list(one.people),
        "undecided": one.undecided,
        "same_decision": figure_json(one.decisions),
        "same_label": figure_json(one.labels),
        "kappa": figure_json(one.kappa),
        "counted": [{"labels": [first, second], "n": n} for (first, second), n in sorted(one.table.items())],
    }


def _beside(one: Beside) -> dict[str, Any]:
    return {
        "no": one.number,
        "strategy": one.strategy,
        "models": list(one.models),
        "answers_by": one.author,
        "n": one.n,
        "passed_validator": one.passed_validator,
        "passed_people": one.passed_people,
        "undecided": one.undecided,
        "agreement": figure_json(one.agreement),
        "kappa": figure_json(one.kappa),
        "reasoning_sound": figure_json(one.traces),
        "reasoning_unsure": one.traces_unsure,
    }
