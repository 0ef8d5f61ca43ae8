"""Importing scores of outside scorers."""

import gzip
import json
from itertools import pairwise
from pathlib import Path

import pytest

from store import candidates, external_scores
from store.identity import candidate_id
from store.ingest.importer import import_file
from store.rows import ImportReport
from store.workspace import Workspace
from tests.store.stock import QUESTION, candidate, take
from uq_tui.errors import ImportFileError

YES, NO = (candidate_id(QUESTION.id, answer) for answer in ("Yes, since 2 is.", "No."))


@pytest.fixture
def stocked(workspace: Workspace) -> Workspace:
    take(workspace, QUESTION)
    candidates.add(workspace, [candidate("Yes, since 2 is."), candidate("No.")])
    return workspace


def brought(ws: Workspace, path: Path, text: str) -> ImportReport:
    path.write_text(text, encoding="utf-8")
    return import_file(ws, path)


def rows(ws: Workspace, tmp_path: Path, *given: object) -> ImportReport:
    return brought(ws, tmp_path / "scores.jsonl", "".join(f"{json.dumps(row)}\n" for row in given))


def values(ws: Workspace) -> dict[tuple[str, str], float]:
    return {(one.scorer, one.candidate_id): one.value for one in external_scores.every(ws)}


def test_rows_name_candidates_by_id_prefix_or_answer(stocked: Workspace, tmp_path: Path) -> None:
    report = rows(
        stocked,
        tmp_path,
        {"candidate_id": YES, "scorer": "rm", "value": 3},
        {"candidate_id": NO[:6].upper(), "scorer": "rm", "value": -1.5},
        {"question_id": QUESTION.id, "answer": "No.", "scorer": "genrm", "value": 0.25, "model": "x"},
    )
    assert (report.format, report.read, report.new, report.counts) == ("scores", 3, 3, {"scores": 3})
    assert values(stocked) == {("rm", YES): 3.0, ("rm", NO): -1.5, ("genrm", NO): 0.25}
    assert {one.source for one in external_scores.every(stocked)} == {"scores.jsonl"}


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_csv_is_told_by_its_first_line(stocked: Workspace, tmp_path: Path, mark: str) -> None:
    lines = [
        ["Value", "question_id", "answer", "scorer"],
        ["1e-1", QUESTION.id, '"Yes, since 2 is."', "rm"],
        [],
        [" 7 ", QUESTION.id, "No.", '"a ""rm"""'],
    ]
    report = brought(stocked, tmp_path / "any.txt", "\ufeff" + "\r\n".join(mark.join(line) for line in lines))
    assert (report.read, report.new, report.rejected) == (2, 2, ())
    assert values(stocked) == {("rm", YES): 0.1, ('a "rm"', NO): 7.0}


def test_importing_again_changes_nothing_and_a_newer_value_stands(stocked: Workspace, tmp_path: Path) -> None:
    row = {"candidate_id": YES, "scorer": "rm", "value": 3}
    rows(stocked, tmp_path, row)
    assert rows(stocked, tmp_path, row).same == 1
    assert rows(stocked, tmp_path, {**row, "value": 2}).changed == 1
    assert values(stocked) == {("rm", YES): 2.0}


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"value": "0.5"}, "`value` is '0.5', not a number"),
        ({"value": True}, "`value` is True, not a number"),
        ({"value": None}, "no `value`"),
        ({"value": 10**400}, "`value` is not a finite number"),
        ({"value": -1.1e100}, "`value` is larger than 1e+100"),
        ({"value": ["1" * 99]}, "..., not a number"),
        ({"scorer": " "}, "no `scorer`"),
        ({"scorer": 7}, "`scorer` is not text"),
        ({"candidate_id": YES[:5]}, "too short"),
        ({"candidate_id": "f" * 64}, "no candidate here has the id"),
        ({"candidate_id": "zzzzzz\x1b"}, r"no candidate here has an id that starts with 'zzzzzz\x1b'; import the"),
        ({"candidate_id": ""}, "neither a `candidate_id` nor a `question_id` with an `answer`"),
        ({"candidate_id": "", "question_id": QUESTION.id, "answer": "No. "}, "has exactly this answer; import"),
        ({"candidate_id": "", "question_id": "q9", "answer": "No."}, "import the questions first"),
    ],
)
def test_rows_that_are_no_score_say_why(
    stocked: Workspace, tmp_path: Path, row: dict[str, object], reason: str
) -> None:
    good = {"candidate_id": YES, "scorer": "rm", "value": 1}
    report = rows(stocked, tmp_path, good, {**good, **row})
    assert (report.new, report.rejected_total) == (1, 1)
    assert report.rejected[0].line == 2
    assert reason in report.rejected[0].reason


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_what_json_has_no_number_for_is_refused(stocked: Workspace, tmp_path: Path, value: str) -> None:
    text = f'{{"candidate_id": "{YES}", "scorer": "rm", "value": 1}}\n'
    report = brought(stocked, tmp_path / "x.jsonl", text + text.replace(": 1}", f": {value}}}"))
    assert (report.new, report.rejected_total) == (1, 1)


