"""What counts as the truth of a candidate, in every report."""

from dataclasses import replace

import pytest

from store import reviewers
from store.workspace import Workspace
from tests.scored import measured, put_labelled
from tests.store.records.giving import give
from tests.store.records.samples import REVIEWER, form
from uq_tui.analysis.truth import Standing
from uq_tui.state.reports import candidate_scores, candidate_table, selection
from uq_tui.state.reports.labels import Against, Held, Labels, LabelSource, Truth, news
from uq_tui.words import Exposure, Label

RIGHT, WRONG, UNSURE = Label.CORRECT, Label.INCORRECT, Label.UNSURE
OTHERS = tuple(replace(REVIEWER, id=f"{REVIEWER.id[:-1]}{number}", handle=f"r{number}") for number in range(2, 5))


def say(ws: Workspace, candidate_id: str, *labels: Label) -> None:
    """A verdict of another reviewer for each label."""
    for reviewer, label in zip(OTHERS, labels, strict=False):
        give(ws, reviewer, candidate_id, form(label=label))


def held(ws: Workspace, candidate_id: str, against: Against | None = None) -> tuple[Standing, LabelSource | None]:
    found = Truth(ws, Labels(against)).of(candidate_id)
    return found.standing, found.source


def test_verdicts_count_where_they_decide_and_known_labels_else(workspace: Workspace) -> None:
    _, (agreed, split, unsure, unknown, bare) = put_labelled(workspace, 1, [RIGHT, RIGHT, WRONG, None, None])
    say(workspace, agreed, WRONG, RIGHT, WRONG)
    say(workspace, split, WRONG, RIGHT)
    say(workspace, unsure, UNSURE)
    say(workspace, unknown, UNSURE)
    assert held(workspace, agreed) == (Standing.INCORRECT, LabelSource.VERDICT)
    assert held(workspace, split) == (Standing.CORRECT, LabelSource.KNOWN)
    assert held(workspace, unsure) == (Standing.INCORRECT, LabelSource.KNOWN)
    assert held(workspace, unknown) == (Standing.UNSURE, LabelSource.VERDICT)
    assert held(workspace, bare) == (Standing.UNLABELLED, None)


def test_only_one_of_both_can_be_taken(workspace: Workspace) -> None:
    _, (both, split) = put_labelled(workspace, 1, [RIGHT, RIGHT])
    say(workspace, both, WRONG)
    say(workspace, split, WRONG, RIGHT)
    assert held(workspace, both, Against.KNOWN) == (Standing.CORRECT, LabelSource.KNOWN)
    assert held(workspace, both, Against.VERDICTS) == (Standing.INCORRECT, LabelSource.VERDICT)
    assert held(workspace, split, Against.VERDICTS) == (Standing.TIED, LabelSource.VERDICT)


def test_a_reference_solution_is_correct_whoever_is_asked(workspace: Workspace) -> None:
    _, (expert,) = put_labelled(workspace, 1, ["reference"])
    for against in (None, *Against):
        found = Truth(workspace, Labels(against)).of(expert)
        assert found == Held(Standing.CORRECT, (RIGHT,), LabelSource.REFERENCE)


@pytest.mark.parametrize("correct", [True, False])
def test_borderline_counts_as_is_wanted(workspace: Workspace, correct: bool) -> None:
    _, (one,) = put_labelled(workspace, 1, [None])
    say(workspace, one, Label.CORRECT_BORDERLINE, Label.CORRECT_BORDERLINE, WRONG)
    found = Truth(workspace, Labels(borderline_correct=correct)).of(one)
    assert found.standing is (Standing.CORRECT if correct else Standing.INCORRECT)


def test_verdicts_of_others_are_labels_to_a_reviewer_without_any(workspace: Workspace) -> None:
    question_id, ids = put_labelled(workspace, 1, [None, None])
    measured(workspace, question_id, {ids[0]: [(8, 8), (8, 8)], ids[1]: [(0, 8), (0, 8)]})
    say(workspace, ids[0], RIGHT)
    say(workspace, ids[1], WRONG)
    for against in (None, Against.VERDICTS):
        labels = Labels(against)
        found = selection.select(candidate_scores.read(workspace, labels=labels), selection.Wanted(labels))
        assert (found.labelled, found.labels) == (2, {LabelSource.VERDICT: 2})
        assert found.qualities[0].metrics.acc1.value == 1.0


def test_the_table_says_whose_labels_these_are(workspace: Workspace) -> None:
    question_id, ids = put_labelled(workspace, 1, [RIGHT, None, None, None, "reference", None])
    say(workspace, ids[1], WRONG)
    say(workspace, ids[2], RIGHT, RIGHT)
    say(workspace, ids[3], RIGHT, WRONG, WRONG)
    section = candidate_table.section(candidate_scores.read(workspace, question_id))
    assert [row[2] for row in section.rows] == [
        "correct (known)",
        "incorrect (verdict)",
        "correct (2 verdicts)",
        "incorrect 2, correct 1 (verdicts)",
        "reference",
        "–",
    ]


def test_ones_own_verdict_is_no_news(workspace: Workspace) -> None:
    _, (own, others) = put_labelled(workspace, 1, [RIGHT, None])
    me = reviewers.current(workspace)
    give(workspace, me, own, form(label=RIGHT))
    say(workspace, others, RIGHT)
    assert news(workspace, me.id, Exposure.OTHER_VERDICTS, (own, others)) == {others}
    assert news(workspace, me.id, Exposure.KNOWN_LABEL, (own, others)) == {own, others}
