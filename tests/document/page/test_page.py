"""A text as a page: what it shows, and that nothing in it can do anything."""

import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given

from tests.document.sources import commonmark_examples, hostile_text
from uq_tui.document.page.page import write_page

ELEMENTS = """
html head meta title style body header nav main footer details summary ul ol li a h1 h2 h3 h4 h5 h6 p div span pre code
blockquote aside table thead tbody tr th td em strong s sup br hr math mrow mi mn mo mtext mspace mfrac msqrt mroot msub
msup msubsup munder mover munderover mtable mtr mtd mstyle mpadded mphantom menclose
"""
VOID = {"meta", "br", "hr"}
ATTRIBUTES = """
lang translate http-equiv content charset name class id href rel start xmlns display mathvariant notation form
columnalign scriptlevel stretchy fence separator largeop movablelimits accent accentunder displaystyle width height
depth
lspace rspace voffset minsize maxsize linethickness
"""

ATTACKS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)><svg/onload=alert(1)>",
    "[a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](data:text/html,x) [d](vbscript:x) [e](file:///etc/passwd)",
    "<javascript:alert(1)> ![x](javascript:alert(1)) [a]: javascript:alert(1)\n\n[a]",
    '[a](https://x.example/"onmouseover=alert(1)) [b](<https://x.example/" onmouseover="alert(1)>)',
    '[a](https://x.example "\\" onmouseover=\\"alert(1)") ![a" onerror="alert(1)](https://x.example/y)',
    "</style><style>*{background:url(http://x.example)}</style>",
    '</title></head><base href="http://x.example"><meta http-equiv=refresh content="0;url=http://x.example">',
    '```js" onclick="alert(1)\n</code></pre><script>alert(1)</script>\n```',
    "| <script> | a |\n|--|:-:|\n| </table><img src=x onerror=alert(1)> | style=x |",
    r"$\text{</math><script>alert(1)</script>}$ $\href{javascript:alert(1)}{x}$ $\style{background:url(//x)}{y}$",
    r"$$\class{a\" onclick=alert(1)}{x} \unicode{x3c}script\unicode{x3e} \nosuch{</code><script>}$$",
    "$</span></p><iframe src=//x.example></iframe>$ \\(<b onclick=x>\\)",
    "[^a]\n\n[^a]: <script>alert(1)</script>\n\n[^<img src=x>]: x",
    ">! <details open ontoggle=alert(1)>",
    "- [x] <input autofocus onfocus=alert(1)>",
    "a\x00b\x1b[2J\u202ec\u2066d\ud800\ufffe\uffff\x85",
    '<!-- <![CDATA[ <?xml <!DOCTYPE x [<!ENTITY a "b">]> &a; &lt;script&gt; &#x3c;script>',
    "**[`$\\frac{[![> - 1. ```",
    '<a href="https://x.example">x</a> https://x.example/<script>',
]


class Seen(HTMLParser):
    """What a browser would make of a page, as far as Python's own parser tells."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self._open: list[str] = []
        self.feed(page)
        self.close()
        assert not self._open, "elements are left open"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] not in ("style", "title"):
            self.words.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    def handle_pi(self, data: str) -> None:
        raise AssertionError(f"an instruction: {data}")

    @property
    def text(self) -> str:
        return "".join(self.words)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def seen(source: str, title: str = "c2 answer") -> Seen:
    return Seen(write_page(source, title))


def body(source: str) -> str:
    """The HTML between the page's own parts."""
    return write_page(source, "").partition('translate="no">\n')[2].partition("</main>")[0]


def assert_harmless(page: Seen) -> None:
    for tag, attributes in page.elements:
        assert tag in ELEMENTS.split(), tag
        assert set(attributes) <= set(ATTRIBUTES.split()), attributes
        address = attributes.get("href")
        assert address is None or re.match(r"https?://|#[ufh]\d+$", address), address
        assert tag != "a" or address is None or address[0] == "#" or attributes["rel"] == "noreferrer noopener"
    assert len(page.all("style")) == 1


@pytest.mark.parametrize("attack", ATTACKS)
def test_whatever_the_text_says_only_our_markup_is_in_the_page(attack: str) -> None:
    assert_harmless(seen(attack))
    assert_harmless(seen(f"# {attack}\n\n> - {attack}\n\n{attack}", title=attack))


@given(hostile_text)
def test_no_text_leaves_its_place(source: str) -> None:
    assert_harmless(seen(source))


@pytest.mark.shared
def test_no_example_of_markdown_leaves_its_place() -> None:
    for source in commonmark_examples():
        assert_harmless(seen(source))


