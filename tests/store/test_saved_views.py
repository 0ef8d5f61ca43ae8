"""Filters kept under names."""

import json

import pytest
from sqlalchemy import update

from store import saved_views
from store.rows import QuestionFilter
from store.saved_views import SavedView
from store.source_tables import SavedViewTable
from store.workspace import Workspace
from uq_tui.errors import NotFoundError
from uq_tui.words import Direction, Order, QuestionStatus, Resolution, ScoreBand

WANTED = QuestionFilter(
    site="a.org",
    status=QuestionStatus.ANSWERED,
    text='"two words" -x',
    tags=("a", "b"),
    domain="Science",
    resolution=Resolution.OPEN,
    score_band=ScoreBand.FEW,
    year="2014",
)


def test_a_view_comes_back_as_it_was_kept(workspace: Workspace) -> None:
    full = SavedView("my view", WANTED, Order.SCORE, Direction.DOWN)
    saved_views.save(workspace, SavedView("all", QuestionFilter()))
    saved_views.save(workspace, SavedView(" my view ", QuestionFilter(site="x")))
    saved_views.save(workspace, full)
    assert saved_views.all_of(workspace) == (SavedView("all", QuestionFilter()), full)
    assert saved_views.get(workspace, "my view") == full


def test_a_dropped_view_is_gone(workspace: Workspace) -> None:
    saved_views.save(workspace, SavedView("one", WANTED))
    saved_views.drop(workspace, "one")
    assert saved_views.all_of(workspace) == ()
    with pytest.raises(NotFoundError, match="no view one"):
        saved_views.drop(workspace, "one")


def test_a_view_needs_a_name(workspace: Workspace) -> None:
    with pytest.raises(ValueError, match="name"):
        saved_views.save(workspace, SavedView(" ", WANTED))


def test_what_this_version_does_not_know_is_left_out(workspace: Workspace) -> None:
    saved_views.save(workspace, SavedView("one", QuestionFilter(site="x")))
    wanted = json.dumps({"filter": {"site": "x", "colour": "red"}, "order": "score", "direction": "down"})
    workspace.write(lambda db: db.execute(update(SavedViewTable).values(wanted=wanted)))
    (view,) = saved_views.all_of(workspace)
    assert view == SavedView("one", QuestionFilter(site="x"), Order.SCORE, Direction.DOWN)
    wanted = json.dumps({"filter": {"site": "x", "status": "asleep"}, "order": "colour"})
    workspace.write(lambda db: db.execute(update(SavedViewTable).values(wanted=wanted)))
    assert saved_views.all_of(workspace) == (SavedView("one", QuestionFilter(site="x")),)
