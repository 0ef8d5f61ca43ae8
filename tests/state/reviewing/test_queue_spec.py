"""What a queue is built from: kept as JSON and read again, refused where that can't be done right."""

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store.queue_pool import CandidateFilter
from uq_tui.errors import QueueSpecError
from uq_tui.state.reviewing.completeness import Rules
from uq_tui.state.reviewing.queue_spec import LARGEST_SEED, QueueSpec
from uq_tui.words import Outcome, QuestionStatus, QueueMode, QueueOrder, Unjudged

NAMES = st.lists(st.text(max_size=4), max_size=2).map(tuple)
FILTERS = st.builds(
    CandidateFilter,
    text=st.text(max_size=4),
    status=st.none() | st.sampled_from(QuestionStatus),
    question_ids=NAMES,
    unjudged=st.none() | st.sampled_from(Unjudged),
    models=NAMES,
    outcome=st.sampled_from(Outcome),
    strategy=st.text(max_size=4),
    labelled=st.none() | st.booleans(),
)
SPECS = st.builds(
    QueueSpec,
    mode=st.sampled_from(QueueMode),
    order=st.sampled_from(QueueOrder),
    seed=st.integers(0, LARGEST_SEED),
    candidates=FILTERS,
    overlap=st.floats(0, 1),
    gold=st.floats(0, 0.5),
    practice=st.sampled_from([0, 2, 5]),
    rules=st.builds(Rules, score=st.booleans(), quote_if_incorrect=st.booleans()),
)


@settings(max_examples=40)
@given(SPECS)
def test_a_spec_comes_back_from_json_as_it_was(spec: QueueSpec) -> None:
    assert QueueSpec.of(json.loads(json.dumps(spec.as_json()))) == spec


def test_what_is_missing_has_its_default() -> None:
    assert QueueSpec.of({}) == QueueSpec()
    assert QueueSpec.of({"rules": {"score": True}, "gold": 0}) == QueueSpec(rules=Rules(score=True))


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        ({"weather": "fair"}, "says weather of a queue"),
        ({"candidates": {"moon": 1}}, "says moon of what a queue is built of"),
        ({"rules": {"rhyme": True}}, "says rhyme of the rules"),
        ({"mode": "veiled"}, "'veiled' is none of blind, assisted, open"),
        ({"candidates": {"outcome": 3}}, "3 is none of accept"),
        ({"seed": "4"}, "seed as '4'"),
        ({"overlap": True}, "overlap as True"),
        ({"candidates": {"models": [1]}}, "models as [1]"),
        ({"candidates": {"labelled": "yes"}}, "labelled as 'yes'"),
        ({"candidates": []}, "no object"),
    ],
)
def test_what_cannot_be_understood_is_refused(kept: dict[str, Any], said: str) -> None:
    with pytest.raises(QueueSpecError) as caught:
        QueueSpec.of(kept)
    assert said in caught.value.message


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"overlap": 1.5}, "from 0 to 1, not 1.5"),
        ({"gold": 0.6}, "from 0 to 0.5, not 0.6"),
        ({"repeats": math.nan}, "not nan"),
        ({"repeat_after": 0}, "1 to 10,000 items later"),
        ({"practice": 1}, "2 to 100 practice items, or none"),
        ({"seed": -1}, "The seed"),
        ({"candidates": CandidateFilter(strategy="s")}, "no outcome of it"),
    ],
)
def test_numbers_out_of_range_are_told(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(QueueSpecError) as caught:
        QueueSpec(**wrong)
    assert said in caught.value.message


def test_all_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(QueueSpecError) as caught:
        QueueSpec(overlap=2.0, gold=-1.0)
    assert len(caught.value.problems) == 2
