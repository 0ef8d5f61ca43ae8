"""Applying the rules of a pass to a workspace: all its questions, in chunks, and again from where it was cut short."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from store import curation_passes, curations
from store.curation_rows import Curation, Cutoff, Known, Place
from store.workspace import Workspace
from uq_tui.curation.rules import Fall, body_fall, facts_fall, share_fall
from uq_tui.curation.shares import cutoff
from uq_tui.curation.thresholds import SiteTable, Thresholds, parse
from uq_tui.words import CurationStage, Subset

CHUNK = 1_000
"""Questions a write at most; fewer where a write of so many would take longer than `WRITE_SECONDS`."""
WRITE_SECONDS = 0.02
"""How long a write is to take, since others who write wait for it."""


def apply_rules(
    ws: Workspace,
    curation_id: str,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Curation:
    """Have every question of the pass stand or fall by its rules; the pass as it is then. Blocks: run it in a thread.

    The pass is over the questions that are there when this is first called. Called again, it goes on where it was cut
    short, with the same top shares, and changes nothing where it is through.

    Args:
        ws: the workspace.
        curation_id: the pass, whose rules are those it was begun with.
        on_progress: told (`seq` that has been reached, the last one) after each chunk.
        cancelled: asked before each chunk; what has been done stays.

    Raises:
        NotFoundError: there is no such pass.
        ConfigError: its rules can't be read by this version.
        StoreError: the workspace can't be read or written.
    """
    curation = curations.get(ws, curation_id)
    thresholds = parse(curation.rules, f"The rules of {curation.name}")
    at = datetime.fromisoformat(curation.created_at)
    if curation.up_to is None:
        if cancelled():
            return curation
        curation = _start(ws, curation, thresholds)
    shares = curation_passes.cutoffs(ws, curation.id)
    up_to = curation.up_to or 0
    size = CHUNK
    while curation.passed < up_to and not cancelled():
        known = curation_passes.chunk(ws, curation, size)
        passed = known[-1].seq if len(known) == size else up_to
        places = _places(ws, known, thresholds.rules, at, shares)
        took = curation_passes.put_places(ws, curation, places, passed)
        if took is None:
            curation = curations.get(ws, curation_id)
        else:
            curation = replace(curation, passed=passed)
            size = max(1, CHUNK // 10, min(CHUNK, int(size * WRITE_SECONDS / max(took, 1e-6))))
        on_progress(curation.passed, up_to)
    return curation


def _start(ws: Workspace, curation: Curation, thresholds: Thresholds) -> Curation:
    up_to = curation_passes.last_seq(ws)
    votes = curation_passes.open_votes(ws, up_to, curation.sites)
    tables = ((Subset.MAIN, thresholds.rules), (Subset.DIAMOND, thresholds.diamond))
    found = [
        (subset, cutoff(site, histogram, table.of(site).top_share))
        for subset, table in tables
        for site, histogram in votes.items()
    ]
    return curation_passes.start(ws, curation.id, up_to, found)


def _places(
    ws: Workspace, known: list[Known], table: SiteTable, at: datetime, shares: dict[str, Cutoff]
) -> list[tuple[str, Place]]:
    """Where the questions of a chunk stand or fall. Bodies are read of those only that stand on their facts."""
    falls = {one.seq: facts_fall(one.facts, table.of(one.facts.site), at) for one in known}
    standing = [one for one in known if falls[one.seq] is None]
    bodies = curation_passes.bodies(ws, [one.body_sha256 for one in standing if one.body_sha256 is not None])
    for one in standing:
        rules, share = table.of(one.facts.site), shares.get(one.facts.site)
        body = None if one.body_sha256 is None else bodies[one.body_sha256]
        falls[one.seq] = body_fall(body, one.body_format, rules) or share_fall(
            one.facts.score or 0, None if share is None else share.votes, rules
        )
    return [(one.facts.site, _place(one.seq, falls[one.seq])) for one in known]


def _place(seq: int, fall: Fall | None) -> Place:
    if fall is None:
        return Place(seq, CurationStage.MODEL)
    return Place(seq, CurationStage.RULES, fall.rule.value, fall.detail, fall.unknown)
