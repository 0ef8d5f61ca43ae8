"""report validators, end to end: candidates with known labels are imported, judged over HTTP, and reported on."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from store import exposures, reviewers
from store.workspace import Workspace
from tests.commands.conftest import LONELY, SITE, Desk, Run, document, model_at
from tests.fakes.openai_server import FakeServer, Rule
from tests.store.evaluated import put_answers, put_validation, spec
from uq_tui.commands.ids import labelled_candidates
from uq_tui.errors import NotFoundError
from uq_tui.words import Exposure, Label, Outcome

Serve = Callable[..., FakeServer]

CANDIDATES = (
    ("Alpha: it is one.", "openai/scripted", "correct"),
    ("Beta: it is two.", "openai/scripted", "incorrect"),
    ("Gamma: it is three.", "gpt-4o", "incorrect"),
    ("Delta: it is four.", "gpt-4o", "incorrect"),
    ("Epsilon: it is five.", "claude-3-7-sonnet-20250219", "correct_borderline"),
    ("Zeta: it is six.", "claude-3-7-sonnet-20250219", "incorrect"),
)
VANILLA, COMPARE = "Decide whether the candidate is correct.", "rather than a neighbouring one"
FACTS = "You look for false statements"
NO, YES = "{tag}: reject", "{tag}: accept"
JUDGE = (
    # The plainest check accepts everything.
    Rule(reply=YES, contains=(VANILLA,)),
    Rule(reply=NO, contains=(COMPARE, "Beta:")),
    Rule(reply=NO, contains=(FACTS, "Gamma:")),
    Rule(reply=YES, contains=(COMPARE,)),
    Rule(reply=YES, contains=(FACTS,)),
    # What is left is correctness, and the question inferred from an answer.
    Rule(reply=YES, contains=("Alpha:",)),
    Rule(reply=YES, contains=("Beta:",)),
    Rule(reply="I can't say.", contains=("Zeta:",)),
    Rule(reply=NO),
)


@pytest.fixture(scope="module")
def kept() -> list[bytes]:
    """The judged workspace's file, made by the first test that needs it."""
    return []


@pytest.fixture
def judged(uq: Run, desk: Desk, served: Serve, tmp_path: Path, kept: list[bytes]) -> Run:
    """The six candidates, judged by 1-Iter and two single checks."""
    if kept:
        desk.path.write_bytes(kept[0])
        return uq
    file = tmp_path / "labelled.jsonl"
    rows = (
        {"question_id": 42, "site": SITE, "answer": answer, "model": model, "known_label": {"label": label, "flaw": ""}}
        for answer, model, label in CANDIDATES
    )
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert uq("import", str(file)).exit_code == 0
    server = served(*JUDGE)
    for strategy in ("1-iter", "c", "vanilla"):
        result = uq("validate", "--question", LONELY, "--strategy", strategy, *model_at(server))
        assert result.exit_code == 0, result.output
    kept.append(desk.path.read_bytes())
    return uq


@pytest.fixture
def report(judged: Run) -> Any:
    result = judged("report", "validators", "--against", "known", "--json")
    assert result.exit_code == 0, result.output
    return document(result)


def values(validator: dict[str, Any], *names: str) -> Sequence[float | None]:
    return [validator["quality"][name]["value"] for name in names]


