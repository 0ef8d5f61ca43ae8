"""The verdict form, docked under what is being judged."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.message import Message
from textual.widgets import Static, TextArea

from store.rows import VerdictForm
from uq_tui.state.verdict_editor import with_error_categories
from uq_tui.widgets.choice_row import Choice, ChoiceRow
from uq_tui.words import ErrorCategory, Label, NotJudged, Relation

LABELS = (
    Choice("c", Label.CORRECT, "correct"),
    Choice("b", Label.CORRECT_BORDERLINE, "borderline"),
    Choice("i", Label.INCORRECT, "incorrect"),
    Choice("u", Label.UNSURE, "unsure"),
    Choice("d", NotJudged.OUT_OF_DEPTH, "out of depth"),
    Choice("t", NotJudged.TOO_TEDIOUS, "too tedious"),
    Choice("f", NotJudged.FAULTY_QUESTION, "faulty question"),
)
CONFIDENCE = tuple(
    Choice(str(i), str(i), words)
    for i, words in enumerate(("a guess", "leaning", "fairly sure", "sure", "certain"), start=1)
)
SCORES = tuple(Choice(str(i), str(i), "") for i in range(8))
RELATIONS = (
    Choice("p", Relation.ORIGINAL_POSTER, "original poster"),
    Choice("a", Relation.ANSWER_AUTHOR, "author of the answer"),
    Choice("e", Relation.DOMAIN_EXPERT, "domain expert"),
    Choice("o", Relation.OTHER, "other"),
)
ERRORS = (
    Choice("r", ErrorCategory.INCORRECT_REASONING, "incorrect reasoning"),
    Choice("c", ErrorCategory.UNJUSTIFIED_COMPRESSION, "unjustified compression"),
    Choice("i", ErrorCategory.UNJUSTIFIED_INTERPRETATION, "unjustified interpretation"),
    Choice("x", ErrorCategory.EXTERNAL_REFERENCES, "external references"),
    Choice("w", ErrorCategory.WRONG_FINAL_ANSWER, "wrong final answer"),
    Choice("f", ErrorCategory.FABRICATED_REFERENCE, "fabricated reference"),
    Choice("m", ErrorCategory.MISREAD_QUESTION, "misread question"),
    Choice("o", ErrorCategory.OTHER, "other"),
)

RATIONALE_HINT = "Why? Markdown; kept as a draft while you type."


class VerdictFormView(VerticalScroll, can_focus=False):
    """Posts `Edited` at each change, `Saved` on Ctrl+S, `Closed` on Escape. Holds no state of its own."""

    BORDER_TITLE = "Verdict"
    BINDINGS = [
        Binding("ctrl+s", "save", "Save verdict", id="verdict.save", tooltip="Record the verdict", priority=True),
        Binding("ctrl+r", "retract", "Retract", id="verdict.retract", tooltip="Take back the recorded verdict"),
        Binding("escape", "close", "Close, keep draft", id="verdict.close", tooltip="Back to reading; a draft stays"),
    ]

    @dataclass
    class Edited(Message):
        change: Callable[[VerdictForm], VerdictForm]

    class Saved(Message):
        """The reviewer wants this verdict recorded."""

    class Retracted(Message):
        """The reviewer wants the recorded verdict taken back."""

    class Closed(Message):
        """The reviewer goes back to reading."""

    def compose(self) -> ComposeResult:
        yield ChoiceRow("Verdict", LABELS, id="label")
        yield ChoiceRow("Confidence", CONFIDENCE, id="confidence")
        yield ChoiceRow("Score 0-7", SCORES, id="score")
        yield ChoiceRow("Errors", ERRORS, id="errors", multiple=True)
        yield ChoiceRow("You are", RELATIONS, id="relation")
        yield TextArea(
            id="rationale", placeholder="Why? Markdown; kept as a draft while you type.", tab_behavior="focus"
        )
        yield Static(id="verdict-note", markup=False)

    def show(self, form: VerdictForm, note: str) -> None:
        """Fill the rows from a form without posting edits."""
        with self.prevent(ChoiceRow.Changed, TextArea.Changed):
            self._row("label").chosen = _one(form.label or form.not_judged)
            self._row("confidence").chosen = _one(form.confidence)
            self._row("score").chosen = _one(form.score_0_7)
            self._row("relation").chosen = _one(form.relation)
            self._row("errors").chosen = frozenset(error.category for error in form.errors)
            self.query_one("#rationale", TextArea).text = form.rationale
        self.note(note)

    def _row(self, name: str) -> ChoiceRow:
        return self.query_one(f"#{name}", ChoiceRow)

    def note(self, text: str) -> None:
        """The line under the form: what is kept, what is missing."""
        self.query_one("#verdict-note", Static).update(text)

    def start(self) -> None:
        """Put the focus on the verdict itself."""
        self._row("label").focus()

    @on(ChoiceRow.Changed)
    def _chosen(self, event: ChoiceRow.Changed) -> None:
        event.stop()
        value, chosen = event.row.value, event.row.chosen
        match event.row.id:
            case "label" if value in set(Label):
                self._edit(lambda form: replace(form, label=Label(value), not_judged=None))
            case "label":
                reason = NotJudged(value) if value else None
                self._edit(lambda form: replace(form, label=None, not_judged=reason))
            case "confidence":
                self._edit(lambda form: replace(form, confidence=int(value) if value else None))
            case "score":
                self._edit(lambda form: replace(form, score_0_7=int(value) if value else None))
            case "relation":
                self._edit(lambda form: replace(form, relation=Relation(value or Relation.OTHER)))
            case "errors":
                self._edit(lambda form: with_error_categories(form, chosen))

    def _edit(self, change: Callable[[VerdictForm], VerdictForm]) -> None:
        self.post_message(self.Edited(change))

    @on(TextArea.Changed)
    def _rationale(self, event: TextArea.Changed) -> None:
        event.stop()
        text = event.text_area.text
        self._edit(lambda form: replace(form, rationale=text))

    def action_save(self) -> None:
        self.post_message(self.Saved())

    def action_retract(self) -> None:
        self.post_message(self.Retracted())

    def action_close(self) -> None:
        self.post_message(self.Closed())


def _one(value: object) -> frozenset[str]:
    return frozenset() if value is None else frozenset((str(value),))
