import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from store import drafts, exposures, queues, reviewers
from store.review_rows import NewItem
from store.rows import Reviewer, VerdictForm
from tests.commands.conftest import QUESTION, Desk, Run, document
from tests.scored import scored_outside
from tests.store.records.giving import give
from uq_tui.cli import root
from uq_tui.words import Exposure, ItemRole, Label, QueueMode


def test_a_verdict_is_recorded(uq: Run, desk: Desk) -> None:
    result = uq("verdict", "give", desk.right, "--label", "correct")
    assert result.exit_code == 0
    assert result.stdout == f"{desk.right[:12]}  recorded: correct  (revision 1, blind)\n"


def test_every_field_goes_into_the_row(uq: Run, desk: Desk) -> None:
    row = document(
        uq(
            *("verdict", "give", desk.wrong[:10], "--label", "incorrect", "--score", "2", "--confidence", "4"),
            *("--rationale", "8 = 3 + 5", "--error", "incorrect_reasoning:8 is not", "--error", "other"),
            *("--relation", "domain_expert", "--json"),
        )
    )
    assert (row["candidate_id"], row["label"], row["not_judged"]) == (desk.wrong, "incorrect", "")
    assert (row["score_0_7"], row["confidence"], row["rationale"]) == (2, 4, "8 = 3 + 5")
    assert [error["category"] for error in row["errors"]] == ["incorrect_reasoning", "other"]
    (quote,) = row["errors"][0]["quotes"]
    assert (quote["quote"], quote["start"], quote["end"]) == ("8 is not", 4, 12)
    assert row["reviewer"]["handle"] == "tester"
    assert row["reviewer"]["relation"] == "domain_expert"


def test_a_quote_that_is_not_there_is_kept_and_said(uq: Run, desk: Desk) -> None:
    result = uq("verdict", "give", desk.right, "--label", "incorrect", "--error", "other:not in it", "--json")
    assert result.exit_code == 0
    assert "'not in it'" in result.stderr
    assert document(result)["errors"][0]["quotes"][0]["start"] is None


def test_the_rationale_can_come_from_standard_input(uq: Run, desk: Desk) -> None:
    result = uq(
        "verdict", "give", desk.right, "--label", "unsure", "--rationale", "-", "--json", stdin="Hard.\nVery.\n"
    )
    assert document(result)["rationale"] == "Hard.\nVery."


def test_a_rationale_that_is_no_utf8_is_wrong_usage(desk: Desk) -> None:
    arguments = ("--workspace", str(desk.path), "verdict", "give", desk.right, "--label", "unsure", "--rationale", "-")
    result = CliRunner().invoke(root, arguments, input=b"caf\xe9")
    assert result.exit_code == 2
    assert "not valid UTF-8 (byte 3)" in result.stderr


def test_no_label_but_a_reason(uq: Run, desk: Desk) -> None:
    result = uq("verdict", "give", desk.right, "--not-judged", "out_of_depth")
    assert "recorded: out_of_depth" in result.stdout


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--label", "correct", "--not-judged", "too_tedious"),
        ("--label", "right"),
        ("--label", "correct", "--score", "8"),
        ("--label", "correct", "--confidence", "0"),
        ("--label", "correct", "--error", "typo:x"),
    ],
)
def test_what_makes_no_verdict_is_refused(uq: Run, desk: Desk, options: tuple[str, ...]) -> None:
    assert uq("verdict", "give", desk.right, *options).exit_code == 2
    assert document(uq("verdict", "list", "--json"))["verdicts"] == []


def test_a_second_verdict_is_a_revision(uq: Run, desk: Desk) -> None:
    uq("verdict", "give", desk.right, "--label", "correct")
    assert "(revision 2, blind)" in uq("verdict", "give", desk.right, "--label", "unsure").stdout
    (row,) = document(uq("verdict", "list", "--json"))["verdicts"]
    assert (row["revision"], row["label"]) == (2, "unsure")


