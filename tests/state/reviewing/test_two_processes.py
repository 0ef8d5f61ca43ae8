"""Two processes have one queue open: what both write at the same moment is kept, and one verdict of two is recorded."""

from pathlib import Path

from store import drafts, queues, reviewers, verdicts
from store.workspace import Workspace
from tests.state.reviewing import window_at_work
from tests.state.reviewing.kills import processes
from tests.state.reviewing.reviewer_at_work import make_queue
from tests.state.reviewing.window_at_work import PATIENCE_S, ROUNDS, Wrote
from uq_tui.state.reviewing.giving import Given
from uq_tui.state.verdict.editor import Side
from uq_tui.words import Label

LABELS = {Side.MINE: Label.CORRECT, Side.THEIRS: Label.INCORRECT}
"""By the draft that the window goes on with when there are two."""


def windows(workspace: Path, queue_id: str) -> dict[Label, Wrote]:
    """Have two windows work at the same time; what each was told, by the verdict that it gave."""
    together = processes.Barrier(len(LABELS))
    told = {}
    for side, label in LABELS.items():
        receiving, sending = processes.Pipe(duplex=False)
        arguments = (workspace, queue_id, side.value, side, label, together, sending)
        processes.Process(target=window_at_work.work, args=arguments, daemon=True).start()
        sending.close()
        told[label] = receiving
    wrote = {}
    for label, receiving in told.items():
        assert receiving.poll(PATIENCE_S)
        wrote[label] = receiving.recv()
        receiving.close()
    return wrote


def test_whatever_two_processes_write_at_once_is_kept_and_one_verdict_recorded(workspace: Workspace) -> None:
    reviewer = reviewers.current(workspace)
    queue = make_queue(workspace, reviewer, problems=1, answers=2)
    item = queues.items(workspace, queue.id, reviewer.id)[0]
    wrote = windows(workspace.path, queue.id)

    (label,) = [label for label, one in wrote.items() if one.given is Given.RECORDED]
    (line,) = verdicts.records(workspace)
    standing = verdicts.latest(workspace, reviewer.id, item.candidate_id)
    assert standing is not None
    assert (standing.label, standing.record["row_sha256"] in line) == (label, True)

    assert sum(one.moved for one in wrote.values()) >= ROUNDS
    draft = drafts.get(workspace, reviewer.id, item.candidate_id)
    copies = drafts.copies(workspace, reviewer.id, item.candidate_id)
    held = [standing.record["rationale"], *(copy.form.rationale for copy in copies)]
    held += [draft.form.rationale] if draft is not None else []
    assert all(any(text in one for one in held) for each in wrote.values() for text in each.texts)
