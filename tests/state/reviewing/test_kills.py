"""A reviewer's process is killed: every verdict that was shown as recorded is there, and every draft of a pause ago."""

import random
from pathlib import Path

from tests.state.reviewing.kills import Killed

KILLS = 12


def test_what_was_shown_as_saved_outlives_kills(tmp_path: Path) -> None:
    killed = Killed(tmp_path / "test.uq.sqlite", random.Random(7))
    for _ in range(KILLS):
        killed.once()
    assert killed.recorded > KILLS // 3
    assert killed.drafts > KILLS // 3
    assert killed.in_the_middle > 0
