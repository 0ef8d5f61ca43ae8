"""Statements leave and come back byte by byte; what is damaged or contradicts what is stored stays outside."""

import json
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from exports.statements import export_statements
from store import candidates, questions, reviewers, statements
from store.frozen_rows import BadRecordError, NewerRecordError, sealed
from store.ingest.sealed_jsonl import import_sealed
from store.manifest import manifest_path, read_manifest
from store.review_rows import ClaimDecided, Said, StageJudged
from store.rows import QuestionFilter
from store.sealed_kinds import STATEMENT
from store.statement_record import verify
from store.statement_shape import SHAPE
from store.workspace import Workspace
from tests.new_workspace import new_workspace
from tests.store.records.samples import QUESTION_ID, REVIEWER
from tests.store.records.stock import put_candidate
from uq_tui.errors import ImportFileError
from uq_tui.words import ClaimDecision, Soundness, StatementKind

import_statements = partial(import_sealed, noun=STATEMENT.noun)

HOSTILE = "\ud83d \0 \u2028 \x85 \x1b]0;title\x07"


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Workspace]:
    opened = new_workspace(tmp_path / "elsewhere.uq.sqlite")
    yield opened
    opened.close()


@pytest.fixture
def spoken(workspace: Workspace) -> Workspace:
    """A workspace with every kind of statement, one revised and one retracted."""
    reviewers.save(workspace, REVIEWER)
    candidate = put_candidate(workspace)
    on_question = statements.add(workspace, REVIEWER, StatementKind.COMMENT, QUESTION_ID, Said(HOSTILE))
    reply = Said("An answer.", in_reply_to=on_question.statement_id)
    statements.add(workspace, REVIEWER, StatementKind.COMMENT, QUESTION_ID, reply, candidate_id=candidate)
    statements.retract(workspace, REVIEWER, on_question.statement_id)
    claims = (ClaimDecided("a", "audit by m", ClaimDecision.REFUTE),)
    stages = (StageJudged("3-Iter", "correctness/1", "run", Soundness.UNSURE),)
    for said in (Said(claims=claims), Said(claims=claims, soundness=stages)):
        statements.add(workspace, REVIEWER, StatementKind.SECOND_PASS, QUESTION_ID, said, candidate_id=candidate)
    statements.add(workspace, REVIEWER, StatementKind.NOTE, QUESTION_ID, Said("Look at [3]."))
    accepted = Said(accepted_by="asker")
    statements.add(workspace, REVIEWER, StatementKind.ACCEPTANCE, QUESTION_ID, accepted, candidate_id=candidate)
    return workspace


def rows(workspace: Workspace) -> list[dict[str, Any]]:
    return [json.loads(line) for line in statements.records(workspace)]


def file_of(path: Path, *lines: str) -> Path:
    path.write_bytes(b"".join(line.encode() + b"\n" for line in lines))
    return path


def changed(row: Mapping[str, Any], **changes: Any) -> dict[str, Any]:
    return dict(json.loads(sealed({**row, **changes})))


def test_a_round_trip_through_an_empty_workspace_keeps_every_byte(
    spoken: Workspace, elsewhere: Workspace, tmp_path: Path
) -> None:
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    report = export_statements(spoken, first)
    assert report.rows == 7
    taken = import_statements(elsewhere, first)
    assert (taken.new, taken.same, taken.rejected_total, taken.counts) == (7, 0, 0, {"statements": 7})
    assert export_statements(elsewhere, second).sha256 == report.sha256
    assert second.read_bytes() == first.read_bytes()
    again = import_statements(elsewhere, second)
    assert (again.new, again.same) == (0, 7)


def test_stubs_stand_for_what_is_not_here(spoken: Workspace, elsewhere: Workspace, tmp_path: Path) -> None:
    export_statements(spoken, tmp_path / "out.jsonl")
    import_statements(elsewhere, tmp_path / "out.jsonl")
    (listed,) = questions.page(elsewhere, QuestionFilter()).rows
    assert (listed.id, listed.title) == (QUESTION_ID, "Is $f$ uniform?")
    (stub,) = candidates.of_question(elsewhere, QUESTION_ID)
    assert stub.answer.sha256 == ""
    assert put_candidate(elsewhere) == stub.id
    assert candidates.get(elsewhere, stub.id).answer.raw


