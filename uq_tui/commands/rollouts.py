"""`uq-tui rollouts`: what came of each attempt at a neighbour with a candidate as the example."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import click
from rich.table import Table

from store import calls, judgements, neighbours, runs
from store.rows import Neighbour
from store.run_rows import Rollout, Run
from store.workspace import Workspace
from uq_tui.commands import blind, display, ids
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.commands.revealing import record
from uq_tui.errors import NotFoundError
from uq_tui.state.utility.rollouts import Kind, kind_of, told_by
from uq_tui.text import clean, clean_line, counted
from uq_tui.words import Exposure

KEY = 12
"""Characters of a call's key in the table."""
LONGEST_CELL = 120
"""Characters of an answer or a reason in the table."""


@dataclass(frozen=True, slots=True)
class _Listed:
    """A rollout with its number in the list."""

    number: int
    arm: str
    rollout: Rollout
    neighbour: Neighbour


@click.command("rollouts", epilog=exit_codes())
@click.argument("candidate", type=utf8)
@click.option(
    "--run", "given", type=utf8, default="", metavar="RUN", help="Those of this run; of the newest by default."
)
@click.option("--controls", is_flag=True, help="Also those without any candidate, and with another question's.")
@click.option("--text", "shown", type=click.IntRange(min=1), metavar="N", help="Show the whole reply of number N.")
@json_option
@pass_invocation
def rollouts(invocation: Invocation, candidate: str, given: str, controls: bool, shown: int | None) -> None:
    """List the attempts at neighbours with CANDIDATE as the example, by what came of them."""
    with invocation.open() as workspace:
        candidate_id = ids.candidate(workspace, candidate)
        blind.refuse(workspace, candidate_id=candidate_id)
        run = _run(workspace, candidate_id, ids.run(workspace, given) if given else "")
        listed = _listed(workspace, run, candidate_id, controls=controls)
        chosen = None if shown is None else _numbered(listed, shown)
        record(workspace, [(run.spec["question_id"], candidate_id)], Exposure.UTILITY)
        if chosen is not None:
            _show_text(invocation, workspace, chosen)
            return
    if invocation.as_json:
        write_json({"run_id": run.id, "rollouts": [_json(one) for one in listed]})
        return
    display.print_table(_table(listed))
    click.echo(clean_line(f"Run {run.id}: {run.title}. --text N shows the whole reply of number N."), err=True)


def _run(workspace: Workspace, candidate_id: str, run_id: str) -> Run:
    """The run that is named, or the newest that measured the candidate. Raises NotFoundError."""
    hint = "`uq-tui cbu QUESTION` makes some; `uq-tui runs` lists the runs there are."
    found = [one.run_id for one in judgements.utilities_of_candidate(workspace, candidate_id)]
    if run_id and run_id not in found:
        raise NotFoundError(f"Run {run_id} has no rollouts with candidate {candidate_id}.", hint=hint)
    if not found:
        raise NotFoundError(f"There are no rollouts with candidate {candidate_id}.", hint=hint)
    return runs.get(workspace, run_id or found[-1])


def _listed(workspace: Workspace, run: Run, candidate_id: str, *, controls: bool) -> list[_Listed]:
    """Rollouts by arm, neighbour, outcome and sample, numbered in this order."""
    around = {one.id: one for one in neighbours.of_question(workspace, run.spec["question_id"])}
    placebo = run.spec.get("placebo")
    arms = {candidate_id: "candidate"}
    if controls:
        arms[""] = "control"
        arms |= {placebo["candidate"]["id"]: "placebo"} if placebo else {}
    found = judgements.rollouts_of_run(workspace, run.id, candidate_ids=arms)
    places, kinds = list(arms), list(Kind)

    def place(one: Rollout) -> tuple[int, int, int, int]:
        number = around[one.neighbour_id].number
        return places.index(one.candidate_id), number, kinds.index(kind_of(one)), one.sample

    return [
        _Listed(number, arms[one.candidate_id], one, around[one.neighbour_id])
        for number, one in enumerate(sorted(found, key=place), 1)
    ]


def _table(listed: Sequence[_Listed]) -> Table:
    shown = display.table(
        *("N", "arm", "neighbour", "outcome", "sample", "answer", "expected", "decided", "reason", "call"),
        right=("N", "sample"),
        fold=("answer", "expected", "reason"),
    )
    for one in listed:
        row = one.rollout
        values = (
            one.number,
            one.arm,
            f"N{one.neighbour.number}",
            kind_of(row).value,
            row.sample,
            _short(row.answer) or None,
            _short(one.neighbour.answer),
            told_by(row) or None,
            _short(row.reason),
            row.call_key[:KEY],
        )
        shown.add_row(*(display.cell(value) for value in values))
    return shown


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_CELL else f"{text[:LONGEST_CELL]}… ({len(text):,} characters)"


def _json(one: _Listed) -> dict[str, Any]:
    return {
        "number": one.number,
        "arm": one.arm,
        **dataclasses.asdict(one.rollout),
        "outcome": kind_of(one.rollout).value,
        "expected": one.neighbour.answer,
        "neighbour": one.neighbour.number,
    }


def _numbered(listed: Sequence[_Listed], number: int) -> _Listed:
    if number > len(listed):
        raise NotFoundError(
            f"There is no number {number:,}: {counted(len(listed), 'rollout')} would be listed.",
            hint="The list without --text has the numbers; --controls adds those of the controls.",
        )
    return listed[number - 1]


def _show_text(invocation: Invocation, workspace: Workspace, one: _Listed) -> None:
    """The reply of one rollout, whole; of a call that failed what had come of it."""
    call = calls.get(workspace, one.rollout.call_key)
    if call is None:
        raise NotFoundError(f"The call {one.rollout.call_key} of this rollout is not in the workspace.")
    if invocation.as_json:
        write_json({**_json(one), "reasoning": call.reasoning, "reply": call.reply, "error": call.error})
        return
    parts = [
        f"{one.arm}, N{one.neighbour.number}, sample {one.rollout.sample}: {kind_of(one.rollout).value}",
        f"{counted(len(call.reasoning), 'character')} of reasoning before it: --json has them"
        if call.reasoning
        else "",
        call.error,
    ]
    click.echo(clean_line("; ".join(filter(None, parts))), err=True)
    click.echo(clean(call.reply))
