"""`uq-tui report judges`: how judges score, and how far they agree on an order of the candidates."""

from collections.abc import Mapping, Sequence
from typing import Any

import click
from rich.table import Table

from store import questions
from uq_tui.analysis.ranks import LEAST_PAIRS, Correlation
from uq_tui.analysis.scores import bars
from uq_tui.commands import display
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.commands.results import model_warning
from uq_tui.commands.revealing import record
from uq_tui.state import scores
from uq_tui.state.scores import Pair, Series, share_text
from uq_tui.text import clean_line
from uq_tui.words import Exposure

LEGEND = (
    "Spearman's rho of the candidates' mean scores, with the number of candidates that both have scored. few: fewer"
    f" than {LEAST_PAIRS} of them; constant: one of both gave them all the same mean."
)
LIMITS = (
    "Of several runs by the same judge and model on a candidate the newest finished one counts. All questions are taken"
    " together unless --question names one."
)
MIXED = (
    "{judge} by {model}: not all candidates were judged alike. Prompts, forms or addresses of the model differ, and the"
    " figures take them together."
)


@click.command("judges", epilog=exit_codes())
@click.option(
    "--question", "question_id", type=utf8, default="", metavar="ID", help="Only candidates of this question."
)
@json_option
@pass_invocation
def report_judges(invocation: Invocation, question_id: str) -> None:
    """Show how judges score, and how far they agree.

    For each judge template and model: candidates and scores, the mean of the candidates' means, the standard deviation
    between candidates and within one, replies that brought no score, and the share of scores at the top of the scale.
    Then Spearman's rho between each two.
    """
    with invocation.open() as workspace:
        if question_id:
            questions.get(workspace, question_id)
        found = scores.report(workspace, question_id)
        for one in found.series:
            if one.telling:
                owners = ((scoring.question_id, scoring.candidate_id) for scoring in one.scorings)
                record(workspace, owners, Exposure.SCORES)
    warnings = [said for model in dict.fromkeys(one.model for one in found.series) if (said := model_warning(model))]
    warnings += [MIXED.format(judge=one.judge, model=one.model) for one in found.series if one.mixed]
    if invocation.as_json:
        judges = [_json(one) for one in found.series]
        write_json({"judges": judges, "agreement": _agreement_json(found.agreement), "warnings": warnings})
        return
    if not found.series:
        click.echo("No judge run is finished. `uq-tui judge` has candidates scored.", err=True)
        return
    display.print_table(_table(found.series))
    if found.agreement:
        click.echo()
        display.print_table(_matrix([one.pair for one in found.series], found.agreement))
        click.echo(LEGEND, err=True)
    for said in (LIMITS, *warnings):
        click.echo(clean_line(said), err=True)


def _table(series: Sequence[Series]) -> Table:
    shown = display.table(
        "",
        "judge",
        "model",
        "candidates",
        "mean",
        "sd between",
        "sd within",
        "scored",
        "unparsed",
        "failed",
        "at the top",
        "lowest to highest",
        right=("", "candidates", "mean", "sd between", "sd within"),
        fold=("model",),
    )
    for number, one in enumerate(series, start=1):
        own = one.overview
        values = (
            number,
            one.judge,
            one.model,
            own.candidates,
            _decimals(own.mean),
            _decimals(own.between),
            _decimals(own.within),
            f"{own.scored:,}/{own.planned:,}",
            share_text(own.unparsed, own.planned),
            share_text(own.failed, own.planned),
            share_text(own.ceiling, own.scored),
            bars(own.histogram),
        )
        shown.add_row(*(display.cell(value) for value in values))
    return shown


def _matrix(pairs: Sequence[Pair], agreement: Mapping[tuple[Pair, Pair], Correlation]) -> Table:
    """Each cell has rho and how many candidates are behind it. Numbers are those of the table above."""
    numbers = [str(number) for number in range(1, len(pairs) + 1)]
    shown = display.table("", "rho with", *numbers[:-1], right=("",))
    for row, pair in enumerate(pairs[1:], start=1):
        cells = [_rho(agreement[other, pair]) for other in pairs[:row]]
        cells += [""] * (len(numbers) - 1 - row)
        shown.add_row(*(display.cell(value) for value in (numbers[row], pair[0], *cells)))
    return shown


def _rho(found: Correlation) -> str:
    if found.rho is not None:
        return f"{found.rho:.2f} ({found.n:,})"
    return f"– ({found.n:,}, {'few' if found.n < LEAST_PAIRS else 'constant'})"


def _decimals(value: float | None) -> str | None:
    return None if value is None else f"{value:.2f}"


def _json(one: Series) -> dict[str, Any]:
    own = one.overview
    return {
        "judge": one.judge,
        "model": one.model,
        "lowest": one.scale.lowest,
        "highest": one.scale.highest,
        "candidates": own.candidates,
        "planned": own.planned,
        "scored": own.scored,
        "unparsed": own.unparsed,
        "failed": own.failed,
        "mean": own.mean,
        "sd_between": own.between,
        "sd_within": own.within,
        "histogram": list(own.histogram),
        "ceiling_share": own.ceiling_share,
        "constrained": any(scoring.constrained for scoring in one.scorings),
    }


def _agreement_json(agreement: Mapping[tuple[Pair, Pair], Correlation]) -> list[dict[str, Any]]:
    return [
        {
            "left": {"judge": left[0], "model": left[1]},
            "right": {"judge": right[0], "model": right[1]},
            "rho": found.rho,
            "candidates": found.n,
            "undefined": found.undefined,
        }
        for (left, right), found in agreement.items()
    ]
