"""Two hundred kills of workers, apps and both at points drawn by chance, in batches that can be run on their own.

Nearly all of the time goes into importing LiteLLM anew after each kill: two to four minutes a batch on two busy cores.
`-k "[7]"` runs one batch; batches may run side by side (`-n 2`).
"""

import random

import pytest

from tests.engine.process.kills import Kills, Victim, requests_for
from tests.engine.process.lab import stock_many

pytestmark = pytest.mark.long

BATCHES = 20
POINTS = 10


@pytest.mark.parametrize("batch", range(BATCHES))
async def test_kills_at_random_points_cost_only_the_calls_in_flight(kills: Kills, batch: int) -> None:
    chance = random.Random(batch)
    victims = [chance.choice(list(Victim)) for _ in range(POINTS)]
    requests = requests_for(kills.model, stock_many(kills.ws, 12))
    async with kills:
        likes = [await kills.undisturbed(request) for request in requests]
        while victims:
            kind = chance.randrange(2)
            await kills.disturbed(requests[kind], like=likes[kind], victims=victims)

    assert len(kills.left) == POINTS
    assert any(one.committed for one in kills.left)
    assert any(one.in_flight for one in kills.left)
