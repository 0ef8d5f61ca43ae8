"""That places in converted HTML lead to the HTML and back, exactly or not at all."""

import html
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.html import html_to_markdown, html_with_map
from tests.shared import shared_file
from uq_tui.document.maths.symbols import SUBSCRIPTS, SUPERSCRIPTS
from uq_tui.document.source_map import SourceMap

_SCRIPTS = {shown: sign for table in (SUBSCRIPTS, SUPERSCRIPTS) for sign, shown in table.items()}
_VISIBLE = re.compile(r"[^\s\0]")
_MARKUP = re.compile(r"<!--.*?-->|</?[a-zA-Z](?:[^<>\"']|\"[^\"]*\"|'[^']*')*>", re.DOTALL)
_ENTITY = re.compile(r"&[#\w]+;")


def essence(text: str) -> str:
    """A text with its entities decoded, raised and lowered signs plain, and white space drawn together."""
    return re.sub(r"\s+", " ", "".join(_SCRIPTS.get(sign, sign) for sign in html.unescape(text)))


def _stands_for(shown: str, own: str) -> bool:
    return (shown == "\ufffd" and own.startswith("&#")) or (shown.startswith("![") and own[:4].lower() == "<img")


def check(raw: str) -> tuple[str, SourceMap]:
    """Convert, and see that every run shows the same on both sides, and that they rise."""
    markdown, found = html_with_map(raw)
    assert markdown == html_to_markdown(raw)
    assert SourceMap.of(found.runs) == found
    for run in found.runs:
        shown, own = markdown[run.start : run.end], raw[run.raw_start : run.raw_end]
        assert essence(shown) == essence(own) or _stands_for(shown, own), (shown, own)
    return markdown, found


def place(raw: str, shown: str) -> str | None:
    """What stands in `raw` where `shown` first stands in the Markdown."""
    markdown, found = check(raw)
    at = markdown.index(shown)
    there = found.to_raw(at, at + len(shown))
    if there is None:
        return None
    back = found.to_source(*there)
    assert back is not None
    assert at <= back[0] <= back[1] <= at + len(shown)
    return raw[there[0] : there[1]]


@pytest.mark.parametrize(
    ("raw", "shown", "there"),
    [
        ("<p>so it is</p>", "it", "it"),
        ("<p>If $a &lt; b$ it is</p>", "$a < b$", "$a &lt; b$"),
        ("<p>If $a &lt; b$ it is</p>", "<", "&lt;"),
        ("<p>$$\na_1 % note\n= 2\n$$</p>", "a_1 = 2", "a_1 % note\n= 2"),
        ("<p>$$a\n= b$$</p>", "a = b", "a\n= b"),
        ("<p>all <b>is</b> well</p>", "all **is** well", "all <b>is</b> well"),
        ("<p>all <b>is</b> well</p>", "**is**", "is"),
        ("<p>all <b>is</b> well</p>", "** well", " well"),
        ("<pre><code>if (a &amp;&amp; b)\n  c\n</code></pre>", "a && b)\n  c", "a &amp;&amp; b)\n  c"),
        ("<p>by <code>x &gt; 1</code></p>", "x > 1`", "x &gt; 1"),
        ("<ul><li>one<p>two*3</p></li></ul>", "- one\n\n  two\\*3", "one<p>two*3"),
        ("<blockquote><p>a\nb</p></blockquote>", "a\n> b", "a\nb"),
        ("x<sup>2</sup> and y", "x² and", "x<sup>2</sup> and"),
        ('<a href="http://x">t [1]</a> u', "[t &#91;1&#93;](http://x)", "t [1]"),
        ('<a href="http://x">t</a> u', "(http://x)", None),
        ('<p>a <img src="i.png" alt="words"> u</p>', "![words](i.png)", '<img src="i.png" alt="words">'),
        ("<table><tr><td>a|b</td></tr></table>", "| a\\\\|b |", "a|b"),
        ("a<!-- no -->b", "ab", "a<!-- no -->b"),
        ("<p>a</p>\r\n<p>b\r\nc</p>", "b\nc", "b\r\nc"),
        ("&NotEqualTilde;", "\u2242\u0338", "&NotEqualTilde;"),
        ("<" + "div><" * 80 + "b>deep &amp; low</b>", "deep & low", "deep &amp; low"),
    ],
)
def test_a_place_in_the_markdown_leads_to_the_html(raw: str, shown: str, there: str | None) -> None:
    assert place(raw, shown) == there


