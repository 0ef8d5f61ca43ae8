"""Pages in a real browser: formulas have a size, and nothing is run, loaded or complained about."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.document.page.browser import Browser, browser
from tests.document.page.test_page import ATTACKS
from uq_tui.document.page.page import write_page

FORMULAS = r"""
Inline $\frac{a}{b} \in \mathbb{R}^n$, $\sqrt[3]{x}$ and $\text{if } x < y$.

$$\begin{align} \int_0^1 f(x)\,dx &= \sum_{n=1}^\infty \frac{1}{n^2} \label{p} \\ &= \frac{\pi^2}{6} \tag{*} \end{align}$$

$$\left( \begin{array}{c|c} A & B \\ \hline 0 & D \end{array} \right) \begin{cases} 1 & x > 0 \\ 0 & \text{else} \end{cases}$$

$$\underbrace{a + \cdots + a}_{n} \xrightarrow{f} \overline{z} \quad \hat{x} \quad \boxed{E} \quad \binom{n}{k} \quad \prod_{p} \frac{1}{1-p^{-s}}$$
"""  # noqa: E501 - a formula is a line
BOXES = """[...document.querySelectorAll("math")].map(math => {
    const box = math.getBoundingClientRect();
    return [math.namespaceURI, box.width, box.height];
})"""


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("chromium")) as running:
        yield running


def show(chromium: Browser, folder: Path, source: str, title: str = "t") -> None:
    page = folder / "page.html"
    page.write_text(write_page(source, title), encoding="utf-8")
    chromium.open(page)
    assert chromium.requests == [page.as_uri()]
    assert chromium.problems == []


def test_formulas_are_drawn(chromium: Browser, tmp_path: Path) -> None:
    show(chromium, tmp_path, FORMULAS)

    boxes = chromium.value(BOXES)
    assert len(boxes) == 6
    assert all(kind == "http://www.w3.org/1998/Math/MathML" for kind, _, _ in boxes)
    assert all(width > 8 and height > 8 for _, width, height in boxes)
    heights = [height for _, _, height in boxes]
    assert min(heights[3:]) > 1.5 * heights[2]


def test_our_style_is_let_in(chromium: Browser, tmp_path: Path) -> None:
    show(chromium, tmp_path, "A paragraph.")

    assert chromium.value("getComputedStyle(document.querySelector('.n')).position") == "absolute"


def test_columns_of_an_align_meet_at_their_relations(chromium: Browser, tmp_path: Path) -> None:
    show(chromium, tmp_path, r"$$\begin{align} a + b + c &= d \\ e &= f \end{align}$$")

    left = chromium.value(
        "[...document.querySelectorAll('mo')].filter(mo => mo.textContent === '=')"
        ".map(mo => mo.getBoundingClientRect().left)"
    )
    assert left[0] == pytest.approx(left[1], abs=0.5)


def test_numbers_stand_in_the_margin(chromium: Browser, tmp_path: Path) -> None:
    show(chromium, tmp_path, "- A paragraph.\n\n$$x$$")

    edges = chromium.value("[...document.querySelectorAll('.n')].map(n => n.getBoundingClientRect().right)")
    assert len(edges) == 2
    assert max(edges) <= chromium.value("document.querySelector('ul').getBoundingClientRect().left")


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_is_run_loaded_or_complained_about(chromium: Browser, tmp_path: Path, attack: str) -> None:
    show(chromium, tmp_path, f"{attack}\n\n> {attack}", attack)

    assert chromium.value("document.scripts.length + document.images.length + frames.length") == 0
    assert chromium.value("location.href").endswith("/page.html")
    assert chromium.value(
        "[...document.querySelectorAll('a')]"
        ".every(a => /^(https?:\\/\\/|file:.*#)/.test(a.href) && a.attributes.length <= 3)"
    )


def test_the_policy_stops_what_would_get_in_all_the_same(chromium: Browser, tmp_path: Path) -> None:
    """The page without its own escaping: the second line of defence, by itself."""
    page = tmp_path / "page.html"
    broken = '<script>document.title = "run"</script><img src="http://x.example/y.png"><p style="color:red" id="p">'
    page.write_text(write_page("here", "t").replace("here", broken), encoding="utf-8")
    chromium.open(page)

    assert chromium.value("document.title") == "t"
    assert chromium.value("getComputedStyle(document.getElementById('p')).color") != "rgb(255, 0, 0)"
    assert chromium.problems
