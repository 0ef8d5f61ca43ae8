"""queue: laying out, progress, guideline, closing, revealing; and what is never told unasked."""

from pathlib import Path
from typing import Any

import pytest

from store import decisions, queues, reviewers
from store.rows import Reviewer, VerdictForm
from tests.commands.conftest import QUESTION, Desk, Run, document, exposed
from uq_tui.errors import EXIT_NOTHING_DONE, EXIT_OK, EXIT_USAGE
from uq_tui.words import Exposure, Label, NotJudged


@pytest.fixture
def laid_out(uq: Run, desk: Desk) -> Desk:
    """A blind queue of four answers, with one gold item and one that comes again."""
    for text in ("Yes, for all.", "By induction.", "Yes,  for all."):
        desk.answered(text)
    made = uq("queue", "make", "first", "--gold", "0.3", "--repeats", "0.3", "--repeat-after", "2")
    assert made.exit_code == EXIT_OK, made.output
    return desk


def put_off(desk: Desk) -> None:
    """The next item of the queue, by who sits there."""
    workspace = desk.open()
    try:
        item = queues.next_item(workspace, queues.by_name(workspace, "first").id, reviewers.current(workspace).id)
        assert item is not None
        queues.put_off(workspace, item.id)
    finally:
        workspace.close()


def own_items(uq: Run, *more: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = document(uq("queue", "items", "first", "--json", *more))["items"]
    return found


def test_a_dry_run_says_what_would_be_made_and_makes_nothing(uq: Run, desk: Desk) -> None:
    desk.answered("No, 8 is  not.")
    result = uq("queue", "make", "first", "--require", "score", "--two-steps", "--dry-run", "--json")
    told = document(result)
    assert (told["queue_id"], told["problems"], told["candidates"], told["linked"]) == (None, 1, 3, 1)
    (share,) = told["shares"]
    assert (share["reviewer"], share["items"], share["linked"]) == ("tester", 2, 1)
    assert told["spec"]["rules"]["score"] is True
    assert told["spec"]["two_steps"] is True
    assert document(uq("queue", "list", "--json")) == {"queues": []}


def test_making_says_what_was_made(uq: Run, laid_out: Desk) -> None:
    result = uq("queue", "make", "second", "--question", QUESTION)
    assert result.exit_code == EXIT_OK
    assert "1 problem, 5 candidates, 1 identical to another" in result.stderr
    assert "The queue second is made" in result.stderr
    taken = uq("queue", "make", "second")
    assert taken.exit_code == EXIT_NOTHING_DONE
    assert "already" in taken.output
    listed = uq("queue")
    assert [line.split()[:4] for line in listed.stdout.splitlines()[-2:]] == [
        ["first", "blind", "5", "5"],
        ["second", "blind", "4", "4"],
    ]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--strategy", "3-iter"), EXIT_USAGE, "no outcome"),
        (("--practice", "1"), EXIT_USAGE, "2 to 100 practice items"),
        (("--gold", "0.7"), EXIT_USAGE, "0.7"),
        (("--question", "source:none"), EXIT_NOTHING_DONE, "There is no question"),
        (("--tag", "nothing"), EXIT_NOTHING_DONE, "No candidate passes"),
        (("--reviewer", "nobody"), EXIT_NOTHING_DONE, "reviewer"),
        (("--overlap", "0.5"), EXIT_NOTHING_DONE, "can't overlap"),
    ],
)
def test_what_cannot_be_made_is_told(uq: Run, desk: Desk, arguments: tuple[str, ...], code: int, said: str) -> None:
    result = uq("queue", "make", "q", *arguments)
    assert result.exit_code == code
    assert said in result.output


def test_a_queue_for_two_is_divided_and_each_sees_their_own(uq: Run, desk: Desk) -> None:
    workspace = desk.open()
    try:
        reviewers.make(workspace, Reviewer("", "ann", "", ()))
    finally:
        workspace.close()
    result = uq("queue", "make", "first", "--reviewer", "ann", "--reviewer", "me", "--overlap", "1", "--json")
    assert [one["reviewer"] for one in document(result)["shares"]] == ["ann", "tester"]
    put_off(desk)
    rows = document(uq("queue", "show", "first", "--json"))["shares"]
    assert {row["reviewer"]: (row["put_off"], row["left"]) for row in rows} == {"ann": (0, 2), "tester": (1, 2)}
    assert {row["verdicts_an_hour"] for row in rows} == {None}
    nobody = uq("queue", "items", "first", "--reviewer", "zoe")
    assert nobody.exit_code == EXIT_NOTHING_DONE


