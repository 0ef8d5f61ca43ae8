"""Fifty answers are judged in one sitting with keys alone, and the keys are counted."""

from pathlib import Path

import pytest
from textual.events import MouseMove
from textual.pilot import Pilot

from store import candidates, drafts, questions, queues, verdicts
from store.ingest.importer import import_file
from store.review_rows import NewItem, Queue
from store.rows import QuestionFilter
from store.workspace import Workspace
from tests.fixtures import FIXTURES
from tests.screens.reviewing.at_the_keyboard import VERDICTS, AtTheKeyboard, in_a_queue, laid_out
from tests.screens.waiting import screen_text, shown, wait_until
from tests.state.reviewing.laid_out import add_problem, desk_of, make_queue
from uq_tui.screens.reviewing.quote import QuoteModal
from uq_tui.state.reviewing.guard import GUARD_S
from uq_tui.words import ErrorCategory, ItemState, Label, VerdictStatus

PROBLEMS, ANSWERS = 5, 10
MOST_WITH_A_QUOTE = 8
"""Keys of a verdict with one tagged quote; those that select it, and typed text, may come on top."""


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UQ_TUI_HOME", str(tmp_path / "home"))


def answer(problem: int, number: int) -> str:
    """An answer to a problem with a final answer, as long as short ones are."""
    return (
        f"Let $G$ act on the colourings of an {problem + 3}-gon. A reflection fixes $2^{{{number}}}$ of them, and a"
        f" rotation by $k$ steps $2^{{\\gcd(k, {problem + 3})}}$.\n\n"
        "By Burnside's lemma the number of orbits is the mean of these:\n\n"
        f"$$\\frac{{1}}{{|G|}} \\sum_{{g \\in G}} |X^g| = \\frac{{{number}}}{{{problem}}}.$$\n\n"
        f"So the number is $\\boxed{{{10 * problem + number}}}$."
    )


async def fifty(ws: Workspace) -> Queue:
    desk = await desk_of(ws)
    items = [
        item
        for problem in range(1, PROBLEMS + 1)
        for item in add_problem(ws, f"count:{problem}", *(answer(problem, one) for one in range(1, ANSWERS + 1)))
    ]
    assert len(items) == 50
    return make_queue(ws, desk, items, guideline="Read *all* of it.")


async def test_fifty_answers_are_judged_with_few_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "fifty.uq.sqlite"
    with laid_out(path) as ws:
        queue = await fifty(ws)
    async with in_a_queue(path, queue.id, monkeypatch) as at:
        judged = tuple(at.left)
        strokes = [await at.gives(key) for key in VERDICTS]
        await too_early(at)
        await quoted_by_keys(at)
        await quoted_with_words(at)
        await quoted_with_the_mouse(at)
        more = await undone(at)
        await by_the_form(at)
        await told_for_two_answers(at)
        while at.left:
            strokes.append(await at.gives(list(VERDICTS)[len(at.left) % len(VERDICTS)]))
        assert set(strokes) == {1}
        ws, reviewer = at.desk.workspace, at.desk.reviewer.id
        assert queues.progress(ws, queue.id, reviewer).left == 0
        assert all(at.recorded(one).blind for one in judged)
        assert drafts.of_reviewer(ws, reviewer) == ()
        assert len(list(verdicts.records(ws))) == len(judged) + more


async def too_early(at: AtTheKeyboard) -> None:
    """What is pressed as an answer appears was meant for the one before."""
    candidate = at.left[0]
    await at.press_at_once(*VERDICTS, "l")
    at.clock.wait(GUARD_S - 0.01)
    await at.press_at_once(*VERDICTS, "l")
    await at.settled()
    assert at.text.readable.key == candidate
    assert verdicts.latest(at.desk.workspace, at.desk.reviewer.id, candidate) is None
    at.clock.wait(0.02)
    await at.press_at_once("b")
    await at.goes_on()
    assert at.recorded(candidate).label is Label.CORRECT_BORDERLINE


async def quoted(at: AtTheKeyboard, *keys: str, words: str = "") -> int:
    """Have what is selected quoted by these keys; words are typed before the last one, if there are any."""
    *first, last = keys
    before = at.pressed
    await at.press("q")
    await wait_until(at.pilot, lambda: isinstance(at.pilot.app.screen, QuoteModal))
    await at.press_at_once(*first)
    await at.type(words)
    await at.press_at_once(last)
    return at.pressed - before


async def quoted_by_keys(at: AtTheKeyboard) -> None:
    """One tagged quote, the words chosen by keys: all of them are counted."""
    candidate, before = at.left[0], at.pressed
    await at.press("q", "space", "l", "l")
    await quoted(at, "r")
    await at.gives("x")
    assert at.pressed - before <= MOST_WITH_A_QUOTE
    assert quotes(at, candidate) == [(ErrorCategory.INCORRECT_REASONING, "Let $G$ act", "")]


