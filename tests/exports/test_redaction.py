"""Copies of rows without who the reviewer is, or without the answer's words."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from exports.redaction import anonymous_id
from exports.statements import export_statements
from exports.verdicts import RowOptions, export_verdicts, lines
from store import drafts, reviewers, statement_record, statements, verdict_record, verdicts
from store.frozen_rows import sealed
from store.ingest.importer import import_file
from store.review_rows import Said
from store.rows import MarkedError, Quote, Reviewer
from store.verdict_form import anchored, form_of
from store.withheld import Withheld
from store.workspace import Workspace
from tests.new_workspace import new_workspace
from tests.store.records.giving import give
from tests.store.records.samples import ANSWER, QUESTION_ID, form
from tests.store.records.stock import put_candidate
from uq_tui.words import Redacted, Relation, StatementKind, VerdictRole

ANN = Reviewer("r-ann-zq", "ann zq", "0000-0002-1825-0097", ("zq topology",), "Ann Zq", "Zq Institute", ("zq-old",))
BOB = Reviewer("r-bob", "bob", "", ())
QUOTED = "bounded continuous"


@pytest.fixture
def judged(workspace: Workspace) -> Workspace:
    candidate = put_candidate(workspace)
    start = ANSWER.index(QUOTED)
    quote = Quote(QUOTED, start, start + len(QUOTED), "", "")
    marked = (MarkedError("incorrect_reasoning", (quote,), "all maps", "take x^2", "assume compactness"),)
    give(workspace, ANN, candidate, form(errors=marked))
    give(workspace, ANN, candidate, form(errors=marked, rationale="Still wrong."))
    give(workspace, BOB, candidate, form(errors=(), relation=Relation.ORIGINAL_POSTER))
    said = Said(accepted_by="zq asker")
    statements.add(workspace, ANN, StatementKind.ACCEPTANCE, QUESTION_ID, said, candidate_id=candidate)
    return workspace


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Workspace]:
    opened = new_workspace(tmp_path / "elsewhere.uq.sqlite")
    yield opened
    opened.close()


def rows(ws: Workspace, options: RowOptions) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in lines(ws, options)]
    for row in found:
        verdict_record.verify(row)
    return found


def without(row: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key not in (*keys, "redaction", "row_sha256")}


def test_nothing_left_out_is_the_row_as_it_is(judged: Workspace) -> None:
    assert list(lines(judged)) == list(verdicts.records(judged))


def test_an_anonymous_row_names_nobody_and_says_what_it_is_made_of(judged: Workspace, tmp_path: Path) -> None:
    whole, left = rows(judged, RowOptions()), rows(judged, RowOptions(anonymous=True))
    assert [row["redaction"] for row in left] == [
        {"of_sha256": row["row_sha256"], "left_out": ["reviewer"]} for row in whole
    ]
    assert [without(row, "reviewer") for row in left] == [without(row, "reviewer") for row in whole]
    key = anonymous_id(judged.secret, ANN.id)
    assert left[0]["reviewer"] == {
        "id": key,
        "handle": f"reviewer {key[:8]}",
        "orcid": "",
        "relation": "domain_expert",
        "expertise": [],
        "affiliation": "",
        "linked_ids": [],
    }
    assert left[0]["reviewer"] == left[1]["reviewer"] != left[2]["reviewer"]
    assert left[2]["reviewer"]["relation"] == "", "the row names the poster"
    assert "zq" not in json.dumps(left).lower()
    export_statements(judged, tmp_path / "said.jsonl", RowOptions(anonymous=True))
    text = (tmp_path / "said.jsonl").read_text(encoding="utf-8")
    statement_record.verify(json.loads(text))
    assert "zq" not in text.lower()
    assert key in text


def test_ids_are_keyed_by_the_workspace(judged: Workspace, elsewhere: Workspace) -> None:
    assert anonymous_id(judged.secret, ANN.id) != anonymous_id(elsewhere.secret, ANN.id)


def test_without_text_quotes_keep_their_places_only(judged: Workspace) -> None:
    whole, left = rows(judged, RowOptions()), rows(judged, RowOptions(without_text=True))
    (quote,) = left[0]["errors"][0]["quotes"]
    start = ANSWER.index(QUOTED)
    assert quote == {"quote": "", "start": start, "end": start + len(QUOTED), "prefix": "", "suffix": ""}
    assert QUOTED not in json.dumps(left)
    assert left[0]["rationale"] == whole[0]["rationale"]
    assert left[0]["redaction"]["left_out"] == ["text"]
    assert left[2] == whole[2], "nothing is quoted in it"
    (again,) = anchored(form_of(left[0]), ANSWER).errors[0].quotes
    assert again.quote == QUOTED, "whoever has the answer can read them there"


def test_what_is_left_out_twice_names_the_whole_row(judged: Workspace, elsewhere: Workspace, tmp_path: Path) -> None:
    whole = rows(judged, RowOptions())
    first = tmp_path / "anonymous.jsonl"
    export_verdicts(judged, first, RowOptions(anonymous=True))
    report = import_file(elsewhere, first)
    assert (report.new, report.rejected_total) == (3, 0)
    assert list(lines(elsewhere, RowOptions(anonymous=True))) == first.read_text(encoding="utf-8").splitlines()
    both = rows(elsewhere, RowOptions(anonymous=True, without_text=True))
    assert both[0]["redaction"] == {"of_sha256": whole[0]["row_sha256"], "left_out": ["reviewer", "text"]}
    assert both == rows(judged, RowOptions(anonymous=True, without_text=True))


def test_what_nobody_knows_the_meaning_of_is_left_out_too(judged: Workspace) -> None:
    candidate = put_candidate(judged, "Other.")
    given = give(judged, BOB, candidate, form(errors=()))
    strange = sealed({**given.record, "extra": {"annotator": "Zq"}, "newer": "Zq"})
    judged.write(
        lambda db: db.exec_driver_sql("UPDATE verdict SET record = ? WHERE verdict_id = ?", (strange, given.verdict_id))
    )
    assert "Zq" in strange
    assert "zq" not in "".join(lines(judged, RowOptions(anonymous=True))).lower()


def test_the_rows_of_0_1_0_are_redacted_too(judged: Workspace) -> None:
    record = json.loads(next(lines(judged)))
    old = {key: value for key, value in record.items() if key not in ("redaction", "settles", "assignment")}
    old["reviewer"] = {key: value for key, value in old["reviewer"].items() if key not in ("affiliation", "linked_ids")}
    judged.write(
        lambda db: db.exec_driver_sql(
            "UPDATE verdict SET record = ? WHERE verdict_id = ? AND revision = 1", (sealed(old), record["verdict_id"])
        )
    )
    (left, *_) = rows(judged, RowOptions(anonymous=True))
    assert left["redaction"]["left_out"] == [Redacted.REVIEWER]
    assert list(left)[-3:] == ["redaction", "extra", "row_sha256"]
    assert "linked_ids" not in left["reviewer"]


def test_rows_are_chosen_by_reviewer_time_and_version(judged: Workspace) -> None:
    assert len(rows(judged, RowOptions(BOB.id))) == 1
    first = rows(judged, RowOptions())[0]["created_at"]
    assert len(rows(judged, RowOptions(since=first[:10]))) == 3
    assert len(rows(judged, RowOptions(since="2099-01-01"))) == 0
    assert len(rows(judged, RowOptions(dataset_version="2026-01"))) == 3
    assert rows(judged, RowOptions(dataset_version="2025")) == []
    masked = Withheld(frozenset({QUESTION_ID}))
    assert verdicts.count(judged, masked, **RowOptions(BOB.id, dataset_version="2026-01").chosen) == 1


def test_drafts_go_out_last_and_do_not_come_in(judged: Workspace, elsewhere: Workspace, tmp_path: Path) -> None:
    candidate = put_candidate(judged, "Another answer.")
    begun = form(label=None, rationale="So far", errors=())
    drafts.save(judged, BOB.id, candidate, begun, based_on=0)
    drafts.save(judged, ANN.id, candidate, begun, based_on=0, role=VerdictRole.REPEAT)
    *given, _, draft = rows(judged, RowOptions(drafts=True))
    assert len(given) == 3
    assert (draft["status"], draft["label"], draft["rationale"]) == ("draft", "", "So far")
    assert (draft["candidate_id"], draft["extra"]) == (candidate, {"role": "repeat"})
    assert list(lines(judged, RowOptions(drafts=True))) == list(lines(judged, RowOptions(drafts=True)))
    assert len(rows(judged, RowOptions(BOB.id, drafts=True))) == 2
    assert "zq" not in json.dumps(rows(judged, RowOptions(drafts=True, anonymous=True))).lower()
    masked = Withheld(frozenset({QUESTION_ID}))
    assert list(lines(judged, RowOptions(drafts=True), masked)) == []
    assert len(reviewers.all_of(judged)) == 2
