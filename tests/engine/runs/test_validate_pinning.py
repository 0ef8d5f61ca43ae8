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
from uq_tui.engine.protocol import ValidateRequest
from uq_tui.errors import NotFoundError, TemplateError, UqError
from uq_tui.words import RunKind


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


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (lambda request: replace(request, candidate_ids=()), UqError, "No candidate is named"),
        (lambda request: replace(request, candidate_ids=("x" * 64,)), NotFoundError, "no candidate"),
        (lambda request: replace(request, strategy="9-iter"), NotFoundError, "9-iter"),
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
