"""What is in a bundle: the share, the same bytes each time, and nothing that a blind reviewer may not know."""

import json
import zipfile
from pathlib import Path

import pytest

from exports.bundle_parts import read_share
from exports.bundles import write_returned, write_work
from exports.rows import Manner
from store import bundle_shape as shape
from store import candidates, decisions, queues, reviewers, statements
from store.ingest.bundle_file import opened
from store.review_rows import NewItem, Said
from store.rows import VerdictForm
from store.workspace import Workspace
from tests import masked
from tests.store.ingest.bundled import manifest_of, members_of, share_of, shared
from tests.store.reviewing import ADA, people, plain, practice, problems, queue
from uq_tui.errors import ExportError
from uq_tui.words import ItemRole, Label, QueueMode, StatementKind

TOLD_OF_TIME = ("created_at", "decided_at", "gave_at", "shown_at")


def _rows(path: Path, member: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in members_of(path)[member].decode().splitlines()]


def test_a_blind_bundle_has_nothing_that_is_masked(tmp_path: Path) -> None:
    path = tmp_path / "masked.uq.sqlite"
    made = masked.fill(path)
    ws = Workspace.open(path)
    share = read_share(ws, queues.by_name(ws, "blind"), reviewers.current(ws))
    write_work(ws, share, tmp_path / "bundle.zip")
    times = {one.created_at for one in candidates.of_question(ws, masked.MASKED)}
    ws.close()
    text = "\n".join(data.decode() for data in members_of(tmp_path / "bundle.zip").values())
    assert masked.leaks(text) == []
    assert not [word for word in masked.words_of(path) if word in text]
    assert not [at for at in times if at[:16] in text]
    assert not [key for key in (*TOLD_OF_TIME, "label", "score", "votes", "outcome") if f'"{key}"' in text]
    assert not [run for run in made.runs if run in text]
    assert {row["candidate_id"] for row in _rows(tmp_path / "bundle.zip", shape.CANDIDATES)} == set(made.answers)
    raw = (tmp_path / "bundle.zip").read_bytes()
    assert masked.PREFIX.encode() not in raw
    with zipfile.ZipFile(tmp_path / "bundle.zip") as archive:
        assert {one.date_time for one in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_the_same_share_gives_the_same_bytes(workspace: Workspace, tmp_path: Path) -> None:
    share = share_of(workspace, shared(workspace))
    reports = [write_work(workspace, share, tmp_path / name) for name in ("one.zip", "two.zip")]
    assert reports[0].sha256 == reports[1].sha256
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    assert reports[0].rows == {shape.QUESTIONS: 2, shape.CANDIDATES: 4, shape.ITEMS: 5}


@pytest.mark.parametrize("rows_before", [0, 7, 11])
def test_one_that_is_stopped_leaves_the_earlier_file(workspace: Workspace, tmp_path: Path, rows_before: int) -> None:
    share, path = share_of(workspace, shared(workspace)), tmp_path / "out" / "bundle.zip"
    path.parent.mkdir()
    path.write_bytes(b"an earlier one")
    told = [0]
    manner = Manner(on_progress=told.append, is_cancelled=lambda: told[-1] == rows_before)
    with pytest.raises(ExportError, match="stopped"):
        write_work(workspace, share, path, manner)
    assert told == list(range(rows_before + 1))
    assert path.read_bytes() == b"an earlier one"
    assert [*path.parent.iterdir()] == [path]


def test_gold_items_look_like_plain_ones_and_how_the_queue_was_built_is_withheld(
    workspace: Workspace, tmp_path: Path
) -> None:
    write_work(workspace, share_of(workspace, shared(workspace)), tmp_path / "bundle.zip")
    rows = _rows(tmp_path / "bundle.zip", shape.ITEMS)
    assert [row["repeat"] for row in rows] == [False, False, False, False, True]
    assert {frozenset(row) for row in rows} == {frozenset(shape.ITEM)}
    told = manifest_of(members_of(tmp_path / "bundle.zip"))["queue"]
    assert told["required"] == ["rationale"]
    assert "gpt-x" not in str(told)
    assert "gold" not in str(told)


def test_candidates_stand_in_no_order_that_tells(workspace: Workspace, tmp_path: Path) -> None:
    people(workspace)
    (keys,) = problems(workspace, 1, answers=9)
    share = share_of(workspace, queue(workspace, {ADA: plain(keys)}))
    write_work(workspace, share, tmp_path / "bundle.zip")
    order = [row["candidate_id"] for row in _rows(tmp_path / "bundle.zip", shape.CANDIDATES)]
    assert sorted(map(str, order)) == sorted(keys)
    assert order != list(keys)


def test_practice_stays_out(workspace: Workspace, tmp_path: Path) -> None:
    people(workspace)
    first, second = problems(workspace, 2, answers=1)
    made = queue(workspace, {ADA: [practice("q0", first[0]), NewItem("q1", second[0])]})
    share = share_of(workspace, made)
    assert share.practice == 1
    write_work(workspace, share, tmp_path / "bundle.zip")
    assert [row["question_id"] for row in _rows(tmp_path / "bundle.zip", shape.QUESTIONS)] == ["q1"]
    assert [row["position"] for row in _rows(tmp_path / "bundle.zip", shape.ITEMS)] == [1]


def test_an_open_bundle_says_who_wrote_what(workspace: Workspace, tmp_path: Path) -> None:
    write_work(workspace, share_of(workspace, shared(workspace, QueueMode.OPEN)), tmp_path / "bundle.zip")
    row = _rows(tmp_path / "bundle.zip", shape.CANDIDATES)[0]
    origin = {"kind": "model", "model": "gpt-x", "system": "", "organisation": "X Labs", "base_model": "", "person": ""}
    assert row["origins"] == [origin]
    assert members_of(tmp_path / "bundle.zip")[shape.ITEMS].count(ItemRole.GOLD.value.encode()) == 0


def test_what_comes_back_is_all_that_was_said_of_the_share_and_no_more(workspace: Workspace, tmp_path: Path) -> None:
    made = shared(workspace)
    (elsewhere,) = problems(workspace, 1, answers=4)[0][3:]
    first, _, linked, *_ = queues.items(workspace, made.id, ADA.id)
    decisions.decide(workspace, ADA, first.id, VerdictForm(label=Label.CORRECT, rationale="Sound."))
    decisions.decide(workspace, ADA, first.id, VerdictForm(label=Label.INCORRECT, rationale="A gap."))
    decisions.record(workspace, ADA, elsewhere, VerdictForm(label=Label.CORRECT), based_on=None)
    for kind, words in ((StatementKind.COMMENT, "Nice."), (StatementKind.NOTE, "Ask Bob.")):
        statements.add(workspace, ADA, kind, "q0", Said(words), candidate_id=first.candidate_id)
    report = write_returned(workspace, made, ADA, tmp_path / "back.zip")
    assert report.rows == {shape.VERDICTS: 4, shape.STATEMENTS: 1}  # two revisions, each on the identical answer too
    with opened(tmp_path / "back.zip") as bundle:
        judged = {row["candidate_id"] for _, row in bundle.rows_of(shape.VERDICTS)}
        assert judged == {first.candidate_id, linked.candidate_id}
        assert [row["text"] for _, row in bundle.rows_of(shape.STATEMENTS)] == ["Nice."]
    again = write_returned(workspace, made, ADA, tmp_path / "again.zip")
    assert again.sha256 == report.sha256