def test_exporting_again_repeats_every_byte(spoken: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    report = export_statements(spoken, path)
    first = path.read_bytes(), manifest_path(path).read_bytes()
    manifest = read_manifest(path)
    assert manifest is not None
    assert (manifest.rows, manifest.sha256) == (7, report.sha256)
    export_statements(spoken, path)
    assert (path.read_bytes(), manifest_path(path).read_bytes()) == first


def test_every_key_stands_in_its_place(spoken: Workspace) -> None:
    for row in rows(spoken):
        assert list(row) == list(SHAPE)
        verify(row)


DAMAGE: dict[str, Mapping[str, Any]] = {
    "no kind": {"kind": ""},
    "an unknown kind": {"kind": "rumour"},
    "no id": {"statement_id": ""},
    "an id that moves the cursor": {"statement_id": "\x1b[2J"},
    "a candidate that is no hash": {"candidate_id": "c1"},
    "a hash without a candidate": {"candidate_id": "", "candidate_sha256": "0" * 64},
    "a reply to nothing nameable": {"in_reply_to": "\n"},
    "a claim without a decision": {"claims": [{"claim_id": "a", "source": "", "decision": ""}]},
    "a stage that is neither sound nor not": {
        "trace_soundness": [{"strategy": "", "stage": "", "sound": "", "run_id": ""}]
    },
    "text that is a number": {"text": 7},
    "a revision before the first": {"revision": 0},
    "a local time": {"created_at": "2026-01-31 12:00"},
    "a reviewer without a handle": {"reviewer": {"id": "x"}},
}


@pytest.mark.parametrize("changes", DAMAGE.values(), ids=DAMAGE.keys())
def test_what_is_no_statement_is_refused(spoken: Workspace, changes: Mapping[str, Any]) -> None:
    with pytest.raises(BadRecordError):
        verify(changed(rows(spoken)[1], **changes))


def test_a_second_pass_needs_a_candidate(spoken: Workspace) -> None:
    row = next(row for row in rows(spoken) if row["kind"] == "second_pass")
    with pytest.raises(BadRecordError, match="candidate_id"):
        verify(changed(row, candidate_id="", candidate_sha256=""))


def test_an_edited_row_is_rejected_and_the_others_are_kept(
    spoken: Workspace, elsewhere: Workspace, tmp_path: Path
) -> None:
    first, second, *_ = statements.records(spoken)
    edited = json.dumps({**json.loads(second), "text": "Something else."})
    report = import_statements(elsewhere, file_of(tmp_path / "in.jsonl", first, edited, "{"))
    assert (report.new, report.rejected_total) == (1, 2)
    assert "damaged or edited" in report.rejected[0].reason


def test_a_conflict_keeps_what_is_stored(spoken: Workspace, tmp_path: Path) -> None:
    before = list(statements.records(spoken))
    row = changed(rows(spoken)[0], text="Something else.")
    report = import_statements(spoken, file_of(tmp_path / "in.jsonl", sealed(row)))
    assert (report.new, report.rejected_total) == (0, 1)
    assert "conflict" in report.rejected[0].reason
    assert list(statements.records(spoken)) == before


def test_a_revision_that_is_of_another_statement_is_rejected(spoken: Workspace, tmp_path: Path) -> None:
    before = list(statements.records(spoken))
    row = next(row for row in rows(spoken) if row["kind"] == "note")
    others = [
        changed(row, revision=2, reviewer={**row["reviewer"], "id": "somebody else"}),
        changed(row, revision=2, question_id="math.stackexchange.com:1"),
        changed(row, revision=2, kind="comment"),
    ]
    report = import_statements(spoken, file_of(tmp_path / "in.jsonl", *map(sealed, others)))
    assert (report.new, report.rejected_total) == (0, 3)
    assert list(statements.records(spoken)) == before
    more = statements.add(spoken, REVIEWER, StatementKind.NOTE, QUESTION_ID, Said("Look at [4]."))
    assert (more.statement_id, more.revision) == (row["statement_id"], 2)


def test_a_row_that_contradicts_the_stored_candidate_is_rejected(spoken: Workspace, tmp_path: Path) -> None:
    row = next(row for row in rows(spoken) if row["candidate_id"])
    other = changed(row, statement_id="other", candidate_sha256="0" * 64)
    elsewhere = changed(row, statement_id="elsewhere", question_id="math.stackexchange.com:1")
    report = import_statements(spoken, file_of(tmp_path / "in.jsonl", sealed(other), sealed(elsewhere)))
    assert (report.new, report.rejected_total) == (0, 2)


def test_a_file_of_a_later_version_is_left_alone(spoken: Workspace, elsewhere: Workspace, tmp_path: Path) -> None:
    row = changed(rows(spoken)[0], schema_version=2)
    with pytest.raises(NewerRecordError):
        verify(row)
    first = next(statements.records(spoken))
    with pytest.raises(ImportFileError, match="schema version 2"):
        import_statements(elsewhere, file_of(tmp_path / "in.jsonl", first, sealed(row)))
    assert list(statements.records(elsewhere)) == []


def test_a_row_with_more_keys_goes_out_as_it_came_in(spoken: Workspace, elsewhere: Workspace, tmp_path: Path) -> None:
    line = sealed({**rows(spoken)[0], "mood": "\x1b[31mgood"})
    import_statements(elsewhere, file_of(tmp_path / "in.jsonl", line))
    assert list(statements.records(elsewhere)) == [line]
