import io
import subprocess
import sys

import pytest
from rich.console import Console
from textual.pilot import Pilot
from textual.widgets import TabbedContent

from store import adjudications, conflicts, exposures
from store.rows import VerdictForm
from tests.screens.conftest import Host
from tests.screens.waiting import screen_text, wait_until
from tests.state.reports.test_combined import put_questions
from tests.store.evaluated import put_answers, put_validation
from tests.store.standing import ADA, BOB, EVE, put, row
from tests.store.stock import QUESTION
from uq_tui.screens.insights import InsightsScreen
from uq_tui.state.desk import Desk
from uq_tui.state.reports.section import Section
from uq_tui.state.reports.tabs import AGREEMENT, CONSENSUS
from uq_tui.widgets.report_page import laid_out
from uq_tui.words import Exposure, Label, Outcome


async def test_an_empty_report_says_what_to_do(desk: Desk) -> None:
    async with Host(InsightsScreen(desk)).run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: "No validation has finished yet" in screen_text(pilot))
        assert "uq-tui validate" in screen_text(pilot)


async def test_validators_are_held_against_labels_which_keys_change(desk: Desk) -> None:
    labels = {
        "a": ("[bold]o3", Label.CORRECT),
        "b": ("[bold]o3", Label.CORRECT_BORDERLINE),
        "c": ("gpt-4o", Label.INCORRECT),
    }
    ids = put_answers(desk.workspace, labels)
    put_validation(desk.workspace, {ids["a"]: Outcome.ACCEPT, ids["b"]: Outcome.REJECT, ids["c"]: Outcome.UNPARSED})
    async with Host(InsightsScreen(desk)).run_test(size=(80, 100)) as pilot:
        await wait_until(pilot, lambda: "3 candidates judged:" in screen_text(pilot))
        shown = screen_text(pilot)
        assert "2 correct, 1 incorrect" in shown
        assert "Borderline correct counts as correct" in shown
        assert "[bold]o3" in shown  # a model's name is never an instruction
        assert "fact logic 1" in shown
        assert "1: kappa" not in shown
        await pilot.press("b")
        await wait_until(pilot, lambda: "Borderline correct counts as incorrect" in screen_text(pilot))
        assert "1 correct, 2 incorrect" in screen_text(pilot)
        await pilot.press("l")
        await wait_until(pilot, lambda: "Labels are verdicts, and no judged candidate has one." in screen_text(pilot))
        assert "3 unlabelled" in screen_text(pilot)
        await pilot.press("l")
        await wait_until(pilot, lambda: "Labels are those that came with the candidates." in screen_text(pilot))
    rows = exposures.of_candidate(desk.workspace, desk.reviewer.id, ids["c"])
    assert Exposure.OUTCOMES in {row.what for row in rows}


async def test_reading_again_stays_where_one_is(desk: Desk) -> None:
    ids = put_answers(desk.workspace, {"a": ("o3", Label.CORRECT), "b": ("o3", Label.INCORRECT)})
    put_validation(desk.workspace, {ids["a"]: Outcome.ACCEPT, ids["b"]: Outcome.REJECT})
    screen = InsightsScreen(desk)
    async with Host(screen).run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: "2 candidates judged:" in screen_text(pilot))
        await pilot.press("end")
        await wait_until(pilot, lambda: "Answering and judging" in screen_text(pilot))
        first = screen.query("#validators-report Static").first()
        await pilot.press("r")
        await wait_until(pilot, lambda: screen.query("#validators-report Static").first() is not first)
        await wait_until(pilot, lambda: "Answering and judging" in screen_text(pilot))
        assert "candidates judged" not in screen_text(pilot)


def words(pilot: Pilot[None]) -> str:
    """The screen's words, wherever its lines break."""
    return " ".join(screen_text(pilot).split())


async def test_utility_stands_beside_judges_with_plots_and_their_numbers(desk: Desk) -> None:
    put_questions(desk.workspace)
    screen = InsightsScreen(desk)
    async with Host(screen).run_test(size=(80, 240)) as pilot:
        await wait_until(pilot, lambda: "No validation has finished yet" in words(pilot))
        assert "Unit" not in words(pilot)  # the key belongs to the other tab
        await pilot.press("u")
        await wait_until(pilot, lambda: "Normalised error by samples" in words(pilot))
        shown = words(pilot)
        assert "18 candidates of 6 questions held correct or incorrect, of 20" in shown
        for title in ("Picking the correct one", "Normalised error", "Logistic regression on scores", "Replies"):
            assert title in shown
        assert "Share correct by score" in shown
        assert "1 CBU openai/solver 2 scale_10 openai/o3" in shown
        await pilot.press("n")
        await wait_until(pilot, lambda: "averaged over neighbours" in words(pilot))
        await pilot.press("h")
        await wait_until(pilot, lambda: "reference solution is not ranked" in words(pilot))
        await pilot.press("l")
        await wait_until(pilot, lambda: "Labels are the verdicts of reviewers only." in words(pilot))
        await pilot.press("left")
        await wait_until(pilot, lambda: "No validation has finished yet" in words(pilot))


async def test_utility_without_scores_says_what_to_do(desk: Desk) -> None:
    async with Host(InsightsScreen(desk)).run_test(size=(80, 24)) as pilot:
        await pilot.press("u")
        await wait_until(pilot, lambda: "uq-tui cbu QUESTION" in screen_text(pilot))


def test_what_draws_plots_is_imported_only_when_one_is_shown_or_saved() -> None:
    libraries = "('plotext', 'textual_plotext', 'matplotlib')"
    asked = f"import sys, uq_tui.screens.insights; print([name for name in {libraries} if name in sys.modules])"
    told = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


