"""Files for other programs."""

import os
import stat
from pathlib import Path

import pytest

from uq_tui import paths
from uq_tui.state.reading import handed_out
from uq_tui.state.reading.handed_out import HandedOutError, Kind, hand_out, write_privately


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(paths.HOME_VARIABLE, str(tmp_path / "home"))
    return tmp_path


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_only_the_user_may_read_it() -> None:
    path = hand_out(Kind.COPY, "text", "secret", ".txt")

    assert path.read_text(encoding="utf-8") == "secret"
    assert (mode(path), mode(path.parent)) == (0o600, 0o700)
    assert path.parent == paths.cache_dir() / "copies"


def test_the_name_says_nothing_of_the_text_and_is_the_same_for_the_same_text() -> None:
    first, again, other = (hand_out(Kind.PAGE, "c2-answer", text, ".html") for text in ("a", "a", "b"))

    assert first == again != other
    assert first.name == "c2-answer-ca9781.html"


def test_old_files_go_and_new_ones_stay() -> None:
    old, young = (hand_out(Kind.COPY, "text", text, ".txt") for text in ("old", "young"))
    os.utime(old, (0, 0))

    newest = hand_out(Kind.COPY, "text", "newest", ".txt")

    assert sorted(newest.parent.iterdir()) == sorted([young, newest])


def test_of_too_many_the_oldest_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handed_out, "KEPT_FILES", 2)
    written = [hand_out(Kind.COPY, "text", str(number), ".txt") for number in range(4)]

    left = set(written[0].parent.iterdir())

    assert len(left) == 2
    assert written[-1] in left


def test_a_lone_surrogate_does_not_keep_a_text_from_being_written() -> None:
    assert hand_out(Kind.COPY, "text", "a\ud800", ".txt").read_bytes() == rb"a\ud800"


def test_where_nothing_can_be_written_it_is_said(home: Path) -> None:
    (home / "home").write_text("a file in the place of a folder", encoding="utf-8")

    with pytest.raises(HandedOutError, match="cannot be written"):
        hand_out(Kind.PAGE, "text", "", ".html")


def test_a_file_that_the_user_names_is_replaced_whole(home: Path) -> None:
    path = home / "page.html"
    path.write_text("before", encoding="utf-8")

    write_privately(path, "after")

    assert (path.read_text(encoding="utf-8"), mode(path)) == ("after", 0o600)
    assert list(home.iterdir()) == [path]
    with pytest.raises(HandedOutError, match="nowhere"):
        write_privately(home / "nowhere" / "page.html", "")
