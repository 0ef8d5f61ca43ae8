from pathlib import Path

import pytest

from store import candidates, exposures, reviewers
from store.frozen_rows import sealed
from tests.commands.conftest import LONELY, QUESTION, SITE, Desk, Run, document
from tests.found_elsewhere import put_validated
from tests.found_runs import audited_by
from tests.measured_runs import measured_by
from tests.scored import scored_outside
from tests.store.records.samples import QUESTION_ID, record
from uq_tui.words import ErrorCategory, Exposure, Reading


def shown(desk: Desk, candidate: str) -> set[Exposure]:
    workspace = desk.open()
    try:
        reviewer = reviewers.current(workspace)
        return {row.what for row in exposures.of_candidate(workspace, reviewer.id, candidate)}
    finally:
        workspace.close()


def test_plain_questions_lists_with_ids(uq: Run) -> None:
    result = uq("questions")
    assert result.exit_code == 0
    assert QUESTION in result.stdout
    assert LONELY in result.stdout
    assert "2 of 2 questions" in result.stderr
    assert "1 of 1 question\n" in uq("questions", "--search", "lonely").stderr


def test_titles_are_text_and_never_steer_the_terminal(uq: Run) -> None:
    result = uq("questions")
    assert "\x1b[2J" not in result.stdout
    assert "[b]even[/b] number␛[2J" in result.stdout


def test_options_of_the_list_need_no_list(uq: Run) -> None:
    assert uq("questions", "--search", "lonely").stdout == uq("questions", "list", "--search", "lonely").stdout


def test_json_has_every_column(uq: Run) -> None:
    found = document(uq("questions", "--json"))
    assert (found["count"], found["capped"]) == (2, False)
    assert found["questions"][0] == {
        "id": QUESTION,
        "title": "Is every [b]even[/b] number\x1b[2J the sum of two primes?",
        "site": SITE,
        "status": "unanswered",
        "score": 12,
        "tags": ["number-theory"],
        "asked_at": None,
        "candidates": 2,
        "verdicts": 0,
        "snippet": None,
    }


@pytest.mark.parametrize(
    ("options", "ids"),
    [
        (("--search", "lonely"), [LONELY]),
        (("--search", 'C*-algebra "x'), []),
        (("--site", SITE), [QUESTION, LONELY]),
        (("--site", "elsewhere.example"), []),
        (("--status", "accepted"), []),
        (("--limit", "1"), [QUESTION]),
    ],
)
def test_filters(uq: Run, options: tuple[str, ...], ids: list[str]) -> None:
    assert [row["id"] for row in document(uq("questions", *options, "--json"))["questions"]] == ids


def test_the_count_is_of_all_that_match(uq: Run) -> None:
    assert document(uq("questions", "--limit", "1", "--json"))["count"] == 2


def test_show_prints_markdown_with_candidate_ids(uq: Run, desk: Desk) -> None:
    result = uq("questions", "show", QUESTION)
    assert result.exit_code == 0
    assert result.stdout.startswith("# Is every [b]even[/b]")
    assert "Every even $n > 2$, that is." in result.stdout
    assert f"# c1  {desk.right[:12]}" in result.stdout
    assert "Yes, by a sieve." in result.stdout
    assert "- neighbours: 2" in result.stdout


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_show_hides_what_a_blind_verdict_must_not_have_seen(uq: Run, desk: Desk, form: tuple[str, ...]) -> None:
    result = uq("questions", "show", QUESTION, *form)
    assert "secret-model" not in result.output
    assert "Think of 8" not in result.output
    assert "incorrect" not in result.output
    assert shown(desk, desk.wrong) == set()


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_reveal_shows_all_and_records_it(uq: Run, desk: Desk, form: tuple[str, ...]) -> None:
    result = uq("questions", "show", QUESTION, "--reveal", *form)
    for text in ("secret-model", "Think of 8", "incorrect", "8 = 3 + 5"):
        assert text in result.stdout
    assert shown(desk, desk.wrong) == {Exposure.MODEL, Exposure.REASONING, Exposure.KNOWN_LABEL}
    assert shown(desk, desk.right) == {Exposure.MODEL, Exposure.REASONING}


def test_show_as_json(uq: Run, desk: Desk) -> None:
    found = document(uq("questions", "show", QUESTION, "--json"))
    assert found["id"] == QUESTION
    assert found["body"]["raw"] == "Every even $n > 2$, that is."
    assert [one["id"] for one in found["candidates"]] == [desk.right, desk.wrong]
    assert [one["known"] for one in found["candidates"]] == [None, None]
    assert [one["answer"] for one in found["neighbours"]] == ["4", "12"]


