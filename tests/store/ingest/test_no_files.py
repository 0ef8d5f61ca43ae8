"""What lies in folders and is no file is refused before it is read: that might never end."""

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from store.ingest.files import open_unpacked
from store.ingest.importer import import_file
from store.workspace import Workspace
from uq_tui.errors import ImportFileError, NotFoundError


def listening(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


@pytest.mark.parametrize(("make", "is_"), [(os.mkfifo, "a pipe"), (listening, "a socket")])
def test_pipes_and_sockets_wherever_they_lie(
    workspace: Workspace, tmp_path: Path, make: Callable[[Path], None], is_: str
) -> None:
    (tmp_path / "pack.json").write_text('{"name": "p"}')
    make(tmp_path / "questions.jsonl")
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "questions.jsonl")
    for path in (tmp_path, tmp_path / "questions.jsonl", tmp_path / "link.jsonl"):
        with pytest.raises(ImportFileError, match=rf"\.jsonl is {is_}, not a file"):
            import_file(workspace, path)


@pytest.mark.parametrize("name", ["/dev/zero", "/dev/null"])
def test_devices(workspace: Workspace, name: str) -> None:
    with pytest.raises(ImportFileError, match="is a device, not a file"):
        import_file(workspace, Path(name))


@pytest.mark.parametrize("name", ["a\0b", "a\ud800b", "a" * 300, "a/" * 3000])
def test_names_that_no_file_can_have(workspace: Workspace, tmp_path: Path, name: str) -> None:
    for question_id in ("", "source:1"):
        with pytest.raises((ImportFileError, NotFoundError)):
            import_file(workspace, tmp_path / f"{name}.md", question_id=question_id)


def test_links_that_lead_nowhere(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "round").symlink_to(tmp_path / "round")
    (tmp_path / "gone").symlink_to(tmp_path / "nothing")
    with pytest.raises(ImportFileError, match="round cannot be read"):
        import_file(workspace, tmp_path / "round")
    with pytest.raises(NotFoundError, match="There is no file"):
        import_file(workspace, tmp_path / "gone")


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="a file that can be opened and not read")
def test_a_file_that_fails_while_it_is_read(workspace: Workspace) -> None:
    with pytest.raises(ImportFileError, match=r"/proc/self/mem cannot be read"):
        import_file(workspace, Path("/proc/self/mem"))


def test_a_folder_that_cannot_be_listed(workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(folder: Path) -> None:
        raise PermissionError(13, "Permission denied", str(folder))

    monkeypatch.setattr(Path, "iterdir", refused)
    with pytest.raises(ImportFileError, match="cannot be imported: Permission denied"):
        import_file(workspace, tmp_path)


def test_a_pipe_is_read_by_those_who_read_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "p")
    kept = os.open(tmp_path / "p", os.O_RDWR)
    try:
        os.write(kept, b"<posts>")
        with open_unpacked(tmp_path / "p", may_be_pipe=True) as file:
            assert file.read1(7) == b"<posts>"
    finally:
        os.close(kept)
