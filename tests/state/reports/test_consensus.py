"""What verdicts come to, from a store."""

import pytest

from store import exposures, reviewers
from store.review_rows import NewItem
from store.workspace import Workspace
from tests.store.evaluated import put_answers
from tests.store.reviewing import queue
from tests.store.standing import ADA, BOB, EVE, put, row
from tests.store.stock import QUESTION
from uq_tui.analysis.consensus import Method
from uq_tui.analysis.truth import Standing
from uq_tui.state.reports import consensus, consensus_tables
from uq_tui.state.reports.consensus import ConsensusFindings, Wanted
from uq_tui.state.reviewing import blind
from uq_tui.words import Exposure, Label, NotJudged

C, B, I = Label.CORRECT, Label.CORRECT_BORDERLINE, Label.INCORRECT  # noqa: E741

Says = Label | NotJudged | None


def read(ws: Workspace, method: Method = Method.MAJORITY) -> ConsensusFindings:
    return consensus.read(ws, Wanted(method=method), EVE.id, blind.left_out(ws, EVE.id))


@pytest.fixture
def keys(workspace: Workspace) -> list[str]:
    """Candidates in order of their ids, with what Ada, Bob and Eve say of them."""
    found = sorted(put_answers(workspace, {f"Answer {place}": ("m", None) for place in range(15)}).values())
    said: list[tuple[Says, Says, Says]] = [
        *[(C, C, I)] * 4,
        *[(I, I, I)] * 5,
        *[(I, I, C)] * 3,
        (C, I, C),
        (C, I, None),
        (NotJudged.TOO_TEDIOUS, B, None),
    ]
    put(
        workspace,
        [
            row(f"{who.handle}{place:02}", key, who, says, question_id=QUESTION.id)
            for place, (key, row_of) in enumerate(zip(found, said, strict=True))
            for who, says in zip((ADA, BOB, EVE), row_of, strict=True)
            if says is not None
        ],
    )
    return found


def test_a_majority_shows_ties_as_ties(workspace: Workspace, keys: list[str]) -> None:
    found = read(workspace)
    assert [row.candidate_id for row in found.rows] == keys
    assert found.standings == {Standing.CORRECT: 6, Standing.INCORRECT: 8, Standing.TIED: 1}
    assert [row.candidate_id for row in found.undecided] == [keys[13]]
    last = found.rows[-1]
    assert (last.found.label, last.n, last.not_judged, last.unsure) == (B, 1, 1, 0)
    assert found.estimate is None


def test_reliability_decides_what_a_majority_leaves_open(workspace: Workspace, keys: list[str]) -> None:
    found = read(workspace, Method.DAWID_SKENE)
    assert found.estimate is not None
    right = {person: own.right for person, own in found.estimate.people.items()}
    assert right[EVE.id] < right[ADA.id]
    assert found.rows[0].found.label is C
    assert found.estimate.people[ADA.id].n == 14  # the one that she didn't judge is no label
    titles = [section.title for section in consensus_tables.sections(found)]
    assert titles[:2] == ["What verdicts come to", "How reliable people are"]


@pytest.mark.parametrize("method", Method)
def test_an_adjudication_that_fits_is_the_consensus(workspace: Workspace, keys: list[str], method: Method) -> None:
    put(workspace, [row("over", keys[13], EVE, B, day=2, question_id=QUESTION.id, settles=["ada13#1", "bob13#1"])])
    row_of = next(row for row in read(workspace, method).rows if row.candidate_id == keys[13])
    assert (row_of.settled_by, row_of.found.label, row_of.n) == ("over#1", B, 2)
    put(workspace, [row("ada13", keys[13], ADA, I, revision=2, day=3, question_id=QUESTION.id)])
    row_of = next(row for row in read(workspace, method).rows if row.candidate_id == keys[13])
    assert (row_of.settled_by, row_of.found.label) == ("", I)


def test_rows_never_change_their_types(workspace: Workspace, keys: list[str]) -> None:
    records = [row.record for row in read(workspace).rows]
    kinds = {tuple((key, type(value)) for key, value in record.items()) for record in records}
    assert len(kinds) == 1
    assert {type(value) for record in records for value in record["weights"].values()} == {float}
    tied = records[13]
    assert (tied["label"], tied["tied"], tied["standing"]) == ("", ["correct", "incorrect"], "tied")


def test_what_is_shown_of_candidates_is_recorded(workspace: Workspace, keys: list[str]) -> None:
    for reviewer in (ADA, BOB, EVE):
        reviewers.make(workspace, reviewer)
    found = read(workspace)

    def seen() -> list[bool]:
        return [
            Exposure.OTHER_VERDICTS in {one.what for one in exposures.of_candidate(workspace, EVE.id, key)}
            for key in keys
        ]

    consensus.record_shown(workspace, EVE.id, found, "here", rows=False)
    assert seen() == [key == keys[13] for key in keys]
    consensus.record_shown(workspace, EVE.id, found, "here", rows=True)
    assert all(seen())


def test_masked_problems_are_left_out(workspace: Workspace, keys: list[str]) -> None:
    for reviewer in (ADA, EVE):
        reviewers.make(workspace, reviewer)
    queue(workspace, {EVE: [NewItem(QUESTION.id, keys[13])]})
    found = read(workspace)
    assert (found.rows, found.left_out.questions) == ((), 1)


def test_tables_and_plot_count_the_same_candidates(workspace: Workspace, keys: list[str]) -> None:
    found = read(workspace)
    standings, tied = consensus_tables.sections(found)
    assert standings.rows == (
        ("correct", "6", "correct 5, borderline 1", "1"),
        ("incorrect", "8", "incorrect 8", "0"),
        ("tied", "1", "open 1", "0"),
    )
    assert tied.rows == ((QUESTION.id, keys[13][:12], "2", "correct .50, incorrect .50"),)
    plot = consensus_tables.standings_plot(found)
    assert plot is not None
    assert plot.rows == ("correct", "incorrect", "tied")
    assert {one.name: one.values for one in plot.series} == {"one": (1, 0, 0), "two": (0, 0, 1), "more": (5, 8, 0)}
