import pytest
from textual.widgets import Input, OptionList

from tests.screens.conftest import Host, first_question
from tests.screens.waiting import screen_text, wait_until
from uq_tui.screens.browsing.views import ViewsModal
from uq_tui.screens.questions import QuestionsScreen
from uq_tui.state.desk import Desk
from uq_tui.state.questions import QuestionsState
from uq_tui.widgets.document import Document


def listed(host: Host) -> list[str | None]:
    return [option.id for option in host.screen.query_one("#questions", OptionList).options]


async def test_it_lists_titles_with_mathematics_and_previews_the_highlighted(desk: Desk) -> None:
    host = Host(QuestionsScreen(QuestionsState(desk.workspace)))
    async with host.run_test(size=(120, 30)) as pilot:
        await wait_until(pilot, lambda: len(listed(host)) == 2)
        assert "√2" in screen_text(pilot)
        await wait_until(pilot, lambda: "parity" in host.screen.query_one("#preview", Document).source)


async def test_a_title_is_never_read_as_markup(desk: Desk) -> None:
    host = Host(QuestionsScreen(QuestionsState(desk.workspace)))
    async with host.run_test(size=(120, 30)) as pilot:
        await wait_until(pilot, lambda: "Where does [bold] end?" in screen_text(pilot))


async def test_searching_narrows_the_list_and_escape_lifts_it(desk: Desk) -> None:
    host = Host(QuestionsScreen(QuestionsState(desk.workspace)))
    async with host.run_test(size=(120, 30)) as pilot:
        await wait_until(pilot, lambda: len(listed(host)) == 2)
        await pilot.press("slash", *"second")
        await wait_until(pilot, lambda: len(listed(host)) == 1)
        await pilot.press("escape")
        await wait_until(pilot, lambda: len(listed(host)) == 2)
        assert not host.screen.query_one("#search", Input).display


async def test_nothing_found_is_said(desk: Desk) -> None:
    host = Host(QuestionsScreen(QuestionsState(desk.workspace)))
    async with host.run_test(size=(120, 30)) as pilot:
        await wait_until(pilot, lambda: len(listed(host)) == 2)
        await pilot.press("slash", *'zebra"x(')
        await wait_until(pilot, lambda: "Nothing matches" in screen_text(pilot))


async def test_a_site_filters_and_filters_no_more(desk: Desk) -> None:
    host = Host(QuestionsScreen(QuestionsState(desk.workspace)))
    async with host.run_test(size=(170, 30)) as pilot:
        await wait_until(pilot, lambda: "a.example" in screen_text(pilot) and len(listed(host)) == 2)
        facets = host.screen.query_one("#facets", OptionList)
        ids = [option.id for option in facets.options]
        await pilot.press("f")
        facets.highlighted = ids.index("site:a.example")
        await pilot.press("enter")
        await wait_until(pilot, lambda: listed(host) == [first_question(desk.workspace)])
        assert "● a.example" in screen_text(pilot)
        assert "site a.example" in screen_text(pilot)
        await pilot.press("enter")
        await wait_until(pilot, lambda: len(listed(host)) == 2)


async def test_facets_are_typed_for_orders_chosen_and_both_kept_as_a_view(desk: Desk) -> None:
    state = QuestionsState(desk.workspace)
    host = Host(QuestionsScreen(state))
    async with host.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: len(listed(host)) == 2)
        await pilot.press("f", *"a.ex")
        facets = host.screen.query_one("#facets", OptionList)
        await wait_until(pilot, lambda: [option.id for option in facets.options] == [None, "site:a.example"])
        await pilot.press("enter")
        await wait_until(pilot, lambda: listed(host) == [first_question(desk.workspace)])
        await pilot.press("escape", "o")
        await wait_until(pilot, lambda: "1 question, highest score first" in screen_text(pilot))
        await pilot.press("r")
        await wait_until(pilot, lambda: "1 question, lowest score first" in screen_text(pilot))
        await pilot.press("v")
        await wait_until(pilot, lambda: isinstance(host.screen, ViewsModal))
        await wait_until(pilot, lambda: isinstance(host.focused, Input))
        await pilot.press(*"mine", "enter")
        await wait_until(pilot, lambda: isinstance(host.screen, QuestionsScreen))
        await pilot.press("l")
        await wait_until(pilot, lambda: len(listed(host)) == 2)
        await pilot.press("v")
        await wait_until(pilot, lambda: "site a.example · lowest score first" in screen_text(pilot))
        await pilot.press("enter")
        await wait_until(pilot, lambda: isinstance(host.screen, QuestionsScreen) and len(listed(host)) == 1)
        await pilot.press("v")
        await wait_until(pilot, lambda: isinstance(host.screen, ViewsModal) and bool(state.views))
        await pilot.press("d")
        await wait_until(pilot, lambda: "No views yet" in screen_text(pilot))


async def test_enter_opens_the_highlighted_question(desk: Desk) -> None:
    opened: list[str] = []

    class Noting(Host):
        def on_questions_screen_opened(self, message: QuestionsScreen.Opened) -> None:
            opened.append(message.question_id)

    host = Noting(QuestionsScreen(QuestionsState(desk.workspace)))
    async with host.run_test(size=(120, 30)) as pilot:
        await wait_until(pilot, lambda: len(listed(host)) == 2)
        await pilot.press("down", "enter")
        await pilot.pause()
        assert opened == [listed(host)[1]]


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_list_and_preview_are_seen_at_every_size(desk: Desk, size: tuple[int, int]) -> None:
    host = Host(QuestionsScreen(QuestionsState(desk.workspace)))
    async with host.run_test(size=size) as pilot:
        await wait_until(pilot, lambda: "Think about parity" in screen_text(pilot))
        assert "2 questions" in screen_text(pilot)
        assert "Search" in screen_text(pilot)


async def test_coming_back_the_reader_is_where_they_were(desk: Desk) -> None:
    state = QuestionsState(desk.workspace)
    host = Host(QuestionsScreen(state))
    async with host.run_test(size=(120, 30)) as pilot:
        await wait_until(pilot, lambda: len(listed(host)) == 2)
        await pilot.press("slash", *"body")
        await wait_until(pilot, lambda: "1 question" in screen_text(pilot))
    again = Host(QuestionsScreen(state))
    async with again.run_test(size=(120, 30)) as pilot:
        await wait_until(pilot, lambda: "1 question" in screen_text(pilot))
        assert again.screen.query_one("#search", Input).value == "body"
        await pilot.press("escape")
        await wait_until(pilot, lambda: len(listed(again)) == 2)
        assert again.screen.query_one("#questions", OptionList).highlighted == 1
