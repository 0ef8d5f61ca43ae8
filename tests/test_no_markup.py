"""No text is parsed as markup anywhere: `[red]` and `[@click=app.quit]` are signs like others.

Read from the source, since one forgotten place is enough, and a test that walks through the app may not come by.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import uq_tui

PARSING = {"Static", "Label", "OptionList", "Console", "TextColumn"}
"""What parses the strings it is given as markup unless told otherwise."""
TITLES = {"border_title", "border_subtitle", "tooltip"}
"""Attributes whose strings Textual parses as markup."""
FORBIDDEN = {"from_markup", "from_text", "render_markup"}

SOURCES = sorted(Path(uq_tui.__path__[0]).rglob("*.py"))


def parsed_places(source: str) -> Iterator[int]:
    """Lines at which something other than a constant of ours would be parsed as markup."""
    tree = ast.parse(source)
    parsing = {
        name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in ("textual", "rich")
        for name in node.names
    } & PARSING
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in FORBIDDEN:
                yield node.lineno
            case ast.Call(func=ast.Name(id=name)) if name in parsing and not _is_plain(node):
                yield node.lineno
            case ast.keyword(arg="markup", value=ast.Constant(value=True)):
                yield node.lineno
            case ast.Assign(targets=[ast.Attribute(attr=name)], value=value) if name in TITLES and not _is_ours(value):
                yield node.lineno


def _is_plain(call: ast.Call) -> bool:
    unparsed = any(word.arg == "markup" and ast.unparse(word.value) == "False" for word in call.keywords)
    return unparsed or (bool(call.args) and all(map(_is_ours, call.args)))


def _is_ours(value: ast.expr) -> bool:
    """A string as it stands in our source, or content that has been made already."""
    match value:
        case ast.Constant(value=str(words)):
            return "[" not in words
        case ast.Call(func=ast.Name(id="Content") | ast.Attribute(value=ast.Name(id="Content"))):
            return True
        case ast.IfExp(body=one, orelse=other):
            return _is_ours(one) and _is_ours(other)
        case ast.Name(id=name):
            return name.isupper()  # a constant
    return False


@pytest.mark.parametrize(
    "source",
    [
        "from textual.widgets import Static; Static(words)",
        "from textual.widgets import Static; Static()",
        "from textual.widgets import Label; Label(f'by {model}')",
        "from textual.widgets import Label; Label('[b]ours[/b]')",
        "from textual.widgets import OptionList; OptionList(id='list')",
        "from rich.console import Console; Console(file=out)",
        "Content.from_markup(words)",
        "self.notify(words, markup=True)",
        "pane.border_title = words",
        'pane.border_subtitle = f"{n}"',
    ],
)
def test_what_would_be_parsed_is_found(source: str) -> None:
    assert list(parsed_places(source)) == [1]


@pytest.mark.parametrize(
    "source",
    [
        "from textual.widgets import Static; Static(words, markup=False)",
        "from textual.widgets import Label; Label('ours')",
        "from uq_tui.words import Label; Label(words)",
        "pane.border_title = Content(words)",
        "pane.border_title = 'one' if few else 'many'",
        "pane.border_title = READING",
    ],
)
def test_what_is_not_parsed_is_left_alone(source: str) -> None:
    assert list(parsed_places(source)) == []


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(SOURCES[0].parent)))
def test_nothing_is_parsed_as_markup(path: Path) -> None:
    assert list(parsed_places(path.read_text("utf-8"))) == []
