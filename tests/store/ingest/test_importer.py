"""Importing whatever file it is."""

import gzip
import json
import shutil
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from store import candidates, questions
from store.ingest.importer import format_of, import_file
from store.ingest.under_way import Progress
from store.rows import QuestionFilter
from store.workspace import Workspace
from tests.fixtures import FIXTURES
from tests.store.stock import QUESTION, take
from uq_tui.errors import ImportFileError, NotFoundError

DUMP = FIXTURES / "dump-2018" / "physics.stackexchange.com"


def test_every_format_is_told_by_its_content(workspace: Workspace, tmp_path: Path) -> None:
    def renamed(source: Path) -> Path:
        return Path(shutil.copy(source, tmp_path / "anything.dat"))

    assert import_file(workspace, renamed(FIXTURES / "uq-questions.jsonl")).format == "questions"
    assert import_file(workspace, renamed(FIXTURES / "uq-answers.jsonl")).format == "candidates"
    assert import_file(workspace, renamed(DUMP / "Posts.xml"), site="physics").format == "Posts.xml"
    assert import_file(workspace, FIXTURES / "pack").format == "pack"
    assert import_file(workspace, DUMP).format == "Stack Exchange dump"


def test_one_row_that_lacks_a_key_does_not_decide_what_a_file_is(tmp_path: Path) -> None:
    first, *others = (FIXTURES / "graded" / "rated-proofs.jsonl").read_text("utf-8").splitlines()
    row = json.loads(first)
    del row["problem_idx"]
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(row))
    assert format_of(path).name == "questions"
    path.write_text("\n".join((json.dumps(row), *others)))
    assert format_of(path).name == "rated proofs of DeepSeekMath-V2"


def test_gzip_is_told_by_its_content(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(gzip.compress((FIXTURES / "uq-questions.jsonl").read_bytes()))
    assert import_file(workspace, path).new == 3
    path.write_bytes(gzip.compress((DUMP / "Posts.xml").read_bytes()))
    assert import_file(workspace, path, site="physics").counts["questions"] == 4


def test_utf16_dumps_and_rows(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "x"
    text = (DUMP / "Posts.xml").read_text(encoding="utf-8-sig").replace('encoding="utf-8"', 'encoding="utf-16"')
    path.write_bytes(text.encode("utf-16"))
    assert import_file(workspace, path, site="physics").counts["questions"] == 4
    path.write_bytes((FIXTURES / "uq-questions.jsonl").read_text().encode("utf-16"))
    assert import_file(workspace, path).new == 3


def test_an_array_of_rows(workspace: Workspace, tmp_path: Path) -> None:
    lines = (FIXTURES / "uq-questions.jsonl").read_text().splitlines()
    path = tmp_path / "x.json"
    path.write_text(json.dumps([json.loads(line) for line in lines], indent=2))
    assert import_file(workspace, path).new == 3
    assert import_file(workspace, FIXTURES / "uq-questions.jsonl").same == 3


@pytest.mark.parametrize(
    ("row", "file_format"),
    [
        ({"id": 1, "body": "B", "answer": "[No answer]"}, "questions"),
        ({"question": "Q"}, "questions"),
        ({"question": "Q", "model": "m", "answer": "A"}, "candidates"),
        ({"question": "Q", "answer": "A"}, "questions"),
        ({"answer": "A"}, "candidates"),
        ({"question_id": 1, "model_name": "m", "error": "timeout"}, "candidates"),
    ],
)
def test_rows_tell_what_a_file_holds(
    workspace: Workspace, tmp_path: Path, row: dict[str, object], file_format: str
) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(f"not JSON\n{{}}\n{json.dumps(row)}\n")
    assert import_file(workspace, path).format == file_format


def test_verdict_rows_are_told_from_others(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"record": "verdict", "question_id": "source:1", "answer": "A"}\n')
    report = import_file(workspace, path)
    assert (report.format, report.rejected_total) == ("verdicts", 1)


def test_site_question_and_progress_are_handed_on(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"id": 7, "body": "B"}\n')
    seen: list[Progress] = []
    import_file(workspace, path, site="math", on_progress=seen.append)
    path.write_text('{"answer": "A"}\n')
    import_file(workspace, path, question_id="math.stackexchange.com:7", on_progress=seen.append)
    assert len(candidates.of_question(workspace, "math.stackexchange.com:7")) == 1
    told = [(one.format, one.rows) for one in seen]
    assert told == [("questions", 0), ("questions", 1), ("candidates", 0), ("candidates", 1)]
    assert seen[-1].share in (None, 1.0)


@pytest.mark.parametrize("name", ["a.md", "a.TXT", "a.markdown", "a.tex"])
def test_a_text_with_a_question_is_an_answer(workspace: Workspace, tmp_path: Path, name: str) -> None:
    take(workspace, QUESTION)
    (tmp_path / name).write_text('{"looks": "like JSON"}')
    assert import_file(workspace, tmp_path / name, question_id=QUESTION.id).format == "answer"
    assert len(candidates.of_question(workspace, QUESTION.id)) == 1


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "is empty"),
        (b" \n\n", "is empty"),
        (b"[]", "is empty"),
        (b"Just a text.\n", r"in no format that can be imported \(line 1: not JSON"),
        (b'{"a": 1}\n', r"\(line 1: none of the keys"),
        (b'{\n  "items": [\n  ]\n}\n', "in no format"),
        (b"\x00\xff\xfe\x01" * 100, "in no format"),
        (b"7z\xbc\xaf\x27\x1c", "no 7z archive, or breaks off"),
        (b"\x28\xb5\x2f\xfd\x00", "its Zstandard data are damaged"),
        (b"<html></html>", "not <posts>"),
    ],
)
def test_what_cannot_be_imported_says_why(workspace: Workspace, tmp_path: Path, data: bytes, problem: str) -> None:
    path = tmp_path / "x"
    path.write_bytes(data)
    with pytest.raises(ImportFileError, match=problem) as caught:
        import_file(workspace, path, site="math")
    assert str(path) in caught.value.message
    assert questions.count(workspace, QuestionFilter()).n == 0


def test_archives_and_databases_are_not_imported(workspace: Workspace, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("Posts.xml", "<posts/>")
        archive.writestr("Tags.xml", "<tags/>")
    with pytest.raises(ImportFileError, match="a zip archive of 2 files; unpack it first"):
        import_file(workspace, tmp_path / "x.zip")
    with closing(sqlite3.connect(tmp_path / "x.db")) as db:
        db.execute("CREATE TABLE t (x)")
    with pytest.raises(ImportFileError, match="a workspace is opened, not imported"):
        import_file(workspace, tmp_path / "x.db")


def test_missing_files_and_other_folders(workspace: Workspace, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"none\.jsonl"):
        import_file(workspace, tmp_path / "none.jsonl")
    with pytest.raises(ImportFileError, match=r"neither pack\.json nor Posts\.xml"):
        import_file(workspace, tmp_path)
