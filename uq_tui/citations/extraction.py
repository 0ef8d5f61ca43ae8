"""All references of a text, each once, with every place where it is named."""

from collections.abc import Iterator
from datetime import date

from uq_tui.citations import prose
from uq_tui.citations.bibliography import Entry, entries
from uq_tui.citations.identifiers import identifiers
from uq_tui.citations.reference import Mention, Reference, ReferenceKind, Span
from uq_tui.document.maths.spans import math_spans


def extract(text: str, today: date) -> tuple[Reference, ...]:
    """The references of a text in the order in which it names them first.

    Where two readings overlap, an identifier goes before prose, a numbered result before the authors in it, and the
    first that was found before the others. Inside an entry of the bibliography identifiers are listed besides the
    entry, and nothing else; no other two spans overlap. Mathematics holds no prose. Takes time in proportion to the
    text's length, whatever the text.

    Args:
        text: a raw answer; HTML, Markdown and LaTeX are read as they stand.
        today: what lies in its future is malformed.
    """
    listed = entries(text, today)
    taken = _Taken(len(text))
    mentions = [mention for mention in identifiers(text, today) if taken.take(mention.span)]
    for entry in listed:
        taken.close(entry.mention.span)
        mentions.append(entry.mention)
    for formula in math_spans(text):
        taken.close(Span(formula.start, formula.end))
    found = (*prose.results(text, today), *prose.authors_with_years(text, today), *_labelled(text, listed))
    mentions += [mention for mention in found if taken.take(mention.span)]
    return _gathered(text, mentions)


class _Taken:
    """Which code points of a text belong to a mention already."""

    def __init__(self, length: int) -> None:
        self._marks = bytearray(length)

    def take(self, span: Span) -> bool:
        """Take a span, if all of it is free."""
        free = self._marks.find(1, span.start, span.end) < 0
        if free:
            self.close(span)
        return free

    def close(self, span: Span) -> None:
        """Take a span, whatever is in it."""
        self._marks[span.start : span.end] = b"\1" * (span.end - span.start)


def _labelled(text: str, listed: tuple[Entry, ...]) -> Iterator[Mention]:
    """Labels in the text: mentions of the entry that has the label, else references by themselves."""
    by_label = {entry.label: entry.mention for entry in reversed(listed) if entry.label}
    for label, span in prose.labels(text, by_label):
        entry = by_label.get(label)
        if entry is not None:
            yield Mention(entry.kind, entry.key, span, entry.malformed)
        else:
            yield Mention(ReferenceKind.AUTHOR_YEAR, f"[{label.casefold()}]", span)


def _gathered(text: str, mentions: list[Mention]) -> tuple[Reference, ...]:
    by_key: dict[tuple[ReferenceKind, str], list[Mention]] = {}
    for mention in sorted(mentions, key=lambda one: one.span):
        by_key.setdefault((mention.kind, mention.key), []).append(mention)
    return tuple(
        Reference(
            kind=kind,
            key=key,
            text=_text(text, kind, found),
            spans=tuple(mention.span for mention in found),
            malformed=next((mention.malformed for mention in found if mention.malformed), ""),
        )
        for (kind, key), found in by_key.items()
    )


def _text(text: str, kind: ReferenceKind, found: list[Mention]) -> str:
    """What to show for a reference: an entry itself rather than a label that cites it, else the first mention."""
    shown = max(found, key=lambda one: one.span.end - one.span.start) if kind is ReferenceKind.ENTRY else found[0]
    return text[shown.span.start : shown.span.end]
