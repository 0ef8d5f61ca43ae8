"""All scores of candidates side by side."""

import pytest
from sqlalchemy import Engine, event

from store import exposures, neighbours, reviewers
from store.rows import Neighbour
from store.workspace import Workspace
from tests.found_runs import judged_by
from tests.scored import measured, put_labelled, scored_outside
from tests.store.evaluated import put_validation
from tests.store.records.giving import give
from tests.store.records.samples import REVIEWER as OTHER
from tests.store.records.samples import form
from uq_tui.analysis.scale import Scale
from uq_tui.state.reports import candidate_scores
from uq_tui.state.reports.candidate_scores import Scores
from uq_tui.state.reports.labels import Labels, LabelSource
from uq_tui.state.reports.scorers import Kind, Scorer, names
from uq_tui.words import DecisionForm, Exposure, Label, Outcome

RIGHT, WRONG = Label.CORRECT, Label.INCORRECT


def named(found: Scores) -> list[str]:
    return [found.names[one] for one in found.scorers]


def test_an_empty_workspace_has_no_scores(workspace: Workspace) -> None:
    assert candidate_scores.read(workspace) == Scores((), (), {})


def test_everything_stands_beside_each_candidate(workspace: Workspace) -> None:
    question_id, (one, two, three) = put_labelled(workspace, 1, [RIGHT, WRONG, "reference"])
    run = measured(workspace, question_id, {one: [(6, 8), (8, 8)], two: [(0, 8), (2, 8)]}, [(1, 8), (1, 8)])
    judged_by(workspace, one, [8.0, 9.0, "no score", "!gone"])
    judged_by(workspace, one, [1.0, 0.0], judge="uq_binary", top=1)
    put_validation(workspace, {one: Outcome.ACCEPT, two: Outcome.REJECT, three: Outcome.UNPARSED})
    scored_outside(workspace, "rm", {two: -3.5})

    found = candidate_scores.read(workspace, question_id)
    assert named(found) == ["CBU openai/solver", "scale_10 openai/o3", "uq_binary openai/o3", "two openai/o3", "rm"]
    cbu, scale, binary, strategy, outside = found.scorers
    first, second, third = found.rows
    assert [row.place.candidate_id for row in found.rows] == [one, two, three]

    own = first.given[cbu]
    assert (own.value, own.n, own.planned, own.run_id) == (0.875, 16, 16, run)
    assert own.low is not None
    assert own.high is not None
    assert own.low < 0.875 < own.high
    assert own.utility is not None
    assert (own.utility.lift, own.utility.control_mean) == (0.75, 0.125)
    judged = first.given[scale]
    assert (judged.value, judged.n, judged.planned, judged.low, judged.samples) == (8.5, 2, 4, None, (8.0, 9.0))
    assert (first.given[binary].value, first.given[binary].n) == (0.5, 2)
    assert first.given[binary].low is not None
    assert (first.given[strategy].value, second.given[strategy].value) == (1.0, 0.0)
    assert second.given[outside].value == -3.5
    # Undecided is unknown, never 0.
    assert (third.given[strategy].value, third.given[strategy].n) == (None, 0)
    assert third.given[strategy].outcome is Outcome.UNPARSED
    assert cbu not in third.given
    assert third.value(cbu) is None


@pytest.mark.parametrize("correct", [True, False])
def test_what_borderline_counts_as(workspace: Workspace, correct: bool) -> None:
    put_labelled(workspace, 1, [Label.CORRECT_BORDERLINE])
    (row,) = candidate_scores.read(workspace, labels=Labels(borderline_correct=correct)).rows
    assert row.correct is correct


def test_the_newest_finished_run_of_a_scorer_counts_that_brought_something(workspace: Workspace) -> None:
    question_id, (one,) = put_labelled(workspace, 1, [RIGHT])
    measured(workspace, question_id, {one: [(8, 8), (8, 8)]})
    newer = measured(workspace, question_id, {one: [(2, 8), (2, 8)]})
    measured(workspace, question_id, {one: [(1, 1), (1, 1)]}, complete=False)
    measured(workspace, question_id, {one: [(0, 0), (0, 0)]})
    judged_by(workspace, one, [3.0, 3.0])
    judged_by(workspace, one, ["!gone", "!gone"])
    put_validation(workspace, {one: Outcome.REJECT})
    put_validation(workspace, {one: Outcome.ACCEPT})
    put_validation(workspace, {one: Outcome.FAILED})
    (row,) = candidate_scores.read(workspace).rows
    cbu, scale, strategy = row.given.values()
    assert (cbu.value, cbu.run_id) == (0.25, newer)
    assert scale.value == 3.0  # what failed counts only where there is nothing else
    assert strategy.outcome is Outcome.ACCEPT


def test_what_was_asked_otherwise_is_another_scorer(workspace: Workspace) -> None:
    question_id, (one,) = put_labelled(workspace, 1, [RIGHT])
    for changes in ({}, {"solver": "openai/b"}, {"sampling": {"openai/solver": {"temperature": 0.1}}}):
        measured(workspace, question_id, {one: [(8, 8), (8, 8)]}, **changes)
    judged_by(workspace, one, [3.0])
    judged_by(workspace, one, [4.0], form=DecisionForm.EXACT)
    found = candidate_scores.read(workspace)
    assert named(found)[0] == "CBU openai/b"
    versions = [one.version for one in found.scorers if one.models == ("openai/solver",)]
    assert named(found)[1:3] == [f"CBU openai/solver {version}" for version in versions]
    assert named(found)[3:] == ["scale_10 openai/o3 exact", "scale_10 openai/o3 tagged"]


