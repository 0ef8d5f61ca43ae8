"""`uq-tui queue`: work laid out for reviewers. Making one is `queue_make`, handing items on `queue_hand_on`."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from store import blindness, exposures, queues, reviewers
from store.ingest.files import whole_text
from store.review_rows import Progress, Queue, QueueItem
from store.workspace import Workspace
from uq_tui.commands import blind, display, ids
from uq_tui.commands.groups import ListingGroup
from uq_tui.commands.invocation import LARGEST, Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.commands.queue_hand_on import hand_on
from uq_tui.commands.queue_make import make
from uq_tui.commands.revealing import WHERE
from uq_tui.errors import UqError
from uq_tui.state.reviewing.building import told_by
from uq_tui.state.reviewing.pace import LOOKED_BACK, Pace, pace, pace_words
from uq_tui.state.reviewing.queue_spec import QueueSpec
from uq_tui.text import clean, clean_line, counted
from uq_tui.words import Exposure, ItemRole, ItemState, QueueMode

_PAGE = 1_000
"""Items read at a time."""
_LABELLED = (ItemRole.GOLD, ItemRole.PRACTICE)


@click.group("queue", cls=ListingGroup, epilog=exit_codes())
def group() -> None:
    """Lay out candidates for reviewers, and see how far they are. Plain `queue` lists."""


group.add_command(make)
group.add_command(hand_on)

queue_argument = click.argument("name", type=utf8, metavar="QUEUE")


@group.command("list", epilog=exit_codes())
@json_option
@pass_invocation
def list_queues(invocation: Invocation) -> None:
    """List all queues, and how far you are with each."""
    with invocation.open() as workspace:
        me = reviewers.current(workspace).id
        found = [(queue, queues.progress(workspace, queue.id, me)) for queue in queues.all_of(workspace)]
    if invocation.as_json:
        write_json({"queues": [{**_queue_json(queue, own), "own": _progress_json(own)} for queue, own in found]})
        return
    shown = display.table("queue", "mode", "yours", "left", "state", right=("yours", "left"), fold=("queue",))
    for queue, own in found:
        state = "closed" if queue.closed_at else "open"
        values = (queue.name, queue.mode.value, f"{own.total:,}", f"{own.left:,}", state)
        shown.add_row(*(display.cell(value) for value in values))
    display.print_table(shown)
    click.echo(counted(len(found), "queue"), err=True)


@group.command("show", epilog=exit_codes())
@queue_argument
@json_option
@pass_invocation
def show(invocation: Invocation, name: str) -> None:
    """Show how far each reviewer of QUEUE is, and how fast."""
    with invocation.open() as workspace:
        queue = queues.by_name(workspace, name)
        handles = {one.id: one.handle for one in reviewers.all_of(workspace)}
        own = queues.progress(workspace, queue.id, reviewers.current(workspace).id)
        found = [
            (reviewer_id, progress, _pace(workspace, queue, reviewer_id, progress))
            for reviewer_id, progress in queues.shares(workspace, queue.id)
        ]
    if invocation.as_json:
        rows = [
            {
                "reviewer_id": reviewer_id,
                "reviewer": handles.get(reviewer_id, ""),
                **_progress_json(progress),
                "verdicts_an_hour": speed.an_hour if speed else None,
            }
            for reviewer_id, progress, speed in found
        ]
        write_json({**_queue_json(queue, own), "guideline": queue.guideline, "shares": rows})
        return
    numbers = ("decided", "skipped", "put off", "left", "linked")
    shown = display.table("reviewer", *numbers, "pace", right=numbers, fold=("pace",))
    for reviewer_id, progress, speed in found:
        counts = (progress.decided, progress.skipped, progress.put_off, progress.left, progress.linked)
        values = (handles.get(reviewer_id, reviewer_id), *(f"{n:,}" for n in counts), pace_words(speed) or None)
        shown.add_row(*(display.cell(value) for value in values))
    display.print_table(shown)
    closed = f", closed at {display.minute(queue.closed_at)} UTC" if queue.closed_at else ""
    click.echo(f"{queue.mode.value}{closed}", err=True)


@group.command("items", epilog=exit_codes())
@queue_argument
@click.option("--reviewer", type=utf8, default="me", metavar="NAME", help="Whose share; yours, if left out.")
@click.option(
    "--roles",
    is_flag=True,
    help="All items with candidate and role, those to come too. Recorded: you know then which ones have known labels.",
)
@click.option("--limit", type=click.IntRange(1, LARGEST), default=200, show_default=True, help="The last so many.")
@json_option
@pass_invocation
def items(invocation: Invocation, name: str, reviewer: str, roles: bool, limit: int) -> None:
    """List the items of a share in QUEUE that have come up, in their order.

    Which candidates are still to come would tell gold items and repeats, so they are listed with --roles only.
    """
    with invocation.open() as workspace:
        queue = queues.by_name(workspace, name)
        share = _share(workspace, queue, ids.reviewer(workspace, reviewer))
        if share[0].reviewer_id != reviewers.current(workspace).id:
            share = [_others(one, blind.masked(workspace)) for one in share]
        shown = share if roles else [one for one in share if one.state is not ItemState.OPEN and not one.linked_to]
        shown = shown[-limit:]
        if roles:
            told = [(one.question_id, one.candidate_id) for one in shown if one.role in _LABELLED]
            exposures.record_all(workspace, reviewers.current(workspace).id, told, Exposure.KNOWN_LABEL, WHERE)
    if invocation.as_json:
        write_json({"queue_id": queue.id, "items": [_item_json(one, roles=roles) for one in shown]})
        return
    columns = ("candidate", "role") if roles else ()
    table = display.table("no.", "question", "state", "decided (UTC)", *columns, right=("no.",))
    for one in shown:
        what = (display.short_id(one.candidate_id), _role(one)) if roles else ()
        at = display.minute(one.decided_at) if one.decided_at else None
        values = (one.position + 1, one.question_id, one.state.value, at, *what)
        table.add_row(*(display.cell(value) for value in values))
    display.print_table(table)
    states = Counter(one.state.value for one in share if not one.linked_to)
    click.echo(", ".join(f"{n:,} {state.replace('_', ' ')}" for state, n in sorted(states.items())), err=True)


@group.command("guideline", epilog=exit_codes())
@queue_argument
@click.argument("file", type=click.Path(path_type=Path), required=False)
@json_option
@pass_invocation
def guideline(invocation: Invocation, name: str, file: Path | None) -> None:
    """Print the guideline of QUEUE; with FILE, Markdown, take that from now on."""
    text = whole_text(file) if file is not None else None
    with invocation.open() as workspace:
        queue = queues.by_name(workspace, name)
        if text is not None:
            queues.set_guideline(workspace, queue.id, text)
    stands = queue.guideline if text is None else text
    if invocation.as_json:
        write_json({"queue_id": queue.id, "guideline": stands})
    elif text is not None:
        click.echo(clean_line(f"The guideline of {queue.name} is that of {file}."), err=True)
    elif stands:
        click.echo(clean(stands.rstrip()))
    else:
        click.echo(clean_line(f"The queue {queue.name} has no guideline."), err=True)


@group.command("close", epilog=exit_codes())
@queue_argument
@json_option
@pass_invocation
def close(invocation: Invocation, name: str) -> None:
    """End the work on QUEUE. Nothing of it is decided or hidden any more; verdicts stay."""
    _set_closed(invocation, name, closed=True)


@group.command("reopen", epilog=exit_codes())
@queue_argument
@json_option
@pass_invocation
def reopen(invocation: Invocation, name: str) -> None:
    """Take QUEUE up again after `queue close`. What is undecided in a blind one is hidden again."""
    _set_closed(invocation, name, closed=False)


@group.command("reveal", epilog=exit_codes())
@click.argument("question_id", type=utf8, metavar="QUESTION")
@click.option("--yes", is_flag=True, help="Do it: this is recorded, and can't be taken back.")
@json_option
@pass_invocation
def reveal(invocation: Invocation, question_id: str, yes: bool) -> None:
    """See what is hidden of QUESTION before you have decided all its items."""
    with invocation.open() as workspace:
        me = reviewers.current(workspace).id
        names = [queue.name for queue in blindness.queues_of(workspace, me, question_id)]
        if not names:
            raise UqError(f"Nothing of {question_id} is hidden from you.")
        if not yes:
            raise click.UsageError(
                f"{question_id} is hidden by {', '.join(names)} until you have decided all its items. Add --yes to see"
                " it now: that is recorded, and verdicts on what you see of it are not blind."
            )
        blindness.reveal(workspace, me, question_id)
    if invocation.as_json:
        write_json({"question_id": question_id, "queues": names})
    else:
        click.echo(clean_line(f"{question_id} is hidden from you no more, in {', '.join(names)}."), err=True)


def _set_closed(invocation: Invocation, name: str, *, closed: bool) -> None:
    with invocation.open() as workspace:
        queue = queues.by_name(workspace, name)
        (queues.close if closed else queues.reopen)(workspace, queue.id)
        now = queues.get(workspace, queue.id)
        own = queues.progress(workspace, queue.id, reviewers.current(workspace).id)
    if invocation.as_json:
        write_json(_queue_json(now, own))
    else:
        click.echo(clean_line(f"The queue {now.name} is {'closed' if closed else 'open'}."), err=True)


def _share(workspace: Workspace, queue: Queue, reviewer_id: str) -> list[QueueItem]:
    """All items of a share. Raises UqError: the reviewer has none."""
    found: list[QueueItem] = []
    while page := queues.items(
        workspace, queue.id, reviewer_id, after=found[-1].position if found else -1, limit=_PAGE
    ):
        found += page
    if not found:
        raise UqError(
            f"{reviewers.get(workspace, reviewer_id).handle} has no share in the queue “{queue.name}”.",
            hint=f"`uq-tui queue show {queue.name}` says who has.",
        )
    return found


def _others(item: QueueItem, masked: frozenset[str]) -> QueueItem:
    """Somebody else's item as far as it may be seen: that they gave no label is a verdict too."""
    hidden = item.state is ItemState.SKIPPED and item.question_id in masked
    return replace(item, state=ItemState.DECIDED) if hidden else item


