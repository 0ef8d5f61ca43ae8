"""The report on validators read from a store, and its tables, without a screen."""

import dataclasses

import pytest

from store import candidates, evaluation, exposures, reviewers
from store.rows import NewCandidate, Origin, Reviewer, VerdictForm
from store.workspace import Workspace
from tests.found_elsewhere import TWO, put_validated
from tests.scored import put_labelled
from tests.store.evaluated import put_answers, put_validation, spec
from tests.store.records.giving import give
from tests.store.stock import QUESTION
from uq_tui.analysis.evaluation import evaluate
from uq_tui.analysis.truth import Standing
from uq_tui.errors import NotFoundError
from uq_tui.state.reports.insight_tables import intro, sections
from uq_tui.state.reports.insights import Findings, Wanted, other_borderline, other_labels, read, record_shown
from uq_tui.state.reports.labels import Against
from uq_tui.state.reports.section import MOST_TABLED, Section
from uq_tui.state.reviewing.blind import LeftOut
from uq_tui.words import AuthorKind, Exposure, Label, Outcome, RunState, TextFormat

ACCEPT, REJECT, UNPARSED = Outcome.ACCEPT, Outcome.REJECT, Outcome.UNPARSED
ADA = Reviewer("0199aaaa-0000-7000-8000-000000000001", "ada", "", ())
BOB = Reviewer("0199aaaa-0000-7000-8000-000000000002", "bob", "", ())
LABELS = {
    "a": ("openai/o3-2025-04-16", Label.CORRECT),
    "b": ("o3", Label.INCORRECT),
    "c": ("gpt-4o", Label.CORRECT_BORDERLINE),
    "d": ("gpt-4o", Label.INCORRECT),
    "e": ("claude-3-7-sonnet", Label.UNSURE),
    "f": ("claude-3-7-sonnet", None),
}
OUTCOMES = {"a": ACCEPT, "b": ACCEPT, "c": REJECT, "d": REJECT, "e": REJECT, "f": UNPARSED}


def judged(ws: Workspace) -> dict[str, str]:
    """Six answers with known labels, judged by o3; their ids."""
    for reviewer in (BOB, ADA):
        reviewers.save(ws, reviewer)
    ids = put_answers(ws, LABELS)
    put_validation(ws, {ids[name]: outcome for name, outcome in OUTCOMES.items()})
    return ids


def table(findings: Findings, title: str) -> Section:
    return next(section for section in sections(findings.report) if section.title == title)


def test_without_verdicts_known_labels_are_taken_and_that_is_said(workspace: Workspace) -> None:
    judged(workspace)
    found = read(workspace, Wanted())
    assert (found.against, found.fell_back) == (Against.KNOWN, True)
    assert intro(found) == (
        "6 candidates judged: 2 correct, 2 incorrect, 1 unsure, 1 unlabelled.",
        "Labels are those that came with the candidates, since no judged candidate has a verdict. "
        "Borderline correct counts as correct.",
        "In brackets are 95 % intervals; – is undefined.",
    )
    assert "since" not in intro(read(workspace, Wanted(Against.KNOWN)))[1]
    (one,) = found.report.validators
    assert (one.labelled, one.confusion.true_positive, one.confusion.false_positive) == (4, 1, 1)


def test_one_verdict_on_a_judged_candidate_is_enough_to_go_by_verdicts(workspace: Workspace) -> None:
    ids = judged(workspace)
    give(workspace, ADA, ids["d"], VerdictForm(label=Label.CORRECT))
    found = read(workspace, Wanted())
    assert (found.against, found.fell_back, found.reviewers) == (Against.VERDICTS, False, 1)
    assert found.report.standings[Standing.CORRECT] == 1
    assert found.report.standings[Standing.UNLABELLED] == 5
    assert intro(found)[0] == "6 candidates judged: 1 correct, 5 unlabelled."
    assert intro(found)[1].startswith("Labels are the verdicts of 1 reviewer.")
    assert read(workspace, Wanted(Against.KNOWN)).report.validators[0].labelled == 4


