"""docs/keys.md, made from the classes that have the keys: `make keys` writes it anew."""

from itertools import groupby
from pathlib import Path

from uq_tui.key_catalogue import KeyAction, catalogue, written

PAGE = Path(__file__).with_name("keys.md")
_BEGINNING = """\
# Keys

What each key does, by where it works; `uq-tui keys` prints the same with the keys that you chose yourself. In the app
`?` lists what works where you are (F1 while you type), and Ctrl+P finds it by its words. Footers, rows and lists can be
clicked.

An id stands for what is done: `"workbench.validate" = "f5"` under `[keys]` in config.toml gives it another key
([how](configuration.md#keys-of-the-app)). This page is made from the program; `make keys` makes it anew.
"""


def page() -> str:
    """The page: a section for each place, the app's own keys first."""
    parts = [_BEGINNING]
    for where, actions in groupby(sorted(catalogue(), key=_order), key=lambda one: one.where):
        rows = "\n".join(map(_row, actions))
        title = f"{where[0].upper()}{where[1:]}"
        parts.append(f"## {title}\n\n| keys | id | name | what it does |\n|---|---|---|---|\n{rows}\n")
    return "\n".join(parts)


def _order(one: KeyAction) -> tuple[int, str]:
    """Everywhere, then screens, which begin with a capital, then dialogs, then parts of them."""
    rank = 0 if one.where == "everywhere" else 1 if one.where[0].isupper() else 2 if "dialog" in one.where else 3
    return rank, one.where


def _row(one: KeyAction) -> str:
    keys = " ".join(f"`{written(name)}`" for name in one.keys).replace("`|`", "`\\|`").replace("```", "`` ` ``")
    cells = (keys, f"`{one.id}`", one.description, one.tooltip)
    return "| " + " | ".join(cell.replace("|", "\\|") if cell is not keys else cell for cell in cells) + " |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
