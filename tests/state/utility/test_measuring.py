"""What a utility run asks for, as it is put together."""

import pytest

from store import candidates, placebos
from store.placebos import Placebo
from store.rows import Candidate, NewCandidate, Origin
from store.workspace import Workspace
from tests.engine.runs.scripted import QUESTION, add_candidates, add_question
from tests.measured_runs import question_with
from uq_tui.engine.requests import CbuRequest, ModelChoice
from uq_tui.errors import UqError
from uq_tui.state.utility.measuring import MeasureEditor
from uq_tui.words import AuthorKind, TextFormat

MODEL = ModelChoice("m")


@pytest.fixture
def held(workspace: Workspace) -> tuple[Candidate, ...]:
    """Three candidates."""
    question_with(workspace, 3)
    return candidates.of_question(workspace, QUESTION)


def editor(held: tuple[Candidate, ...], placebo: Placebo | None = None) -> MeasureEditor:
    own = MeasureEditor(QUESTION, MODEL, held, held[1], neighbours=2)
    own.found_placebo = placebo
    return own


def test_at_first_all_candidates_are_measured_with_a_control_arm(held: tuple[Candidate, ...]) -> None:
    own = editor(held)
    assert own.request() == CbuRequest(QUESTION, MODEL)
    assert own.planned == "64 calls to m (4 arms, 2 neighbours)."


def test_everything_that_is_entered_is_asked_for(held: tuple[Candidate, ...]) -> None:
    own = editor(held, Placebo("other", 1, "Another question"))
    own.rollouts, own.adaptive, own.epsilon, own.placebo, own.fenced = "64", True, ".2", True, True
    own.equivalence = " judge-x http://127.0.0.1:1/v1 "
    assert own.request() == CbuRequest(
        QUESTION,
        MODEL,
        rollouts=64,
        adaptive=True,
        epsilon=0.2,
        placebo_id="other",
        fenced=True,
        equivalence=ModelChoice("judge-x", "http://127.0.0.1:1/v1"),
    )
    assert own.planned == "10 to 1,280 calls to m and judge-x (5 arms, 2 neighbours)."
    own.adaptive = False
    assert own.planned == "640 to 1,280 calls to m and judge-x (5 arms, 2 neighbours)."


def test_the_next_question_begins_with_what_was_entered_here(held: tuple[Candidate, ...]) -> None:
    own = editor(held, Placebo("other", 1, "Another question"))
    own.rollouts, own.adaptive, own.epsilon, own.placebo, own.fenced = "64", True, ".2", True, True
    own.only_chosen, own.control, own.equivalence = False, False, "judge-x"
    following = MeasureEditor("q:2", MODEL, held, held[1], neighbours=1, settings=own.settings)
    assert following.settings == own.settings
    assert (following.placebo, following.only_chosen) == (False, False)  # these are of the question
    single = MeasureEditor("q:2", MODEL, held[:1], None, neighbours=1, settings=own.settings)
    assert (single.adaptive, single.problem) == (False, "")


def test_one_candidate_can_be_measured_without_a_control_arm(held: tuple[Candidate, ...]) -> None:
    own = editor(held)
    own.only_chosen, own.control = True, False
    assert own.request() == CbuRequest(QUESTION, MODEL, candidate_ids=(held[1].id,), control=False)
    assert own.planned == "16 calls to m (1 arm, 2 neighbours)."


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"rollouts": "0"}, "Rollouts are a number from 1 to 1,000."),
        ({"rollouts": "eight"}, "Rollouts are a number from 1 to 1,000."),
        ({"adaptive": True, "epsilon": "nan"}, "Epsilon is a number between 0 and 1."),
        ({"adaptive": True, "epsilon": "1"}, "Epsilon is a number between 0 and 1."),
        ({"adaptive": True, "only_chosen": True}, "Stopping early compares candidates, and only one is measured."),
        ({"placebo": True}, "No other question has a candidate that could be the placebo."),
        ({"equivalence": "a b c"}, "A model is one id, and after a blank its address if it needs one."),
    ],
)
def test_what_cannot_be_started_is_said(held: tuple[Candidate, ...], given: dict[str, object], said: str) -> None:
    own = editor(held)
    for name, value in given.items():
        setattr(own, name, value)
    assert own.problem == said
    assert own.request() is None


def test_without_a_candidate_there_is_nothing_to_measure() -> None:
    with pytest.raises(UqError, match="no candidate to measure"):
        MeasureEditor(QUESTION, MODEL, (), None, neighbours=1)


def test_the_placebo_is_of_another_question_and_about_as_long(workspace: Workspace) -> None:
    add_question(workspace)
    add_candidates(workspace, "x" * 100)
    assert placebos.find(workspace, QUESTION) is None
    add_question(workspace, "tests:2")
    by = Origin(AuthorKind.MODEL, model="m")
    new = [NewCandidate("tests:2", "y" * length, TextFormat.MARKDOWN, by) for length in (10, 90, 1_000)]
    _, nearest, _ = candidates.add(workspace, new)

    found = placebos.find(workspace, QUESTION)

    assert found is not None
    assert (found.candidate_id, found.number) == (nearest, 2)