def test_the_majority_of_reviewers_counts_and_ties_are_left_out(workspace: Workspace) -> None:
    ids = judged(workspace)
    for reviewer, of_a, of_b in ((ADA, Label.CORRECT, Label.INCORRECT), (BOB, Label.INCORRECT, Label.INCORRECT)):
        give(workspace, reviewer, ids["a"], VerdictForm(label=of_a))
        give(workspace, reviewer, ids["b"], VerdictForm(label=of_b))
    found = read(workspace, Wanted())
    assert found.reviewers == 2
    assert (found.report.standings[Standing.TIED], found.report.standings[Standing.INCORRECT]) == (1, 1)


def test_a_reference_solution_is_correct_to_validators_too(workspace: Workspace) -> None:
    _, (expert, other) = put_labelled(workspace, 1, ["reference", Label.INCORRECT])
    put_validation(workspace, {expert: REJECT, other: REJECT})
    (found,) = read(workspace, Wanted()).report.validators
    assert (found.labelled, found.confusion.false_negative, found.confusion.true_negative) == (2, 1, 1)


def test_borderline_answers_can_count_as_incorrect(workspace: Workspace) -> None:
    judged(workspace)
    (one,) = read(workspace, Wanted(borderline_correct=False)).report.validators
    assert (one.confusion.false_negative, one.confusion.true_negative) == (0, 2)
    (usual,) = read(workspace, Wanted()).report.validators
    assert (usual.confusion.false_negative, usual.confusion.true_negative) == (1, 1)


def test_authors_go_by_the_models_own_name(workspace: Workspace) -> None:
    judged(workspace)
    rows = table(read(workspace, Wanted()), "Where answers fail").rows
    assert rows == (
        ("1", "claude-3-7-sonnet", "2", "0", "1", "fact logic 1"),
        ("1", "gpt-4o", "2", "0", "0", "fact logic 2"),
        ("1", "o3", "2", "2", "0", "–"),
    )
    kin = table(read(workspace, Wanted()), "Over-rating by model family").rows
    assert [row[:5] for row in kin] == [
        ("1", "openai", "openai", "same model", "2"),
        ("1", "openai", "openai", "same family", "2"),
    ]
    assert kin[0][7].startswith("+.50 [")
    assert kin[1][7].startswith("-.50 [")


def test_people_and_systems_are_authors_of_their_own(workspace: Workspace) -> None:
    judged(workspace)
    origins = {
        "a": Origin(AuthorKind.SYSTEM, system="Deep o3", base_model="openai/o3"),
        "b": Origin(AuthorKind.PERSON, person="Ada", model="o3"),
        "c": Origin(AuthorKind.MODEL),
    }
    candidates.add(
        workspace, [NewCandidate(QUESTION.id, name, TextFormat.MARKDOWN, origin) for name, origin in origins.items()]
    )
    report = read(workspace, Wanted()).report
    assert {row.author: row.judged for row in report.failing} == {
        "claude-3-7-sonnet": 2,
        "gpt-4o": 2,  # a nameless origin beside a named one says nothing
        "o3": 2,
        "Deep o3": 1,
        "person": 1,
    }
    kin = [(row.kinship, row.author_family, row.excess.n) for row in report.over_rating]
    assert kin == [("same model", "openai", 2), ("same family", "openai", 3), ("other", "person", 1)]


def test_other_prompts_are_another_validator_and_their_hashes_are_shown(workspace: Workspace) -> None:
    ids = judged(workspace)
    assert table(read(workspace, Wanted()), "Validators").rows[0][3] == "tagged"
    put_validation(workspace, {ids["a"]: ACCEPT}, spec(prompt="b"))
    shown = table(read(workspace, Wanted()), "Validators")
    forms = {row[3] for row in shown.rows}
    assert len(forms) == 2
    assert all(len(form) == len("tagged 01234567") for form in forms)
    assert "Eight characters" in shown.about


def served(at: str) -> list[dict[str, str]]:
    return [{"id": "openai/o3", "api_base": at}]


