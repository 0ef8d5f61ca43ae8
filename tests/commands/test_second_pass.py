"""The second pass on the command line."""

import pytest

from store import candidates, queues, reviewers
from store.review_rows import NewItem
from tests.commands.conftest import QUESTION, Desk, Run, document, exposed
from tests.found_runs import audited_by
from tests.judged_runs import judged_run
from uq_tui.words import ErrorCategory, Outcome, QueueMode


@pytest.fixture
def claimed(desk: Desk) -> Desk:
    """The desk with an audit and a judgement of the right candidate."""
    ws = desk.open()
    answer = candidates.get(ws, desk.right).answer.raw
    found = [(ErrorCategory.OTHER, answer[:3]), (ErrorCategory.OTHER, answer[:4])]
    audited_by(ws, desk.right, answer, found, model="m\x1b[2J")
    judged_run(ws, desk.right, "correctness", {"correctness": Outcome.REJECT, "": Outcome.REJECT})
    ws.close()
    return desk


def test_items_are_listed_decided_and_taken_back(uq: Run, claimed: Desk) -> None:
    found = document(uq("second-pass", claimed.right, "--json"))
    first, second, stage = found["items"]
    assert (found["decided"], first["kind"], stage["kind"], stage["stage"]) == (0, "claim", "judgement", "correctness")
    assert stage["reply"] == "Reply at correctness."
    assert uq("second-pass", "decide", claimed.right, first["item"], "confirm").exit_code == 0
    assert uq("second-pass", "decide", claimed.right, second["item"], "refute").exit_code == 0
    decided = document(uq("second-pass", "decide", claimed.right, stage["item"], "unsound", "--json"))
    assert decided["decision"] == "unsound"
    assert uq("second-pass", "decide", claimed.right, second["item"], "none").exit_code == 0
    shown = uq("second-pass", claimed.right)
    assert "2 of 3 items decided" in shown.stderr
    assert "\x1b" not in shown.stdout
    assert {"claims", "outcomes"} <= exposed(claimed, claimed.right)


def test_an_item_must_be_named_and_called_what_it_can_be(uq: Run, claimed: Desk) -> None:
    first, _, stage = document(uq("second-pass", claimed.right, "--json"))["items"]
    assert uq("second-pass", "decide", claimed.right, first["item"], "sound").exit_code == 2
    assert uq("second-pass", "decide", claimed.right, stage["item"], "refute").exit_code == 2
    several = uq("second-pass", "decide", claimed.right, first["item"][:10], "confirm")
    assert (several.exit_code, "Several items" in several.stderr) == (3, True)
    assert uq("second-pass", "decide", claimed.right, "nothing", "confirm").exit_code == 3
    assert document(uq("second-pass", claimed.right, "--json"))["decided"] == 0


def test_a_masked_problem_is_refused(uq: Run, claimed: Desk) -> None:
    ws = claimed.open()
    share = {reviewers.current(ws).id: [NewItem(QUESTION, claimed.right)]}
    queues.make(ws, name="q", mode=QueueMode.BLIND, spec={}, guideline="", shares=share)
    ws.close()
    for arguments in ((claimed.right,), ("decide", claimed.right, "0000000000000001", "confirm")):
        result = uq("second-pass", *arguments)
        assert result.exit_code == 2
        assert "blind" in result.stderr
        assert "m␛" not in result.output
    assert exposed(claimed, claimed.right) == set()
