"""A candidate entered by hand: pasted, typed or loaded from a file, with who wrote it."""

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Static, TextArea

from store.rows import NewCandidate
from uq_tui.key_map import key_shown
from uq_tui.state.by_hand import Author, candidate_by_hand
from uq_tui.state.files import read_answer
from uq_tui.widgets.choice_row import Choice, ChoiceRow, choice_keys
from uq_tui.widgets.clean_text_area import CleanTextArea
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.one_line_input import OneLineInput
from uq_tui.words import AuthorKind

KINDS = (
    Choice("m", AuthorKind.MODEL, "a model"),
    Choice("s", AuthorKind.SYSTEM, "a system"),
    Choice("p", AuthorKind.PERSON, "a person"),
)
NO, EXPERT = "no", "expert"
REFERENCE = (Choice("n", NO, "no"), Choice("e", EXPERT, "the expert's own solution"))
FIELDS = {
    "name": "Model, system or person",
    "base_model": "Base model, if any",
    "organisation": "Organisation",
}


class KindRow(ChoiceRow):
    """Who wrote it."""

    CHOICES = KINDS
    BINDINGS = choice_keys("kind", KINDS)


class ReferenceRow(ChoiceRow):
    """Whether it is the reference."""

    CHOICES = REFERENCE
    BINDINGS = choice_keys("reference", REFERENCE)


class NewCandidateModal(TellsFailures, ModalScreen[NewCandidate | None]):
    """Returns the candidate, or None."""

    CSS_PATH = "modal.tcss"
    BINDINGS = [
        Binding("ctrl+s", "keep", "Keep", id="candidate.keep", tooltip="Add this candidate"),
        Binding("escape", "dismiss(None)", "Cancel", id="candidate.cancel", tooltip="Leave without adding one"),
    ]

    def __init__(self, question_id: str) -> None:
        super().__init__()
        self._question_id = question_id

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = "New candidate"
            yield Label("Answer: paste or type Markdown")
            yield CleanTextArea(id="answer", tab_behavior="focus")
            yield Label("or load it from a file (Enter loads)")
            yield OneLineInput(id="file", placeholder="path/to/answer.md", compact=True)
            yield Label("Written by")
            yield KindRow("Author", id="kind")
            for name, label in FIELDS.items():
                yield OneLineInput(id=name, placeholder=label, compact=True)
            # Below the fields: letters of a name typed after the author's kind must not choose here.
            yield ReferenceRow("Reference", id="reference")
            yield Label("Prompt that led to it, whole, if there was one")
            yield CleanTextArea(id="prompt", tab_behavior="focus")
            keep, cancel = key_shown(self, "candidate.keep"), key_shown(self, "candidate.cancel")
            yield Static(f"{keep} keeps it, {cancel} leaves without keeping.", id="note", classes="note", markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        self.query_one("#kind", ChoiceRow).chosen = frozenset((AuthorKind.MODEL.value,))
        self.query_one("#reference", ChoiceRow).chosen = frozenset((NO,))
        self._offer_reference()
        self.query_one("#answer", TextArea).focus()

    @on(ChoiceRow.Changed, "#kind")
    def _offer_reference(self) -> None:
        self.query_one("#reference").display = self._author().may_be_expert

    @on(Input.Submitted, "#file")
    @work(group="load", exclusive=True, exit_on_error=False)
    async def _load(self, event: Input.Submitted) -> None:
        self.query_one("#answer", TextArea).text = await read_answer(event.value)
        self.query_one("#note", Static).update(f"Loaded. {key_shown(self, 'candidate.keep')} keeps it.")

    def action_keep(self) -> None:
        answer = self.query_one("#answer", TextArea).text
        if not answer.strip():
            self.query_one("#note", Static).update("There is no answer yet: paste, type or load one.")
            return
        new = candidate_by_hand(
            self._question_id,
            answer,
            self._author(),
            prompt=self.query_one("#prompt", TextArea).text,
            reference=self.query_one("#reference", ChoiceRow).value == EXPERT,
        )
        self.dismiss(new)

    def _author(self) -> Author:
        kind = AuthorKind(self.query_one("#kind", ChoiceRow).value or AuthorKind.PERSON)
        return Author(kind, self._field("name"), self._field("organisation"), self._field("base_model"))

    def _field(self, name: str) -> str:
        return self.query_one(f"#{name}", Input).value.strip()
