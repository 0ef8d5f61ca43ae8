from collections.abc import Iterator

import pytest

from store import candidates, runs
from store.workspace import Workspace
from tests.commands.conftest import LONELY, QUESTION, Desk
from uq_tui.commands import ids
from uq_tui.errors import NotFoundError
from uq_tui.words import RunKind


@pytest.fixture
def opened(desk: Desk) -> Iterator[Workspace]:
    workspace = desk.open()
    yield workspace
    workspace.close()


def test_ids_are_found_by_their_beginning(opened: Workspace, desk: Desk) -> None:
    assert candidates.find_by_prefix(opened, desk.right[:6]) == (desk.right,)
    assert candidates.find_by_prefix(opened, desk.right) == (desk.right,)
    assert candidates.find_by_prefix(opened, "") == tuple(sorted((desk.right, desk.wrong)))


@pytest.mark.parametrize("prefix", ["%", "_", "'", "\x00", "\U0010ffff"])
def test_no_character_is_a_pattern(opened: Workspace, prefix: str) -> None:
    assert candidates.find_by_prefix(opened, prefix) == ()


def test_a_beginning_of_several_lists_them(opened: Workspace, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ids, "SHORTEST", 0)
    with pytest.raises(NotFoundError) as caught:
        ids.candidate(opened, "")
    assert desk.right in caught.value.message
    assert desk.wrong in caught.value.message


def test_runs_are_found_by_their_beginning_too(opened: Workspace) -> None:
    made = runs.create(opened, RunKind.GENERATE, "one answer", {}, 1).id
    assert ids.run(opened, made[:13]) == made
    assert ids.run(opened, made) == made
    with pytest.raises(NotFoundError, match="uq-tui runs"):
        ids.run(opened, "ffffffff")


def test_all_candidates_of_a_question(opened: Workspace, desk: Desk) -> None:
    assert ids.candidates_of(opened, QUESTION) == (desk.right, desk.wrong)
    with pytest.raises(NotFoundError, match="no candidate"):
        ids.candidates_of(opened, LONELY)
    with pytest.raises(NotFoundError, match="nowhere:1"):
        ids.candidates_of(opened, "nowhere:1")
