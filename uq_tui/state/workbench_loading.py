"""What the workbench shows of a question, read from the store in one go: less of a problem that is judged blind."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from store import blindness, candidates, failed_answers, neighbours, questions, verdicts
from store.failed_answers import FailedAnswer
from store.rows import Candidate, Neighbour, Question, Reviewer, Verdict
from store.workspace import Workspace
from uq_tui.state.ladder import judged
from uq_tui.state.ladder.ladder import Ladder
from uq_tui.state.question_text import posted_answers
from uq_tui.state.resolving import told_of
from uq_tui.state.reviewing import blind
from uq_tui.state.reviewing.blind import Mask
from uq_tui.state.utility import measured
from uq_tui.state.utility.measured import Measured


@dataclass(frozen=True, slots=True)
class OnTheBench:
    """A question with what is known of it, by candidate where it is of one.

    Of a masked problem there is nothing but the question, its stripped candidates and neighbours, and own verdicts.
    """

    question: Question
    mask: Mask | None
    candidates: tuple[Candidate, ...]
    neighbours: tuple[Neighbour, ...]
    verdicts: Mapping[str, Verdict]
    measured: Mapping[str, Measured] = field(default_factory=dict)
    ladders: Mapping[str, Ladder] = field(default_factory=dict)
    failed: tuple[FailedAnswer, ...] = ()
    resolution: str = ""
    posted: Mapping[str, str] = field(default_factory=dict)


def read(ws: Workspace, reviewer: Reviewer, question_id: str, measuring: Sequence[str]) -> OnTheBench:
    """Read a question for a reviewer.

    Args:
        ws: the workspace.
        reviewer: who will see it.
        question_id: the question.
        measuring: runs under way that measure utilities.

    Raises:
        NotFoundError: there is no such question.
    """
    question = questions.get(ws, question_id)
    mask = blind.mask_of(ws, reviewer.id, question_id)
    found = candidates.of_question(ws, question_id)
    given = _given(ws, reviewer.id, found)
    around = neighbours.of_question(ws, question_id)
    if mask is not None:
        return OnTheBench(question, mask, mask.stripped(found), around, given)
    newest = {candidate.id: judged.newest(ws, candidate.id) for candidate in found}
    return OnTheBench(
        question,
        None,
        found,
        around,
        given,
        measured=measured.read(ws, question_id, measuring),
        ladders={candidate_id: one.ladder for candidate_id, one in newest.items() if one is not None},
        failed=failed_answers.of_question(ws, question_id),
        resolution=told_of(ws, reviewer, question_id),
        posted=posted_answers(ws, found),
    )


def _given(ws: Workspace, reviewer_id: str, found: Sequence[Candidate]) -> dict[str, Verdict]:
    """The reviewer's verdicts, by candidate; none while one of the candidates is to be judged once more.

    Only that one without its verdict would tell which one it is.
    """
    if any(blindness.hides_own_verdict(ws, reviewer_id, candidate.id) for candidate in found):
        return {}
    latest = ((candidate.id, verdicts.latest(ws, reviewer_id, candidate.id)) for candidate in found)
    return {candidate_id: verdict for candidate_id, verdict in latest if verdict is not None}
