"""Models behind an address, under any of LiteLLM's ids, reached through gateway processes."""

from dataclasses import asdict, replace
from typing import Any

from uq_tui.config import ModelSettings, Sampling
from uq_tui.engine.gateways.pool import Gateways
from uq_tui.engine.gateways.protocol import HostedModel
from uq_tui.engine.gateways.sending import Timeouts
from uq_tui.engine.requests import ModelChoice
from uq_tui.engine.spec import Ask, CallFailedError, OnText, Prepared, Price, Reply

_ANY_SEED = 0
_MILLION = 1_000_000


class HostedProvider:
    """A model reached through LiteLLM. A price that the user gave stands in place of the known one."""

    def __init__(
        self, choice: ModelChoice, settings: ModelSettings, gateways: Gateways, timeouts: Timeouts | None = None
    ) -> None:
        self._model = HostedModel(choice, settings)
        self._gateways = gateways
        self._timeouts = timeouts or Timeouts()
        self._given_price = _given_price(settings)

    async def prepare(self, ask: Ask, sampling: Sampling, seed: int) -> Prepared:
        """Fix what would be sent: LiteLLM's name of the model, and those parameters that the model takes.

        Raises:
            ModelError: no such provider, no usable address, or no key.
        """
        asked: dict[str, Any] = {name: value for name, value in asdict(sampling).items() if value not in (None, "")}
        # Whether seeds are taken doesn't depend on the seed, so that one answer serves for all samples.
        usable = await self._gateways.prepare(self._model, {**asked, "seed": _ANY_SEED})
        wanted = {**asked, "seed": seed}
        return Prepared(
            ask=ask,
            provider_model=usable.provider_model,
            endpoint=usable.endpoint,
            parameters={name: value for name, value in wanted.items() if name not in usable.dropped},
            dropped=usable.dropped,
            constrained=False,
            price=self._given_price or usable.price,
        )

    async def complete(self, prepared: Prepared, on_text: OnText | None) -> Reply:
        """Send once; streaming when somebody listens. Closes the connection when cancelled, so the server can stop.

        Raises:
            CallFailedError: with the text that had arrived.
            ModelError: the key is gone since `prepare`.
        """
        ask = prepared.ask
        try:
            reply = await self._gateways.send(
                self._model, ask.messages, prepared.parameters, self._timeouts, on_text=on_text, sample=ask.sample
            )
        except CallFailedError as error:
            if error.partial is not None:
                error.partial = self._priced(error.partial)
            raise
        return self._priced(reply)

    def _priced(self, reply: Reply) -> Reply:
        price = self._given_price
        if price is None or reply.tokens_in is None or reply.tokens_out is None:
            return reply
        return replace(reply, cost_usd=reply.tokens_in * price.usd_in + reply.tokens_out * price.usd_out)


def _given_price(settings: ModelSettings) -> Price | None:
    usd_in, usd_out = settings.usd_per_million_in, settings.usd_per_million_out
    if usd_in is None or usd_out is None:
        return None
    return Price(usd_in / _MILLION, usd_out / _MILLION)
