"""The pictures of README.md and docs/: `make pictures` draws them anew, the same to the byte while the screens are.

Each is a screen of the app itself on a workspace made here: the bundled pack, two answers of ours that lie in
`pictures/answers`, for queues the problems in ExpertMath's form that the tests have, and for Insights what
`judged_pack` makes up.
"""

import asyncio
import json
import os
import re
import sqlite3
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from textual.pilot import Pilot
from textual.widgets import Input, Static, TabbedContent

from docs.judged_pack import judge
from store import candidates, curations, decisions, ledger, questions, queues, reviewers
from store.ingest.importer import import_file
from store.queue_pool import CandidateFilter
from store.reading_rows import LedgerMark
from store.rows import MarkedError, NewCandidate, Origin, QuestionFilter, Quote, Reviewer, VerdictForm
from store.workspace import Workspace
from uq_tui import paths
from uq_tui.app import UqApp
from uq_tui.curation.passing import apply_rules
from uq_tui.curation.thresholds import default_toml
from uq_tui.document.markup.scan import all_units
from uq_tui.engine.requests import ModelChoice
from uq_tui.screens.insights import InsightsScreen
from uq_tui.screens.measure import MeasureModal
from uq_tui.screens.reading.side_by_side import SideBySideScreen
from uq_tui.screens.reviewing.queues import QueuesScreen
from uq_tui.screens.workbench import WorkbenchScreen
from uq_tui.startup import open_workspace
from uq_tui.state.reviewing import building
from uq_tui.state.reviewing.queue_spec import QueueSpec
from uq_tui.widgets.document import Document
from uq_tui.words import AuthorKind, ErrorCategory, Label, LedgerState, TextFormat

OUT = Path(__file__).parent / "pictures"
ANSWERS = OUT / "answers"
QUESTION = "Noncrossing chord diagrams up to rotation"
SIZES = ((80, 24), (120, 40), (200, 60))
FULL_WIDTH = (120, 40)
"""Where the answer is read alone: on a smaller terminal it is anyway, on a larger one the columns have room."""
MARKS = (LedgerState.CHECKED, LedgerState.CHECKED, LedgerState.DOUBTFUL, LedgerState.CHECKED, LedgerState.WRONG)
"""What the reader has made of the first units of the first answer."""
SEARCHED = "rotations"
REVIEWING = ("review-queues.svg", "review-item.svg", "review-two-steps.svg", "adjudication.svg")
SOURCES = ("questions.svg", "funnel.svg")
INSIGHTS = {
    "insights-validators.svg": ("validators", "Decisions against labels"),
    "insights-agreement.svg": ("agreement", "Agreement of all"),
    "insights-work.svg": ("work", "By model"),
}
"""Tabs, and the headings that stand at the top."""
STOCK = (("math.stackexchange.com", 48, 9), ("mathoverflow.net", 31, 4), ("physics.stackexchange.com", 22, 6))
"""Sites of questions that are made up for the funnel, how many, and every which has an answer."""
TOUR = ("workbench.svg", "utility.svg", "second-pass.svg")
EXPERTMATH = Path(__file__).parents[1] / "tests" / "fixtures"
SECRET = 7
"""Of the workspace whose queues are shown: it decides in which order answers come."""
LEFT_OUT = "Rotations of order 4 and 20 have the odd periods 5 and 1, so they fix nothing."
OPINIONS = (
    ("ann", Label.CORRECT, 6, LEFT_OUT, ErrorCategory.UNJUSTIFIED_COMPRESSION, "True, but it is said without proof."),
    (
        "bertram",
        Label.INCORRECT,
        2,
        "each period holds as many `(` as `)`",
        ErrorCategory.INCORRECT_REASONING,
        "That a period is balanced doesn't make it a matching once it is repeated.",
    ),
)
"""Two people on the first answer: name, label, score, what they quote, the kind of error, and what is wrong with it."""
GUIDELINE = "An answer is correct if an expert would accept it as it stands: final answer and derivation.\n"
FONT = "font-family: 'Fira Code', 'DejaVu Sans Mono', Menlo, Consolas, monospace; font-variant-ligatures: none"
CELL = 12.2
"""Width of a cell in the SVG."""
_CHANGING = (
    (re.compile("(?<=run\N{NO-BREAK SPACE})[0-9a-f]{8}-[0-9a-f]{4}"), "019b0000-0000"),
    (re.compile("(?<=Begun\N{NO-BREAK SPACE})[0-9]{4}-[0-9]{2}-[0-9]{2}"), "2026-12-01"),
    (
        re.compile("(?<=blind,\N{NO-BREAK SPACE})[0-9]{4}-[0-9]{2}-[0-9]{2}\N{NO-BREAK SPACE}[0-9]{2}:[0-9]{2}"),
        "2026-12-01\N{NO-BREAK SPACE}09:30",
    ),
    (re.compile("[A-Z2-7]{8}(?=:\N{NO-BREAK SPACE}(?:accept|reject))"), "IGTNH7RN"),
)
"""What is another one each time, and what stands for it: a run's id, the day of a pass, when a
verdict was given, the code before a decision."""
_BLANK = "\N{NO-BREAK SPACE}"
_TEXT = re.compile(r'(<text class="terminal-r[^>]*? x=")([\d.]+)(" [^>]*?textLength=")([\d.]+)("[^>]*>)([^<]*)</text>')
PATIENCE_S = 120.0
QUIET_S = 0.15
"""A screen that has not changed for three of these will not."""


