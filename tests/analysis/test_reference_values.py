"""Judges against people in real files, held against figures that other software computed from the same files.

The thresholds (a proof is right from 6 of 7 points on, accepted from a rating of .75 on) are those of the reference.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from statistics import mean
from typing import Any

import duckdb
import pytest

from tests.analysis.four_raters import FOUR_RATERS
from tests.shared import shared_file
from uq_tui.analysis.agreement import Level, Rating, cohen_kappa, krippendorff_alpha
from uq_tui.analysis.classification import Confusion, quality
from uq_tui.analysis.ranks import auc

pytestmark = pytest.mark.shared


@pytest.fixture(scope="module")
def expected() -> Mapping[str, Any]:
    found: dict[str, Any] = json.loads(shared_file("data/REFERENCE_VALUES.json").read_text(encoding="utf-8"))
    return found


def test_ratings_of_proofs_by_a_verifier_and_by_people(expected: Mapping[str, Any]) -> None:
    wanted = expected["deepseek/ProofBench60 human>=6 vs auto"]
    folder = shared_file("data/deepseek-math-v2-human-rated-proofs")
    rated = [
        json.loads(line)["model_prediction"]
        for name in ("IMO-ProofBench-Basic.jsonl", "IMO-ProofBench-Advanced.jsonl")
        for line in (folder / name).read_text(encoding="utf-8").splitlines()
    ]
    pairs = [(one["average_automatic_rating"], one["human_rating"] >= 6) for one in rated]
    assert (len(pairs), sum(right for _, right in pairs)) == (60, wanted["pos"])
    area = auc([rating for rating, right in pairs if right], [rating for rating, right in pairs if not right])
    assert area == pytest.approx(wanted["auc"])

    counts = Counter((rating >= 0.75, right) for rating, right in pairs)
    found = quality(Confusion(counts[True, True], counts[True, False], counts[False, True], counts[False, False]))
    assert found.accuracy.value == pytest.approx(wanted["acc_at_0_75"])
    assert found.precision.value == pytest.approx(wanted["prec"])
    assert found.recall.value == pytest.approx(wanted["rec"])
    assert found.kappa.value == pytest.approx(wanted["kappa"])


@pytest.fixture(scope="module")
def proofs() -> list[tuple[str, str, str, int, int | None]]:
    """Of each proof: problem, model, the people's verdict, remarks by people, issues a judge found or no judge."""
    path = shared_file("data/open-proof-corpus/test.parquet")
    query = """
        select problem_id, model_id, reward_model.ground_truth, coalesce(len(annotations), 0),
               len(llm_judgment.result.issues)
        from read_parquet(?)
    """
    with duckdb.connect() as db:
        return db.execute(query, [str(path)]).fetchall()


def test_verdicts_on_proofs_of_the_open_proof_corpus(
    expected: Mapping[str, Any], proofs: list[tuple[str, str, str, int, int | None]]
) -> None:
    wanted = expected["opc"]
    assert len(proofs) == wanted["n"]
    assert len({problem for problem, *_ in proofs}) == wanted["n_problems"]
    assert Counter(verdict for _, _, verdict, *_ in proofs) == wanted["gt"]
    assert Counter(model for _, model, *_ in proofs) == wanted["models"]
    assert sum(remarks > 0 for *_, remarks, _ in proofs) == wanted["annotated"]
    assert sum(issues is not None for *_, issues in proofs) == wanted["judge"]
    for model, (right, n) in expected["opc acc by model"].items():
        verdicts = [verdict for _, by, verdict, *_ in proofs if by == model]
        assert (verdicts.count("correct"), len(verdicts)) == (right, n)


def test_a_judge_that_finds_fewer_issues_tells_right_proofs_from_wrong_ones(
    expected: Mapping[str, Any], proofs: list[tuple[str, str, str, int, int | None]]
) -> None:
    scores = defaultdict[str, list[float]](list)
    for _, _, verdict, _, issues in proofs:
        scores[verdict].append(-(issues or 0))  # the reference takes a proof no judge looked at for one without issues
    found = auc(scores["correct"], scores["incorrect"])
    assert found == pytest.approx(expected["opc auc(-#judge issues vs human)"])


