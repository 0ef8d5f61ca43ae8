"""Several reviewers on one store."""

from dataclasses import replace

import pytest

from store import reviewers
from store.rows import Reviewer
from store.workspace import Workspace
from tests.store.records.samples import REVIEWER
from uq_tui.errors import NotFoundError, UqError

BO = Reviewer("", "bo", "", ("topology", "π"), name="Bo \ud83d \x1b[2J", affiliation="ETH", linked=("elsewhere",))


def test_a_reviewer_who_is_added_gets_an_id_and_takes_no_seat(workspace: Workspace) -> None:
    sitting = reviewers.current(workspace)
    made = reviewers.make(workspace, BO)
    assert made == replace(BO, id=made.id)
    assert reviewers.get(workspace, made.id) == made
    assert reviewers.by_handle(workspace, "bo") == made
    assert reviewers.current(workspace) == sitting
    assert reviewers.all_of(workspace) == (sitting, made)
    assert reviewers.find_by_prefix(workspace, made.id[:30]) == (made.id,)


def test_another_reviewer_can_sit_down(workspace: Workspace) -> None:
    reviewers.save(workspace, REVIEWER)
    made = reviewers.make(workspace, BO)
    assert reviewers.use(workspace, made.id) == made
    assert reviewers.current(workspace) == made
    with pytest.raises(NotFoundError, match="no reviewer 'nobody'"):
        reviewers.use(workspace, "nobody")
    assert reviewers.current(workspace) == made


def test_public_names_are_given_once(workspace: Workspace) -> None:
    made = reviewers.make(workspace, BO)
    with pytest.raises(UqError, match="Another reviewer here is called 'bo'"):
        reviewers.make(workspace, BO)
    reviewers.save(workspace, REVIEWER)
    with pytest.raises(UqError, match="Another reviewer"):
        reviewers.edit(workspace, replace(REVIEWER, handle="bo"))
    reviewers.edit(workspace, replace(made, affiliation="EPFL"))
    assert reviewers.by_handle(workspace, "bo").affiliation == "EPFL"
    assert reviewers.current(workspace) == REVIEWER


def test_a_name_that_nobody_or_several_have_is_told(workspace: Workspace) -> None:
    with pytest.raises(NotFoundError, match="No reviewer here is called 'emmy'"):
        reviewers.by_handle(workspace, "emmy")
    for number in "12":  # as stores of 0.1.0 may have them
        reviewers.save(workspace, replace(BO, id=number))
    with pytest.raises(NotFoundError, match="Several reviewers are called 'bo': 1, 2"):
        reviewers.by_handle(workspace, "bo")
    with pytest.raises(NotFoundError):
        reviewers.edit(workspace, replace(BO, id="3"))


def test_links_go_both_ways_where_both_are_here(workspace: Workspace) -> None:
    reviewers.save(workspace, REVIEWER)
    made = reviewers.make(workspace, BO)
    linked = reviewers.link(workspace, made.id, REVIEWER.id)
    assert linked.linked == ("elsewhere", REVIEWER.id)
    assert reviewers.get(workspace, REVIEWER.id).linked == (made.id,)
    assert reviewers.link(workspace, made.id, "on-the-laptop").linked[-1] == "on-the-laptop"
    assert reviewers.link(workspace, made.id, REVIEWER.id).linked == ("elsewhere", REVIEWER.id, "on-the-laptop")
    with pytest.raises(UqError, match="themselves"):
        reviewers.link(workspace, made.id, made.id)


@pytest.mark.parametrize("other", ["", "a\x1b[2J", "\ud83d", "x" * 501])
def test_nobody_is_linked_to_what_is_no_id(workspace: Workspace, other: str) -> None:
    own = reviewers.current(workspace)
    with pytest.raises(UqError, match="no id"):
        reviewers.link(workspace, own.id, other)
    assert reviewers.current(workspace) == own
