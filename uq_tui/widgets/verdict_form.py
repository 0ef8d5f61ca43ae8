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
from uq_tui.widgets.choice_row import Choice, ChoiceRow, choice_keys
from uq_tui.widgets.clean_text_area import CleanTextArea
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


class LabelRow(ChoiceRow):
    """The verdict itself."""

    CHOICES = LABELS
    BINDINGS = choice_keys("label", LABELS)


class ConfidenceRow(ChoiceRow):
    """How sure the reviewer is."""

    CHOICES = CONFIDENCE
    BINDINGS = choice_keys("confidence", CONFIDENCE)


class ScoreRow(ChoiceRow):
    """The grade."""

    CHOICES = SCORES
    BINDINGS = choice_keys("score", SCORES)


class ErrorRow(ChoiceRow):
    """The kinds of errors."""

    CHOICES = ERRORS
    BINDINGS = choice_keys("error", ERRORS)


class RelationRow(ChoiceRow):
    """What the reviewer is to the question."""

    CHOICES = RELATIONS
    BINDINGS = choice_keys("relation", RELATIONS)


Change = Callable[[VerdictForm], VerdictForm]

RATIONALE_HINT = "Why? Markdown; kept as a draft while you type."


class VerdictFormView(VerticalScroll, can_focus=False):
    """Posts `Edited` at each change, `Saved` on Ctrl+S, `Closed` on Escape.

    Each names the candidate whose form was shown then: it may be another by the time the message arrives.
    """

    BORDER_TITLE = "Verdict"
    BINDINGS = [
        Binding("ctrl+s", "save", "Save verdict", id="verdict.save", tooltip="Record the verdict"),
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
        # Held here, not looked up: what they hold is still wanted when they have left the screen.
        self._label = LabelRow("Verdict", id="label")
        self._confidence = ConfidenceRow("Confidence", id="confidence")
        self._score = ScoreRow("Score 0-7", id="score")
        self._errors = ErrorRow("Errors", id="errors", multiple=True)
        self._relation = RelationRow("You are", id="relation")
        self._rationale = CleanTextArea(id="rationale", placeholder=RATIONALE_HINT, tab_behavior="focus")

    def compose(self) -> ComposeResult:
        yield from (self._label, self._confidence, self._score, self._errors, self._relation, self._rationale)
        yield Static(id="verdict-note", markup=False)

    def show(self, form: VerdictForm, note: str, *, candidate_id: str) -> None:
        """Fill the rows from a candidate's form without posting edits."""
        self.shown_of = candidate_id
        with self.prevent(ChoiceRow.Changed, TextArea.Changed):
            self._label.chosen = _one(form.label or form.not_judged)
            self._confidence.chosen = _one(form.confidence)
            self._score.chosen = _one(form.score_0_7)
            self._relation.chosen = _one(form.relation)
            self._errors.chosen = frozenset(error.category for error in form.errors)
            self._rationale.text = form.rationale
        self.note(note)

    def note(self, text: str) -> None:
        """The line under the form: what is kept, what is missing."""
        self.query_one("#verdict-note", Static).update(text)

    def start(self) -> None:
        """Put the focus on the verdict itself."""
        self._label.focus()

    @on(ChoiceRow.Changed)
    @on(TextArea.Changed)
    def _changed(self, event: ChoiceRow.Changed | TextArea.Changed) -> None:
        event.stop()
        self.post_message(self.Edited(self.shown_of, self.change()))

    def action_save(self) -> None:
        self.post_message(self.Saved(self.shown_of, self.change()))

    def action_retract(self) -> None:
        self.post_message(self.Retracted(self.shown_of))

    def action_close(self) -> None:
        self.post_message(self.Closed(self.shown_of, self.change()))

    def change(self) -> Change:
        """All that the rows and the text hold now. Their own messages may still be on the way when a key saves."""
        verdict, confidence, score = self._label.value, self._confidence.value, self._score.value
        relation = Relation(self._relation.value or Relation.OTHER)
        categories = self._errors.chosen
        rationale = self._rationale.text

        def change(form: VerdictForm) -> VerdictForm:
            return replace(
                with_error_categories(form, categories),
                label=Label(verdict) if verdict in set(Label) else None,
                not_judged=NotJudged(verdict) if verdict in set(NotJudged) else None,
                confidence=int(confidence) if confidence else None,
                score_0_7=int(score) if score else None,
                relation=relation,
                rationale=rationale,
            )

        return change


def _one(value: object) -> frozenset[str]:
    return frozenset() if value is None else frozenset((str(value),))
