"""Choosing what judges: a strategy by name or on one line, the models of its slots, and how it is asked."""

import asyncio
from collections.abc import Sequence
from typing import Any

from rich.cells import cell_len
from textual import events, on
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.suggester import SuggestFromList
from textual.widgets import Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from uq_tui.state.desk import Desk
from uq_tui.state.models import known_ids
from uq_tui.state.strategy.choice import StrategyChoice
from uq_tui.state.strategy.editor import Entry, Misread, StrategyEditor, entries, model_text, remembered
from uq_tui.state.strategy.outline import outline
from uq_tui.strategies.planning import PlannedCalls
from uq_tui.text import clean_line
from uq_tui.widgets.choice_row import Choice, ChoiceRow, choice_keys
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.one_line_input import OneLineInput
from uq_tui.words import DecisionForm

VOTES = (Choice("s", "stop", "stop when decided"), Choice("a", "all", "ask all"))
FORMS = (Choice("t", DecisionForm.TAGGED, "tagged line"), Choice("e", DecisionForm.EXACT, "bare [[Y]] or [[N]]"))
OUTLINE_LINES = 10
"""Lines of the tree that are shown before a strategy is used."""


async def choose_strategy(app: App[Any], desk: Desk) -> bool:
    """Have the user choose what candidates are judged by from now on; to be called in a worker.

    Returns:
        whether something was chosen; the desk has it then.

    Raises:
        ConfigError: the settings cannot be read.
    """
    listed = await asyncio.to_thread(entries, desk.own_strategies)
    editor = StrategyEditor(desk.strategy, desk.model)
    chosen = await app.push_screen_wait(StrategyModal(listed, editor, await known_ids()))
    if chosen is None:
        return False
    desk.strategy = chosen
    if editor.is_own():
        desk.own_strategies = remembered(desk.own_strategies, editor.text)
    return True


class VotesRow(ChoiceRow):
    """When a vote ends."""

    CHOICES = VOTES
    BINDINGS = choice_keys("votes", VOTES)


class FormRow(ChoiceRow):
    """How a reply says what it decides."""

    CHOICES = FORMS
    BINDINGS = choice_keys("decision", FORMS)


