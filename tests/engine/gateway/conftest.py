"""Gateways for tests that are about something else."""

from collections.abc import AsyncIterator

import pytest

from tests.fakes.gateway_threads import gateway_threads as gateway_threads
from uq_tui.engine.gateways.pool import Gateways


@pytest.fixture
async def gateways(gateway_threads: None) -> AsyncIterator[Gateways]:
    """One gateway, in a thread: it sees what a test does to the environment."""
    opened = Gateways(1)
    yield opened
    await opened.close()