def test_the_figures_are_those_worked_out_by_hand(report: Any) -> None:
    assert report["standings"] == {"correct": 2, "incorrect": 4, "tied": 0, "unsure": 0, "unlabelled": 0}
    assert (report["against"], report["fell_back"], report["borderline"]) == ("known", False, "correct")
    one_iter, correctness, vanilla = report["validators"]
    names = [one["validator"]["strategy"] for one in report["validators"]]
    assert names == ["1-iter", "c", "vanilla"]
    assert {tuple(one["validator"]["models"]) for one in report["validators"]} == {("openai/scripted",)}

    # Alpha accepted; Beta, Gamma, Delta and Epsilon rejected, the last wrongly; Zeta unreadable, asked twice.
    assert one_iter["outcomes"] == {"accept": 1, "reject": 4, "unparsed": 1, "failed": 0}
    assert one_iter["confusion"] == {"true_positive": 1, "false_positive": 0, "false_negative": 1, "true_negative": 3}
    rates = values(one_iter, "accuracy", "balanced_accuracy", "precision", "recall", "base_rate", "always_reject")
    assert rates == [0.8, 0.75, 1.0, 0.5, 0.4, 0.6]
    assert one_iter["quality"]["kappa"]["value"] == pytest.approx((0.8 - 0.56) / (1 - 0.56))
    assert (one_iter["right_of_labelled"]["hits"], one_iter["right_of_labelled"]["n"]) == (4, 6)
    assert one_iter["always_reject_of_labelled"]["hits"] == 4
    assert (one_iter["unparsed"]["hits"], one_iter["unparsed"]["n"]) == (1, 6)

    # Beta too is accepted.
    assert values(correctness, "accuracy", "precision", "recall") == [0.6, 0.5, 0.5]
    assert correctness["quality"]["balanced_accuracy"]["value"] == pytest.approx((1 / 2 + 2 / 3) / 2)

    assert vanilla["outcomes"] == {"accept": 6, "reject": 0, "unparsed": 0, "failed": 0}
    assert values(vanilla, "precision", "recall", "balanced_accuracy", "kappa") == [1 / 3, 1, 0.5, 0]


def test_calls_are_those_that_were_made(report: Any) -> None:
    one_iter, correctness, vanilla = (one["calls"] for one in report["validators"])
    # Cycle consistency takes two calls; Beta ends there, Gamma one later, and Zeta's last one is asked again.
    assert one_iter == {
        "mean": pytest.approx((4 + 2 + 3 + 4 + 4 + 5) / 6),
        "fewest": 2,
        "most": 5,
        "n": 6,
        "unknown": 0,
    }
    assert (correctness["mean"], correctness["fewest"], correctness["most"]) == (pytest.approx(7 / 6), 1, 2)
    assert (vanilla["mean"], vanilla["n"]) == (1, 6)


def test_kin_stages_ranks_and_gaps(report: Any) -> None:
    kin = [
        (row["kinship"], row["author_family"], row["accepted"]["hits"], row["correct"]["hits"], row["excess"]["n"])
        for row in report["over_rating"]
        if row["number"] == 1
    ]
    assert kin == [("same model", "scripted", 1, 1, 2), ("other", "anthropic", 0, 1, 1), ("other", "openai", 0, 0, 2)]
    stages = {row["author"]: (row["stages"], row["undecided"]) for row in report["failing"] if row["number"] == 1}
    assert stages == {
        "claude-3-7-sonnet": ({"correctness": 1}, 1),
        "gpt-4o": ({"correctness": 1, "fact_logic": 1}, 0),
        "scripted": ({"cycle_consistency": 1}, 0),
    }
    ranks = {(row["first"], row["second"]): (row["tau_b"], row["authors"]) for row in report["stability"]}
    assert ranks == {(1, 2): (1.0, 3), (1, 3): (None, 3), (2, 3): (None, 3)}
    assert [(row["model"], row["answering"]["value"], row["judging"]["value"]) for row in report["gaps"]] == [
        ("scripted", 0.5, 0.8),
        ("scripted", 0.5, 0.6),
        ("scripted", 0.5, pytest.approx(1 / 3)),
    ]


def test_people_read_tables(judged: Run) -> None:
    result = judged("report", "validators")
    assert result.exit_code == 0
    assert "since no judged candidate has a verdict" in " ".join(result.stdout.split())
    assert ".80 [.38,.96]" in result.stdout
    assert "1, 3; 2, 3: undefined, one of them accepts the same share from all authors." in result.stdout
    for title in ("Over-rating by model family", "Where answers fail", "Accuracy and calls", "Answering and judging"):
        assert title in result.stdout


