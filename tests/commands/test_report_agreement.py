"""report agreement and report consensus, on verdicts that came in files."""

import json
from pathlib import Path

import pytest

from store import queues, reviewers
from store.review_rows import NewItem
from store.workspace import Workspace
from tests.commands.conftest import QUESTION, Desk, Run, document
from tests.store.evaluated import put_validation, spec
from tests.store.standing import ADA, BOB, EVE, put, row
from uq_tui.words import Label, Outcome, QueueMode


@pytest.fixture
def judged(desk: Desk) -> Desk:
    """Three people on two candidates: the right one is agreed on, the wrong one is not."""
    workspace = desk.open()
    try:
        put(
            workspace,
            [
                row("a1", desk.right, ADA, Label.CORRECT, question_id=QUESTION),
                row(
                    "b1",
                    desk.right,
                    BOB,
                    Label.CORRECT,
                    question_id=QUESTION,
                    assignment={"queue_id": _queue(workspace, desk)},
                ),
                row("a2", desk.wrong, ADA, Label.CORRECT, question_id=QUESTION, day=3),
                row("e2", desk.wrong, EVE, Label.INCORRECT, question_id=QUESTION, day=3),
            ],
        )
    finally:
        workspace.close()
    return desk


def _queue(workspace: Workspace, desk: Desk) -> str:
    reviewers.make(workspace, BOB)
    share = {BOB.id: [NewItem(QUESTION, desk.right)]}
    return queues.make(workspace, name="one", mode=QueueMode.BLIND, spec={}, guideline="", shares=share).id


def test_agreement_is_printed_and_written_as_json(uq: Run, judged: Desk) -> None:
    shown = uq("report", "agreement").stdout
    assert "4 verdicts of 3 people on 2 candidates, 2 of them judged by several." in shown.replace("\n", " ")
    assert "no interval, n is below 20" in shown.replace("\n", " ")
    found = document(uq("report", "agreement", "--json"))
    assert found["counts"]["several"] == 2
    pairs = {tuple(one["people"]): one for one in found["pairs"]}
    assert pairs[ADA.id, BOB.id]["same_label"]["value"] == 1
    assert pairs[ADA.id, EVE.id]["kappa"] == {
        "value": 0.0, "low": None, "high": None, "n": 1, "expected": 0.0, "undefined": "",
        "no_interval": "n is below 20", "undefined_resamples": 0,
    }  # fmt: skip


def test_validators_stand_beside_people_in_columns_that_fit(uq: Run, judged: Desk) -> None:
    workspace = judged.open()
    try:
        long_names = spec("a-strategy-with-a-name", "openai/a-model-with-quite-a-long-name-2025-04-16")
        put_validation(workspace, {judged.right: Outcome.ACCEPT}, long_names)
    finally:
        workspace.close()
    words = set(uq("report", "agreement").stdout.split())
    assert {"people", "passed", "undecided", "agreement", "kappa", "reasoning", "sound"} <= words


def test_reports_are_on_the_verdicts_asked_for(uq: Run, judged: Desk) -> None:
    def verdicts(*options: str) -> int:
        found = document(uq("report", "agreement", "--json", *options))
        count: int = found["counts"]["verdicts"]
        return count

    assert verdicts("--since", "2026-02-03") == 2
    assert verdicts("--reviewer", "ada", "--reviewer", BOB.id) == 3
    assert verdicts("--queue", "one") == 1
    assert verdicts("--question", QUESTION, "--site", "math.stackexchange.com") == 4
    assert verdicts("--dataset-version", "none") == 0
    assert verdicts("--domain", "none") == 0
    assert verdicts("--blind-only") == 4


def test_what_isnt_there_is_said(uq: Run, judged: Desk) -> None:
    nothing, usage = 3, 2
    wrong = (
        ("--queue", "absent", nothing),
        ("--question", "gone:1", nothing),
        ("--reviewer", "nobody", nothing),
        ("--since", "yesterday", usage),
    )
    for option, given, code in wrong:
        result = uq("report", "agreement", option, given)
        assert result.exit_code == code
        assert given in result.stderr


def test_nothing_to_compare_says_what_to_do(uq: Run, desk: Desk) -> None:
    for name in ("agreement", "consensus"):
        assert "1. Have two people or more judge" in uq("report", name).stderr


def test_consensus_is_printed_and_written(uq: Run, judged: Desk, tmp_path: Path) -> None:
    out = tmp_path / "consensus.jsonl"
    result = uq("report", "consensus", "--out", str(out))
    assert "Tied" in result.stdout
    assert f"2 rows written to {out}" in result.stderr.replace("\n", "")
    rows = {row["candidate_id"]: row for row in map(json.loads, out.read_text(encoding="utf-8").splitlines())}
    assert rows[judged.right]["label"] == "correct"
    assert rows[judged.wrong]["tied"] == ["correct", "incorrect"]
    again = document(uq("report", "consensus", "--json", "--method", "dawid-skene"))
    assert [one["person"] for one in again["reliability"]] == [ADA.id, BOB.id, EVE.id]
    assert {one["candidate_id"] for one in again["candidates"]} == {judged.right, judged.wrong}
