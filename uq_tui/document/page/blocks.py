"""A report as one page: each text of somebody else's is read by itself, so that its links and macros are its own."""

from collections.abc import Sequence

from uq_tui.document.blocks import Block, Foreign, Heading, Lines, Table
from uq_tui.document.page.markup import shown
from uq_tui.document.page.page import body_of, contents, whole


def write_blocks(title: str, blocks: Sequence[Block]) -> str:
    """The report as an HTML page that runs and loads nothing, as `write_page` makes them.

    Paragraphs of each text bear the same numbers as in the app.
    """
    parts: list[str] = []
    headings: list[tuple[int, str]] = []
    for number, block in enumerate(blocks):
        match block:
            case Heading(level=level, text=text):
                headings.append((level, shown(text)))
                parts.append(f'<h{level} id="h{len(headings)}">{shown(text)}</h{level}>\n')
            case Lines(lines=lines):
                items = "".join(f"<li>{shown(line)}</li>\n" for line in lines)
                parts.append(f"<ul>\n{items}</ul>\n" if items else "")
            case Table(header=header, rows=rows):
                head, body = _row("th", header), "".join(_row("td", row) for row in rows)
                table = f"<table><thead>{head}</thead><tbody>\n{body}</tbody></table>"
                parts.append(f'<div class="wide">{table}</div>\n')
            case Foreign(source=source):
                body, _ = body_of(source, prefix=f"t{number}-")
                parts.append(f"<blockquote>\n{body}</blockquote>\n")
    return whole(title, contents(headings), "".join(parts))


def _row(cell: str, texts: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<{cell}>{shown(text)}</{cell}>' for text in texts)}</tr>\n"
