"""Verdict files come in as a union: in any order, as often as one likes, and never over what is stored."""

import gzip
import json
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from store import candidates, questions, verdicts
from store.frozen_rows import Revision, canonical_json, sealed
from store.identity import candidate_id, text_sha256
from store.ingest.sealed_jsonl import import_sealed
from store.manifest import Manifest, manifest_bytes, manifest_path
from store.rows import Merging, NewCandidate, Origin, QuestionFilter
from store.sealed_kinds import VERDICT
from store.workspace import Workspace
from tests.new_workspace import new_workspace
from tests.store.records.giving import give
from tests.store.records.samples import ANSWER, QUESTION_ID, REVIEWER, form, record
from tests.store.records.stock import put_candidate, put_question
from uq_tui.errors import ImportFileError, NotFoundError
from uq_tui.words import AuthorKind, Label, TextFormat, VerdictStatus

import_verdicts = partial(import_sealed, noun=VERDICT.noun)


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Workspace]:
    """A second workspace that knows nothing of the first."""
    opened = new_workspace(tmp_path / "elsewhere.uq.sqlite")
    yield opened
    opened.close()


def numbered(number: int, **changes: Any) -> str:
    """The line of revision `number` of the sample verdict."""
    before = f"v#{number - 1}" if number > 1 else ""
    revision = Revision("v", number, before, VerdictStatus.SUBMITTED, f"2026-02-0{number}T00:00:00.000000Z")
    return sealed(record(revision=revision, **changes))


def resealed(line: str, changes: Mapping[str, Any]) -> str:
    return sealed({**json.loads(line), **changes})


def file_of(folder: Path, *lines: str, name: str = "verdicts.jsonl") -> Path:
    path = folder / name
    path.write_bytes(b"".join(line.encode() + b"\n" for line in lines))
    return path


def stored(ws: Workspace) -> list[str]:
    return list(verdicts.records(ws))


def test_rows_are_stored_as_they_are(workspace: Workspace, tmp_path: Path) -> None:
    lines = [numbered(1), numbered(2, rationale="\ud83d \0 \u2028")]
    report = import_verdicts(workspace, file_of(tmp_path, *lines))
    assert (report.format, report.read, report.new, report.same, report.rejected_total) == ("verdicts", 2, 2, 0, 0)
    assert (report.counts, report.notes) == ({"verdicts": 2}, ())
    assert stored(workspace) == lines


def test_the_same_file_twice_changes_nothing(workspace: Workspace, tmp_path: Path) -> None:
    path = file_of(tmp_path, numbered(1), numbered(2))
    import_verdicts(workspace, path)
    report = import_verdicts(workspace, path)
    assert (report.new, report.same, report.rejected_total) == (0, 2, 0)
    assert stored(workspace) == [numbered(1), numbered(2)]


def test_a_row_twice_in_one_file_is_one_row(workspace: Workspace, tmp_path: Path) -> None:
    report = import_verdicts(workspace, file_of(tmp_path, numbered(1), numbered(1)))
    assert (report.read, report.new, report.same) == (2, 1, 1)


def test_files_give_the_same_in_either_order(workspace: Workspace, elsewhere: Workspace, tmp_path: Path) -> None:
    first = file_of(tmp_path, numbered(2), numbered(1), name="first.jsonl")
    second = file_of(tmp_path, numbered(3), numbered(2), name="second.jsonl")
    for ws, paths in ((workspace, (first, second)), (elsewhere, (second, first))):
        for path in paths:
            import_verdicts(ws, path)
    assert stored(workspace) == stored(elsewhere) == [numbered(1), numbered(2), numbered(3)]


def test_the_columns_say_what_the_row_says(workspace: Workspace, tmp_path: Path) -> None:
    import_verdicts(workspace, file_of(tmp_path, numbered(1, label=Label.UNSURE)))
    found = verdicts.latest(workspace, REVIEWER.id, candidate_id(QUESTION_ID, ANSWER))
    assert found is not None
    assert (found.reviewer, found.label, found.created_at) == ("ada", Label.UNSURE, "2026-02-01T00:00:00.000000Z")


