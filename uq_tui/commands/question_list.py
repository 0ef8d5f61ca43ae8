"""`uq-tui questions list` and `uq-tui questions views`: filters, orders and searches, and those kept under names."""

from dataclasses import dataclass, replace
from typing import Any

import click

from store import blindness, questions, reviewers, saved_views
from store.ranking import RANKED
from store.rows import Count, PageKey, QuestionFilter, QuestionRow
from store.saved_views import SavedView
from store.snippets import Place, Snippet, snippets
from store.workspace import Workspace
from uq_tui.commands import display
from uq_tui.commands.invocation import LARGEST, Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.state.browsing import view_words
from uq_tui.text import clean_line, counted
from uq_tui.words import Direction, Order, QuestionStatus, Resolution, ScoreBand

PAGE = 200


@dataclass(frozen=True, slots=True)
class _Found:
    """Rows with where the search hits them, and how many there are in all."""

    rows: tuple[QuestionRow, ...]
    snippets: dict[int, Snippet]
    count: Count


@click.command("list", epilog=exit_codes())
@click.option("--site", type=utf8, default="", metavar="HOST", help="Only questions of this site.")
@click.option("--status", type=click.Choice([s.value for s in QuestionStatus]), help="Only questions of this status.")
@click.option(
    "--tag", "tags", type=utf8, multiple=True, metavar="TAG", help="Only questions with this tag; repeatable."
)
@click.option("--domain", type=utf8, default="", metavar="DOMAIN", help="Only questions of this domain.")
@click.option("--resolution", type=click.Choice([r.value for r in Resolution]), help="Only questions resolved so.")
@click.option("--score", type=click.Choice([b.value for b in ScoreBand]), help="Only questions with such a score.")
@click.option("--year", type=utf8, default="", metavar="YEAR", help="Only questions asked in this year, or `unknown`.")
@click.option(
    "--search",
    type=utf8,
    default="",
    metavar="WORDS",
    help='Only questions with all of these words in one text: "a phrase", -not this, begin*; all else is literal.',
)
@click.option("--order", type=click.Choice([o.value for o in Order]), help="Sort by this; the usual one is arrival.")
@click.option(
    "--direction",
    type=click.Choice([d.value for d in Direction]),
    help="Lowest, oldest first (up) or last (down); down but for arrival.",
)
@click.option("--view", type=utf8, default="", metavar="NAME", help="Begin with a saved view; options add to it.")
@click.option("--save-view", "kept_as", type=utf8, default="", metavar="NAME", help="Keep all this under a name.")
@click.option("--limit", type=click.IntRange(1, LARGEST), default=50, show_default=True, help="At most so many.")
@json_option
@pass_invocation
def list_questions(invocation: Invocation, /, view: str, kept_as: str, limit: int, **asked: Any) -> None:
    """List questions with the ids that other commands take."""
    with invocation.open() as workspace:
        shown = _asked(saved_views.get(workspace, view) if view else SavedView("", QuestionFilter()), **asked)
        if kept_as.strip():
            saved_views.save(workspace, replace(shown, name=kept_as))
        found = _find(workspace, shown, limit)
    if invocation.as_json:
        listed = [_row_json(row, found.snippets.get(row.seq)) for row in found.rows]
        write_json({"questions": listed, "count": found.count.n, "capped": found.count.capped})
        return
    right = ("score", "cand.", "verd.")
    table = display.table("id", "status", *right, "title", right=right, fold=("title",))
    for row in found.rows:
        values = (row.id, row.status.value, row.score, row.candidates, row.verdicts, row.title)
        table.add_row(*(display.cell(value) for value in values))
        snippet = found.snippets.get(row.seq)
        if snippet is not None and snippet.place is not Place.TITLE:
            table.add_row(*[""] * 5, display.cell(f"  {snippet.place}: {snippet.text}"))
    display.print_table(table)
    click.echo(_counted(len(found.rows), found.count, shown), err=True)


