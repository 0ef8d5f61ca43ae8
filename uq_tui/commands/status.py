"""`uq-tui status`: what of the work that was handed out has come back, and what is missing."""

from collections.abc import Sequence
from typing import Any

import click

from store import queues, reviewers
from store.review_rows import Queue
from uq_tui.commands import display
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.state.reviewing import bundles
from uq_tui.state.reviewing.bundles import REASONS, ShareLine
from uq_tui.text import clean_line, counted
from uq_tui.words import NotJudged


@click.command("status", epilog=exit_codes())
@click.option(
    "--queue", "queue_name", type=utf8, default="", metavar="NAME", help="Only this queue; else all open ones."
)
@json_option
@pass_invocation
def status(invocation: Invocation, queue_name: str) -> None:
    """Show what each reviewer of a queue has returned and what is missing, and what is out of their depth.

    Of problems that you judge blind it isn't said which items came back without a label.
    """
    with invocation.open() as workspace:
        me = reviewers.current(workspace).id
        asked = [queues.by_name(workspace, queue_name)] if queue_name else queues.all_of(workspace)
        found = [
            (queue, bundles.status(workspace, queue, by=me)) for queue in asked if queue_name or queue.closed_at is None
        ]
    if invocation.as_json:
        write_json({"queues": [_json(queue, lines) for queue, lines in found]})
        return
    for queue, lines in found:
        _print(queue, lines, alone=bool(queue_name))
    if not found:
        click.echo("No open queues.", err=True)


def _print(queue: Queue, lines: Sequence[ShareLine], *, alone: bool) -> None:
    if not alone:
        click.echo(clean_line(queue.name))
    usual = REASONS[:2]
    reasons = REASONS if any(line.status.count(one) for line in lines for one in REASONS if one not in usual) else usual
    words = [reason.value.replace("_", " ") for reason in reasons]
    numbers = ("items", "returned", "missing", *words)
    elsewhere = any(line.status.opened_at for line in lines)
    gone = "opened (UTC)" if elsewhere else "sent (UTC)"
    shown = display.table("reviewer", *numbers, gone, "last verdict (UTC)", "came back (UTC)", right=numbers)
    for line in lines:
        one = line.status
        counts = (one.items, one.returned, one.missing, *(one.count(reason) for reason in reasons))
        times = (one.opened_at if elsewhere else one.sent_at, one.newest_verdict_at, one.returned_at)
        shown.add_row(
            display.cell(line.reviewer.handle),
            *(display.cell(f"{n:,}") for n in counts),
            *(display.cell(display.minute(at) if at else None) for at in times),
        )
    display.print_table(shown)
    hidden = sum(line.status.hidden for line in lines)
    if hidden:
        told = "are of problems that you judge blind; which of them have no label isn't said"
        click.echo(f"{counted(hidden, 'returned item')} {told}.", err=True)
    waiting = bundles.waiting(lines)
    if waiting and not elsewhere:
        click.echo(clean_line(f"{counted(len(waiting), 'item')} out of somebody's depth, for somebody else:"), err=True)
        click.echo(clean_line(f"  uq-tui queue hand-on {queue.name} --out-of-depth --to REVIEWER"), err=True)


def _json(queue: Queue, lines: Sequence[ShareLine]) -> dict[str, Any]:
    return {
        "queue_id": queue.id,
        "queue": queue.name,
        "closed_at": queue.closed_at,
        "shares": [_share_json(line) for line in lines],
        "waiting": list(bundles.waiting(lines)),
    }


def _share_json(line: ShareLine) -> dict[str, Any]:
    one = line.status
    return {
        "reviewer_id": one.reviewer_id,
        "reviewer": line.reviewer.handle,
        "items": one.items,
        "returned": one.returned,
        "missing": one.missing,
        **{reason.value: one.count(reason) for reason in REASONS},
        "hidden": one.hidden,
        "unjudged": [
            {"item_id": each.item.id, "question_id": each.item.question_id, "reason": each.reason.value}
            for each in one.unjudged
            if each.reason is not NotJudged.FAULTY_QUESTION
        ],
        "sent_at": one.sent_at,
        "opened_at": one.opened_at,
        "newest_verdict_at": one.newest_verdict_at,
        "returned_at": one.returned_at,
    }
