"""Files appear whole or not at all."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from exports.atomic import publish, staged
from tests.exports.small_disk import small_disk
from uq_tui.errors import ExportError

ROOT = Path(__file__).parents[2]


def write(path: Path, data: bytes) -> None:
    with staged(path) as file:
        file.write(data)
        publish(file)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def write_half_and_be_interrupted(path: Path) -> None:
    with staged(path) as file:
        file.write(b"half of it")
        raise KeyboardInterrupt


def test_a_new_file_appears_with_its_content(tmp_path: Path) -> None:
    write(tmp_path / "new", b"one\ntwo\n")
    assert (tmp_path / "new").read_bytes() == b"one\ntwo\n"
    assert names(tmp_path) == ["new"]


def test_nothing_stands_there_before_it_is_published(tmp_path: Path) -> None:
    with staged(tmp_path / "new") as file:
        file.write(b"one")
        assert "new" not in names(tmp_path)
    assert names(tmp_path) == []


def test_an_exception_in_the_middle_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "old"
    path.write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt):
        write_half_and_be_interrupted(path)
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["old"]


def test_two_files_are_published_together(tmp_path: Path) -> None:
    with staged(tmp_path / "a") as first, staged(tmp_path / "b") as second:
        first.write(b"A")
        second.write(b"B")
        publish(first, second)
    assert [(tmp_path / name).read_bytes() for name in names(tmp_path)] == [b"A", b"B"]


def test_permissions_of_the_old_file_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "old"
    path.write_bytes(b"old")
    path.chmod(0o640)
    write(path, b"new")
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    (tmp_path / "usual").touch()
    write(tmp_path / "new", b"")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_a_name_as_long_as_the_system_takes_is_no_trouble(tmp_path: Path) -> None:
    name = "n" * 255
    write(tmp_path / name, b"x")
    assert names(tmp_path) == [name]


def test_a_folder_is_not_written_over(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="not a regular file"):
        write(tmp_path, b"x")
    assert tmp_path.is_dir()


def test_a_link_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "target").write_bytes(b"old")
    (tmp_path / "link").symlink_to("target")
    with pytest.raises(ExportError, match="not a regular file"):
        write(tmp_path / "link", b"x")
    assert (tmp_path / "target").read_bytes() == b"old"


def test_a_dangling_link_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("nowhere")
    with pytest.raises(ExportError, match="not a regular file"):
        write(tmp_path / "link", b"x")


def test_a_pipe_and_a_socket_are_not_written_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        for name in ("pipe", "socket", "/dev/null"):
            with pytest.raises(ExportError, match="not a regular file"):
                write(Path(name), b"x")


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="absent/file can't be written: No such file") as caught:
        write(tmp_path / "absent" / "file", b"x")
    assert caught.value.hint


def test_a_name_no_file_can_have_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="null"):
        write(tmp_path / "a\0b", b"x")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(ExportError, match="Permission denied"):
            write(tmp_path / "file", b"x")
    finally:
        tmp_path.chmod(0o700)


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 64) as disk:
        path = disk / "old"
        path.write_bytes(b"old")
        with pytest.raises(ExportError, match="No space left"):
            write(path, bytes(200_000))
        assert path.read_bytes() == b"old"
        assert names(disk) == ["old"]


def test_a_file_beyond_the_allowed_size_leaves_the_old_one(tmp_path: Path) -> None:
    # The limit is hit by the last flush as well as by a write, whatever the size of the buffer.
    program = """
import resource, sys
from pathlib import Path
from exports.atomic import publish, staged
from uq_tui.errors import ExportError
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
for size in (5_000, 2_000_000):
    try:
        with staged(Path(sys.argv[1])) as file:
            file.write(bytes(size))
            publish(file)
    except ExportError as error:
        print(error.message)
"""
    path = tmp_path / "old"
    path.write_bytes(b"old")
    ran = subprocess.run(
        [sys.executable, "-c", program, path], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    assert ran.stdout.count("File too large") == 2
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["old"]


def test_a_kill_in_the_middle_leaves_the_old_file(tmp_path: Path) -> None:
    program = """
import sys, time
from pathlib import Path
from exports.atomic import staged
with staged(Path(sys.argv[1])) as file:
    file.write(bytes(1_000_000))
    print("written", flush=True)
    time.sleep(60)
"""
    path = tmp_path / "old"
    path.write_bytes(b"old")
    with subprocess.Popen([sys.executable, "-c", program, path], cwd=ROOT, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"written\n"
        child.send_signal(signal.SIGKILL)
    assert path.read_bytes() == b"old"
    (left,) = set(names(tmp_path)) - {"old"}
    assert left.startswith(".uq-tui-")
