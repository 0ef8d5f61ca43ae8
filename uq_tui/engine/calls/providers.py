"""The models one engine uses: which provider answers for which id, how many calls each takes, and closing them."""

from pathlib import Path

from uq_tui.config import Config
from uq_tui.engine.calls.hosted_provider import HostedProvider
from uq_tui.engine.calls.replay import ReplayProvider
from uq_tui.engine.calls.turns import Limits
from uq_tui.engine.gateways.pool import Gateways
from uq_tui.engine.local.provider import DEFAULT_SLOTS, LocalProvider
from uq_tui.engine.local.servers import LocalServers, cores
from uq_tui.engine.models import ModelKind, kind_of
from uq_tui.engine.requests import ModelChoice
from uq_tui.engine.spec import Provider

DEFAULT_CALLS = 8
"""How many calls a model that isn't on this machine takes at once unless configured."""
_USUAL_GATEWAYS = 4
"""No more than this, nor than there are cores, unless configured."""


class Models:
    """Lives on one event loop. Nothing is imported or started before a provider is used.

    Args:
        workspace: the workspace that is worked on; servers of local models are shared with its other users.
    """

    def __init__(self, config: Config, workspace: Path | None = None) -> None:
        self._config = config
        self._gateways = Gateways(config.gateway_processes or min(cores(), _USUAL_GATEWAYS))
        self._servers = LocalServers(workspace)

    def resolve(self, choice: ModelChoice) -> Provider:
        """The provider of a model. Whether the model can be used is found out by its `prepare`."""
        settings = self._config.model(choice.id)
        match kind_of(choice.id):
            case ModelKind.EMBEDDED | ModelKind.LOCAL:
                return LocalProvider(choice, settings, self._servers, self._gateways)
            case ModelKind.REPLAY:
                return ReplayProvider(choice)
            case ModelKind.HOSTED:
                return HostedProvider(choice, settings, self._gateways)

    def limits(self, choice: ModelChoice) -> Limits:
        """What the model takes at once and in a minute."""
        local = kind_of(choice.id) in (ModelKind.EMBEDDED, ModelKind.LOCAL)
        settings = self._config.model(choice.id)
        return Limits(
            settings.concurrency or (DEFAULT_SLOTS if local else DEFAULT_CALLS),
            settings.requests_per_minute,
            settings.tokens_per_minute,
        )

    async def warm_up(self) -> None:
        """Start what takes seconds before the first call needs it. Raises ModelError when it cannot be started."""
        await self._gateways.warm_up()

    async def close(self) -> None:
        """Leave the local servers and end the gateway processes, which closes all connections."""
        self._servers.close()
        await self._gateways.close()
