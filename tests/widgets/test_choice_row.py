from textual.app import App, ComposeResult

from uq_tui.widgets.choice_row import Choice, ChoiceRow, choice_keys

CHOICES = (Choice("c", "correct", "correct"), Choice("i", "incorrect", "incorrect"), Choice("u", "unsure", "unsure"))


class Row(ChoiceRow):
    CHOICES = CHOICES
    BINDINGS = choice_keys("row", CHOICES)


class Host(App[None]):
    def __init__(self, *, multiple: bool = False) -> None:
        super().__init__()
        self.row = Row("Verdict", id="row", multiple=multiple)
        self.seen: list[frozenset[str]] = []

    def compose(self) -> ComposeResult:
        yield self.row

    def on_choice_row_changed(self, event: ChoiceRow.Changed) -> None:
        self.seen.append(event.row.chosen)


async def test_a_key_chooses_and_another_replaces_it() -> None:
    host = Host()
    async with host.run_test() as pilot:
        host.row.focus()
        await pilot.press("i", "c")
        assert host.row.value == "correct"
        assert host.seen == [{"incorrect"}, {"correct"}]


async def test_choosing_the_same_again_tells_nothing_new() -> None:
    host = Host()
    async with host.run_test() as pilot:
        host.row.focus()
        await pilot.press("i", "i")
        assert len(host.seen) == 1


async def test_arrows_move_round_and_backspace_clears() -> None:
    host = Host()
    async with host.run_test() as pilot:
        host.row.focus()
        await pilot.press("left")
        assert host.row.value == "unsure"
        await pilot.press("right")
        assert host.row.value == "correct"
        await pilot.press("backspace")
        assert host.row.value == ""


async def test_where_several_can_be_chosen_a_key_ticks_and_unticks() -> None:
    host = Host(multiple=True)
    async with host.run_test() as pilot:
        host.row.focus()
        await pilot.press("c", "u", "c")
        assert host.row.chosen == {"unsure"}


async def test_a_click_on_a_label_chooses_it() -> None:
    host = Host()
    async with host.run_test() as pilot:
        at = host.row.render()
        column = str(at).index("incorrect")
        await pilot.click(host.row, offset=(column + 1, 0))
        assert host.row.value == "incorrect"


async def test_keys_and_choice_show_without_colour() -> None:
    host = Host()
    async with host.run_test() as pilot:
        host.row.focus()
        await pilot.press("i")
        shown = str(host.row.render())
        assert "●i incorrect" in shown
        assert " c correct" in shown


async def test_a_narrow_row_breaks_between_options_only() -> None:
    host = Host()
    async with host.run_test(size=(26, 10)):
        lines = str(host.row.render()).splitlines()
        assert [line.split() for line in lines] == [["Verdict", "c", "correct"], ["i", "incorrect"], ["u", "unsure"]]
        assert host.row.size.height == 3
