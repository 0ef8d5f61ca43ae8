"""Labels as a file for metrics: what is in it, what is not, and that it says the same as the verdicts."""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from exports.labels import COLUMNS, LeftOut, export_labels
from store import adjudications, candidates, conflicts, evaluation, reviewers
from store.ingest.importer import import_file
from store.rows import NewCandidate, Origin, VerdictForm
from store.withheld import Withheld
from store.workspace import Workspace
from tests.new_workspace import new_workspace
from tests.scored import measured, put_labelled, scored_outside
from tests.store.evaluated import put_validation
from tests.store.records.giving import give, take_back
from tests.store.records.samples import REVIEWER
from tests.store.standing import BOB, EVE
from uq_tui.analysis.truth import Standing
from uq_tui.errors import ExportError
from uq_tui.state.reports import candidate_scores, insights, selection
from uq_tui.state.reports.labels import Against, Labels
from uq_tui.state.reports.selection import Per
from uq_tui.words import AuthorKind, Label, NotJudged, Outcome, TextFormat

GIVEN = {
    "right": VerdictForm(label=Label.CORRECT),
    "near": VerdictForm(label=Label.CORRECT_BORDERLINE),
    "wrong": VerdictForm(label=Label.INCORRECT),
    "unsure": VerdictForm(label=Label.UNSURE),
    "tedious": VerdictForm(not_judged=NotJudged.TOO_TEDIOUS),
}
OUTCOMES = (Outcome.ACCEPT, Outcome.REJECT, Outcome.ACCEPT, Outcome.REJECT, Outcome.UNPARSED)


def put(ws: Workspace) -> dict[str, str]:
    """Two questions with scores of all kinds, the first with a reference too; ids of its candidates."""
    question_id, ids = put_labelled(ws, 1, [None, None, None, None, None, "reference"])
    other, more = put_labelled(ws, 2, [None, None])
    solved = {key: [(place, 8), (8 - place, 8)] for place, key in enumerate(ids)}
    measured(ws, question_id, solved, [(1, 8), (1, 8)])
    measured(ws, other, {more[0]: [(3, 8)], more[1]: [(5, 8)]})
    put_validation(ws, dict(zip(ids, OUTCOMES, strict=False)))
    scored_outside(ws, "rm", {key: float(place % 3) for place, key in enumerate(ids)})
    return dict(zip((*GIVEN, "reference", "other", "more"), (*ids, *more), strict=True))


def judge(ws: Workspace, ids: Mapping[str, str]) -> None:
    reviewers.save(ws, REVIEWER)
    for name, form in (GIVEN | {"other": GIVEN["wrong"], "more": GIVEN["right"]}).items():
        give(ws, REVIEWER, ids[name], form)


@pytest.fixture
def judged(workspace: Workspace) -> Workspace:
    judge(workspace, put(workspace))
    return workspace


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Workspace]:
    """Another workspace with the same questions, answers and scores, in which nobody has judged."""
    opened = new_workspace(tmp_path / "elsewhere.uq.sqlite")
    put(opened)
    yield opened
    opened.close()


def read(path: Path) -> list[dict[str, str]]:
    text = path.read_bytes().decode()
    if path.suffix == ".csv":
        return list(csv.DictReader(io.StringIO(text, newline="")))
    return [json.loads(line) for line in text.split("\n") if line]


@pytest.mark.parametrize("name", ["labels.csv", "labels.jsonl", "LABELS.CSV"])
def test_a_row_an_answer_with_a_label_and_the_reference_beside_them(
    judged: Workspace, tmp_path: Path, name: str
) -> None:
    report = export_labels(judged, tmp_path / name, reviewer_id=REVIEWER.id)
    rows = read(tmp_path / name) if name.islower() else read((tmp_path / name).rename(tmp_path / "x.csv"))
    assert [tuple(row) for row in rows] == [COLUMNS] * 6
    assert [(row["problem_id"], row["label"], row["label_source"], row["model_name"]) for row in rows] == [
        ("source:1", "correct", "verdict", "m"),
        ("source:1", "correct_borderline", "verdict", "m"),
        ("source:1", "incorrect", "verdict", "m"),
        ("source:1", "correct", "reference", "reference"),
        ("source:2", "incorrect", "verdict", "m"),
        ("source:2", "correct", "verdict", "m"),
    ]
    assert (report.rows, report.labels) == (6, {"correct": 3, "correct_borderline": 1, "incorrect": 2})
    assert report.left_out == {LeftOut.UNSURE: 1, LeftOut.NOT_JUDGED: 1}


