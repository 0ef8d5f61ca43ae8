"""A key planted for a server that repeats it everywhere is found in nothing that uq-tui writes or shows."""

import base64
import json
import os
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from urllib.parse import quote

import pytest
from click.testing import CliRunner

from tests.end_to_end.conftest import PROGRAM
from tests.fakes.echo_server import KINDS, EchoServer
from tests.fakes.keyring_backend import MODULE as KEYRINGS
from tests.fakes.openai_server import FakeServer
from tests.terminal import Terminal
from uq_tui.cli import root

IN_ENVIRONMENT = "sk-env/7Qd+plant=3f~Zx9Lw"
IN_KEYRING = "sk-ring/5Tr+plant=8c~Yb2Kv"
QUESTION = "is every even number the sum of two primes?"


def traces(key: str) -> dict[str, bytes]:
    """How a key looks as it is, in JSON, in a URL, in hexadecimal digits and, wherever it begins, in base64."""
    seen = {"plain": key, "quoted": quote(key, safe=""), "hexadecimal": key.encode().hex()}
    for shift in range(3):
        coded = base64.b64encode(bytes(shift) + key.encode()).decode()
        seen[f"base64 after {shift} bytes"] = coded[4 if shift else 0 : -4]
    return {name: text.encode() for name, text in seen.items()}


def found_in(texts: Mapping[str, bytes]) -> list[str]:
    """Where a key stands, and in which form."""
    return [
        f"{where}: {form} {key[:7]}"
        for where, data in texts.items()
        for key in (IN_ENVIRONMENT, IN_KEYRING)
        for form, trace in traces(key).items()
        if trace in data
    ]


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_the_search_finds_a_key_in_every_form() -> None:
    coded = base64.b64encode(f"Bearer {IN_KEYRING}, and more".encode())
    texts = {"a": IN_ENVIRONMENT.encode(), "b": coded, "c": b"?key=" + quote(IN_KEYRING, safe="").encode()}
    assert [place.partition(":")[0] for place in found_in(texts)] == ["a", "b", "c"]


@pytest.fixture
def environment(tmp_path_factory: pytest.TempPathFactory, home: Path) -> dict[str, str]:
    """With one key in it, and a keyring outside `home` that holds the other for any server."""
    return {
        **{name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")},
        "UQ_TUI_HOME": str(home),
        "PLANTED": IN_ENVIRONMENT,
        "PYTHON_KEYRING_BACKEND": f"{KEYRINGS}.Kept",
        "UQ_TEST_KEYRING": str(tmp_path_factory.mktemp("keyring") / "kept.json"),
        "TERM": "xterm-256color",
    }


@pytest.fixture
def server(home: Path) -> Iterator[EchoServer]:
    """A server that repeats keys, with three models there and one at an address where nothing listens."""
    with FakeServer() as closed:
        gone = closed.base_url
    with EchoServer() as running:
        here = running.base_url
        (home / "config" / "config.toml").write_text(
            "gateway_processes = 1\n"
            f'[models."openai/env"]\napi_base = "{here}"\napi_key_env = "PLANTED"\n'
            f'[models."openai/ring"]\napi_base = "{here}"\napi_key_keyring = true\n'
            f'[models."openai/gone"]\napi_base = "{gone}"\napi_key_env = "PLANTED"\n',
            encoding="utf-8",
        )
        yield running


Uq = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture
def uq(home: Path, environment: dict[str, str]) -> Uq:
    """Run the program as a person does."""

    def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [str(PROGRAM), *arguments],
            env=environment,
            cwd=home,
            input=stdin.encode(),
            capture_output=True,
            check=False,
            timeout=300,
        )

    return run


def test_a_key_is_nowhere_after_commands(
    home: Path, server: EchoServer, uq: Uq, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def here(*arguments: str, stdin: str = "") -> bytes:
        """What a command that calls no model writes, run in this process since that is quicker."""
        result = CliRunner().invoke(root, arguments, input=stdin, prog_name="uq-tui")
        return result.stdout_bytes + result.stderr_bytes

    for name in ("UQ_TUI_HOME", "PLANTED", "PYTHON_KEYRING_BACKEND", "UQ_TEST_KEYRING"):
        monkeypatch.setenv(name, environment[name])
    row = {"question_id": 41, "title": QUESTION, "body": QUESTION, "site": "math.stackexchange.com"}
    (home / "q.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    told = {
        "import": here("import", str(home / "q.jsonl")),
        "key set": here("models", "key", "set", "openai/ring", "--json", stdin=IN_KEYRING),
        "list": here("models", "list", "--json"),
    }
    generated = uq("generate", "math.stackexchange.com:41", "--samples", "6", "--model", "openai/env", "--json")
    (candidate,) = [row["id"] for row in json.loads(generated.stdout)["candidates"]]
    validated = uq("validate", candidate, "--model", "openai/ring", "--json")
    unreachable = uq("models", "test", "openai/gone")
    told |= {
        "generate": generated.stdout + generated.stderr,
        "validate": validated.stdout + validated.stderr,
        "unreachable": unreachable.stdout + unreachable.stderr,
        "runs": here("runs", "--json"),
        "verdict": here("verdict", "give", candidate, "--label", "incorrect"),
        "export": here("export", "--out", str(home / "verdicts.jsonl"), "--json"),
    }
    sent = {(kind, key) for kind, key, _ in server.answered}
    assert sent >= {(kind, IN_ENVIRONMENT) for kind in KINDS}
    assert ("reply", IN_KEYRING) in sent
    assert b"you sent [key]" in told["generate"]
    assert b"connection" in told["unreachable"].lower()
    assert (home / "verdicts.jsonl").stat().st_size
    assert found_in({**told, **files_in(home)}) == []


@pytest.mark.terminal
def test_a_key_is_nowhere_after_the_app(home: Path, server: EchoServer, uq: Uq, environment: dict[str, str]) -> None:
    uq("models", "key", "set", "openai/ring", stdin=IN_KEYRING)
    command = [str(PROGRAM), "--model", "openai/ring"]
    with Terminal(command, env=environment, columns=140, lines=44, cwd=str(home)) as terminal:
        terminal.wait_for("26 questions", 60)
        terminal.press("m")
        terminal.wait_for("keyring, for http://127.0.0.1")
        terminal.press("escape", "enter")
        terminal.wait_for("Workbench")
        terminal.press("enter", "g", "R")
        terminal.wait_for("you sent [key] and [key]", 120)
        terminal.press("W", "g")
        terminal.wait_for("c1  U", 60)
        terminal.press("v")
        terminal.wait_for("? unparsed", 60)
        terminal.press("t")  # the answer in place of the question: replies of stages may be gone again by now
        terminal.wait_for("you sent [key] and [key]", 60)
        terminal.press("ctrl+q")
        assert terminal.wait_for_end() == 0
        shown = bytes(terminal.output)
    assert {key for _, key, _ in server.answered} == {IN_KEYRING}
    assert {kind for kind, _, _ in server.answered} == set(KINDS)
    assert True in {streamed for _, _, streamed in server.answered}
    assert found_in({"terminal": shown, **files_in(home)}) == []
