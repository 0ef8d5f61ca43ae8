"""Which rows go out, and what of them; what runs found; who signed. As people type it."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from exports.signature import signature_path
from store import drafts, queues, reviewers, runs
from store.review_rows import NewItem
from store.rows import VerdictForm
from tests.commands.conftest import QUESTION, Desk, Run, document
from tests.exports.test_signature import ANN, keys
from tests.judged_runs import judged_run
from uq_tui.words import Outcome, QueueMode

__all__ = ["keys"]  # a fixture


@pytest.fixture
def judged(uq: Run, desk: Desk) -> Desk:
    """Both answers are judged by the current reviewer, the second by a quote, and a run has judged the first."""
    uq("verdict", "give", desk.right, "--label", "correct")
    given = uq("verdict", "give", desk.wrong, "--label", "incorrect", "--error", "incorrect_reasoning:8 is not")
    assert given.exit_code == 0
    ws = desk.open()
    judged_run(ws, desk.right, "correctness", {"correctness": Outcome.ACCEPT, "": Outcome.ACCEPT})
    ws.close()
    return desk


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_rows_are_chosen_by_day_and_version(uq: Run, judged: Desk, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    for options, number in (
        (("--since", "2020-01-01"), 2),
        (("--since", "2099-12-31T23:59:59Z"), 0),
        (("--dataset-version", "v1"), 0),
        (("--reviewer", "me", "--since", "2020-01-01"), 2),
    ):
        assert document(uq("export", "--out", str(out), *options, "--json"))["rows"] == number
    wrong = uq("export", "--out", str(out), "--since", "last week")
    assert (wrong.exit_code, "neither a day" in wrong.stderr) == (2, True)
    assert uq("export", "--statements", str(out), "--drafts").exit_code == 2
    assert uq("export", "--out", "-", "--sign", "key").exit_code == 2


def test_rows_go_out_without_names_and_words_and_with_drafts(uq: Run, judged: Desk, tmp_path: Path) -> None:
    ws = judged.open()
    drafts.save(ws, reviewers.current(ws).id, judged.right, VerdictForm(rationale="On second"), based_on=0)
    who = reviewers.current(ws)
    ws.close()
    out = tmp_path / "out.jsonl"
    options = ("--anonymous", "--without-text", "--drafts")
    assert uq("export", "--out", str(out), *options).exit_code == 0
    assert uq("export", "--out", "-", *options).stdout_bytes == out.read_bytes()
    found = rows(out)
    assert sorted(row["status"] for row in found) == ["draft", "submitted", "submitted"]
    text = out.read_text(encoding="utf-8")
    assert who.id not in text
    assert f'"{who.handle}"' not in text
    assert "8 is not" not in text
    assert {tuple(row["redaction"]["left_out"]) for row in found} == {("reviewer",), ("reviewer", "text")}


@pytest.mark.parametrize("left_out", [("--without-text", "--drafts"), ("--anonymous",)])
def test_drafts_and_copies_that_leave_something_out_change_nothing_where_the_rows_are(
    uq: Run, run: Run, judged: Desk, tmp_path: Path, left_out: tuple[str, ...]
) -> None:
    whole, less, again = (tmp_path / name for name in ("whole.jsonl", "less.jsonl", "again.jsonl"))
    uq("export", "--out", str(whole))
    uq("export", "--out", str(less), *left_out)
    other = ("--workspace", str(tmp_path / "other.sqlite"))
    for file in (less, whole, less):
        assert run(*other, "import", str(file)).exit_code == 0
    run(*other, "export", "--out", str(again))
    assert again.read_bytes() == whole.read_bytes()
    assert uq("import", str(less), "--json").exit_code == 0
    uq("export", "--out", str(again))
    assert again.read_bytes() == whole.read_bytes()


def test_what_runs_found_goes_out_comes_in_and_goes_out_the_same(
    uq: Run, run: Run, judged: Desk, tmp_path: Path
) -> None:
    out, again = tmp_path / "found.jsonl", tmp_path / "again.jsonl"
    report = document(uq("export", "--evidence", str(out), "--json"))["evidence"]
    assert (report["rows"], report["held_back"]) == (1, 0)
    (row,) = rows(out)
    assert (row["candidate_id"], len(row["evidence"]["outcomes"])) == (judged.right, 2)
    other = ("--workspace", str(tmp_path / "other.sqlite"))
    assert run(*other, "import", str(out)).exit_code == 0
    assert run(*other, "export", "--evidence", str(again)).exit_code == 0
    assert again.read_bytes() == out.read_bytes()
    ws = judged.open()
    assert runs.recent(ws)[0].id == row["run_id"]
    share = {reviewers.current(ws).id: [NewItem(QUESTION, judged.wrong)]}
    queues.make(ws, name="q", mode=QueueMode.BLIND, spec={}, guideline="", shares=share)
    ws.close()
    held = uq("export", "--evidence", str(again))
    assert "1 row on problems you still judge blind is held back" in held.stderr
    assert again.read_bytes() == b""


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")
def test_files_are_signed_and_checked(uq: Run, judged: Desk, keys: Path, tmp_path: Path) -> None:
    out, said = tmp_path / "out.jsonl", tmp_path / "said.jsonl"
    files = ("--out", str(out), "--statements", str(said), "--sign", str(keys / "ann"))
    report = document(uq("export", *files, "--json"))
    assert (report["signature"], report["statements"]["signature"]) == (
        str(signature_path(out)),
        str(signature_path(said)),
    )
    assert uq("verify", str(out), "--signers", str(keys / "signers"), "--identity", ANN).exit_code == 0
    before = out.read_bytes()
    failed = uq("export", "--out", str(out), "--since", "2099-01-01", "--sign", str(tmp_path / "none"))
    assert (failed.exit_code, failed.stderr.startswith("Signature: ")) == (3, True)
    assert out.read_bytes() == before
