"""What is logged can't steer the terminal it is read in, and is no line but its own."""

import logging
from pathlib import Path

import pytest

from uq_tui.crash_log import keep_traceback
from uq_tui.log_lines import FORMAT, CleanFormatter

FORGED = "gone\x1b[2J\n2026-01-01 00:00:00,000 1 ERROR uq_tui: all is lost\u202e"


def test_a_record_is_one_line_and_what_is_indented_under_it() -> None:
    record = logging.LogRecord("uq_tui", logging.WARNING, "", 0, "it said: %s", (FORGED,), None)
    first, second = CleanFormatter(FORMAT).format(record).splitlines()
    assert first.endswith("WARNING uq_tui: it said: gone\u241b[2J")
    assert second == "    2026-01-01 00:00:00,000 1 ERROR uq_tui: all is lost‹U+202E›"


def test_a_kept_traceback_is_clean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UQ_TUI_HOME", str(tmp_path))
    kept = keep_traceback(ValueError(f"{FORGED} \ud83d")).read_text("utf-8")
    assert "ValueError: gone\u241b[2J" in kept
    assert "‹U+202E› ‹U+D83D›" in kept