@pytest.mark.parametrize(
    ("changes", "strategies", "models"),
    [
        ({"models": served("http://b/v1")}, {"two"}, {"openai/o3 at its provider", "openai/o3 at http://b/v1"}),
        (
            {"strategy": {"name": "two", "title": "two", "notation": "correctness"}},
            {"two: two: fact_logic => correctness", "two: correctness"},
            {"openai/o3"},
        ),
    ],
)
def test_validators_of_one_name_are_told_apart(
    workspace: Workspace, changes: dict[str, object], strategies: set[str], models: set[str]
) -> None:
    ids = judged(workspace)
    put_validation(workspace, {ids["a"]: ACCEPT}, spec() | changes)
    shown = table(read(workspace, Wanted()), "Validators").rows
    assert {row[1] for row in shown} == strategies
    assert {row[2] for row in shown} == models


def test_the_newest_finished_run_counts(workspace: Workspace) -> None:
    ids = judged(workspace)
    put_validation(workspace, {ids["a"]: REJECT})
    put_validation(workspace, {ids["b"]: REJECT}, state=RunState.CANCELLED)
    found = read(workspace, Wanted())
    assert found.report.validators[0].outcomes[ACCEPT] == 1
    assert found.unfinished == 1
    assert "Left out: 1 validation" in intro(found)[-1]


def test_only_the_strategies_that_are_wanted(workspace: Workspace) -> None:
    ids = judged(workspace)
    put_validation(workspace, {ids["a"]: REJECT}, spec("other"))
    put_validation(workspace, {ids["a"]: ACCEPT}, spec("third"))
    names = [one.validator.strategy for one in read(workspace, Wanted()).report.validators]
    assert names == ["other", "third", "two"]
    some = read(workspace, Wanted(strategies=("two", "third: fact_logic => correctness"))).report
    assert [one.validator.strategy for one in some.validators] == ["third", "two"]
    with pytest.raises(NotFoundError) as caught:
        read(workspace, Wanted(strategies=("fourth",)))
    assert "other, third, two" in caught.value.hint


def test_rates_say_what_they_are_and_what_is_undefined_says_why(workspace: Workspace) -> None:
    ids = put_answers(workspace, {"a": ("o3", Label.INCORRECT), "b": ("o3", Label.INCORRECT)})
    put_validation(workspace, {ids["a"]: REJECT, ids["b"]: REJECT})
    shown = table(read(workspace, Wanted()), "Decisions against labels")
    assert shown.rows == (("1", "2", ".00", "1.00", "1.00 [.34,1.00]", "–", "–", "–", "–"),)
    assert shown.notes == (
        "1: balanced, recall undefined, no labelled answer is correct.",
        "1: precision undefined, nothing was accepted.",
        "1: kappa undefined, both gave one label to everything, the same one.",
    )


def test_long_tables_say_how_much_is_missing(workspace: Workspace) -> None:
    judged(workspace)
    report = read(workspace, Wanted()).report
    many = dataclasses.replace(report, failing=report.failing * 30)
    shown = next(section for section in sections(many) if section.title == "Where answers fail")
    assert len(shown.rows) == MOST_TABLED
    assert shown.notes == ("30 more rows: uq-tui report validators --json.",)


def test_pairs_of_validators_without_a_rank_correlation_say_why(workspace: Workspace) -> None:
    ids = judged(workspace)
    put_validation(workspace, {ids["a"]: ACCEPT, ids["c"]: ACCEPT}, spec("other"))
    put_validation(workspace, {ids["a"]: ACCEPT}, spec("third"))
    shown = table(read(workspace, Wanted()), "Do validators rank authors alike?")
    assert shown.rows == (("1, 2", "1", "1", "–"), ("1, 3", "2", "2", "–"), ("2, 3", "1", "1", "–"))
    assert shown.notes == (
        "1, 2; 2, 3: undefined, fewer than two authors were judged by both.",
        "1, 3: undefined, one of them accepts the same share from all authors.",
    )


def test_an_empty_report_has_no_tables() -> None:
    assert sections(evaluate([])) == ()


def exposed(ws: Workspace, reviewer: Reviewer, candidate_id: str) -> set[Exposure]:
    return {row.what for row in exposures.of_candidate(ws, reviewer.id, candidate_id)}