class Look(NamedTuple):
    """How a user may have the app look."""

    name: str
    theme: str = "dark"
    no_color: bool = False


LOOKS = (Look("dark"), Look("light", theme="light"), Look("nocolor", no_color=True))


def picture_names() -> list[str]:
    """The files that are written; of screens where texts are read, one for each size and look."""
    read = [
        f"{screen}-{width}x{height}-{look.name}.svg"
        for look in LOOKS
        for width, height in SIZES
        for screen in ("reading", "side-by-side")
    ]
    return [*TOUR, *REVIEWING, *SOURCES, *INSIGHTS, *read]


async def pictures(
    home: Path, look: Look, sizes: tuple[tuple[int, int], ...] = SIZES
) -> AsyncIterator[tuple[str, str]]:
    """Names and SVGs of the screens in one look. What the app keeps goes to `home`, which is new."""
    with _environment(home, look):
        question_id = _make_workspace(home / "pictures.uq.sqlite")
        for width, height in sizes:
            async with _running(home / "pictures.uq.sqlite", (width, height)) as (app, pilot):
                app.question_id = question_id
                app.action_workbench()
                await _reading(app, pilot, full=(width, height) == FULL_WIDTH)
                yield f"reading-{width}x{height}-{look.name}.svg", picture(app)
                await _side_by_side(app, pilot)
                yield f"side-by-side-{width}x{height}-{look.name}.svg", picture(app)


async def tour_pictures(home: Path) -> AsyncIterator[tuple[str, str]]:
    """Names and SVGs of the workbench, the utility screen and a second pass after the first steps of the tour.

    Dark, 120x40.
    """
    with _environment(home, LOOKS[0]):
        app = UqApp(home / "tour.uq.sqlite")
        async with app.run_test(size=(120, 40)) as pilot:
            await _shown(app, pilot, "Tour 1 of", "no runs")
            await pilot.press("v")
            await _shown(app, pilot, "Tour 3 of")
            await pilot.press("down")
            await _shown(app, pilot, "Answer  c2")
            await pilot.press("v")
            await _shown(app, pilot, "Tour 4 of")
            await pilot.press("u")
            await _until(pilot, lambda: isinstance(app.screen, MeasureModal))
            await pilot.press("enter")
            await _shown(app, pilot, "Tour 5 of", "no runs")
            await pilot.press("right", "right", "home", *["down"] * 7)  # the turn that decides
            await _shown(app, pilot, "Reply 1 of 1: looked again  turn 2, fact")
            await _quiet(app, pilot)
            yield TOUR[0], picture(app)
            await pilot.press("U")
            await _shown(app, pilot, "Candidates by utility", "Rollouts  c2")
            await pilot.press("up", "right")
            await _shown(app, pilot, "Rollouts  c1")
            await pilot.press("c")
            await _quiet(app, pilot)
            yield TOUR[1], picture(app)
            await pilot.press("escape", "escape")
            await _until(pilot, lambda: isinstance(app.screen, WorkbenchScreen))
            await pilot.press("S")
            await _shown(app, pilot, "0 of ")
            await pilot.press("c", "c", "x")
            await _shown(app, pilot, "3 of ")
            await _quiet(app, pilot)
            yield TOUR[2], picture(app)


