"""Stack Exchange HTML to Markdown: formulas untouched, everything else escaped where Markdown would read it anew.

Entities are decoded exactly once. A `<` that begins no tag is text, so `$a<b$` loses nothing.
"""

import re
import unicodedata
from collections.abc import Callable, Collection

from bs4 import BeautifulSoup, Tag
from bs4.element import NavigableString, PageElement
from markdownify import MarkdownConverter

from uq_tui.document.maths.spans import math_spans
from uq_tui.document.maths.symbols import SUBSCRIPTS, SUPERSCRIPTS

CONVERTER = "html-1"
"""Version of the conversion: Markdown made by another one is made anew."""

MAX_DEPTH = 60
"""Elements nested deeper than this lose their markup, not their text."""

_TAGS = (
    "a|abbr|acronym|address|article|aside|b|big|blockquote|body|br|caption|center|cite|code|col|colgroup|dd|del|details"
    "|dfn|div|dl|dt|em|figcaption|figure|font|footer|h[1-6]|head|header|hr|html|i|img|ins|kbd|li|main|mark|nav|ol|p|pre"
    "|q|s|samp|section|small|span|strike|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|var|wbr"
)
_ATTRIBUTE = r"""\s+(?:[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+)|open|reversed|hidden|nowrap|compact|noshade)"""
# One of our tags; any other `<` is text. Left alone, html.parser would take `<b$ and $c>` for a tag.
_TAG = re.compile(rf"</?(?:{_TAGS})(?:{_ATTRIBUTE})*\s*/?>|<", re.IGNORECASE)

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]\w{1,31});")

_COMMENT_IN_MATHS = re.compile(r"(?<!\\)%[^\n]*\n")
_WHITE = re.compile(r"\s+")
_SPECIAL = re.compile(r"\\\$|[\\`*_<~|$]|&(?=#?\w+;)|!(?=\[|$)|(?<=\])[(\[:]")
_LINE_START = re.compile(r"^(\s*)(?:(\d{1,9})(?=[.)](?:\s|$))|(?=(?:#{1,6}|[-+])(?:\s|$)|[>=]|--))", re.MULTILINE)
_ENTITIES = {"(": "&#40;", "[": "&#91;", "]": "&#93;", ":": "&#58;"}
_BRACKETS = re.compile(r"[\[\]]")
_BACKTICKS = re.compile(r"`+")
_LANGUAGE = re.compile(r"(?:lang|language)-([\w+#.-]+)")
_LINE = re.compile(r"^(?=.)", re.MULTILINE)
_EMPHASES = frozenset({"b", "strong", "em", "i", "s", "strike", "del"})


def html_to_markdown(raw: str) -> str:
    """`raw` as Markdown for `uq_tui.document`.

    Never raises on any text. Mathematics in any delimiters passes through as it is, with entities decoded; line
    breaks in it become blanks. Markup nested more than `MAX_DEPTH` deep is left out, its text stays.
    """
    marked_up = _TAG.sub(lambda match: match[0] if len(match[0]) > 1 else "&lt;", _without_comments(raw))
    soup = BeautifulSoup(f"<div>{marked_up}</div>", "html.parser")
    _flatten(soup)
    _even_out_tables(soup)
    return _Converter(bullets="-", heading_style="atx").convert_soup(soup).strip("\n")


def text_in_place(raw: str) -> str:
    """`raw` with NULs for each comment, tag and entity: what is found in it is text, and stands there in `raw` too."""
    blank = _without_comments(raw, "\0")
    blank = _TAG.sub(lambda match: "\0" * len(match[0]) if len(match[0]) > 1 else match[0], blank)
    return _ENTITY.sub(lambda match: "\0" * len(match[0]), blank)


def _without_comments(raw: str, instead: str = "") -> str:
    """`raw` with `instead` for each character of a comment."""
    parts: list[str] = []
    at = 0
    while (start := raw.find("<!--", at)) >= 0 and (end := raw.find("-->", start + 4)) >= 0:
        parts += (raw[at:start], instead * (end + 3 - start))
        at = end + 3
    return "".join(parts) + raw[at:]


def _flatten(soup: BeautifulSoup) -> None:
    """Replace what lies too deep by its text: the converter recurses."""
    level: list[Tag] = [soup]
    for _ in range(MAX_DEPTH):
        level = [child for tag in level for child in tag.children if isinstance(child, Tag)]
    for tag in level:
        tag.replace_with(NavigableString(tag.get_text(" ")))


