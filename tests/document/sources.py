"""Texts to try the reading view on: CommonMark's examples where they are at hand, and strategies for hostile ones."""

import re
from collections.abc import Iterator

from hypothesis import strategies as st

from tests.shared import shared_file

_EXAMPLE = re.compile(r"^`{32} example[^\n]*\n(.*?)^\.\n", re.DOTALL | re.MULTILINE)

FRAGMENTS = [
    "$", "$$", "\\[", "\\]", "\\(", "\\)", "\\begin{align}", "\\end{align}", "x_1", "y^2", "\\frac{1}{2}", "{", "}",
    "\n", "\n", "\n\n", "\r\n", "\r", "    ", "\t", " ", "- ", "> ", "1. ", "# ", "```", "~~~", "===", "---\n", "***",
    "|", "a | b\n", "--|--\n", "[a]", "[a]: /x\n", "[b]: ", "[b]", "(u)", "![", "](", "*", "**", "_", "`", "~~",
    "<b>", "&lt;", "&#27;", "&#x202e;", "<http://a.b>", "\\", "word ", "5", "日本", "👨‍👩‍👧", "e" + "\u0301" * 12,
    "\x1b", "\x00", "\u202e", "\ud83d", "\x9b",
]  # fmt: skip

hostile_text = st.lists(
    st.sampled_from(FRAGMENTS) | st.text(st.characters(exclude_categories=[]), max_size=4), max_size=40
).map("".join)


def commonmark_examples() -> Iterator[str]:
    """The sources of CommonMark's own examples and of the regression tests of its reference implementation."""
    for name in ("commonmark-spec.txt", "cmark-regression.txt"):
        path = shared_file(f"data/markdown-latex-torture/{name}")
        for found in _EXAMPLE.finditer(path.read_bytes().decode()):
            yield found[1].replace("→", "\t")