@pytest.mark.parametrize("value", ["nan", "inf", "1_0", "٣", "1,5", "1 2", "0x1", "", "1e999"])
def test_what_is_no_number_in_csv_is_refused(stocked: Workspace, tmp_path: Path, value: str) -> None:
    report = brought(stocked, tmp_path / "x.csv", f'candidate_id;scorer;value\n{YES};rm;"{value}"\n')
    assert (report.read, report.rejected_total) == (1, 1)
    assert "`value`" in report.rejected[0].reason
    assert report.rejected[0].line == 2


def test_csv_lines_of_another_length_and_broken_quotes(stocked: Workspace, tmp_path: Path) -> None:
    text = f'candidate_id,scorer,value\n{YES},rm\n{NO},rm,1\n{YES},"r"m,2\n{YES},rm,3\n'
    report = brought(stocked, tmp_path / "x.csv", text)
    assert [(row.line, row.reason.partition(":")[0]) for row in report.rejected] == [
        (2, "2 fields, where the first line has 3"),
        (4, "the line is no CSV"),
    ]
    assert values(stocked) == {("rm", NO): 1.0, ("rm", YES): 3.0}


def test_a_prefix_of_several_candidates_names_none(stocked: Workspace, tmp_path: Path) -> None:
    texts = [f"Answer {number}." for number in range(20_000)]
    ids = sorted(candidate_id(QUESTION.id, text) for text in texts)
    pair = next((a, b) for a, b in pairwise(ids) if a[:6] == b[:6])
    candidates.add(stocked, [candidate(text) for text in texts if candidate_id(QUESTION.id, text) in pair])
    report = rows(stocked, tmp_path, {"candidate_id": pair[0][:6], "scorer": "rm", "value": 1})
    assert "several candidates" in report.rejected[0].reason


def test_a_column_that_stands_twice_is_refused(stocked: Workspace, tmp_path: Path) -> None:
    with pytest.raises(ImportFileError, match="two columns that are called 'value'"):
        brought(stocked, tmp_path / "x.csv", f"candidate_id,scorer,value,Value\n{YES},rm,1,2\n")
    assert values(stocked) == {}


def test_csv_with_line_ends_of_old_macs_is_read(stocked: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_bytes(f"candidate_id,scorer,value\r{YES},rm,2\r{NO},rm,1\r".encode())
    assert import_file(stocked, path).counts == {"scores": 2}


def test_rows_with_line_ends_of_old_macs_are_no_scores(stocked: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b'{"id": "1", "body": "Why?"}\r{"id": "2", "body": "How?"}\r')
    with pytest.raises(ImportFileError, match="in no format that can be imported"):
        import_file(stocked, path)


def test_a_first_line_with_broken_quotes_is_refused(stocked: Workspace, tmp_path: Path) -> None:
    with pytest.raises(ImportFileError, match="is no CSV"):
        brought(stocked, tmp_path / "scores.csv", f'candidate_id,scorer,value,"no"te\n{YES},rm,1,x\n')


def test_an_answer_in_csv_may_be_long(stocked: Workspace, tmp_path: Path) -> None:
    text = f'scorer,value,question_id,answer\nrm,1,{QUESTION.id},"{"so " * 60_000}"\nrm,2,{QUESTION.id},No.\n'
    report = brought(stocked, tmp_path / "scores.csv", text)
    assert (report.read, values(stocked)) == (2, {("rm", NO): 2.0})


def test_csv_is_read_from_gzip_and_utf16(stocked: Workspace, tmp_path: Path) -> None:
    text = f"candidate_id,scorer,value\n{YES},rm,1\n"
    (tmp_path / "a").write_bytes(gzip.compress(text.encode()))
    (tmp_path / "b").write_bytes(text.replace("rm", "é").encode("utf-16"))
    assert [import_file(stocked, tmp_path / name).new for name in "ab"] == [1, 1]
    assert values(stocked) == {("rm", YES): 1.0, ("é", YES): 1.0}


def test_what_may_be_the_rest_of_a_broken_row_of_csv_is_counted_with_it(stocked: Workspace, tmp_path: Path) -> None:
    text = f'candidate_id,scorer,value\n{NO},"a"b,"1\nmore,of\nit\n"c"d\n{YES},rm,3\n{NO},"e"f,4\n'
    report = brought(stocked, tmp_path / "x.csv", text)
    assert [(row.line, row.reason.partition("; ")[2]) for row in report.rejected] == [
        (2, "3 rows behind it passed over, as part of it"),
        (7, ""),
    ]
    assert (report.read, values(stocked)) == (3, {("rm", YES): 3.0})
