"""Stack Exchange HTML to Markdown: formulas untouched, everything else escaped where Markdown would read it anew.

Every sign keeps where it comes from, so that places in the Markdown lead to the HTML and back.
"""

import re
import unicodedata
from collections.abc import Callable

from store.html_tree import Element, Node, Words, read_html
from store.html_words import BRACKETS, ENTITIES, HEADINGS, WHITE, Parents, around, is_nothing, one_line, words
from store.traced import Traced, trace
from uq_tui.document.maths.symbols import SUBSCRIPTS, SUPERSCRIPTS
from uq_tui.document.source_map import SourceMap

CONVERTER = "html-2"
"""Version of the conversion: Markdown made by another one is made anew."""

Convert = Callable[["_Walk", Element, Traced, Parents], Traced]

_ONE_LINE = HEADINGS | {"td", "th"}
_VERBATIM = frozenset({"pre", "code", "kbd", "samp", "tt"})
_EMPHASES = frozenset({"b", "strong", "em", "i", "s", "strike", "del"})

_BAR = re.compile(r"\|")
_BACKTICKS = re.compile(r"`+")
_LANGUAGE = re.compile(r"(?:lang|language)-([\w+#.-]+)")
_LINE = re.compile(r"^(?= *[^ \n])", re.MULTILINE)
_LATER_LINE = re.compile(r"(?<=\n)(?=.)")
_NO_LINE = re.compile(r"^ *$", re.MULTILINE)


def html_to_markdown(raw: str) -> str:
    """`raw` as Markdown for `uq_tui.document`.

    Never raises on any text. Mathematics in any delimiters passes through as it is, with entities decoded; line
    breaks in it become blanks. Markup that is nested too deep (`html_tree.MAX_DEPTH`) is left out, its text stays.
    """
    return _convert(raw).text


def html_with_map(raw: str) -> tuple[str, SourceMap]:
    """`html_to_markdown(raw)`, and where its signs stand in `raw`.

    Text is mapped sign for sign; an entity, white space that was drawn together and an image's tag as one. What
    Markdown has of its own and what only HTML has (other tags, comments within formulas) has no counterpart.
    """
    converted = _convert(raw)
    return converted.text, converted.map()


def _convert(raw: str) -> Traced:
    tree = read_html(raw)
    return _Walk(_tables(tree)).element(tree, frozenset()).strip("\n")


def _tables(tree: Element) -> frozenset[int]:
    """The ids of what is the first row of a table; it gets as many cells as the longest row has.

    Markdown drops what exceeds the head.
    """
    first: set[int] = set()
    for table in tree.elements("table"):
        rows = table.elements("tr")
        cells = rows[0].elements("td", "th") if rows else []
        first.update(id(row) for row in rows[:1])
        if cells and cells[-1].parent:
            missing = max(_columns(row) for row in rows) - _columns(rows[0])
            for _ in range(missing):
                cells[-1].parent.add(Element(name=cells[-1].name))
    return frozenset(first)


def _columns(row: Element) -> int:
    return sum(_column_span(cell) for cell in row.elements("td", "th"))


def _column_span(cell: Element) -> int:
    span = cell.attributes.get("colspan", "")
    return max(1, min(1000, int(span))) if span.isdecimal() and len(span) < 5 else 1


class _Walk:
    """One walk over a tree: every element's children first, then what the element makes of them."""

    def __init__(self, first_rows: frozenset[int]) -> None:
        self.first_rows = first_rows
        self.items: dict[int, int] = {}
        """Items so far of a numbered list, or its start, by the id of the list."""

    def element(self, el: Element, parents: Parents) -> Traced:
        inside = parents | {el.name}
        inside |= {"inline"} if el.name in _ONE_LINE else set()
        inside |= {"verbatim"} if el.name in _VERBATIM else set()
        parts = [self._node(node, inside) for node in el.children if not is_nothing(node)]
        text = trace(*parts) if "pre" in inside else _drawn_together(parts)
        convert = _CONVERT.get(el.name)
        return convert(self, el, text, parents) if convert else text

    def _node(self, node: Node, parents: Parents) -> Traced:
        if isinstance(node, Element):
            return self.element(node, parents)
        return words(node, parents) if isinstance(node, Words) else trace()


def _drawn_together(parts: list[Traced]) -> Traced:
    """Parts one after the other. Of line breaks that meet, the more count, two at most."""
    out: list[Traced | str] = []
    waiting = trace()
    for part in parts:
        rest = part.lstrip("\n")
        breaks = len(part.text) - len(rest.text)
        if waiting and breaks:
            waiting = trace("\n" * min(2, max(len(waiting.text), breaks)))
        else:
            waiting = trace(waiting, part.part(0, breaks))
        if rest:
            end = len(rest.text.rstrip("\n"))
            out += (waiting, rest.part(0, end))
            waiting = rest.part(end)
    return trace(*out, waiting)