def _pace(workspace: Workspace, queue: Queue, reviewer_id: str, progress: Progress) -> Pace | None:
    return pace(queues.durations(workspace, queue.id, reviewer_id, LOOKED_BACK), progress.left)


def _role(item: QueueItem) -> str:
    return "linked" if item.linked_to else item.role.value


def _queue_json(queue: Queue, own: Progress) -> dict[str, Any]:
    """A queue. A filter that would tell something hidden of what its reader has still to judge blind is null."""
    spec = dict(queue.spec)
    hides = queue.mode is QueueMode.BLIND and queue.closed_at is None and own.left > 0
    if hides and told_by(QueueSpec.of(spec).candidates):
        spec["candidates"] = None
    return {
        "id": queue.id,
        "name": queue.name,
        "mode": queue.mode.value,
        "created_at": queue.created_at,
        "closed_at": queue.closed_at,
        "spec": spec,
    }


def _progress_json(one: Progress) -> dict[str, int]:
    return {
        "total": one.total,
        "decided": one.decided,
        "skipped": one.skipped,
        "put_off": one.put_off,
        "left": one.left,
        "linked": one.linked,
    }


def _item_json(item: QueueItem, *, roles: bool) -> dict[str, Any]:
    """An item; what tells gold items and repeats is null without `roles`."""
    return {
        "id": item.id,
        "position": item.position,
        "question_id": item.question_id,
        "state": item.state.value,
        "decided_at": item.decided_at,
        "candidate_id": item.candidate_id if roles else None,
        "role": item.role.value if roles else None,
        "linked_to": item.linked_to if roles else None,
    }
