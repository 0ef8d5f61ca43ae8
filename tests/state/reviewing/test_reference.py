"""What an answer is read against."""

from dataclasses import replace
from pathlib import Path

from store import candidates, neighbours, questions
from store.ingest.importer import import_file
from store.rows import NewCandidate, Origin, QuestionFilter
from store.workspace import Workspace
from tests.fixtures import FIXTURES
from tests.store.stock import candidate, question, take
from uq_tui.state.reviewing.reference import NOTHING, NOTICE, Reference, read
from uq_tui.words import AuthorKind, NeighbourUse, TextFormat


def of_expertmath(ws: Workspace) -> list[Reference]:
    import_file(ws, FIXTURES / "expertmath.csv")
    return [read(ws, row.id) for row in questions.page(ws, QuestionFilter()).rows]


def put_solution(ws: Workspace, *answers: str) -> None:
    origin = Origin(AuthorKind.PERSON, person="Ada")
    candidates.add(
        ws, [NewCandidate("source:1", text, TextFormat.MARKDOWN, origin, reference=True) for text in answers]
    )


def test_the_original_answer_is_what_final_answers_are_compared_with(workspace: Workspace) -> None:
    cube, sums, trees = of_expertmath(workspace)
    assert (cube.final_answer, sums.final_answer, trees.final_answer) == ("24", "252", "$5^3 = 125$")
    assert (len(cube.solutions), len(sums.solutions)) == (0, 1)
    assert [one.answer for one in cube.neighbours] == ["12", "60"]


def test_it_reads_as_one_text_that_says_it_may_be_wrong(workspace: Workspace) -> None:
    _, sums, _ = of_expertmath(workspace)
    shown = sums.readable()
    assert shown.source.index(NOTICE) < shown.source.index("252") < shown.source.index("924")
    assert "Count the ways" in shown.source
    assert "## Neighbour N1" in shown.source
    placed = {one.sha256 for one in shown.texts}
    assert sums.solutions[0].answer.sha256 in placed


def test_a_file_name_or_an_author_is_no_part_of_it(workspace: Workspace) -> None:
    take(workspace, question(1))
    put_solution(workspace, "By hand.\n\n$\\boxed{3}$")
    assert read(workspace, "source:1").final_answer == "3"
    assert "Ada" not in read(workspace, "source:1").readable().source


def test_solutions_that_state_different_answers_leave_none_to_compare_with(workspace: Workspace) -> None:
    take(workspace, question(1))
    put_solution(workspace, r"First: \boxed{3}", r"Second: \boxed{4}")
    found = read(workspace, "source:1")
    assert (found.final_answer, len(found.solutions)) == ("", 2)
    assert "## Solution 2" in found.readable().source


def test_without_anything_it_is_empty_and_says_what_to_do(workspace: Workspace, tmp_path: Path) -> None:
    take(workspace, question(1))
    candidates.add(workspace, [candidate("No.")])
    found = read(workspace, "source:1")
    assert not found
    assert found.readable().source == NOTHING


def test_neighbours_that_are_set_aside_are_left_out(workspace: Workspace) -> None:
    cube, *_ = of_expertmath(workspace)
    first = cube.neighbours[0]
    neighbours.set_use(workspace, cube.question_id, first.id, NeighbourUse.SET_ASIDE, "too easy")
    assert [one.number for one in read(workspace, cube.question_id).neighbours] == [2]


def test_how_its_source_has_it_graded_is_shown(workspace: Workspace) -> None:
    parts = [{"title": "Bound", "points": 1, "description": "<p>States <em>both</em> cases</p>"}, {"points": 2.5}, 7]
    take(workspace, replace(question(1), extra={"grading_scheme": parts}))
    take(workspace, replace(question(2), extra={"grading_scheme": " (Partial)\n1. Guessed it "}))
    listed, guided = (read(workspace, f"source:{number}") for number in (1, 2))
    assert listed.grading == "Bound, 1 point\n\nStates *both* cases\n\n2.5 points"
    assert guided.grading == "(Partial)\n1. Guessed it"
    assert "## How it is graded\n\n(Partial)" in guided.readable().source
    assert "# Reference" not in guided.readable().source
    assert read_without(workspace).grading == ""


def read_without(ws: Workspace) -> Reference:
    take(ws, replace(question(3), extra={"grading_scheme": {"a": 1}}))
    return read(ws, "source:3")
