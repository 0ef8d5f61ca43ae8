"""Asking installed citation checkers about references. Only ever called because the user said so."""

import asyncio
from collections.abc import Sequence

from uq_tui.citations.checking import LONGEST_NOTE, Checked, Existence, as_sent, read_checked
from uq_tui.citations.reference import Reference
from uq_tui.plugins import registry
from uq_tui.plugins.running import run_object
from uq_tui.plugins.spec import CITATION_CHECKERS, PluginInfo

MOST = 100
"""References that a checker is asked about in one go, a process for each."""


def installed_checkers() -> tuple[PluginInfo, ...]:
    """The checkers that can be used, by name. Reads metadata, imports none."""
    return tuple(info for info in registry.installed(CITATION_CHECKERS) if not info.problem)


def worth_asking(references: Sequence[Reference]) -> tuple[Reference, ...]:
    """The references that can exist, at most `MOST`, in their order."""
    return tuple(one for one in references if not one.malformed)[:MOST]


async def check(name: str, references: Sequence[Reference]) -> tuple[Checked, ...]:
    """What the checker `name` says of each reference, in their order.

    Never raises for what a checker does: where one fails, hangs or returns something else, nothing is known.
    """
    return tuple(await asyncio.gather(*(_check(name, reference) for reference in references)))


async def _check(name: str, reference: Reference) -> Checked:
    ran = await run_object(CITATION_CHECKERS, name, "check", [as_sent(reference)])
    if ran.problem:
        return Checked(Existence.UNKNOWN, f"the checker failed: {ran.problem}"[:LONGEST_NOTE])
    return read_checked(ran.value) or Checked(Existence.UNKNOWN, "the checker returned something else than its finding")
