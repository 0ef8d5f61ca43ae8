"""Texts side by side on the screen."""

from textual import events
from textual.pilot import Pilot
from textual.scrollbar import ScrollTo

from store import candidates, exposures, questions
from store.rows import NewCandidate, Origin, QuestionFilter
from tests.judged_runs import THREE_ITER, judged_run, three_iter
from tests.screens.conftest import Host, bench, first_question, ids, opened
from tests.screens.waiting import screen_text, shown, wait_until
from uq_tui.screens.reading.side_by_side import SideBySideScreen
from uq_tui.screens.reading.text_picker import TextPickerModal
from uq_tui.screens.workbench import WorkbenchScreen
from uq_tui.state.desk import Desk
from uq_tui.state.reading.lines.highlights import Layer
from uq_tui.widgets.document import Document
from uq_tui.words import AuthorKind, Exposure, TextFormat

WIDE = (140, 40)
STEPS = [f"Step {n}. We go on from here for a while." for n in range(60)]


async def beside(pilot: Pilot[None], down: int = 0) -> None:
    """Open the screen from the workbench, on the candidate so many below the first."""
    await opened(pilot)
    await pilot.press(*["down"] * down, "c")
    await wait_until(pilot, lambda: isinstance(pilot.app.screen, SideBySideScreen))


def pane(pilot: Pilot[None], at: int) -> Document:
    return pilot.app.screen.query_one(f"#pane-{at}", Document)


def add(desk: Desk, *answers: str) -> list[str]:
    by = Origin(AuthorKind.MODEL, model="a-model", source="test")
    question = first_question(desk.workspace)
    return list(
        candidates.add(desk.workspace, [NewCandidate(question, text, TextFormat.MARKDOWN, by) for text in answers])
    )


def long_pair(desk: Desk) -> None:
    """Two long answers in place of what is read first: the second has twenty paragraphs before what they share."""
    added = [*(f"Remark {n}." for n in range(20)), *STEPS]
    add(desk, "\n\n".join(STEPS), "\n\n".join(added))


def seen(desk: Desk, candidate_id: str) -> set[Exposure]:
    rows = exposures.of_candidate(desk.workspace, desk.reviewer.id, candidate_id)
    return {row.what for row in rows if row.where == "side by side"}


async def test_c_opens_two_answers_and_leaves_again(desk: Desk) -> None:
    app = bench(desk)
    async with app.run_test(size=WIDE) as pilot:
        await beside(pilot)
        await shown(pilot, "Side by side", "Answer  c1", "It is even.", "Answer  c2", "It is odd.", "w frees scrolling")
        await pilot.press("c")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, WorkbenchScreen))
        assert seen(desk, ids(desk)[0]) == set()
        assert app.errors == []


async def test_any_text_can_be_picked_and_what_is_seen_is_recorded(desk: Desk) -> None:
    first, _ = ids(desk)
    judged_run(desk.workspace, first, THREE_ITER, three_iter("aaa"))
    app = bench(desk)
    async with app.run_test(size=WIDE) as pilot:
        await beside(pilot)
        await shown(pilot, "It is odd.")
        await pilot.press("tab", "p")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, TextPickerModal))
        await shown(pilot, "c1   Answer", "c1   Reasoning", "c1   Reply 1 of 2  turn 1, cycle consistency", "14 texts")
        assert "accept" not in screen_text(pilot).partition("What to read here")[2]
        await pilot.press(*"c1", "space", *"reas", "enter")
        await shown(pilot, "Reasoning  c1", "Squares of odds are odd.", "It is even.")
        assert seen(desk, first) == {Exposure.REASONING}
        await pilot.press("enter")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, TextPickerModal))
        await pilot.press("down", "down", "enter")
        await shown(pilot, "turn 1, cycle consistency  c1", "Reply at cycle_consistency/1.")
        assert seen(desk, first) == {Exposure.REASONING}  # the workbench has shown the outcomes before
        assert app.errors == []


async def test_differences_are_marked_and_gone_to(desk: Desk) -> None:
    app = bench(desk)
    async with app.run_test(size=WIDE) as pilot:
        await beside(pilot)
        await shown(pilot, "It is odd.")
        await pilot.press("right_square_bracket")
        assert not pane(pilot, 0).highlights.ranges(Layer.POINTED)
        await pilot.press("d")
        await shown(pilot, "4 words differ in 1 paragraph: 3 only on the left, 1 only on the right")
        await pilot.press("right_square_bracket")
        await shown(pilot, "1 of 1 place")
        await pilot.press("d")
        await shown(pilot, "d marks what differs")


