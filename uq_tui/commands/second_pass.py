"""`uq-tui second-pass`: what machines claimed of an answer and how they reasoned, confirmed or not."""

from typing import Any

import click

from store import calls, reviewers
from store.workspace import Workspace
from uq_tui.commands import display, ids
from uq_tui.commands.groups import NamingGroup
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.commands.revealing import WHERE
from uq_tui.errors import NotFoundError
from uq_tui.state.reviewing.claims import ClaimItem
from uq_tui.state.reviewing.second_pass import Decision, Item, Matter, decide, expose, read
from uq_tui.text import counted
from uq_tui.words import ClaimDecision, Soundness

NOTHING = "none"
_WORDS = (*dict.fromkeys(one.value for one in (*ClaimDecision, *Soundness)), NOTHING)


@click.group("second-pass", cls=NamingGroup, default="list", epilog=exit_codes())
def group() -> None:
    """List claims of machines on an answer and their judgements of it, or decide on one.

    It comes after your verdict: a problem that you still judge blind is refused. Plain `second-pass CANDIDATE` lists.
    """


@group.command("list", epilog=exit_codes())
@click.argument("candidate", type=utf8)
@json_option
@pass_invocation
def list_items(invocation: Invocation, candidate: str) -> None:
    """List what there is to decide on CANDIDATE, and what you have decided. That it is shown is recorded."""
    with invocation.open() as workspace:
        matter = _matter(workspace, candidate)
        replies = calls.find(workspace, [one.call_key for one in matter.items]) if invocation.as_json else {}
    if invocation.as_json:
        rows = [
            {**_as_json(one, matter), "reply": replies[one.call_key].reply if one.call_key in replies else ""}
            for one in matter.items
        ]
        write_json({"candidate_id": matter.candidate.id, "decided": matter.decided, "items": rows})
        return
    shown = display.table("item", "by", "decided", "what", fold=("item", "by", "what"))
    made = matter.decisions
    for one in matter.items:
        values = (name_of(one), one.source, made.get(one.key), one.title)
        shown.add_row(*(display.cell(value) for value in values))
    display.print_table(shown)
    click.echo(f"{matter.decided:,} of {counted(len(matter.items), 'item')} decided", err=True)


@group.command("decide", epilog=exit_codes())
@click.argument("candidate", type=utf8)
@click.argument("item", type=utf8)
@click.argument("decision", type=click.Choice(_WORDS))
@click.option("--by", type=utf8, default="", metavar="SOURCE", help="Whose claim, where several made the same.")
@json_option
@pass_invocation
def decide_item(invocation: Invocation, candidate: str, item: str, decision: str, by: str) -> None:
    """Decide on ITEM of CANDIDATE, both an id or the first characters of one; `none` takes a decision back.

    A claim is one to confirm, refute or be unsure of; a judgement is sound, unsound, or you are unsure.
    """
    with invocation.open() as workspace:
        matter = _matter(workspace, candidate)
        found = _only([one for one in matter.items if one.source.startswith(by)], item)
        decide(workspace, reviewers.current(workspace), matter.candidate, found, _decision(found, decision))
        matter = read(workspace, reviewers.current(workspace), matter.candidate.id)
    if invocation.as_json:
        write_json(_as_json(found, matter))
    else:
        click.echo(f"{display.cell(name_of(found))}  {matter.decision(found) or 'not decided'}")


def _matter(workspace: Workspace, candidate: str) -> Matter:
    reviewer = reviewers.current(workspace)
    matter = read(workspace, reviewer, ids.candidate(workspace, candidate))
    expose(workspace, reviewer, matter, WHERE)
    return matter


def name_of(item: Item) -> str:
    """What an item goes by on the command line."""
    return item.id if isinstance(item, ClaimItem) else f"{item.run_id}/{item.path}"


def _only(items: list[Item], given: str) -> Item:
    found = [one for one in items if name_of(one).startswith(given.strip())] if given.strip() else []
    exact = [one for one in found if name_of(one) == given.strip()] or found
    if not exact:
        raise NotFoundError(f"No item starts with {given!a}.", hint="`uq-tui second-pass CANDIDATE` lists them.")
    if len(exact) > 1:
        names = ", ".join(f"{name_of(one)} ({one.source})" for one in exact[:10])
        raise NotFoundError(f"Several items start with {given!a}: {names!a}.", hint="Give more, or --by.")
    return exact[0]


def _decision(item: Item, word: str) -> Decision | None:
    kind: type[ClaimDecision] | type[Soundness] = ClaimDecision if isinstance(item, ClaimItem) else Soundness
    if word == NOTHING:
        return None
    if word not in set(kind):
        noun = "claim" if isinstance(item, ClaimItem) else "judgement"
        raise click.UsageError(f"A {noun} is not one to call {word}: {', '.join((*kind, NOTHING))}.")
    return kind(word)


def _as_json(item: Item, matter: Matter) -> dict[str, Any]:
    row: dict[str, Any] = {"item": name_of(item), "source": item.source, "decision": matter.decision(item) or ""}
    if isinstance(item, ClaimItem):
        start, end = item.place or (None, None)
        return {**row, "kind": "claim", "claim_id": item.id, "about": item.about, "start": start, "end": end}
    return {
        **row,
        "kind": "judgement",
        "run_id": item.run_id,
        "strategy": item.strategy,
        "stage": item.path,
        "outcome": item.outcome.value,
        "reason": item.reason,
    }
