"""Pictures of what there is as a whole: questions, the funnel, Insights."""

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from textual.widgets import Input, Static, TabbedContent

from docs.drawing.stage import FULL_WIDTH, LOOKS, environment, make_workspace, quiet, running, shown, until
from docs.drawing.svg import picture
from docs.judged_pack import judge
from store import curations
from store.ingest.importer import import_file
from uq_tui.curation.passing import apply_rules
from uq_tui.curation.thresholds import default_toml
from uq_tui.screens.insights import InsightsScreen
from uq_tui.startup import open_workspace

SOURCES = ("questions.svg", "funnel.svg")
INSIGHTS = {
    "insights-validators.svg": ("validators", "Decisions against labels"),
    "insights-agreement.svg": ("agreement", "Agreement of all"),
    "insights-work.svg": ("work", "By model"),
}
"""Tabs, and the headings that stand at the top."""
STOCK = (("math.stackexchange.com", 48, 9), ("mathoverflow.net", 31, 4), ("physics.stackexchange.com", 22, 6))
"""Sites of questions that are made up for the funnel, how many, and every which has an answer."""


async def source_pictures(home: Path) -> AsyncIterator[tuple[str, str]]:
    """Names and SVGs of a search among questions with the filters beside it, and of the funnel; 120x40, dark."""
    file = home / "sources.uq.sqlite"
    with environment(home, LOOKS[0]):
        make_workspace(file)
        _curate(file, home / "stock.jsonl")
        async with running(file, FULL_WIDTH) as (app, pilot):
            await pilot.press("Q")
            await shown(app, pilot, "questions")
            await pilot.press("slash", *"known", "enter")
            await shown(app, pilot, "body:")
            await pilot.press("f")
            await shown(app, pilot, "resolution", "year")
            app.screen.query_one("#facet_text", Input).cursor_blink = False
            await quiet(app, pilot)
            yield SOURCES[0], picture(app)
            await pilot.press("escape", "c")
            await shown(app, pilot, "Fell at the rules")
            await quiet(app, pilot)
            yield SOURCES[1], picture(app)


async def insight_pictures(home: Path) -> AsyncIterator[tuple[str, str]]:
    """Names and SVGs of three tabs of Insights where their plots begin; 120x40, dark."""
    file = home / "insights.uq.sqlite"
    with environment(home, LOOKS[0]):
        workspace = open_workspace(file)
        try:
            judge(workspace)
        finally:
            workspace.close()
        async with running(file, FULL_WIDTH) as (app, pilot):
            await pilot.press("I")
            await until(pilot, lambda: isinstance(app.screen, InsightsScreen))
            for name, (tab, heading) in INSIGHTS.items():
                app.screen.query_one(TabbedContent).active = tab
                await shown(app, pilot, heading)
                report = app.screen.query_one(f"#{tab}-report")
                title = next(one for one in report.query(".heading").results(Static) if str(one.content) == heading)
                report.scroll_to_widget(title, top=True, animate=False)
                await quiet(app, pilot)
                yield name, picture(app)


def _curate(file: Path, rows: Path) -> None:
    """Bring in questions that are made up, and apply the paper's rules to all that are there."""
    rows.write_text("".join(json.dumps(row) + "\n" for row in _stock()), encoding="utf-8")
    workspace = open_workspace(file)
    try:
        import_file(workspace, rows)
        apply_rules(workspace, curations.begin(workspace, "autumn", default_toml()).id)
    finally:
        workspace.close()


def _stock() -> Iterator[dict[str, object]]:
    """Rows as the UQ dataset has them, of questions with all kinds of figures."""
    for site, many, answered in STOCK:
        for at in range(1, many + 1):
            yield {
                "question_id": at,
                "site": site,
                "title": f"Question {at}",
                "body": "Made up for a picture.",
                "tags": ["reference-request" if at % 7 == 0 else "combinatorics"],
                "score": 3 + at * 5 % 17,
                "views": 300 + at * 137 % 4000,
                "answer_count": int(at % answered == 0),
                "creation_date": f"{2012 + at % 9}-05-01T00:00:00",
            }
