"""What the Insights screen asks for of utility."""

from store.workspace import Workspace
from tests.state.reports.test_selection import put_two_questions
from uq_tui.state.reports.labels import Against
from uq_tui.state.reports.selection import Per
from uq_tui.state.reports.utility_insights import (
    at_first,
    next_labels,
    next_unit,
    other_borderline,
    other_reference,
    read,
)
from uq_tui.state.reviewing.blind import NOTHING


def test_what_utility_is_asked_for_turns(workspace: Workspace) -> None:
    put_two_questions(workspace)
    found = read(workspace, at_first(), NOTHING)
    assert len(found.selection.qualities) == 3
    wanted, turned = at_first(), []
    for _ in range(3):
        wanted = next_labels(wanted, found)
        turned.append(wanted.labels.against)
    assert turned == [Against.VERDICTS, Against.KNOWN, None]
    assert next_unit(wanted, found).per is Per.AVERAGED
    assert other_reference(wanted, found).reference_counts is False
    assert other_borderline(wanted, found).labels.borderline_correct is False
