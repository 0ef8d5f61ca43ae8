"""Importing ExpertMath's public form."""

import codecs
import csv
import gzip
import io
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store import candidates, neighbours, questions
from store.identity import question_id_for_text
from store.ingest.csv_rows import column_name, read_csv
from store.ingest.importer import import_file
from store.ingest.question_ids import QuestionFinder
from store.ingest.report import RowError
from store.rows import ImportReport, NewCandidate, Origin, QuestionFilter
from store.workspace import Workspace
from tests.fixtures import FIXTURES
from uq_tui.errors import ImportFileError
from uq_tui.words import AuthorKind, TextFormat

HEADER = ("original question", "source", "original answer", "variant source", "variant question", "variant answer")
FIRST = ("What is 1 + 1?", "notes", "2", "notes", "What is 1 + 2?", "3")
OTHER = ("What is 2 + 2?", "notes", "4", "", "What is 2 + 3?", "5")


def written(
    path: Path, rows: Sequence[Sequence[str]], *, header: Sequence[str] = HEADER, encoding: str = "utf-8"
) -> Path:
    text = io.StringIO(newline="")
    csv.writer(text).writerows([header, *rows])
    path.write_bytes(text.getvalue().encode(encoding))
    return path


def brought(ws: Workspace, tmp_path: Path, *rows: Sequence[str]) -> ImportReport:
    return import_file(ws, written(tmp_path / "set.csv", rows))


def id_of(statement: str) -> str:
    return question_id_for_text("source", statement)


def everything(ws: Workspace) -> list[object]:
    """Every question with its neighbours and candidates, without times."""
    listed = questions.page(ws, QuestionFilter()).rows
    return [
        (
            row.id,
            questions.get(ws, row.id).extra,
            neighbours.of_question(ws, row.id),
            [(one.id, one.reference, one.origins) for one in candidates.of_question(ws, row.id)],
        )
        for row in listed
    ]


def test_a_file_brings_originals_with_their_variants_and_answers(workspace: Workspace) -> None:
    report = import_file(workspace, FIXTURES / "expertmath.csv")
    assert (report.format, report.read, report.rejected) == ("ExpertMath", 4, ())
    assert report.counts == {"questions": 3, "neighbours": 3, "candidates": 1}
    cube, sums, trees = questions.page(workspace, QuestionFilter()).rows
    assert cube.id == id_of("Let $G$ be the group of rotations of a cube.\nHow many elements does it have?")
    assert [one.answer for one in neighbours.of_question(workspace, cube.id)] == ["12", "60"]
    assert '"tetrahedron"' in neighbours.of_question(workspace, cube.id)[0].statement
    assert neighbours.of_question(workspace, sums.id)[0].source == "Own notes"
    assert neighbours.of_question(workspace, trees.id) == ()
    extras = [questions.get(workspace, row.id).extra for row in (cube, trees)]
    assert extras == [
        {"source": "Own notes, 1", "original_answer": "24"},
        {"source": "Own notes, 1", "original_answer": "$5^3 = 125$"},
    ]
    assert questions.get(workspace, sums.id).link == "https://example.org/sums"
    assert any("3 original answers kept" in note for note in report.notes)


def test_a_whole_solution_is_a_reference_by_a_person(workspace: Workspace) -> None:
    import_file(workspace, FIXTURES / "expertmath.csv")
    cube, sums, _ = questions.page(workspace, QuestionFilter()).rows
    (solution,) = candidates.of_question(workspace, sums.id)
    assert (solution.reference, solution.origins[0].kind) == (True, AuthorKind.PERSON)
    assert solution.answer.raw == questions.get(workspace, sums.id).extra["original_answer"]
    assert candidates.of_question(workspace, cube.id) == ()


def test_importing_again_changes_nothing(workspace: Workspace) -> None:
    first = import_file(workspace, FIXTURES / "expertmath.csv")
    held = everything(workspace)
    again = import_file(workspace, FIXTURES / "expertmath.csv")
    assert (first.new, again.new, again.changed, again.same) == (7, 0, 0, 7)
    assert everything(workspace) == held


