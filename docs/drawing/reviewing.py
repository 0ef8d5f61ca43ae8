"""Pictures of queues, of answers in them, of conflicts and of bundles."""

import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

from textual.pilot import Pilot

from docs.drawing.stage import FULL_WIDTH, LOOKS, environment, make_workspace, quiet, running, shown, until, words
from docs.drawing.svg import picture
from store import bundles, candidates, decisions, queues, reviewers
from store.ingest.importer import import_file
from store.queue_pool import CandidateFilter
from store.rows import MarkedError, Quote, Reviewer, VerdictForm
from store.workspace import Workspace
from uq_tui.app import UqApp
from uq_tui.screens.reviewing.queues import QueuesScreen
from uq_tui.startup import open_workspace
from uq_tui.state.reviewing import building
from uq_tui.state.reviewing.queue_spec import QueueSpec
from uq_tui.words import BundleDirection, ErrorCategory, Label, NotJudged

REVIEWING = ("review-queues.svg", "review-item.svg", "review-two-steps.svg", "adjudication.svg", "bundles.svg")
EXPERTMATH = Path(__file__).parents[2] / "tests" / "fixtures"
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
SENT_TO = {"ann": 1.0, "bertram": 0.5, "cy": 0.0}
"""Who has work elsewhere, and how much of it they have returned."""
GUIDELINE = "An answer is correct if an expert would accept it as it stands: final answer and derivation.\n"


async def review_pictures(home: Path) -> AsyncIterator[tuple[str, str]]:
    """Names and SVGs of a reviewer's queues, of an answer in one, both 120x40, and of two steps at 80x24; dark."""
    file = home / "review.uq.sqlite"
    with environment(home, LOOKS[0]):
        _lay_out(file, make_workspace(file))
        async with running(file, FULL_WIDTH) as (app, pilot):
            await pilot.press("V")
            await shown(app, pilot, "Pilot", "Two steps")
            await quiet(app, pilot)
            yield REVIEWING[0], picture(app)
            await _go_on(app, pilot, "Pilot")
            await shown(app, pilot, "▸ now", "2 of 5")
            await quiet(app, pilot)
            yield REVIEWING[1], picture(app)
        async with running(file, (80, 24)) as (app, pilot):
            await pilot.press("V")
            await shown(app, pilot, "Answer")
            await pilot.press("V")
            await _go_on(app, pilot, "Two steps")
            await shown(app, pilot, "1 of 2: does the final answer agree")
            await quiet(app, pilot)
            yield REVIEWING[2], picture(app)


async def conflict_picture(home: Path) -> AsyncIterator[tuple[str, str]]:
    """Name and SVG of an answer on which two people disagree, with what each quotes; 120x40, dark."""
    file = home / "conflict.uq.sqlite"
    with environment(home, LOOKS[0]):
        _disagree(file, make_workspace(file))
        async with running(file, FULL_WIDTH) as (app, pilot):
            await pilot.press("V")
            await shown(app, pilot, "No queues yet")
            await pilot.press("d")
            await shown(app, pilot, "1 conflict")
            await pilot.press("enter")
            await shown(app, pilot, "1 of 1")
            await pilot.press("right_square_bracket", "right_square_bracket")
            await quiet(app, pilot)
            yield REVIEWING[3], picture(app)


async def bundles_picture(home: Path) -> AsyncIterator[tuple[str, str]]:
    """Name and SVG of the shares of a queue that went to three people, of whom two have returned some; 110x18, dark."""
    file = home / "bundles.uq.sqlite"
    with environment(home, LOOKS[0]):
        make_workspace(file)
        _hand_out(file)
        async with running(file, (110, 18)) as (app, pilot):
            await pilot.press("V")
            await shown(app, pilot, "Pilot")
            await pilot.press("b")
            await shown(app, pilot, "Shares of Pilot", "out of somebody's depth")
            await quiet(app, pilot)
            yield REVIEWING[4], picture(app)


def _lay_out(file: Path, question_id: str) -> None:
    """Make two queues: the answers to the question, two of them decided, and ExpertMath's, labelled in two steps."""
    workspace = _opened(file)
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


def _opened(file: Path) -> Workspace:
    """The workspace, with the secret that its queues are laid out by."""
    with sqlite3.connect(file) as db:
        db.execute("UPDATE workspace SET value = ? WHERE key = 'secret'", (f"{SECRET:064x}",))
    db.close()
    return open_workspace(file)


def _hand_out(file: Path) -> None:
    """Have three people judge in a queue elsewhere: one is done, one has come half way, one has returned nothing."""
    workspace = _opened(file)
    try:
        import_file(workspace, EXPERTMATH / "expertmath-candidates.csv")
        own = reviewers.current(workspace)
        people = [Reviewer(f"0199aaaa-0000-7000-8000-{len(name):012x}", name, "", ()) for name in SENT_TO]
        for reviewer in people:
            reviewers.make(workspace, reviewer)
        queue = building.make(
            workspace, "Pilot", GUIDELINE, building.plan(workspace, QueueSpec(), people, by=own.id), by=own.id
        )
        for reviewer, share in zip(people, SENT_TO.values(), strict=True):
            items = [one for one in queues.items(workspace, queue.id, reviewer.id) if not one.linked_to]
            done = items[: round(len(items) * share)]
            for at, item in enumerate(done):
                unjudged = NotJudged.OUT_OF_DEPTH if share < 1 and at == 0 else None
                form = VerdictForm(label=None if unjudged else Label.INCORRECT, not_judged=unjudged)
                decisions.decide(workspace, reviewer, item.id, form)
            ways = (BundleDirection.SENT, *([BundleDirection.RETURNED] if done else []))
            for way in ways:
                bundles.note(workspace, way, queue.id, reviewer.id, "pilot.zip", "", len(items))
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
    await until(pilot, lambda: isinstance(app.screen, QueuesScreen) and name in words(app))
    rows = [line for line in words(app).splitlines() if "blind" in line]
    await pilot.press("home", *["down"] * next(at for at, row in enumerate(rows) if name in row), "enter")
