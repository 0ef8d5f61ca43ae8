"""A queue on the screen: keys decide and go on, what is masked stays so, clicks do what keys do."""

from store import candidates, queues, verdicts
from store.review_rows import NewItem, Queue
from store.rows import NewCandidate, Origin
from store.workspace import Workspace
from tests.engine.runs.scripted import QUESTION, add_question
from tests.screens.conftest import Host
from tests.screens.waiting import screen_text, shown, wait_until
from tests.state.reviewing.laid_out import Clock, desk_of, make_queue
from uq_tui.screens.reviewing.review import ReviewScreen
from uq_tui.state.desk import Desk
from uq_tui.words import AuthorKind, Label, TextFormat

ANSWERS = ("It is **one**.", "It is **two**.", "It is **three**.")
MODELS = ("secret-alpha", "secret-beta", "secret-gamma")


async def laid_out(ws: Workspace) -> tuple[Desk, Queue, tuple[str, ...]]:
    """A blind queue of three answers by three models; their ids."""
    add_question(ws, title="How many?")
    new = [
        NewCandidate(QUESTION, text, TextFormat.MARKDOWN, Origin(AuthorKind.MODEL, model=name), reasoning="Counted.")
        for text, name in zip(ANSWERS, MODELS, strict=True)
    ]
    ids = candidates.add(ws, new)
    desk = await desk_of(ws)
    items = [NewItem(QUESTION, one, answer_group=place // 2) for place, one in enumerate(ids)]
    return desk, make_queue(ws, desk, items, guideline="Read *closely*."), ids


async def test_keys_decide_go_on_and_undo(workspace: Workspace) -> None:
    desk, queue, ids = await laid_out(workspace)
    clock = Clock()
    host = Host(ReviewScreen(desk, queue.id, clock=clock))
    async with host.run_test(size=(120, 40)) as pilot:
        await shown(pilot, "It is one", "0 of 3", "x incorrect", "same final answer", "no other like it", "▸ now")
        await pilot.press("x")  # too soon
        clock.wait()
        await pilot.press("x")
        await shown(pilot, "It is two", "recorded: incorrect, u undoes", "1 of 3", "● yours: incorrect")
        await pilot.press("u")
        await shown(pilot, "It is one", "undone", "0 of 3")
        clock.wait()
        await pilot.press("U")
        await shown(pilot, "It is two", "1 of 3")
        clock.wait()
        await pilot.press("l")
        await shown(pilot, "It is three", "put off")
        text = screen_text(pilot)
        assert not any(name in text for name in MODELS)
        await pilot.press("a")
        await shown(pilot, "How many are there?")
        await pilot.press("r")
        await shown(pilot, "Reference and neighbours")
        await pilot.press("r", "i")
        await shown(pilot, "Read closely", "Guideline of pilot")
        await pilot.press("escape")
        clock.wait()
        await pilot.press("c")
        await shown(pilot, "It is two", "2 of 3")
        clock.wait()
        await pilot.press("t")
        await shown(pilot, "Nothing is left to decide", "A-C revealed", "p second pass", "1 skipped")
    assert host.errors == []
    given = [verdicts.latest(workspace, desk.reviewer.id, one) for one in ids]
    assert [one.label for one in given if one is not None] == [Label.INCORRECT, None, Label.CORRECT]
    assert all(one is not None and one.blind for one in given)


async def test_the_form_goes_on_too_and_clicks_do_what_keys_do(workspace: Workspace) -> None:
    desk, queue, _ids = await laid_out(workspace)
    clock = Clock()
    host = Host(ReviewScreen(desk, queue.id, clock=clock))
    async with host.run_test(size=(80, 24)) as pilot:
        await shown(pilot, "It is one", "x incorrect")
        clock.wait()
        await pilot.press("enter")
        await wait_until(pilot, lambda: host.screen.has_class("-judging"))
        await pilot.press("b", "ctrl+s")
        await shown(pilot, "It is two", "recorded: correct borderline")
        clock.wait()
        lines = screen_text(pilot).splitlines()
        row = next(y for y, line in enumerate(lines) if "c correct" in line)
        await pilot.click(offset=(lines[row].index("c correct"), row))
        await shown(pilot, "It is three", "recorded: correct,")
        await pilot.press("left")
        await shown(pilot, "no other like it", "● yours: correct borderline")
        lines = screen_text(pilot).splitlines()
        row = next(y for y, line in enumerate(lines) if "yours: correct borderline" in line)
        await pilot.click(offset=(6, row))
        await shown(pilot, "It is one")
    assert host.errors == []
    assert queues.progress(workspace, queue.id, desk.reviewer.id).decided == 2
