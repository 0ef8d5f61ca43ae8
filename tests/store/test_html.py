"""Stack Exchange HTML to Markdown, and that nothing of it is lost."""

import re
import unicodedata
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from functools import partial
from html.parser import HTMLParser
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.html import html_to_markdown
from tests.document.work import calls
from tests.shared import shared_file
from uq_tui.document.markup.parse import parse


def read(markdown: str) -> str:
    """The text that a reader of the Markdown sees, images left out."""
    parts: list[str] = []
    for token in parse(markdown, {})[0]:
        if token.type == "inline":
            parts += (
                "\n" if "break" in child.type else child.content
                for child in token.children or []
                if child.type != "image"
            )
        else:
            parts.append(token.content + (token.info if token.type == "math_block" else ""))
        parts.append("\n")
    return "".join(parts)


@pytest.mark.parametrize(
    ("raw", "markdown"),
    [
        ("<p>one</p><p>two</p>", "one\n\ntwo"),
        ("<p>a <b>b</b> <i>c</i> <s>d</s> <code>e</code></p>", "a **b** *c* ~~d~~ `e`"),
        ("<h2>C #</h2><hr/><h1>x <em>y</em></h1>", "## C \\#\n\n---\n\n# x *y*"),
        ("<ul><li>a<ul><li>b</li></ul></li><li><p>c</p><p>d</p></li></ul>", "- a\n  - b\n- c\n\n  d"),
        ('<ol start="3"><li>x</li><li>y</li></ol>', "3. x\n4. y"),
        ("<blockquote><p>a</p><blockquote>b</blockquote></blockquote>", "> a\n>\n> > b"),
        ('<blockquote class="spoiler"><p>it was him</p></blockquote>', ">! it was him"),
        ('<blockquote class="spoiler"><p>a<br>b</p><ul><li>c</li></ul></blockquote>', ">! a  \n>! b\n>!\n>! - c"),
        ("<blockquote><p>a<br>b</p></blockquote>", "> a  \n> b"),
        ('<a href="http://x/y">t [1]</a>', "[t &#91;1&#93;](http://x/y)"),
        ('<a href="http://x/a(b) c">t</a>', "[t](<http://x/a(b)c>)"),
        ('<img src="http://i/p.png" alt="a]b\nc"/>', "![a&#93;b c](http://i/p.png)"),
        ("a<br>b<br />c", "a  \nb  \nc"),
        ("x<sup>2</sup> y<sub>0</sub> 1<sup>st</sup> z<sup>a*b</sup>", "x² y₀ 1ˢᵗ z^(a\\*b)"),
        ("<dl><dt>term</dt><dd>meaning</dd></dl>", "term\n\n- meaning"),
        ("<dl><dt>a</dt><dd>b<p>c</p></dd><dd>d</dd><dt>e</dt></dl>", "a\n\n- b\n\n  c\n- d\n\ne"),
        (
            "<ol><li>a<ul><li>b<pre>c\n  d</pre></li></ul>e</li></ol>",
            "1. a\n   - b\n\n     ```\n     c\n       d\n     ```\n\n   e",
        ),
        ("press <kbd>Ctrl</kbd> or <kbd>C</kbd>", "press `Ctrl` or `C`"),
        ('<a href="/q/1"><img src="/i.png" alt="x"></a>', "[![x](/i.png)](/q/1)"),
        ('<a href="?a=1&amp;copy=2&copy=3">t</a>', "[t](?a=1&copy=2&copy=3)"),
        ("<pre>a<br>b</pre>", "```\na\nb\n```"),
        ("<p>\xa0\xa0 $x$</p>", "\xa0\xa0 $x$"),
        ("&foo; &alpha; &notanentity &#1; &#x41;B &#99999999;", "\\&foo; α ¬anentity \ufffd AB \\&#99999999;"),
        ("snake_case _x_ a < b <3 &lt;b&gt; x&lt;", "snake_case \\_x\\_ a < b <3 \\<b> x\\<"),
        ("a<!-- hidden -->b", "ab"),
        ("", ""),
    ],
)
def test_elements(raw: str, markdown: str) -> None:
    assert html_to_markdown(raw) == markdown


