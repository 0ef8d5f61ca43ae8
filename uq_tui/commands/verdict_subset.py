"""Options that say which verdicts a report is on."""

from collections.abc import Mapping
from dataclasses import replace
from functools import reduce
from typing import Any

import click

from store import opinions, questions, queues
from store.opinions import VerdictSubset
from store.workspace import Workspace
from uq_tui.commands import ids
from uq_tui.commands.export_rows import moment
from uq_tui.commands.invocation import Command, utf8
from uq_tui.errors import NotFoundError

_PLACE = (
    click.option("--site", type=utf8, default="", metavar="HOST", help="Only on questions of this site."),
    click.option("--domain", type=utf8, default="", metavar="NAME", help="Only on questions of this field."),
    click.option(
        "--question",
        "question_ids",
        type=utf8,
        multiple=True,
        metavar="ID",
        help="Only on this question. Can be given several times.",
    ),
)
_GIVEN = (
    click.option(
        "--dataset-version", type=utf8, default="", metavar="NAME", help="Only verdicts that name this version."
    ),
    click.option("--queue", type=utf8, default="", metavar="NAME", help="Only verdicts given in this queue."),
    click.option(
        "--reviewer",
        "people",
        type=utf8,
        multiple=True,
        metavar="NAME",
        help="Only this person's verdicts, by public name or id. Can be given several times.",
    ),
    click.option(
        "--since",
        type=moment,
        default=None,
        metavar="DATE",
        help="Only verdicts of that day (2026-01-31), of that time (2026-01-31T12:00:00Z), or later.",
    ),
    click.option("--blind-only", is_flag=True, help="Only verdicts given blind."),
)


def place_options(command: Command) -> Command:
    """Add the options that `place_of` reads."""
    return reduce(lambda so_far, option: option(so_far), reversed(_PLACE), command)


def subset_options(command: Command) -> Command:
    """Add the options that `subset_of` reads."""
    return place_options(reduce(lambda so_far, option: option(so_far), reversed(_GIVEN), command))


def place_of(workspace: Workspace, options: Mapping[str, Any]) -> VerdictSubset:
    """The questions that the options choose. Raises NotFoundError: there is no such question."""
    for question_id in options["question_ids"]:
        questions.get(workspace, question_id)
    return VerdictSubset(
        site=options["site"], domain=options["domain"], question_ids=frozenset(options["question_ids"]) or None
    )


def subset_of(workspace: Workspace, options: Mapping[str, Any]) -> VerdictSubset:
    """What the options say. Raises NotFoundError: there is no such question or queue, or nobody of that name."""
    return replace(
        place_of(workspace, options),
        dataset_version=options["dataset_version"],
        queue_id=queues.by_name(workspace, options["queue"]).id if options["queue"] else "",
        reviewer_ids=tuple(_person(workspace, given) for given in options["people"]),
        since=options["since"] or "",
        blind_only=options["blind_only"],
    )


def _person(workspace: Workspace, given: str) -> str:
    """The id of a reviewer of this workspace, or of somebody whose verdicts came in a file."""
    try:
        return ids.reviewer(workspace, given)
    except NotFoundError:
        there = opinions.people_here(workspace)
        found = [given] if given in there else [key for key, handle in there.items() if handle == given]
        if len(found) != 1:
            raise
        return found[0]


def subset_json(subset: VerdictSubset) -> dict[str, Any]:
    """The subset as JSON says which verdicts were taken; what is empty didn't restrict."""
    return {
        "site": subset.site,
        "domain": subset.domain,
        "dataset_version": subset.dataset_version,
        "queue_id": subset.queue_id,
        "reviewer_ids": list(subset.reviewer_ids),
        "since": subset.since,
        "blind_only": subset.blind_only,
        "question_ids": sorted(subset.question_ids or ()),
    }
