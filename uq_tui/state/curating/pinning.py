"""Making a version of a dataset of what a pass has kept."""

import asyncio

from store import datasets
from store.dataset_rows import Version
from store.workspace import Workspace
from uq_tui.curation import subsets
from uq_tui.errors import UqError
from uq_tui.state.typed import whole_number
from uq_tui.text import clean_line

MOST_DEVELOPMENT = 10_000
"""Questions to develop on that a version is given from here."""


async def make_version(ws: Workspace, curation_id: str, name: str, development: str) -> Version:
    """Pin what a pass has kept, diamond questions among it, and questions with known answers.

    Args:
        ws: the workspace.
        curation_id: the pass.
        name: of the version.
        development: how many questions with known answers at most, as it was typed; "" for none.

    Raises:
        UqError: the name is taken or none, nothing was kept, or the number is none.
        StoreError: it can't be written.
    """
    limit = whole_number(development, MOST_DEVELOPMENT) if development.strip() else 0
    if limit is None:
        raise UqError(
            "The number of questions to develop on is a whole number.",
            hint=f"From 1 to {MOST_DEVELOPMENT:,}, or nothing for none.",
        )
    return await asyncio.to_thread(_make, ws, curation_id, name.strip(), limit)


def _make(ws: Workspace, curation_id: str, name: str, limit: int) -> Version:
    return datasets.make(ws, name, subsets.pins(ws, curation_id, limit), curation_id=curation_id)


def made_words(version: Version) -> str:
    """`2026-12: 10 main, 2 diamond`."""
    return clean_line(f"{version.name}: {', '.join(f'{n:,} {subset}' for subset, n in version.counts.items())}")
