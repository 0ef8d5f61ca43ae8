"""Forms of graded work, with files of our own."""

import json
from pathlib import Path

import duckdb
import pytest

from store import candidate_extras, candidates, questions
from store.ingest.expertmath import ORIGINAL_ANSWER
from store.ingest.question_ids import QuestionFinder
from store.rows import KnownLabel, QuestionFilter
from store.workspace import Workspace
from tests.store.ingest.graded_stock import GRADED, brought_twice, label_of, of_statement, score_of
from uq_tui.errors import ImportFileError
from uq_tui.words import AuthorKind, Label, TextFormat

EVEN = "Show that $n^2 + n$ is even for every integer $n$."


def parquet(folder: Path) -> Path:
    """The corpus's proofs as its Parquet files have them."""
    path = folder / "proofs.parquet"
    with duckdb.connect() as db:
        db.execute(f"COPY (SELECT * FROM read_json('{GRADED / 'corpus-proofs.jsonl'}')) TO '{path}' (FORMAT parquet)")
    return path


@pytest.mark.parametrize("as_parquet", [False, True])
def test_proofs_of_the_corpus_bring_verdicts(workspace: Workspace, tmp_path: Path, as_parquet: bool) -> None:
    path = parquet(tmp_path) if as_parquet else GRADED / "corpus-proofs.jsonl"
    report = brought_twice(workspace, path)
    assert (report.format, report.read, report.rejected, report.notes) == ("Open Proof Corpus", 3, (), ())
    question, (solution, proof, flawed) = of_statement(workspace, EVEN)
    assert (question.category, question.row.tags, question.licence) == ("Number Theory", ("Number Theory",), "")
    assert question.extra["grading_scheme"][0]["title"] == "Correctness"
    assert question.extra["judge_prompt"] == "Judge this proof."
    assert (solution.reference, solution.origins[0].kind, solution.origins[0].person) == (True, AuthorKind.PERSON, "")
    assert label_of(workspace, proof) == KnownLabel(Label.CORRECT, "", path.name)
    assert label_of(workspace, flawed).flaw == "Examples are no proof.; No case is proved."
    assert [one.origins[0].model for one in (proof, flawed)] == ["lab/model-a", "lab/model-b"]
    said = candidate_extras.of_candidate(workspace, flawed.id)[path.name]
    assert said["llm_judgment"]["result"]["issues"][0]["start_index"] == 3
    assert said["annotations"][0]["original_text_indices"] == [4, 15]
    assert said["problem"] == {"last_update": "2026-01-04"}
    assert QuestionFinder(workspace).find("cup_1") == question.row.id


def test_a_problem_of_the_corpus_brings_attempts_without_labels(workspace: Workspace) -> None:
    report = brought_twice(workspace, GRADED / "corpus-problem.json")
    assert (report.format, report.read, report.counts) == ("Open Proof Corpus", 3, {"questions": 1, "candidates": 3})
    assert [(one.line, one.reason) for one in report.rejected] == [(1, "attempt 3: no `solution`")]
    _, (solution, _, attempt) = of_statement(workspace, EVEN)
    assert (attempt.reasoning, attempt.origins[0].model) == ("Two cases, then.", "lab/model-c")
    assert candidates.known_label(workspace, attempt.id) is None
    assert candidate_extras.of_candidate(workspace, attempt.id)["corpus-problem.json"]["cost"] == {"cost": 0.1}
    assert solution.reference


def test_files_of_the_corpus_meet_in_one_question(workspace: Workspace, tmp_path: Path) -> None:
    brought_twice(workspace, parquet(tmp_path))
    before = of_statement(workspace, EVEN)[0].extra
    report = brought_twice(workspace, GRADED / "corpus-problem.json")
    question, found = of_statement(workspace, EVEN)
    assert (report.new, len(found)) == (1, 4)
    assert question.extra == before
    assert label_of(workspace, found[1]).label is Label.CORRECT


def test_problems_of_the_corpus_have_solutions_and_short_answers(workspace: Workspace) -> None:
    report = brought_twice(workspace, GRADED / "corpus-problems.json")
    assert (report.read, report.counts) == (2, {"questions": 2, "candidates": 1})
    primes, none = of_statement(workspace, "How many even primes are there?")
    assert (primes.extra[ORIGINAL_ANSWER], none) == ("1", ())
    seven, (solution,) = of_statement(workspace, "Show that 7 is prime.")
    assert (seven.category, seven.row.tags, solution.origins[0].person) == ("", (), "Ada L.")


