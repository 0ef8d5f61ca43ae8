import io
import shutil
from pathlib import Path

import pytest

from store import facts, questions
from store.rows import ImportReport, QuestionFilter
from tests.commands.conftest import Desk
from uq_tui import startup
from uq_tui.errors import NotFoundError, StartError


@pytest.mark.parametrize("version", [(3, 11), (3, 12), (3, 13)])
def test_supported_pythons_pass(version: tuple[int, int]) -> None:
    startup.check_python(version)


@pytest.mark.parametrize("version", [(2, 7), (3, 10), (3, 14), (4, 0)])
def test_other_pythons_are_refused_by_name(version: tuple[int, int]) -> None:
    with pytest.raises(StartError, match=f"This is Python {version[0]}.{version[1]}"):
        startup.check_python(version)


def test_our_own_packages_pass() -> None:
    startup.check_packages()


def test_a_package_from_elsewhere_is_named_with_its_path(tmp_path: Path) -> None:
    with pytest.raises(StartError) as caught:
        startup.check_packages(tmp_path)
    assert "'store'" in caught.value.message
    assert str(startup.HOME / "store") in caught.value.message
    assert "PYTHONPATH" in caught.value.hint


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(startup, "COMPANIONS", ("store", "uq_tui_no_such_package"))
    with pytest.raises(StartError, match="'uq_tui_no_such_package' of uq-tui is missing"):
        startup.check_packages()


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    startup.check_terminal(Terminal(), Terminal(), Terminal())


PIPED = [tuple(io.StringIO() if number == piped else Terminal() for number in range(3)) for piped in range(3)]


@pytest.mark.parametrize("streams", PIPED)
def test_a_pipe_on_any_side_is_refused(streams: tuple[io.StringIO, io.StringIO, io.StringIO]) -> None:
    with pytest.raises(StartError, match="needs a terminal"):
        startup.check_terminal(*streams)


def test_a_terminal_without_a_screen_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    with pytest.raises(StartError, match="TERM=dumb"):
        startup.check_terminal(Terminal(), Terminal(), Terminal())


def test_a_pack_that_came_in_by_half_is_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    half = tmp_path / "half"
    shutil.copytree(startup.PACK, half, ignore=shutil.ignore_patterns("*.py", "candidates.jsonl"))
    path = tmp_path / "w.uq.sqlite"
    with monkeypatch.context() as patched:
        patched.setattr(startup, "PACK", half)
        workspace = startup.open_workspace(path)
    facts.put(workspace, startup.PACK_NOTE, startup.HALF)  # as a program killed before the candidates leaves it
    workspace.close()
    reports: list[ImportReport] = []
    for _ in range(2):
        startup.open_workspace(path, on_filled=reports.append).close()
    (report,) = reports
    assert report.counts["candidates"] == report.new > 0


def test_a_new_workspace_is_given_the_bundled_pack_once(tmp_path: Path) -> None:
    reports: list[ImportReport] = []
    path = tmp_path / "new.sqlite"
    for _ in range(2):
        workspace = startup.open_workspace(path, on_filled=reports.append)
        assert questions.count(workspace, QuestionFilter()).n >= 20
        workspace.close()
    (report,) = reports
    assert report.rejected_total == 0
    assert report.format == "pack"


def test_a_workspace_with_questions_is_left_as_it_is(desk: Desk) -> None:
    workspace = startup.open_workspace(desk.path)
    assert questions.count(workspace, QuestionFilter()).n == 2
    workspace.close()


def test_a_workspace_whose_pack_is_missing_is_closed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(startup, "PACK", tmp_path / "no-pack")
    path = tmp_path / "new.sqlite"
    with pytest.raises(NotFoundError, match="no-pack"):
        startup.open_workspace(path)
    assert not path.with_name("new.sqlite-wal").exists()
