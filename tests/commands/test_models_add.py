"""Adding a GGUF file as a model, and taking it out again."""

import importlib.util
import struct
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.commands.conftest import Run, document
from tests.engine.gateway.test_gguf import ARCHITECTURE, CHAT, whole
from uq_tui import config
from uq_tui.engine.local.weights import models_dir


@pytest.fixture(autouse=True)
def library(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What is found as the model library, wherever the tests run."""
    find = importlib.util.find_spec
    found: list[object] = [SimpleNamespace()]

    def find_spec(name: str, package: str | None = None) -> object:
        return found[0] if name == "xllamacpp" else find(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", find_spec)
    return found


@pytest.fixture
def gguf(tmp_path: Path) -> Path:
    file = tmp_path / "Some Model (4-bit).gguf"
    file.write_bytes(whole(*CHAT))
    return file


def test_a_model_that_was_added_is_listed_and_can_be_removed(run: Run, gguf: Path, home: Path) -> None:
    result = run("models", "add", "--gguf", str(gguf))
    assert result.exit_code == 0
    place = home / "config" / "config.toml"
    assert result.stdout == f"local/Some-Model-4-bit- was added to {place}.\n"
    assert "uq-tui models remove local/Some-Model-4-bit-" in result.stderr
    listed = {one["id"]: one for one in document(run("models", "--json"))["models"]}
    assert listed["local/Some-Model-4-bit-"]["ready"] is True
    removed = run("models", "remove", "local/Some-Model-4-bit-")
    assert removed.exit_code == 0
    assert place.read_text() == ""
    assert gguf.exists()
    assert run("models", "remove", "local/Some-Model-4-bit-").exit_code == 2


def test_what_was_added_is_told_as_json(run: Run, gguf: Path, home: Path) -> None:
    found = document(
        run("models", "add", "--gguf", str(gguf), "--name", "m", "--slots", "3", "--context", "1024", "--json")
    )
    assert found == {
        "id": "local/m",
        "gguf": str(gguf),
        "architecture": "llama",
        "trained_context": 2048,
        "slots": 3,
        "context": 1024,
        "config": str(home / "config" / "config.toml"),
        "ready": True,
        "note": "",
    }
    assert config.load().model("local/m") == config.ModelSettings(gguf=str(gguf), concurrency=3, context=1024)
    assert document(run("models", "remove", "local/m", "--json"))["id"] == "local/m"


def test_a_path_is_kept_as_it_is_from_everywhere(run: Run, gguf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(gguf.parent)
    assert document(run("models", "add", "--gguf", gguf.name, "--name", "m", "--json"))["gguf"] == str(gguf)


@pytest.mark.parametrize("name", ["../x", "a/b", ".x", "x" * 101, "a\nb", "é", "smollm2-135m", "here"])
def test_names_that_cannot_be_used_are_refused(run: Run, gguf: Path, home: Path, name: str) -> None:
    (models_dir() / "here.gguf").write_bytes(b"")
    result = run("models", "add", "--gguf", str(gguf), "--name", name)
    assert result.exit_code == 3
    assert "--name" in result.stderr
    assert not (home / "config" / "config.toml").exists()


def test_a_name_is_used_once(run: Run, gguf: Path) -> None:
    arguments = ("models", "add", "--gguf", str(gguf), "--name", "m")
    assert run(*arguments).exit_code == 0
    result = run(*arguments)
    assert result.exit_code == 2
    assert "already" in result.stderr


def test_a_file_whose_name_says_nothing_needs_one(run: Run, tmp_path: Path) -> None:
    (tmp_path / "….gguf").write_bytes(whole(*CHAT))
    assert document(run("models", "add", "--gguf", str(tmp_path / "….gguf"), "--json"))["error"]["title"] == "Model"


def test_what_is_no_chat_model_is_refused(run: Run, tmp_path: Path, home: Path) -> None:
    files = {"text": b"a text", "base": whole(ARCHITECTURE), "cut": whole(*CHAT, data=0)}
    for name, content in files.items():
        (tmp_path / f"{name}.gguf").write_bytes(content)
        assert run("models", "add", "--gguf", str(tmp_path / f"{name}.gguf")).exit_code == 3
    assert run("models", "add", "--gguf", str(tmp_path)).exit_code == 3
    assert run("models", "add", "--gguf", str(tmp_path / "absent.gguf")).exit_code == 3
    assert not (home / "config" / "config.toml").exists()


def test_more_context_than_the_model_was_trained_with_is_refused(run: Run, gguf: Path) -> None:
    result = run("models", "add", "--gguf", str(gguf), "--context", "2049")
    assert result.exit_code == 3
    assert "--context 2048" in result.stderr
    assert run("models", "add", "--gguf", str(gguf), "--context", "255").exit_code == 2
    assert run("models", "add", "--gguf", str(gguf), "--slots", "0").exit_code == 2


def test_hostile_words_of_a_file_do_not_reach_the_terminal(run: Run, tmp_path: Path) -> None:
    said = b"\x1b]0;x\x07"
    kind = struct.pack("<Q", 12) + b"general.type" + struct.pack("<IQ", 8, len(said)) + said
    file = tmp_path / "\x1b[2Jm.gguf"
    file.write_bytes(whole(*CHAT, kind))
    result = run("models", "add", "--gguf", str(file))
    assert result.exit_code == 3
    assert "\x1b" not in result.output


def test_a_missing_library_is_told_and_the_model_is_added(run: Run, gguf: Path, library: list[object]) -> None:
    library[0] = None
    found = document(run("models", "add", "--gguf", str(gguf), "--name", "m", "--json"))
    assert found["ready"] is False
    assert "xllamacpp" in found["note"]


def test_only_models_of_this_machine_are_removed(run: Run) -> None:
    assert run("models", "remove", "openai/m").exit_code == 3
