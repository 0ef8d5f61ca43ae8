import json
import subprocess
import sys
from pathlib import Path

import click
import pytest

import uq_tui.app
from tests.commands.conftest import Run, document
from uq_tui import startup
from uq_tui.cli import COMMANDS, root
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation
from uq_tui.engine.requests import ModelChoice
from uq_tui.errors import EXIT_OK, StoreError

HEAVY = ("textual", "litellm", "openai", "sqlalchemy", "sqlmodel", "xllamacpp", "rich", "store")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_listed_command_is_there_under_its_name(name: str) -> None:
    command = root.get_command(click.Context(root), name)
    assert command is not None
    assert command.name == name
    assert command.help


def test_help_lists_commands_and_exit_codes(run: Run) -> None:
    result = run("--help")
    assert result.exit_code == EXIT_OK
    assert all(f"  {name} " in result.stdout for name in COMMANDS)
    assert all(f"  {code}" in result.stdout for code in ("0 ", "1 ", "2 ", "3 ", "130"))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_documents_its_exit_codes(run: Run, name: str) -> None:
    result = run(name, "--help")
    assert result.exit_code == EXIT_OK
    assert "Exit codes:" in result.stdout


def test_help_imports_nothing_slow() -> None:
    script = (
        "import sys\n"
        "from uq_tui.cli import main\n"
        "sys.argv = ['uq-tui', '--help']\n"
        "try:\n    main()\n"
        "finally:\n    print([name for name in sys.modules], file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, text=True, check=True)
    imported = {name.partition(".")[0] for name in json.loads(done.stderr.replace("'", '"'))}
    assert "click" in imported
    assert imported.isdisjoint(HEAVY)


def test_unknown_command_is_wrong_usage(run: Run) -> None:
    result = run("judge-everything")
    assert result.exit_code == 2
    assert "No such command" in result.stderr


def test_without_a_terminal_the_app_says_so_and_points_to_the_commands(run: Run) -> None:
    result = run()
    assert result.exit_code == 2
    assert "needs a terminal" in result.stderr
    assert "uq-tui --help" in result.stderr
    assert result.stdout == ""


def test_the_app_gets_workspace_and_model(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[tuple[Path, ModelChoice | None]] = []

    def run_app(workspace: Path, *, model: ModelChoice | None = None) -> int:
        opened.append((workspace, model))
        return 7

    monkeypatch.setattr(uq_tui.app, "run_app", run_app)
    monkeypatch.setattr(startup, "check_terminal", lambda *streams: None)
    file = tmp_path / "w.sqlite"
    assert run("--workspace", str(file), "--model", "openai/x", "--api-base", "http://127.0.0.1:1/v1").exit_code == 7
    assert run("--workspace", str(file)).exit_code == 7
    assert opened == [(file, ModelChoice("openai/x", "http://127.0.0.1:1/v1")), (file, None)]


@pytest.mark.parametrize("options", [("--model", "m", "runs"), ("--api-base", "http://127.0.0.1:1", "runs")])
def test_the_apps_model_before_a_command_is_refused(run: Run, options: tuple[str, ...]) -> None:
    result = run(*options)
    assert result.exit_code == 2
    assert "put them after it" in result.stderr


def test_an_address_without_a_model_is_refused(run: Run) -> None:
    assert run("--api-base", "http://127.0.0.1:1").exit_code == 2


class Faults:
    """A command that fails as it is told, in the place of a real one."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
        @click.command("runs", epilog=exit_codes())
        @click.option("--number", type=int)
        @json_option
        @pass_invocation
        def fail(invocation: Invocation, number: int | None) -> None:
            raise error

        monkeypatch.setattr(type(root), "get_command", lambda group, ctx, name: fail)


def test_an_expected_error_is_a_message_a_hint_and_an_exit_code(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Faults(monkeypatch, StoreError("The workspace is \x1b[2Jbroken.", hint="Mend it."))
    result = run("runs")
    assert result.exit_code == StoreError.exit_code
    assert result.stderr == "Workspace: The workspace is ␛[2Jbroken.\nMend it.\n"
    assert result.stdout == ""


def test_an_expected_error_is_an_object_where_json_is_asked_for(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Faults(monkeypatch, StoreError("Broken.", hint="Mend it."))
    result = run("runs", "--json")
    assert document(result) == {
        "error": {"title": "Workspace", "message": "Broken.", "hint": "Mend it.", "exit_code": 3}
    }
    assert "Broken." in result.stderr


def test_wrong_usage_is_an_object_too_where_json_is_asked_for(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Faults(monkeypatch, StoreError("not reached"))
    result = run("runs", "--number", "many", "--json")
    assert result.exit_code == 2
    assert document(result)["error"]["title"] == "Usage"
    assert "'many' is not a valid integer" in document(result)["error"]["message"]


def test_an_unexpected_error_goes_to_a_log_file(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Faults(monkeypatch, ZeroDivisionError("nothing to divide"))
    result = run("runs")
    assert result.exit_code == 3
    assert "Traceback" not in result.output
    (log,) = (home / "log").iterdir()
    assert str(log) in result.stderr
    assert "ZeroDivisionError: nothing to divide" in log.read_text(encoding="utf-8")
    assert log.stat().st_mode & 0o077 == 0


def test_an_unexpected_error_is_told_even_without_a_place_for_the_log(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Faults(monkeypatch, ZeroDivisionError())
    (tmp_path / "home").write_text("a file where the folder should be", encoding="utf-8")
    result = run("runs")
    assert result.exit_code == 3
    assert "ZeroDivisionError" in result.stderr
    assert "could not be kept" in result.stderr


@pytest.mark.parametrize("error", [KeyboardInterrupt(), click.Abort()])
def test_ctrl_c_is_told_and_has_its_own_exit_code(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    Faults(monkeypatch, error)
    result = run("runs")
    assert result.exit_code == 130
    assert "Interrupted." in result.stderr


def test_a_home_that_cannot_be_made_is_told(run: Run, tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file where the folder should be", encoding="utf-8")
    result = run("questions")
    assert result.exit_code == 3
    assert "UQ_TUI_HOME" in result.stderr