def test_masked_problems_are_held_back_and_counted(judged: Workspace, tmp_path: Path) -> None:
    report = export_labels(
        judged, tmp_path / "x.csv", reviewer_id=REVIEWER.id, without=Withheld(frozenset({"source:1"}))
    )
    assert {row["problem_id"] for row in read(tmp_path / "x.csv")} == {"source:2"}
    assert report.left_out == {LeftOut.MASKED: 5}


def test_a_label_that_its_reviewer_is_to_give_again_is_held_back_from_them(judged: Workspace, tmp_path: Path) -> None:
    first, *_ = candidates.of_question(judged, "source:1")
    again = frozenset({first.id})
    own = export_labels(
        judged, tmp_path / "x.csv", reviewer_id=REVIEWER.id, without=Withheld(frozenset(), REVIEWER.id, again)
    )
    assert (own.rows, own.left_out[LeftOut.MASKED]) == (5, 1)
    others = export_labels(
        judged, tmp_path / "y.csv", reviewer_id=REVIEWER.id, without=Withheld(frozenset(), "somebody", again)
    )
    assert others.rows == 6


def test_a_retracted_verdict_and_another_reviewers_are_not_in_it(judged: Workspace, tmp_path: Path) -> None:
    ids = {one.number: one.id for one in candidates.of_question(judged, "source:1")}
    take_back(judged, REVIEWER, ids[1])
    export_labels(judged, tmp_path / "x.csv", reviewer_id=REVIEWER.id)
    assert [row["label"] for row in read(tmp_path / "x.csv")][:2] == ["correct_borderline", "incorrect"]
    assert export_labels(judged, tmp_path / "y.csv", reviewer_id="nobody").rows == 0
    assert read(tmp_path / "y.csv") == []


def test_what_somebody_else_has_settled_keeps_its_reviewers_label(judged: Workspace, tmp_path: Path) -> None:
    export_labels(judged, tmp_path / "x.csv", reviewer_id=REVIEWER.id)
    before = (tmp_path / "x.csv").read_bytes()
    (key, *_) = [one.id for one in candidates.of_question(judged, "source:1")]
    give(judged, EVE, key, GIVEN["wrong"])
    reviewers.save(judged, BOB)
    adjudications.settle(judged, BOB, key, GIVEN["wrong"], conflicts.of_candidate(judged, "source:1", key).names)
    assert [one.label for one in evaluation.opinions(judged)[key]] == [Label.INCORRECT]
    export_labels(judged, tmp_path / "x.csv", reviewer_id=REVIEWER.id)
    assert (tmp_path / "x.csv").read_bytes() == before
    assert export_labels(judged, tmp_path / "y.csv", reviewer_id=BOB.id).rows == 0


