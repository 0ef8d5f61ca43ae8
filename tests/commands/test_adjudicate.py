"""`uq-tui adjudicate`."""

from contextlib import closing
from dataclasses import replace

import pytest

from store import adjudications, decisions, exposures, queues, reviewers
from store.review_rows import NewItem
from store.rows import Reviewer, VerdictForm
from store.workspace import Workspace
from tests.commands.conftest import QUESTION, Desk, Run, document
from tests.store.records.giving import give
from uq_tui.words import Exposure, Label, QueueMode

BOB = Reviewer("0199aaaa-0000-7000-8000-00000000000b", "bob\x1b[2J", "", ())
RIGHT = VerdictForm(label=Label.CORRECT, score_0_7=6, rationale="It is [b]so[/b].\x1b[2J")
WRONG = VerdictForm(label=Label.INCORRECT, score_0_7=1)


@pytest.fixture
def key(desk: Desk) -> str:
    """A candidate on which the current reviewer and Bob disagree."""
    with closing(desk.open()) as ws:
        me = reviewers.current(ws)
        give(ws, me, desk.right, WRONG)
        give(ws, BOB, desk.right, RIGHT)
        reviewers.use(ws, me.id)
    return desk.right


def seen(ws: Workspace, key: str) -> set[Exposure]:
    return {row.what for row in exposures.of_candidate(ws, reviewers.current(ws).id, key)}


def test_conflicts_are_listed_and_recorded_as_shown(uq: Run, desk: Desk, key: str) -> None:
    for narrower in (("--state", "settled"), ("--site", "nowhere.example")):
        assert document(uq("adjudicate", "list", *narrower, "--json"))["conflicts"] == []
    with closing(desk.open()) as ws:
        assert not seen(ws, key)
    result = uq("adjudicate")
    assert result.exit_code == 0
    assert "1 conflict, 0 settled" in result.stderr
    assert "tester: incorrect 1/7" in result.stdout
    assert "\x1b[2J" not in result.stdout
    found = document(uq("adjudicate", "list", "--by", "score", "--json"))
    (one,) = found["conflicts"]
    assert (one["candidate_id"], one["state"], one["labels_apart"], one["scores_apart"]) == (key, "open", 2, 5)
    assert [given["label"] for given in one["verdicts"]] == ["incorrect", "correct"]
    assert one["adjudication"] is None
    with closing(desk.open()) as ws:
        assert Exposure.OTHER_VERDICTS in seen(ws, key)
    assert len(document(uq("adjudicate", "list", "--question", QUESTION, "--json"))["conflicts"]) == 1
    assert uq("adjudicate", "list", "--question", "nowhere").exit_code == 3


def test_all_that_the_verdicts_say_is_shown_clean(uq: Run, key: str) -> None:
    result = uq("adjudicate", "show", key[:10])
    assert "A  tester: incorrect 1/7" in result.stdout
    assert "It is [b]so[/b].␛[2J" in result.stdout
    shown = document(uq("adjudicate", "show", key, "--json"))
    assert [given["rationale"] for given in shown["verdicts"]] == ["", RIGHT.rationale]


def test_a_conflict_is_settled_revised_undone_and_retracted(uq: Run, desk: Desk, key: str) -> None:
    result = uq("adjudicate", "settle", key, "--label", "correct_borderline", "--error", "other:not in it")
    assert result.stdout == f"{key[:12]}  settled by tester: correct borderline\n"
    assert "'not in it'" in result.stderr
    shown = document(uq("adjudicate", "settle", key, "--label", "correct", "--json"))
    assert (shown["state"], shown["adjudication"]["revision"]) == ("settled", 2)
    assert shown["adjudication"]["settles"] == [given["name"] for given in shown["verdicts"]]
    assert "settled by tester: correct" in uq("adjudicate").stdout.replace("\n", " ")
    assert "recorded: correct_borderline" in uq("verdict", "undo").stdout
    assert uq("adjudicate", "retract", key).stdout == f"{key[:12]}  open\n"
    assert "settles a conflict" in uq("verdict", "history", key).stdout
    assert uq("adjudicate", "retract", key).exit_code == 3
    with closing(desk.open()) as ws:
        row = adjudications.latest(ws, reviewers.current(ws).id, key)
        assert row is not None
        assert not row.blind


def test_nothing_is_settled_between_verdicts_that_do_not_stand(uq: Run, desk: Desk, key: str) -> None:
    names = [given["name"] for given in document(uq("adjudicate", "show", key, "--json"))["verdicts"]]
    between = [part for name in names for part in ("--between", name)]
    with closing(desk.open()) as ws:
        decisions.record(ws, BOB, key, replace(RIGHT, score_0_7=7), based_on=1)
    refused = uq("adjudicate", "settle", key, "--label", "correct", *between)
    assert refused.exit_code != 0
    assert "one of the verdicts was revised" in refused.stderr
    assert uq("adjudicate", "settle", key, "--label", "correct").exit_code == 0


def test_where_nobody_disagrees_there_is_nothing_to_show(uq: Run, desk: Desk, key: str) -> None:
    refused = uq("adjudicate", "show", desk.wrong)
    assert refused.exit_code == 3
    assert "No verdicts of two people disagree" in refused.stderr
    assert uq("adjudicate", "settle", key).exit_code == 2


def test_a_problem_that_is_judged_blind_is_left_out_and_refused(uq: Run, desk: Desk, key: str) -> None:
    with closing(desk.open()) as ws:
        items = {reviewers.current(ws).id: [NewItem(QUESTION, desk.wrong)]}
        queues.make(ws, name="one", mode=QueueMode.BLIND, spec={}, guideline="", shares=items)
        assert seen(ws, key) == set()
    listed = document(uq("adjudicate", "list", "--json"))
    assert (listed["conflicts"], listed["left_out"]) == ([], 1)
    for refused in (uq("adjudicate", "show", key), uq("adjudicate", "settle", key, "--label", "correct")):
        assert refused.exit_code != 0
        assert "blind" in refused.stderr
    with closing(desk.open()) as ws:
        assert seen(ws, key) == set()
