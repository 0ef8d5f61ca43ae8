"""`uq-tui dataset make`, `add`, `remove` and `move`: which questions a version has, in which subset."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import click

from store import curations, datasets, questions
from store.dataset_rows import Pin
from store.resolution_status import VERIFIERS
from store.rows import QuestionFilter
from store.workspace import Workspace
from uq_tui.commands import blind
from uq_tui.commands.invocation import LARGEST, Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.curation import paper, subsets
from uq_tui.errors import NotFoundError
from uq_tui.state.question_ids import read_ids
from uq_tui.text import clean_line, counted
from uq_tui.words import QuestionStatus, Relation, Subset

Command = TypeVar("Command", bound=Callable[..., Any])
Named = TypeVar("Named", Pin, str)

_PAGE = 1_000
_SUBSETS = click.Choice([one.value for one in Subset])


def _listed(command: Command) -> Command:
    """Add the ways to name questions."""
    for option in (
        click.option(
            "--ids",
            type=click.Path(path_type=Path, dir_okay=False),
            metavar="FILE",
            help="A file of ids, one a line, or of rows with `question_id` and perhaps `subset`.",
        ),
        click.argument("question", type=utf8, nargs=-1),
    ):
        command = option(command)
    return command


@click.command("make", epilog=exit_codes())
@click.argument("version", type=utf8)
@_listed
@click.option(
    "--curation",
    type=utf8,
    default="",
    metavar="NAME",
    help="All questions that this curation has kept; those that meet its diamond thresholds too are diamond ones.",
)
@click.option(
    "--development",
    type=click.IntRange(0, LARGEST),
    default=0,
    metavar="N",
    help=f"At most so many questions of it with known answers, to develop on; {paper.DEVELOPMENT} in the paper.",
)
@click.option("--from", "parent", type=utf8, default="", metavar="VERSION", help="The questions of another version.")
@click.option("--without-resolved", is_flag=True, help="Leave out those of that version that are resolved by now.")
@click.option("--site", type=utf8, default="", metavar="HOST", help="All questions of this site.")
@click.option("--status", type=click.Choice([one.value for one in QuestionStatus]), help="All of this status.")
@click.option("--search", type=utf8, default="", metavar="WORDS", help="All with these words.")
@click.option(
    "--subset",
    type=_SUBSETS,
    default=Subset.MAIN.value,
    show_default=True,
    help="Of which subset those are that are named or found here.",
)
@click.option(
    "--verifier",
    "verifiers",
    type=click.Choice([one.value for one in Relation]),
    multiple=True,
    help="Whose word resolves a question; several can be named. By default posters and domain experts.",
)
@click.option("--note", type=utf8, default="", metavar="TEXT", help="What is to be known of it.")
@json_option
@pass_invocation
def make(
    invocation: Invocation,
    version: str,
    question: tuple[str, ...],
    ids: Path | None,
    curation: str,
    development: int,
    parent: str,
    without_resolved: bool,
    site: str,
    status: str | None,
    search: str,
    subset: str,
    verifiers: tuple[str, ...],
    note: str,
) -> None:
    """Make VERSION of the questions that are named, each once, in the words they have now.

    A curation brings the words in which it kept them, and the subset of each. Another version brings the words that it
    pins; how the new one differs from that is kept.
    """
    if without_resolved and not parent:
        raise click.UsageError("--without-resolved needs --from.")
    if development and not curation:
        raise click.UsageError("--development needs --curation.")
    wanted = QuestionFilter(site=site, status=QuestionStatus(status) if status else None, text=search)
    with invocation.open() as workspace:
        pins: dict[str, Pin] = {}
        if parent:
            if without_resolved:
                _require_none_masked(workspace, parent)
            gone = datasets.resolved(workspace, parent) if without_resolved else frozenset[str]()
            pins |= {one.question_id: one for one in datasets.entries(workspace, parent) if one.question_id not in gone}
        curated = curations.by_name(workspace, curation).id if curation else ""
        chosen = subsets.pins(workspace, curated, development) if curated else ()
        found = _all_of(workspace, wanted) if wanted != QuestionFilter() else ()
        for pin in (
            *chosen,
            *_named(workspace, question, ids, Subset(subset)),
            *datasets.pins_of_questions(workspace, found, Subset(subset)),
        ):
            pins.setdefault(pin.question_id, pin)
        made = datasets.make(
            workspace,
            version,
            tuple(pins.values()),
            parent=parent,
            curation_id=curated,
            verifiers=[Relation(one) for one in verifiers] or VERIFIERS,
            note=clean_line(note),
        )
    _say(invocation, made.name, "made", tuple(pins))


@click.command("add", epilog=exit_codes())
@click.argument("version", type=utf8)
@_listed
@click.option("--subset", type=_SUBSETS, default=Subset.MAIN.value, show_default=True, help="Of which subset they are.")
@click.option("--why", type=utf8, required=True, metavar="TEXT", help="Why; it is kept.")
@json_option
@pass_invocation
def add(
    invocation: Invocation, version: str, question: tuple[str, ...], ids: Path | None, subset: str, why: str
) -> None:
    """Add questions to VERSION, unless results name it or another was made from it."""
    with invocation.open() as workspace:
        added = datasets.add(workspace, version, _some(_named(workspace, question, ids, Subset(subset))), why)
    _say(invocation, version, "added", added)


@click.command("remove", epilog=exit_codes())
@click.argument("version", type=utf8)
@_listed
@click.option("--why", type=utf8, required=True, metavar="TEXT", help="Why; it is kept.")
@json_option
@pass_invocation
def remove(invocation: Invocation, version: str, question: tuple[str, ...], ids: Path | None, why: str) -> None:
    """Take questions out of VERSION, unless results name it or another was made from it."""
    with invocation.open() as workspace:
        removed = datasets.remove(workspace, version, _some(_ids(question, ids)), why)
    _say(invocation, version, "removed", removed)


@click.command("move", epilog=exit_codes())
@click.argument("version", type=utf8)
@click.argument("subset", type=_SUBSETS)
@_listed
@click.option("--why", type=utf8, required=True, metavar="TEXT", help="Why; it is kept.")
@json_option
@pass_invocation
def move(
    invocation: Invocation, version: str, subset: str, question: tuple[str, ...], ids: Path | None, why: str
) -> None:
    """Move questions of VERSION to another SUBSET, unless results name it or another was made from it."""
    with invocation.open() as workspace:
        moved = datasets.move(workspace, version, _some(_ids(question, ids)), Subset(subset), why)
    _say(invocation, version, f"moved to {subset}", moved)


def _require_none_masked(workspace: Workspace, version: str) -> None:
    """Which questions are left out would tell that they are resolved. Raises BlindError."""
    masked = blind.masked(workspace)
    for pin in datasets.entries(workspace, version):
        if pin.question_id in masked:
            blind.refuse(workspace, question_id=pin.question_id)


def _ids(question: tuple[str, ...], ids: Path | None) -> tuple[str, ...]:
    return (*question, *(key for key, _ in read_ids(ids))) if ids else question


def _named(workspace: Workspace, question: tuple[str, ...], ids: Path | None, subset: Subset) -> tuple[Pin, ...]:
    """The questions that are named, each of the subset that its row in the file names, else of this one."""
    of_file = dict(read_ids(ids)) if ids else {}
    pins = datasets.pins_of_questions(workspace, (*question, *of_file), subset)
    return tuple(replace(pin, subset=of_file.get(pin.question_id) or subset) for pin in pins)


def _all_of(workspace: Workspace, wanted: QuestionFilter) -> tuple[str, ...]:
    masked = blind.masked(workspace)
    page = questions.page(workspace, wanted, limit=_PAGE, masked=masked)
    found = [row.id for row in page.rows]
    while page.next_after is not None:
        page = questions.page(workspace, wanted, after=page.next_after, limit=_PAGE, masked=masked)
        found += [row.id for row in page.rows]
    return tuple(found)


def _some(named: tuple[Named, ...]) -> tuple[Named, ...]:
    if not named:
        raise NotFoundError("No question is named.", hint="Name some, or a file of their ids with --ids.")
    return named


def _say(invocation: Invocation, version: str, what: str, question_ids: tuple[str, ...]) -> None:
    if invocation.as_json:
        write_json({"version": version, "changed": list(question_ids)})
    else:
        click.echo(f"{clean_line(version)}  {what}: {counted(len(question_ids), 'question')}")
