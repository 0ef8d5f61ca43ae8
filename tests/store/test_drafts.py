"""Drafts of two windows, of repeats, and of files that an earlier version wrote."""

import json
import sqlite3
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from sqlite_utils import Database, Migrations

from store import decisions, drafts
from store.migrations import (
    MIGRATIONS,
    m001_first_tables,
    m002_budgets_and_retries,
    m003_judges_and_audits,
    m004_neighbourhoods,
    m005_reading,
    m006_reviewing,
    m007_sources_and_curation,
)
from store.rows import VerdictForm
from store.workspace import Workspace
from tests.store.records.stock import put_candidate
from tests.store.reviewing import ADA, RIGHT, WRONG, people
from uq_tui.errors import DraftMovedError
from uq_tui.words import Label, VerdictRole

MINE, THEIRS = replace(WRONG, rationale="mine"), replace(RIGHT, rationale="theirs")


@pytest.fixture
def key(workspace: Workspace) -> str:
    people(workspace)
    return put_candidate(workspace)


def test_two_windows_on_one_draft_keep_both_texts_and_the_later_is_told(workspace: Workspace, key: str) -> None:
    with closing(Workspace.open(workspace.path)) as other:
        start = drafts.save(workspace, ADA.id, key, WRONG, based_on=0)
        theirs = drafts.save(other, ADA.id, key, THEIRS, based_on=start)
        with pytest.raises(DraftMovedError) as caught:
            drafts.save(workspace, ADA.id, key, MINE, based_on=start)
        kept = drafts.get(other, ADA.id, key)
        assert kept == caught.value.theirs
        assert kept is not None
        assert (kept.form, kept.version) == (THEIRS, theirs)
        (copy,) = drafts.copies(other, ADA.id)
        assert (copy.id, copy.candidate_id, copy.form, copy.role) == (
            caught.value.copy_id,
            key,
            MINE,
            VerdictRole.ORDINARY,
        )
        drafts.save(workspace, ADA.id, key, MINE, based_on=theirs)
        drafts.drop_copy(workspace, copy.id)
        drafts.drop_copy(workspace, copy.id)
        assert drafts.copies(other, ADA.id, key) == ()
        with pytest.raises(DraftMovedError):
            drafts.save(other, ADA.id, key, THEIRS, based_on=theirs)


def test_a_window_that_began_without_a_draft_is_told_of_one(workspace: Workspace, key: str) -> None:
    drafts.save(workspace, ADA.id, key, THEIRS, based_on=0)
    with pytest.raises(DraftMovedError):
        drafts.save(workspace, ADA.id, key, MINE, based_on=0)


def test_the_same_words_are_no_conflict_however_long_they_took(workspace: Workspace, key: str) -> None:
    drafts.save(workspace, ADA.id, key, MINE, based_on=0)
    drafts.save(workspace, ADA.id, key, replace(MINE, seconds_active=9.0), based_on=0)
    assert drafts.copies(workspace, ADA.id) == ()


def test_telling_the_same_twice_keeps_one_copy(workspace: Workspace, key: str) -> None:
    drafts.save(workspace, ADA.id, key, THEIRS, based_on=0)
    told = []
    for form in (MINE, replace(MINE, seconds_total=5.0), replace(MINE, rationale="more of mine")):
        with pytest.raises(DraftMovedError) as caught:
            drafts.save(workspace, ADA.id, key, form, based_on=0)
        told.append(caught.value.copy_id)
    assert [copy.id for copy in drafts.copies(workspace, ADA.id)] == [told[0], told[2]]
    assert told[0] == told[1]


def test_a_draft_begun_anew_is_never_taken_for_the_one_that_was_recorded(workspace: Workspace, key: str) -> None:
    old = drafts.save(workspace, ADA.id, key, MINE, based_on=0)
    workspace.write(lambda conn: drafts.forget(conn, ADA.id, key))
    new = drafts.save(workspace, ADA.id, key, THEIRS, based_on=old)
    assert new != old
    with pytest.raises(DraftMovedError):
        drafts.save(workspace, ADA.id, key, MINE, based_on=old)


def test_a_repeat_has_a_draft_of_its_own(workspace: Workspace, key: str) -> None:
    drafts.save(workspace, ADA.id, key, MINE, based_on=0)
    drafts.save(workspace, ADA.id, key, THEIRS, based_on=0, role=VerdictRole.REPEAT)
    found = [drafts.get(workspace, ADA.id, key, role=role) for role in (VerdictRole.ORDINARY, VerdictRole.REPEAT)]
    assert [one.form.rationale for one in found if one is not None] == ["mine", "theirs"]
    workspace.write(lambda conn: drafts.forget(conn, ADA.id, key))
    assert drafts.get(workspace, ADA.id, key, role=VerdictRole.REPEAT) is not None


