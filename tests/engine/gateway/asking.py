"""Short ways to ask a provider in tests."""

from dataclasses import asdict, dataclass, field
from typing import Any

from prompts.loader import Output
from store.run_rows import Message
from uq_tui.analysis.scale import Scale
from uq_tui.config import ModelSettings, Sampling
from uq_tui.engine.calls.caller import drawn, seed_of
from uq_tui.engine.gateways.llm import ensure_litellm_ready, find_target
from uq_tui.engine.gateways.sending import Timeouts, send
from uq_tui.engine.requests import ModelChoice
from uq_tui.engine.spec import Ask, OnText, Prepared, Provider, Reply, TemplateRef

DEFAULTS = Sampling()
TEMPLATE = TemplateRef("check.correctness", "1", "0" * 64)


def an_ask(
    *texts: str,
    model: str = "openai/scripted",
    api_base: str = "",
    sample: int = 0,
    form: Output = Output.FREE,
    tag: str = "",
    scale: Scale | None = None,
    max_tokens: int | None = None,
    temperature: float | None = None,
    template: str = "check.correctness",
) -> Ask:
    """An ask whose user messages are `texts`, with replies of the assistant between them."""
    messages = [Message("user", texts[0] if texts else "Is it so?")]
    for text in texts[1:]:
        messages += [Message("assistant", "It is."), Message("user", text)]
    return Ask(
        model=ModelChoice(model, api_base),
        messages=tuple(messages),
        template=TemplateRef(template, "1", "0" * 64),
        sample=sample,
        form=form,
        tag=tag,
        scale=scale,
        max_tokens=max_tokens,
        temperature=temperature,
    )


class DirectProvider:
    """Sends in this process, as a gateway process does. All parameters are taken to be the model's."""

    def __init__(self, choice: ModelChoice, settings: ModelSettings, timeouts: Timeouts | None = None) -> None:
        self._choice = choice
        self._settings = settings
        self._timeouts = timeouts or Timeouts()

    async def prepare(self, ask: Ask, sampling: Sampling, seed: int) -> Prepared:
        wanted: dict[str, Any] = {**asdict(sampling), "seed": seed}
        parameters = {name: value for name, value in wanted.items() if value not in (None, "")}
        return Prepared(ask, self._choice.id, self._choice.api_base, parameters, (), constrained=False)

    async def complete(self, prepared: Prepared, on_text: OnText | None) -> Reply:
        litellm = ensure_litellm_ready()
        target = find_target(litellm, self._choice, self._settings)
        ask, parameters = prepared.ask, prepared.parameters
        return await send(litellm, target, ask.messages, parameters, self._timeouts, on_text=on_text, sample=ask.sample)


async def close_clients() -> None:
    """Close the connections that LiteLLM keeps open on this event loop."""
    await ensure_litellm_ready().close_litellm_async_clients()


@dataclass
class Heard:
    """What came through `on_text`, in order."""

    pieces: list[tuple[str, str]] = field(default_factory=list)

    def __call__(self, reasoning: str, reply: str) -> None:
        self.pieces.append((reasoning, reply))

    @property
    def reasoning(self) -> str:
        return "".join(reasoning for reasoning, _ in self.pieces)

    @property
    def reply(self) -> str:
        return "".join(reply for _, reply in self.pieces)


async def answer(provider: Provider, ask: Ask, heard: Heard | None = None, sampling: Sampling = DEFAULTS) -> Reply:
    """Prepare and send."""
    return await provider.complete(await prepare(provider, ask, sampling), heard or Heard())


async def prepare(provider: Provider, ask: Ask, sampling: Sampling = DEFAULTS) -> Prepared:
    """Prepare as the caller does for epoch 0."""
    return await provider.prepare(ask, drawn(ask, sampling), seed_of(ask.sample, 0))
