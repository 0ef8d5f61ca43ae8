"""What second passes say of reasoning, by person."""

from dataclasses import replace

from store import reviewers, statements
from store.review_rows import Said, StageJudged
from store.rows import Reviewer
from store.traces import StageTrace, traces
from store.workspace import Workspace
from tests.store.records.samples import QUESTION_ID
from tests.store.records.stock import put_candidate
from tests.store.standing import ADA, BOB
from uq_tui.words import Soundness, StatementKind

ADA_ELSEWHERE = replace(ADA, id="0199aaaa-0000-7000-8000-000000000001", handle="ada too", linked=(ADA.id,))


def test_of_a_persons_second_passes_the_newest_that_stands_counts(workspace: Workspace) -> None:
    key = put_candidate(workspace)
    for reviewer in (ADA, ADA_ELSEWHERE, BOB):
        reviewers.make(workspace, reviewer)

    def say(who: Reviewer, sound: Soundness | None) -> str:
        stages = (StageJudged("s", "a/1", "run", sound),) if sound else ()
        said = Said(text="Hm.", soundness=stages)
        return statements.add(
            workspace, who, StatementKind.SECOND_PASS, QUESTION_ID, said, candidate_id=key
        ).statement_id

    say(ADA, Soundness.SOUND)
    say(ADA, Soundness.UNSOUND)
    later = say(ADA_ELSEWHERE, Soundness.UNSURE)
    say(BOB, None)
    (one,) = traces(workspace)
    assert (one.person, one.candidate_id) == (ADA_ELSEWHERE.id, key)
    assert one.stages == (StageTrace("run", "s", "a/1", Soundness.UNSURE),)
    statements.retract(workspace, ADA_ELSEWHERE, later)
    (before,) = traces(workspace)
    assert [stage.sound for stage in before.stages] == [Soundness.UNSOUND]
