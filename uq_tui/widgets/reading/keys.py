"""The keys of a focused document. One that can do nothing where it is pressed is left to the screen.

A footer has room for the few that are shown; the sheet of keys has all of them.
"""

from collections.abc import Mapping
from dataclasses import replace

from textual.binding import Binding, BindingType

from uq_tui.widgets.reading.messages import Tool


def _key(keys: str, action: str, description: str, name: str, tooltip: str, display: str | None = None) -> Binding:
    return Binding(
        keys, action, description, id=f"document.{name}", tooltip=tooltip, show=False, key_display=display
    )  # fmt: skip


def _tool(keys: str, tool: Tool, description: str, tooltip: str, display: str | None = None) -> Binding:
    name = tool.value.removeprefix("mark:")
    return _key(keys, f"want('{tool.value}')", description, name, tooltip, display)


def _shown(binding: Binding, group: Binding.Group | None = None) -> Binding:
    return replace(binding, show=True, group=group)


_MARK = Binding.Group("Mark", compact=True)

_READING = [
    _shown(_tool("slash", Tool.FIND, "Find", "Search this text", "/")),
    _shown(_key("s", "source", "Source", "source", "The source as it came, or what it reads as")),
    _shown(_tool("o", Tool.PAGE, "Page", "This text as a page in the browser, mathematics typeset")),
    _key("n", "match(1)", "Next match", "next_match", "The next place of what is searched"),
    _key("N", "match(-1)", "Match before", "match_before", "The place before"),
    _key("escape", "leave_off", "Leave off", "leave_off", "End the search, or the selection"),
    _key(
        "z", "fold", "Fold", "fold", "Fold or open the section, code or spoiler that the cursor or the top line is in"
    ),
    _key("Z", "fold_all", "Fold all", "fold_all", "Fold all sections and long blocks, or open all"),
    _key("greater_than_sign,shift+right", "sideways(1)", "Right", "right", "Wide tables and formulas to the left", ">"),
    _key("less_than_sign,shift+left", "sideways(-1)", "Left", "left", "Wide tables and formulas back", "<"),
    _key("C", "copy", "Copy", "copy", "Copy the source of the selection, or else of the unit at the cursor"),
    _tool("L", Tool.LINKS, "Links", "The links, shown in full before one is followed"),
    _tool("e", Tool.EDITOR, "Editor", "A cleaned copy in your editor or pager"),
]
_MOVING = [
    _shown(_tool("O", Tool.OUTLINE, "Outline", "The headings, to go to one")),
    _key("down,j", "move(1)", "Down", "down", "One line down"),
    _key("up,k", "move(-1)", "Up", "up", "One line up"),
    _key("pagedown,space,ctrl+f", "page(1)", "Page down", "page_down", "A page down"),
    _key("pageup,ctrl+b", "page(-1)", "Page up", "page_up", "A page up"),
    _key("ctrl+d", "half_page(1)", "Half down", "half_down", "Half a page down"),
    _key("ctrl+u", "half_page(-1)", "Half up", "half_up", "Half a page up"),
    _key("home", "top", "Top", "top", "To the beginning"),
    _key("end", "bottom", "Bottom", "bottom", "To the end"),
    _key("J", "unit(1)", "Next unit", "next_unit", "The cursor to the next paragraph, formula, code block or table"),
    _key("K", "unit(-1)", "Unit before", "unit_before", "The cursor to the one before"),
    _key("right_curly_bracket", "heading(1)", "Next heading", "next_heading", "To the next heading", "}"),
    _key("left_curly_bracket", "heading(-1)", "Heading before", "heading_before", "To the heading before", "{"),
    _tool("number_sign", Tool.NUMBER, "Go to", "Go to a number in the margin, a line or a per cent", "#"),
]
_MARKING = [
    _shown(_tool("1", Tool.CHECKED, "Checked", "Mark the unit at the cursor as checked, and go on"), _MARK),
    _shown(_tool("2", Tool.DOUBTFUL, "Doubtful", "Mark the unit at the cursor as doubtful, and go on"), _MARK),
    _shown(_tool("3", Tool.WRONG, "Wrong", "Mark the unit at the cursor as wrong, and go on"), _MARK),
    _shown(_tool("4", Tool.SKIPPED, "Skipped", "Mark the unit at the cursor as skipped, and go on"), _MARK),
    _tool("0", Tool.CLEAR, "Unmark", "Take the mark off the unit at the cursor"),
    _tool("backspace", Tool.UNDO, "Undo", "Undo the last mark, note or remark"),
    _tool("semicolon", Tool.NOTE, "Note", "A note on the unit at the cursor", ";"),
    _tool("full_stop", Tool.UNMARKED, "Not marked", "To the first unit that is not marked", "."),
    _tool("M", Tool.REMARK, "Remark", "Remark on the selection; without one, list all remarks"),
    _key("q", "quote", "Quote", "quote", "Quote the selection in your verdict; without one, select words by keys"),
]

KEYS: list[BindingType] = [*_READING, *_MOVING, *_MARKING]

_SELECTING = [
    _shown(_key("space", "caret_extend", "Select from here", "caret_extend", "Begin; then on to the sentence's end")),
    _shown(_key("enter", "caret_take", "Quote", "caret_take", "Quote what is selected in your verdict")),
    _shown(_key("escape", "caret_leave", "Leave", "caret_leave", "End selecting")),
    _key("q", "caret_next", "Begin, quote", "caret_next", "Begin the selection here; then quote what is selected"),
    _key("right,l,w", "caret_words(1)", "Word on", "caret_right", "To the next word or formula"),
    _key("left,h,b", "caret_words(-1)", "Word back", "caret_left", "To the word before"),
    _key("down,j", "caret_lines(1)", "Line down", "caret_down", "A line down"),
    _key("up,k", "caret_lines(-1)", "Line up", "caret_up", "A line up"),
    _key("pagedown", "caret_pages(1)", "Page down", "caret_page_down", "A page down"),
    _key("pageup", "caret_pages(-1)", "Page up", "caret_page_up", "A page up"),
    _key("home", "caret_edge(-1)", "Line's begin", "caret_home", "To the first word of the line"),
    _key("end", "caret_edge(1)", "Line's end", "caret_end", "To the last word of the line"),
    _key("o", "caret_swap", "Other end", "caret_swap", "Move the other end of the selection"),
]

SELECTING: list[BindingType] = [*_SELECTING]
"""Keys while a caret selects words; they come before the others then. All others work too, on what is selected."""

SECTIONS: Mapping[str, str] = {
    key.id: section
    for section, keys in (
        ("Selecting", _SELECTING),
        ("Reading", _READING),
        ("Moving about", _MOVING),
        ("Marking", _MARKING),
    )
    for key in keys
    if key.id
}
"""What a sheet of keys groups them by, by their ids."""