@pytest.mark.parametrize(
    "header",
    [
        [name.upper() for name in HEADER],
        [f" {name} " for name in HEADER],
        [f"[{name}]" for name in HEADER],
        [f"{name} (LaTeX)" for name in HEADER],
        [name.replace(" ", "_") for name in HEADER],
        [name.replace(" ", "\n") for name in HEADER],
        [name.replace(" ", "-").title() for name in HEADER],
    ],
)
def test_columns_may_be_called_so(workspace: Workspace, tmp_path: Path, header: list[str]) -> None:
    report = import_file(workspace, written(tmp_path / "x", [FIRST], header=header))
    assert (report.format, report.new) == ("ExpertMath", 2)


def test_columns_may_come_in_any_order_and_some_be_missing_or_strange(workspace: Workspace, tmp_path: Path) -> None:
    header = ("Level", "variant answer", "original question", "variant question", "")
    report = import_file(workspace, written(tmp_path / "x", [("hard", "3", FIRST[0], FIRST[4], "")], header=header))
    assert (report.new, report.rejected) == (2, ())
    assert report.notes == ("1 original without an answer", "not looked at: level")
    (neighbour,) = neighbours.of_question(workspace, id_of(FIRST[0]))
    assert (neighbour.answer, neighbour.source) == ("3", "x")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le"])
def test_encodings_are_told_by_their_mark(workspace: Workspace, tmp_path: Path, encoding: str) -> None:
    row = ("Ist “$ß$” groß?\u2028Oder\u0085nicht?", *FIRST[1:])
    path = written(tmp_path / "x", [row], encoding=encoding)
    if encoding == "utf-16-le":
        path.write_bytes(codecs.BOM_UTF16_LE + path.read_bytes())
    assert import_file(workspace, path).new == 2
    assert questions.get(workspace, id_of(row[0])).body.raw == row[0]


def test_gzip_semicolons_and_old_line_ends(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(gzip.compress("\r".join(";".join(row) for row in (HEADER, FIRST, OTHER)).encode()))
    assert import_file(workspace, path).counts == {"questions": 2, "neighbours": 2}


def test_long_cells_and_latex_are_kept_as_they_came(workspace: Workspace, tmp_path: Path) -> None:
    proof = 'So $a \\\\ b$, \\begin{align}\r\nx &= "1" \\\\\ny &= 2,\n\\end{align}\0\t\'' * 3_000
    assert len(proof) > 128 * 1024
    report = brought(workspace, tmp_path, (FIRST[0], "", proof, "", "", ""))
    assert (report.new, report.counts) == (2, {"questions": 1, "candidates": 1})
    (solution,) = candidates.of_question(workspace, id_of(FIRST[0]))
    assert solution.answer.raw == proof


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (("", *FIRST[1:]), "no `original question`"),
        ((*FIRST[:5], " "), "no `variant answer`"),
        ((*FIRST[:4], "", "3"), "a `variant answer` without a `variant question`"),
        ((*FIRST[:2], "3", *FIRST[3:]), "its `original answer` is not that of line 2, where the same original"),
        ((FIRST[0], "elsewhere", *FIRST[2:]), "its `source` is not that of line 2"),
        ((*FIRST[:5], "4"), "its `variant answer` is not that of line 2"),
        (("x",), "1 fields, where the first line has 6"),
    ],
)
def test_rows_that_lack_something_or_contradict_say_so(
    workspace: Workspace, tmp_path: Path, row: Sequence[str], reason: str
) -> None:
    report = brought(workspace, tmp_path, FIRST, row, OTHER)
    assert report.counts == {"questions": 2, "neighbours": 2}
    assert [(one.line, one.reason[: len(reason)]) for one in report.rejected] == [(3, reason)]
    assert report.read == 3


def test_lines_are_those_of_the_file_where_cells_hold_newlines(workspace: Workspace, tmp_path: Path) -> None:
    report = brought(workspace, tmp_path, ("a\nb\r\nc", *FIRST[1:]), ("", *FIRST[1:]))
    assert [one.line for one in report.rejected] == [5]


def test_a_row_of_another_encoding_and_broken_quotes_leave_the_others(workspace: Workspace, tmp_path: Path) -> None:
    path = written(tmp_path / "x", [FIRST, ("é", *FIRST[1:]), OTHER])
    path.write_bytes(path.read_bytes().replace("é".encode(), b"\xe9") + b'"a"b,c,d,e,f,g\r\n')
    report = import_file(workspace, path)
    assert [(one.line, one.reason.partition(":")[0]) for one in report.rejected] == [
        (3, "the row is not UTF-8 text"),
        (5, "the line is no CSV"),
    ]
    assert report.counts == {"questions": 2, "neighbours": 2}


