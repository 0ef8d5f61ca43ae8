"""A question's neighbours with what speaks against each, as the app and the commands show them."""

from collections.abc import Sequence
from dataclasses import dataclass

from store import neighbours, proposals, questions
from store.rows import ControlCount, Neighbour
from store.workspace import Workspace
from uq_tui.analysis.neighbour_advice import Advice, Control, Posed, advice
from uq_tui.words import NeighbourUse


@dataclass(frozen=True, slots=True)
class Advised:
    """A neighbour with advice. `control` is how often it is solved without a candidate, where that was measured."""

    neighbour: Neighbour
    advice: tuple[Advice, ...]
    control: ControlCount | None = None
    run_id: str = ""
    """The run that made it; empty where it was imported or written by hand."""


def load(ws: Workspace, question_id: str) -> tuple[Advised, ...]:
    """All neighbours of a question in order of arrival, each compared with the question and earlier ones in use.

    Raises:
        NotFoundError: there is no such question.
        StoreError: the workspace cannot be read.
    """
    question = questions.get(ws, question_id)
    text = f"{question.row.title}\n\n{question.body.markdown}"
    found = neighbours.of_question(ws, question_id)
    controls = neighbours.controls(ws, question_id)
    makers = {one.run_id for one in proposals.of_question(ws, question_id)}
    advised = []
    for place, one in enumerate(found):
        control = controls.get(one.id)
        about = advice(
            text,
            Posed(one.statement, one.answer),
            others=_others(found[:place]),
            control=Control(control.solved, control.decided, control.solver) if control else None,
            generated=one.source in makers,
        )
        advised.append(Advised(one, about, control, one.source if one.source in makers else ""))
    return tuple(advised)


def _others(found: Sequence[Neighbour]) -> list[Posed]:
    """Those in use, by the names they go by."""
    return [Posed(one.statement, one.answer, f"N{one.number}") for one in found if one.use is NeighbourUse.IN_USE]
