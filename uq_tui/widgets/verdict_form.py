"""The verdict form, docked under what is being judged."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static, TextArea

from store.rows import VerdictForm
from uq_tui.key_map import key_shown
from uq_tui.widgets.choice_row import ChoiceRow
from uq_tui.widgets.clean_text_area import CleanTextArea
from uq_tui.widgets.document import Document
from uq_tui.widgets.error_list import ErrorList
from uq_tui.widgets.verdict_rows import ConfidenceRow, FlagRow, LabelRow, RelationRow, ScoreRow
from uq_tui.words import Label, NotJudged, Relation

Change = Callable[[VerdictForm], VerdictForm]

RATIONALE_HINT = "Why? Markdown; kept as a draft while you type."


class VerdictFormView(VerticalScroll, can_focus=False):
    """Posts `Edited` at each change, `Saved` when the verdict is to be recorded, `Closed` on the way back to reading.

    Each names the candidate whose form was shown then: it may be another by the time the message arrives.
    """

    BORDER_TITLE = "Verdict"
    DEFAULT_CSS = """
    VerdictFormView {
        height: auto;
        max-height: 55vh;
        #verdict-note { dock: bottom; }
        #preview { display: none; height: 5; margin: 0 1; background: $foreground 6%; }
        &.-previewing #preview { display: block; }
        &.-previewing #rationale { display: none; }
    }
    """
    BINDINGS = [
        Binding("ctrl+s", "save", "Save verdict", id="verdict.save", tooltip="Record the verdict"),
        Binding("ctrl+t", "preview", "Preview", id="verdict.preview", tooltip="The rationale as it will be read"),
        Binding("ctrl+r", "retract", "Retract", id="verdict.retract", tooltip="Take back the recorded verdict"),
        Binding("escape", "close", "Close, keep draft", id="verdict.close", tooltip="Back to reading; a draft stays"),
    ]

    @dataclass
    class Edited(Message):
        """Something was changed; `change` puts all that the form shows into a verdict form."""

        candidate_id: str
        change: Change

    @dataclass
    class Saved(Message):
        """The reviewer wants this verdict recorded."""

        candidate_id: str
        change: Change

    @dataclass
    class Retracted(Message):
        """The reviewer wants the recorded verdict taken back."""

        candidate_id: str

    @dataclass
    class Closed(Message):
        """The reviewer goes back to reading."""

        candidate_id: str
        change: Change

    def __init__(self) -> None:
        super().__init__()
        self.shown_of = ""
        """Id of the candidate whose form is shown; "" before there is one."""
        self.retractable = False
        """Whether there is a verdict to take back."""
        # Held here, not looked up: what they hold is still wanted when they have left the screen.
        self._label = LabelRow("Verdict", id="label")
        self._confidence = ConfidenceRow("Confidence", id="confidence")
        self._score = ScoreRow("Score 0-7", id="score")
        self._errors = ErrorList("Errors", id="errors")
        self._flags = FlagRow("Question", id="flags", multiple=True)
        self._relation = RelationRow("You are", id="relation")
        self._rationale = CleanTextArea(id="rationale", placeholder=RATIONALE_HINT, tab_behavior="focus")

    def compose(self) -> ComposeResult:
        yield from (self._label, self._confidence, self._score, self._errors, self._flags, self._relation)
        yield self._rationale
        yield Document(id="preview")
        yield Static(id="verdict-note", markup=False)

    def show(
        self, form: VerdictForm, note: str, *, candidate_id: str, called: str = "", retractable: bool = False
    ) -> None:
        """Fill the rows from a candidate's form without posting edits. What says the same stays as it is."""
        if candidate_id != self.shown_of:
            self.remove_class("-previewing")
        self.shown_of, self.retractable = candidate_id, retractable
        self.border_title = Content(f"Your verdict on {called}" if called else "Your verdict")
        with self.prevent(ChoiceRow.Changed, TextArea.Changed):
            self._label.chosen = _one(form.label or form.not_judged)
            self._confidence.chosen = _one(form.confidence)
            self._score.chosen = _one(form.score_0_7)
            self._errors.errors = form.errors
            self._flags.chosen = frozenset(form.question_flags)
            self._relation.chosen = _one(form.relation)
            if self._rationale.text != form.rationale:
                self._rationale.text = form.rationale
        self.note(note)
        self.refresh_bindings()

    def note(self, text: str) -> None:
        """The line under the form: what is kept, what is missing."""
        self.query_one("#verdict-note", Static).update(text)

    def start(self, field: str = "label") -> None:
        """Put the focus on a field: `label`, `confidence`, `score`, `errors`, `flags`, `relation` or `rationale`."""
        self.query_one(f"#{field}", Widget).focus()

    @on(ChoiceRow.Changed)
    @on(TextArea.Changed)
    def _changed(self, event: ChoiceRow.Changed | TextArea.Changed) -> None:
        event.stop()
        self.post_message(self.Edited(self.shown_of, self.change()))

    def action_save(self) -> None:
        self.post_message(self.Saved(self.shown_of, self.change()))

    def action_retract(self) -> None:
        self.post_message(self.Retracted(self.shown_of))

    def action_preview(self) -> None:
        """The rationale as it will be read, or the text itself."""
        self.toggle_class("-previewing")
        preview = self.query_one("#preview", Document)
        if self.has_class("-previewing"):
            words = self._rationale.text.strip() or "*Nothing is written yet.*"
            preview.show(words, key=self.shown_of)
            preview.border_subtitle = Content(f"{key_shown(self, 'verdict.preview')} goes on writing")
            preview.focus()
        else:
            self._rationale.focus()

    def action_close(self) -> None:
        if self.has_class("-previewing"):
            self.action_preview()
        else:
            self.post_message(self.Closed(self.shown_of, self.change()))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only a recorded verdict can be taken back."""
        return action != "retract" or self.retractable

    def change(self) -> Change:
        """All that the rows and the text hold now. Their own messages may still be on the way when a key saves."""
        verdict, confidence, score = self._label.value, self._confidence.value, self._score.value
        relation = Relation(self._relation.value or Relation.OTHER)
        errors, rationale = self._errors.errors, self._rationale.text
        chosen = self._flags.chosen
        flags = tuple(choice.value for choice in self._flags.choices if choice.value in chosen)

        def change(form: VerdictForm) -> VerdictForm:
            others = tuple(flag for flag in form.question_flags if flag not in {one.value for one in FlagRow.CHOICES})
            label = Label(verdict) if verdict in set(Label) else None
            if label is not form.label:  # the two steps led to another one
                form = replace(form, final_answer=None, derivation=None)
            return replace(
                form,
                label=label,
                not_judged=NotJudged(verdict) if verdict in set(NotJudged) else None,
                confidence=int(confidence) if confidence else None,
                score_0_7=int(score) if score else None,
                errors=errors,
                question_flags=(*flags, *others),
                relation=relation,
                rationale=rationale,
            )

        return change


def _one(value: object) -> frozenset[str]:
    return frozenset() if value is None else frozenset((str(value),))