def test_exporting_again_gives_the_same_bytes(judged: Workspace, tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        export_labels(judged, tmp_path / name, reviewer_id=REVIEWER.id)
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()


@pytest.mark.parametrize("name", ["labels.csv", "labels.jsonl"])
def test_figures_from_the_file_are_those_from_the_verdicts(
    judged: Workspace, elsewhere: Workspace, tmp_path: Path, name: str
) -> None:
    export_labels(judged, tmp_path / name, reviewer_id=REVIEWER.id)
    brought = import_file(elsewhere, tmp_path / name)
    assert (brought.format, brought.read, brought.rejected) == ("labelled candidates", 6, ())
    ours, theirs = (
        insights.read(ws, insights.Wanted(against)).report
        for ws, against in ((judged, Against.VERDICTS), (elsewhere, Against.KNOWN))
    )
    assert [(one.labelled, one.confusion) for one in ours.validators] == [
        (one.labelled, one.confusion) for one in theirs.validators
    ]
    assert all(ours.standings[one] == theirs.standings[one] for one in (Standing.CORRECT, Standing.INCORRECT))
    for borderline_correct in (True, False):
        figures = []
        for ws, against in ((judged, Against.VERDICTS), (elsewhere, Against.KNOWN)):
            labels = Labels(against, borderline_correct)
            found = selection.select(
                candidate_scores.read(ws, labels=labels), selection.Wanted(labels, Per.ORIGINAL, True)
            )
            figures.append([one.metrics for one in found.qualities])
        assert figures[0] == figures[1]
        assert [one.units for one in figures[0]] == [2, 1, 1]


def test_it_comes_in_again_with_the_same_authors(workspace: Workspace, tmp_path: Path, elsewhere: Workspace) -> None:
    question_id, _ = put_labelled(workspace, 1, [])
    origins = [
        Origin(AuthorKind.SYSTEM, system="s"),
        Origin(AuthorKind.PERSON),
        Origin(AuthorKind.PERSON, person="Ada"),
        Origin(AuthorKind.MODEL),
        Origin(AuthorKind.PERSON, person="Human"),  # is the expert in other files
    ]
    answers = ['=1+1; "a",\r\n\tb\0\u2028', "- b", "\ufeffc", " d ", "e"]
    new = [
        NewCandidate(question_id, answer, TextFormat.MARKDOWN, origin)
        for answer, origin in zip(answers, origins, strict=True)
    ]
    reviewers.save(workspace, REVIEWER)
    for key in candidates.add(workspace, new):
        give(workspace, REVIEWER, key, GIVEN["right"])
    export_labels(workspace, tmp_path / "x.csv", reviewer_id=REVIEWER.id)
    assert import_file(elsewhere, tmp_path / "x.csv").new == len(new)
    assert not any(one.reference for one in candidates.of_question(elsewhere, question_id) if one.answer.raw in answers)
    found = {one.answer.raw: one.origins[0] for one in candidates.of_question(elsewhere, question_id)}
    assert {text: (found[text].kind, found[text].system, found[text].person) for text in answers} == {
        text: (one.kind, one.system, one.person) for text, one in zip(answers, origins, strict=True)
    }
    assert len(evaluation.known_labels(elsewhere)) == len(new)


def test_what_csv_cannot_hold_is_counted_and_stands_in_json(workspace: Workspace, tmp_path: Path) -> None:
    question_id, _ = put_labelled(workspace, 1, [])
    (key,) = candidates.add(
        workspace, [NewCandidate(question_id, "\ud83d", TextFormat.MARKDOWN, Origin(AuthorKind.MODEL, model="m"))]
    )
    reviewers.save(workspace, REVIEWER)
    give(workspace, REVIEWER, key, GIVEN["right"])
    report = export_labels(workspace, tmp_path / "x.csv", reviewer_id=REVIEWER.id)
    assert (report.rows, report.left_out) == (0, {LeftOut.BROKEN_TEXT: 1})
    assert export_labels(workspace, tmp_path / "x.jsonl", reviewer_id=REVIEWER.id).rows == 1
    assert read(tmp_path / "x.jsonl")[0]["answer"] == "\ud83d"


@pytest.mark.parametrize(
    ("name", "reason"), [("labels.txt", "doesn't say how"), ("missing/labels.csv", "No such file")]
)
def test_a_name_that_says_no_format_and_a_place_that_is_not_there_are_errors(
    judged: Workspace, tmp_path: Path, name: str, reason: str
) -> None:
    with pytest.raises(ExportError, match=reason):
        export_labels(judged, tmp_path / name, reviewer_id=REVIEWER.id)
    assert list(tmp_path.glob("**/*labels*")) == []
