"""Graded work as it was published: what each file's SOURCE.txt says of it, and a row of each by hand."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import func, select
from sqlmodel import col

from store import candidate_extras, candidates, questions
from store.ingest.expertmath import ORIGINAL_ANSWER
from store.ingest.importer import import_file
from store.rows import Candidate, ImportReport, QuestionFilter, QuestionRow
from store.tables import KnownLabelTable
from store.workspace import Workspace
from tests.shared import shared_file
from tests.store.ingest.graded_stock import brought_twice, label_of, score_of
from uq_tui.words import AuthorKind, Label

pytestmark = pytest.mark.shared

CORPUS = "data/open-proof-corpus"
RATED = "data/deepseek-math-v2-human-rated-proofs"
BENCH = "data/imo-bench"
THEOREMS = "data/theoremqa"
MARKED = "data/realmath-eval-human-vs-llm-grading"
HARD = f"{MARKED}/realmath_eval_gemini3pro_hard_cases_ge2_meta_eval"


@dataclass(frozen=True)
class Expected:
    """What importing a file into an empty workspace is to bring."""

    name: str
    read: int
    counts: dict[str, int]
    correct: int = 0
    incorrect: int = 0
    marks: float = 0.0
    """All marks together, as they stand beside labels."""
    full: tuple[float, ...] = ()
    """Full marks that occur."""


EXPECTED = (
    Expected(f"{CORPUS}/raw_sample.json", 110, {"questions": 110, "candidates": 102}),
    Expected(f"{RATED}/CMO2024.jsonl", 6, {"questions": 6, "candidates": 6, "scores": 6}, 4, 2, 93, (21,)),
    Expected(
        f"{RATED}/IMO-ProofBench-Advanced.jsonl",
        30,
        {"questions": 30, "candidates": 60, "scores": 30},
        17,
        13,
        130,
        (7,),
    ),
    Expected(
        f"{RATED}/IMO-ProofBench-Basic.jsonl", 30, {"questions": 30, "candidates": 60, "scores": 30}, 28, 2, 208, (7,)
    ),
    Expected(f"{RATED}/IMO2025.jsonl", 6, {"questions": 6, "candidates": 6, "scores": 6}, 5, 1, 35, (7,)),
    Expected(f"{RATED}/Putnam2024.jsonl", 12, {"questions": 12, "candidates": 12, "scores": 12}, 11, 1, 118, (10,)),
    Expected(f"{BENCH}/proofbench_v2.csv", 60, {"questions": 60, "candidates": 60}),
    Expected(f"{THEOREMS}/theoremqa_test.json", 800, {"questions": 800}),
    Expected(f"{THEOREMS}/GPT4_errors.json", 140, {"questions": 140, "candidates": 140}, 0, 140),
    Expected(
        f"{MARKED}/realmath_eval.json",
        224,
        {"questions": 14, "candidates": 238},
        22,
        202,
        1_782,
        (10, 13, 14, 15, 17),
    ),
    Expected(
        f"{MARKED}/realmath_eval_llm_answer.json",
        224,
        {"questions": 14, "candidates": 238},
        44,
        180,
        1_371,
        (10, 13, 14, 15, 17),
    ),
    Expected(
        f"{HARD}_input_64.json",
        76,
        {"questions": 14, "candidates": 90, "scores": 76},
        0,
        67,
        517,
        (10, 13, 14, 15, 17),
    ),
)


@pytest.mark.parametrize("expected", EXPECTED, ids=lambda one: Path(one.name).name)
def test_a_file_brings_what_its_source_says(workspace: Workspace, expected: Expected) -> None:
    report = brought_twice(workspace, shared_file(expected.name))
    hold_against(workspace, report, expected)
    assert report.new == sum(expected.counts.values())


def hold_against(workspace: Workspace, report: ImportReport, expected: Expected) -> None:
    assert (report.read, report.counts, report.rejected) == (expected.read, expected.counts, ())
    table = KnownLabelTable
    with workspace.read() as db:
        labels = {row[0]: row[1] for row in db.execute(select(col(table.label), func.count()).group_by(table.label))}
        marks = db.execute(select(func.total(col(table.marks)))).scalar_one()
        full = db.execute(select(col(table.full_marks)).distinct().order_by(col(table.full_marks))).scalars().all()
    assert (labels.get("correct", 0), labels.get("incorrect", 0)) == (expected.correct, expected.incorrect)
    assert (marks, tuple(one for one in full if one is not None)) == (expected.marks, expected.full)
    assert {questions.get(workspace, row.id).licence for row in listed(workspace)} == {""}


def listed(ws: Workspace) -> tuple[QuestionRow, ...]:
    return questions.page(ws, QuestionFilter(), limit=1_000).rows


def answers_to(ws: Workspace, question_id: str) -> tuple[Candidate, ...]:
    return candidates.of_question(ws, question_id)


def brought(ws: Workspace, name: str) -> ImportReport:
    return import_file(ws, shared_file(name))


def test_files_of_the_corpus_meet_and_none_takes_back_what_another_said(workspace: Workspace) -> None:
    names = ("test.parquet", "raw_sample.json", "solved/USAMO_2000_4.json", "website_sample/USAMO_2000_4.json")
    proofs = Expected(names[0], 434, {"questions": 98, "candidates": 519}, 161, 273)
    report = brought(workspace, f"{CORPUS}/{names[0]}")
    hold_against(workspace, report, proofs)
    new = [report.new, *(brought(workspace, f"{CORPUS}/{name}").new for name in names[1:])]
    again = [brought(workspace, f"{CORPUS}/{name}") for name in names]
    assert new == [617, 183, 0, 0]
    assert [(one.new, one.changed) for one in again] == [(0, 0)] * 4
    first = questions.get(workspace, "source:9d136b9003b1e8fc")
    assert (len(first.body.raw), first.category, first.extra["metadata"]["year"]) == (483, "Number Theory", 2015)
    solution, proof, *_ = answers_to(workspace, first.row.id)
    assert (solution.reference, solution.answer.sha256[:12], len(solution.answer.raw)) == (True, "222db14be96f", 10_187)
    assert (proof.origins[0].model, proof.answer.sha256[:12]) == ("gemini/gemini-pro-2.5", "72958657ddcd")
    assert (label_of(workspace, proof).label, label_of(workspace, proof).marks) == (Label.INCORRECT, None)
    issues = candidate_extras.of_candidate(workspace, proof.id)["test.parquet"]["llm_judgment"]["result"]["issues"]
    assert (len(issues), issues[0]["start_index"], issues[0]["end_index"]) == (4, 4126, 4297)


def test_problems_of_the_corpus_with_attempts_and_without_grades(workspace: Workspace) -> None:
    folder = shared_file(f"{CORPUS}/solved")
    reports = [import_file(workspace, path) for path in sorted(folder.glob("*.json"))]
    assert len(reports) == 40
    assert {(one.format, one.read, one.rejected, one.counts["candidates"]) for one in reports} == {
        ("Open Proof Corpus", 5, (), 6)
    }
    again = [import_file(workspace, path) for path in sorted(folder.glob("*.json"))]
    assert {(one.new, one.changed, one.same) for one in again} == {(0, 0, 7)}
    solution, first, *_ = answers_to(workspace, "source:c3bbe80b271aa722")
    assert (solution.reference, first.origins[0].model) == (True, "qwen/qwen3_235b_a22b")
    assert candidates.known_label(workspace, first.id) is None


def test_a_rated_proof(workspace: Workspace) -> None:
    brought(workspace, f"{RATED}/CMO2024.jsonl")
    (proof,) = answers_to(workspace, "source:e82871cc5ff81aa2")
    assert (len(proof.answer.raw), proof.answer.sha256[:12]) == (10_629, "71bc9ffaa480")
    assert label_of(workspace, proof).marks_text == "21 of 21"
    assert score_of(workspace, proof) == ("average_automatic_rating", 1.0)
    assert proof.origins[0].kind is AuthorKind.MODEL


def test_problems_of_imo_bench(workspace: Workspace) -> None:
    brought(workspace, f"{BENCH}/proofbench_v2.csv")
    first = questions.get(workspace, "source:fbab67024d1e53fa")
    assert first.category == "Algebra"
    assert (first.extra["level"], first.extra["source"]) == ("IMO-easy", "(Modified) IMO 2019, P1")
    assert first.extra["grading_scheme"].startswith("(Partial)\n 1. ")
    (solution,) = answers_to(workspace, first.row.id)
    assert (solution.reference, solution.answer.sha256[:12]) == (True, "e6d7c469d9bd")


def test_a_broken_row_of_imo_bench_is_told_and_the_others_are_kept(workspace: Workspace) -> None:
    report = brought_twice(workspace, shared_file(f"{BENCH}/answerbench_v2.csv"))
    assert (report.read, report.counts) == (400, {"questions": 399})
    assert [(one.line, one.reason.partition(":")[0]) for one in report.rejected] == [(150, "the line is no CSV")]
    first = questions.get(workspace, "source:71e6b67984b89595")
    assert (first.extra[ORIGINAL_ANSWER], first.row.tags) == ("3", ("Algebra", "Operation"))


def test_questions_of_theoremqa_and_wrong_answers_to_them(workspace: Workspace) -> None:
    brought(workspace, f"{THEOREMS}/theoremqa_test.json")
    report = brought_twice(workspace, shared_file(f"{THEOREMS}/GPT4_errors.json"))
    assert report.counts == {"candidates": 140, "questions": 1}
    assert report.notes == ("no question here has its id, so one is made of its own words: line 358",)
    lah = questions.get(workspace, "source:628be8474780ac23")
    assert (lah.extra[ORIGINAL_ANSWER], lah.extra["Answer_type"]) == ("11760", "integer")
    (wrong,) = answers_to(workspace, "source:419aeef25e6c1374")
    assert (wrong.origins[0].model, label_of(workspace, wrong).flaw) == ("GPT4", "error type (1)")
    assert wrong.answer.sha256[:12] == "544151154814"


def test_marked_solutions_and_what_is_said_of_them_elsewhere(workspace: Workspace) -> None:
    brought(workspace, f"{MARKED}/realmath_eval.json")
    solutions = answers_to(workspace, "source:dbcf7eb1c419b2fd")
    student = next(one for one in solutions if one.origins[0].person == "12f8cbc2f5b74035ad71e1be4f75437e")
    assert (len(student.answer.raw), student.answer.sha256[:12]) == (428, "d2eed4f30074")
    assert label_of(workspace, student).marks_text == "3 of 10"
    hard = brought(workspace, f"{HARD}_input_64.json")
    over, beside, differing = hard.notes
    assert over == (
        "no label is taken from marks that can't be: line 86 (6 of 1), line 113 (3 of 1), line 280 (8 of 1),"
        " line 362 (8 of 1), line 1292 (11 of 8), line 1482 (11 of 8)"
    )
    assert beside == (
        "no label is taken from marks where another solution of the problem has more than full marks:"
        " line 1184, line 1211, line 1265"
    )
    assert differing.startswith("another file gave other labels before, and these stand: line 2, line 307")
    labels = brought_twice(workspace, shared_file(f"{HARD}_labels_64.json"))
    segments = brought_twice(workspace, shared_file(f"{MARKED}/human_error_segments.jsonl"))
    assert [(one.read, one.new, one.rejected) for one in (labels, segments)] == [(64, 64, ()), (278, 278, ())]
    said = candidate_extras.of_candidate(workspace, student.id)
    assert said["realmath_eval.json"]["sub_question_scores"] == {"3-17.(1)": 3, "3-17.(2)": 0}


def test_solutions_by_models_and_marks_that_do_not_add_up(workspace: Workspace) -> None:
    report = brought(workspace, f"{MARKED}/realmath_eval_llm_answer.json")
    assert report.notes == (
        "marks that are not the sum of their parts: line 4089 (8, and the parts make 7),"
        " line 4754 (12, and the parts make 14), line 5559 (6, and the parts make 5)",
    )
    _, first, *_ = answers_to(workspace, "source:1b56e88c6c503919")
    assert (first.origins[0].kind, first.origins[0].model) == (AuthorKind.MODEL, "deepseek-v2-lite-chat")
    assert label_of(workspace, first).marks_text == "0 of 13"