class StrategyModal(ModalScreen[StrategyChoice | None]):
    """Returns the strategy to judge by from now on, or None to keep the present one."""

    CSS_PATH = ["modal.tcss", "strategy.tcss"]
    VERTICAL_BREAKPOINTS = [(0, "-short"), (32, "-tall")]
    BINDINGS = [
        Binding(
            "escape",
            "dismiss(None)",
            "Keep the present one",
            id="strategy.cancel",
            tooltip="Leave the strategy as it is",
        )
    ]

    def __init__(self, entries: Sequence[Entry], editor: StrategyEditor, models: Sequence[str]) -> None:
        """`models` are ids to complete what is typed for a slot."""
        super().__init__()
        self._entries = tuple(entries)
        self._editor = editor
        self._known = SuggestFromList(models)

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = "Strategy"
            yield OptionList(id="strategies", markup=False)
            yield Label("on one line (Enter takes it)")
            yield OneLineInput(self._editor.text, id="notation", compact=True, select_on_focus=False)
            yield Static(id="reading", markup=False)
            yield Vertical(id="slots")
            yield VotesRow("Votes", id="votes")
            yield FormRow("Decision", id="form")
        yield KeyFooter()

    async def on_mount(self) -> None:
        editor = self._editor
        self.query_one("#votes", ChoiceRow).chosen = frozenset(("all" if editor.exact else "stop",))
        self.query_one("#form", ChoiceRow).chosen = frozenset((editor.form.value,))
        listing = self.query_one("#strategies", OptionList)
        same = [at for at, entry in enumerate(self._entries) if entry.notation == editor.text]
        with self.prevent(OptionList.OptionHighlighted):
            listing.add_options(map(_option, self._entries))
            listing.highlighted = same[0] if same else None
        (listing if same else self.query_one("#notation", Input)).focus()
        await self._show()

    # Entering

    @on(OptionList.OptionHighlighted, "#strategies")
    async def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        await self._take(self._entries[event.option_index])

    @on(OptionList.OptionSelected, "#strategies")
    async def _selected(self, event: OptionList.OptionSelected) -> None:
        """What stands in the list counts, though the line may have become another one since it was stood on."""
        entry = self._entries[event.option_index]
        if not self._editor.holds(entry):
            await self._take(entry)
        self._use()

    async def _take(self, entry: Entry) -> None:
        self._editor.take(entry)
        line = self.query_one("#notation", Input)
        with self.prevent(Input.Changed):
            line.value = self._editor.text
        await self._show(refill=True)

    @on(Input.Changed, "#notation")
    async def _edited(self, event: Input.Changed) -> None:
        self._editor.edit(event.value)
        await self._show()

    @on(Input.Changed, ".slot")
    def _model_entered(self, event: Input.Changed) -> None:
        self._editor.models[_slot_of(event.input)] = event.value
        self._tell()

    @on(ChoiceRow.Changed)
    def _switched(self) -> None:
        self._editor.exact = self.query_one("#votes", ChoiceRow).value == "all"
        self._editor.form = DecisionForm(self.query_one("#form", ChoiceRow).value or DecisionForm.TAGGED)
        self._tell()

    @on(Input.Submitted)
    def _use(self) -> None:
        choice = self._editor.choice()
        if choice is not None:
            self.dismiss(choice)
        elif self._editor.misread is not None:
            self.query_one("#notation", Input).focus()
        else:
            self._first_wrong_slot().focus()

    def on_key(self, event: events.Key) -> None:
        """Enter uses what is entered also from a switch."""
        if event.key == "enter" and isinstance(self.focused, ChoiceRow):
            event.stop()
            self._use()

    # Showing

    async def _show(self, *, refill: bool = False) -> None:
        """Bring everything in line with what is entered. Slots stay as they are while the line cannot be read."""
        slots, holder = self._editor.slots, self.query_one("#slots", Vertical)
        fields = list(holder.query(Input))
        if slots and len(fields) != len(slots):
            await holder.remove_children()
            await holder.mount_all([self._field(slot) for slot in slots])
        elif slots and refill:
            for field in fields:
                field.value = self._editor.models.get(_slot_of(field), "")
        self._tell()

    def _field(self, slot: int) -> Horizontal:
        app_model = f"{model_text(self._editor.app_model)}, the app's"
        return Horizontal(
            Label(f"slot {slot}", markup=False),
            OneLineInput(
                self._editor.models.get(slot, ""),
                placeholder=app_model if slot == 1 else "a model id, and its address if it needs one",
                id=f"slot-{slot}",
                classes="slot",
                compact=True,
                suggester=self._known,
            ),
            classes="row",
        )

    def _tell(self) -> None:
        editor = self._editor
        said = _error(editor.misread) if editor.misread is not None else _preview(editor)
        self.query_one("#reading", Static).update(said)

    def _first_wrong_slot(self) -> Input:
        fields = list(self.query(".slot").results(Input))
        return next((field for field in fields[1:] if not field.value.strip()), fields[-1])


def _slot_of(field: Input) -> int:
    return int((field.id or "").removeprefix("slot-"))


def _option(entry: Entry) -> Option:
    title = Content(clean_line(entry.title)).truncate(22, ellipsis=True, pad=True)
    line = Content.assemble((title.plain, "bold"), f" {_calls(entry.calls):>12}  ", (clean_line(entry.notation), "dim"))
    return Option(line)


def _calls(calls: PlannedCalls) -> str:
    if calls.fewest == calls.most:
        return f"{calls.most:,} call{'' if calls.most == 1 else 's'}"
    return f"{calls.fewest:,}–{calls.most:,} calls"


def _error(misread: Misread) -> Content:
    lines = []
    if misread.excerpt:
        blank = " " * cell_len(misread.excerpt[: misread.caret])
        lines = [Content(misread.excerpt), Content.styled(f"{blank}^", "$text-error bold")]
    lines.append(Content.styled(clean_line(misread.message), "$text-error"))
    if misread.hint:
        lines.append(Content(clean_line(misread.hint)))
    return Content("\n").join(lines)


def _preview(editor: StrategyEditor) -> Content:
    assert editor.found is not None
    assert editor.calls is not None
    lines = [f"  {clean_line(line)}" if not line.startswith(" ") else f"  {_indented(line)}" for line in _tree(editor)]
    said = Content("\n".join([f"{_calls(editor.calls)} for a candidate:", *lines]))
    if problem := editor.model_problem:
        said += Content.styled(f"\n{clean_line(problem)}", "$text-warning")
    return said


def _tree(editor: StrategyEditor) -> list[str]:
    assert editor.found is not None
    lines = list(outline(editor.found.strategy.root))
    if len(lines) > OUTLINE_LINES:
        lines[OUTLINE_LINES - 1 :] = [f"and {len(lines) - OUTLINE_LINES + 1} more lines"]
    return lines


def _indented(line: str) -> str:
    return " " * (len(line) - len(line.lstrip())) + clean_line(line)