def test_with_or_without_a_control_arm_a_solver_is_the_same_scorer(workspace: Workspace) -> None:
    question_id, (one, two) = put_labelled(workspace, 1, [RIGHT, WRONG])
    prompts = {"cbu.rollout": {"sha256": "aa" * 32}, "cbu.control": {"sha256": "bb" * 32}}
    measured(workspace, question_id, {one: [(8, 8), (8, 8)]}, [(1, 8), (1, 8)], templates=prompts)
    del prompts["cbu.control"]
    measured(workspace, question_id, {two: [(0, 8), (4, 8)]}, templates=prompts)
    found = candidate_scores.read(workspace)
    (cbu,) = found.scorers
    assert [row.value(cbu) for row in found.rows] == [1.0, 0.25]


def test_utilities_on_other_neighbours_are_not_compared(workspace: Workspace) -> None:
    question_id, (one, two, three) = put_labelled(workspace, 1, [RIGHT, WRONG, RIGHT])
    old = measured(workspace, question_id, {key: [(8, 8), (8, 8)] for key in (one, two)})
    neighbours.add(workspace, question_id, [Neighbour("", "What is 9 + 9?", "18", "us")])
    measured(workspace, question_id, {one: [(0, 8)] * 3})
    rows = candidate_scores.read(workspace).rows
    ((cbu, first),) = rows[0].given.items()
    assert (first.run_id, first.comparable) == (old, True)  # where most of the question's candidates were measured

    measured(workspace, question_id, {three: [(4, 8)] * 3})
    rows = candidate_scores.read(workspace).rows  # as many on both: those measured on last
    assert [row.value(cbu) for row in rows] == [0.0, None, 0.5]
    assert rows[1].given[cbu].value == 1.0
    assert rows[1].given[cbu].comparable is False


def test_one_question_or_all_of_them(workspace: Workspace) -> None:
    first, (one,) = put_labelled(workspace, 1, [RIGHT])
    second, (two,) = put_labelled(workspace, 2, [WRONG])
    for question_id, candidate_id in ((first, one), (second, two)):
        measured(workspace, question_id, {candidate_id: [(8, 8), (8, 8)]})
        judged_by(workspace, candidate_id, [3.0])
        put_validation(workspace, {candidate_id: Outcome.REJECT})
        scored_outside(workspace, "rm", {candidate_id: 1.0})
    found = candidate_scores.read(workspace, second)
    assert [row.place.candidate_id for row in found.rows] == [two]
    assert [len(row.given) for row in found.rows] == [4]
    every = candidate_scores.read(workspace)
    assert {key: len(rows) for key, rows in every.by_question.items()} == {first: 1, second: 1}
    assert every.labels == {LabelSource.KNOWN: 2}


def test_what_is_shown_is_recorded(workspace: Workspace) -> None:
    question_id, (one, two) = put_labelled(workspace, 1, [RIGHT, "reference"])
    measured(workspace, question_id, {one: [(8, 8), (8, 8)]})
    scored_outside(workspace, "rm", {two: 1.0})
    me = reviewers.current(workspace).id
    candidate_scores.record_shown(workspace, me, candidate_scores.read(workspace).rows, "here")
    shown = {key: {row.what for row in exposures.of_candidate(workspace, me, key)} for key in (one, two)}
    assert shown == {one: {Exposure.UTILITY, Exposure.KNOWN_LABEL}, two: {Exposure.SCORES}}


def test_verdicts_of_others_are_news_and_ones_own_is_none(workspace: Workspace) -> None:
    question_id, (one, two) = put_labelled(workspace, 1, [None, None])
    measured(workspace, question_id, {key: [(8, 8), (8, 8)] for key in (one, two)})
    me = reviewers.current(workspace)
    give(workspace, me, one, form(label=RIGHT))
    for reviewer in (me, OTHER):
        give(workspace, reviewer, two, form(label=RIGHT))
    candidate_scores.record_shown(workspace, me.id, candidate_scores.read(workspace).rows, "here")
    shown = {key: {row.what for row in exposures.of_candidate(workspace, me.id, key)} for key in (one, two)}
    assert shown == {one: {Exposure.UTILITY}, two: {Exposure.UTILITY, Exposure.OTHER_VERDICTS}}


def test_names_say_what_tells_scorers_apart_and_no_more() -> None:
    judge = Scorer(Kind.JUDGE, "scale_10", ("m",), ("",), "tagged", "aaaa", scale=Scale(1, 10))
    other = Scorer(Kind.JUDGE, "scale_10", ("m",), ("http://x",), "tagged", "aaaa", scale=Scale(1, 10))
    outside = Scorer(Kind.EXTERNAL, "scale_10 m")
    assert names([judge]) == {judge: "scale_10 m"}
    assert list(names([judge, other]).values()) == ["scale_10 m at its provider", "scale_10 m at http://x"]
    assert len(set(names([judge, other, outside]).values())) == 3


def test_more_candidates_take_no_more_queries(workspace: Workspace) -> None:
    asked: list[str] = []

    def count(*execution: object) -> None:
        asked.append(str(execution[2]))

    counts = []
    for number in (1, 2):
        question_id, ids = put_labelled(workspace, number, [RIGHT] * 3 * number)
        measured(workspace, question_id, {key: [(8, 8), (7, 8)] for key in ids})
        judged_by(workspace, ids[-1], [3.0])
        put_validation(workspace, dict.fromkeys(ids, Outcome.ACCEPT))
        scored_outside(workspace, "rm", dict.fromkeys(ids, 1.0))
        asked.clear()
        event.listen(Engine, "before_cursor_execute", count)
        try:
            candidate_scores.read(workspace)
        finally:
            event.remove(Engine, "before_cursor_execute", count)
        counts.append(len(asked))
    assert counts[0] == counts[1] > 0
