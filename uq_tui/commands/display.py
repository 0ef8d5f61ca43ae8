"""Tables and lines for people: data on standard output, everything else on standard error."""

import sys
from collections.abc import Iterable

from rich.cells import cell_len
from rich.console import Console, JustifyMethod
from rich.table import Table
from rich.text import Text

from uq_tui.text import clean_line, counted
from uq_tui.words import GLYPHS, Outcome

FOLDED = 11
"""Columns that a folded column keeps on a narrow terminal."""

GAP = 2
"""Columns between the columns of a table."""

SHORT_ID = 12
"""Characters of a candidate id in tables; enough to name it on the command line."""

SHORT_TIMED = 13
"""Characters of the id of a run or a remark in tables: such ids begin with the time, to the millisecond in these."""

_STYLES = {
    Outcome.ACCEPT: "green",
    Outcome.REJECT: "red",
    Outcome.UNPARSED: "yellow",
    Outcome.FAILED: "yellow bold",
    Outcome.SKIPPED: "dim",
}


def note_console() -> Console:
    """Standard error, for progress. Markup is off: foreign text is never an instruction."""
    return Console(file=sys.stderr, markup=False, highlight=False, emoji=False)


def table(*columns: str, right: Iterable[str] = (), fold: Iterable[str] = ()) -> Table:
    """An empty table. Columns named in `right` hold numbers; those in `fold` may wrap on a terminal, no others.

    A name of two words stands on two lines, to keep its column narrow.
    """
    made = Table(box=None, padding=(0, GAP, 0, 0), pad_edge=False)
    numbers, wrapping = set(right), set(fold)
    for name in columns:
        justify: JustifyMethod = "right" if name in numbers else "left"
        header = Text(clean_line(name).replace(" ", "\n", 1))
        made.add_column(header, justify=justify, no_wrap=name not in wrapping, overflow="fold")
    return made


def print_table(shown: Table) -> None:
    """A table of cells made by `cell` on standard output, where nothing is ever cut off.

    On a terminal that is too narrow the terminal breaks the lines. Elsewhere each row is one line, however long.
    """
    on_terminal = sys.stdout.isatty()
    for column in shown.columns:
        lines = [line for text in (column.header, *column.cells) for line in str(text).split("\n")]
        longest = max(cell_len(line) for line in lines)
        folds = on_terminal and not column.no_wrap
        column.min_width = min(longest, FOLDED) if folds else longest
    needed = sum((column.min_width or 0) + GAP for column in shown.columns)
    console = Console(file=sys.stdout, markup=False, highlight=False, emoji=False)
    console.width = max(console.width, needed) if on_terminal else needed
    console.print(shown)


def cell(value: object) -> Text:
    """A value as one harmless line; `None` is a dash."""
    return Text("–" if value is None else clean_line(str(value)))


def outcome_cell(outcome: Outcome) -> Text:
    """Glyph, word and colour of an outcome."""
    return Text(f"{GLYPHS[outcome]} {outcome.value}", style=_STYLES[outcome])


def cost(dollars: float | None, unknown: int) -> str:
    """A sum of known costs in US dollars. Calls of unknown cost are never counted as free."""
    if dollars is None:
        return "cost unknown" if unknown else "no cost"
    known = f"${dollars:.4f}"
    return f"{known} and {counted(unknown, 'call')} of unknown cost" if unknown else known


def price(usd_per_million_in: float, usd_per_million_out: float) -> str:
    """A price of a million prompt and a million reply tokens."""
    return f"${usd_per_million_in:,.4g} in, ${usd_per_million_out:,.4g} out"


def cost_cell(dollars: float | None, unknown: int) -> Text:
    """The same for a column: `$0.0123`, `≥ $0.0123` when some costs are unknown, a dash when all are."""
    return cell(None if dollars is None else f"≥ ${dollars:.4f}" if unknown else f"${dollars:.4f}")


def short_id(candidate_id: str) -> str:
    """The part of a candidate id that tables show."""
    return candidate_id[:SHORT_ID]


def short_run(run_id: str) -> str:
    """The part of a run id that tables show."""
    return run_id[:SHORT_TIMED]


def short_remark(remark_id: str) -> str:
    """The part of a remark's id that tables show."""
    return remark_id[:SHORT_TIMED]


def minute(time: str) -> str:
    """A stored time to the minute, in UTC."""
    return time[:16].replace("T", " ")
