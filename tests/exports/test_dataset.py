"""A version of a dataset as a file: in its own words, with whose they are, and back again."""

import json
from pathlib import Path
from typing import Any

import pytest

from exports.dataset import export_version
from store import datasets, posted
from store.dataset_rows import Pin
from store.identity import UNNAMED_SOURCE, question_id_for_text, text_sha256
from store.ingest.uq_jsonl import import_questions
from store.manifest import manifest_path, read_manifest
from store.workspace import Workspace
from tests.new_workspace import new_workspace
from tests.store.stock import question, take
from uq_tui.errors import NotFoundError
from uq_tui.words import QuestionStatus, Subset, TextFormat

HOST = "math.stackexchange.com"
UNNAMED = question_id_for_text(UNNAMED_SOURCE, "Body 3")
HOSTILE = "<p>Is \u2028 \x1b[2J $a<b$ \U0001d518?</p>"


@pytest.fixture
def ws(workspace: Workspace) -> Workspace:
    """A version of three questions: one of a site, one that was reworded, and one that nothing is known of."""
    whole = question(
        1,
        id=f"{HOST}:1",
        site=HOST,
        link=f"https://{HOST}/questions/1",
        body=HOSTILE,
        format=TextFormat.HTML,
        tags=("graphs", "c++"),
        author_id="7",
        asked_at="2012-05-01T00:00:00.000Z",
        edited_at="2013-05-01T00:00:00.000Z",
        category="Science",
        status=QuestionStatus.CLOSED,
        score=-3,
        views=0,
        answers=1,
        extra={"comments": [1, {"x": None}], "title": "no"},
    )
    second = question(2, id=f"{HOST}:2", site=HOST, link=f"https://{HOST}/questions/2")
    take(workspace, whole, second, question(3, id=UNNAMED))
    workspace.write(lambda db: posted.put_users(db, HOST, [("7", "ann")]))
    first, third = datasets.pins_of_questions(workspace, [f"{HOST}:1", UNNAMED])
    take(workspace, question(4, body="In other words."))
    other = Pin(
        second.id,
        "Other title",
        text_sha256("In other words."),
        TextFormat.MARKDOWN,
        Subset.DIAMOND,
        edited=True,
    )
    datasets.make(workspace, "v1", [first, other, third])
    return workspace


def rows(ws: Workspace, path: Path) -> list[dict[str, Any]]:
    export_version(ws, "v1", path)
    return [json.loads(line) for line in path.read_bytes().split(b"\n")[:-1]]


def test_each_row_says_whose_it_is_and_what_was_done_to_it(ws: Workspace, tmp_path: Path) -> None:
    first, second, third = rows(ws, tmp_path / "v1.jsonl")
    assert first == {
        "question_id": f"{HOST}:1",
        "title": "Question 1",
        "body": HOSTILE,
        "format": "html",
        "tags": ["graphs", "c++"],
        "site": HOST,
        "category": "Science",
        "link": f"https://{HOST}/questions/1",
        "licence": "CC BY-SA 3.0",
        "licence_url": "https://creativecommons.org/licenses/by-sa/3.0/",
        "author": "ann",
        "author_id": "7",
        "author_url": f"https://{HOST}/users/7",
        "edited": "edited there on 2013-05-01",
        "subset": "main",
        "dataset_version": "v1",
        "score": -3,
        "views": 0,
        "answer_count": 1,
        "creation_date": "2012-05-01T00:00:00.000Z",
        "edited_at": "2013-05-01T00:00:00.000Z",
        "status": "closed",
        "comments": [1, {"x": None}],
    }
    reworded = (second["title"], second["body"], second["edited"], second["subset"])
    assert reworded == ("Other title", "In other words.", "reworded in version v1", "diamond")
    assert (second["category"], third["category"]) == ("Science", ""), "the domain, where it is known"
    unknown = ("licence", "licence_url", "author", "author_url", "edited", "score", "creation_date", "edited_at")
    assert [third[key] for key in unknown] == ["", "", "", "", "", None, None, None]


def test_the_same_version_gives_the_same_bytes(ws: Workspace, tmp_path: Path) -> None:
    first = export_version(ws, "v1", tmp_path / "a.jsonl")
    second = export_version(ws, "v1", tmp_path / "b.jsonl")
    assert (first.sha256, first.rows) == (second.sha256, 3)
    manifest = read_manifest(tmp_path / "a.jsonl")
    assert manifest is not None
    assert (manifest.rows, manifest.sha256) == (3, first.sha256)


def test_what_is_imported_elsewhere_is_exported_unchanged(ws: Workspace, tmp_path: Path) -> None:
    file = tmp_path / "v1.jsonl"
    told = rows(ws, file)
    elsewhere = new_workspace(tmp_path / "elsewhere.uq.sqlite")
    report = import_questions(elsewhere, file)
    assert (report.new, report.rejected_total) == (3, 0)
    pins = datasets.pins_of_questions(elsewhere, [row["question_id"] for row in told])
    datasets.make(elsewhere, "v1", pins)
    again = rows(elsewhere, tmp_path / "again.jsonl")
    as_pinned_there = {"edited", "subset"}
    for before, after in zip(told, again, strict=True):
        assert {k: v for k, v in after.items() if k not in as_pinned_there} == {
            k: v for k, v in before.items() if k not in as_pinned_there
        }
    assert import_questions(elsewhere, file).same == 3
    elsewhere.close()


def test_there_must_be_such_a_version(ws: Workspace, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        export_version(ws, "v2", tmp_path / "v2.jsonl")
    assert not (tmp_path / "v2.jsonl").exists()
    assert not manifest_path(tmp_path / "v2.jsonl").exists()