def test_a_verdict_can_be_retracted_once(uq: Run, desk: Desk) -> None:
    uq("verdict", "give", desk.right, "--label", "correct")
    assert "retracted  (revision 2" in uq("verdict", "retract", desk.right).stdout
    assert uq("verdict", "retract", desk.right).exit_code == 3
    assert "correct (retracted)" in uq("verdict").stdout


def test_who_has_looked_first_does_not_judge_blind(uq: Run, desk: Desk) -> None:
    uq("questions", "show", QUESTION, "--reveal")
    result = uq("verdict", "give", desk.right, "--label", "correct")
    assert "not blind" in result.stdout


def test_candidates_are_named_by_a_unique_beginning(uq: Run, desk: Desk) -> None:
    assert uq("verdict", "give", f" {desk.right[:6]} ", "--label", "correct").exit_code == 0


@pytest.mark.parametrize("given", ["abc", "", "zzzzzzzz", "%%%%%%%%"])
def test_other_beginnings_are_errors_that_say_where_ids_are(uq: Run, given: str) -> None:
    result = uq("verdict", "give", given, "--label", "correct")
    assert result.exit_code == 3
    assert "questions show" in result.stderr


def test_another_reviewers_verdicts_are_not_listed_unasked(uq: Run, desk: Desk) -> None:
    workspace = desk.open()
    try:
        give(workspace, Reviewer("other-1", "somebody", "", ()), desk.right, VerdictForm(label=Label.INCORRECT))
    finally:
        workspace.close()
    assert "somebody" not in uq("verdict").output
    assert "not blind" not in uq("verdict", "give", desk.right, "--label", "correct").stdout


def test_asking_for_all_verdicts_is_recorded(uq: Run, desk: Desk) -> None:
    workspace = desk.open()
    try:
        give(workspace, Reviewer("other-1", "somebody", "", ()), desk.right, VerdictForm(label=Label.INCORRECT))
    finally:
        workspace.close()
    found = document(uq("verdict", "list", "--all", "--json"))["verdicts"]
    assert [row["reviewer"]["handle"] for row in found] == ["somebody"]
    workspace = desk.open()
    try:
        me = reviewers.current(workspace)
        shown = {row.what for row in exposures.of_candidate(workspace, me.id, desk.right)}
    finally:
        workspace.close()
    assert shown == {Exposure.OTHER_VERDICTS, Exposure.MODEL}
    assert "not blind" in uq("verdict", "give", desk.right, "--label", "correct").stdout


def test_a_row_that_holds_outside_scores_shows_scores(uq: Run, desk: Desk) -> None:
    workspace = desk.open()
    try:
        scored_outside(workspace, "rm", {desk.right: 2.5})
    finally:
        workspace.close()
    row = document(uq("verdict", "give", desk.right, "--label", "correct", "--json"))
    assert row["blind"]
    assert [one["value"] for one in row["evidence"]["outside_scores"]] == [2.5]
    workspace = desk.open()
    try:
        me = reviewers.current(workspace)
        shown = {row.what for row in exposures.of_candidate(workspace, me.id, desk.right)}
    finally:
        workspace.close()
    assert shown == {Exposure.MODEL, Exposure.SCORES}


def test_rows_shown_whole_are_recorded_as_shown(uq: Run, desk: Desk) -> None:
    row = document(uq("verdict", "give", desk.right, "--label", "correct", "--json"))
    assert row["blind"]
    assert row["candidate_origin"]["model"]
    assert "(revision 2, not blind)" in uq("verdict", "give", desk.right, "--label", "unsure").stdout


def test_errors_are_given_with_quotes_claims_problems_and_fixes_by_their_numbers(uq: Run, desk: Desk) -> None:
    row = document(
        uq(
            *("verdict", "give", desk.wrong, "--label", "incorrect", "--error", "incorrect_reasoning:8 is not"),
            *("--error", "other", "--quote", "2:8", "--claim", "1:that", "--problem", "2:no: it is", "--fix", "2:so"),
            *("--flag", "needs_image", "--flag", "ill_posed", "--json"),
        )
    )
    first, second = row["errors"]
    assert (first["claim"], first["problem"], first["fix"]) == ("that", "", "")
    assert (second["quotes"][0]["quote"], second["problem"], second["fix"]) == ("8", "no: it is", "so")
    assert row["question_flags"] == ["ill_posed", "needs_image"]


