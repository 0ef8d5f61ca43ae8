"""One verifier for all tests here that may share its children, which take seconds to start."""

from collections.abc import AsyncIterator

import pytest_asyncio

from uq_tui.engine.verification.verifier import Verifier


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def verifier() -> AsyncIterator[Verifier]:
    async with Verifier(30.0) as opened:
        yield opened
