"""Building a queue: what passes its filter, ordered, divided among reviewers, with what is mixed in.

The plan on ids is `analysis.assignment` and `analysis.share`; here is what it needs of the store, and what comes of it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from store import blindness, exposures, queue_pool, queues
from store.queue_pool import CandidateFilter, Pooled
from store.review_rows import NewItem, Queue
from store.rows import Reviewer
from store.workspace import Workspace
from uq_tui.analysis.assignment import Load, divide
from uq_tui.analysis.keyed import digest
from uq_tui.analysis.share import Amounts, Place, Problem, Share, lay_out, practice_block
from uq_tui.errors import UqError
from uq_tui.state.reviewing.gathering import Problems, Readings
from uq_tui.state.reviewing.ordering import Ordered, ordered
from uq_tui.state.reviewing.queue_spec import QueueSpec
from uq_tui.text import counted
from uq_tui.words import Exposure, ItemRole, QueueMode

WHERE = "filter of a queue"


@dataclass(frozen=True, slots=True)
class LaidOut:
    """A queue before it is made."""

    spec: QueueSpec
    shares: Mapping[str, Share]
    """By reviewer id, in the order in which they were given."""
    order: Ordered
    passing: frozenset[tuple[str, str]]
    """Candidates that pass the filter, each with its question's id before its own."""
    identical: int
    """Of these, the ones that are linked to another."""
    overlapping: int
    """Problems that more than one reviewer gets."""
    practice: int
    """Items; fewer than the spec wants where labels run out."""
    withheld: int = 0
    """Problems of which the filter says more than whoever builds the queue may see yet. They are counted by the rest of
    the filter, since how many candidates pass it would tell."""

    @property
    def problems(self) -> int:
        """Questions that are judged."""
        return len(self.order.question_ids)

    @property
    def candidates(self) -> int:
        """Candidates that pass the filter, each once."""
        return len(self.passing)

    def words(self) -> str:
        """`37 problems, 333 candidates, 12 identical`."""
        said = [counted(self.problems, "problem"), counted(self.candidates, "candidate")]
        if self.identical:
            said.append(f"{self.identical:,} identical to another")
        if self.overlapping:
            said.append(f"{counted(self.overlapping, 'problem')} for several reviewers")
        return ", ".join(said)

    def mixed_in(self) -> str:
        """`31 items, 3 gold items, 2 repeats, 4 to practise on`, of all shares together."""
        shares = self.shares.values()
        said = [counted(sum(len(one.places) - one.linked for one in shares), "item")]
        gold, repeats, practice = (
            sum(one.count(role) for one in shares) for role in (ItemRole.GOLD, ItemRole.REPEAT, ItemRole.PRACTICE)
        )
        said += [counted(gold, "gold item")] if gold else []
        said += [counted(repeats, "repeat")] if repeats else []
        said += [f"{practice:,} to practise on"] if practice else []
        return ", ".join(said)

    def notes(self) -> tuple[str, ...]:
        """What could not be laid out as it was wanted, as sentences."""
        said = []
        if self.withheld:
            said.append(
                f"{counted(self.withheld, 'problem')} that you judge blind {'was' if self.withheld == 1 else 'were'}"
                " left out: the filter would tell what is hidden."
            )
        if self.order.unknown:
            said.append(
                f"Nothing is known of {counted(self.order.unknown, 'problem', of=self.problems)} that"
                f" {self.spec.order.value} could be told by; they come last."
            )
        if self.practice < self.spec.practice:
            said.append(
                f"Practice: {self.practice} of {self.spec.practice}. It takes answers with known"
                " labels, correct and wrong ones, to questions that aren't judged in this queue."
            )
        for noun, role, wanted in (
            ("Gold items", ItemRole.GOLD, [one.gold_wanted for one in self.shares.values()]),
            ("Repeats", ItemRole.REPEAT, [one.repeats_wanted for one in self.shares.values()]),
        ):
            made = sum(one.count(role) for one in self.shares.values())
            if made < sum(wanted):
                said.append(f"{noun}: {made:,} of {sum(wanted):,}. {_WHY[role]}")
        return tuple(said)


_WHY = {
    ItemRole.GOLD: "Gold items are answers with known labels that the reviewer has neither judged nor seen labelled.",
    ItemRole.REPEAT: "A share has to be longer than the gap before a repeat.",
}


_TELLING: Mapping[Exposure, Callable[[CandidateFilter], bool]] = {
    Exposure.MODEL: lambda some: bool(some.models or some.systems or some.sources),
    Exposure.OUTCOMES: lambda some: some.outcome is not None,
    Exposure.KNOWN_LABEL: lambda some: bool(some.labelled),
}
"""What a filter tells of all that pass it."""


def told_by(wanted: CandidateFilter) -> tuple[Exposure, ...]:
    """What whoever builds a queue with this filter learns of its candidates."""
    return tuple(what for what, tells in _TELLING.items() if tells(wanted))