def test_what_another_window_wrote_is_kept_when_a_verdict_is_recorded(workspace: Workspace, key: str) -> None:
    drafts.save(workspace, ADA.id, key, THEIRS, based_on=0)
    decisions.record(workspace, ADA, key, MINE, based_on=0)
    assert drafts.get(workspace, ADA.id, key) is None
    assert [copy.form for copy in drafts.copies(workspace, ADA.id, key)] == [THEIRS]


@pytest.mark.parametrize("draft", [MINE, replace(MINE, seconds_active=1.0), WRONG, VerdictForm()])
def test_a_draft_that_says_no_more_than_the_verdict_leaves_no_copy(
    workspace: Workspace, key: str, draft: VerdictForm
) -> None:
    drafts.save(workspace, ADA.id, key, draft, based_on=0)
    decisions.record(workspace, ADA, key, MINE, based_on=0)
    assert drafts.get(workspace, ADA.id, key) is None
    assert drafts.copies(workspace, ADA.id) == ()


OLD_FORM = {name: value for name, value in asdict(MINE).items() if name not in ("final_answer", "derivation")}
BEFORE_QUEUES = (
    m001_first_tables,
    m002_budgets_and_retries,
    m003_judges_and_audits,
    m004_neighbourhoods,
    m005_reading,
)
QUESTION = ("q0", "Is it so?", "", "unanswered", "[]", "plain", "", "", "", "", "", "2026-01-31", "{}")


def old_file(path: Path, form: str) -> None:
    """A file from before there were queues, with a draft in it."""
    steps = Migrations(MIGRATIONS.name)
    for step in BEFORE_QUEUES:
        steps()(step)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        steps.apply(Database(db, execute_plugins=False))
        db.execute("INSERT INTO reviewer VALUES (?, 'ada', '', '[]', '2026-01-31')", (ADA.id,))
        columns = "id, title, site, status, tags, body_format, link, author, licence, category, dataset_version"
        db.execute(
            f"INSERT INTO question ({columns}, created_at, extra) VALUES ({', '.join('?' * len(QUESTION))})", QUESTION
        )
        db.execute(
            "INSERT INTO candidate (id, question_id, number, answer_format, reasoning, cut_off, created_at, reference) "
            "VALUES ('c', 'q0', 1, 'plain', '', 0, '2026-01-31', 0)"
        )
        db.execute("INSERT INTO draft VALUES (?, 'c', ?, '2026-01-31T12:00:00.000000Z')", (ADA.id, form))


def test_drafts_of_a_file_from_before_there_were_queues_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "w"
    old_file(path, json.dumps({**OLD_FORM, "question_flags": ["ambiguous"]}))
    with closing(Workspace.open(path)) as ws:
        assert ws.copy is not None
        draft = drafts.get(ws, ADA.id, "c")
        assert draft is not None
        assert (draft.form, draft.version) == (MINE, 1)
        assert draft.form.label is Label.INCORRECT
        drafts.save(ws, ADA.id, "c", THEIRS, based_on=1)
        assert drafts.get(ws, ADA.id, "c", role=VerdictRole.REPEAT) is None


def test_drafts_of_repeats_stay_apart_in_a_file_from_before_there_were_adjudications(tmp_path: Path) -> None:
    path, form = tmp_path / "w", json.dumps(asdict(MINE))
    old_file(path, form)
    steps = Migrations(MIGRATIONS.name)
    for step in (*BEFORE_QUEUES, m006_reviewing, m007_sources_and_curation):
        steps()(step)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        steps.apply(Database(db, execute_plugins=False))
        db.execute("INSERT INTO draft VALUES (?, 'c', 1, ?, '2026-01-31', 8)", (ADA.id, form))
        db.execute("INSERT INTO draft_copy VALUES ('copy', ?, 'c', 1, ?, '2026-01-31')", (ADA.id, form))
    with closing(Workspace.open(path)) as ws:
        found = [(role, draft.version) for _, role, draft in drafts.of_reviewer(ws, ADA.id)]
        assert sorted(found) == [(VerdictRole.ORDINARY, 1), (VerdictRole.REPEAT, 8)]
        assert [(one.id, one.role) for one in drafts.copies(ws, ADA.id)] == [("copy", VerdictRole.REPEAT)]
