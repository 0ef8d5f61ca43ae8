"""`uq-tui export --as` and `--report`: each says what it holds and leaves out, and follows what fits it only."""

import json
from pathlib import Path

import pytest

from exports.formats import FORMATS
from tests.commands.conftest import QUESTION, Desk, Run, document

ROWS = {"uq-answers": 2, "uq-validations": 0, "parquet": 3, "csv": 3}
"""Rows of a desk with two verdicts, of which one was revised; other formats have one for each answer."""


def judged(uq: Run, desk: Desk) -> None:
    uq("verdict", "give", desk.right, "--label", "correct", "--rationale", "Plain.")
    uq("verdict", "give", desk.right, "--label", "correct_borderline")
    uq("verdict", "give", desk.wrong, "--label", "unsure")


def test_each_format_is_written_and_told(uq: Run, desk: Desk, tmp_path: Path) -> None:
    judged(uq, desk)
    for name, one in FORMATS.items():
        out = tmp_path / f"out{one.suffix}"
        report = document(uq("export", "--as", name, str(out), "--json"))["as"]
        assert (report["format"], report["file"], report["held_back"]) == (name, str(out), 0)
        assert report["rows"] == ROWS.get(name, 2)
        assert out.read_bytes() or not report["rows"]


def test_a_person_reads_what_is_in_it_and_what_is_not(uq: Run, desk: Desk, tmp_path: Path) -> None:
    judged(uq, desk)
    result = uq("export", "--as", "inspect", str(tmp_path / "log.json"))
    assert result.stdout == ""
    assert "2 samples written" in result.stderr
    assert "Left out: 1 verdicts without a label that a score could say." in " ".join(result.stderr.split())


def test_reviewers_can_stay_unnamed(uq: Run, desk: Desk, tmp_path: Path) -> None:
    judged(uq, desk)
    out = tmp_path / "tasks.json"
    assert "tester" in _exported(uq, out)
    assert "tester" not in _exported(uq, out, "--anonymous")
    assert json.loads(out.read_text(encoding="utf-8"))


def _exported(uq: Run, out: Path, *more: str) -> str:
    assert uq("export", "--as", "label-studio", str(out), *more).exit_code == 0
    return out.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (("label-studio", "--without-text"), "the answers in it"),
        (("uq-answers", "--anonymous"), "not made of verdicts"),
        (("uq-validations", "--since", "2026-01-31"), "not made of verdicts"),
        (("doccano",), "is not one of"),
    ],
)
def test_what_does_not_fit_a_format_is_refused(
    uq: Run, desk: Desk, tmp_path: Path, line: tuple[str, ...], said: str
) -> None:
    out = tmp_path / "out"
    result = uq("export", "--as", line[0], str(out), *line[1:])
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())
    assert not out.exists()


def test_a_question_is_reported_as_a_page_or_as_markdown(uq: Run, desk: Desk, tmp_path: Path) -> None:
    judged(uq, desk)
    for name in ("report.html", "report.md"):
        report = document(uq("export", "--report", QUESTION, str(tmp_path / name), "--json"))["report"]
        assert report == {"file": str(tmp_path / name), "question_id": QUESTION}
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert "Verdict by tester: correct borderline" in text
        assert "\x1b" not in text
    assert uq("export", "--report", "nowhere:1", str(tmp_path / "none.md")).exit_code == 3
    assert uq("export", "--report", QUESTION, str(tmp_path / "report.docx")).exit_code != 0
