"""A report as Markdown: words of ours without marks of others in them, and texts of others within quotes."""

from collections.abc import Iterator, Sequence

from exports.markdown_text import plain
from uq_tui.document.blocks import Block, Foreign, Heading, Lines, Table
from uq_tui.text import clean_in_place


def markdown(blocks: Sequence[Block]) -> str:
    """The report. A text of somebody else's is a quote, so that nothing in it opens what it doesn't close."""
    return "\n\n".join("\n".join(_lines(block)) for block in blocks) + "\n"


def _lines(block: Block) -> Iterator[str]:
    match block:
        case Heading(level=level, text=text):
            yield f"{'#' * level} {plain(text)}"
        case Lines(lines=lines):
            yield from (f"- {plain(line)}" for line in lines)
        case Table(header=header, rows=rows):
            yield _row(header)
            yield _row(["---"] * len(header), marks=True)
            yield from map(_row, rows)
        case Foreign(source=source):
            yield from (f"> {line}".rstrip() for line in clean_in_place(source).split("\n"))


def _row(cells: Sequence[str], *, marks: bool = False) -> str:
    return f"| {' | '.join(cells if marks else map(plain, cells))} |"