def test_an_answer_that_a_model_gave_too_is_no_reference(workspace: Workspace, tmp_path: Path) -> None:
    solution = "It is so.\n\nHence 2."
    brought(workspace, tmp_path, FIRST)
    origin = Origin(AuthorKind.MODEL, model="m")
    candidates.add(workspace, [NewCandidate(id_of(FIRST[0]), solution, TextFormat.MARKDOWN, origin)])
    report = brought(workspace, tmp_path, (*FIRST[:2], solution, *FIRST[3:]))
    assert any(candidates.LIKE_ANSWER in note for note in report.notes)
    assert not any(one.reference for one in candidates.of_question(workspace, id_of(FIRST[0])))


def test_originals_are_found_by_their_source_and_place(workspace: Workspace, tmp_path: Path) -> None:
    brought(workspace, tmp_path, FIRST, (*FIRST[:4], "What is 1 + 3?", "4"), ("", "", "", "", "", ""), OTHER)
    finder = QuestionFinder(workspace)
    assert finder.find("#1") == finder.find("set#1") == finder.find(id_of(FIRST[0])) == id_of(FIRST[0])
    assert finder.find("#2") == finder.find("set#2") == id_of(OTHER[0])
    with pytest.raises(RowError, match="several questions have the id notes"):
        finder.find("notes")
    third = written(tmp_path / "more.v2.csv", [("What is 3?", "alone", "3", "", "", "")])
    import_file(workspace, third)
    finder = QuestionFinder(workspace)
    assert finder.find("more#1") == finder.find("alone") == id_of("What is 3?")
    with pytest.raises(RowError, match="several questions have the id #1"):
        finder.find("#1")


def test_a_rejected_row_keeps_its_place_when_it_is_mended(workspace: Workspace, tmp_path: Path) -> None:
    brought(workspace, tmp_path, (*FIRST[:5], ""), OTHER)
    assert QuestionFinder(workspace).find("#2") == id_of(OTHER[0])
    brought(workspace, tmp_path, FIRST, OTHER)
    finder = QuestionFinder(workspace)
    assert [finder.find("#1"), finder.find("#2")] == [id_of(FIRST[0]), id_of(OTHER[0])]


def test_json_rows_of_the_same_form(workspace: Workspace, tmp_path: Path) -> None:
    row = dict(zip(HEADER, FIRST, strict=True)) | {"original answer": 2, "variant answer": 1024.0}
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps(row) + "\n" + json.dumps(row | {"Variant_Answer": 1}) + "\n", encoding="utf-8")
    report = import_file(workspace, path)
    assert (report.format, report.new) == ("ExpertMath", 2)
    assert [one.reason for one in report.rejected] == ["two keys that are called `variant_answer`"]
    assert neighbours.of_question(workspace, id_of(FIRST[0]))[0].answer == "1024"


def test_a_column_that_stands_twice_is_refused(workspace: Workspace, tmp_path: Path) -> None:
    path = written(tmp_path / "x", [(*FIRST, "2")], header=(*HEADER, "Original Answer [2]"))
    with pytest.raises(ImportFileError, match="two columns that are called 'original_answer'"):
        import_file(workspace, path)


CELLS = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=20), min_size=3, max_size=3)


@given(
    st.lists(CELLS, max_size=6), st.sampled_from([",", ";", "\t"]), st.sampled_from(["utf-8", "utf-8-sig", "utf-16"])
)
def test_what_is_written_as_csv_is_read_so(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]], delimiter: str, encoding: str
) -> None:
    header = ["a b", "c", "d [x]"]
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter, quoting=csv.QUOTE_ALL).writerows([header, *rows])
    path = tmp_path_factory.getbasetemp() / "any.csv"
    path.write_bytes(text.getvalue().encode(encoding))
    found = [list(row.value.values()) for row in read_csv(path, ("a_b", "d"))]
    assert found == [row for row in rows if any(cell.strip() for cell in row)]


@given(st.binary(max_size=300))
def test_any_bytes_behind_a_header_are_read_or_refused_with_a_line(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.csv"
    path.write_bytes(b"a,b\n" + data)
    for row in read_csv(path, ("a", "b")):
        assert row.line >= 2
        assert bool(row.problem) != bool(row.value)


@given(st.text())
def test_a_column_name_is_the_same_when_taken_again(name: str) -> None:
    assert column_name(column_name(name)) == column_name(name)