def untelling(wanted: CandidateFilter) -> CandidateFilter:
    """The part of a filter that tells nothing which may be hidden."""
    return replace(wanted, models=(), systems=(), sources=(), outcome=None, strategy="", labelled=None, unjudged=None)


def plan(
    ws: Workspace, spec: QueueSpec, reviewers: Sequence[Reviewer], *, by: str, readings: Readings | None = None
) -> LaidOut:
    """Lay a queue out without making it. Reads the texts of what passes the filter: not for the UI's loop.

    Args:
        ws: the workspace.
        spec: how.
        reviewers: who gets a share.
        by: the id of who builds it. In problems that are masked for them nothing is looked for by what is masked.
        readings: of earlier plans.

    Raises:
        UqError: there is nobody to judge, or nothing; there are too few problems; one reviewer alone is to overlap.
    """
    if not reviewers:
        raise UqError("Nobody is to work on this queue.", hint="Name at least one reviewer.")
    if spec.overlap and len(reviewers) < 2:
        raise UqError("One reviewer can't overlap with nobody.", hint="Name others, or leave the overlap out.")
    masked = blindness.masked_questions(ws, by)
    people = [key for one in reviewers for key in (one.id, *one.linked)]
    wanted = queue_pool.chosen(ws, spec.candidates, people, masked=masked)
    withheld = 0
    sorts_out = bool(told_by(spec.candidates)) or spec.candidates.labelled is False  # what is missing tells too
    if sorts_out and masked:
        wanted = tuple(one for one in wanted if one.question_id not in masked)
        anyway = queue_pool.chosen(ws, untelling(spec.candidates), masked=masked)
        withheld = len({one.question_id for one in anyway} & masked)
    if not wanted:
        raise UqError(
            "No candidate passes this filter.",
            hint="Problems that you judge blind are left out: the filter would tell what is hidden."
            if withheld
            else "References, and answers whose text is not here, are never in a queue.",
        )
    key = digest(ws.secret, "queue", str(spec.seed))
    order = ordered(ws, wanted, spec.order, key)
    masked_for_some = frozenset[str]().union(*(blindness.masked_questions(ws, one.id) for one in reviewers))
    found_of = Problems(ws, wanted, readings or Readings(), None if spec.mode is QueueMode.BLIND else masked_for_some)
    others = queue_pool.labelled(ws) if spec.gold or spec.practice else ()
    problems, pool = found_of.gather(order.question_ids, others)
    passing = frozenset((one.question_id, one.candidate_id) for one in wanted)
    begun = LaidOut(spec, {}, order, passing, 0, 0, 0, withheld)
    return _divided(ws, spec, reviewers, wanted, problems, pool, begun, key)


def make(ws: Workspace, name: str, guideline: str, laid_out: LaidOut, *, by: str) -> Queue:
    """Make the queue, and record what its filter has told who builds it. Raises UqError: the name is empty or taken."""
    shares = {reviewer: [_item(place) for place in share.places] for reviewer, share in laid_out.shares.items()}
    spec = laid_out.spec
    made = queues.make(ws, name=name, mode=spec.mode, spec=spec.as_json(), guideline=guideline, shares=shares)
    for what in told_by(spec.candidates):
        exposures.record_all(ws, by, sorted(laid_out.passing), what, WHERE)
    return made


def _divided(
    ws: Workspace,
    spec: QueueSpec,
    reviewers: Sequence[Reviewer],
    wanted: Sequence[Pooled],
    problems: Sequence[Problem],
    pool: Sequence[Problem],
    begun: LaidOut,
    key: bytes,
) -> LaidOut:
    about = queue_pool.fields_and_lengths(ws, wanted)
    loads = {one.id: Load(len(one.judged), *about[one.id]) for one in problems}
    given = divide(loads, [one.id for one in reviewers], overlap=spec.overlap, everyone=spec.everyone, key=key)
    if not all(given.values()):
        raise UqError(
            f"{counted(len(problems), 'problem')} can't be divided among {counted(len(reviewers), 'reviewer')}.",
            hint="All answers to a question stay together. Name fewer reviewers, or have everyone judge everything.",
        )
    practice = practice_block(pool, spec.practice, grouped=spec.grouped, key=key)
    practised = {one.problem for one in practice}
    others = [one for one in pool if one.id not in practised]
    amounts = Amounts(spec.gold, spec.repeats, spec.repeat_after, spec.grouped)
    shares = {}
    for one in reviewers:
        own = [problem for problem in problems if problem.id in given[one.id]]
        barred = queue_pool.judged_by(ws, [one.id, *one.linked]) if spec.gold else ()
        shares[one.id] = lay_out(own, others, practice, amounts, barred=barred, key=digest(key, one.id))
    times = [sum(problem.id in some for some in given.values()) for problem in problems]
    return replace(
        begun,
        shares=shares,
        identical=begun.candidates - sum(load.answers for load in loads.values()),
        overlapping=sum(n > 1 for n in times),
        practice=len(practice),
    )


def _item(place: Place) -> NewItem:
    return NewItem(place.problem, place.answer, place.role, place.group, place.linked_to)
