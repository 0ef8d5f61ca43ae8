"""What a validation pins when it is created, and what it refuses."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from store.workspace import Workspace
from tests.engine.runs.scripted import (
    MODEL,
    QUESTION,
    add_stub,
    start,
)
from uq_tui.engine.requests import ModelChoice, ValidateRequest
from uq_tui.errors import ModelError, NotFoundError, PluginError, StrategyError, TemplateError, UqError
from uq_tui.strategies import catalogue
from uq_tui.words import DecisionForm, RunKind

OTHER = ModelChoice("scripted/other", "http://other.example/v1")


def test_a_malformed_override_is_refused_when_pinning(workspace: Workspace, candidate: str, home: Path) -> None:
    folder = home / "config" / "templates"
    folder.mkdir(parents=True)
    (folder / "reflect.md").write_text("Think twice.", encoding="utf-8")

    with pytest.raises(TemplateError, match=r"reflect\.md"):
        start(workspace, RunKind.VALIDATE, ValidateRequest((candidate,), MODEL))


def test_a_candidate_without_its_text_or_its_questions_text_is_refused(workspace: Workspace, candidate: str) -> None:
    add_stub(workspace, QUESTION, "e" * 64)
    add_stub(workspace, "tests:2", "f" * 64)

    for stub, thing in (("e" * 64, "Candidate"), ("f" * 64, "Question")):
        with pytest.raises(UqError, match=f"{thing} .* is known from a verdict only"):
            start(workspace, RunKind.VALIDATE, ValidateRequest((candidate, stub), MODEL))


def test_the_spec_is_json_and_holds_all_that_is_needed(workspace: Workspace, candidate: str) -> None:
    run = start(
        workspace, RunKind.VALIDATE, ValidateRequest((candidate, candidate), replace(MODEL, api_base="http://x"))
    )

    assert json.loads(json.dumps(run.spec)) == run.spec
    assert run.total == 1
    assert run.title == "3-Iter by reflection: 1 candidate by scripted/judge"
    assert run.spec["strategy"]["name"] == "3-iter"
    assert run.spec["model"] == {"id": "scripted/judge", "api_base": "http://x"}
    assert "check.correctness" in run.spec["templates"]
    assert {"app_version", "epoch", "exact"} <= run.spec.keys()
    assert (run.spec["models"], run.spec["slots"]) == ([run.spec["model"]], {"1": run.spec["model"]})
    assert (run.spec["form"], run.spec["plugins"]) == ("tagged", {})


def test_a_strategy_on_one_line_pins_itself_and_each_model_that_it_can_ask(
    workspace: Workspace, candidate: str
) -> None:
    notation = "correctness @[2, some/judge] majority => fact_logic@2"
    request = ValidateRequest((candidate,), MODEL, "C@[2,some/judge]M=>FLC@2", more_models=(OTHER,))
    request = replace(request, strategy=request.strategy + "=> relevance@1")
    run = start(workspace, RunKind.VALIDATE, request)
    slots = {"1": {"id": MODEL.id, "api_base": ""}, "2": {"id": OTHER.id, "api_base": OTHER.api_base}}

    assert run.spec["strategy"]["notation"] == f"{notation} => relevance@1"
    assert run.spec["slots"] == slots
    assert run.spec["models"] == [slots["1"], slots["2"], {"id": "some/judge", "api_base": ""}]
    assert run.spec["stages"] == ["correctness", "fact_logic", "relevance"]
    assert run.title == f"{notation} => relevance@1: 1 candidate by scripted/judge, scripted/other, some/judge"


def test_each_row_of_the_papers_table_pins_its_shape_and_its_models(workspace: Workspace, candidate: str) -> None:
    for row in catalogue.paper_rows():
        first, *more = (ModelChoice(model) for model in row.models)
        run = start(
            workspace, RunKind.VALIDATE, ValidateRequest((candidate,), first, row.name, more_models=tuple(more))
        )

        assert run.spec["strategy"]["name"] == row.name
        assert run.spec["strategy"]["notation"] == catalogue.find(row.shape).strategy.notation
        assert [model["id"] for model in run.spec["models"]] == list(row.models)


def test_a_long_strategy_is_cut_in_the_title(workspace: Workspace, candidate: str) -> None:
    strategy = " => ".join(f"s{number}: correctness" for number in range(9))
    run = start(workspace, RunKind.VALIDATE, ValidateRequest((candidate,), MODEL, strategy))

    assert run.title == f"{strategy[:79]}…: 1 candidate by scripted/judge"


def test_the_exact_form_pins_its_ending(workspace: Workspace, candidate: str) -> None:
    request = ValidateRequest((candidate,), MODEL, form=DecisionForm.EXACT)
    run = start(workspace, RunKind.VALIDATE, request)

    assert run.spec["form"] == "exact"
    assert "ending.decision_exact" in run.spec["templates"]
    assert "ending.decision" not in run.spec["templates"]


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (lambda request: replace(request, candidate_ids=()), UqError, "No candidate is named"),
        (lambda request: replace(request, candidate_ids=("x" * 64,)), NotFoundError, "no candidate"),
        (lambda request: replace(request, strategy="9-iter"), StrategyError, "9-iter"),
        (lambda request: replace(request, strategy="plugin(no_such)"), PluginError, "no_such"),
        (lambda request: replace(request, strategy="c-3-models-m"), ModelError, "needs 3 models, and 1 is given"),
        (
            lambda request: replace(request, more_models=(OTHER,)),
            ModelError,
            "needs 1 model, and 2 are given",
        ),
        (
            lambda request: replace(request, strategy="correctness @[1, 2] majority", more_models=(MODEL,)),
            ModelError,
            "scripted/judge would judge twice in one vote",
        ),
        (
            lambda request: replace(request, strategy="correctness debate[1, scripted/judge] majority"),
            ModelError,
            "scripted/judge would judge twice in one vote",
        ),
        (
            lambda request: replace(
                request,
                strategy="{a: correctness, b: correctness@2} majority",
                more_models=(ModelChoice("x/y", "http://user:pass@h.example"),),
            ),
            ModelError,
            "address",
        ),
    ],
)
def test_a_request_that_cannot_be_done_is_refused(
    workspace: Workspace,
    candidate: str,
    change: Callable[[ValidateRequest], ValidateRequest],
    error: type[UqError],
    message: str,
) -> None:
    with pytest.raises(error, match=message):
        start(workspace, RunKind.VALIDATE, change(ValidateRequest((candidate,), MODEL)))
