"""A neighbour while it is written: what keeps it from being kept, and what speaks against it."""

import pytest

from store.identity import neighbour_id
from store.rows import Neighbour, Question, QuestionRow, Text
from store.run_rows import Proposal
from uq_tui.analysis.neighbour_advice import Concern
from uq_tui.state.neighbours.draft import NeighbourDraft
from uq_tui.state.neighbours.proposed import Given, Proposed, SolverAnswers
from uq_tui.words import NeighbourUse, ProposalState, QuestionStatus, TextFormat

BODY = "How many lattice paths from the origin to (6, 6) never rise above the diagonal on their way?"
OTHER = "In how many ways can a convex polygon with eight sides be cut into triangles by its diagonals?"


def question() -> Question:
    row = QuestionRow(1, "q:1", "Paths", "a.example", QuestionStatus.UNANSWERED, None, (), None, 0, 0)
    body = Text("0", TextFormat.MARKDOWN, BODY, BODY)
    return Question(row, body, "", "", "", "", "", None, None, {})


def neighbour(statement: str = OTHER, answer: str = "132", number: int = 2) -> Neighbour:
    return Neighbour(neighbour_id(statement, answer), statement, answer, "tests", number=number)


def draft(
    statement: str = "",
    answer: str = "",
    *,
    others: tuple[Neighbour, ...] = (),
    replaces: Neighbour | None = None,
    proposed: Proposed | None = None,
) -> NeighbourDraft:
    begun = NeighbourDraft(question(), others, "anna", replaces=replaces, proposed=proposed)
    begun.statement, begun.answer = statement or begun.statement, answer or begun.answer
    return begun


async def concerns(of: NeighbourDraft) -> list[Concern]:
    return [one.kind for one in await of.advise()]


@pytest.mark.parametrize(
    ("statement", "answer", "problem"),
    [
        ("", "", "no statement yet"),
        (" \n", "7", "no statement yet"),
        ("What?", "", "no answer yet"),
        ("What?", " ", "no answer yet"),
        ("What?", "7", ""),
    ],
)
def test_it_needs_a_statement_and_an_answer(statement: str, answer: str, problem: str) -> None:
    said = draft(statement, answer).problem
    assert problem in said
    assert bool(said) == bool(problem)


def test_what_is_kept_has_no_blanks_around_it_and_says_who_wrote_it() -> None:
    kept = draft("\nWhat?\n", " 7 ").neighbour()
    assert kept == Neighbour(neighbour_id("What?", "7"), "What?", "7", "anna")


def test_one_that_is_there_already_is_not_kept_again() -> None:
    aside = Neighbour(neighbour_id("What?", "7"), "What?", "7", "tests", NeighbourUse.SET_ASIDE, "by hand", 3)
    assert draft(OTHER, "132", others=(neighbour(),)).problem == "This is N2, word for word."
    assert draft("What?", "7", others=(aside,)).problem == "This is N3, set aside, word for word."
    assert draft("What?", "8", others=(aside,)).problem == ""


def test_an_edited_one_begins_with_the_old_one_and_needs_a_change() -> None:
    old = neighbour()
    edited = draft(others=(old,), replaces=old)
    assert (edited.title, edited.statement, edited.answer) == ("Edit N2", OTHER, "132")
    assert "N2 is set aside" in edited.about
    assert (edited.changed, edited.problem) == (False, "Nothing is changed yet.")
    edited.answer = "133"
    assert (edited.changed, edited.problem) == (True, "")


def test_a_proposal_is_taken_over_with_the_commonest_answer() -> None:
    proposal = Proposal("run7", 3, "q:1", OTHER, "", ProposalState.DISAGREED)
    solvers = (SolverAnswers("a", (Given("132", 3), Given("131", 1)), ()), SolverAnswers("b", (Given("131", 1),), ()))
    taken = draft(proposed=Proposed(proposal, solvers))
    assert (taken.title, taken.statement, taken.answer) == ("Take over P3", OTHER, "132")
    assert "commonest answer is filled in" in taken.about
    assert (taken.changed, taken.problem) == (False, "")
    assert taken.neighbour().source == "anna, after proposal 3 of run run7"


def test_a_proposal_without_a_commonest_answer_leaves_it_to_whoever_takes_it_over() -> None:
    proposal = Proposal("run7", 3, "q:1", OTHER, "", ProposalState.UNANSWERED)
    taken = draft(proposed=Proposed(proposal))
    assert (taken.answer, taken.problem != "") == ("", True)
    assert "has to be yours" in taken.about


async def test_advice_follows_what_is_entered() -> None:
    assert await concerns(draft()) == []
    assert await concerns(draft(answer="7")) == []
    assert await concerns(draft(BODY.replace("6, 6", "7, 7"))) == [Concern.NEAR_DUPLICATE]
    assert await concerns(draft("Why is 5040 the number of orders?", "5040")) == [Concern.ANSWER_STATED]
    assert await concerns(draft("What?", "it depends on the reader")) == [Concern.ANSWER_FORM]
    assert await concerns(draft("What?", "7")) == []


async def test_advice_knows_the_neighbours_in_use_but_not_the_one_that_is_edited() -> None:
    old = neighbour()
    assert await concerns(draft(OTHER, "7", others=(old,))) == [Concern.NEAR_DUPLICATE]
    (said,) = await draft(OTHER, "7", others=(old,)).advise()
    assert "N2" in said.text
    assert await concerns(draft(OTHER, "7", others=(old,), replaces=old)) == []
    aside = Neighbour(old.id, old.statement, old.answer, "tests", NeighbourUse.SET_ASIDE, "", 2)
    assert await concerns(draft(OTHER, "7", others=(aside,))) == []