async def test_tied_panes_go_by_paragraphs_and_free_ones_by_themselves(desk: Desk) -> None:
    long_pair(desk)
    app = bench(desk)
    async with app.run_test(size=WIDE) as pilot:
        await beside(pilot, down=2)
        await shown(pilot, "Answer  c3", "Answer  c4", "Step 0.", "Remark 0.")
        await pilot.press("space")
        await wait_until(pilot, lambda: "Step 1" in top(pilot, 0) and top(pilot, 0) == top(pilot, 1))
        held = top(pilot, 1)
        await pilot.press("w", "home")
        await shown(pilot, "scrolling is free", "Step 0.")
        assert top(pilot, 1) == held
        await pilot.press("w")
        await wait_until(pilot, lambda: top(pilot, 1).startswith("Remark"))


async def test_panes_are_added_and_removed(desk: Desk) -> None:
    app = bench(desk)
    async with app.run_test(size=WIDE) as pilot:
        await beside(pilot)
        await shown(pilot, "It is odd.")
        await pilot.press("minus")
        await pilot.press("plus")
        await shown(pilot, "It is even.", "It is odd.", "Think about parity.")
        assert pilot.app.screen.focused is pane(pilot, 2)
        await pilot.press("tab", "minus")
        await wait_until(pilot, lambda: "It is even." not in screen_text(pilot))
        await shown(pilot, "Answer  c2", "Question")
        assert app.errors == []


async def test_on_a_narrow_terminal_panes_are_tabs(desk: Desk) -> None:
    long_pair(desk)
    app = bench(desk)
    async with app.run_test(size=(80, 24)) as pilot:
        await shown(pilot, "c4")
        await pilot.press("down", "down", "c")
        await shown(pilot, "[Answer  c3]   Answer  c4", "Step 0.")
        assert "Remark 0." not in screen_text(pilot)
        await pilot.press("space", "tab")
        await shown(pilot, " Answer  c3   [Answer  c4]")
        await wait_until(pilot, lambda: top(pilot, 1).startswith("Step") and top(pilot, 0) == top(pilot, 1))
        await pilot.press("escape")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, WorkbenchScreen))


async def test_without_a_candidate_there_is_the_question(desk: Desk) -> None:
    (other,) = questions.page(desk.workspace, QuestionFilter(text="bold")).rows
    app = Host(WorkbenchScreen(desk, other.id))
    async with app.run_test(size=WIDE) as pilot:
        await shown(pilot, "Second body.")
        await pilot.press("c")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, SideBySideScreen))
        await shown(pilot, "Question", "Second body.")
        await pilot.press("plus", "minus", "d", "tab", "c")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, WorkbenchScreen))
        assert app.errors == []


async def test_what_is_folded_stays_so_in_a_pane_that_follows(desk: Desk) -> None:
    sections = [f"# Section {n}\n\n" + "\n\n".join(f"Step {n}.{k} goes on." for k in range(20)) for n in range(4)]
    add(desk, "\n\n".join(sections), "\n\n".join([*sections, "The end."]))
    app = bench(desk)
    async with app.run_test(size=WIDE) as pilot:
        await beside(pilot, down=2)
        await shown(pilot, "Answer  c4", "Step 0.3")
        await pilot.press("tab", "z")
        await wait_until(pilot, lambda: "Step 0.3" not in pane(pilot, 1).text)
        await pilot.press("tab", "j", "j", "j")
        await wait_until(pilot, lambda: pane(pilot, 0).top_offset > 0)
        await pilot.pause()
        assert "Step 0.3" not in pane(pilot, 1).text
        await pilot.press(*["space"] * 2)
        await wait_until(pilot, lambda: top(pilot, 1) == top(pilot, 0) != "")
        assert "Step 0.3" not in pane(pilot, 1).text


async def test_the_wheel_leads_where_the_mouse_is(desk: Desk) -> None:
    long_pair(desk)
    app = bench(desk)
    async with app.run_test(size=WIDE) as pilot:
        await beside(pilot, down=2)
        await shown(pilot, "Step 0.", "Remark 0.")
        for _ in range(20):
            pane(pilot, 1).post_message(events.MouseScrollDown(pane(pilot, 1), 3, 3, 0, 1, 0, False, False, False))
        await wait_until(pilot, lambda: top(pilot, 1).startswith("Step") and top(pilot, 0) == top(pilot, 1))


async def test_a_scroll_bar_that_is_dragged_leads_without_the_focus(desk: Desk) -> None:
    long_pair(desk)
    app = bench(desk)
    async with app.run_test(size=WIDE) as pilot:
        await beside(pilot, down=2)
        await shown(pilot, "Step 0.", "Remark 0.")
        pane(pilot, 1).post_message(ScrollTo(y=60))
        await wait_until(pilot, lambda: top(pilot, 1).startswith("Step") and top(pilot, 0) == top(pilot, 1))
        assert pane(pilot, 0).has_focus


def top(pilot: Pilot[None], at: int) -> str:
    """The paragraph at the top of a pane."""
    document = pane(pilot, at)
    return document.source[document.top_offset :].lstrip().partition("\n")[0]