# Elements within a line


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"


def _edge(node: Node | None, *, last: bool) -> str:
    """The last or first character of a neighbour within the line, "" at the end of it."""
    if node is None or (isinstance(node, Element) and node.name == "br"):
        return ""
    text = node.text if isinstance(node, Element) else node.content.text if isinstance(node, Words) else ""
    return text[-1:] if last else text[:1]


def _may_delimit(el: Element, text: str) -> bool:
    """Whether marks around `text` would be read as marks: CommonMark 6.2, flanking delimiter runs."""
    for sibling, last, inner in ((el.before, True, text[0]), (el.after, False, text[-1])):
        outer = _edge(sibling, last=last)
        if last and isinstance(sibling, Element) and sibling.name in _EMPHASES and outer:
            return False  # two runs of marks would be read as one
        if outer and not outer.isspace() and not _is_punctuation(outer) and _is_punctuation(inner):
            return False
    return True


def _emphasis(mark: str) -> Convert:
    def convert(walk: _Walk, el: Element, text: Traced, parents: Parents) -> Traced:
        inner = text.text.strip()
        if not inner or "\n\n" in inner or "verbatim" in parents or not _may_delimit(el, inner):
            return text
        return around(text, mark, mark)

    return convert


def _script(table: dict[str, str], mark: str) -> Convert:
    def convert(walk: _Walk, el: Element, text: Traced, parents: Parents) -> Traced:
        inner = text.strip()
        if not inner or "verbatim" in parents:
            return text
        if all(character in table for character in inner.text):
            return trace(*(inner.part(at, at + 1).as_one(table[sign]) for at, sign in enumerate(inner.text)))
        return trace(f"{mark}(", inner, ")")

    return convert


def _link(walk: _Walk, el: Element, text: Traced, parents: Parents) -> Traced:
    address = _address(el.attributes.get("href", ""))
    inner = text.text.strip()
    if "verbatim" in parents or not address or not inner:
        return text
    if "\n\n" in inner:
        return trace(text, f"\n\n[{address}]({address})\n\n")
    return around(text, "[", f"]({address})")


def _image(walk: _Walk, el: Element, text: Traced, parents: Parents) -> Traced:
    words = WHITE.sub(" ", el.attributes.get("alt", "")).strip().replace("\\", r"\\")
    words = BRACKETS.sub(lambda found: ENTITIES[found[0]], words)
    shown = f"![{words}]({_address(el.attributes.get('src', ''))})"
    return Traced(shown, [el.tag] * len(shown))


def _code(walk: _Walk, el: Element, text: Traced, parents: Parents) -> Traced:
    if "verbatim" in parents or not text.text.strip():
        return text
    ticks = "`" * (max(map(len, _BACKTICKS.findall(text.text)), default=0) + 1)
    pad = " " if len(ticks) > 1 else ""
    return around(text, ticks + pad, pad + ticks)


def _quotation(walk: _Walk, el: Element, text: Traced, parents: Parents) -> Traced:
    return trace('"', text, '"')


def _line_break(walk: _Walk, el: Element, text: Traced, parents: Parents) -> Traced:
    return trace("\n" if "pre" in parents else " " if "inline" in parents else "  \n")


# Blocks


def _block(walk: _Walk, el: Element, text: Traced, parents: Parents) -> Traced:
    inner = text.strip(" \t\r\n")  # blanks that don't break indent a line
    if not inner:
        return trace(" " if "inline" in parents else "\n\n")
    return trace(" ", inner, " ") if "inline" in parents else trace("\n\n", inner, "\n\n")


def _rule(walk: _Walk, el: Element, text: Traced, parents: Parents) -> Traced:
    return trace("\n\n---\n\n")


def _heading(walk: _Walk, el: Element, text: Traced, parents: Parents) -> Traced:
    inner = one_line(text).strip()
    if "inline" in parents or not inner:
        return inner
    if inner.text.endswith("#"):
        inner = trace(inner.part(0, -1), "\\", inner.part(-1))
    return trace(f"\n\n{'#' * int(el.name[1])} ", inner, "\n\n")


