"""Workers and apps are killed in the middle of runs: what is committed is never asked again."""

from tests.engine.process.kills import Kills, Victim, requests_for
from tests.engine.process.lab import stock_many


async def test_kills_cost_only_the_calls_in_flight(kills: Kills) -> None:
    requests = requests_for(kills.model, stock_many(kills.ws, 12))
    async with kills:
        likes = [await kills.undisturbed(request) for request in requests]
        for request, like in zip(requests, likes, strict=True):
            await kills.disturbed(request, like=like, victims=list(Victim))

    assert len(kills.left) == 2 * len(Victim)
    assert any(one.committed for one in kills.left)
    assert any(one.in_flight for one in kills.left)
