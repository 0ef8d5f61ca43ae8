"""A version of a dataset made of a pass, from the funnel's screen."""

import pytest

from store import datasets
from store.workspace import Workspace
from tests.state.curating.curated import At, curated
from uq_tui.errors import UqError
from uq_tui.state.curating.pinning import made_words, make_version
from uq_tui.words import CurationStage


async def test_what_was_kept_is_pinned_under_a_name(workspace: Workspace) -> None:
    curation = curated(workspace)
    version = await make_version(workspace, curation.id, " 2026-12 ", "30")
    assert (version.name, version.curation_id, made_words(version)) == ("2026-12", curation.id, "2026-12: 1 main")
    assert [pin.question_id for pin in datasets.entries(workspace, "2026-12")] == ["good"]


@pytest.mark.parametrize(("name", "development"), [("", ""), ("v1", "-1"), ("v1", "many"), ("v1", "10001")])
async def test_what_is_no_name_and_no_number_makes_nothing(workspace: Workspace, name: str, development: str) -> None:
    curation = curated(workspace)
    with pytest.raises(UqError):
        await make_version(workspace, curation.id, name, development)
    assert datasets.versions(workspace) == ()


async def test_of_a_pass_that_kept_nothing_no_version_is_made(workspace: Workspace) -> None:
    curation = curated(workspace, {"first": At(CurationStage.REVIEW)})
    with pytest.raises(UqError, match="needs questions"):
        await make_version(workspace, curation.id, "v1", "")