def test_marks_by_a_model_and_by_teachers(expected: Mapping[str, Any]) -> None:
    wanted = expected["realmath 76"]
    name = "realmath_eval_gemini3pro_hard_cases_ge2_meta_eval_input_64.json"
    rows = json.loads(shared_file(f"data/realmath-eval-human-vs-llm-grading/{name}").read_text(encoding="utf-8"))
    pairs = [(row["gt"], row["model_score"]) for row in rows]
    assert len(pairs) == wanted["n"]
    assert mean((human - model) ** 2 for human, model in pairs) == pytest.approx(wanted["mse"])
    assert mean(abs(human - model) for human, model in pairs) == pytest.approx(wanted["mae"])
    assert krippendorff_alpha(pairs, Level.INTERVAL).value == pytest.approx(wanted["interval_alpha"])


@pytest.mark.parametrize("level", Level)
def test_alpha_of_krippendorffs_four_raters(expected: Mapping[str, Any], level: Level) -> None:
    found = krippendorff_alpha(FOUR_RATERS, level)
    assert found.value == pytest.approx(expected["alpha raw4raters"][level])
    assert (found.units, found.ratings) == (11, 40)


def test_kappa_and_alpha_of_two_coders(expected: Mapping[str, Any]) -> None:
    wanted = expected["artstein_poesio"]
    path = shared_file("data/agreement-reference-values/artstein_poesio_example.txt")
    by_item = defaultdict[str, dict[str, str]](dict)
    for line in path.read_text(encoding="utf-8").splitlines():
        coder, item, label = line.split("\t")
        by_item[item][coder] = label
    pairs = [(labels["a"], labels["b"]) for labels in by_item.values()]
    found = cohen_kappa(Counter(pairs))
    assert (found.n, found.observed) == (wanted["n"], wanted["agree"])
    assert found.value == pytest.approx(wanted["kappa"])
    assert krippendorff_alpha(pairs).value == pytest.approx(wanted["alpha"])


def test_alpha_of_published_small_tables() -> None:
    known = json.loads(shared_file("data/agreement-reference-values/known_values.json").read_text(encoding="utf-8"))
    data = known["nltk_easy"]["data"]
    less = [row for row in data if row != known["nltk_easy2_one_rating_removed_same_alpha"]["data_minus"]]
    assert len(less) == len(data) - 1
    for rows in (data, less):
        assert krippendorff_alpha(_by_unit(rows)).value == pytest.approx(known["nltk_easy"]["nominal_alpha"])
    printed = known["krippendorff_4coders_12units"]["nominal_alpha"]
    assert krippendorff_alpha(FOUR_RATERS).value == pytest.approx(printed)


@pytest.mark.parametrize("crowd", ["BarzanMozafari", "HITspam-UsingMTurk", "CopyrightInfringement"])
def test_alpha_of_a_crowd(expected: Mapping[str, Any], crowd: str) -> None:
    """A few thousand ratings with most cells missing. Of two by one worker on one item the later one counts."""
    path = shared_file(f"data/crowd-labels-get-another-label/{crowd}/labels.txt")
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == expected[f"crowd {crowd}"]["labels"]
    found = krippendorff_alpha(_by_unit(rows))
    assert found.value == pytest.approx(expected[f"crowd {crowd}"]["nominal_alpha_last_label_wins"])


def _by_unit(rows: Sequence[Sequence[str]]) -> list[list[Rating | None]]:
    """Ratings by unit, from rows of rater, unit and rating."""
    units = defaultdict[str, dict[str, Rating]](dict)
    for rater, unit, rating in rows:
        units[unit][rater] = rating
    return [list(ratings.values()) for ratings in units.values()]
