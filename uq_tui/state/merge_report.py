"""What merging files came to, over all of them: the same figures for the command and the import dialog."""

from collections import Counter
from collections.abc import Mapping, Sequence

from store.ingest.returned_bundle import RETURNED
from store.ingest.sealed_jsonl import QUARANTINE
from store.rows import ImportReport, Merging
from store.sealed_kinds import KINDS
from uq_tui.text import counted
from uq_tui.words import QuarantineReason

SEALED = frozenset((*(kind.noun for kind in KINDS.values()), QUARANTINE, RETURNED))
"""Formats whose rows are merged, as reports name them."""


def figures(reports: Sequence[ImportReport]) -> Mapping[str, int]:
    """Counts over all files, by what they count; rows in quarantine are apart by reason."""
    told: Counter[str] = Counter()
    for one in reports:
        told.update({"read": one.read, "new": one.new, "completed": one.changed, "same": one.same})
        told.update({kind.value: n for kind, n in one.merged.items()})
    names = ("read", "new", "completed", "same", *(kind.value for kind in Merging))
    return {name: told[name] for name in names}


def quarantined(report: ImportReport) -> int:
    """Lines of a file that are in quarantine."""
    return sum(report.merged.get(Merging(reason.value), 0) for reason in QuarantineReason)


def lines(reports: Sequence[ImportReport]) -> tuple[str, ...]:
    """What there is to say of the files together, in sentences; nothing of what there was none of."""
    told = figures(reports)
    aside = [(reason, told[reason.value]) for reason in QuarantineReason if told[reason.value]]
    parts = (
        f"{counted(told['read'], 'row')} of {counted(len(reports), 'file')}:"
        f" {told['new']:,} new, {told['same']:,} the same.",
        _if(told["superseded"], "superseded by a later revision."),
        _if(told["completed"], "taken in place of a copy that left something out."),
        f"{counted(sum(n for _, n in aside), 'row')} in quarantine: {', '.join(f'{n:,} {why}' for why, n in aside)}."
        if aside
        else "",
        _if(told["withdrawn"], "counted before, and went into quarantine."),
        _if(told["released"], "came out of quarantine."),
        f"{counted(told['drafts'], 'draft')} passed over." if told["drafts"] else "",
        f"{counted(told['stubs'], 'answer')} known by the id only, until the text is imported."
        if told["stubs"]
        else "",
        f"{counted(told['incomplete'], 'file')} incomplete." if told["incomplete"] else "",
    )
    return tuple(part for part in parts if part)


def _if(n: int, what: str) -> str:
    return f"{counted(n, 'row')} {what}" if n else ""
