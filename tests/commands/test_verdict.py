import pytest
from click.testing import CliRunner

from store import exposures, reviewers, verdicts
from store.rows import Reviewer, VerdictForm
from tests.commands.conftest import QUESTION, Desk, Run, document
from tests.scored import scored_outside
from uq_tui.cli import root
from uq_tui.words import Exposure, Label


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
        verdicts.save(
            workspace, Reviewer("other-1", "somebody", "", ()), desk.right, VerdictForm(label=Label.INCORRECT)
        )
    finally:
        workspace.close()
    assert "somebody" not in uq("verdict").output
    assert "not blind" not in uq("verdict", "give", desk.right, "--label", "correct").stdout


def test_asking_for_all_verdicts_is_recorded(uq: Run, desk: Desk) -> None:
    workspace = desk.open()
    try:
        verdicts.save(
            workspace, Reviewer("other-1", "somebody", "", ()), desk.right, VerdictForm(label=Label.INCORRECT)
        )
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
