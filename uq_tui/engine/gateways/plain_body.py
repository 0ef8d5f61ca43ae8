"""The body of a reply that came in one piece, as the server sent it.

LiteLLM's own object doesn't tell reasoning that stood in the content from reasoning beside it, fills in a finish reason
and token counts that were not sent, and refuses content in parts; an error object it reports without its words.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any


class PlainBody:
    """Reads what LiteLLM hands to its logger function. What isn't shaped like OpenAI's answers is left unread."""

    def __init__(self) -> None:
        self._body: Mapping[str, Any] = {}

    def note(self, details: Mapping[str, Any]) -> None:
        """LiteLLM's `logger_fn`: called before a request with what is sent, and after it with what came."""
        given = details.get("original_response")
        if details.get("log_event_type") != "post_api_call" or not isinstance(given, str):
            return
        try:
            body = json.loads(given)
        except ValueError:
            return
        self._body = body if isinstance(body, dict) else {}

    @property
    def error(self) -> Mapping[str, Any] | None:
        """The error object that came instead of a reply."""
        found = self._body.get("error")
        if isinstance(found, str):
            return {"message": found}
        return found if isinstance(found, dict) and found else None

    @property
    def _choice(self) -> Mapping[str, Any]:
        choices = self._body.get("choices")
        first = choices[0] if isinstance(choices, list) and choices else None
        return first if isinstance(first, dict) else {}

    @property
    def message(self) -> Mapping[str, Any] | None:
        """The first choice's message."""
        found = self._choice.get("message")
        return found if isinstance(found, dict) else None

    def finish_reason(self, otherwise: str | None) -> str:
        """The server's own word for why the reply ended, empty where it gave none.

        Args:
            otherwise: LiteLLM's word, for a body that isn't read here.
        """
        found = self._choice.get("finish_reason") if self.message is not None else otherwise
        return found if isinstance(found, str) else ""

    def usage(self, shape: Callable[..., Any]) -> Any:
        """The counted tokens as `shape` takes them by name; `None` where none were counted, or in no way it knows."""
        found = self._body.get("usage")
        try:
            return shape(**found) if isinstance(found, dict) and found else None
        except (TypeError, ValueError):
            return None
