"""`uq-tui validate`: which models fill a strategy's slots, and the form of decisions."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from store import runs
from store.workspace import Workspace
from tests.commands.conftest import MODEL, Desk, Run, document, model_at
from tests.fakes.openai_server import FakeServer, Rule
from uq_tui.commands import results
from uq_tui.words import RunKind

Serve = Callable[..., FakeServer]

ACCEPT = Rule(reply="I see no fault.\n{tag}: accept")
OTHER = "openai/other"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "This strategy takes one model: give --model once."),
        (("--model", MODEL, "--model", OTHER), "This strategy takes one model: give --model once."),
        (("--strategy", "c-3-models-m", "--model", MODEL), "takes 3 models, slot 1 first: give --model for each."),
        (("--strategy", "c@a/b", "--model", MODEL), "This strategy leaves no model open; leave --model out."),
        (("--strategy", "o3/c", "--api-base", "http://127.0.0.1:1"), "--api-base needs --model."),
        (("--strategy", "o3/c", "--model", MODEL, "--model", OTHER), "This strategy takes one model"),
    ],
)
def test_the_models_must_be_those_that_the_strategy_takes(
    uq: Run, desk: Desk, options: tuple[str, ...], message: str
) -> None:
    result = uq("validate", desk.right, *options)

    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.parametrize(
    ("arguments", "exit_code"),
    [
        (("validate", "--strategy", "c @[1, 2] m", "--model", MODEL, "--model", MODEL), 2),
        (("validate", "--strategy", f"c @[1, {MODEL}] m", "--model", MODEL), 2),
        (("validate", "--strategy", "corectness", "--model", MODEL), 2),
        (("validate", "--strategy", "plugin(there-is-none) => c", "--model", MODEL), 3),
        (("judge", "--judge", "scale_5", "--model", MODEL), 2),
        (("judge", "--model", MODEL), 3),
        (("audit", "--model", MODEL), 3),
    ],
)
def test_what_is_refused_is_not_said_to_be_planned(
    uq: Run, desk: Desk, home: Path, arguments: tuple[str, ...], exit_code: int
) -> None:
    overrides = home / "config" / "templates"
    for name in ("judge.scale_10", "audit.errors"):
        (overrides / f"{name}.md").mkdir(parents=True)
    result = uq(*arguments, desk.right)

    assert result.exit_code == exit_code
    assert "Planned" not in result.stderr
    assert document(uq("runs", "--json"))["runs"] == []


def test_a_one_line_form_is_asked_of_the_models_of_its_slots(uq: Run, desk: Desk, served: Serve) -> None:
    server = served(ACCEPT)
    strategy = ("--strategy", "C @[1, 2] U => flc")
    result = uq("validate", desk.right, *strategy, *model_at(server), "--model", OTHER, "--json")
    found = document(result)

    assert result.exit_code == 0
    assert "Planned: 1 to 3 calls" in result.stderr
    assert sorted(request.body["model"] for request in server.requests) == ["other", "scripted", "scripted"]
    assert {one["path"]: one["outcome"] for one in found["outcomes"]} == dict.fromkeys(
        ("", "correctness", "correctness/1", "correctness/2", "fact_logic"), "accept"
    )


def test_every_model_that_cannot_judge_is_warned_of(workspace: Workspace) -> None:
    models = [{"id": model, "api_base": ""} for model in ("openai/x", "local/tiny", "replay/tour")]
    run = runs.create(workspace, RunKind.VALIDATE, "By three models", {"model": models[0], "models": models}, 1)

    warning = results.as_json(workspace, replace(run, asked=3))["warning"]

    assert "local/tiny was held" in str(warning)
    assert "replay/tour plays back" in str(warning)
    assert "openai/x" not in str(warning)


def test_the_models_of_a_preset_can_be_replaced(uq: Run, desk: Desk, served: Serve) -> None:
    server = served(ACCEPT)
    result = uq("validate", desk.right, "--strategy", "o3/vanilla", *model_at(server))

    assert result.exit_code == 0
    assert [request.body["model"] for request in server.requests] == ["scripted"]


def test_the_exact_form_asks_for_the_papers_marks(uq: Run, desk: Desk, served: Serve) -> None:
    server = served(Rule(reply="It holds.\n[[Y]]", contains=("[[N]]",)))
    options = ("--strategy", "c", "--form", "exact", *model_at(server), "--json")
    found = document(uq("validate", desk.right, *options))

    assert {one["outcome"] for one in found["outcomes"]} == {"accept"}
    workspace = desk.open()
    try:
        assert runs.get(workspace, found["run"]["id"]).spec["form"] == "exact"
    finally:
        workspace.close()


def test_a_strategy_that_names_its_model_needs_none(uq: Run, desk: Desk, home: Path, served: Serve) -> None:
    server = served(ACCEPT)
    (home / "config").mkdir(parents=True)
    (home / "config" / "config.toml").write_text(f'[models."{MODEL}"]\napi_base = "{server.base_url}"\n')
    result = uq("validate", desk.right, "--strategy", f"c@{MODEL}")

    assert result.exit_code == 0
    assert "✓ accept" in result.stdout
    assert [request.body["model"] for request in server.requests] == ["scripted"]


def test_a_strategy_of_plug_ins_needs_no_model_and_plans_no_calls(uq: Run, desk: Desk) -> None:
    result = uq("validate", desk.right, "--strategy", "plugin(numeric_identity)", "--json")

    assert result.exit_code == 0
    assert "Planned" not in result.stderr
    assert document(result)["run"]["asked"] == 0
