"""Scores of all candidates together."""

from typing import Any

import pytest

from store.workspace import Workspace
from tests.store.records.stock import put_candidate, put_question
from tests.store.records.test_scores import put_judge_run, put_scores
from uq_tui.state import scores

JUDGE = {"name": "scale_10", "lowest": 1, "highest": 10, "prompt_sha256": "cd" * 32}


@pytest.mark.parametrize(
    ("changes", "mixed"),
    [
        ({}, False),
        ({"title": "other"}, False),
        ({"form": "exact"}, True),
        ({"judge": {**JUDGE, "prompt_sha256": "ab" * 32}}, True),
        ({"model": {"id": "gpt-x", "api_base": "http://127.0.0.1:1/v1"}}, True),
    ],
)
def test_candidates_that_were_not_judged_alike_make_a_mixed_series(
    workspace: Workspace, changes: dict[str, Any], mixed: bool
) -> None:
    question_id = put_question(workspace)
    for text, own in (("One.", {}), ("Two.", changes)):
        put_scores(workspace, put_judge_run(workspace, 1, pinned=own), put_candidate(workspace, text, question_id), 8.0)

    (series,) = scores.report(workspace).series
    assert (series.overview.candidates, series.mixed) == (2, mixed)
