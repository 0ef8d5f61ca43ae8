"""Choosing the judge that scores a candidate, and how often; and asking before references leave the machine."""

from collections.abc import Sequence

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from uq_tui.engine.judging.judges import JudgeTemplate
from uq_tui.engine.requests import JudgeRequest
from uq_tui.state.findings.judging import JudgeEditor, caution
from uq_tui.text import clean_line
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.one_line_input import OneLineInput


class JudgeModal(ModalScreen[JudgeRequest | None]):
    """Returns the run to start, or None."""

    CSS_PATH = "modal.tcss"
    BINDINGS = [Binding("escape", "dismiss(None)", "Don't judge", id="judge.cancel", tooltip="Leave without judging")]

    def __init__(self, editor: JudgeEditor, candidate_id: str) -> None:
        super().__init__()
        self._editor = editor
        self._candidate_id = candidate_id

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = "Judge"
            yield OptionList(*map(_option, self._editor.judges), id="judges", markup=False)
            yield Label("samples, each one call (Enter starts)")
            yield OneLineInput(self._editor.samples, id="samples", compact=True, select_on_focus=True)
            yield Static(id="planned", classes="note", markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        judges = self.query_one("#judges", OptionList)
        judges.highlighted = self._editor.judges.index(self._editor.chosen)
        judges.focus()
        self._tell()

    @on(OptionList.OptionHighlighted)
    def _choose(self, event: OptionList.OptionHighlighted) -> None:
        self._editor.chosen = self._editor.judges[event.option_index]

    @on(Input.Changed)
    def _enter(self, event: Input.Changed) -> None:
        self._editor.samples = event.value
        self._tell()

    def _tell(self) -> None:
        style = "" if self._editor.count is not None else "$text-error"
        said = [Content.styled(clean_line(self._editor.planned), style)]
        if warning := caution(self._editor.model.id):
            said.append(Content.styled(f"{warning.capitalize()}.", "$text-warning"))
        self.query_one("#planned", Static).update(Content("\n").join(said))

    @on(OptionList.OptionSelected)
    @on(Input.Submitted)
    def _start(self) -> None:
        request = self._editor.request((self._candidate_id,))
        if request is not None:
            self.dismiss(request)
        else:
            self.query_one("#samples", Input).focus()


def _option(judge: JudgeTemplate) -> Option:
    return Option(Content.assemble((f"{judge.name:<14}", "bold"), judge.title), id=judge.name)


class LookUpModal(ModalScreen[bool]):
    """Returns whether the checkers may be told of the references."""

    CSS_PATH = "modal.tcss"
    BINDINGS = [
        Binding(
            "enter",
            "dismiss(True)",
            "Tell them",
            id="look_up.go",
            tooltip="Ask the checkers, which are told the references",
        ),
        Binding("escape", "dismiss(False)", "Keep them here", id="look_up.cancel", tooltip="Ask nobody"),
    ]

    def __init__(self, checkers: Sequence[str], references: int) -> None:
        super().__init__()
        self._checkers = tuple(checkers)
        self._references = references

    def compose(self) -> ComposeResult:
        things = "1 reference" if self._references == 1 else f"{self._references:,} references"
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = "Look up"
            yield Static(f"{things} would be told to: {clean_line(', '.join(self._checkers))}.", markup=False)
            yield Static(
                "Checkers may go on-line. Then the references leave this machine, which may tell somebody what you"
                " review. They are told nothing of the answer around them.",
                classes="note",
                markup=False,
            )
        yield KeyFooter()