def _asked(
    view: SavedView,
    *,
    site: str,
    status: str | None,
    tags: tuple[str, ...],
    domain: str,
    resolution: str | None,
    score: str | None,
    year: str,
    search: str,
    order: str | None,
    direction: str | None,
) -> SavedView:
    """The view with what the options say instead of, or beside, what it says."""
    said: dict[str, Any] = {
        "site": site,
        "status": QuestionStatus(status) if status else None,
        "text": search if search.strip() else "",
        "tags": tuple(dict.fromkeys((*view.filter.tags, *tags))),
        "domain": domain,
        "resolution": Resolution(resolution) if resolution else None,
        "score_band": ScoreBand(score) if score else None,
        "year": year,
    }
    wanted = replace(view.filter, **{name: value for name, value in said.items() if value})
    sorted_by = Order(order) if order else view.order
    usual = Direction.UP if sorted_by is Order.ARRIVAL else Direction.DOWN
    way = Direction(direction) if direction else usual if order else view.direction
    return SavedView(view.name, wanted, sorted_by, way)


def _find(workspace: Workspace, shown: SavedView, limit: int) -> _Found:
    masked = blindness.masked_questions(workspace, reviewers.current(workspace).id)
    rows: list[QuestionRow] = []
    found: dict[int, Snippet] = {}
    after: PageKey | None = None
    with workspace.read() as db:
        while len(rows) < limit:
            size = min(PAGE, limit - len(rows))
            page = questions.read_page(
                db, shown.filter, shown.order, shown.direction, after=after, limit=size, masked=masked
            )
            rows += page.rows
            found |= snippets(db, shown.filter.text, [row.seq for row in page.rows], masked)
            after = page.next_after
            if after is None:
                break
        return _Found(tuple(rows), found, questions.read_count(db, shown.filter, masked=masked))


def _counted(listed: int, found: Count, shown: SavedView) -> str:
    words = f"{listed:,} of {found.n:,}+ questions" if found.capped else counted(listed, "question", of=found.n)
    if shown.order is Order.RELEVANCE and shown.filter.text and found.n > RANKED:
        return f"{words}, the best of the first {RANKED:,} hits"
    return words


def _row_json(row: QuestionRow, snippet: Snippet | None) -> dict[str, object]:
    where = None if snippet is None else {"place": snippet.place.value, "text": snippet.text}
    return {**row_json(row), "snippet": where}


def row_json(row: QuestionRow) -> dict[str, object]:
    """A question in a list, as JSON has it."""
    return {
        "id": row.id,
        "title": row.title,
        "site": row.site,
        "status": row.status.value,
        "score": row.score,
        "tags": list(row.tags),
        "asked_at": row.asked_at,
        "candidates": row.candidates,
        "verdicts": row.verdicts,
    }


@click.command("views", epilog=exit_codes())
@click.option("--drop", type=utf8, default="", metavar="NAME", help="Forget the view of this name.")
@json_option
@pass_invocation
def list_views(invocation: Invocation, drop: str) -> None:
    """List the views that are kept: filters and orders of the question list, under names."""
    with invocation.open() as workspace:
        if drop:
            saved_views.drop(workspace, drop)
        views = saved_views.all_of(workspace)
    if invocation.as_json:
        write_json({"views": [_view_json(view) for view in views]})
        return
    table = display.table("name", "shows", fold=("shows",))
    for view in views:
        table.add_row(display.cell(view.name), display.cell(view_words(view)))
    display.print_table(table)
    click.echo(clean_line(counted(len(views), "view")), err=True)


def _view_json(view: SavedView) -> dict[str, object]:
    wanted = view.filter
    return {
        "name": view.name,
        "site": wanted.site,
        "status": wanted.status,
        "search": wanted.text,
        "tags": list(wanted.tags),
        "domain": wanted.domain,
        "resolution": wanted.resolution,
        "score": wanted.score_band,
        "year": wanted.year,
        "order": view.order,
        "direction": view.direction,
    }