async def review_pictures(home: Path) -> AsyncIterator[tuple[str, str]]:
    """Names and SVGs of a reviewer's queues, of an answer in one, both 120x40, and of two steps at 80x24; dark."""
    file = home / "review.uq.sqlite"
    with _environment(home, LOOKS[0]):
        _lay_out(file, _make_workspace(file))
        async with _running(file, FULL_WIDTH) as (app, pilot):
            await pilot.press("V")
            await _shown(app, pilot, "Pilot", "Two steps")
            await _quiet(app, pilot)
            yield REVIEWING[0], picture(app)
            await _go_on(app, pilot, "Pilot")
            await _shown(app, pilot, "▸ now", "2 of 5")
            await _quiet(app, pilot)
            yield REVIEWING[1], picture(app)
        async with _running(file, (80, 24)) as (app, pilot):
            await pilot.press("V")
            await _shown(app, pilot, "Answer")
            await pilot.press("V")
            await _go_on(app, pilot, "Two steps")
            await _shown(app, pilot, "1 of 2: does the final answer agree")
            await _quiet(app, pilot)
            yield REVIEWING[2], picture(app)


async def conflict_picture(home: Path) -> AsyncIterator[tuple[str, str]]:
    """Name and SVG of an answer on which two people disagree, with what each quotes; 120x40, dark."""
    file = home / "conflict.uq.sqlite"
    with _environment(home, LOOKS[0]):
        _disagree(file, _make_workspace(file))
        async with _running(file, FULL_WIDTH) as (app, pilot):
            await pilot.press("V")
            await _shown(app, pilot, "No queues yet")
            await pilot.press("d")
            await _shown(app, pilot, "1 conflict")
            await pilot.press("enter")
            await _shown(app, pilot, "1 of 1")
            await pilot.press("right_square_bracket", "right_square_bracket")
            await _quiet(app, pilot)
            yield REVIEWING[3], picture(app)


async def source_pictures(home: Path) -> AsyncIterator[tuple[str, str]]:
    """Names and SVGs of a search among questions with the filters beside it, and of the funnel; 120x40, dark."""
    file = home / "sources.uq.sqlite"
    with _environment(home, LOOKS[0]):
        _make_workspace(file)
        _curate(file, home / "stock.jsonl")
        async with _running(file, FULL_WIDTH) as (app, pilot):
            await pilot.press("Q")
            await _shown(app, pilot, "questions")
            await pilot.press("slash", *"known", "enter")
            await _shown(app, pilot, "body:")
            await pilot.press("f")
            await _shown(app, pilot, "resolution", "year")
            app.screen.query_one("#facet_text", Input).cursor_blink = False
            await _quiet(app, pilot)
            yield SOURCES[0], picture(app)
            await pilot.press("escape", "c")
            await _shown(app, pilot, "Fell at the rules")
            await _quiet(app, pilot)
            yield SOURCES[1], picture(app)


async def insight_pictures(home: Path) -> AsyncIterator[tuple[str, str]]:
    """Names and SVGs of three tabs of Insights where their plots begin; 120x40, dark."""
    file = home / "insights.uq.sqlite"
    with _environment(home, LOOKS[0]):
        workspace = open_workspace(file)
        try:
            judge(workspace)
        finally:
            workspace.close()
        async with _running(file, FULL_WIDTH) as (app, pilot):
            await pilot.press("I")
            await _until(pilot, lambda: isinstance(app.screen, InsightsScreen))
            for name, (tab, heading) in INSIGHTS.items():
                app.screen.query_one(TabbedContent).active = tab
                await _shown(app, pilot, heading)
                report = app.screen.query_one(f"#{tab}-report")
                title = next(one for one in report.query(".heading").results(Static) if str(one.content) == heading)
                report.scroll_to_widget(title, top=True, animate=False)
                await _quiet(app, pilot)
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


