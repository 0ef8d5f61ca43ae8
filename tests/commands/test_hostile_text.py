"""No command writes anything that a terminal obeys, whatever models, files and people wrote."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.hostile import ATTACK, PAYLOADS, QUESTION, fill
from uq_tui.cli import root
from uq_tui.text import clean

NAME = f"evil{PAYLOADS['erase the screen']}{PAYLOADS['an override']}{PAYLOADS['a control of eight bits']}[red]"

READING = (
    "questions list",
    "questions show {question} --reveal",
    "read {question}",
    "read {one}",
    "read {one} --units",
    "read {one} --source",
    "read {one} --find pwned",
    "read {one} --reasoning",
    "read {two}",
    "ledger show {one}",
    "remarks list {one}",
    "diff {one} {two}",
    "citations {one}",
    "neighbours list {question}",
    "neighbours proposals {question}",
    "rollouts {one} --controls",
    "rollouts {one} --text 1",
    "runs list",
    "verdict list",
    "second-pass list {one}",
    "comment list {question}",
    "comment note {question}",
    "reviewer list",
    "reviewer show",
    "report candidates {question}",
    "report combined",
    "report convergence",
    "report judges",
    "report selection",
    "report validators",
    "models list",
    "strategies list",
    "plugins list",
)
WRONG = (
    ("questions", "show", NAME),
    ("read", NAME),
    ("runs", "show", NAME),
    ("strategies", "show", NAME),
    ("templates", "show", NAME),
    ("models", "test", NAME),
    ("import", f"/nowhere/{NAME}"),
    ("export", "--out", f"/nowhere/{NAME}"),
    ("verdict", "give", NAME, "--label", NAME),
    ("second-pass", NAME),
    ("comment", NAME),
    ("comment", "add", QUESTION, "x", "--reply-to", NAME),
    ("reviewer", "use", NAME),
    ("reviewer", "new", "x", "--orcid", NAME),
    (NAME,),
    (f"--{NAME}",),
    ("questions", f"--{NAME}"),
    ("--workspace", f"/nowhere/{NAME}", "questions"),
)


def run(workspace: Path, *arguments: str) -> Result:
    return CliRunner().invoke(root, ("--workspace", str(workspace), *arguments), prog_name="uq-tui")


def harmless(result: Result) -> bool:
    """Whether a terminal and a reader get what they see; lines end as lines do."""
    return all(clean(text) == text for text in (result.stdout, result.stderr))


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile") / "w.uq.sqlite"


@pytest.fixture(scope="module")
def filled(workspace: Path) -> dict[str, str]:
    """The workspace's ids by the names they have in `READING`."""
    one, two, _ = fill(workspace)
    return {"question": QUESTION, "one": one, "two": two}


@pytest.mark.parametrize("command", READING)
def test_what_is_shown_is_harmless(workspace: Path, filled: dict[str, str], command: str) -> None:
    result = run(workspace, *command.format(**filled).split())
    assert result.exit_code == 0, result.stderr
    assert harmless(result)


def test_what_runs_brought_is_harmless(workspace: Path, filled: dict[str, str]) -> None:
    listed = run(workspace, "runs", "list", "--json")
    found = [run(workspace, "runs", "show", one["id"]) for one in json.loads(listed.stdout)["runs"]]
    assert len(found) == 6
    assert [one.exit_code for one in found] == [0] * 6
    assert all(map(harmless, found))


@pytest.mark.parametrize("command", READING)
def test_json_is_ascii(workspace: Path, filled: dict[str, str], command: str) -> None:
    result = run(workspace, *command.format(**filled).split(), "--json")
    assert result.stdout.isascii()
    assert "\x1b" not in result.stdout
    assert harmless(result)


@pytest.mark.parametrize("arguments", WRONG, ids=str)
def test_what_went_wrong_is_told_harmlessly(
    workspace: Path, filled: dict[str, str], arguments: tuple[str, ...]
) -> None:
    result = run(workspace, *arguments)
    assert result.exit_code
    assert result.stderr
    assert harmless(result)


def test_a_hostile_file_is_told_harmlessly(workspace: Path, filled: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / f"{NAME}.jsonl"
    file.write_text(f'{{"question_id": 1, "title": 5, "{ATTACK[:4]}": \n[]\n', encoding="utf-8")
    result = run(workspace, "import", str(file))
    assert "evil\u241b[2J" in result.stderr
    assert harmless(result)