def test_what_a_small_report_gives_away_is_recorded_as_shown(workspace: Workspace) -> None:
    ids = judged(workspace)
    record_shown(workspace, ADA.id, read(workspace, Wanted()), "test")
    assert exposed(workspace, ADA, ids["a"]) == {Exposure.OUTCOMES, Exposure.KNOWN_LABEL}
    assert exposed(workspace, ADA, ids["f"]) == {Exposure.OUTCOMES}  # it has no label


def test_counts_over_many_give_nothing_away(workspace: Workspace) -> None:
    names = [f"answer {number}" for number in range(20)]
    labels = {name: ("gpt-4o", Label.CORRECT if number % 3 else Label.INCORRECT) for number, name in enumerate(names)}
    ids = put_answers(workspace, labels)
    put_validation(workspace, {ids[name]: ACCEPT if number % 2 else REJECT for number, name in enumerate(names)})
    record_shown(workspace, ADA.id, read(workspace, Wanted()), "test")
    assert {what for one in ids.values() for what in exposed(workspace, ADA, one)} == set()


def test_ones_own_verdict_is_no_news(workspace: Workspace) -> None:
    ids = judged(workspace)
    give(workspace, ADA, ids["a"], VerdictForm(label=Label.CORRECT))
    give(workspace, BOB, ids["b"], VerdictForm(label=Label.CORRECT))
    record_shown(workspace, ADA.id, read(workspace, Wanted()), "test")
    assert Exposure.OTHER_VERDICTS not in exposed(workspace, ADA, ids["a"])
    assert Exposure.OTHER_VERDICTS in exposed(workspace, ADA, ids["b"])


def test_what_a_report_is_on_turns(workspace: Workspace) -> None:
    judged(workspace)
    by_known = read(workspace, Wanted())
    assert other_labels(Wanted(), by_known).against is Against.VERDICTS
    assert other_labels(Wanted(), None).against is Against.KNOWN
    assert other_borderline(Wanted(), None) == Wanted(borderline_correct=False)


def test_validators_that_ran_elsewhere_count_and_that_is_said(workspace: Workspace) -> None:
    ids = put_answers(workspace, LABELS)
    for name in "ab":
        put_validated(workspace, ids[name], ACCEPT, run_id=f"run-{name}")
    put_validated(workspace, ids["d"], REJECT, run_id="run-b")
    found = read(workspace, Wanted())
    (one,) = found.report.validators
    assert (one.validator.strategy, one.validator.models, one.labelled) == ("two", ("openai/o3",), 3)
    assert (one.confusion.true_positive, one.confusion.false_positive, one.confusion.true_negative) == (1, 1, 1)
    assert (one.calls.n, one.calls.unknown) == (0, 3)
    assert ("1", "gpt-4o", "1", "0", "0", "fact logic 1") in table(found, "Where answers fail").rows
    assert found.elsewhere == 3
    assert "3 outcomes counted here came in files, of validators that ran elsewhere." in intro(found)
    (others,) = read(workspace, Wanted(), LeftOut(1, frozenset(ids.values()) - {ids["d"]})).report.validators
    assert others.labelled == 1, "what is judged blind is left out of these too"
    assert {*found.told} >= {Exposure.OUTCOMES}
    assert found.told[Exposure.OUTCOMES] == {ids[name] for name in "abd"}


def test_the_same_validator_is_one_here_and_elsewhere_and_what_it_said_here_stands(workspace: Workspace) -> None:
    ids = put_answers(workspace, LABELS)
    put_validation(workspace, {ids["a"]: ACCEPT})
    (here,) = evaluation.finished_validations(workspace)
    same = {**TWO, "prompts": here.prompts}
    for name in "ab":
        put_validated(workspace, ids[name], REJECT, run_id="theirs", validator=same, at="2099-01-01T00:00:00.000000Z")
    found = read(workspace, Wanted())
    (one,) = found.report.validators
    assert (one.confusion.true_positive, one.confusion.true_negative, found.elsewhere) == (1, 1, 1)
    put_validated(workspace, ids["c"], REJECT, run_id="other", validator={**TWO, "prompts": "ffffffff"})
    assert len(read(workspace, Wanted()).report.validators) == 2
