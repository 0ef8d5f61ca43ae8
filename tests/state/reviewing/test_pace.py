"""Progress and pace in words."""

import pytest

from store.review_rows import Progress
from uq_tui.state.reviewing.pace import (
    FEWEST,
    LOOKED_BACK,
    Pace,
    pace,
    pace_words,
    progress_words,
    summary,
    time_words,
)


def test_there_is_no_pace_before_there_is_one() -> None:
    assert pace([60.0] * (FEWEST - 1), 100) is None
    assert pace([60.0] * FEWEST, 100) == Pace(60.0, 6000.0)
    assert pace_words(None) == ""


def test_verdicts_without_any_time_say_nothing_of_the_pace() -> None:
    assert pace([0.0] * 40 + [60.0] * (FEWEST - 1), 1) is None
    assert pace([0.0] * 3 + [90.0] * FEWEST, 2) == Pace(40.0, 180.0)


def test_only_the_last_verdicts_count() -> None:
    found = pace([30.0] * LOOKED_BACK + [10_000.0] * 50, 1)
    assert found is not None
    assert found.an_hour == pytest.approx(120.0)


def test_progress_counts_skipped_ones_as_done() -> None:
    assert progress_words(Progress(total=630, decided=9, skipped=3, put_off=2, linked=4)) == (
        "12 of 630, 3 skipped, 2 put off"
    )
    assert progress_words(Progress(10_000, 0, 0, 0, 0)) == "0 of 10,000"


def test_pace_is_told_with_what_is_left() -> None:
    assert pace_words(Pace(41.2, 14.9 * 3600)) == "41 an hour, about 14.9 h left"
    assert pace_words(Pace(2.5, 0.0)) == "2.5 an hour"
    assert [time_words(s) for s in (40.4, 600.0, 5400.0)] == ["40 s", "10 min", "1.5 h"]


def test_the_end_is_summed_up() -> None:
    said = summary(Progress(total=12, decided=9, skipped=1, put_off=2, linked=3), 5400.0)
    assert said.splitlines() == [
        "- 9 answers decided",
        "- 1 skipped, each with its reason",
        "- 3 more that are identical to one of these, and have its verdict",
        "- 2 left, 2 of them put off",
        "- 1.5 h of active time",
    ]
    assert "unknown" in summary(Progress(1, 1, 0, 0, 0), 0.0)