def test_an_imported_verdict_is_superseded_by_the_next_own_one(workspace: Workspace, tmp_path: Path) -> None:
    candidate = put_candidate(workspace)
    import_verdicts(workspace, file_of(tmp_path, numbered(1), numbered(2)))
    saved = give(workspace, REVIEWER, candidate, form())
    assert (saved.verdict_id, saved.revision, saved.record["supersedes"]) == ("v", 3, "v#2")


def test_an_edited_row_is_rejected_with_line_and_reason(workspace: Workspace, tmp_path: Path) -> None:
    edited = numbered(2).replace('"incorrect"', '"correct"', 1)
    path = file_of(tmp_path, numbered(1), "", edited, numbered(3))
    report = import_verdicts(workspace, path)
    (rejected,) = report.rejected
    assert (rejected.file, rejected.line) == (str(path), 3)
    assert "damaged or edited" in rejected.reason
    assert (report.read, report.new, report.rejected_total) == (3, 2, 1)
    assert stored(workspace) == [numbered(1), numbered(3)]


@pytest.mark.parametrize(
    "contradiction",
    [
        {"reviewer": {**json.loads(numbered(2))["reviewer"], "id": "somebody else"}},
        {"candidate_id": "0" * 64},
        {"assignment": {**json.loads(numbered(2))["assignment"], "repeat_of": "another"}},
    ],
)
def test_revisions_that_are_of_something_else_are_a_conflict_and_own_ones_begin_anew(
    workspace: Workspace, tmp_path: Path, contradiction: dict[str, Any]
) -> None:
    """Else the next revision of a verdict would get the number of one that isn't found as its own."""
    put_candidate(workspace, ANSWER, QUESTION_ID)
    report = import_verdicts(workspace, file_of(tmp_path, numbered(1), resealed(numbered(2), contradiction)))
    (rejected,) = report.rejected
    assert rejected.reason.startswith("conflict: revisions of v differ ")
    assert (report.merged[Merging.WITHDRAWN], stored(workspace)) == (1, [])
    assert give(workspace, REVIEWER, json.loads(numbered(1))["candidate_id"], form()).revision == 1


@pytest.mark.parametrize("swapped", [False, True])
def test_a_known_revision_with_other_content_is_a_conflict(workspace: Workspace, tmp_path: Path, swapped: bool) -> None:
    lines = [numbered(1), numbered(1, label=Label.CORRECT)]
    kept, other = reversed(lines) if swapped else lines
    import_verdicts(workspace, file_of(tmp_path, kept))
    report = import_verdicts(workspace, file_of(tmp_path, numbered(2), other))
    (rejected,) = report.rejected
    assert (rejected.line, report.new, report.same) == (2, 1, 0)
    assert rejected.reason.startswith("conflict: v#1 ")
    assert stored(workspace) == [numbered(2)]


def test_a_candidate_of_another_question_contradicts(workspace: Workspace, tmp_path: Path) -> None:
    put_candidate(workspace)
    moved = resealed(numbered(1), {"question_id": "math.stackexchange.com:1"})
    report = import_verdicts(workspace, file_of(tmp_path, moved, numbered(2)))
    (rejected,) = report.rejected
    assert rejected.reason == f"contradiction: its candidate is stored as an answer to {QUESTION_ID}"
    assert stored(workspace) == [numbered(2)]
    assert questions.count(workspace, QuestionFilter()).n == 1


def test_a_candidate_with_another_text_contradicts(workspace: Workspace, tmp_path: Path) -> None:
    put_candidate(workspace)
    report = import_verdicts(workspace, file_of(tmp_path, resealed(numbered(1), {"candidate_sha256": "0" * 64})))
    (rejected,) = report.rejected
    assert "`candidate_sha256`" in rejected.reason


def test_a_later_schema_refuses_the_whole_file(workspace: Workspace, tmp_path: Path) -> None:
    newer = resealed(numbered(2), {"schema_version": 2, "label": ["new"]})
    with pytest.raises(ImportFileError, match=r"line 2: it has schema version 2") as caught:
        import_verdicts(workspace, file_of(tmp_path, numbered(1), newer))
    assert "newer uq-tui" in caught.value.hint
    assert stored(workspace) == []