FORM = {
    "label": "incorrect",
    "score_0_7": 3,
    "confidence": 5,
    "rationale": "No.",
    "errors": [{"category": "other", "quotes": ["8 is not", {"quote": "8", "start": 4, "end": 5}], "fix": "f"}],
    "question_flags": ["duplicate"],
    "relation": "original_poster",
}


def test_all_of_a_verdict_can_come_as_json_and_what_one_is_to_the_question_is_remembered(
    uq: Run, desk: Desk, tmp_path: Path
) -> None:
    file = tmp_path / "form.json"
    file.write_text(json.dumps(FORM), encoding="utf-8")
    row = document(uq("verdict", "give", desk.wrong, "--form", str(file), "--json"))
    assert {key: row[key] for key in ("label", "score_0_7", "confidence", "rationale", "question_flags")} == {
        key: FORM[key] for key in ("label", "score_0_7", "confidence", "rationale", "question_flags")
    }
    assert [quote["start"] for quote in row["errors"][0]["quotes"]] == [4, 4]
    assert row["reviewer"]["relation"] == "original_poster"
    assert uq("verdict", "give", desk.right, "--form", "nowhere.json").exit_code == 3
    other = document(uq("verdict", "give", desk.right, "--form", "-", "--json", stdin='{"label": "correct"}'))
    assert other["reviewer"]["relation"] == "original_poster"


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "an object is wanted"),
        ('{"lable": "correct"}', "'lable' is none of"),
        ('{"label": "right"}', "label is one of"),
        ('{"label": "correct", "score_0_7": true}', "score_0_7 is a whole number"),
        ('{"label": "correct", "rationale": 3}', "rationale is text"),
        ('{"label": "correct", "errors": {}}', "errors is a list"),
        ('{"label": "correct", "errors": [{"category": "typo"}]}', "category is one of"),
        ('{"label": "correct", "errors": [{"category": "other", "quotes": [1]}]}', "an object is wanted"),
        ('{"label": "correct", "question_flags": ["odd"]}', "question_flags are among"),
        ('{"label": "correct", "score_0_7": 8}', "whole number from 0 to 7"),
        ("{}", "Give either"),
    ],
)
def test_json_that_is_no_form_is_refused(uq: Run, desk: Desk, form: str, said: str) -> None:
    result = uq("verdict", "give", desk.right, "--form", "-", stdin=form)
    assert result.exit_code in (2, 3)
    assert said in result.stderr
    assert document(uq("verdict", "list", "--json"))["verdicts"] == []


@pytest.mark.parametrize(
    "options",
    [
        ("--form", "-", "--label", "correct"),
        ("--label", "correct", "--problem", "1:no error"),
        ("--label", "correct", "--error", "other", "--fix", "no number"),
        ("--label", "correct", "--error", "other", "--quote", "2:one too far"),
        ("--label", "correct", "--flag", "odd"),
    ],
)
def test_options_that_do_not_fit_are_wrong_usage(uq: Run, desk: Desk, options: tuple[str, ...]) -> None:
    assert uq("verdict", "give", desk.right, *options).exit_code == 2


def test_verdicts_are_undone_and_redone(uq: Run, desk: Desk) -> None:
    assert uq("verdict", "undo").exit_code == 3
    uq("verdict", "give", desk.right, "--label", "correct")
    uq("verdict", "give", desk.right, "--label", "unsure")
    assert "recorded: correct  (revision 3" in uq("verdict", "undo").stdout
    assert "retracted  (revision 4" in uq("verdict", "undo").stdout
    assert "recorded: correct  (revision 5" in uq("verdict", "redo").stdout
    assert document(uq("verdict", "redo", "--json"))["label"] == "unsure"
    assert uq("verdict", "redo").exit_code == 3


