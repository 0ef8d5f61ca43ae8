"""What a plug-in is, what it returns, and what it may use. Plug-ins import this module and `uq_tui.words`."""

from dataclasses import dataclass
from typing import Protocol

from uq_tui.words import Outcome

VALIDATORS = "uq_tui.validators"
"""Entry points that judge candidates: see `Validator`."""
CITATION_CHECKERS = "uq_tui.citation_checkers"
"""Entry points that look references up. They are the only ones that are told of proxies and certificates."""
GROUPS = (VALIDATORS, CITATION_CHECKERS)


@dataclass(frozen=True, slots=True)
class Finding:
    """What a validator found.

    A plug-in returns ACCEPT, REJECT, SKIPPED (the answer holds nothing that it can judge) or UNPARSED (it could not
    make out what the answer says). FAILED is said of it, never by it.
    """

    outcome: Outcome
    reason: str = ""
    """One sentence for the reviewer."""


class Validator(Protocol):
    """An entry point of the group `VALIDATORS` names such an object, or a class that makes one without arguments."""

    def check(self, question: str, answer: str) -> Finding:
        """Judge one answer. Both texts are Markdown, and as hostile as any text from a model."""
        ...


@dataclass(frozen=True, slots=True)
class PluginInfo:
    """A plug-in as its distribution describes it; it has not been imported."""

    name: str
    package: str
    version: str
    summary: str
    group: str
    problem: str = ""
    """Why it can't be used; empty when nothing is known against it."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run of a plug-in may use. They guard against accidents and hostile answers, not against its author."""

    seconds: float = 60.0
    """By the clock, from the start of its process; then all its processes are killed."""
    cpu_seconds: int = 30
    """Processor time of each of its processes."""
    memory_bytes: int = 1 << 30
    """Address space of each of its processes; macOS doesn't hold them to it."""
    file_bytes: int = 16 << 20
    """The longest file it may write."""
    output_bytes: int = 64 << 10
    """The longest result that is read."""


DEFAULT_LIMITS = Limits()
