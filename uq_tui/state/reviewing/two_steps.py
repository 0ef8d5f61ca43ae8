"""Labelling in two steps, as the answers of ExpertMath were: does the final answer agree, and is the derivation valid?

Consequence-Based Utility (arXiv 2602.06291) labels so; how unclear cases and borderline derivations count is ours.
Pure and fast enough for the UI's loop: final answers are compared by exact reading alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

from store.rows import Candidate, MarkedError, VerdictForm
from uq_tui.analysis.answers import compare
from uq_tui.analysis.boxes import final_boxes
from uq_tui.text import clean_line
from uq_tui.words import Derivation, ErrorCategory, FinalAnswer, Label

_LONGEST_BARE = 200
"""Characters of a text of one line that may be nothing but a final answer."""
_END = 20_000
"""Characters at the end of a text in which its final answer is looked for: no text keeps the UI's loop for long."""
_LONGEST_SHOWN = 40


class Step(StrEnum):
    """What is asked."""

    FINAL_ANSWER = "final_answer"
    DERIVATION = "derivation"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer to a step, and the key that gives it."""

    key: str
    value: FinalAnswer | Derivation
    words: str


CHOICES: Mapping[Step, tuple[Choice, ...]] = MappingProxyType(
    {
        Step.FINAL_ANSWER: (
            Choice("c", FinalAnswer.AGREES, "agrees"),
            Choice("x", FinalAnswer.DIFFERS, "differs"),
            Choice("v", FinalAnswer.UNCLEAR, "unclear"),
        ),
        Step.DERIVATION: (
            Choice("c", Derivation.VALID, "valid"),
            Choice("x", Derivation.INVALID, "invalid"),
            Choice("v", Derivation.UNCLEAR, "unclear"),
            Choice("b", Derivation.BORDERLINE, "borderline"),
        ),
        Step.DONE: (),
    }
)
"""The keys mean what they mean where a label is given at once: c for, x against, v unclear, b borderline."""

_LABELS = {
    Derivation.VALID: Label.CORRECT,
    Derivation.BORDERLINE: Label.CORRECT_BORDERLINE,
    Derivation.INVALID: Label.INCORRECT,
    Derivation.UNCLEAR: Label.UNSURE,
}
"""What the derivation makes of an answer whose final answer agrees."""


def label_of(final: FinalAnswer | None, derivation: Derivation | None) -> Label | None:
    """The label that two steps come to; `None` while they don't come to one.

    Another final answer is incorrect, whatever led to it, and so is an invalid derivation, wherever it leads. What is
    unclear otherwise leaves the label unsure.
    """
    if final is FinalAnswer.DIFFERS:
        return Label.INCORRECT
    if final is None or derivation is None:
        return None
    label = _LABELS[derivation]
    return label if final is FinalAnswer.AGREES or label is Label.INCORRECT else Label.UNSURE


@dataclass(frozen=True, slots=True)
class TwoSteps:
    """How far the two steps have come on one answer."""

    final: FinalAnswer | None = None
    derivation: Derivation | None = None

    @classmethod
    def of(cls, form: VerdictForm) -> "TwoSteps":
        """As a draft or a standing verdict has them."""
        return cls(form.final_answer, form.derivation)

    @property
    def step(self) -> Step:
        """What is asked now. A final answer that differs decides, and nothing more is asked."""
        if self.final is None:
            return Step.FINAL_ANSWER
        return Step.DERIVATION if self.label is None else Step.DONE

    @property
    def label(self) -> Label | None:
        """What they come to; `None` before the last step."""
        return label_of(self.final, self.derivation)

    def press(self, key: str) -> "TwoSteps":
        """With the answer that `key` gives to the present step; the same where it gives none."""
        value = next((choice.value for choice in CHOICES[self.step] if choice.key == key), None)
        match value:
            case FinalAnswer():
                return TwoSteps(value)
            case Derivation():
                return replace(self, derivation=value)
            case None:
                return self

    def back(self) -> "TwoSteps":
        """With the last answer taken back; the same where there is none."""
        return TwoSteps(self.final) if self.derivation is not None else TwoSteps()

    def filled(self, form: VerdictForm) -> VerdictForm:
        """`form` with these answers and the label they come to, as a draft in between and a verdict at the end.

        A final answer that differs is marked as an error of its own. That mark goes when another answer is given,
        unless something has been written or quoted on it.
        """
        errors = form.errors
        wrong = ErrorCategory.WRONG_FINAL_ANSWER.value
        if self.final is FinalAnswer.DIFFERS:
            errors = errors if any(error.category == wrong for error in errors) else (*errors, MarkedError(wrong))
        else:
            errors = tuple(error for error in errors if error != MarkedError(wrong))
        return replace(
            form,
            label=self.label,
            not_judged=None,
            final_answer=self.final,
            derivation=self.derivation,
            errors=errors,
        )


@dataclass(frozen=True, slots=True)
class MachineOpinion:
    """What an exact comparison says of a final answer: help for a reader, never a verdict."""

    opinion: FinalAnswer | None
    """`None` where it can't tell; it never says unclear."""
    expected: str
    """The reference's final answer; empty where there is none."""
    stated: str
    """The candidate's; empty where it has none, or several."""

    @property
    def words(self) -> str:
        """One line, safe to show, that says that no person said so."""
        return f"By machine, exact comparison: {self._found()}. Look yourself."

    def _found(self) -> str:
        expected, stated = _short(self.expected), _short(self.stated)
        if not expected:
            return "there is no final answer to compare with"
        if not stated:
            return f"no single final answer was found beside the expected {expected}"
        match self.opinion:
            case FinalAnswer.AGREES:
                return f"agrees, {stated} and the expected {expected}"
            case FinalAnswer.DIFFERS:
                return f"differs, {stated} for the expected {expected}"
            case _:
                return f"can't tell {stated} from the expected {expected}"


def compared(candidate: Candidate, reference_answer: str) -> MachineOpinion:
    """An answer's final answer against the reference's, both as they are stated."""
    expected = stated_answer(reference_answer)
    stated = "" if candidate.cut_off else stated_answer(candidate.answer.markdown)
    found = compare(expected, stated) if expected and stated else None
    opinion = None if found is None else FinalAnswer.AGREES if found else FinalAnswer.DIFFERS
    return MachineOpinion(opinion, expected, stated)


def stated_answer(text: str) -> str:
    """The final answer that a text states beyond doubt; empty where it states none, or several.

    It is what the text boxes at its end, or all of a text of one short line.
    """
    boxes = final_boxes(text[-_END:])
    if boxes:
        return boxes[0] if len(boxes) == 1 else ""
    line = text.strip()
    return line if "\n" not in line and len(line) <= _LONGEST_BARE and "\\boxed" not in line else ""


def _short(text: str) -> str:
    line = clean_line(text)
    return line if len(line) <= _LONGEST_SHOWN else f"{line[: _LONGEST_SHOWN - 1]}…"