async def quoted_with_words(at: AtTheKeyboard) -> None:
    """The same with another kind of error and what is claimed."""
    candidate, before = at.left[0], at.pressed
    await at.press("q", "end", "q")
    selecting = at.pressed - before
    await quoted(at, "down", "enter", "enter", words="it acts")
    await at.gives("x")
    assert at.pressed - before - selecting <= MOST_WITH_A_QUOTE
    ((category, _, claim),) = quotes(at, candidate)
    assert (category, claim) == (ErrorCategory.UNJUSTIFIED_COMPRESSION, "it acts")


async def quoted_with_the_mouse(at: AtTheKeyboard) -> None:
    """The same with words that are dragged over."""
    candidate, before = at.left[0], at.pressed
    lines = screen_text(at.pilot).splitlines()
    row = next(y for y, line in enumerate(lines) if "By Burnside's lemma" in line)
    start = lines[row].index("By Burnside's lemma")
    await drag(at.pilot, (start, row), (start + len("By Burnside's lemm"), row))
    await quoted(at, "f")
    await at.gives("b")
    assert at.pressed - before <= MOST_WITH_A_QUOTE
    assert quotes(at, candidate) == [(ErrorCategory.FABRICATED_REFERENCE, "By Burnside's lemma", "")]


async def drag(pilot: Pilot[None], start: tuple[int, int], end: tuple[int, int]) -> None:
    await pilot.mouse_down(offset=start)
    await pilot._post_mouse_events([MouseMove], offset=end, button=1)
    await pilot.mouse_up(offset=end)
    await pilot.pause()


def quotes(at: AtTheKeyboard, candidate_id: str) -> list[tuple[str, str, str]]:
    """Of the verdict on a candidate: the kind of each error, its first quote as it stands in the answer, its claim."""
    raw = candidates.get(at.desk.workspace, candidate_id).answer.raw
    errors = at.recorded(candidate_id).record["errors"]
    places = [error["quotes"][0] for error in errors]
    words = [raw[place["start"] : place["end"]] for place in places]
    return [(error["category"], said, error["claim"]) for error, said in zip(errors, words, strict=True)]


async def undone(at: AtTheKeyboard) -> int:
    """Undo and redo; what was entered is still there when the answer is decided otherwise. How many rows that added."""
    candidate = at.left[0]
    await at.press("q", "space", "l")
    await quoted(at, "o")
    await at.gives("x")
    for key, shows, status in (
        ("u", candidate, VerdictStatus.RETRACTED),
        ("U", at.left[0], VerdictStatus.SUBMITTED),
        ("u", candidate, VerdictStatus.RETRACTED),
    ):
        await at.press(key)
        await at.reads(shows)
        assert at.recorded(candidate).status is status
    at.left.insert(0, candidate)
    await at.gives("v")
    assert quotes(at, candidate) == [(ErrorCategory.OTHER, "Let $G$", "")]
    return 4


async def by_the_form(at: AtTheKeyboard) -> None:
    """All else that a verdict can say."""
    candidate = at.left[0]
    await at.press("enter")
    await wait_until(at.pilot, lambda: at.pilot.app.screen.focused is at.pilot.app.screen.query_one("#label"))
    await at.press("x", "tab", "4", "tab", "2", "tab", "tab", "tab", "tab")
    await at.type("too short")
    await at.press("ctrl+s")
    await at.goes_on()
    said = at.recorded(candidate)
    assert said.label is Label.INCORRECT
    assert [said.record[key] for key in ("confidence", "score_0_7", "rationale")] == [4, 2, "too short"]


async def told_for_two_answers(at: AtTheKeyboard) -> None:
    """What was recorded is told while two answers are read; they are put off, so that nothing else is told."""
    line = "recorded: correct, u undoes"
    await at.gives("c")
    put_off = at.left[:2]
    for _ in put_off:
        await shown(at.pilot, line)
        at.left.append(at.left[0])
        await at.press("l")
        await at.goes_on()
    assert line not in await at.settled()
    states = {
        item.candidate_id: item.state for item in queues.items(at.desk.workspace, at.queue_id, at.desk.reviewer.id)
    }
    assert [states[one] for one in put_off] == [ItemState.PUT_OFF] * 2


async def test_two_steps_take_two_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "steps.uq.sqlite"
    with laid_out(path) as ws:
        import_file(ws, FIXTURES / "expertmath.csv")
        import_file(ws, FIXTURES / "expertmath-candidates.csv")
        asked = [row.id for row in questions.page(ws, QuestionFilter()).rows]
        judged = [one for key in asked for one in candidates.of_question(ws, key) if not one.reference]
        items = [NewItem(one.question_id, one.id) for one in judged]
        queue = make_queue(ws, await desk_of(ws), items, two_steps=True)
    given = []
    async with in_a_queue(path, queue.id, monkeypatch) as at:
        for keys in ("cc", "x", "cb", "vx", "cv"):
            candidate, before = at.left[0], at.pressed
            await shown(at.pilot, "1 of 2")
            await at.press(*keys)
            await at.goes_on()
            assert at.pressed - before <= 2
            given.append(at.recorded(candidate).label)
        await at.press("escape")
        await shown(at.pilot, "Queues", "5 of ")
    assert given == [Label.CORRECT, Label.INCORRECT, Label.CORRECT_BORDERLINE, Label.INCORRECT, Label.UNSURE]