def test_a_revealed_utility_says_what_was_left_undecided(uq: Run, desk: Desk) -> None:
    workspace = desk.open()
    try:
        run = measured_by(workspace, {desk.right: ["1?", "11"]}, question_id=QUESTION)
    finally:
        workspace.close()
    shown = uq("questions", "show", QUESTION, "--reveal").stdout
    assert f"- utility 1.00, 1 undecided (run {run.id})" in shown
    assert "- Undecided and left out: 1 of 4 rollouts." in shown


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_reveal_shows_outside_scores_and_records_it(uq: Run, desk: Desk, form: tuple[str, ...]) -> None:
    workspace = desk.open()
    try:
        scored_outside(workspace, "rm [b]large", {desk.right: -1.75})
    finally:
        workspace.close()
    assert "rm [b]large" not in uq("questions", "show", QUESTION, *form).stdout
    result = uq("questions", "show", QUESTION, "--reveal", *form)

    if form:
        first, second = (one["known"]["outside_scores"] for one in document(result)["candidates"])
        assert (first, second) == ([{"scorer": "rm [b]large", "value": -1.75, "source": "rm.csv"}], [])
    else:
        assert "- rm [b]large: -1.75 (from rm.csv)" in result.stdout
    assert Exposure.SCORES in shown(desk, desk.right)
    assert Exposure.SCORES not in shown(desk, desk.wrong)


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_reveal_shows_what_runs_elsewhere_found_and_records_it(uq: Run, desk: Desk, form: tuple[str, ...]) -> None:
    workspace = desk.open()
    try:
        put_validated(workspace, desk.right)
    finally:
        workspace.close()
    assert "elsewhere-run" not in uq("questions", "show", QUESTION, *form).stdout
    result = uq("questions", "show", QUESTION, "--reveal", *form)

    if form:
        first, second = (one["known"]["found_elsewhere"] for one in document(result)["candidates"])
        assert ([one["run_id"] for one in first], second) == (["elsewhere-run"], [])
    else:
        assert "- found elsewhere: two by openai/o3: ✗ reject, because fact_logic says so (run else" in result.stdout
    assert Exposure.OUTCOMES in shown(desk, desk.right)
    assert Exposure.OUTCOMES not in shown(desk, desk.wrong)


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_reveal_shows_what_audits_claim_and_records_it(uq: Run, desk: Desk, form: tuple[str, ...]) -> None:
    workspace = desk.open()
    try:
        raw = candidates.get(workspace, desk.right).answer.raw
        flaw = [(ErrorCategory.UNJUSTIFIED_COMPRESSION, "by a sieve")]
        run = audited_by(workspace, desk.right, raw, flaw, model="openai/o3", dropped=1).id
        audited_by(workspace, desk.wrong, "", state=Reading.FAILED, reason="no connection")
    finally:
        workspace.close()
    assert "by a sieve”" not in uq("questions", "show", QUESTION, *form).stdout
    result = uq("questions", "show", QUESTION, "--reveal", *form)

    if form:
        first, second = (one["known"]["audits"] for one in document(result)["candidates"])
        assert [(one["run_id"], one["model"], one["state"], one["dropped"]) for one in first] == [
            (run, "openai/o3", "read", 1)
        ]
        assert [(one["quote"], one["problem"]) for one in first[0]["claims"]] == [("by a sieve", "Problem 1.")]
        assert [(one["state"], one["claims"]) for one in second] == [("failed", [])]
    else:
        assert f"- audited by openai/o3: 1 claim, 1 quote dropped (run {run})" in result.stdout
        assert "- unjustified compression in “by a sieve”: Problem 1." in result.stdout
        assert "- audited by openai/o3: failed: no connection (run" in result.stdout
    assert Exposure.CLAIMS in shown(desk, desk.right)
    assert Exposure.CLAIMS not in shown(desk, desk.wrong)


def test_a_text_that_is_not_here_is_told_with_what_to_import(uq: Run, desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "verdicts.jsonl"
    file.write_text(f"{sealed(record())}\n", encoding="utf-8")
    assert uq("import", str(file)).exit_code == 0
    result = uq("questions", "show", QUESTION_ID)

    assert result.exit_code == 0
    assert "The text of this question is not in this workspace" in result.stdout
    assert "The text of this answer is not in this workspace" in result.stdout
    assert result.stdout.count("uq-tui import") == 2
    assert "not in this workspace" not in uq("questions", "show", QUESTION).stdout
    found = document(uq("questions", "show", QUESTION_ID, "--json"))
    assert (found["body"]["sha256"], found["candidates"][0]["answer"]["sha256"]) == ("", "")


def test_an_unknown_question_is_an_error(uq: Run) -> None:
    result = uq("questions", "show", "nowhere:1", "--json")
    assert result.exit_code == 3
    assert "nowhere:1" in document(result)["error"]["message"]


def test_an_id_that_is_no_utf8_is_wrong_usage(uq: Run) -> None:
    result = uq("questions", "show", "\udcff:1")
    assert result.exit_code == 2
    assert r"'\udcff:1' is not valid UTF-8" in result.stderr