def test_unknown_keys_stay_in_the_row(workspace: Workspace, tmp_path: Path) -> None:
    line = resealed(numbered(1), {"mood": {"sceptical": [1, 2.50, "\u2028"]}})
    import_verdicts(workspace, file_of(tmp_path, line))
    assert stored(workspace) == [line]


def test_a_file_written_again_by_other_tools_is_the_same(workspace: Workspace, tmp_path: Path) -> None:
    rows = [json.loads(numbered(number, rationale="é")) for number in (1, 2)]
    spaced = b"\xef\xbb\xbf" + "\r\n".join(json.dumps(row) for row in rows).encode()
    path = tmp_path / "spaced.jsonl.gz"
    path.write_bytes(gzip.compress(spaced))
    report = import_verdicts(workspace, path)
    assert (report.new, report.rejected_total) == (2, 0)
    assert stored(workspace) == [canonical_json(row) for row in rows]


def test_a_hash_that_stands_elsewhere_in_the_row_is_put_last(workspace: Workspace, tmp_path: Path) -> None:
    row = json.loads(numbered(1))
    moved = {"row_sha256": row["row_sha256"], **row}
    import_verdicts(workspace, file_of(tmp_path, canonical_json(moved)))
    assert stored(workspace) == [numbered(1)]


@pytest.mark.parametrize(
    ("line", "reason"),
    [("[1]", "not a JSON object"), ("nonsense", "not JSON"), ('{"record":"claim"}', "it is no row of a kind")],
)
def test_what_is_no_row_is_rejected(workspace: Workspace, tmp_path: Path, line: str, reason: str) -> None:
    report = import_verdicts(workspace, file_of(tmp_path, numbered(1), line))
    assert reason in report.rejected[0].reason
    assert report.new == 1


def test_bytes_that_are_no_text_are_rejected(workspace: Workspace, tmp_path: Path) -> None:
    path = file_of(tmp_path, numbered(1))
    path.write_bytes(path.read_bytes() + b"\xff\n")
    assert import_verdicts(workspace, path).rejected[0].line == 2


def test_progress_reaches_the_number_of_rows(workspace: Workspace, tmp_path: Path) -> None:
    lines = [resealed(numbered(1), {"verdict_id": f"v{n}"}) for n in range(230)]
    seen: list[int] = []
    report = import_verdicts(workspace, file_of(tmp_path, "{}", *lines, lines[0]), on_progress=seen.append)
    assert seen == sorted(seen)
    assert len(seen) > 1
    assert seen[-1] == report.read == 232


def test_a_missing_file_is_named(workspace: Workspace, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"no file .*absent\.jsonl"):
        import_verdicts(workspace, tmp_path / "absent.jsonl")


def test_an_unknown_candidate_becomes_a_stub(workspace: Workspace, tmp_path: Path) -> None:
    import_verdicts(workspace, file_of(tmp_path, numbered(1)))
    question = questions.get(workspace, QUESTION_ID)
    assert (question.row.title, question.row.site) == ("Is $f$ uniform?", "math.stackexchange.com")
    assert (question.link, question.author) == ("https://math.stackexchange.com/q/2087", "asker")
    assert (question.body.sha256, question.row.verdicts) == ("", 1)
    (candidate,) = candidates.of_question(workspace, QUESTION_ID)
    assert (candidate.id, candidate.number, candidate.answer.sha256) == (candidate_id(QUESTION_ID, ANSWER), 1, "")


@pytest.mark.parametrize("wanted", [QuestionFilter(text="uniform"), QuestionFilter(domain="Science")])
def test_a_stub_is_found_by_its_title_and_domain(workspace: Workspace, tmp_path: Path, wanted: QuestionFilter) -> None:
    import_verdicts(workspace, file_of(tmp_path, numbered(1)))
    (row,) = questions.page(workspace, wanted).rows
    assert row.id == QUESTION_ID


def test_a_stub_goes_behind_the_candidates_that_are_there(workspace: Workspace, tmp_path: Path) -> None:
    put_candidate(workspace, "Another answer.")
    import_verdicts(workspace, file_of(tmp_path, numbered(1)))
    assert [found.number for found in candidates.of_question(workspace, QUESTION_ID)] == [1, 2]