def _even_out_tables(soup: BeautifulSoup) -> None:
    """Give the first row of each table as many cells as the longest has: Markdown drops what exceeds the head."""
    for table in soup.find_all("table"):
        rows = [row.find_all(["td", "th"]) for row in table.find_all("tr")]
        widths = [sum(_column_span(cell) for cell in row) for row in rows]
        if rows and rows[0] and max(widths) > widths[0]:
            for _ in range(max(widths) - widths[0]):
                rows[0][-1].insert_after(soup.new_tag(rows[0][-1].name))


def _column_span(cell: Tag) -> int:
    span = str(cell.get("colspan", ""))
    return max(1, min(1000, int(span))) if span.isdecimal() and len(span) < 5 else 1


def _escape(text: str) -> str:
    """Text without formulas so that Markdown reads it as it stands."""

    def escaped(match: re.Match[str]) -> str:
        found = match[0]
        # MathJax shows an escaped dollar as a dollar, and so does Markdown.
        return found if found == r"\$" else _ENTITIES.get(found, "\\" + found)

    return _LINE_START.sub(r"\1\2\\", _SPECIAL.sub(escaped, text))


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"


def _edge(element: PageElement | None, *, last: bool) -> str:
    """The last or first character of a neighbour within the line, "" at the end of it."""
    if not isinstance(element, (NavigableString, Tag)) or (isinstance(element, Tag) and element.name == "br"):
        return ""
    text = element.get_text() if isinstance(element, Tag) else str(element)
    return text[-1:] if last else text[:1]


def _may_delimit(element: Tag, text: str) -> bool:
    """Whether marks around `text` would be read as marks: CommonMark 6.2, flanking delimiter runs."""
    for sibling, last, inner in ((element.previous_sibling, True, text[0]), (element.next_sibling, False, text[-1])):
        outer = _edge(sibling, last=last)
        if last and isinstance(sibling, Tag) and sibling.name in _EMPHASES and outer:
            return False  # two runs of marks would be read as one
        if outer and not outer.isspace() and not _is_punctuation(outer) and _is_punctuation(inner):
            return False
    return True


def _emphasis(mark: str) -> Callable[["_Converter", Tag, str, Collection[str]], str]:
    def convert(self: "_Converter", el: Tag, text: str, parent_tags: Collection[str]) -> str:
        inner = text.strip()
        if not inner or "\n\n" in inner or "_noformat" in parent_tags or not _may_delimit(el, inner):
            return text
        before = text[: len(text) - len(text.lstrip())]
        return f"{before}{mark}{inner}{mark}{text[len(text.rstrip()) :]}"

    return convert


def _script(table: dict[str, str], mark: str) -> Callable[["_Converter", Tag, str, Collection[str]], str]:
    def convert(self: "_Converter", el: Tag, text: str, parent_tags: Collection[str]) -> str:
        inner = text.strip()
        if not inner or "_noformat" in parent_tags:
            return text
        if all(character in table for character in inner):
            return "".join(table[character] for character in inner)
        return f"{mark}({inner})"

    return convert


