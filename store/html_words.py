"""Texts of HTML as Markdown: formulas as they are, everything else escaped where Markdown would read it anew."""

import re

from store.html_tree import Element, Node, Words
from store.traced import Traced, trace
from uq_tui.document.maths.spans import math_spans

Parents = frozenset[str]
"""Names of the elements around, and `inline` where no block may begin, `verbatim` where all stands as it is."""

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_TIGHT = HEADINGS | {
    "p", "blockquote", "article", "div", "section", "ol", "ul", "li", "dl", "dt", "dd",
    "table", "thead", "tbody", "tfoot", "tr", "td", "th",
}  # fmt: skip
"""Blocks, within and around which white space is nothing."""

ENTITIES = {"(": "&#40;", "[": "&#91;", "]": "&#93;", ":": "&#58;"}
"""What no backslash can escape everywhere."""
BRACKETS = re.compile(r"[\[\]]")
WHITE = re.compile(r"[^\S ]\s*| \s+")
"""White space that is not one blank already."""
_COMMENT_IN_MATHS = re.compile(r"(?<!\\)%[^\n]*\n")
_LINE_BREAKS = re.compile(r"[\t \r\n]*[\r\n][\t \r\n]*")
_BLANKS = re.compile(r"\t[\t ]*| [\t ]+")
_SPECIAL = re.compile(r"\\\$|[\\`*~|$]|<(?=[a-zA-Z/!?]|$)|_(?![^\W_])|(?<![^\W_])_|&(?=#?\w+;)|!(?=\[|$)|(?<=\])[(\[:]")
"""What Markdown could read as its own. A `_` within a word, and a `<` before a blank, it takes as they are."""
_LINE_START = re.compile(r"^\s*\d{1,9}(?=[.)](?:\s|$))|^\s*(?=(?:#{1,6}|[-+])(?:\s|$)|[>=]|--)", re.MULTILINE)


def words(node: Words, parents: Parents) -> Traced:
    """What Markdown has for a text where it stands."""
    text = node.content
    if "pre" not in parents:
        text = text.sub(_LINE_BREAKS, lambda found: found.as_one("\n")).sub(_BLANKS, lambda found: found.as_one(" "))
    if "verbatim" not in parents:
        text = _escaped(text, parents)
    if _begins(node):
        text = text.lstrip(" \t\r\n")
    return text.rstrip() if _ends(node) else text


def _escaped(text: Traced, parents: Parents) -> Traced:
    """A text so that Markdown reads it as it stands: formulas as they are, on one line."""
    parts: list[Traced] = []
    at = 0
    for span in math_spans(text.text):
        parts.append(_plain(text.part(at, span.start), parents))
        formula = text.part(span.start, span.end).sub(_COMMENT_IN_MATHS, lambda found: trace(" "))
        parts.append(one_line(formula))
        at = span.end
    return trace(*parts, _plain(text.part(at), parents))


def _plain(text: Traced, parents: Parents) -> Traced:
    text = text.sub(_SPECIAL, _special).sub(_LINE_START, lambda found: trace(found, "\\"))
    return text.sub(BRACKETS, _entity) if "a" in parents else text


def _special(found: Traced) -> Traced:
    # MathJax shows an escaped dollar as a dollar, and so does Markdown.
    if found.text == r"\$":
        return found
    return _entity(found) if found.text in ENTITIES else trace("\\", found)


def _entity(found: Traced) -> Traced:
    return found.as_one(ENTITIES[found.text])


def one_line(text: Traced) -> Traced:
    """`text` with a blank for all white space between two words."""
    return text.sub(WHITE, lambda found: found.as_one(" "))


def around(text: Traced, before: str, after: str) -> Traced:
    """`text` between two marks; white space at its ends stays outside."""
    end = len(text.text.rstrip())
    start = len(text.text) - len(text.text.lstrip())
    return trace(text.part(0, start), before, text.part(start, end), after, text.part(end))


def _stands_alone(node: Node | None) -> bool:
    """Whether white space before and after a node is nothing."""
    return isinstance(node, Element) and (node.name in _TIGHT or node.name == "pre")


def _begins(node: Node) -> bool:
    """Whether a text is the first of its block, or the first after one."""
    return _stands_alone(node.before) or (
        node.before is None and node.parent is not None and node.parent.name in _TIGHT
    )


def _ends(node: Node) -> bool:
    return _stands_alone(node.after) or (node.after is None and node.parent is not None and node.parent.name in _TIGHT)


def is_nothing(node: Node) -> bool:
    """Whether a node is white space that nobody sees."""
    return isinstance(node, Words) and not node.content.text.strip() and (_begins(node) or _ends(node))
