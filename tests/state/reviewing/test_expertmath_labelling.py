"""The whole way of ExpertMath: files in, two steps an answer by keys, labels out, and reports that read them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from exports.labels import export_labels
from store import candidates, questions
from store.ingest.importer import import_file
from store.review_rows import NewItem
from store.rows import QuestionFilter
from store.workspace import Workspace
from tests.fixtures import FIXTURES
from tests.new_workspace import new_workspace
from tests.state.reviewing.laid_out import Clock, desk_of, make_queue, reviewing
from uq_tui.state.reports.labels import Against, Labels, Truth
from uq_tui.state.reviewing.giving import Given
from uq_tui.state.reviewing.review import ReviewState
from uq_tui.words import FinalAnswer, Label

KEYS = {"c": Label.CORRECT, "x": Label.INCORRECT, "v": Label.UNSURE, "b": Label.CORRECT_BORDERLINE}
"""What the screen gives the state for each key."""
ANSWERS = FIXTURES / "expertmath-candidates.csv"


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Workspace]:
    opened = new_workspace(tmp_path / "elsewhere.uq.sqlite")
    import_file(opened, FIXTURES / "expertmath.csv")
    yield opened
    opened.close()


async def pressed(state: ReviewState, clock: Clock, keys: str) -> list[Given]:
    done = []
    for key in keys:
        clock.wait()
        done.append(await state.give(KEYS[key]))
    return done


async def test_labels_given_in_two_steps_come_out_and_say_the_same_elsewhere(
    workspace: Workspace, elsewhere: Workspace, tmp_path: Path
) -> None:
    import_file(workspace, FIXTURES / "expertmath.csv")
    import_file(workspace, ANSWERS)
    asked = [row.id for row in questions.page(workspace, QuestionFilter()).rows]
    judged = [one for key in asked for one in candidates.of_question(workspace, key) if not one.reference]
    desk = await desk_of(workspace)
    items = [NewItem(one.question_id, one.id) for one in judged]
    state, clock = await reviewing(desk, make_queue(workspace, desk, items, two_steps=True))

    opinions = []
    given = []
    for keys in ("cc", "x", "cb", "x", "vv"):  # agrees and valid; differs; agrees and borderline; differs; unclear
        assert state.opinion is not None
        opinions.append(state.opinion.opinion)
        given.append(await pressed(state, clock, keys))
    agrees, differs = FinalAnswer.AGREES, FinalAnswer.DIFFERS
    assert opinions == [agrees, differs, agrees, differs, None]  # the last reference is no single answer, `$5^3 = 125$`
    assert given == [
        [Given.STEP, Given.RECORDED],
        [Given.RECORDED],
        [Given.STEP, Given.RECORDED],
        [Given.RECORDED],
        [Given.STEP, Given.RECORDED],
    ]
    assert state.at_the_end

    report = export_labels(workspace, tmp_path / "labels.csv", reviewer_id=desk.reviewer.id)
    assert (report.labels, sum(report.left_out.values())) == (
        {"correct": 3, "correct_borderline": 1, "incorrect": 2},
        1,
    )
    import_file(elsewhere, tmp_path / "labels.csv")
    ours = Truth(workspace, Labels(Against.VERDICTS))
    theirs = Truth(elsewhere, Labels(Against.KNOWN))
    for one in judged[:4]:
        assert theirs.of(one.id).labels == ours.of(one.id).labels
    assert theirs.of(judged[4].id).labels == ()
