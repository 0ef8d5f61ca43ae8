"""Reading what laying out a queue needs to know of answers: their order, final answers, and which are identical."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from store import blindness, queue_pool
from store.queue_pool import Pooled
from store.workspace import Workspace
from uq_tui.analysis.share import Answer, Problem
from uq_tui.state.reviewing.final_answers import groups
from uq_tui.state.reviewing.identical import fingerprint
from uq_tui.state.reviewing.two_steps import stated_answer
from uq_tui.words import Label

_CORRECT = {Label.CORRECT: True, Label.CORRECT_BORDERLINE: True, Label.INCORRECT: False}


class Readings:
    """What was read of answers' texts, kept so that laying out again reads none twice."""

    def __init__(self) -> None:
        self._of_text: dict[str, tuple[str, str]] = {}

    def read(self, ws: Workspace, pooled: Iterable[Pooled]) -> None:
        """Read the texts that haven't been."""
        wanted = [one for one in pooled if one.answer_sha256 not in self._of_text]
        for one, (_, text) in zip(wanted, queue_pool.bodies(ws, wanted), strict=True):
            self._of_text[one.answer_sha256] = fingerprint(text.raw), stated_answer(text.markdown)

    def fingerprint(self, one: Pooled) -> str:
        """Equal for identical answers."""
        return self._of_text[one.answer_sha256][0]

    def stated(self, one: Pooled) -> str:
        """Its final answer; empty where it states none beyond doubt, or was cut off."""
        return "" if one.cut_off else self._of_text[one.answer_sha256][1]


class Problems:
    """Makes problems of a queue's candidates."""

    def __init__(
        self, ws: Workspace, wanted: Sequence[Pooled], readings: Readings, masked: Collection[str] | None
    ) -> None:
        """Begin.

        Args:
            ws: the workspace.
            wanted: the candidates that are to be judged.
            readings: what was read before; what is read now is kept there.
            masked: questions whose candidates don't come in order of arrival, which tells the authors; `None` is all.
        """
        self._ws = ws
        self._wanted = wanted
        self._judged = {one.candidate_id for one in wanted}
        self._readings = readings
        self._masked = masked

    def gather(self, question_ids: Sequence[str], labelled: Iterable[Pooled]) -> tuple[list[Problem], list[Problem]]:
        """The problems of the queue in this order, and other ones that `labelled` candidates answer.

        Both hold candidates that aren't wanted, where these are labelled ones. Reads texts.
        """
        extra = [one for one in labelled if one.candidate_id not in self._judged]
        self._readings.read(self._ws, (*self._wanted, *extra))
        of_question = defaultdict[str, list[Pooled]](list)
        for one in (*self._wanted, *extra):
            of_question[one.question_id].append(one)
        in_queue = set(question_ids)
        others = [name for name in of_question if name not in in_queue]
        return (
            [self._problem(name, of_question[name]) for name in question_ids],
            [self._problem(name, of_question[name]) for name in others],
        )

    def _problem(self, name: str, pooled: Sequence[Pooled]) -> Problem:
        by_id = {one.candidate_id: one for one in sorted(pooled, key=lambda one: one.number)}
        ids: Sequence[str] = tuple(by_id)
        if self._masked is None or name in self._masked:
            ids = blindness.masked_order(self._ws, name, ids)
        numbers = groups([self._readings.stated(by_id[one]) for one in ids])
        answers = (self._answer(by_id[one], number) for one, number in zip(ids, numbers, strict=True))
        return Problem(name, tuple(answers))

    def _answer(self, one: Pooled, group: int) -> Answer:
        return Answer(
            id=one.candidate_id,
            group=group,
            twin=self._readings.fingerprint(one),
            correct=None if one.label is None else _CORRECT.get(one.label),
            wanted=one.candidate_id in self._judged,
        )
