"""Scores of all candidates together."""

from typing import Any

import pytest

from store.workspace import Workspace
from tests.store.records.stock import put_candidate, put_question
from tests.store.records.test_scores import put_judge_run, put_scores
from uq_tui.state.findings import scores

JUDGE = {"name": "scale_10", "lowest": 1, "highest": 10, "prompt_sha256": "cd" * 32}


OTHER = {"model": {"id": "gpt-x", "api_base": "http://127.0.0.1:1/v1"}}


@pytest.mark.parametrize(
    ("changes", "names"),
    [
        ({}, [("gpt-x", "tagged")]),
        ({"title": "other"}, [("gpt-x", "tagged")]),
        ({"form": "exact"}, [("gpt-x", "exact"), ("gpt-x", "tagged")]),
        ({"judge": {**JUDGE, "prompt_sha256": "ab" * 32}}, [("gpt-x", "tagged *")] * 2),
        ({"templates": {"ending.score": {"sha256": "ff" * 32}}}, [("gpt-x", "tagged *")] * 2),
        ({"sampling": {"gpt-x": {"temperature": 0.5}}}, [("gpt-x", "tagged *")] * 2),
        (OTHER, [("gpt-x at its provider", "tagged"), ("gpt-x at http://127.0.0.1:1/v1", "tagged")]),
    ],
)
def test_candidates_that_were_not_judged_alike_are_series_of_their_own(
    workspace: Workspace, changes: dict[str, Any], names: list[tuple[str, str]]
) -> None:
    question_id = put_question(workspace)
    for text, own in (("One.", {}), ("Two.", changes)):
        put_scores(workspace, put_judge_run(workspace, 1, pinned=own), put_candidate(workspace, text, question_id), 8.0)

    found = scores.report(workspace)
    digests = [one.way.prompts for one in found.series]
    shown = [found.names(one) for one in found.series]
    assert shown == [(model, form.replace("*", digest)) for (model, form), digest in zip(names, digests, strict=True)]
    assert [one.overview.candidates for one in found.series] == ([2] if len(names) == 1 else [1, 1])
    assert list(found.agreement) == ([] if len(names) == 1 else [(1, 2)])


def test_each_way_has_its_own_newest_run_of_a_candidate(workspace: Workspace) -> None:
    candidates = [put_candidate(workspace, text) for text in ("One.", "Two.", "Three.")]
    for own, values in (({}, (1.0, 2.0, 3.0)), ({"form": "exact"}, (3.0, 2.0, 1.0)), ({}, (4.0, 5.0, 6.0))):
        run_id = put_judge_run(workspace, 1, pinned=own)
        for candidate, value in zip(candidates, values, strict=True):
            put_scores(workspace, run_id, candidate, value)

    found = scores.report(workspace)
    assert [(one.way.form, one.overview.mean) for one in found.series] == [("exact", 2.0), ("tagged", 5.0)]
    assert found.agreement[1, 2].rho == -1.0


@pytest.mark.parametrize(
    ("values", "telling"),
    [
        ([8.0], True),
        ([8.0, 3.0, 5.0, 6.0], True),
        ([8.0] * 7, True),
        ([8.0, 8.5, 8.2, 8.0, 8.9], True),
        ([None] * 7, True),
        ([8.0, 3.0, 5.0, 6.0, 6.0], False),
        ([8.0, *[3.0] * 6], False),
        ([None, 8.0, 3.0, 5.0, 6.0], True),
    ],
)
def test_few_candidates_and_equal_scores_tell_what_each_one_got(
    workspace: Workspace, values: list[float | None], telling: bool
) -> None:
    run_id = put_judge_run(workspace, 1)
    for number, value in enumerate(values):
        put_scores(workspace, run_id, put_candidate(workspace, f"{number}."), value)

    (series,) = scores.report(workspace).series
    assert series.telling is telling