def test_rated_proofs_are_correct_by_full_marks_of_their_contest(workspace: Workspace) -> None:
    report = brought_twice(workspace, GRADED / "rated-proofs.jsonl")
    assert (report.read, report.rejected) == (5, ())
    assert report.counts == {"questions": 5, "candidates": 6, "scores": 4}
    assert report.notes == (
        "no label is taken from marks that can't be: line 3 (11 of 10)",
        "no label is taken from marks of which it isn't known how many there are: line 4 (3)",
    )
    square, (solution, proof) = of_statement(workspace, "Show that $x^2 \\ge 0$ for real $x$.")
    assert (square.category, square.extra["level"]) == ("Algebra", "pre-IMO")
    assert square.extra["grading_scheme"] == "(Partial)\n1. One sign only."
    assert solution.reference
    assert label_of(workspace, proof) == KnownLabel(Label.CORRECT, "", "rated-proofs.jsonl", 7, 7)
    assert score_of(workspace, proof) == ("average_automatic_rating", 1.0)
    _, (partly,) = of_statement(workspace, "Show that 2 divides 4.")
    assert (label_of(workspace, partly).label, label_of(workspace, partly).marks_text) == (Label.INCORRECT, "9 of 21")
    assert partly.origins[0].kind is AuthorKind.MODEL
    _, (over,) = of_statement(workspace, "Show that 3 divides 9.")
    assert candidates.known_label(workspace, over.id) is None
    assert candidate_extras.of_candidate(workspace, over.id)["rated-proofs.jsonl"]["human_rating"] == 11


def test_both_tables_of_imo_bench(workspace: Workspace) -> None:
    proofs = brought_twice(workspace, GRADED / "proofbench.csv")
    assert (proofs.format, proofs.read, proofs.counts) == ("IMO-Bench", 2, {"questions": 2, "candidates": 2})
    sum_, (solution,) = of_statement(workspace, "Find $1 + 1$.")
    assert sum_.extra == {
        ORIGINAL_ANSWER: "$2$",
        "grading_scheme": "(Almost) Wrote 3.",
        "level": "pre-IMO",
        "source": "Own",
    }
    assert (solution.reference, solution.answer.raw) == (True, "Count on from 1.\n")
    answers = brought_twice(workspace, GRADED / "answerbench.csv")
    assert (answers.format, answers.read, answers.counts) == ("IMO-Bench", 4, {"questions": 2})
    assert [(one.line, one.reason.partition(":")[0]) for one in answers.rejected] == [
        (5, "the line is no CSV"),
        (9, "5 fields, where the first line has 6"),
    ]
    product, _ = of_statement(workspace, "What is $2 \\cdot 3$?")
    assert (product.extra[ORIGINAL_ANSWER], product.row.tags) == ("$6$", ("Algebra", "Products"))


def test_rated_proofs_and_imo_bench_meet(workspace: Workspace) -> None:
    brought_twice(workspace, GRADED / "rated-proofs.jsonl")
    brought_twice(workspace, GRADED / "proofbench.csv")
    _, found = of_statement(workspace, "Show that $x^2 \\ge 0$ for real $x$.")
    assert [(one.reference, len(one.origins)) for one in found] == [(True, 2), (False, 1)]


def test_solutions_with_marks_by_students_and_models(workspace: Workspace) -> None:
    report = brought_twice(workspace, GRADED / "marked.json")
    assert (report.format, report.read, report.rejected) == ("RealMath-Eval", 4, ())
    assert [note.partition(": line")[0] for note in report.notes] == [
        "marks that are not the sum of their parts",
        "no label is taken from marks that can't be",
    ]
    assert "(6 of 1)" in report.notes[1]
    assert "(2, and the parts make 1)" in report.notes[0]
    question, (solution, full, part, model, over) = of_statement(
        workspace, "(1) Solve $x + 1 = 2$. (2) Solve $2x = 4$."
    )
    assert (question.extra["question_type"], solution.reference) == ("equations", True)
    assert [label_of(workspace, one).marks_text for one in (full, part, model)] == ["5 of 5", "3 of 5", "2 of 5"]
    assert candidates.known_label(workspace, over.id) is None
    assert score_of(workspace, over) == ("model_score", 8.0)
    kinds = [(one.origins[0].kind, one.origins[0].name) for one in (full, model, over)]
    assert kinds == [(AuthorKind.PERSON, "a" * 32), (AuthorKind.MODEL, "mini-1b-chat"), (AuthorKind.PERSON, "person")]
    said = candidate_extras.of_candidate(workspace, over.id)["marked.json"]
    assert (said["gt"], said["full_score"], said["sample_id"], said["tag"]) == (6, 1, 4, ["a", "b"])


