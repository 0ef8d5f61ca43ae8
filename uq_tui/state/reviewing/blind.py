"""What a reviewer who judges a problem blind is shown of it, decided here for all screens and commands.

`store.blindness` knows which problems are masked for whom. Of a masked problem the question, the reference, the answers
and their reasoning are shown, and what the reviewer has written. Whoever reads candidates for a reviewer reads them by
`candidates_of` or `candidate`: what these return holds no name, no date and no number, so nothing drawn from it can
tell. Places that show nothing but what is masked are not opened at all: `require` raises BlindError.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from store import blindness, candidates, evaluation, exposures
from store.rows import Candidate
from store.workspace import Workspace
from uq_tui.analysis.families import bare_name
from uq_tui.analysis.self_naming import names, says_what_it_is
from uq_tui.errors import BlindError
from uq_tui.text import counted
from uq_tui.words import Exposure, RevealReason

REFERENCE = "Ref"
"""What a masked problem's reference is called; it gets no letter, for nobody judges it."""
HIDDEN = "hidden while you judge this problem blind"
NAMES_AUTHOR = "names an author: not blind?"
"""Stands beside an answer that seems to say who wrote it. It is the same whether that is true or not."""
WHERE_NAMED = "answer text"
WHERE_REASONED = "reasoning text"
"""The places of exposures by an answer, and by reasoning, that has its author's name."""
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Mask:
    """How the candidates of a masked problem are shown."""

    question_id: str
    letters: Mapping[str, str]
    """By candidate, in the order in which they are shown; the reference last."""
    naming: frozenset[str]
    """Candidates that seem to say in their answer who wrote them."""

    def label(self, candidate_id: str) -> str:
        """What a candidate is called: A, B, C..., Ref."""
        return self.letters[candidate_id]

    def names_author(self, candidate_id: str) -> bool:
        """Whether to say `NAMES_AUTHOR` beside its answer."""
        return candidate_id in self.naming

    def stripped(self, there: Iterable[Candidate]) -> tuple[Candidate, ...]:
        """The candidates in their masked order, without anything that tells who wrote them."""
        own = {one.id: one for one in there}
        return tuple(
            replace(own[key], origins=(), created_at="", number=place, letter=letter)
            for place, (key, letter) in enumerate(self.letters.items(), 1)
            if key in own
        )


def mask_of(ws: Workspace, reviewer_id: str, question_id: str) -> Mask | None:
    """How a problem is masked for a reviewer; `None` where it is not."""
    if not blindness.is_masked(ws, reviewer_id, question_id):
        return None
    return _mask(ws, question_id, candidates.of_question(ws, question_id))


def _mask(ws: Workspace, question_id: str, there: tuple[Candidate, ...]) -> Mask:
    references = {one.id for one in there if one.reference}
    judged = blindness.masked_order(ws, question_id, [one.id for one in there if one.id not in references])
    letters = {key: letter(place) for place, key in enumerate(judged)}
    letters |= dict.fromkeys(blindness.masked_order(ws, question_id, sorted(references)), REFERENCE)
    authors = frozenset[str]().union(*map(_names, there))
    naming = frozenset(one.id for one in there if one.id not in references and seems_named(one, authors))
    return Mask(question_id, letters, naming)


def letter(place: int) -> str:
    """A to Z, then AA, AB..., from place 0."""
    front, last = divmod(place, len(_LETTERS))
    return (letter(front - 1) if front else "") + _LETTERS[last]


def candidates_of(ws: Workspace, reviewer_id: str, question_id: str) -> tuple[Candidate, ...]:
    """The candidates of a question as this reviewer may see them."""
    there = candidates.of_question(ws, question_id)
    if not blindness.is_masked(ws, reviewer_id, question_id):
        return there
    return _mask(ws, question_id, there).stripped(there)


def candidate(ws: Workspace, reviewer_id: str, candidate_id: str) -> Candidate:
    """One candidate as this reviewer may see it. Raises NotFoundError: there is none."""
    found = candidates.get(ws, candidate_id)
    if not blindness.is_masked(ws, reviewer_id, found.question_id):
        return found
    return next(one for one in candidates_of(ws, reviewer_id, found.question_id) if one.id == candidate_id)


def require(ws: Workspace, reviewer_id: str, question_id: str) -> None:
    """Refuse to show what is masked. Raises BlindError where the problem is masked for this reviewer."""
    if blindness.is_masked(ws, reviewer_id, question_id):
        raise refusal(question_id)


def refusal(question_id: str) -> BlindError:
    """What to say instead of something masked."""
    return BlindError(
        f"You judge the problem {question_id} blind: this would show what is hidden until its last item is decided.",
        hint=f"To see it now, which is recorded: `uq-tui queue reveal {question_id}`, in the app Ctrl+R.",
    )


def reveal(ws: Workspace, reviewer_id: str, question_id: str) -> bool:
    """Mask the problem no more for this reviewer, who has asked for it; `False` where it was not masked."""
    return blindness.reveal(ws, reviewer_id, question_id, RevealReason.REQUESTED)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What figures over many candidates leave out for a reviewer."""

    questions: int = 0
    candidates: frozenset[str] = frozenset()

    @property
    def lines(self) -> tuple[str, ...]:
        """What a report says of it; nothing where nothing is left out."""
        return (
            (f"Left out: {counted(self.questions, 'problem')} that you still judge blind.",) if self.questions else ()
        )


NOTHING = LeftOut()


def left_out(ws: Workspace, reviewer_id: str) -> LeftOut:
    """The candidates of all problems that are masked for a reviewer."""
    masked = blindness.masked_questions(ws, reviewer_id)
    if not masked:
        return NOTHING
    return LeftOut(len(masked), evaluation.candidates_of(ws, masked))


# Answers that name their author


def seems_named(one: Candidate, authors: Iterable[str]) -> bool:
    """Whether an answer has the name of one of its problem's authors, or speaks of itself as a model's.

    Of any of them: its own author's alone would tell that a name which it has in passing is the right one.
    """
    return bool(says_what_it_is(one.answer.markdown)) or names(one.answer.markdown, authors)


def has_its_name(one: Candidate, *, reasoning: bool = False) -> bool:
    """Whether an answer, or its reasoning, has its author's true name: of the model, the system or the person."""
    return names(one.reasoning if reasoning else one.answer.markdown, _names(one))


def _names(one: Candidate) -> frozenset[str]:
    parts = ((origin.system, origin.person, *_models(origin.model)) for origin in one.origins)
    return frozenset(name for some in parts for name in some if name)


def _models(model: str) -> tuple[str, str]:
    """A model as it is called with and without the date in its id."""
    return model.rstrip("/").rpartition("/")[2], bare_name(model)


def note_read(ws: Workspace, reviewer_id: str, candidate_ids: Iterable[str], *, reasoning: bool = False) -> None:
    """Record of answers that are shown and have their author's true name that the reviewer was told it.

    With `reasoning` that is what is shown instead.
    """
    for candidate_id in candidate_ids:
        one = candidates.get(ws, candidate_id)
        if has_its_name(one, reasoning=reasoning):
            where = WHERE_REASONED if reasoning else WHERE_NAMED
            exposures.record(ws, reviewer_id, one.question_id, one.id, Exposure.MODEL, where)
