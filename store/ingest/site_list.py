"""The UQ crawler's list of Stack Exchange sites, which it needs for crawling and which holds no questions."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from store.identity import canonical_host
from store.ingest import fields
from store.ingest.jsonl import parse_rows
from store.ingest.report import OnProgress, RowError, Tally
from store.rows import ImportReport

NAME = "list of sites"
KEYS = ("site_url", "api_site_parameter")
"""Keys that together tell such a row."""


def read_sites(path: Path, *, on_progress: OnProgress | None = None) -> ImportReport:
    """Look at every site, and store nothing: where sites are and what they are about is known without it.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it cannot be read.
    """
    tally = Tally(path, NAME)
    for _ in parse_rows(path, _host, tally):
        tally.counts["sites"] += 1
    if on_progress is not None:
        on_progress(tally.seen)
    tally.note("It lists sites and holds no questions: nothing was stored. Import what was crawled from them.")
    return tally.report()


def _host(row: Mapping[str, Any]) -> str:
    host = canonical_host(fields.text(row, "site_url"))
    if not host:
        raise RowError("`site_url` is no site")
    return host
