"""The models one engine uses: which provider answers for which id, how many calls each takes, and closing them."""

from uq_tui.config import Config
from uq_tui.engine.llm import LiteLLMProvider, close_clients
from uq_tui.engine.local_provider import DEFAULT_SLOTS, LocalProvider, LocalServers
from uq_tui.engine.models import ModelKind, kind_of
from uq_tui.engine.protocol import ModelChoice
from uq_tui.engine.replay import ReplayProvider
from uq_tui.engine.spec import Provider

DEFAULT_CALLS = 8
"""How many calls a model that isn't on this machine takes at once unless configured."""


class Models:
    """Lives on one event loop. Nothing is imported or started before a provider is used."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._servers = LocalServers()

    def resolve(self, choice: ModelChoice) -> Provider:
        """The provider of a model. Whether the model can be used is found out by its `prepare`."""
        settings = self._config.model(choice.id)
        match kind_of(choice.id):
            case ModelKind.EMBEDDED | ModelKind.LOCAL:
                return LocalProvider(choice, settings, self._servers)
            case ModelKind.REPLAY:
                return ReplayProvider(choice)
            case ModelKind.HOSTED:
                return LiteLLMProvider(choice, settings)

    def limit(self, choice: ModelChoice) -> int:
        """How many calls the model takes at once, at least 1."""
        local = kind_of(choice.id) in (ModelKind.EMBEDDED, ModelKind.LOCAL)
        return self._config.model(choice.id).concurrency or (DEFAULT_SLOTS if local else DEFAULT_CALLS)

    async def close(self) -> None:
        """End the local servers and close all connections."""
        self._servers.close()
        await close_clients()