def test_a_stub_can_hold_odd_text(workspace: Workspace, tmp_path: Path) -> None:
    odd = {"question_title": "\ud83d\0", "site": "\ud83d", "source_url": "\udc00", "source_author": "\0"}
    line = resealed(numbered(1), odd)
    import_verdicts(workspace, file_of(tmp_path, line))
    assert questions.get(workspace, QUESTION_ID).row.title == "\ud83d\0"
    assert stored(workspace) == [line]


def test_the_texts_complete_a_stub(workspace: Workspace, tmp_path: Path) -> None:
    import_verdicts(workspace, file_of(tmp_path, numbered(1)))
    put_question(workspace)
    origin = Origin(AuthorKind.PERSON, person="bo")
    (completed,) = candidates.add(workspace, [NewCandidate(QUESTION_ID, ANSWER, TextFormat.MARKDOWN, origin)])
    (candidate,) = candidates.of_question(workspace, QUESTION_ID)
    assert (candidate.id, candidate.answer.raw, candidate.number) == (completed, ANSWER, 1)
    assert questions.get(workspace, QUESTION_ID).body.raw == "Is it?"
    assert stored(workspace) == [numbered(1)]
    assert give(workspace, REVIEWER, completed, form()).revision == 2


def test_a_stub_cannot_be_judged(workspace: Workspace, tmp_path: Path) -> None:
    import_verdicts(workspace, file_of(tmp_path, numbered(1)))
    with pytest.raises(NotFoundError, match="text of candidate"):
        give(workspace, REVIEWER, candidate_id(QUESTION_ID, ANSWER), form())


def test_the_question_of_a_stub_may_be_known(workspace: Workspace, tmp_path: Path) -> None:
    put_question(workspace)
    import_verdicts(workspace, file_of(tmp_path, resealed(numbered(1), {"question_title": "Another title"})))
    assert questions.get(workspace, QUESTION_ID).row.title == "Is $f$ uniform?"


def with_manifest(path: Path, rows: int, sha256: str = "") -> Path:
    whole = sha256 or text_sha256(path.read_text())
    manifest_path(path).write_bytes(manifest_bytes(Manifest(path.name, rows, 1, whole)))
    return path


def test_a_file_that_fits_its_manifest_has_no_notes(workspace: Workspace, tmp_path: Path) -> None:
    assert import_verdicts(workspace, with_manifest(file_of(tmp_path, numbered(1)), 1)).notes == ()


def test_a_file_shorter_than_its_manifest_is_incomplete(workspace: Workspace, tmp_path: Path) -> None:
    path = with_manifest(file_of(tmp_path, numbered(1), numbered(2)), 2)
    path.write_bytes(path.read_bytes()[:-40])
    report = import_verdicts(workspace, path)
    assert report.notes == ("Incomplete: the manifest names 2 rows, the file has 1 intact.",)
    assert (report.new, report.rejected_total) == (1, 1)


def test_a_file_other_than_its_manifest_says_is_noted(workspace: Workspace, tmp_path: Path) -> None:
    (note,) = import_verdicts(workspace, with_manifest(file_of(tmp_path, numbered(1)), 1, "0" * 64)).notes
    assert "changed after it was exported" in note


@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b"\xff", b"{}", b'{"file":"f","rows":"1","schema_version":1,"sha256":"x"}', b"[" * 60_000],
    ids=["empty", "array", "bytes", "no keys", "wrong types", "deep"],
)
def test_a_broken_manifest_is_noted_and_the_rows_are_kept(workspace: Workspace, tmp_path: Path, content: bytes) -> None:
    path = file_of(tmp_path, numbered(1))
    manifest_path(path).write_bytes(content)
    report = import_verdicts(workspace, path)
    assert "can't be read as a manifest" in report.notes[0]
    assert report.new == 1


def test_an_empty_file_is_a_file_without_rows(workspace: Workspace, tmp_path: Path) -> None:
    report = import_verdicts(workspace, file_of(tmp_path))
    assert (report.read, report.new, report.notes) == (0, 0, ())
