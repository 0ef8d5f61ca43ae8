"""Exports from the app: what the current reviewer may see, stopped without a trace, signed with the named key."""

import json
from pathlib import Path

import pytest

from store import queues, reviewers
from store.review_rows import NewItem
from store.rows import Reviewer
from store.workspace import Workspace
from tests.store.records.giving import give
from tests.store.records.samples import QUESTION_ID, form
from tests.store.records.stock import put_candidate, put_evidence
from uq_tui.errors import ExportError, SignatureError
from uq_tui.state.exporting import FORMATS, ExportWish, What, export_to
from uq_tui.words import QueueMode

OTHER = Reviewer("r-other", "other", "", ())


@pytest.fixture
def judged(workspace: Workspace) -> Workspace:
    """The current reviewer and another one have judged the same answer."""
    candidate = put_candidate(workspace)
    put_evidence(workspace, candidate)
    for who in (reviewers.current(workspace), OTHER):
        give(workspace, who, candidate, form(errors=()))
    return workspace


async def test_own_rows_and_those_of_all_since_a_day(judged: Workspace, tmp_path: Path) -> None:
    path = str(tmp_path / "out.jsonl")
    told: list[int] = []
    assert (await export_to(judged, ExportWish(path), told.append)).report.rows == 2
    assert told == [2]
    assert (await export_to(judged, ExportWish(path, mine=True))).report.rows == 1
    assert (await export_to(judged, ExportWish(path, since="2099-01-01T00:00:00Z"))).report.rows == 0
    assert (await export_to(judged, ExportWish(path, dataset_version=" 2026-01 "))).report.rows == 2
    with pytest.raises(ExportError, match="neither a day"):
        await export_to(judged, ExportWish(path, since="2026-02-30"))


async def test_masked_rows_are_held_back_of_each_kind(judged: Workspace, tmp_path: Path) -> None:
    share = {reviewers.current(judged).id: [NewItem(QUESTION_ID, put_candidate(judged, "Another."))]}
    queues.make(judged, name="q", mode=QueueMode.BLIND, spec={}, guideline="", shares=share)
    path = tmp_path / "out.jsonl"
    exported = await export_to(judged, ExportWish(str(path)))
    assert (exported.report.rows, exported.held_back, path.read_bytes()) == (0, 2, b"")
    for what in (What.STATEMENTS, What.EVIDENCE):
        await export_to(judged, ExportWish(str(path), what))
        assert path.read_bytes() == b""


async def test_other_formats_follow_what_fits_them_and_can_be_stopped(judged: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "out"
    exported = await export_to(judged, ExportWish(str(path), What.OTHER, "inspect", mine=True))
    assert (exported.report.rows, exported.held_back, exported.said) == (1, 0, ())
    before = path.read_bytes()
    with pytest.raises(ExportError, match="has no drafts"):
        await export_to(judged, ExportWish(str(path), What.STATEMENTS, drafts=True))
    with pytest.raises(ExportError, match="can't go without their words"):
        await export_to(judged, ExportWish(str(path), What.OTHER, "inspect", without_text=True))
    for name in FORMATS:
        with pytest.raises(ExportError, match="stopped"):
            await export_to(judged, ExportWish(str(path), What.OTHER, name), is_cancelled=lambda: True)
    assert path.read_bytes() == before


async def test_one_that_is_stopped_or_cannot_be_signed_leaves_the_old_file(judged: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    await export_to(judged, ExportWish(str(path), mine=True))
    before = {one.name: one.read_bytes() for one in tmp_path.iterdir()}
    with pytest.raises(ExportError, match="stopped"):
        await export_to(judged, ExportWish(str(path)), is_cancelled=lambda: True)
    with pytest.raises(ExportError, match="stopped"):
        await export_to(judged, ExportWish(str(path), since="2099-01-01"), is_cancelled=lambda: True)
    with pytest.raises(SignatureError, match="nowhere is not a file"):
        await export_to(judged, ExportWish(str(path), key=str(tmp_path / "nowhere")))
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == before
    assert json.loads(before["out.jsonl.manifest.json"])["rows"] == 1