def _preformatted(walk: _Walk, el: Element, text: Traced, parents: Parents) -> Traced:
    if not text.text.strip():
        return trace("\n\n")
    if "inline" in parents:
        return trace(" ", _code(walk, el, text, parents), " ")
    names = [*el.classes, *(name for code in el.elements("code")[:1] for name in code.classes)]
    language = _LANGUAGE.search(" ".join(names))
    fence = "`" * max(3, max(map(len, _BACKTICKS.findall(text.text)), default=0) + 1)
    body = text.part(text.text.startswith("\n")).rstrip("\n ")
    return trace(f"\n\n{fence}{language[1] if language else ''}\n", body, f"\n{fence}\n\n")


def _blockquote(walk: _Walk, el: Element, text: Traced, parents: Parents) -> Traced:
    if "inline" in parents or not text.text.strip():
        return _block(walk, el, text, parents)
    mark = ">!" if "spoiler" in el.classes else ">"
    marked = text.strip().sub(_LINE, lambda start: trace(f"{mark} ")).sub(_NO_LINE, lambda start: trace(mark))
    return trace("\n\n", marked, "\n\n")


def _list(walk: _Walk, el: Element, text: Traced, parents: Parents) -> Traced:
    after = el.after
    while isinstance(after, Words) and not after.content.text.strip():
        after = after.after
    if "li" in parents:
        return trace("\n", text.rstrip(), "\n\n" if after else "")
    return trace("\n\n", text, "\n" if after else "")


def _item(walk: _Walk, el: Element, text: Traced, parents: Parents) -> Traced:
    mark = "- "
    if el.parent is not None and el.parent.name == "ol":
        start = el.parent.attributes.get("start", "")
        first = int(start) if start.isdecimal() and len(start) < 9 else 1
        number = walk.items[id(el.parent)] = walk.items.get(id(el.parent), first - 1) + 1
        mark = f"{number}. "
    inner = text.strip()
    if not inner:
        return trace("\n")
    return trace(mark, inner.sub(_LATER_LINE, lambda start: trace(" " * len(mark))), "\n")


def _definition(walk: _Walk, el: Element, text: Traced, parents: Parents) -> Traced:
    return _block(walk, el, text, parents) if "inline" in parents else trace("\n", _item(walk, el, text, parents))


def _table(walk: _Walk, el: Element, text: Traced, parents: Parents) -> Traced:
    return trace("\n\n", text.strip(), "\n\n")


def _row(walk: _Walk, el: Element, text: Traced, parents: Parents) -> Traced:
    cells = el.elements("td", "th")
    if not cells:
        return trace(text, "\n")
    row = trace("|", text, "\n")
    if id(el) not in walk.first_rows:
        return row
    rule = "|" + " --- |" * _columns(el) + "\n"
    if all(cell.name == "th" for cell in cells) or "thead" in parents:
        return trace(row, rule)
    return trace("|" + "  |" * _columns(el) + "\n", rule, row)


def _cell(walk: _Walk, el: Element, text: Traced, parents: Parents) -> Traced:
    cell = one_line(text).strip().sub(_BAR, lambda found: trace("\\", found))
    return trace(" ", cell, " |" + " |" * (_column_span(el) - 1))


def _address(value: str) -> str:
    """An address as a Markdown link destination."""
    address = "".join(value.split())
    address = address.replace("\\", "%5C").replace("<", "%3C").replace(">", "%3E")
    address = re.sub(r"&(?=#?\w+;)", r"\\&", address)
    return f"<{address}>" if re.search(r"[()]", address) else address


_CONVERT: dict[str, Convert] = {
    **dict.fromkeys(("b", "strong"), _emphasis("**")),
    **dict.fromkeys(("em", "i"), _emphasis("*")),
    **dict.fromkeys(("s", "strike", "del"), _emphasis("~~")),
    **dict.fromkeys(("code", "kbd", "samp", "tt"), _code),
    **dict.fromkeys(
        (
            "p", "div", "address", "article", "aside", "caption", "center", "details", "dl", "dt", "figcaption",
            "figure", "footer", "header", "main", "nav", "section", "summary",
        ),
        _block,
    ),
    **dict.fromkeys(sorted(HEADINGS), _heading),
    **dict.fromkeys(("ul", "ol"), _list),
    **dict.fromkeys(("td", "th"), _cell),
    "sub": _script(SUBSCRIPTS, r"\_"),
    "sup": _script(SUPERSCRIPTS, "^"),
    "a": _link,
    "img": _image,
    "q": _quotation,
    "br": _line_break,
    "hr": _rule,
    "pre": _preformatted,
    "blockquote": _blockquote,
    "li": _item,
    "dd": _definition,
    "table": _table,
    "tr": _row,
}  # fmt: skip
