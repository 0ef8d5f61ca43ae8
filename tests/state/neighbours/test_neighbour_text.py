"""What is read about neighbours and proposals: foreign words stay in their place."""

import pytest

from store.rows import ControlCount, Neighbour
from store.run_rows import Proposal
from tests.proposed_runs import attempts
from uq_tui.analysis.neighbour_advice import Advice, Concern
from uq_tui.state.neighbours.neighbour_text import about_neighbour, about_proposal, about_run
from uq_tui.state.neighbours.neighbourhood import Advised
from uq_tui.state.neighbours.proposed import Proposed
from uq_tui.state.neighbours.screen import Going
from uq_tui.words import NeighbourUse, ProposalState


def neighbour(
    answer: str = "7", *, source: str = "anna", use: NeighbourUse = NeighbourUse.IN_USE, note: str = ""
) -> Neighbour:
    return Neighbour("id", "What?", answer, source, use, note, 1)


def proposed(state: ProposalState = ProposalState.DISAGREED) -> Proposed:
    proposal = Proposal("r", 1, "q", "What?", "sums\n# of squares", state)
    return Proposed.of(proposal, [*attempts("r", 1, "a", ["7"]), *attempts("r", 1, "b", ["8"])])


def test_a_neighbour_says_answer_use_and_source() -> None:
    assert about_neighbour(Advised(neighbour(), ()), None).split("\n\n") == [
        "**Answer:** `7`",
        "**In use**",
        "**Source:** anna",
    ]


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        ("7", "`7`"),
        (r"\frac{3}{4}", r"$\frac{3}{4}$"),
        ("2^{10}", "$2^{10}$"),
        ("$2^{10}$", "$2^{10}$"),
        ("\\frac{3", "`\\frac{3`"),
        ("a\n# b", "`a # b`"),
    ],
)
def test_an_answer_is_mathematics_where_it_is_written_as_such(answer: str, shown: str) -> None:
    assert about_neighbour(Advised(neighbour(answer), ()), None).startswith(f"**Answer:** {shown}\n\n")


def test_one_set_aside_says_why() -> None:
    aside = neighbour(use=NeighbourUse.SET_ASIDE, note="too\n\n# easy")
    assert "**Set aside**: too # easy" in about_neighbour(Advised(aside, ()), None)


def test_control_and_advice_have_their_numbers() -> None:
    advice = (Advice(Concern.ANSWER_STATED, "Its answer stands in its text."),)
    said = about_neighbour(Advised(neighbour(), advice, ControlCount("o3", 3, 8)), None)
    assert "**Without a candidate:** `o3` solved 3 of 8 decided attempts: 0.38 [0.14, 0.69]" in said
    assert "**!** Its answer stands in its text." in said


def test_a_generated_one_says_that_nobody_has_proven_it_and_how_its_answer_came_about() -> None:
    said = about_neighbour(Advised(neighbour(source="r"), (), None, "r"), proposed(ProposalState.AGREED))
    assert "proposed and solved by models, proven by nobody; run r" in said
    assert "- `a` gave `7` once.\n- `b` gave `8` once." in said
    assert "**Agreed.**" in said


def test_a_proposal_says_what_can_be_done_with_it() -> None:
    said = about_proposal(proposed(), taken_over=None, under_way=False)
    assert said.startswith("**Exercises:** sums # of squares\n\n- `a` gave `7` once.")
    assert said.endswith("**t** takes it over by hand, with an answer that you give.")
    assert about_proposal(proposed(), taken_over=3, under_way=False).endswith("Taken over by hand as N3.")
    assert about_proposal(proposed(ProposalState.ASKED), taken_over=None, under_way=True).endswith("**Being solved.**")


def test_a_run_says_how_far_it_is() -> None:
    assert "writes proposals" in about_run(Going("r"))
    assert "2 of 5 are decided" in about_run(Going("r", 2, 5, "k", solving=True))
