"""Other scorers' figures as they stand beside utilities."""

import pytest

from uq_tui.analysis.scale import Scale
from uq_tui.state.reports.candidate_scores import Given
from uq_tui.state.reports.scorers import Kind, Scorer
from uq_tui.state.utility.other_scores import text_of
from uq_tui.words import Outcome


@pytest.mark.parametrize(
    ("kind", "given", "said"),
    [
        (Kind.JUDGE, Given(8.25, n=8, planned=8), "8.25 (8)"),
        (Kind.JUDGE, Given(0.5, n=6, planned=8), ".50 (6 of 8)"),
        (Kind.JUDGE, Given(None, n=0, planned=8), "–"),
        (Kind.VALIDATOR, Given(None, n=0, planned=1, outcome=Outcome.UNPARSED), "unparsed"),
        (Kind.VALIDATOR, Given(1.0, n=1, planned=1, outcome=Outcome.ACCEPT), "accept"),
        (Kind.EXTERNAL, Given(-0.01312, n=1, planned=1), "-0.01312"),
    ],
)
def test_a_figure_says_how_many_it_is_of_and_unknown_is_a_dash(kind: Kind, given: Given, said: str) -> None:
    assert text_of(Scorer(kind, "x", scale=Scale(0, 10)), given) == said
