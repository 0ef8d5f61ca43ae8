"""The user's browser, editor and pager: real small programs in their place."""

import os
from pathlib import Path

import pytest

from uq_tui.state.reading.other_programs import NoProgramError, is_followed, open_in_browser, run_viewer, viewer

HOSTILE = "https://a.example/?q=$(touch+x)&`id`;rm"


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A program that writes its arguments, a line each, to `noted` beside itself."""
    program = tmp_path / "notes"
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {tmp_path}/noted\n', encoding="utf-8")
    program.chmod(0o700)
    return program


@pytest.fixture
def browser(notes: Path) -> Path:
    """The same; `noted` is a pipe, so that who reads it waits for the program."""
    os.mkfifo(notes.with_name("noted"))
    return notes


def noted(program: Path) -> list[str]:
    """What the program was called with."""
    return program.with_name("noted").read_text(encoding="utf-8").splitlines()


def test_the_browser_gets_the_address_as_one_argument_and_no_shell_sees_it(browser: Path) -> None:
    open_in_browser(HOSTILE, {"BROWSER": f"{browser} --new", "PATH": os.environ["PATH"]})

    assert noted(browser) == ["--new", HOSTILE]


def test_without_a_screen_it_is_said_what_to_do() -> None:
    with pytest.raises(NoProgramError, match="no screen") as caught:
        open_in_browser("file:///x", {"PATH": os.environ["PATH"]})
    assert "by hand" in caught.value.hint


def test_on_a_screen_the_desktop_is_asked(browser: Path) -> None:
    opener = browser.rename(browser.with_name("xdg-open"))
    open_in_browser("file:///x", {"DISPLAY": ":0", "PATH": f"{opener.parent}:{os.environ['PATH']}"})

    assert noted(opener) == ["file:///x"]


def test_a_browser_that_is_not_there_is_named() -> None:
    with pytest.raises(NoProgramError, match="/nowhere/browser cannot be started"):
        open_in_browser("file:///x", {"BROWSER": "/nowhere/browser"})


@pytest.mark.parametrize("address", ["http://a.example", "HTTPS://a.example/x?y#z"])
def test_web_addresses_are_followed(address: str) -> None:
    assert is_followed(address)


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "file:///etc/passwd",
        "",
        "ftp://a",
        "//a",
        "http://",
        "http://a b",
        "http://а.example",
        "-x",
    ],
)
def test_others_are_not(address: str) -> None:
    assert not is_followed(address)


def test_the_editor_is_taken_before_the_pager_and_what_is_not_there_is_passed_over(notes: Path) -> None:
    path = os.environ["PATH"]

    assert viewer({"PAGER": "cat", "EDITOR": f"'{notes}' -w", "PATH": path}) == [str(notes), "-w"]
    assert viewer({"VISUAL": "no-such-editor", "EDITOR": "", "PAGER": "cat", "PATH": path}) == ["cat"]
    with pytest.raises(NoProgramError, match="no editor or pager"):
        viewer({"PATH": "/nowhere"})
    with pytest.raises(NoProgramError, match="EDITOR cannot be read"):
        viewer({"EDITOR": "'", "PATH": path})


def test_the_editor_is_run_on_the_file_and_waited_for(notes: Path) -> None:
    run_viewer([str(notes), "-w"], Path("/tmp/a file"))

    assert noted(notes) == ["-w", "/tmp/a file"]
    with pytest.raises(NoProgramError, match="cannot be started"):
        run_viewer(["/nowhere/editor"], Path("x"))
