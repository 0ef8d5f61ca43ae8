"""Going on to the next candidate of a queue, by the states behind the screen: 10,000 items against 100.

Both queues are worked through in turn, one item of each, so that whatever else the machine does meets both.
"""

import asyncio
import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path

from benchmarks.results import Result
from store import candidates, intake, queues
from store.intake import NewQuestion
from store.review_rows import NewItem
from store.rows import NewCandidate, Origin
from store.workspace import Workspace
from uq_tui.engine.client import EngineClient
from uq_tui.engine.requests import ModelChoice
from uq_tui.state.desk import Desk
from uq_tui.state.reviewing.giving import Given
from uq_tui.state.reviewing.queue_spec import QueueSpec
from uq_tui.state.reviewing.review import ReviewState
from uq_tui.state.verdict.editor import VerdictEditor
from uq_tui.words import AuthorKind, Label, QueueMode, TextFormat

SIZES = {"100": 100, "10k": 10_000}
ANSWERS = 10
"""Of each problem."""
WARM_UP, STEPS = 5, 40
"""Items decided of each queue, before anything is measured and then."""
ANSWER = "Let $f_n \\to f$ uniformly on a compact set. Then $\\int f_n \\to \\int f$, and so on. " * 40
_ADDED_AT_ONCE = 200
_LABELS = (Label.CORRECT, Label.INCORRECT)


@dataclass(frozen=True, slots=True)
class _Step:
    """Seconds from a key until the next item is before the reviewer, and until all is counted and looked up ahead."""

    next_item: float
    settled: float


def measure() -> list[Result]:
    """From the key that decides an item to the next one with its texts, and to the end of what goes on behind it."""
    found = asyncio.run(_work())
    large, small = found["10k"], found["100"]
    return [
        _result("review.next.10k", [one.next_item for one in large], [one.next_item for one in small], "; aim <= 1.3"),
        _result("review.settled.10k", [one.settled for one in large], [one.settled for one in small], ""),
    ]


def _result(name: str, large: list[float], small: list[float], aim: str) -> Result:
    what = "the next item is there" if name.startswith("review.next") else "all is counted and looked up ahead"
    value, baseline = statistics.median(large) * 1000, statistics.median(small) * 1000
    told = f"a verdict by one key until {what}, in a queue of 10,000 against one of 100{aim}"
    return Result(name, value, "ms", baseline, value / baseline, len(large), told)


async def _work() -> dict[str, list[_Step]]:
    steps: dict[str, list[_Step]] = {name: [] for name in SIZES}
    with tempfile.TemporaryDirectory() as folder:
        opened = {name: Workspace.open(Path(folder) / f"{name}.uq.sqlite") for name in SIZES}
        try:
            states = {name: await _reviewing(opened[name], size) for name, size in SIZES.items()}
            for number in range(WARM_UP + STEPS):
                for name, state in states.items():
                    step = await _decide(state, _LABELS[number % 2])
                    if number >= WARM_UP:
                        steps[name].append(step)
        finally:
            for workspace in opened.values():
                workspace.close()
    return steps


async def _decide(state: ReviewState, label: Label) -> _Step:
    started = time.perf_counter()
    if await state.give(label) is not Given.RECORDED:
        raise RuntimeError("Nothing was recorded.")
    shown = time.perf_counter()
    await state.settled()
    return _Step(shown - started, time.perf_counter() - started)


async def _reviewing(ws: Workspace, size: int) -> ReviewState:
    """The middle of a queue of so many items, with what comes next looked up."""
    desk = await Desk.sit_down(ws, EngineClient(ws.path, ws.path.with_suffix(".log")), ModelChoice("replay/none"))
    items = await asyncio.to_thread(lambda: list(_items(ws, size)))
    spec = QueueSpec(mode=QueueMode.BLIND).as_json()
    shares = {desk.reviewer.id: items}
    queue = await asyncio.to_thread(
        lambda: queues.make(ws, name="bench", mode=QueueMode.BLIND, spec=spec, guideline="", shares=shares)
    )
    seconds = count()  # a second passes at each look, so that no key comes too soon
    state = ReviewState(desk, VerdictEditor(desk), clock=lambda: float(next(seconds)))
    await state.open(queue.id)
    middle = queues.items(ws, queue.id, desk.reviewer.id, after=size // 2, limit=1)
    await state.go_to(middle[0].id)
    await state.settled()
    return state


def _items(ws: Workspace, size: int) -> Iterator[NewItem]:
    """Problems with their answers, stored a few hundred at once."""
    for first in range(0, size, _ADDED_AT_ONCE):
        new = list(_answers(first, min(first + _ADDED_AT_ONCE, size)))
        asked = [_question(one) for one in dict.fromkeys(answer.question_id for answer in new)]
        ws.write(partial(intake.put, questions=asked))
        ids = candidates.add(ws, new)
        yield from (NewItem(one.question_id, key) for one, key in zip(new, ids, strict=True))


def _answers(first: int, end: int) -> Iterator[NewCandidate]:
    for number in range(first, end):
        origin = Origin(AuthorKind.MODEL, model=f"model-{number % ANSWERS}")
        text = f"{ANSWER}\n\nSo $\\boxed{{{number}}}$."
        yield NewCandidate(f"bench:{number // ANSWERS}", text, TextFormat.MARKDOWN, origin)


def _question(question_id: str) -> NewQuestion:
    return NewQuestion(question_id, f"Problem {question_id}", f"{ANSWER} {question_id}", TextFormat.MARKDOWN, "bench")