@pytest.mark.parametrize(
    ("raw", "markdown"),
    [
        ("<p>$a_1$ and $b_1$</p>", "$a_1$ and $b_1$"),
        ("<p>$a &lt; b$ &amp; $c&gt;d$</p>", "$a < b$ & $c>d$"),
        ("<p>\\(x_1*y_2*\\) \\[ [z] \\]</p>", "\\(x_1*y_2*\\) \\[ [z] \\]"),
        ("<p>$$\na_1 % note\n= \\begin{matrix} b \\\\ c \\end{matrix}\n$$</p>",
         "$$ a_1 = \\begin{matrix} b \\\\ c \\end{matrix} $$"),
        ("<p>\\begin{align}a &amp;= b\\\\ c &amp;= d\\end{align}</p>", "\\begin{align}a &= b\\\\ c &= d\\end{align}"),
        ("<p>costs $5 to $2000, \\$7</p>", "costs \\$5 to \\$2000, \\$7"),
    ],
)  # fmt: skip
def test_mathematics_is_untouched(raw: str, markdown: str) -> None:
    assert html_to_markdown(raw) == markdown


@pytest.mark.parametrize(
    "text",
    [
        "a_b_c *d* `e` ~~f~~ [g](h) [i]: j ![k](l) <m> \\n \\( \\[",
        "# not a heading",
        "- not a list\n+ nor this\n1. nor this\n2) nor this",
        "> not a quote\n===\n---\n***",
        "a | b\n--- | ---\nc | d",
        "&lt; &amp; &#36; &copy",
        "wow! [really]",
        "C:\\temp\\new _x_ 2*3*4",
        "$5 and \\$7, then 8$",
    ],
)
def test_text_is_read_as_it_stands(text: str) -> None:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;")
    shown = read(html_to_markdown(f"<p>{escaped}</p>"))
    assert " ".join(shown.split()) == " ".join(text.replace("\\$", "$").split())


def test_entities_are_decoded_once() -> None:
    assert read(html_to_markdown("<p>Is &quot;a &amp;lt; b&quot;?</p>")).strip() == 'Is "a &lt; b"?'


@pytest.mark.parametrize("text", ["$a<b$ and $c>d$", "a<b and c>d", "x <3 y", "<!-- open", "<script>alert(1)</script>"])
def test_a_bare_less_than_loses_nothing(text: str) -> None:
    assert "".join(read(html_to_markdown(text)).split()) == "".join(text.replace("$", "").split())


def test_line_ends_of_two_signs_are_read_as_one() -> None:
    assert html_to_markdown("<p>a\r\nb</p><pre>c\r\n\r\nd</pre>") == "a\nb\n\n```\nc\n\nd\n```"


def test_code_keeps_everything() -> None:
    raw = '<pre class="lang-py prettyprint-override"><code>x = "```"\n\n  &lt;b&gt; $y_1$ *z*\n</code></pre>'
    assert html_to_markdown(raw) == '````py\nx = "```"\n\n  <b> $y_1$ *z*\n````'
    assert html_to_markdown("<pre><code class='language-c++'>a</code></pre>") == "```c++\na\n```"
    assert html_to_markdown("<code>a `b` *c*</code>") == "`` a `b` *c* ``"


@pytest.mark.parametrize(
    ("raw", "markdown"),
    [
        ("<table><tr><th>a</th><th>b</th></tr><tr><td>1</td></tr></table>", "| a | b |\n| --- | --- |\n| 1 |"),
        (
            "<table><thead><tr><td>a</td></tr></thead><tbody><tr><td>1</td></tr></tbody></table>",
            "| a |\n| --- |\n| 1 |",
        ),
        ("<table><tr><td colspan=2>a<p>b</p></td></tr></table>", "|  |  |\n| --- | --- |\n| a b | |"),
        ("<table><tr><td>a<pre>x\n|y</pre></td></tr></table>", "|  |\n| --- |\n| a `x \\|y` |"),
    ],
)
def test_tables_have_a_head_and_rows_of_one_line(raw: str, markdown: str) -> None:
    assert html_to_markdown(raw) == markdown