def _lay_out(file: Path, question_id: str) -> None:
    """Make two queues: the answers to the question, two of them decided, and ExpertMath's, labelled in two steps."""
    with sqlite3.connect(file) as db:
        db.execute("UPDATE workspace SET value = ? WHERE key = 'secret'", (f"{SECRET:064x}",))
    db.close()
    workspace = open_workspace(file)
    try:
        for name in ("expertmath.csv", "expertmath-candidates.csv"):
            import_file(workspace, EXPERTMATH / name)
        reviewer = reviewers.current(workspace)
        _make_queue(workspace, "Two steps", QueueSpec(candidates=CandidateFilter(text="cube"), two_steps=True))
        _make_queue(workspace, "Pilot", QueueSpec(candidates=CandidateFilter(question_ids=(question_id,))), GUIDELINE)
        queue = queues.by_name(workspace, "Pilot")
        for label in (Label.INCORRECT, Label.CORRECT):
            item = queues.next_item(workspace, queue.id, reviewer.id)
            if item is not None:
                decisions.decide(workspace, reviewer, item.id, VerdictForm(label=label))
    finally:
        workspace.close()


def _disagree(file: Path, question_id: str) -> None:
    """Have two people disagree on the first answer of ours, each for reasons of their own."""
    workspace = open_workspace(file)
    try:
        own = reviewers.current(workspace)
        answer = next(one for one in candidates.of_question(workspace, question_id) if LEFT_OUT in one.answer.raw)
        for handle, label, score, quoted, category, words in OPINIONS:
            reviewer = Reviewer(f"0199aaaa-0000-7000-8000-{len(handle):012x}", handle, "", ())
            reviewers.save(workspace, reviewer)
            error = MarkedError(category, (Quote(quoted, None, None, "", ""),), "", words, "")
            form = VerdictForm(label=label, score_0_7=score, confidence=4, errors=(error,))
            decisions.record(workspace, reviewer, answer.id, form, based_on=None)
        reviewers.use(workspace, own.id)
    finally:
        workspace.close()


def _make_queue(workspace: Workspace, name: str, spec: QueueSpec, guideline: str = "") -> None:
    reviewer = reviewers.current(workspace)
    laid_out = building.plan(workspace, spec, (reviewer,), by=reviewer.id)
    building.make(workspace, name, guideline, laid_out, by=reviewer.id)


async def _go_on(app: UqApp, pilot: Pilot[None], name: str) -> None:
    """Go on with a queue from the list of them."""
    await _until(pilot, lambda: isinstance(app.screen, QueuesScreen) and name in _words(app))
    rows = [line for line in _words(app).splitlines() if "blind" in line]
    await pilot.press("home", *["down"] * next(at for at, row in enumerate(rows) if name in row), "enter")


@contextmanager
def _environment(home: Path, look: Look) -> Iterator[None]:
    """What the app learns from outside: where it keeps things, which colours it may use."""
    before = dict(os.environ)
    os.environ[paths.HOME_VARIABLE] = str(home)
    os.environ.pop("NO_COLOR", None)
    try:
        config = paths.config_dir() / "config.toml"
        config.parent.mkdir(parents=True, exist_ok=True)
        config.write_text(f'theme = "{look.theme}"\n', encoding="utf-8")
        if look.no_color:
            os.environ["NO_COLOR"] = "1"
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _make_workspace(file: Path) -> str:
    """Make the workspace that is shown; returns the id of the question."""
    workspace = open_workspace(file)
    try:
        question = questions.page(workspace, QuestionFilter(text=QUESTION)).rows[0].id
        first, second = ((ANSWERS / f"{name}.md").read_text(encoding="utf-8") for name in ("first", "second"))
        candidates.add(
            workspace,
            [
                NewCandidate(question, text, TextFormat.MARKDOWN, Origin(AuthorKind.SYSTEM, system=f"uq-tui {name}"))
                for text, name in ((first, "sample D"), (second, "sample E"))
            ],
        )
        marked = zip(all_units(first), MARKS, strict=False)
        ledger.put(
            workspace,
            reviewers.current(workspace).id,
            first,
            [LedgerMark(unit.start, unit.end, state, "") for unit, state in marked],
        )
        return question
    finally:
        workspace.close()


@asynccontextmanager
async def _running(file: Path, size: tuple[int, int]) -> AsyncIterator[tuple[UqApp, Pilot[None]]]:
    app = UqApp(file, ModelChoice("local/smollm2-135m"))
    async with app.run_test(size=size) as pilot:
        await _until(pilot, lambda: app.desk is not None and not app.desk.engine.starting)
        yield app, pilot


