"""Reports on validators, worked out by hand from small lists of judgements."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.analysis.cases import Answer, Author, Group, Judgement, Validator, grouped
from uq_tui.analysis.evaluation import Calls, Kinship, Report, evaluate
from uq_tui.analysis.families import family_of
from uq_tui.analysis.telling import FEWEST, labels_told, outcomes_told
from uq_tui.analysis.truth import Standing
from uq_tui.words import Outcome

ACCEPT, REJECT, UNPARSED, FAILED = Outcome.ACCEPT, Outcome.REJECT, Outcome.UNPARSED, Outcome.FAILED
RIGHT, WRONG = Standing.CORRECT, Standing.INCORRECT


def validator(strategy: str = "3-iter", *models: str, form: str = "tagged", prompts: str = "p") -> Validator:
    models = models or ("openai/o3",)
    return Validator(strategy, "", models, ("",) * len(models), form, prompts)


def answer(name: str, standing: Standing, *models: str) -> Answer:
    authors = tuple(Author(model, family_of(model)) for model in models or ("o3",))
    return Answer(name, authors, standing)


def judgement(
    by: Validator, name: str, outcome: Outcome, *, stage: str = "correctness", calls: int | None = 2
) -> Judgement:
    return Judgement(by, name, outcome, stage if outcome is REJECT else "", calls)


def report(judgements: list[Judgement], answers: list[Answer]) -> Report:
    return evaluate(grouped(judgements, answers))


ANSWERS = [
    answer("a", RIGHT),
    answer("b", RIGHT),
    answer("c", WRONG, "o4-mini"),
    answer("d", WRONG, "claude-3-7-sonnet"),
    answer("e", RIGHT, "claude-3-7-sonnet"),
    answer("f", Standing.TIED),
    answer("g", Standing.UNSURE, "o4-mini"),
    answer("h", Standing.UNLABELLED, "gpt-4o"),
]
ITER = validator()
JUDGEMENTS = [
    judgement(ITER, "a", ACCEPT, calls=10),
    judgement(ITER, "b", REJECT, stage="fact_logic", calls=4),
    judgement(ITER, "c", ACCEPT, calls=None),
    judgement(ITER, "d", REJECT, stage="cycle_consistency", calls=1),
    judgement(ITER, "e", UNPARSED, calls=9),
    judgement(ITER, "f", ACCEPT),
    judgement(ITER, "g", REJECT, stage="fact_logic"),
    judgement(ITER, "h", FAILED),
]


def test_undecided_is_counted_apart_and_never_a_no() -> None:
    (found,) = report(JUDGEMENTS, ANSWERS).validators
    assert (found.judged, found.labelled) == (8, 5)
    assert found.outcomes == {ACCEPT: 2, REJECT: 2, UNPARSED: 1, FAILED: 0}
    assert (found.confusion.true_positive, found.confusion.false_positive) == (1, 1)
    assert (found.confusion.false_negative, found.confusion.true_negative) == (1, 1)
    assert (found.quality.accuracy.hits, found.quality.accuracy.n) == (2, 4)
    assert (found.right_of_labelled.hits, found.right_of_labelled.n) == (2, 5)
    assert (found.base_rate_of_labelled.hits, found.base_rate_of_labelled.n) == (3, 5)
    assert (found.always_reject_of_labelled.hits, found.quality.always_reject.hits) == (2, 2)
    assert (found.unparsed.hits, found.unparsed.n, found.failed.hits) == (1, 5, 0)


def test_judged_candidates_are_counted_by_what_their_labels_come_to() -> None:
    found = report(JUDGEMENTS, [*ANSWERS, answer("never judged", RIGHT)]).standings
    assert found == {
        Standing.CORRECT: 3,
        Standing.INCORRECT: 2,
        Standing.TIED: 1,
        Standing.UNSURE: 1,
        Standing.UNLABELLED: 1,
    }


def test_calls_that_were_not_recorded_are_unknown_not_none() -> None:
    (found,) = report(JUDGEMENTS, ANSWERS).validators
    assert found.calls == Calls(mean=6, fewest=1, most=10, n=4, unknown=1)
    nothing = report([judgement(ITER, "a", ACCEPT, calls=None)], ANSWERS).validators[0].calls
    assert nothing == Calls(None, None, None, 0, 1)


@pytest.mark.parametrize(
    ("outcomes", "counts"),
    [
        ((REJECT, ACCEPT), ACCEPT),
        ((ACCEPT, UNPARSED), UNPARSED),
        ((ACCEPT, FAILED), ACCEPT),
        ((FAILED, REJECT), REJECT),
        ((FAILED, FAILED), FAILED),
    ],
)
def test_of_several_judgements_of_a_candidate_the_last_one_counts_that_has_not_failed(
    outcomes: tuple[Outcome, Outcome], counts: Outcome
) -> None:
    (found,) = report([judgement(ITER, "a", outcome) for outcome in outcomes], ANSWERS).validators
    assert found.outcomes[counts] == found.judged == 1


@pytest.mark.parametrize(
    "other",
    [
        validator("1-iter"),
        validator("3-iter", "openai/o4-mini"),
        validator(form="exact"),
        validator(prompts="another text"),
    ],
)
def test_another_strategy_model_form_or_prompt_is_another_validator(other: Validator) -> None:
    found = report([judgement(ITER, "a", REJECT), judgement(other, "a", ACCEPT)], ANSWERS).validators
    assert [one.number for one in found] == [1, 2]
    assert {one.validator for one in found} == {ITER, other}


def test_over_rating_sets_the_share_accepted_against_the_share_correct_of_each_kin() -> None:
    rows = report(JUDGEMENTS, ANSWERS).over_rating
    assert [
        (row.kinship, row.author_family, row.accepted.hits, row.correct.hits, row.excess.value) for row in rows
    ] == [
        (Kinship.SAME_MODEL, "openai", 1, 2, -0.5),
        (Kinship.SAME_FAMILY, "openai", 1, 0, 1.0),
        (Kinship.OTHER, "anthropic", 0, 0, 0.0),
    ]
    assert {row.judge_families for row in rows} == {("openai",)}


def test_of_several_judges_the_closest_kin_counts() -> None:
    both = validator("ensemble", "gemini/gemini-2.5-pro", "anthropic/claude-3-7-sonnet-20250219")
    (row,) = report([judgement(both, "d", ACCEPT)], ANSWERS).over_rating
    assert (row.kinship, row.judge_families) == (Kinship.SAME_MODEL, ("anthropic", "google"))


def test_an_answer_by_two_models_counts_for_each() -> None:
    shared = answer("s", WRONG, "o4-mini", "claude-3-7-sonnet")
    found = report([judgement(ITER, "s", ACCEPT)], [shared])
    assert [(row.kinship, row.accepted.n) for row in found.over_rating] == [
        (Kinship.SAME_FAMILY, 1),
        (Kinship.OTHER, 1),
    ]
    assert [row.author for row in found.failing] == ["claude-3-7-sonnet", "o4-mini"]
    assert found.validators[0].judged == 1


def test_the_stages_at_which_each_author_fails_need_no_labels() -> None:
    rows = {row.author: row for row in report(JUDGEMENTS, ANSWERS).failing}
    assert list(rows) == ["claude-3-7-sonnet", "gpt-4o", "o3", "o4-mini"]
    assert rows["o3"].stages == {"fact_logic": 1}
    assert (rows["o3"].judged, rows["o3"].accepted, rows["o3"].undecided) == (3, 2, 0)
    assert rows["claude-3-7-sonnet"].stages == {"cycle_consistency": 1}
    assert rows["claude-3-7-sonnet"].undecided == 1
    assert (rows["gpt-4o"].undecided, rows["gpt-4o"].stages) == (1, {})


MODELS = ("o3", "o4-mini", "claude-3-7-sonnet")


def passes(by: Validator, *rates: int) -> list[Judgement]:
    """Four answers of each model, of which as many are accepted as its rate says."""
    return [
        judgement(by, f"{model}{number}", ACCEPT if number < rate else REJECT)
        for model, rate in zip(MODELS, rates, strict=True)
        for number in range(4)
    ]


FOUR_EACH = [answer(f"{model}{number}", Standing.UNLABELLED, model) for model in MODELS for number in range(4)]


@pytest.mark.parametrize(
    ("first", "second", "tau"), [((3, 2, 1), (4, 3, 0), 1), ((3, 2, 1), (0, 1, 2), -1), ((3, 2, 1), (2, 2, 2), None)]
)
def test_rank_stability_is_tau_b_of_the_shares_accepted(
    first: tuple[int, ...], second: tuple[int, ...], tau: float | None
) -> None:
    (row,) = report([*passes(ITER, *first), *passes(validator("x"), *second)], FOUR_EACH).stability
    assert (row.first, row.second, row.authors, row.candidates, row.tau_b) == (1, 2, 3, 12, tau)
    assert bool(row.undefined) is (tau is None)


def test_rank_stability_compares_on_the_candidates_that_both_decided() -> None:
    less = [one for one in passes(validator("x"), 4, 3, 0) if not one.candidate_id.startswith("o3")]
    undecided = judgement(validator("x"), "o30", UNPARSED)
    (row,) = report([*passes(ITER, 3, 2, 1), *less, undecided], FOUR_EACH).stability
    assert (row.authors, row.candidates, row.tau_b) == (2, 8, 1)


def test_the_gap_between_answering_and_judging() -> None:
    (row,) = report(JUDGEMENTS, ANSWERS).gaps
    assert (row.model, row.answering.hits, row.answering.n) == ("o3", 2, 2)
    assert (row.judging.hits, row.judging.n, row.gap) == (2, 4, -0.5)


def test_a_judge_that_answered_nothing_has_no_gap_and_ensembles_have_no_row() -> None:
    gemini = validator("1-iter", "gemini/gemini-2.5-pro")
    both = validator("ensemble", "gemini/gemini-2.5-pro", "openai/o3")
    (row,) = report([judgement(gemini, "a", ACCEPT), judgement(both, "a", ACCEPT)], ANSWERS).gaps
    assert (row.model, row.answering.value, row.judging.value, row.gap) == ("gemini-2.5-pro", None, 1, None)
    assert "none of its own answers" in row.answering.undefined


def test_nothing_judged_is_an_empty_report() -> None:
    found = report([], ANSWERS)
    assert (found.validators, found.over_rating, found.failing, found.stability, found.gaps) == ((), (), (), (), ())
    assert sum(found.standings.values()) == 0


OUTCOMES = st.sampled_from([ACCEPT, REJECT, UNPARSED, FAILED])
STANDINGS = st.sampled_from(list(Standing))
CASES = st.lists(st.tuples(OUTCOMES, STANDINGS, st.sampled_from(MODELS)), max_size=20)


@given(CASES)
def test_no_candidate_is_lost(cases: list[tuple[Outcome, Standing, str]]) -> None:
    answers = [answer(str(number), standing, model) for number, (_, standing, model) in enumerate(cases)]
    found = report([judgement(ITER, str(number), outcome) for number, (outcome, *_) in enumerate(cases)], answers)
    assert sum(found.standings.values()) == len(cases)
    for one in found.validators:
        assert sum(one.outcomes.values()) == one.labelled
        undecided = one.outcomes[UNPARSED] + one.outcomes[FAILED]
        assert one.confusion.n + undecided == one.labelled
    assert sum(row.judged for row in found.failing) == len(cases)
    for row in found.failing:
        assert row.accepted + row.undecided + sum(row.stages.values()) == row.judged


def groups_of(*outcomes: Outcome, standings: list[Standing] | None = None) -> list[Group]:
    whose = standings or [Standing.UNLABELLED] * len(outcomes)
    answers = [answer(str(number), standing) for number, standing in enumerate(whose)]
    return grouped([judgement(ITER, str(number), outcome) for number, outcome in enumerate(outcomes)], answers)


def test_a_count_over_few_or_over_equal_outcomes_tells_each_of_them() -> None:
    assert outcomes_told(groups_of(ACCEPT, *[REJECT] * (FEWEST - 2))) == {str(n) for n in range(FEWEST - 1)}
    assert outcomes_told(groups_of(*[REJECT] * 50)) == {str(n) for n in range(50)}
    assert outcomes_told(groups_of(ACCEPT, *[REJECT] * (FEWEST - 1))) == frozenset()


def test_labels_are_told_by_small_and_by_equal_groups_of_labelled_candidates() -> None:
    mixed = [RIGHT, *[WRONG] * (FEWEST - 1)]
    half = [ACCEPT, REJECT, ACCEPT, REJECT, REJECT]
    assert labels_told(groups_of(*half, standings=mixed)) == frozenset()
    assert labels_told(groups_of(*half, standings=[WRONG] * FEWEST)) == {str(n) for n in range(FEWEST)}
    assert labels_told(groups_of(ACCEPT, REJECT, standings=[RIGHT, Standing.UNLABELLED])) == {"0"}
