"""`uq-tui queue hand-on`: what one reviewer gave back without a label goes to another."""

import click

from store import queues, reviewers
from uq_tui.commands import ids
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.state.reviewing import bundles
from uq_tui.text import clean_line, counted


@click.command("hand-on", epilog=exit_codes())
@click.argument("name", type=utf8, metavar="QUEUE")
@click.argument("items", nargs=-1, type=utf8, metavar="[ITEM]...")
@click.option("--out-of-depth", is_flag=True, help="All items that are out of somebody's depth and wait for another.")
@click.option("--to", "to", type=utf8, required=True, metavar="REVIEWER", help="Who gets them.")
@json_option
@pass_invocation
def hand_on(invocation: Invocation, name: str, items: tuple[str, ...], out_of_depth: bool, to: str) -> None:
    """Put items of QUEUE that were given back without a label into another reviewer's share.

    `uq-tui status --queue QUEUE --json` lists them with their ids. The next bundle takes them along.
    """
    if bool(items) == out_of_depth:
        raise click.UsageError("Name items, or take all that wait with --out-of-depth.")
    with invocation.open() as workspace:
        queue = queues.by_name(workspace, name)
        me = reviewers.current(workspace).id
        reviewer = reviewers.get(workspace, ids.reviewer(workspace, to))
        if out_of_depth:
            done = bundles.hand_on_waiting(workspace, queue, reviewer, by=me)
        else:
            done = bundles.hand_on(workspace, queue, items, reviewer.id, by=me)
    if invocation.as_json:
        write_json({"queue_id": queue.id, "reviewer_id": reviewer.id, "handed_on": done.new, "had_already": done.had})
        return
    click.echo(clean_line(f"{counted(done.new, 'item')} handed on to {reviewer.handle}."), err=True)
    if done.had:
        click.echo(f"Already in that share: {counted(done.had, 'item')}.", err=True)
    if done.new:
        click.echo(clean_line(f"`uq-tui bundle --queue {queue.name} --out FOLDER` sends them."), err=True)
