"""`uq-tui report judges`: how judges score, and how far they agree on an order of the candidates."""

from typing import Any

import click
from rich.table import Table

from store import questions
from uq_tui.analysis.ranks import LEAST_PAIRS, Correlation
from uq_tui.analysis.scores import bars
from uq_tui.commands import blind, display
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.commands.results import model_warning
from uq_tui.commands.revealing import record
from uq_tui.state.findings import scores
from uq_tui.state.findings.scores import Report, Series, share_text
from uq_tui.text import clean_line
from uq_tui.words import Exposure

LEGEND = (
    "Spearman's rho of the candidates' mean scores, with the number of candidates that both have scored. few: fewer"
    f" than {LEAST_PAIRS} of them; constant: one of both gave them all the same mean."
)
LIMITS = (
    "Of several runs by the same judge on a candidate, asked alike, the newest finished one counts. All questions are"
    " taken together unless --question names one."
)
APART = "Eight characters tell apart what other prompts asked, or how replies were drawn."


@click.command("judges", epilog=exit_codes())
@click.option(
    "--question", "question_id", type=utf8, default="", metavar="ID", help="Only candidates of this question."
)
@json_option
@pass_invocation
def report_judges(invocation: Invocation, question_id: str) -> None:
    """Show how judges score, and how far they agree.

    For each judge template and model, and apart where form, prompts or address differ: candidates and scores, the mean
    of the candidates' means, the standard deviation between candidates and within one, replies that brought no score,
    and the share of scores at the top of the scale. Then Spearman's rho between each two.
    """
    with invocation.open() as workspace:
        if question_id:
            questions.get(workspace, question_id)
            blind.refuse(workspace, question_id=question_id)
        left_out = blind.left_out(workspace)
        found = scores.report(workspace, question_id, left_out)
        for one in found.series:
            if one.telling:
                owners = ((scoring.question_id, scoring.candidate_id) for scoring in one.scorings)
                record(workspace, owners, Exposure.SCORES)
    warnings = [*left_out.lines] if not question_id else []
    warnings += [
        said for model in dict.fromkeys(one.way.model for one in found.series) if (said := model_warning(model))
    ]
    if invocation.as_json:
        judges = [_json(one) for one in found.series]
        write_json({"judges": judges, "agreement": _agreement_json(found), "warnings": warnings})
        return
    if not found.series:
        for said in ("No judge run is finished. `uq-tui judge` has candidates scored.", *warnings):
            click.echo(said, err=True)
        return
    display.print_table(_table(found))
    if found.agreement:
        click.echo()
        display.print_table(_matrix(found))
        click.echo(LEGEND, err=True)
    for said in (*([APART] if found.several_prompts else []), LIMITS, *warnings):
        click.echo(clean_line(said), err=True)


def _table(found: Report) -> Table:
    shown = display.table(
        "",
        "judge",
        "model",
        "form",
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
    for one in found.series:
        own = one.overview
        values = (
            f"{one.number:,}",
            one.way.judge,
            *found.names(one),
            f"{own.candidates:,}",
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


def _matrix(found: Report) -> Table:
    """Each cell has rho and how many candidates are behind it. Numbers are those of the table above."""
    numbers = [one.number for one in found.series]
    shown = display.table("", "rho with", *(f"{number:,}" for number in numbers[:-1]), right=("",))
    for one in found.series[1:]:
        cells = [_rho(found.agreement[other, one.number]) for other in numbers[: one.number - 1]]
        cells += [""] * (len(numbers) - 1 - len(cells))
        shown.add_row(*(display.cell(value) for value in (f"{one.number:,}", one.way.judge, *cells)))
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
        "no": one.number,
        **one.way._asdict(),
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


def _agreement_json(found: Report) -> list[dict[str, Any]]:
    named = {one.number: {"no": one.number, "judge": one.way.judge, "model": one.way.model} for one in found.series}
    return [
        {
            "left": named[left],
            "right": named[right],
            "rho": between.rho,
            "candidates": between.n,
            "undefined": between.undefined,
        }
        for (left, right), between in found.agreement.items()
    ]