def test_the_history_of_a_verdict_tells_what_changed(uq: Run, desk: Desk) -> None:
    uq("verdict", "give", desk.right, "--label", "correct", "--rationale", "two\nlines")
    uq("verdict", "give", desk.right, "--label", "unsure", "--confidence", "2")
    uq("verdict", "retract", desk.right)
    shown = uq("verdict", "history", desk.right[:8]).stdout
    assert "revision 1: correct, blind" in shown
    assert "verdict: correct -> unsure" in shown
    assert "confidence: nothing -> 2, leaning" in shown
    assert "revision 3: retracted" in shown
    revisions = document(uq("verdict", "history", desk.right, "--json"))["revisions"]
    assert [(one["revision"], one["status"], len(one["changes"])) for one in revisions] == [
        (1, "submitted", 2),
        (2, "submitted", 3),
        (3, "retracted", 0),
    ]


def test_drafts_are_listed_with_their_copies(uq: Run, desk: Desk) -> None:
    workspace = desk.open()
    try:
        me = reviewers.current(workspace).id
        drafts.save(workspace, me, desk.right, VerdictForm(label=Label.UNSURE, rationale="half\x1b[2J"), based_on=0)
        drafts.keep_copy(workspace, me, desk.right, VerdictForm(rationale="the other"))
    finally:
        workspace.close()
    shown = uq("verdict", "drafts").stdout
    assert "unsure" in shown
    assert "the other" in shown
    assert "\x1b" not in shown
    found = document(uq("verdict", "drafts", desk.right, "--json"))["drafts"]
    assert [(one["kind"], one["form"]["label"], bool(one["id"])) for one in found] == [
        ("draft", "unsure", False),
        ("copy", "", True),
    ]
    assert document(uq("verdict", "drafts", desk.wrong, "--json"))["drafts"] == []


def test_an_answer_to_be_judged_once_more_tells_nothing_of_the_first_time(uq: Run, desk: Desk) -> None:
    uq("verdict", "give", desk.right, "--label", "correct")
    workspace = desk.open()
    try:
        me = reviewers.current(workspace).id
        drafts.save(workspace, me, desk.right, VerdictForm(rationale="the first time"), based_on=0)
        share = (NewItem(QUESTION, desk.right, ItemRole.REPEAT),)
        queues.make(workspace, name="q", mode=QueueMode.BLIND, spec={}, guideline="", shares={me: share})
    finally:
        workspace.close()
    for command in (("history", desk.right), ("give", desk.right, "--label", "unsure")):
        result = uq("verdict", *command)
        assert result.exit_code == 2
        assert "once more" in result.stderr
    assert "the first time" not in uq("verdict", "drafts").output


def test_whether_a_name_in_an_answer_is_its_authors_is_not_told_while_the_problem_is_masked(
    uq: Run, desk: Desk
) -> None:
    """A verdict on an answer with its author's true name isn't blind, so that is not said before the reveal."""
    true, other = (desk.answered(f"By secret-author, say I, {which}.", which) for which in ("secret-author", "another"))
    assert uq("queue", "make", "blind").exit_code == 0
    assert uq("read", true).exit_code == 0
    told = []
    for key in (true, other):
        given = uq("verdict", "give", key, "--label", "correct").stdout + uq("verdict", "history", key).stdout
        whole = document(uq("verdict", "give", key, "--label", "incorrect", "--json"))
        (*_, last) = document(uq("verdict", "history", key, "--json"))["revisions"]
        told.append((given.count("blind"), "blind" in whole, last["blind"]))
    assert told == [(0, False, None)] * 2
    assert {row.get("blind") for row in document(uq("verdict", "list", "--json"))["verdicts"]} == {None}
    uq("queue", "close", "blind")
    assert {row["blind"] for row in document(uq("verdict", "list", "--json"))["verdicts"]} == {True, False}


@pytest.mark.parametrize("number", ["0", "3", "x", "9" * 5_000])
def test_what_is_said_of_an_error_that_is_not_there_is_refused(uq: Run, desk: Desk, number: str) -> None:
    given = uq("verdict", "give", desk.right, "--label", "incorrect", "--error", "other", "--quote", f"{number}:words")
    assert given.exit_code == 2
    assert "begin with the number of the --error" in given.stderr
