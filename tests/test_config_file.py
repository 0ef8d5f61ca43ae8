"""Tables of models come and go in config.toml, and nothing else in it changes."""

import os
import stat
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui import config
from uq_tui.config_file import add_model, remove_model
from uq_tui.errors import ConfigError

MINE = """# My settings.
default_model = "local/a"   # the small one

[models."openai/m"]
temperature = 0.5 # not more

# The one at home.
[models."local/a"]  # old
gguf = "~/a.gguf"
# slots
concurrency = 1

# The last one.
[models.'local/z']
gguf = "z.gguf"
"""


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("UQ_TUI_HOME", str(tmp_path))
    (tmp_path / "config").mkdir()
    return tmp_path / "config" / "config.toml"


@pytest.mark.parametrize("before", ["", "# nothing\n", MINE, MINE.replace("\n", "\r\n")])
def test_what_was_added_can_be_removed_without_a_trace(file: Path, before: str) -> None:
    file.write_bytes(before.encode())
    assert add_model("local/new", {"gguf": "/m/new.gguf", "concurrency": 4}) == file
    assert config.load().model("local/new") == config.ModelSettings(gguf="/m/new.gguf", concurrency=4)
    assert file.read_bytes().startswith(before.encode())
    assert (b"\n" in file.read_bytes().replace(b"\r\n", b"")) == ("\r\n" not in before)
    remove_model("local/new")
    assert file.read_bytes() == before.encode()


def test_a_file_is_made_for_its_owner_alone(file: Path) -> None:
    add_model("local/new", {"gguf": "/m.gguf"})
    assert file.read_text() == '[models."local/new"]\ngguf = "/m.gguf"\n'
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert os.listdir(file.parent) == ["config.toml"]


def test_comments_of_other_tables_stay(file: Path) -> None:
    file.write_text(MINE)
    remove_model("local/a")
    assert file.read_text() == MINE.replace(
        '[models."local/a"]  # old\ngguf = "~/a.gguf"\n# slots\nconcurrency = 1\n', ""
    )
    remove_model("local/z")
    assert file.read_text().endswith("# The one at home.\n\n# The last one.\n")


def test_links_and_modes_stay(file: Path, tmp_path: Path) -> None:
    kept = tmp_path / "dotfiles.toml"
    kept.write_text("# mine\n")
    kept.chmod(0o640)
    file.symlink_to(kept)
    add_model("local/new", {"gguf": "/m.gguf"})
    assert file.is_symlink()
    assert kept.read_text().startswith("# mine\n\n[models.")
    assert stat.S_IMODE(kept.stat().st_mode) == 0o640


def test_a_table_is_added_once(file: Path) -> None:
    file.write_text(MINE)
    with pytest.raises(ConfigError, match="already"):
        add_model("local/a", {"gguf": "/m.gguf"})
    assert file.read_text() == MINE


@pytest.mark.parametrize("text", ["default_model = 3\n", "[models", "nonsense = 1\n"])
def test_a_file_that_is_not_in_order_is_left_alone(file: Path, text: str) -> None:
    file.write_text(text)
    with pytest.raises(ConfigError, match=r"config\.toml"):
        add_model("local/new", {"gguf": "/m.gguf"})
    with pytest.raises(ConfigError, match=r"config\.toml"):
        remove_model("local/new")
    assert file.read_text() == text


def test_what_only_its_owner_can_edit_is_left_alone(file: Path) -> None:
    text = 'models = { "local/a" = { gguf = "/a.gguf" } }\n'
    file.write_text(text)
    with pytest.raises(ConfigError) as caught:
        add_model("local/new", {"gguf": "/m.gguf"})
    assert '[models."local/new"]\ngguf = "/m.gguf"' in caught.value.hint
    with pytest.raises(ConfigError, match="only you can edit"):
        remove_model("local/a")
    with pytest.raises(ConfigError, match="no settings for local/b"):
        remove_model("local/b")
    assert file.read_text() == text


def test_lines_that_look_like_headers_inside_a_value_do_not_mislead(file: Path) -> None:
    text = '[models."local/a"]\ngguf = """/a\n[models."local/b"]\n.gguf"""\n\n[models."local/b"]\ngguf = "/b.gguf"\n'
    file.write_text(text)
    remove_model("local/b")
    assert file.read_text() == text[: text.index('\n[models."local/b"]\ngguf')]
    remove_model("local/a")
    assert file.read_text() == ""


@given(st.text(st.characters(codec="utf-8")).map("/{}".format))
def test_any_path_is_written_so_that_it_is_read_back(path: str) -> None:
    added = add_model("local/new", {"gguf": path, "context": 512})
    try:
        assert tomllib.loads(added.read_text(encoding="utf-8"))["models"]["local/new"]["gguf"] == path
    finally:
        remove_model("local/new")