def test_a_paragraph_that_is_one_image_has_a_place() -> None:
    raw = '<p>a</p>\n<p><a href="b"><img src="i.png"></a></p>'
    markdown, found = check(raw)
    unit = markdown.index("[![](i.png)](b)")
    place = found.to_raw(unit, len(markdown))
    assert place is not None
    assert raw[slice(*place)] == '<img src="i.png">'
    assert found.to_source(*place) == (unit + 1, unit + 11)


def test_part_of_an_entity_in_the_markdown_is_all_of_it() -> None:
    markdown, found = check('<a href="u">t [1]</a>')
    assert markdown == "[t &#91;1&#93;](u)"
    assert found.to_raw(4, 9) == found.to_raw(3, 9) == (14, 16)
    assert found.to_source(14, 15) == (3, 8)


TAGS = (
    "p", "p", "b", "em", "code", "pre", "ul", "ol", "li", "blockquote", "blockquote class='spoiler'", "table", "tr",
    "td", "th", "sup", "sub", "h2", "s", "kbd", "a href='http://x/(y)'", "dl", "dt", "dd", "span", "x",
)  # fmt: skip
LEAVES = (
    "word", "two words", " ", "\n", "\r\n", "&lt;", "&amp;lt;", "&#x27;", "&#1;", "&nope;", "&ampx", "$a_1 &lt; b$",
    "$$x % c\n = y\n$$", "\\(z_1*\\)", "\\begin{align}a &amp; b\\\\\nc\\end{align}", "$5 and $6", "1. x", "- y", "# z",
    "[1](2)", "*a* _b_", "`c`", "|", "<br>", "<hr/>", "<img src='u' alt='w'>", "<!-- n -->", "<!--", "<", "a<b", "\xa0",
    "</b>", "</p>", "<td>",
)  # fmt: skip
_leaf = st.one_of(st.sampled_from(LEAVES), st.text(st.characters(exclude_categories=[]), max_size=3))


def _nested(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(
        lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag.split()[0]}>",
        st.sampled_from(TAGS),
        st.lists(inner, max_size=4),
    )


@given(st.lists(st.recursive(_leaf, _nested, max_leaves=12), max_size=5).map("".join))
def test_what_corresponds_shows_the_same(raw: str) -> None:
    check(raw)


@given(st.text(alphabet="ab<>&;# \n\r$\\*_[]()|/!-p\"'=", max_size=80))
def test_what_corresponds_shows_the_same_in_hostile_text(raw: str) -> None:
    check(raw)


def bodies(dumps: tuple[str, ...], replies: tuple[str, ...]) -> Iterator[str]:
    for name in dumps:
        for _, row in ET.iterparse(shared_file(f"data/{name}")):
            if row.tag == "row":
                yield row.get("Body", "")
    for name in replies:
        yield from _bodies(json.loads(shared_file(f"data/se-api-json/{name}").read_text("utf-8")))


def _bodies(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("body"), str):
            yield value["body"]
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from _bodies(one)


def text_of(raw: str) -> str:
    """`raw` with NULs for tags and comments, and for all of an entity but its first sign."""
    blank = _MARKUP.sub(lambda found: "\0" * len(found[0]), raw)
    return _ENTITY.sub(lambda found: "&" + "\0" * (len(found[0]) - 1), blank)


DUMPS = (
    "se-dump-quantumcomputing-2018/Posts.xml",
    "se-dump-history-meta-2018-doctype/Posts.first200.xml",
    "se-dump-datascience-meta-2024-pipe-tags/Posts.xml",
)
REPLIES = ("ShaunGerardAlberts-data.json", "saintaze-mockQuestions.json")


@pytest.mark.shared
@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.long)])
def test_nearly_all_of_real_posts_corresponds(every: int) -> None:
    """Of signs that are seen, all but comments in formulas. One post of `every` is taken."""
    visible = missing = 0
    for raw in islice(bodies(DUMPS, REPLIES), 0, None, every):
        _, found = check(raw)
        text = text_of(raw)
        left = list(text)
        for run in found.runs:
            left[run.raw_start : run.raw_end] = "\0" * (run.raw_end - run.raw_start)
        visible += len(_VISIBLE.findall(text))
        missing += len(_VISIBLE.findall("".join(left)))
    assert visible > 2_000_000 / every
    assert missing < visible / 1_000, f"{missing:,} of {visible:,}"
