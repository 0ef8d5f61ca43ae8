"""The rows of the verdict form. Their letters are the same wherever a label or a kind of error is chosen."""

from uq_tui.state.verdict.words import CONFIDENCE as CONFIDENCE_WORDS
from uq_tui.state.verdict.words import plain
from uq_tui.widgets.choice_row import Choice, ChoiceRow, choice_keys
from uq_tui.words import ErrorCategory, Label, NotJudged, QuestionFlag, Relation

LABELS = (
    Choice("c", Label.CORRECT, "correct"),
    Choice("x", Label.INCORRECT, "incorrect"),
    Choice("v", Label.UNSURE, "unsure"),
    Choice("b", Label.CORRECT_BORDERLINE, "borderline"),
    Choice("d", NotJudged.OUT_OF_DEPTH, "out of depth"),
    Choice("t", NotJudged.TOO_TEDIOUS, "too tedious"),
    Choice("f", NotJudged.FAULTY_QUESTION, "faulty question"),
)
CONFIDENCE = tuple(Choice(str(i), str(i), words) for i, words in enumerate(CONFIDENCE_WORDS, start=1))
SCORES = tuple(Choice(str(i), str(i), "") for i in range(8))
RELATIONS = (
    Choice("p", Relation.ORIGINAL_POSTER, "original poster"),
    Choice("a", Relation.ANSWER_AUTHOR, "author of the answer"),
    Choice("e", Relation.DOMAIN_EXPERT, "domain expert"),
    Choice("o", Relation.OTHER, "other"),
)
FLAGS = (
    Choice("i", QuestionFlag.ILL_POSED, "ill-posed"),
    Choice("a", QuestionFlag.ALREADY_SOLVED, "already solved"),
    Choice("d", QuestionFlag.DUPLICATE, "duplicate"),
    Choice("n", QuestionFlag.NEEDS_IMAGE, "needs an image"),
)
_ERROR_KEYS = {
    "r": ErrorCategory.INCORRECT_REASONING,
    "c": ErrorCategory.UNJUSTIFIED_COMPRESSION,
    "i": ErrorCategory.UNJUSTIFIED_INTERPRETATION,
    "x": ErrorCategory.EXTERNAL_REFERENCES,
    "w": ErrorCategory.WRONG_FINAL_ANSWER,
    "f": ErrorCategory.FABRICATED_REFERENCE,
    "m": ErrorCategory.MISREAD_QUESTION,
    "o": ErrorCategory.OTHER,
}
ERRORS = tuple(Choice(key, category, plain(category)) for key, category in _ERROR_KEYS.items())


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


class FlagRow(ChoiceRow):
    """What is wrong with the question."""

    CHOICES = FLAGS
    BINDINGS = choice_keys("flag", FLAGS)


class RelationRow(ChoiceRow):
    """What the reviewer is to the question."""

    CHOICES = RELATIONS
    BINDINGS = choice_keys("relation", RELATIONS)


class ErrorRow(ChoiceRow):
    """The kind of an error."""

    CHOICES = ERRORS
    BINDINGS = choice_keys("error", ERRORS)