def test_options_restrict_and_turn(judged: Run) -> None:
    options = ("--strategy", "correctness", "--borderline", "incorrect")
    found = document(judged("report", "validators", *options, "--json"))
    (one,) = found["validators"]
    assert (one["number"], one["validator"]["strategy"]) == (1, "c")
    assert one["confusion"] == {"true_positive": 1, "false_positive": 1, "false_negative": 0, "true_negative": 3}
    assert found["fell_back"] is True
    unknown = judged("report", "validators", "--strategy", "nothing-such", "--json")
    assert unknown.exit_code == 3
    assert "1-iter, c, vanilla" in document(unknown)["error"]["hint"]


def test_verdicts_take_the_place_of_known_labels(judged: Run, desk: Desk) -> None:
    candidates = document(judged("questions", "show", LONELY, "--json"))["candidates"]
    gamma = next(one["id"] for one in candidates if one["answer"]["raw"].startswith("Gamma"))
    assert judged("verdict", "give", gamma, "--label", "correct").exit_code == 0
    found = document(judged("report", "validators", "--json"))
    assert (found["against"], found["reviewers"]) == ("verdicts", 1)
    assert found["standings"]["correct"] == 1
    assert found["standings"]["unlabelled"] == 5
    one_iter = found["validators"][0]
    assert values(one_iter, "accuracy", "recall") == [0, 0]
    assert one_iter["quality"]["precision"]["undefined"] == "nothing was accepted"
    with_known = document(judged("report", "validators", "--against", "known", "--json"))
    assert with_known["standings"]["incorrect"] == 4


def test_what_the_report_gives_away_is_recorded(judged: Run, desk: Desk) -> None:
    candidates = [one["id"] for one in document(judged("questions", "show", LONELY, "--json"))["candidates"]]
    judged("report", "validators", "--json")
    workspace = desk.open()
    try:
        me = reviewers.current(workspace).id
        shown = [{row.what for row in exposures.of_candidate(workspace, me, one)} for one in candidates]
    finally:
        workspace.close()
    assert all({Exposure.OUTCOMES, Exposure.KNOWN_LABEL} <= what for what in shown)


def test_names_that_would_steer_a_terminal_are_shown_harmless(uq: Run, desk: Desk) -> None:
    workspace = desk.open()
    try:
        ids = put_answers(workspace, {"a": ("evil\x1b[2J\nmodel", Label.CORRECT)})
        put_validation(workspace, {ids["a"]: Outcome.ACCEPT}, spec("[red]\x1b]0;x\x07", "m\u202e"))
    finally:
        workspace.close()
    result = uq("report", "validators")
    assert result.exit_code == 0
    assert not set("\x1b\x07\u202e") & set(result.output)
    assert "[red]" in result.stdout
    assert "evil␛[2j model" in result.stdout


def test_all_labelled_candidates_are_judged_in_one_run(uq: Run, desk: Desk, served: Serve) -> None:
    server = served(*JUDGE)
    found = document(uq("validate", "--labelled", "--strategy", "vanilla", *model_at(server), "--json"))
    assert {one["candidate_id"] for one in found["outcomes"]} == {desk.wrong}  # the other one has no label
    report = document(uq("report", "validators", "--json"))
    assert report["validators"][0]["confusion"]["false_positive"] == report["validators"][0]["labelled"] == 1


def test_labelled_is_one_of_three_ways_to_choose(uq: Run, desk: Desk) -> None:
    for others in ((desk.right,), ("--question", LONELY)):
        assert uq("validate", "--labelled", *others, "--model", "openai/scripted").exit_code == 2


def test_without_labelled_candidates_it_says_where_labels_come_from(workspace: Workspace) -> None:
    with pytest.raises(NotFoundError) as caught:
        labelled_candidates(workspace)
    assert "known_label" in caught.value.hint


def test_without_validations_it_says_what_to_do(uq: Run) -> None:
    result = uq("report", "validators")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "uq-tui validate" in result.stderr
    assert document(uq("report", "validators", "--json"))["validators"] == []
