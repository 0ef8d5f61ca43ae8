"""The models that are known here, to complete what is typed in dialogs."""

import asyncio

from uq_tui import config
from uq_tui.engine.models import known_models


async def known_ids() -> list[str]:
    """Their ids, read in a thread.

    Raises:
        ConfigError: the settings cannot be read.
    """
    return await asyncio.to_thread(lambda: [model.id for model in known_models(config.load())])
