"""Verdicts that stand, gathered by the answer they are on."""

import errno
import tempfile
from collections import Counter
from pathlib import Path
from typing import NoReturn

import pytest

from exports.standing_rows import judged
from exports.written import Job
from store import verdicts
from store.withheld import NOTHING
from store.workspace import Workspace
from tests.store.records.giving import give
from tests.store.records.samples import form
from tests.store.records.stock import put_candidate
from tests.store.reviewing import ADA, people
from uq_tui.errors import ExportError


def test_answers_come_by_question_and_number_however_their_verdicts_are_mixed(workspace: Workspace) -> None:
    people(workspace)
    keys = [put_candidate(workspace, f"Answer {n} to {question}.", question) for question in ("q1", "q0") for n in "ab"]
    for key in (keys[3], keys[0], keys[2], keys[1], keys[3]):
        give(workspace, ADA, key, form(rationale=f"Once more on {key}"))
    found = list(judged(Job(workspace, Path("x"), verdicts.records(workspace), NOTHING), Counter()))
    assert [(one.question.row.id, one.candidate.number) for one in found] == [
        ("q0", 1),
        ("q0", 2),
        ("q1", 1),
        ("q1", 2),
    ]
    assert [[len(rows) for rows in one.verdicts] for one in found] == [[1], [2], [1], [1]]


def test_without_room_for_rows_it_is_said_where_there_is_too_little(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full() -> NoReturn:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tempfile, "TemporaryFile", full)
    with pytest.raises(ExportError, match="No space left") as raised:
        list(judged(Job(workspace, Path("x"), (), NOTHING), Counter()))
    assert "TMPDIR" in raised.value.hint
