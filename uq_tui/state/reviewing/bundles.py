"""Work that goes to reviewers elsewhere and comes back: bundles of a queue written, how far each is, items handed on.

Functions wait for the disk: screens call them in a thread.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from exports.bundle_parts import Share, read_share
from exports.bundles import BundleReport, write_returned, write_work
from exports.rows import PLAIN, Manner
from store import blindness, bundle_shape, bundles, queue_pool, queues, reviewers, shares
from store.review_rows import Queue
from store.rows import Reviewer
from store.shares import HandedOn, ShareStatus
from store.withheld import withheld
from store.workspace import Workspace
from uq_tui.errors import BlindError, ExportError, NotFoundError, UqError
from uq_tui.text import counted
from uq_tui.words import BundleDirection, NotJudged, QueueMode

SUFFIX = ".bundle.zip"
_NOT_IN_NAMES = re.compile(r"[^\w.-]+", re.ASCII)
_LONGEST_PART = 60


@dataclass(frozen=True, slots=True)
class Sent:
    """A bundle that was written for somebody."""

    reviewer: Reviewer
    report: BundleReport
    items: int
    """Identical answers among them."""
    practice: int
    """Items that stayed out: their feedback is known labels."""

    @property
    def problems(self) -> int:
        """Questions in it."""
        return self.report.rows[bundle_shape.QUESTIONS]


@dataclass(frozen=True, slots=True)
class GivenBack:
    """What somebody said of their share, on its way back."""

    report: BundleReport
    held_back: int
    """Rows of verdicts that would tell what is hidden from them: they go along once their problems are revealed."""
    left: int
    """Items still to decide."""

    @property
    def verdicts(self) -> int:
        """Rows of verdicts, all revisions counted."""
        return self.report.rows[bundle_shape.VERDICTS]

    @property
    def statements(self) -> int:
        """Rows of statements."""
        return self.report.rows[bundle_shape.STATEMENTS]

    def lines(self) -> tuple[str, ...]:
        """What is said of it."""
        said = f"{counted(self.verdicts, 'verdict row')} and {counted(self.statements, 'statement')}"
        lines = [f"{said} written to {self.report.path}"]
        if self.held_back:
            lines.append(f"Held back: {counted(self.held_back, 'row')} on problems that you haven't decided all of.")
        if self.left:
            lines.append(f"{counted(self.left, 'item')} left to decide.")
        return tuple(lines)


def send(
    ws: Workspace,
    queue: Queue,
    folder: Path,
    *,
    by: str,
    reviewer_ids: Sequence[str] = (),
    manner: Manner = PLAIN,
) -> tuple[Sent, ...]:
    """Write one bundle for each share of a queue, or of these reviewers, into a folder that is made if need be.

    Args:
        ws: the workspace.
        queue: the queue.
        folder: where to.
        by: the id of who sits here.
        reviewer_ids: whose shares; everybody's where none is named.
        manner: told how many rows of all bundles are written. Once it is cancelled, the bundle that is being written
            and those after it are missing in what is returned; earlier files of their names are as they were.

    Raises:
        UqError: the queue is assisted or closed, or nobody has anything to do in it.
        NotFoundError: somebody who is named has no share.
        BlindError: the bundles of an open queue would tell what is hidden from who sits here.
        ExportError: a bundle can't be written; those before it are there.
    """
    if queue.closed_at is not None:
        raise UqError(f"The queue “{queue.name}” is closed.", hint="`uq-tui queue reopen` takes it up again.")
    found = _shares(ws, queue, reviewer_ids)
    require_sendable(ws, queue.mode, [key for one in found for key in one.question_ids], by=by)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ExportError(f"The folder {folder} can't be made: {error.strerror or error}.") from error
    names = file_names(queue, [one.reviewer for one in found])
    sent: list[Sent] = []
    for share in found:
        path = folder / names[share.reviewer.id]
        before = sum(sum(one.report.rows.values()) for one in sent)
        try:
            report = write_work(ws, share, path, replace(manner, on_progress=_adding(before, manner)))
        except ExportError:
            if manner.is_cancelled():
                break
            raise
        of_share = (queue.id, share.reviewer.id, path.name, report.sha256, len(share.items))
        bundles.note(ws, BundleDirection.SENT, *of_share)
        sent.append(Sent(share.reviewer, report, len(share.items), share.practice))
    return tuple(sent)


def _adding(before: int, manner: Manner) -> Callable[[int], None]:
    return lambda rows: manner.on_progress(before + rows)


def require_sendable(ws: Workspace, mode: QueueMode, question_ids: Iterable[str], *, by: str) -> None:
    """Make sure that bundles of a queue can be written by who has the id `by`.

    Raises:
        UqError: it is assisted.
        BlindError: it is open, and its bundles would tell what is hidden from them.
    """
    if mode is QueueMode.ASSISTED:
        raise UqError(
            "An assisted queue shows claims of audits, which no bundle takes along.",
            hint="Make a blind or an open queue for work elsewhere.",
        )
    hidden = blindness.masked_questions(ws, by).intersection(question_ids) if mode is QueueMode.OPEN else ()
    if hidden:
        raise BlindError(
            f"Bundles of an open queue would tell who wrote answers to {counted(len(hidden), 'problem')} that you judge"
            " blind.",
            hint="Decide them first, or have somebody else write the bundles.",
        )


def _shares(ws: Workspace, queue: Queue, reviewer_ids: Sequence[str]) -> list[Share]:
    there = [reviewer_id for reviewer_id, _ in queues.shares(ws, queue.id)]
    for reviewer_id in reviewer_ids:
        if reviewer_id not in there:
            handle = reviewers.get(ws, reviewer_id).handle
            raise NotFoundError(f"{handle} has no share in the queue “{queue.name}”.", hint="`uq-tui status` says who.")
    wanted = [one for one in there if not reviewer_ids or one in reviewer_ids]
    found = [read_share(ws, queue, reviewers.get(ws, one)) for one in wanted]
    kept = [share for share in found if share.items]
    if not kept:
        raise UqError(f"Nothing of the queue “{queue.name}” can be sent: there is nothing to judge in it.")
    return kept


def file_names(queue: Queue, people: Iterable[Reviewer]) -> dict[str, str]:
    """The names of bundles by the ids of their reviewers: of the queue, the reviewer, and the id where names are alike.

    None of them holds a sign that a file system or a shell could take for something else.
    """
    plain = {one.id: f"{plain_name(queue.name)}-{plain_name(one.handle)}" for one in people}
    names = [name.lower() for name in plain.values()]
    return {
        key: f"{name}-{plain_name(key)}{SUFFIX}" if names.count(name.lower()) > 1 else f"{name}{SUFFIX}"
        for key, name in plain.items()
    }


def returned_name(queue: Queue, reviewer: Reviewer) -> str:
    """How a returned bundle is called by default."""
    return f"{plain_name(queue.name)}-{plain_name(reviewer.handle)}.returned.zip"


def plain_name(text: str) -> str:
    """A text as a part of a file's name: of letters, digits and `_.-` of ASCII, and not long."""
    return _NOT_IN_NAMES.sub("-", text).strip("-.")[:_LONGEST_PART] or "x"


