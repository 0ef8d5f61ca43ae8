"""Two hundred kills of a reviewer's process at moments drawn by chance, in batches that can be run on their own."""

import random
from pathlib import Path

import pytest

from tests.state.reviewing.kills import Killed

pytestmark = pytest.mark.long

BATCHES = 10
KILLS = 20


@pytest.mark.parametrize("batch", range(BATCHES))
def test_what_was_shown_as_saved_outlives_kills_at_random_moments(tmp_path: Path, batch: int) -> None:
    killed = Killed(tmp_path / "test.uq.sqlite", random.Random(batch))
    for _ in range(KILLS):
        killed.once()
    assert killed.recorded > KILLS // 3
    assert killed.drafts > KILLS // 3
    assert killed.in_the_middle > 0
