"""In which order the problems of a queue come."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from store import queue_pool
from store.queue_pool import Pooled
from store.workspace import Workspace
from uq_tui.analysis.contention import Evidence, disagreement, uncertainty
from uq_tui.analysis.keyed import shuffled
from uq_tui.words import Outcome, QueueOrder


@dataclass(frozen=True, slots=True)
class Ordered:
    """Question ids in their order."""

    question_ids: tuple[str, ...]
    unknown: int | None = None
    """So many, at the end, of which there is nothing to order them by; `None` for an order that needs nothing."""


def ordered(ws: Workspace, pooled: Sequence[Pooled], order: QueueOrder, key: bytes) -> Ordered:
    """The questions of these candidates, which come in order of arrival. That order stays among equals.

    - `unreviewed`: by how many people have judged each of these candidates, in the mean, the fewest first;
    - `random`: by a hash with `key`;
    - `disagreement` and `uncertainty`: by the figures of `analysis.contention`, the greatest first.
    """
    of_question = defaultdict[str, list[str]](list)
    for one in pooled:
        of_question[one.question_id].append(one.candidate_id)
    match order:
        case QueueOrder.ARRIVAL:
            return Ordered(tuple(of_question))
        case QueueOrder.RANDOM:
            return Ordered(tuple(shuffled(key, "problems", of_question)))
        case QueueOrder.UNREVIEWED:
            judges = queue_pool.judges(ws)
            means = {name: sum(judges.get(one, 0) for one in ids) / len(ids) for name, ids in of_question.items()}
            return Ordered(tuple(sorted(of_question, key=means.__getitem__)))
        case QueueOrder.DISAGREEMENT:
            return _by_figure(of_question, evidence(ws), disagreement)
        case QueueOrder.UNCERTAINTY:
            return _by_figure(of_question, evidence(ws), uncertainty)


def evidence(ws: Workspace) -> dict[str, Evidence]:
    """What machines have found about each candidate that they have looked at."""
    outcomes = queue_pool.outcomes(ws)
    votes = queue_pool.votes(ws, outcomes)
    utilities = queue_pool.utilities(ws)
    found = {}
    for one in {*outcomes, *utilities}:
        whole = [each.outcome for each in outcomes.get(one, {}).values()]
        accepts, rejects = whole.count(Outcome.ACCEPT), whole.count(Outcome.REJECT)
        given, measured = votes.get(one), utilities.get(one)
        width = None
        if measured is not None and measured.low is not None and measured.high is not None:
            width = measured.high - measured.low
        found[one] = Evidence(
            accepts=accepts,
            rejects=rejects,
            undecided=len(whole) - accepts - rejects,
            votes_for=given.accepts if given else 0,
            votes_against=given.rejects if given else 0,
            utility=measured.mean if measured else None,
            width=width,
        )
    return found


def _by_figure(
    of_question: dict[str, list[str]],
    found: dict[str, Evidence],
    figure: Callable[[Sequence[Evidence]], float | None],
) -> Ordered:
    figures = {name: figure([found.get(one, Evidence()) for one in ids]) for name, ids in of_question.items()}
    known = [name for name in of_question if figures[name] is not None]
    unknown = [name for name in of_question if figures[name] is None]
    return Ordered((*sorted(known, key=lambda name: -(figures[name] or 0.0)), *unknown), len(unknown))