def test_the_policy_comes_first_and_lets_in_nothing_but_our_style() -> None:
    page = write_page("a", "b")
    style = page.partition("<style>")[2].partition("</style>")[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()

    assert re.match(r'<!DOCTYPE html>\s*<html lang="en"><head><meta http-equiv="Content-Security-Policy"', page)
    assert (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src 'none'; form-action 'none'; base-uri 'none'" in page
    )
    assert '<meta name="referrer" content="no-referrer">' in page
    assert page.index('charset="utf-8"') < 1024
    assert "url(" not in style
    assert "@import" not in style


def test_controls_are_marks() -> None:
    page = write_page("a\x00b\x1bc\u202ed\ud800e\ufffef", "t\x07")

    assert re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]", page) is None
    assert "a␀b␛c‹U+202E›d‹U+D800›e‹U+FFFE›f" in page


def test_units_have_their_numbers() -> None:
    source = (
        "# No unit\n\nFirst $x$.\n\nSecond\n$$y$$\nfourth.\n\n```\nfifth\n```\n\n|a|\n|-|\n|b|\n\n- seventh\n- eighth"
    )
    page = body(source)

    assert re.findall(r'id="u(\d+)"', page) == [str(number) for number in range(1, 9)]
    assert re.search(r'id="u4" href="#u4">4</a>fourth', page)
    assert re.search(r'id="u3"[^>]*>3</a><math', page)


def test_only_the_first_unit_of_a_later_segment_goes_on_counting() -> None:
    paragraphs = "\n\n".join(f"Paragraph {number}. " + "word " * 100 for number in range(1, 31))

    assert re.findall(r'id="u(\d+)" href="#u\d+">\d+</a>Paragraph (\d+)\.', body(paragraphs)) == [
        (str(number), str(number)) for number in range(1, 31)
    ]


def test_links_show_where_they_lead_and_images_are_not_loaded() -> None:
    page = body("[here](https://a.example/b) <https://c.example> [mail](mailto:x@y) ![a map](https://d.example/e.png)")

    assert '<a href="https://a.example/b" rel="noreferrer noopener">here</a>' in page
    assert "(https://a.example/b)" in page
    assert page.count("https://c.example") == 2
    assert '<span class="link">mail</span> <span class="address">(mailto:x@y)</span>' in page
    assert "[image: a map]" in page
    assert "(https://d.example/e.png)" in page
    assert "<img" not in page


def test_formulas_are_drawn_with_the_macros_of_the_text_and_others_stay_source() -> None:
    page = body("$\\newcommand{\\R}{\\mathbb{R}}$ Over $\\R$ we have $\\nosuch{x}$.")

    assert "<mi>ℝ</mi>" in page
    assert '<code class="tex">\\nosuch{x}</code>' in page


def test_references_to_equations_have_their_numbers() -> None:
    page = seen("$$a = b \\label{p}$$\n\nBy \\eqref{p} and \\ref{p}, not \\eqref{q}.")

    assert "By (1) and 1, not \\eqref{q}." in page.text


def test_a_list_of_headings_leads_to_them() -> None:
    page = write_page("# One\n\n## Two $x^2$\n\n# Three <b>", "t")

    assert '<li class="l2"><a href="#h2">Two x²</a></li>' in page
    assert '<h2 id="h2">' in page
    assert "<nav>" not in write_page("# One\n\n# Two", "t")


def test_spoilers_tasks_tables_and_notes() -> None:
    page = body(">! secret\n\n- [x] done\n- [ ] open\n\n3. three\n\n|a|\n|-:|\n|b|\n\nText[^n].\n\n[^n]: Note.")

    assert "<details><summary>Spoiler</summary><blockquote><p>" in page
    assert re.search(r"☑ .*done", page)
    assert re.search(r"☐ .*open", page)
    assert '<ol start="3">' in page
    assert '<td class="right">b</td>' in page
    assert '<sup><a href="#f1">1</a></sup>' in page
    assert 'id="f1"' in page


@pytest.mark.parametrize(
    "source", ["> " * 3000 + "a", "- " * 3000 + "a", "**a " * 20_000, "$" * 100_000, "[" * 100_000]
)
def test_no_nesting_is_too_deep_for_a_browser(source: str) -> None:
    depth = most = 0
    for closing, void in re.findall(r"<(/?)(?:(meta|br|hr)|[a-z]\w*)", write_page(source, "")):
        depth += 0 if void else -1 if closing else 1
        most = max(most, depth)
    assert most < 400


def test_a_megabyte_is_whole() -> None:
    paragraph = "Each $\\alpha_n$ in **bold** [x](https://a.example) " + "and words " * 20
    source = "\n\n".join(f"{paragraph} no. {number}" for number in range(4_000))

    page = write_page(source, "t")

    assert len(source) > 1_000_000
    assert page.count("<p>") == 4_000
    assert 'id="u4000"' in page