@pytest.mark.parametrize("width", range(62, 100))
def test_no_character_of_a_table_is_cut_off_where_there_is_little_room(width: int) -> None:
    rows = (("1", "CBU openai/solver", ".171 (.22)", ".119 (.15)", ".080 (.11)", ".052 (.07)", ".030 (.04)"),)
    columns = ("no.", "scorer", "n 4", "n 8", "n 16", "n 32", "n 64")
    console = Console(width=width, color_system=None, file=io.StringIO())
    console.print(laid_out(Section("", "", columns, rows, frozenset(("no.",)))))
    assert isinstance(console.file, io.StringIO)
    shown = "".join(console.file.getvalue().split())
    assert all(shown.count(mark) == sum(cell.count(mark) for cell in rows[0]) for mark in "()/")


async def test_consensus_is_put_together_by_either_method_from_blind_verdicts_or_all(desk: Desk) -> None:
    (key,) = put_answers(desk.workspace, {"a": ("o3", None)}).values()
    said = ((ADA, Label.CORRECT, True), (BOB, Label.CORRECT, False), (EVE, Label.INCORRECT, False))
    rows = [row(who.handle, key, who, says, question_id=QUESTION.id, blind=blind) for who, says, blind in said]
    put(desk.workspace, rows)
    screen = InsightsScreen(desk)
    async with Host(screen).run_test(size=(80, 60)) as pilot:
        screen.query_one(TabbedContent).active = CONSENSUS
        await wait_until(pilot, lambda: "1 candidate judged by 3 people" in words(pilot))
        assert "By majority" in words(pilot)
        await pilot.press("d")
        await wait_until(pilot, lambda: "1 conflict, 0 settled" in screen_text(pilot))
        (conflict,) = conflicts.conflicts(desk.workspace)
        adjudications.settle(desk.workspace, desk.reviewer, key, VerdictForm(label=Label.CORRECT), conflict.names)
        await pilot.press("escape")
        await wait_until(pilot, lambda: "1 settled by an adjudication" in words(pilot))
        await pilot.press("w")
        await wait_until(pilot, lambda: "How reliable people are" in words(pilot))
        await pilot.press("o")
        await wait_until(pilot, lambda: "1 candidate judged by 1 person" in words(pilot))
    shown = exposures.of_candidate(desk.workspace, desk.reviewer.id, key)
    assert {one.what for one in shown} == {Exposure.OTHER_VERDICTS}


async def test_a_choice_of_verdicts_holds_on_all_tabs_that_are_on_verdicts_until_it_is_lifted(desk: Desk) -> None:
    (key,) = put_answers(desk.workspace, {"a": ("o3", None)}).values()
    people = ((ADA, "[b]v1", 1), (BOB, "[b]v1", 3), (EVE, "v2", 3))
    put(
        desk.workspace,
        [
            row(who.handle, key, who, Label.CORRECT, day=day, question_id=QUESTION.id, dataset_version=version)
            for who, version, day in people
        ],
    )
    screen = InsightsScreen(desk)
    async with Host(screen).run_test(size=(100, 60)) as pilot:
        screen.query_one(TabbedContent).active = AGREEMENT
        await wait_until(pilot, lambda: "3 verdicts of 3 people" in words(pilot))
        await pilot.press("f")
        await wait_until(pilot, lambda: "All verdicts." in words(pilot))
        assert "2 [b]v1" in words(pilot)
        await pilot.press("enter", "tab", *"soon", "ctrl+s")
        await wait_until(pilot, lambda: "'soon' is neither a day such as 2026-01-31" in words(pilot))
        await pilot.press(*["backspace"] * 4, *"2026-02-02", "enter")
        told = "Only: dataset version [b]v1, since 2026-02-02; x lifts it"
        await wait_until(pilot, lambda: told in words(pilot) and "1 verdict of 1 person" in words(pilot))
        await pilot.press("u")
        await wait_until(pilot, lambda: told in words(pilot) and "1 candidate judged by 1 person" in words(pilot))
        await pilot.press("o")
        await wait_until(pilot, lambda: "[b]v1, blind, since 2026-02-02" in words(pilot))
        assert desk.subset.subset.blind_only  # and so for the next one who opens this screen
        await pilot.press("x")
        await wait_until(pilot, lambda: "1 candidate judged by 3 people" in words(pilot))
        assert "Only:" not in words(pilot)
        await pilot.press("left", "f", "escape")
        await wait_until(pilot, lambda: "3 verdicts of 3 people" in words(pilot))


async def test_plots_stand_beside_their_tables_where_a_terminal_is_wide_and_below_elsewhere(desk: Desk) -> None:
    ids = put_answers(desk.workspace, {"a": ("o3", Label.CORRECT), "b": ("o3", Label.INCORRECT)})
    put_validation(desk.workspace, {ids["a"]: Outcome.ACCEPT, ids["b"]: Outcome.REJECT})
    screen = InsightsScreen(desk)
    async with Host(screen).run_test(size=(200, 60)) as pilot:
        await wait_until(pilot, lambda: bool(screen.query(".drawn")))
        table, plots = screen.query(".told").first(), screen.query(".drawn").first()
        await wait_until(pilot, lambda: plots.region.x > table.region.right > 0 and plots.region.y == table.region.y)
        await pilot.resize_terminal(120, 60)
        await wait_until(pilot, lambda: plots.region.x == table.region.x and plots.region.y >= table.region.bottom)
