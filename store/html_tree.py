"""HTML as a tree of elements and of texts that know where they stand in it.

Only elements that posts are made of count as such. Any other `<` is text, so `$a<b$` loses nothing. Entities are
decoded exactly once, CRLF is LF, comments are nothing.
"""

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from store.traced import Traced, as_it_stands, trace

MAX_DEPTH = 60
"""Elements nested deeper than this lose their markup, not their text."""

_TAGS = (
    "a|abbr|acronym|address|article|aside|b|big|blockquote|body|br|caption|center|cite|code|col|colgroup|dd|del|details"
    "|dfn|div|dl|dt|em|figcaption|figure|font|footer|h[1-6]|head|header|hr|html|i|img|ins|kbd|li|main|mark|nav|ol|p|pre"
    "|q|s|samp|section|small|span|strike|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|var|wbr"
)
_EMPTY = frozenset({"br", "col", "hr", "img", "wbr"})
_ATTRIBUTE = r"""\s+(?:[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+)|open|reversed|hidden|nowrap|compact|noshade)"""
_TAG = rf"<(?P<end>/?)(?P<name>{_TAGS})(?P<attributes>(?:{_ATTRIBUTE})*)\s*(?P<closed>/?)>"
_ENTITY = r"&(?:#[0-9]{1,7}(?![0-9])|#[xX][0-9a-fA-F]{1,6}(?![0-9a-fA-F])|[A-Za-z][A-Za-z0-9]{1,31})"
_MARK = re.compile(rf"<!--|{_TAG}|{_ENTITY};?|\r\n", re.IGNORECASE | re.ASCII)
_VALUE = re.compile(r"""([\w:.-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?""", re.ASCII)
_ENTITY_IN_VALUE = re.compile(f"{_ENTITY};")


@dataclass(eq=False, slots=True)
class Node:
    """A text or an element, among its siblings."""

    parent: "Element | None" = None
    before: "Node | None" = None
    after: "Node | None" = None


@dataclass(eq=False, slots=True)
class Words(Node):
    """A text, entities decoded."""

    content: Traced = field(default_factory=trace)


@dataclass(eq=False, slots=True)
class Element(Node):
    """An element. Names of elements and attributes are in small letters."""

    name: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict)
    children: list[Node] = field(default_factory=list)
    tag: tuple[int, int] | None = None
    """Where the tag that opens it stands."""

    def add(self, node: Node) -> None:
        """Put a node at the end."""
        node.parent, node.before, node.after = self, self.children[-1] if self.children else None, None
        if node.before:
            node.before.after = node
        self.children.append(node)

    def all(self) -> Iterator[Node]:
        """Every node in it, in the order of the text."""
        waiting = self.children[::-1]
        while waiting:
            node = waiting.pop()
            yield node
            if isinstance(node, Element):
                waiting += node.children[::-1]

    def elements(self, *names: str) -> list["Element"]:
        """Every element in it that has one of these names, in the order of the text."""
        return [node for node in self.all() if isinstance(node, Element) and node.name in names]

    @property
    def classes(self) -> list[str]:
        """The names of its classes."""
        return self.attributes.get("class", "").split()

    @property
    def text(self) -> str:
        """All text in it."""
        return "".join(node.content.text for node in self.all() if isinstance(node, Words))


def read_html(raw: str) -> Element:
    """The tree of a text. Never raises: what is left open ends with the text, an end without a beginning is nothing."""
    root = Element(name="div")
    _flatten(_Reader(raw, root).read())
    return root


class _Reader:
    def __init__(self, raw: str, root: Element) -> None:
        self._raw = raw
        self._root = root
        self._open = [root]
        self._opened: dict[str, int] = {}
        """How many elements of a name are open."""
        self._words: list[Traced | str] = []

    def read(self) -> Element:
        raw = self._raw
        at = begun = 0
        comments = True
        while found := _MARK.search(raw, at):
            at = found.end()
            if found[0] == "<!--":
                closed = raw.find("-->", at) if comments else -1
                comments = closed >= 0
                if comments:
                    self._plain(begun, found.start())
                    begun = at = closed + 3
                continue
            self._plain(begun, found.start())
            begun = at
            if found["name"]:
                self._tag(found)
            else:
                shown = "\n" if found[0] == "\r\n" else html.unescape(found[0]) or "\ufffd"
                piece = as_it_stands(raw, *found.span())
                self._words.append(piece if shown == found[0] else piece.as_one(shown))
        self._plain(begun, len(raw))
        self._end_words()
        return self._root

    def _plain(self, start: int, end: int) -> None:
        if start < end:
            self._words.append(as_it_stands(self._raw, start, end))

    def _end_words(self) -> None:
        if self._words:
            self._open[-1].add(Words(content=trace(*self._words)))
            self._words = []

    def _tag(self, found: re.Match[str]) -> None:
        self._end_words()
        name = found["name"].lower()
        if found["end"]:
            while self._opened.get(name):
                closed = self._open.pop()
                self._opened[closed.name] -= 1
                if closed.name == name:
                    break
            return
        element = Element(name=name, attributes=_attributes(found["attributes"]), tag=found.span())
        self._open[-1].add(element)
        if name not in _EMPTY and not found["closed"]:
            self._open.append(element)
            self._opened[name] = self._opened.get(name, 0) + 1


def _attributes(text: str) -> dict[str, str]:
    """Attributes by name; of several with one name the first counts, as in browsers."""
    found: dict[str, str] = {}
    for name, *values in _VALUE.findall(text):
        value = _ENTITY_IN_VALUE.sub(lambda entity: html.unescape(entity[0]), "".join(values))
        found.setdefault(name.lower(), value)
    return found


def _flatten(root: Element) -> None:
    """Replace what lies too deep by its text: who walks the tree recurses."""
    level = [root]
    for _ in range(MAX_DEPTH - 1):
        level = [child for element in level for child in element.children if isinstance(child, Element)]
    for parent in level:
        children, parent.children = parent.children, []
        for child in children:
            parent.add(_as_words(child) if isinstance(child, Element) else child)


def _as_words(element: Element) -> Words:
    parts: list[Traced | str] = []
    for node in element.all():
        if isinstance(node, Words):
            parts += (" ", node.content) if parts else (node.content,)
    return Words(content=trace(*parts))
