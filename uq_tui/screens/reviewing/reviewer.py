"""Who sits here: all reviewers of this workspace, to switch, add or change."""

import asyncio
from dataclasses import fields, replace

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Label, OptionList, Static

from store import reviewers
from store.rows import Reviewer
from store.workspace import Workspace
from uq_tui.state.reviewing.identity import Particulars, described
from uq_tui.text import clean_line
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.one_line_input import OneLineInput

_LABELS = {
    "handle": "Public name: exported verdicts carry it",
    "name": "Your own name: it stays in this workspace",
    "orcid": "ORCID iD, if you have one",
    "affiliation": "Affiliation",
    "expertise": "What you know well, with commas",
    "linked": "Ids that you have on other machines, with commas",
}

_LONGEST = 200
"""Signs of what is known of a reviewer in the list."""


class ReviewerList(OptionList):
    """Enter has another reviewer sit down."""

    BINDINGS = [Binding("enter", "select", "Sit down", id="reviewers.use", tooltip="Go on as this reviewer")]


class ReviewerModal(TellsFailures, ModalScreen[Reviewer | None]):
    """Returns the reviewer who sits here now where that is another one, or the same with other particulars."""

    CSS_PATH = "reviewer.tcss"
    AUTO_FOCUS = "#reviewers"
    BINDINGS = [
        Binding("n", "add", "New", id="reviewers.new", tooltip="Add a reviewer"),
        Binding("e", "edit", "Edit", id="reviewers.edit", tooltip="Change what is known of this reviewer"),
        Binding("escape", "leave", "Close", id="reviewers.leave", tooltip="Go on as who sits here"),
    ]

    def __init__(self, workspace: Workspace, sitting: Reviewer) -> None:
        super().__init__()
        self._workspace = workspace
        self._sitting = sitting
        self._before = sitting
        self._known: tuple[Reviewer, ...] = ()

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = "Reviewers"
            yield ReviewerList(id="reviewers", markup=False)
            yield Static(id="about", markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        self._load(self._sitting.id)

    @work(group="load", exclusive=True, exit_on_error=False)
    async def _load(self, stand_on: str) -> None:
        await self._read(stand_on)

    async def _read(self, stand_on: str) -> None:
        self._known = await asyncio.to_thread(reviewers.all_of, self._workspace)
        listing = self.query_one(ReviewerList)
        listing.clear_options()
        listing.add_options([_line(one, sits=one.id == self._sitting.id) for one in self._known])
        ids = [one.id for one in self._known]
        listing.highlighted = ids.index(stand_on) if stand_on in ids else 0
        self._show()

    @property
    def _stood_on(self) -> Reviewer | None:
        at = self.query_one(ReviewerList).highlighted
        return self._known[at] if at is not None and at < len(self._known) else None

    @on(OptionList.OptionHighlighted)
    def _show(self) -> None:
        one = self._stood_on
        lines = [f"id {one.id}", *(f"also {other}" for other in one.linked)] if one else []
        self.query_one("#about", Static).update("\n".join(map(clean_line, lines)))

    @on(OptionList.OptionSelected)
    @work(group="change", exclusive=True, exit_on_error=False)
    async def _use(self) -> None:
        if (one := self._stood_on) is not None:
            self._sitting = await asyncio.to_thread(reviewers.use, self._workspace, one.id)
            self.action_leave()

    @work(group="change", exclusive=True, exit_on_error=False)
    async def action_add(self) -> None:
        made = await self.app.push_screen_wait(ParticularsModal(self._workspace, Reviewer("", "", "", ())))
        if made is not None:
            await self._read(made.id)

    @work(group="change", exclusive=True, exit_on_error=False)
    async def action_edit(self) -> None:
        one = self._stood_on
        if one is None or (changed := await self.app.push_screen_wait(ParticularsModal(self._workspace, one))) is None:
            return
        if changed.id == self._sitting.id:
            self._sitting = changed
        await self._read(changed.id)

    def action_leave(self) -> None:
        self.dismiss(self._sitting if self._sitting != self._before else None)


class ParticularsModal(TellsFailures, ModalScreen[Reviewer | None]):
    """Returns the reviewer once their particulars are on disk, or None."""

    CSS_PATH = "reviewer.tcss"
    BINDINGS = [
        Binding("ctrl+s", "keep", "Keep", id="reviewer.keep", tooltip="Keep these particulars"),
        Binding("escape", "dismiss(None)", "Cancel", id="reviewer.cancel", tooltip="Leave things as they are"),
    ]

    def __init__(self, workspace: Workspace, reviewer: Reviewer) -> None:
        """A reviewer without an id is added."""
        super().__init__()
        self._workspace = workspace
        self._reviewer = reviewer

    def compose(self) -> ComposeResult:
        known = Particulars.of(self._reviewer)
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = Content(clean_line(known.handle) or "New reviewer")
            for name, label in _LABELS.items():
                yield Label(label, markup=False)
                yield OneLineInput(getattr(known, name), id=name, compact=True)
        yield KeyFooter()

    @on(OneLineInput.Submitted)
    @work(group="keep", exclusive=True, exit_on_error=False)
    async def action_keep(self) -> None:
        typed = {one.name: self.query_one(f"#{one.name}", OneLineInput).value for one in fields(Particulars)}
        reviewer = replace(Particulars(), **typed).applied(self._reviewer)
        keep = reviewers.edit if reviewer.id else reviewers.make
        self.dismiss(await asyncio.to_thread(keep, self._workspace, reviewer))


def _line(one: Reviewer, *, sits: bool) -> Content:
    line = described(one)
    shown = line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
    return Content.assemble(("● sits here  " if sits else "", "$text-accent bold"), shown)
