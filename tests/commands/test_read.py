"""`uq-tui read`."""

import os
import re
import sys
from pathlib import Path

import pytest

from store.frozen_rows import sealed
from tests.commands.conftest import QUESTION, Desk, Run, exposed
from tests.store.records.samples import QUESTION_ID, record
from tests.terminal import Terminal
from uq_tui.words import Exposure

ANSWER = (
    r"""# A proof

We have **bold** \(\alpha_1 \in \mathbb{R}\) and an escape: """
    + "\x1b[2J"
    + r"""

$$x^2$$

By [this](https://a.example/x) we are done, since every even number is the sum of two
primes, as was to be shown, and there is nothing left to say about it.
"""
)


@pytest.fixture
def answer(desk: Desk) -> str:
    """Id of a candidate with an answer that has something of everything."""
    return desk.answered(ANSWER, "secret-model")


def test_an_answer_is_laid_out(uq: Run, answer: str) -> None:
    result = uq("read", answer[:8])

    assert result.exit_code == 0
    assert "# A proof" in result.stdout
    assert "We have bold α₁ ∈ ℝ and an escape: ␛[2J" in result.stdout
    assert "By this (https://a.example/x) we are done" in result.stdout
    assert "\x1b" not in result.output
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert not any(line.endswith(" ") for line in result.stdout.splitlines())


def test_the_width_is_kept(uq: Run, answer: str) -> None:
    lines = uq("read", answer, "--width", "30").stdout.splitlines()

    assert 25 < max(map(len, lines)) <= 30


def test_units_have_the_numbers_of_the_app(uq: Run, answer: str) -> None:
    result = uq("read", answer, "--units")

    numbered = [line.split(maxsplit=1)[0] for line in result.stdout.splitlines() if line[:1].isdigit()]
    assert numbered == ["1", "2", "3"]
    assert re.search(r"^3  By this .*\n   \w", result.stdout, re.MULTILINE)


def test_a_question_is_read_whole(uq: Run) -> None:
    result = uq("read", QUESTION)

    assert result.exit_code == 0
    assert "Is every [b]even[/b] number␛[2J the sum of two primes?" in result.stdout.replace("\n", " ")
    assert "Every even n > 2, that is." in result.stdout


def test_the_source_is_markdown_cleaned(uq: Run, answer: str) -> None:
    assert uq("read", answer, "--source").stdout == ANSWER.replace("\x1b", "␛") + "\n"


def test_only_lines_with_what_is_looked_for(uq: Run, answer: str) -> None:
    found = uq("read", answer, "--find", "even number")
    in_source = uq("read", answer, "--find", r"\mathbb", "--source")

    assert [line.strip() for line in found.stdout.splitlines()] == [
        line.strip() for line in uq("read", answer).stdout.splitlines() if "even" in line or "number" in line
    ]
    assert "1 match in the source." in found.stderr
    assert in_source.stdout.startswith(r"3: We have **bold** \(\alpha_1 \in \mathbb{R}\)")
    assert len(in_source.stdout.splitlines()) == 1


def test_a_match_over_two_lines_shows_both(uq: Run, answer: str) -> None:
    result = uq("read", answer, "--find", "two primes", "--source")

    assert [line.partition(":")[0] for line in result.stdout.splitlines()] == ["7", "8"]


def test_what_is_not_there_is_told_by_the_exit_code(uq: Run, answer: str) -> None:
    result = uq("read", answer, "--find", "no such words")

    assert (result.exit_code, result.stdout) == (1, "")
    assert "0 matches in the source." in result.stderr


def test_the_page_is_a_private_file_that_does_not_tell_who_wrote_it(uq: Run, answer: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    result = uq("read", answer, "--page", str(page))

    assert (result.exit_code, result.stdout) == (0, "")
    assert str(page) in result.stderr.replace("\n", "")
    assert page.stat().st_mode & 0o777 == 0o600
    written = page.read_text(encoding="utf-8")
    assert f"<title>Answer {answer[:12]}</title>" in written
    assert "<mi>ℝ</mi>" in written
    assert "secret-model" not in written


def test_an_answer_is_no_exposure_and_reasoning_is_one(uq: Run, desk: Desk) -> None:
    uq("read", desk.right)
    assert exposed(desk, desk.right) == set()

    assert "Think of 8." in uq("read", desk.right, "--reasoning").stdout
    assert exposed(desk, desk.right) == {Exposure.REASONING}


@pytest.mark.parametrize(
    "options",
    [
        ("--page", "x.html", "--units"),
        ("--page", "x.html", "--find", "a"),
        ("--source", "--width", "40"),
        ("--width", "3"),
    ],
)
def test_what_does_not_go_together_is_refused(uq: Run, desk: Desk, options: tuple[str, ...]) -> None:
    assert uq("read", desk.right, *options).exit_code == 2


def test_what_is_not_there_is_said(uq: Run, answer: str, tmp_path: Path) -> None:
    missing = uq("read", "nowhere:1")
    assert missing.exit_code == 3
    assert "no question 'nowhere:1', and no candidate" in missing.stderr
    assert uq("read", answer, "--reasoning").exit_code == 3
    assert uq("read", QUESTION, "--reasoning").exit_code == 2
    assert uq("read", answer, "--page", str(tmp_path / "nowhere" / "x.html")).exit_code == 3


def test_a_question_whose_text_is_not_here_is_told_so(uq: Run, tmp_path: Path) -> None:
    file = tmp_path / "verdicts.jsonl"
    file.write_text(f"{sealed(record())}\n", encoding="utf-8")
    assert uq("import", str(file)).exit_code == 0

    result = uq("read", QUESTION_ID)
    assert result.exit_code == 3
    assert f"The text of the question {QUESTION_ID} is not in this workspace" in result.stderr


@pytest.mark.terminal
def test_on_a_terminal_it_has_styles_and_the_terminals_width(desk: Desk, answer: str) -> None:
    program = str(Path(sys.executable).with_name("uq-tui"))
    command = [program, "--workspace", str(desk.path), "read", answer, "--find", "bold"]
    env = {**os.environ, "TERM": "xterm-256color"}
    env.pop("NO_COLOR", None)
    with Terminal(command, env=env, columns=60, lines=20) as terminal:
        terminal.wait_for("1 match")
        assert b"\x1b[1;7mbold\x1b[0m" in terminal.output
        assert b"\x1b[2J" not in terminal.output