def test_items_tell_no_roles_and_nothing_of_what_is_to_come(uq: Run, laid_out: Desk) -> None:
    assert own_items(uq) == []
    put_off(laid_out)
    (item,) = own_items(uq)
    assert (item["question_id"], item["state"]) == (QUESTION, "put_off")
    assert (item["candidate_id"], item["role"], item["linked_to"]) == (None, None, None)
    assert Exposure.KNOWN_LABEL not in exposed(laid_out, laid_out.wrong)
    shown = uq("queue", "items", "first")
    assert shown.exit_code == EXIT_OK
    assert not any(word in shown.output for word in ("gold", "repeat", "plain", "linked"))


def test_that_somebody_else_gave_no_label_is_not_told_of_what_is_masked(uq: Run, desk: Desk) -> None:
    workspace = desk.open()
    try:
        ann = reviewers.make(workspace, Reviewer("", "ann", "", ()))
        uq("queue", "make", "first", "--reviewer", "ann", "--reviewer", "me", "--overlap", "1")
        queue = queues.by_name(workspace, "first")
        for verdict in (VerdictForm(not_judged=NotJudged.TOO_TEDIOUS), VerdictForm(label=Label.CORRECT)):
            item = queues.next_item(workspace, queue.id, ann.id)
            assert item is not None
            decisions.decide(workspace, ann, item.id, verdict)
    finally:
        workspace.close()
    hidden = uq("queue", "items", "first", "--reviewer", "ann")
    assert "2 decided" in hidden.stderr
    assert "skipped" not in hidden.output
    assert [one["state"] for one in own_items(uq, "--reviewer", "ann")] == ["decided", "decided"]
    uq("queue", "reveal", QUESTION, "--yes")
    assert [one["state"] for one in own_items(uq, "--reviewer", "ann")] == ["skipped", "decided"]


def test_roles_are_told_when_asked_for_and_that_is_recorded(uq: Run, laid_out: Desk) -> None:
    items = own_items(uq, "--roles")
    assert sorted(one["role"] for one in items if not one["linked_to"]) == ["gold", "plain", "plain", "plain", "repeat"]
    (gold,) = [one["candidate_id"] for one in items if one["role"] == "gold"]
    assert gold == laid_out.wrong
    assert Exposure.KNOWN_LABEL in exposed(laid_out, laid_out.wrong)


def test_a_filter_that_tells_authors_is_not_printed_while_it_would_tell_something_hidden(uq: Run, desk: Desk) -> None:
    uq("queue", "make", "first", "--model", "secret-model")
    for arguments in (("show", "first"), ("list",)):
        result = uq("queue", *arguments, "--json")
        assert "secret-model" not in result.output
    assert document(uq("queue", "show", "first", "--json"))["spec"]["candidates"] is None
    closed = document(uq("queue", "close", "first", "--json"))
    assert closed["spec"]["candidates"]["models"] == ["secret-model"]
    assert exposed(desk, desk.right) == {Exposure.MODEL}


def test_a_guideline_is_printed_and_replaced(uq: Run, laid_out: Desk, tmp_path: Path) -> None:
    assert "has no guideline" in uq("queue", "guideline", "first").stderr
    file = tmp_path / "guideline.md"
    file.write_text("# Read\x1b[2J all\n", encoding="utf-8")
    assert uq("queue", "guideline", "first", str(file)).exit_code == EXIT_OK
    printed = uq("queue", "guideline", "first").stdout
    assert printed.startswith("# Read")
    assert "\x1b" not in printed
    assert document(uq("queue", "guideline", "first", "--json"))["guideline"] == "# Read\x1b[2J all\n"


def test_a_problem_is_revealed_only_after_a_yes(uq: Run, laid_out: Desk) -> None:
    refused = uq("queue", "reveal", QUESTION)
    assert refused.exit_code == EXIT_USAGE
    assert "--yes" in refused.output
    assert document(uq("queue", "reveal", QUESTION, "--yes", "--json")) == {
        "question_id": QUESTION,
        "queues": ["first"],
    }
    again = uq("queue", "reveal", QUESTION, "--yes")
    assert again.exit_code == EXIT_NOTHING_DONE
    assert "Nothing of" in again.output


def test_a_closed_queue_hides_nothing_until_it_is_reopened(uq: Run, laid_out: Desk) -> None:
    assert document(uq("queue", "close", "first", "--json"))["closed_at"]
    assert "closed" in uq("queue", "list").stdout
    assert uq("queue", "reveal", QUESTION, "--yes").exit_code == EXIT_NOTHING_DONE
    assert document(uq("queue", "reopen", "first", "--json"))["closed_at"] is None
    assert uq("queue", "reveal", QUESTION).exit_code == EXIT_USAGE
    missing = uq("queue", "show", "none")
    assert missing.exit_code == EXIT_NOTHING_DONE
    assert "There is no queue" in missing.output