def test_full_marks_that_one_solution_exceeds_are_none_for_the_others(workspace: Workspace, tmp_path: Path) -> None:
    row = json.loads((GRADED / "marked.json").read_text())[0]
    given = [("a", 1, 1), ("b", 6, 1), ("c", 1, 5), ("d", 0, "1"), ("e", 1, 1)]
    rows = [
        {**row, "student_response": text, "gt": marks, "full_score": full, "sub_question_scores": {}}
        for text, marks, full in given
    ]
    path = tmp_path / "marked.jsonl"
    path.write_text("\n".join(json.dumps(one) for one in (*rows, {**rows[0], "problem_statement": "Another."})))
    report = brought_twice(workspace, path)
    assert (report.read, [one.line for one in report.rejected]) == (6, [4])
    assert report.notes[0].endswith("has more than full marks: line 1, line 5")
    _, (_, *found) = of_statement(workspace, row["problem_statement"])
    labels = [candidates.known_label(workspace, one.id) for one in found]
    assert [one and one.marks_text for one in labels] == [None, None, "1 of 5", None]
    assert label_of(workspace, of_statement(workspace, "Another.")[1][1]).label is Label.CORRECT


def test_what_is_said_elsewhere_of_solutions_is_kept_beside_them(workspace: Workspace) -> None:
    brought_twice(workspace, GRADED / "marked.json")
    _, (_, full, part, *_) = of_statement(workspace, "(1) Solve $x + 1 = 2$. (2) Solve $2x = 4$.")
    results = brought_twice(workspace, GRADED / "judge-errors.json")
    assert (results.read, results.new, len(results.rejected)) == (2, 1, 1)
    assert "no solution of 9-01 by nobody" in results.rejected[0].reason
    segments = brought_twice(workspace, GRADED / "segments.jsonl")
    assert (segments.read, segments.counts) == (3, {"details": 3})
    kept = candidate_extras.of_candidate(workspace, full.id)
    assert list(kept) == ["judge-errors.json:1", "marked.json", "segments.jsonl:1", "segments.jsonl:2"]
    assert kept["judge-errors.json:1"]["primary_category_code"] == "C"
    assert candidate_extras.of_candidate(workspace, part.id)["segments.jsonl:3"]["real_score"] == 0


def test_details_without_their_solutions_are_all_rejected(workspace: Workspace) -> None:
    report = brought_twice(workspace, GRADED / "segments.jsonl")
    assert (report.read, report.new, report.rejected_total) == (3, 0, 3)
    assert "import the solutions first" in report.rejected[0].reason


def test_typed_answers_are_kept_as_text_and_pictures_tell_questions_apart(workspace: Workspace) -> None:
    report = brought_twice(workspace, GRADED / "theorems.json")
    assert (report.format, report.read, report.counts) == ("TheoremQA", 6, {"questions": 6})
    listed = [questions.get(workspace, row.id) for row in questions.page(workspace, QuestionFilter()).rows]
    assert [one.extra[ORIGINAL_ANSWER] for one in listed] == ["4", "0.25", "12", "True", "[0, 5]", "(b)"]
    assert [one.body.raw for one in listed[1:3]] == [
        "What is the area?\n\n![Picture](images/one.png)",
        "What is the area?\n\nPicture: images/two (2).png",
    ]
    assert (listed[0].category, listed[0].row.tags) == ("Math", ("Math", "Counting", "own law"))
    assert (listed[0].extra["Answer_type"], listed[0].body.format) == ("integer", TextFormat.MARKDOWN)


def test_wrong_answers_go_to_the_question_with_their_id_or_bring_it(workspace: Workspace) -> None:
    brought_twice(workspace, GRADED / "theorems.json")
    report = brought_twice(workspace, GRADED / "theorem-errors.json")
    assert (report.counts, len(report.notes)) == ({"questions": 1, "candidates": 2}, 1)
    _, (wrong,) = of_statement(workspace, "How many sides has a square?")
    assert label_of(workspace, wrong) == KnownLabel(Label.INCORRECT, "error type (1)", "theorem-errors.json")
    assert wrong.origins[0].model == "Model X"
    nine, (_,) = of_statement(workspace, "Is 9 prime?")
    assert nine.extra[ORIGINAL_ANSWER] == "False"


def test_a_damaged_document_is_an_error_that_says_so(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "problem.json"
    path.write_text((GRADED / "corpus-problem.json").read_text()[:-30])
    with pytest.raises(ImportFileError, match="not JSON"):
        brought_twice(workspace, path)