def give_back(ws: Workspace, queue: Queue, reviewer: Reviewer, path: Path) -> GivenBack:
    """Write what a reviewer has said of their share of a queue.

    Raises:
        NotFoundError: they have no share in it.
        ExportError: it can't be written; an earlier file is as it was.
    """
    progress = queues.progress(ws, queue.id, reviewer.id)
    if not progress.total:
        raise NotFoundError(f"{reviewer.handle} has no share in the queue “{queue.name}”.")
    without = withheld(ws, reviewer.id)
    held_back = bundles.verdicts_withheld(ws, queue.id, reviewer.id, without)
    report = write_returned(ws, queue, reviewer, path, without=without)
    return GivenBack(report, held_back, progress.left)


@dataclass(frozen=True, slots=True)
class ShareLine:
    """A share, and who works on it."""

    reviewer: Reviewer
    status: ShareStatus


def status(ws: Workspace, queue: Queue, *, by: str) -> tuple[ShareLine, ...]:
    """How far each share of a queue is, as whoever has the id `by` may know it: in order of public names."""
    known: Mapping[str, Reviewer] = {one.id: one for one in reviewers.all_of(ws)}
    masked = blindness.masked_questions(ws, by)
    lines = [ShareLine(known[one.reviewer_id], one) for one in shares.status(ws, queue.id, masked=masked)]
    return tuple(sorted(lines, key=lambda line: (line.reviewer.handle, line.reviewer.id)))


def waiting(lines: Sequence[ShareLine], *, for_reviewer: str = "") -> tuple[str, ...]:
    """The items that are out of somebody's depth and wait for somebody else; of one candidate one alone.

    With `for_reviewer` those that can be handed on to the reviewer with this id, whom they aren't out of depth for.
    """
    there = [(line.reviewer.id, item) for line in lines for item in line.status.waiting]
    theirs = {item.candidate_id for reviewer_id, item in there if reviewer_id == for_reviewer}
    return tuple({item.candidate_id: item.id for _, item in there if item.candidate_id not in theirs}.values())


def hand_on_waiting(ws: Workspace, queue: Queue, reviewer: Reviewer, *, by: str) -> HandedOn:
    """Put all that is out of somebody's depth, and that a reviewer could take, into their share.

    Raises:
        NotFoundError: there is none.
        UqError: as `store.shares.hand_on`.
    """
    wanted = waiting(status(ws, queue, by=by), for_reviewer=reviewer.id)
    if not wanted:
        raise NotFoundError(f"Nothing of “{queue.name}” waits that {reviewer.handle} could take.")
    return hand_on(ws, queue, wanted, reviewer.id, by=by)


def hand_on(ws: Workspace, queue: Queue, item_ids: Sequence[str], reviewer_id: str, *, by: str) -> HandedOn:
    """Put items that were given back without a label into somebody else's share.

    Raises:
        BlindError: an item is of a problem that is masked for who sits here, by whose id `by` is.
        NotFoundError, UqError: as `store.shares.hand_on`.
    """
    masked = blindness.masked_questions(ws, by)
    if any(queues.item(ws, item_id).question_id in masked for item_id in item_ids):
        raise BlindError(
            "You judge the problem of one of these items blind: whether it was given back without a label is hidden.",
            hint="Decide it first, or have somebody else hand it on.",
        )
    reviewer = reviewers.get(ws, reviewer_id)
    barred = queue_pool.judged_by(ws, (reviewer.id, *reviewer.linked))
    return shares.hand_on(ws, queue.id, item_ids, reviewer_id, barred=barred)


REASONS = (NotJudged.OUT_OF_DEPTH, NotJudged.TOO_TEDIOUS, NotJudged.FAULTY_QUESTION)
"""Why items are given back, in the order in which figures are shown."""
