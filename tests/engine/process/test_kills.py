"""Workers and apps are killed in the middle of runs: what is committed is never asked again.

Few kills, since each costs the start of a worker and of a gateway; `test_death_long.py` has hundreds.
"""

from tests.engine.process.kills import Kills, Victim, requests_for
from tests.engine.process.lab import stock_many


async def test_kills_cost_only_the_calls_in_flight(kills: Kills) -> None:
    validating, measuring = requests_for(kills.model, stock_many(kills.ws, 12))
    victims = {validating: [Victim.BOTH], measuring: [Victim.APP, Victim.WORKER]}
    async with kills:
        likes = {request: await kills.undisturbed(request) for request in victims}
        for request, killed in victims.items():
            await kills.disturbed(request, like=likes[request], victims=killed)

    assert len(kills.left) == len(Victim)
    assert any(one.committed for one in kills.left)
    assert any(one.in_flight for one in kills.left)