def test_tables_keep_every_cell() -> None:
    raw = "<table><tr><th>a|b</th></tr><tr><td>$|0\\rangle$</td><td><code>x|y</code></td><td>z</td></tr></table>"
    tokens, _ = parse(html_to_markdown(raw), {})
    cells = [token.children or [] for token in tokens if token.type == "inline"]
    assert ["".join(child.content for child in cell) for cell in cells] == ["a|b", "", "", "|0\\rangle", "x|y", "z"]


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("<b>note:</b>text", "note:text"),
        ("<b>a</b><i>b</i>", "ab"),
        ("f<i>(x)</i>y", "f(x)y"),
        ("<b> a </b>b", " a b"),
        ("<i></i>a<b> </b>b", "a b"),
    ],
)
def test_emphasis_never_shows_its_marks(raw: str, text: str) -> None:
    assert read(html_to_markdown(f"<p>{raw}</p>")).strip() == text.strip()


@pytest.mark.parametrize("tag", ["div", "blockquote", "b", "ul><li"])
def test_deep_nesting_becomes_text(tag: str) -> None:
    assert "deep" in html_to_markdown(f"<{tag}>" * 3_000 + "deep")


@pytest.mark.parametrize("unit", ["<", "<!--", "<a b=c ", "<p>a", "<ol><li>a", "&lt;", "<td>", "$", "\\("])
def test_hostile_html_costs_little(unit: str) -> None:
    html_to_markdown(unit)  # what is made once and kept is no work for the text
    once, twice = (calls(partial(html_to_markdown, unit * (length // len(unit)))) for length in (8_000, 16_000))
    assert twice < 2.2 * once


TAGS = ["p", "b", "em", "code", "pre", "ul", "ol", "li", "blockquote", "table", "tr", "td", "sup", "h1", "div", "x"]
soup = st.lists(
    st.one_of(
        st.sampled_from(TAGS).map("<{}>".format),
        st.sampled_from(TAGS).map("</{}>".format),
        st.sampled_from(
            ["$", "$$", "\\", "\n", " ", "word", "&lt;", "<", "|", "*", "<br>", '<a href="u">', "</a>", "<!--"]
        ),
        st.text(st.characters(exclude_categories=[]), max_size=4),
    ),
    max_size=30,
).map("".join)


@given(soup)
def test_any_html_converts(raw: str) -> None:
    parse(html_to_markdown(raw), {})


words = st.lists(st.text(st.characters(categories=["L"]), min_size=1, max_size=6), min_size=1, max_size=12)


@given(words, st.lists(st.sampled_from(["p", "b", "em", "li", "blockquote", "div", "code", "h2", "s", "a href='u'"])))
def test_words_are_kept_in_order(texts: list[str], tags: list[str]) -> None:
    opened = zip(texts, [*tags, *[""] * len(texts)], strict=False)
    raw = " ".join(f"<{tag}>{text}</{tag.split()[0]}>" if tag else text for text, tag in opened)
    shown = read(html_to_markdown(raw))
    at = 0
    for text in texts:
        at = shown.find(text, at)
        assert at >= 0
        at += len(text)


def bodies() -> Iterator[str]:
    path = shared_file("data/se-dump-quantumcomputing-2018/Posts.xml")
    for _, row in ET.iterparse(path):
        if row.tag == "row":
            yield row.get("Body", "")


class Text(HTMLParser):
    """What the standard library takes for text."""

    def __init__(self, body: str) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.feed(body)
        self.close()

    def handle_data(self, data: str) -> None:
        self.parts.append(data)


def essence(text: str) -> str:
    """Text without white space, and without what delimits formulas or differs only in typesetting."""
    text = unicodedata.normalize("NFKC", re.sub(r"(?<!\\)%.*", "", text))
    return re.sub(r"[\s$^_()\[\]\\]", "", text)


@pytest.mark.shared
@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.long)])
def test_real_bodies_lose_no_text(every: int) -> None:
    """One post of `every` of a site: what HTML shows is what the Markdown shows."""
    count = 0
    for body in islice(bodies(), 0, None, every):
        assert essence(read(html_to_markdown(body))) == essence("".join(Text(body).parts))
        count += 1
    assert count > 1_900 / every
