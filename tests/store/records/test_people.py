"""Reviewers, what they were shown, and their drafts."""

import getpass
from dataclasses import replace
from functools import partial

import pytest

from store import drafts, exposures, reviewers
from store.rows import MarkedError, Quote, VerdictForm
from store.workspace import Workspace
from tests.store.records.race import together
from tests.store.records.samples import QUESTION_ID, REVIEWER, form
from tests.store.records.stock import put_candidate
from uq_tui.words import Exposure, Label, NotJudged


def test_the_first_reviewer_has_the_name_of_the_system_user(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(getpass, "getuser", lambda: "noether")
    made = reviewers.current(workspace)
    assert (made.handle, made.orcid, made.expertise) == ("noether", "", ())
    assert reviewers.current(workspace) == made


@pytest.mark.parametrize("cause", [OSError, KeyError])
def test_a_user_without_a_name_still_is_a_reviewer(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, cause: type[Exception]
) -> None:
    def nameless() -> str:
        raise cause("no such user id")

    monkeypatch.setattr(getpass, "getuser", nameless)
    assert reviewers.current(workspace).handle == "reviewer"


def test_particulars_can_be_changed(workspace: Workspace) -> None:
    made = reviewers.current(workspace)
    changed = replace(made, handle="emmy \ud83d", orcid="0000-0002-1825-0097", expertise=("algebra", "π"))
    reviewers.save(workspace, changed)
    assert reviewers.current(workspace) == changed


def test_the_reviewer_saved_last_is_the_current_one(workspace: Workspace) -> None:
    made = reviewers.current(workspace)
    reviewers.save(workspace, REVIEWER)
    assert reviewers.current(workspace) == REVIEWER
    reviewers.save(workspace, made)
    assert reviewers.current(workspace) == made


def test_threads_that_ask_at_once_get_one_reviewer(workspace: Workspace) -> None:
    ask = partial(reviewers.current, workspace)
    assert len(set(together(ask, ask, ask, ask))) == 1


def test_an_exposure_is_logged_the_first_time_only(workspace: Workspace) -> None:
    candidate = put_candidate(workspace)
    reviewers.save(workspace, REVIEWER)
    for where in ("workbench", "ranking"):
        exposures.record(workspace, REVIEWER.id, QUESTION_ID, candidate, Exposure.MODEL, where)
    (shown,) = exposures.of_candidate(workspace, REVIEWER.id, candidate)
    assert (shown.what, shown.where, shown.question_id) == (Exposure.MODEL, "workbench", QUESTION_ID)
    assert shown.at.endswith("Z")


def test_exposures_belong_to_a_reviewer_and_a_candidate(workspace: Workspace) -> None:
    first, second = put_candidate(workspace), put_candidate(workspace, "Another answer.")
    other = replace(REVIEWER, id="someone-else")
    for reviewer in (REVIEWER, other):
        reviewers.save(workspace, reviewer)
    exposures.record(workspace, REVIEWER.id, QUESTION_ID, first, Exposure.UTILITY, "workbench")
    assert exposures.of_candidate(workspace, REVIEWER.id, second) == ()
    assert exposures.of_candidate(workspace, other.id, first) == ()


def test_exposures_come_in_order_of_time(workspace: Workspace) -> None:
    candidate = put_candidate(workspace)
    reviewers.save(workspace, REVIEWER)
    order = [Exposure.UTILITY, Exposure.MODEL, Exposure.KNOWN_LABEL]
    for what in order:
        exposures.record(workspace, REVIEWER.id, QUESTION_ID, candidate, what, "workbench")
    assert [shown.what for shown in exposures.of_candidate(workspace, REVIEWER.id, candidate)] == order


@pytest.fixture
def candidate(workspace: Workspace) -> str:
    reviewers.save(workspace, REVIEWER)
    return put_candidate(workspace)


@pytest.mark.parametrize(
    "draft",
    [
        VerdictForm(),
        form(),
        form(label=None, not_judged=NotJudged.TOO_TEDIOUS, confidence=None),
        form(rationale="\ud83d \0 \u2028", errors=(MarkedError("other", (Quote("x", None, None, "", ""),)),)),
        form(label=Label.CORRECT_BORDERLINE, score_0_7=99),
    ],
    ids=["empty", "full", "not judged", "odd text", "not valid yet"],
)
def test_a_draft_comes_back_as_it_was(workspace: Workspace, candidate: str, draft: VerdictForm) -> None:
    drafts.save(workspace, REVIEWER.id, candidate, draft, based_on=0)
    kept = drafts.get(workspace, REVIEWER.id, candidate)
    assert kept is not None
    assert kept.form == draft


def test_the_newest_draft_is_kept(workspace: Workspace, candidate: str) -> None:
    version = 0
    for rationale in ("a", "ab", "abc"):
        version = drafts.save(workspace, REVIEWER.id, candidate, form(rationale=rationale), based_on=version)
    kept = drafts.get(workspace, REVIEWER.id, candidate)
    assert kept is not None
    assert kept.form.rationale == "abc"


def test_a_draft_can_be_discarded(workspace: Workspace, candidate: str) -> None:
    other = put_candidate(workspace, "Another answer.")
    for each in (candidate, other):
        drafts.save(workspace, REVIEWER.id, each, form(), based_on=0)
    workspace.write(lambda conn: drafts.forget(conn, REVIEWER.id, candidate))
    workspace.write(lambda conn: drafts.forget(conn, REVIEWER.id, candidate))
    assert drafts.get(workspace, REVIEWER.id, candidate) is None
    kept = drafts.get(workspace, REVIEWER.id, other)
    assert kept is not None
    assert kept.form == form()