class _Converter(MarkdownConverter):
    """markdownify's walk over the tree, with our own idea of each element. Names are as it looks them up."""

    def __init__(self, *, bullets: str, heading_style: str) -> None:
        super().__init__(bullets=bullets, heading_style=heading_style)
        self._items: dict[int, int] = {}

    def escape(self, text: str, parent_tags: Collection[str]) -> str:
        parts: list[str] = []
        at = 0
        for span in math_spans(text):
            parts.append(self._plain(text[at : span.start], parent_tags))
            parts.append(_WHITE.sub(" ", _COMMENT_IN_MATHS.sub(" ", text[span.start : span.end])))
            at = span.end
        parts.append(self._plain(text[at:], parent_tags))
        return "".join(parts)

    def _plain(self, text: str, parent_tags: Collection[str]) -> str:
        escaped = _escape(text)
        if "a" in parent_tags:
            escaped = _BRACKETS.sub(lambda match: _ENTITIES[match[0]], escaped)
        return escaped

    convert_b = convert_strong = _emphasis("**")
    convert_em = convert_i = _emphasis("*")
    convert_del = convert_s = convert_strike = _emphasis("~~")
    convert_sub = _script(SUBSCRIPTS, r"\_")
    convert_sup = _script(SUPERSCRIPTS, "^")

    def convert_a(self, el: Tag, text: str, parent_tags: Collection[str]) -> str:
        address = _address(el.get("href"))
        inner = text.strip()
        if "_noformat" in parent_tags or not address or not inner:
            return text
        if "\n\n" in inner:
            return f"{text}\n\n[{address}]({address})\n\n"
        before = text[: len(text) - len(text.lstrip())]
        return f"{before}[{inner}]({address}){text[len(text.rstrip()) :]}"

    def convert_img(self, el: Tag, text: str, parent_tags: Collection[str]) -> str:
        words = _WHITE.sub(" ", f"{el.get('alt', '')}").strip()
        words = _BRACKETS.sub(lambda match: _ENTITIES[match[0]], words.replace("\\", r"\\"))
        return f"![{words}]({_address(el.get('src'))})"

    def convert_code(self, el: Tag, text: str, parent_tags: Collection[str]) -> str:
        if "_noformat" in parent_tags or not text.strip():
            return text
        ticks = "`" * (max(map(len, _BACKTICKS.findall(text)), default=0) + 1)
        pad = " " if len(ticks) > 1 else ""
        before = text[: len(text) - len(text.lstrip())]
        return f"{before}{ticks}{pad}{text.strip()}{pad}{ticks}{text[len(text.rstrip()) :]}"

    convert_kbd = convert_samp = convert_tt = convert_code

    def convert_pre(self, el: Tag, text: str, parent_tags: Collection[str]) -> str:
        if not text.strip():
            return "\n\n"
        code = el.find("code")
        classes = [el.get("class"), code.get("class") if isinstance(code, Tag) else None]
        language = _LANGUAGE.search(" ".join(" ".join(names) for names in classes if isinstance(names, list)))
        fence = "`" * max(3, max(map(len, _BACKTICKS.findall(text)), default=0) + 1)
        body = text.removeprefix("\n").rstrip("\n ")
        return f"\n\n{fence}{language[1] if language else ''}\n{body}\n{fence}\n\n"

    def convert_blockquote(self, el: Tag, text: str, parent_tags: Collection[str]) -> str:
        inner = text.strip()
        if "_inline" in parent_tags or not inner:
            return f" {inner} "
        if "spoiler" in (el.get("class") or []):
            inner = f"**Spoiler:** {inner}"
        quoted = "\n".join(f"> {line}".rstrip() for line in inner.split("\n"))
        return f"\n\n{quoted}\n\n"

    def convert_li(self, el: Tag, text: str, parent_tags: Collection[str]) -> str:
        parent, inner = el.parent, text.strip()
        mark = "- "
        if parent is not None and parent.name == "ol":
            start = str(parent.get("start", ""))
            first = int(start) if start.isdecimal() and len(start) < 9 else 1
            number = self._items[id(parent)] = self._items.get(id(parent), first - 1) + 1
            mark = f"{number}. "
        if not inner:
            return "\n"
        return f"{mark}{_LINE.sub(' ' * len(mark), inner)[len(mark) :]}\n"

    def convert_div(self, el: Tag, text: str, parent_tags: Collection[str]) -> str:
        inner = text.strip()
        return f" {inner} " if "_inline" in parent_tags else f"\n\n{inner}\n\n"

    convert_address = convert_article = convert_aside = convert_center = convert_dd = convert_details = convert_div
    convert_dt = convert_figcaption = convert_figure = convert_footer = convert_header = convert_main = convert_div
    convert_nav = convert_section = convert_summary = convert_caption = convert_div

    def convert_hN(self, n: int, el: Tag, text: str, parent_tags: Collection[str]) -> str:  # noqa: N802 (their name)
        inner = _WHITE.sub(" ", text).strip()
        if "_inline" in parent_tags or not inner:
            return inner
        if inner.endswith("#"):
            inner = inner[:-1] + r"\#"
        return f"\n\n{'#' * max(1, min(6, n))} {inner}\n\n"

    def convert_td(self, el: Tag, text: str, parent_tags: Collection[str]) -> str:
        cell = _WHITE.sub(" ", text).strip().replace("|", r"\|")
        return f" {cell} |" + " |" * (_column_span(el) - 1)

    convert_th = convert_td


def _address(value: object) -> str:
    """An address as a Markdown link destination."""
    address = "".join(str(value or "").split())
    address = address.replace("\\", "%5C").replace("<", "%3C").replace(">", "%3E")
    address = re.sub(r"&(?=#?\w+;)", r"\\&", address)
    return f"<{address}>" if re.search(r"[()]", address) else address
