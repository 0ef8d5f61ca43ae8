"""Packs: a folder of questions with neighbours and answers."""

import json
import shutil
from pathlib import Path

import pytest

from store import candidates, neighbours, questions
from store.identity import question_id_for_text
from store.ingest.pack import import_pack
from store.rows import KnownLabel, Neighbour, QuestionFilter
from store.workspace import Workspace
from tests.fixtures import FIXTURES
from uq_tui.errors import ImportFileError, NotFoundError
from uq_tui.words import AuthorKind, Label, TextFormat

PACK = FIXTURES / "pack"
WALKS = question_id_for_text("source", "How many walks of length $n$ end at 0?")
OPEN = "mathoverflow.net:5"


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A pack that can be changed."""
    return Path(shutil.copytree(PACK, tmp_path / "pack"))


def append(path: Path, *rows: object) -> None:
    with path.open("a") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)


def test_all_of_a_pack_comes_in(workspace: Workspace) -> None:
    seen: list[int] = []
    report = import_pack(workspace, PACK, seen.append)
    assert (report.format, report.file) == ("pack", str(PACK))
    assert (report.read, report.new, report.rejected_total) == (8, 7, 1)
    assert report.counts == {"questions": 2, "unanswered": 2, "neighbours": 2, "candidates": 3}
    assert [(row.file, row.line, row.reason) for row in report.rejected] == [
        (str(PACK / "neighbours.jsonl"), 3, "no question of this pack has the key 'gone'")
    ]
    assert seen[-1] == 8


def test_questions_of_a_pack(workspace: Workspace) -> None:
    import_pack(workspace, PACK)
    listed = questions.page(workspace, QuestionFilter()).rows
    assert [row.id for row in listed] == [WALKS, OPEN]
    walks, known = questions.get(workspace, WALKS), questions.get(workspace, OPEN)
    assert (walks.row.title, walks.row.site, walks.row.tags) == ("Walks on a line & more", "uq-tui", ("combinatorics",))
    assert (walks.body.format, walks.author, walks.category) == (TextFormat.MARKDOWN, "ann", "mathematics")
    assert (walks.licence, walks.dataset_version) == ("CC0-1.0", "small-pack 1.0")
    assert walks.extra == {"key": "walks", "source": "ours"}
    assert (known.row.site, known.licence) == ("mathoverflow.net", "CC BY-SA 4.0")
    assert known.link == "https://mathoverflow.net/questions/5/slug"


def test_neighbours_of_a_pack(workspace: Workspace) -> None:
    import_pack(workspace, PACK)
    found = neighbours.of_question(workspace, WALKS)
    assert [(one.statement, one.answer, one.source) for one in found] == [
        ("How many walks of length 4?", "6", "computed"),
        ("How many walks of length 6?", "20", "computed"),
    ]
    assert neighbours.of_question(workspace, OPEN) == ()


def test_candidates_of_a_pack(workspace: Workspace) -> None:
    import_pack(workspace, PACK)
    right, wrong = candidates.of_question(workspace, WALKS)
    assert (right.origins[0].kind, right.origins[0].person) == (AuthorKind.PERSON, "ann")
    assert right.origins[0].source == "pack/candidates.jsonl"
    label = candidates.known_label(workspace, wrong.id)
    assert label == KnownLabel(Label.INCORRECT, "counts all walks", "pack/candidates.jsonl")
    (unlabelled,) = candidates.of_question(workspace, OPEN)
    assert candidates.known_label(workspace, unlabelled.id) is None


def test_importing_twice_changes_nothing(workspace: Workspace) -> None:
    import_pack(workspace, PACK)
    again = import_pack(workspace, PACK)
    assert (again.new, again.changed, again.same) == (0, 0, 7)


def test_a_new_neighbour_is_added(workspace: Workspace, pack: Path) -> None:
    import_pack(workspace, pack)
    append(pack / "neighbours.jsonl", {"question_key": "open", "statement": "Is $2$?", "answer": "yes"})
    assert import_pack(workspace, pack).new == 1
    assert [one.answer for one in neighbours.of_question(workspace, OPEN)] == ["yes"]
    assert isinstance(neighbours.of_question(workspace, OPEN)[0], Neighbour)


def test_bad_rows_are_named_by_file(workspace: Workspace, pack: Path) -> None:
    append(pack / "questions.jsonl", {"key": "walks", "body": "Again?"}, {"body": "No key."}, {"key": "empty"})
    append(
        pack / "neighbours.jsonl", {"question_key": "walks", "statement": "s"}, {"question_key": "walks", "answer": 1}
    )
    append(pack / "candidates.jsonl", {"question_key": "gone", "answer": "a"}, {"question_key": "walks"})
    report = import_pack(workspace, pack)
    assert [(Path(row.file).name, row.line, row.reason) for row in report.rejected] == [
        ("questions.jsonl", 3, "the key 'walks' stands twice"),
        ("questions.jsonl", 4, "no `key`"),
        ("questions.jsonl", 5, "no `body`"),
        ("neighbours.jsonl", 3, "no question of this pack has the key 'gone'"),
        ("neighbours.jsonl", 4, "no `answer`"),
        ("neighbours.jsonl", 5, "no `statement`"),
        ("candidates.jsonl", 4, "no question of this pack has the key 'gone'"),
        ("candidates.jsonl", 5, "no `answer`"),
    ]
    assert report.new == 7


def test_only_the_questions_must_be_there(workspace: Workspace, pack: Path) -> None:
    (pack / "neighbours.jsonl").unlink()
    (pack / "candidates.jsonl").unlink()
    assert import_pack(workspace, pack).counts == {"questions": 2, "unanswered": 2}
    (pack / "questions.jsonl").unlink()
    with pytest.raises(NotFoundError, match=r"questions\.jsonl"):
        import_pack(workspace, pack)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"version": "1"}', '{"name": 5}', '{"name": "a", "name": "b"}'])
def test_a_pack_must_be_described(workspace: Workspace, pack: Path, text: str) -> None:
    (pack / "pack.json").write_text(text)
    with pytest.raises(ImportFileError, match="does not describe a pack"):
        import_pack(workspace, pack)
    assert questions.count(workspace, QuestionFilter()).n == 0
