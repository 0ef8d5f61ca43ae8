"""Foreign text in Markdown of ours: it stays in its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.document.drawn import lay_out
from tests.document.sources import hostile_text
from uq_tui.state.quoting import fences, inline_code, one_line, quoted

OURS = "END OF QUOTE"


@pytest.mark.parametrize("text", ["2024", "`", "a``b`", "$x$ and *y*", "a\n\n# b", "\\`", "<b>", "&amp;"])
def test_inline_code_is_shown_as_it_is_and_ends_where_it_is_ended(text: str) -> None:
    assert [line.text for line in lay_out(f"said {inline_code(text)}, *so*", 60).lines] == [
        f"said {one_line(text)}, so"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "a\n\n# Not ours",
        "```\nnever closed",
        "$$\nx = 1",
        "\\begin{align}\nx",
        "a\r\n\r\nb",
        "- a\n\nb",
        "<!--",
        "a\rb\r\rc",
    ],
)
def test_nothing_ends_its_quotation(text: str) -> None:
    lines = lay_out(f"{quoted(text)}\n\n{OURS}", 60).lines
    assert lines[-1].text == OURS
    assert all(line.text.startswith("▌") for line in lines[:-2])


@given(hostile_text)
def test_what_follows_a_quotation_stands_on_its_own(text: str) -> None:
    assert lay_out(f"{quoted(text)}\n\n{OURS}", 60).lines[-1].text == OURS


@given(st.text(st.characters(exclude_categories=[])))
def test_one_line_has_no_line_breaks(text: str) -> None:
    assert len(one_line(text).splitlines()) <= 1


@given(hostile_text)
def test_nothing_ends_its_block(text: str) -> None:
    opened, closed = fences(text)
    lines = lay_out(f"{opened}{text}{closed}\n\n{OURS}", 60).lines
    assert lines[-1].text == OURS