async def _reading(app: UqApp, pilot: Pilot[None], *, full: bool) -> None:
    """Read the first of our answers from its count on, with what is searched marked; alone at `full` width."""
    await _until(pilot, lambda: isinstance(app.screen, WorkbenchScreen) and "c4" in _words(app))
    await pilot.press("end", "up", "right")
    text = app.screen.query_one("#text", Document)
    await _until(pilot, lambda: text.has_focus and "orient every chord" in text.source and not text.busy)
    if full:
        await pilot.press("w")
        await _until(pilot, lambda: text.size.width > app.size.width // 2)
    text.find(SEARCHED, at=text.source.index("## Count"))
    heading = next(heading for heading in text.headings if heading.text == "Count")
    text.unit_at = next(index for index, unit in enumerate(text.units) if unit.start > heading.start)
    text.go_to(heading.start, above=0)
    await _quiet(app, pilot)


async def _side_by_side(app: UqApp, pilot: Pilot[None]) -> None:
    """Put both of our answers side by side, and go to the second place where they differ."""
    await pilot.press("escape", "c")
    await _until(pilot, lambda: isinstance(app.screen, SideBySideScreen) and "Answer  c5" in _words(app))
    await pilot.press("d")
    await _until(pilot, lambda: "words differ" in _words(app))
    await pilot.press("right_square_bracket", "right_square_bracket")
    await _until(pilot, lambda: "2 of " in _words(app))
    await _quiet(app, pilot)


async def _until(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not holds():
            await pilot.pause(0.05)


async def _shown(app: UqApp, pilot: Pilot[None], *texts: str) -> None:
    await _until(pilot, lambda: all(text in _words(app) for text in texts))


async def _quiet(app: UqApp, pilot: Pilot[None]) -> None:
    """Wait until nothing on the screen changes any more."""
    shown: list[str] = []
    async with asyncio.timeout(PATIENCE_S):
        while len(shown) < 4 or len(set(shown[-4:])) > 1:
            await pilot.pause(QUIET_S)
            shown.append(app.export_screenshot())


def _words(app: UqApp) -> str:
    return "\n".join(strip.text for strip in app.screen._compositor.render_strips())


def picture(app: UqApp) -> str:
    """The screen as an SVG that looks the same everywhere: nothing is fetched for it, no font's blanks count."""
    svg = app.export_screenshot(title=" ", simplify=True)
    svg = re.sub(r"\s*@font-face \{.*?\}\n", "\n", svg, flags=re.DOTALL)
    svg = svg.replace("font-family: Fira Code, monospace", FONT)
    svg = re.sub(r"terminal-\d+", "terminal", svg).replace("&#160;", _BLANK)
    for changing, shown in _CHANGING:
        svg = changing.sub(shown, svg)
    svg = svg.replace('fill="#292929"', f'fill="{app.screen.background_colors[1].hex6}"')
    return "\n".join(_TEXT.sub(_without_blanks, svg).split("\n")).strip() + "\n"


def _without_blanks(found: re.Match[str]) -> str:
    """A stretch of text without the blanks around it: not everything that draws SVG gives them their room."""
    head, x, rest, length, tail, text = found.groups()
    begun, kept = text.lstrip(_BLANK), text.strip(_BLANK)
    before, behind = len(text) - len(begun), len(begun) - len(kept)
    if not kept:
        return ""
    x, length = float(x) + before * CELL, float(length) - (before + behind) * CELL
    return f"{head}{x:g}{rest}{length:g}{tail}{kept}</text>"


async def main(out: Path = OUT) -> None:
    """Write all pictures."""
    draws: list[Callable[[Path], AsyncIterator[tuple[str, str]]]] = [
        tour_pictures,
        review_pictures,
        conflict_picture,
        source_pictures,
        insight_pictures,
    ]
    draws += [partial(pictures, look=look) for look in LOOKS]
    for draw in draws:
        with tempfile.TemporaryDirectory() as home:
            async for name, svg in draw(Path(home)):
                (out / name).write_text(svg, encoding="utf-8")
                sys.stderr.write(f"{name}\n")


if __name__ == "__main__":
    asyncio.run(main())
