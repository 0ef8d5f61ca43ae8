"""Candidates ranked by utility, and told apart."""

from dataclasses import replace

from store import candidates
from store.workspace import Workspace
from tests.engine.runs.scripted import QUESTION
from tests.measured_runs import measured_by, question_with
from uq_tui.state.utility import measured
from uq_tui.state.utility.ranking import Place, Ranking, order_text, ranking


def ranked(ws: Workspace) -> Ranking:
    return ranking(candidates.of_question(ws, QUESTION), measured.read(ws, QUESTION, ()))


def order(found: Ranking) -> list[tuple[int, bool, int, Place]]:
    """Rank, whether it is shared, number and place of each."""
    return [(one.rank, one.shared, one.candidate.number, one.place) for one in found.ranked]


def test_the_best_is_told_from_the_others_once_it_can_be(workspace: Workspace) -> None:
    first, second, third = question_with(workspace, 3)
    measured_by(workspace, {first: ["0" * 200], second: ["1" * 200], third: ["1" * 199 + "0"]})

    found = ranked(workspace)

    assert order(found) == [(1, False, 2, Place.BEST), (2, False, 3, Place.TIED), (3, False, 1, Place.BELOW)]
    assert found.text == (
        "c2 is the best or within .1 of it, with an error of at most 5 %. Tied with it within .1: c3."
    )


def test_few_rollouts_leave_it_open_and_equal_utilities_share_a_rank(workspace: Workspace) -> None:
    first, second, third = question_with(workspace, 3)
    measured_by(workspace, {first: ["10"], second: ["11"], third: ["01"]})

    found = ranked(workspace)

    assert order(found) == [(1, False, 2, Place.OPEN), (2, True, 1, Place.OPEN), (2, True, 3, Place.OPEN)]
    assert found.text == "Not told apart: any of c2, c1, c3 may be the best by more than .1."


def test_one_that_came_out_lower_but_is_not_known_to_be_is_behind(workspace: Workspace) -> None:
    first, second = question_with(workspace, 2)
    measured_by(workspace, {first: ["1" * 19 + "0"], second: ["1" * 16 + "0" * 4]})
    found = ranked(workspace)
    assert [place for *_, place in order(found)] == [Place.BEST, Place.BEHIND]
    assert found.text.endswith("of at most 5 %. c2 came out lower, and at most .1 better.")


def test_what_was_planned_and_done_is_compared_once_and_all_else_as_at_every_look(workspace: Workspace) -> None:
    first, second = question_with(workspace, 2)
    counts = {first: ["1" * 19 + "0"], second: ["1" * 11 + "0" * 9]}
    measured_by(workspace, counts)
    assert [place for *_, place in order(ranked(workspace))] == [Place.BEST, Place.BELOW]
    measured_by(workspace, counts, adaptive=True)
    assert [place for *_, place in order(ranked(workspace))] == [Place.BEST, Place.BEHIND]


def test_what_was_measured_otherwise_is_set_apart_and_what_was_not_is_last(workspace: Workspace) -> None:
    first, second, third, fourth = question_with(workspace, 4)
    measured_by(workspace, {first: ["1" * 8]}, model="solver-1")
    measured_by(workspace, {second: ["0" * 8], fourth: ["c"]}, model="solver-2")

    found = ranked(workspace)

    assert [one.candidate.id for one in found.ranked] == [second]
    assert [one.id for one, _ in found.apart] == [first, fourth]
    assert [one.id for one in found.unmeasured] == [third]


def test_an_adaptive_run_brings_its_own_epsilon_and_delta(workspace: Workspace) -> None:
    first, second = question_with(workspace, 2)
    measured_by(workspace, {first: ["0" * 64], second: ["1" * 64]}, adaptive=True)
    own = {key: replace(one, epsilon=0.25, delta=0.01) for key, one in measured.read(workspace, QUESTION, ()).items()}

    found = ranking(candidates.of_question(workspace, QUESTION), own)

    assert found.text == "c2 is the best or within .25 of it, with an error of at most 1 %."


def test_nothing_and_one_candidate_are_no_ranking(workspace: Workspace) -> None:
    (only,) = question_with(workspace, 1)
    assert ranked(workspace).text == "Nothing is measured yet."
    measured_by(workspace, {only: ["1" * 8]})
    assert ranked(workspace).text.startswith("One candidate is measured")


def test_of_many_candidates_in_one_place_the_first_are_named() -> None:
    said = order_text([(f"c{number}", Place.OPEN) for number in range(1, 61)], epsilon=0.1, delta=0.05)
    assert said == (
        "Not told apart: any of c1, c2, c3, c4, c5, c6, c7, c8 and 52 more may be the best by more than .1."
    )
