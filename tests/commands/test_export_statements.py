"""What was said beside verdicts leaves as a file, and comes back byte by byte."""

from pathlib import Path

from store import queues, reviewers
from store.review_rows import NewItem
from tests.commands.conftest import QUESTION, Desk, Run, document
from uq_tui.words import QueueMode

HOSTILE = "[b]see\x1b[2J\nagain"


def blinded(desk: Desk) -> None:
    ws = desk.open()
    share = {reviewers.current(ws).id: [NewItem(QUESTION, desk.right)]}
    queues.make(ws, name="q", mode=QueueMode.BLIND, spec={}, guideline="", shares=share)
    ws.close()


def test_all_of_it_leaves_and_comes_back_byte_by_byte(uq: Run, run: Run, desk: Desk, tmp_path: Path) -> None:
    uq("comment", "add", QUESTION, HOSTILE)
    uq("comment", "note", QUESTION, "Look at [3].")
    uq("comment", "accept", desk.right, "--by", "asker", "--said", "Thanks!")
    out, again = tmp_path / "said.jsonl", tmp_path / "again.jsonl"
    report = document(uq("export", "--statements", str(out), "--json"))["statements"]
    assert (report["rows"], report["held_back"]) == (3, 0)
    other = ("--workspace", str(tmp_path / "other.sqlite"))
    imported = run(*other, "import", str(out), "--json")
    assert imported.exit_code == 0
    assert run(*other, "export", "--statements", str(again)).exit_code == 0
    assert again.read_bytes() == out.read_bytes()
    blinded(desk)
    held = uq("export", "--statements", str(tmp_path / "held.jsonl"))
    assert "3 rows on problems you still judge blind are held back" in held.stderr
    assert (tmp_path / "held.jsonl").read_bytes() == b""
