"""What has come of a reply so far: reasoning under every name that providers use, and the reply itself."""

from collections.abc import Mapping
from typing import Any

from uq_tui.engine.gateways.redaction import KeyFilter, without_key
from uq_tui.engine.gateways.thinking import ThinkSplitter
from uq_tui.engine.spec import OnText, Reply

_REASONING_NAMES = ("reasoning_content", "reasoning", "thinking_blocks")
_PART_TEXTS = ("text", "thinking", "reasoning", "content")
_THINKING_PARTS = frozenset({"thinking", "reasoning"})


class Collected:
    """Takes deltas, tells `on_text` what is new, and knows the whole.

    A key that a server repeats is replaced; the start of one is not told before it proves to be none.

    What was told while it came may differ from the whole where a block of reasoning, or one inside it, was never
    closed: what came of the answer by then was told as reasoning (see `thinking`).
    """

    def __init__(self, on_text: OnText, key: str = "") -> None:
        self._on_text = on_text
        self._key = key
        self._named_filter = KeyFilter(key)
        self._content_filter = KeyFilter(key)
        self._named: list[str] = []
        self._content: list[str] = []
        self._splitter = ThinkSplitter()
        self._started = False

    def take(self, delta: Any) -> None:
        """Add one delta of a stream, or the message of a reply that came in one piece; as object or mapping."""
        named, content = _texts(delta)
        self._started = self._started or bool(named or content)
        named, content = self._named_filter.feed(named), self._content_filter.feed(content)
        inline, reply = self._splitter.feed(content) if content else ("", "")
        if content:
            self._content.append(content)
        if named:
            self._named.append(named)
        if named or inline or reply:
            self._on_text(named + inline, reply)

    @property
    def started(self) -> bool:
        """Whether any text has come."""
        return self._started

    def whole(
        self,
        *,
        cut_off: bool,
        finish_reason: str = "",
        tokens_in: int | None = None,
        tokens_out: int | None = None,
        cost_usd: float | None = None,
    ) -> Reply:
        """Everything that came, and the content as it came where the reply is not all of it.

        Args:
            cut_off: it ended before the model was done.
        """
        if held := self._content_filter.rest():
            self._splitter.feed(held)
            self._content.append(held)
        self._named.append(self._named_filter.rest())
        inline, reply = self._splitter.finish(cut_off=cut_off)
        reasoning = "\n\n".join(part for part in ("".join(self._named), inline) if part)
        content = "".join(self._content)
        raw = content if content != reply else ""
        return Reply(reply, reasoning, without_key(finish_reason, self._key), tokens_in, tokens_out, cost_usd, raw)


def _texts(delta: Any) -> tuple[str, str]:
    """Reasoning and content of one delta."""
    content = _field(delta, "content")
    reasoning = next((found for name in _REASONING_NAMES if (found := _text(_field(delta, name)))), "")
    if not isinstance(content, list):
        return reasoning, _text(content)
    thinking = [part for part in content if _is_thinking(part)]
    return reasoning + _text(thinking), _text([part for part in content if not _is_thinking(part)])


def _field(delta: Any, name: str) -> Any:
    """A delta's value under a name; LiteLLM's objects lack the attributes that a chunk didn't have."""
    return delta.get(name) if isinstance(delta, Mapping) else getattr(delta, name, None)


def _is_thinking(part: Any) -> bool:
    return isinstance(part, dict) and part.get("type") in _THINKING_PARTS


def _text(value: Any) -> str:
    """The text in a string, a part, or a list of them."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "".join(map(_text, value))
    if isinstance(value, dict):
        return next((_text(value[name]) for name in _PART_TEXTS if value.get(name)), "")
    return ""
