"""Segments read one by one are the text read whole: on CommonMark's examples, on mixtures of them, on hostile texts."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.document.sources import commonmark_examples, hostile_text
from uq_tui.document.markup.context import Context
from uq_tui.document.markup.parse import parse
from uq_tui.document.markup.scan import FULL, Scan, Segment

ROUNDS, MANY = 60, 1_000
"""Mixtures of CommonMark's examples that are tried, and those of the long run."""


def fed(source: str, cuts: list[int]) -> tuple[list[Segment], Context]:
    """The segments of `source` as it comes in pieces, cut at the offsets `cuts`."""
    scan = Scan()
    segments: list[Segment] = []
    begin = 0
    for end in [*sorted({min(cut, len(source)) for cut in cuts}), len(source)]:
        change = scan.feed(source[begin:end])
        segments[change.first :] = change.segments
        assert "".join(source[segment.start : segment.end] for segment in segments) == source[:end]
        begin = end
    change = scan.feed("")
    segments[change.first :] = change.segments
    assert scan.behind == 0
    return segments, change.context


@pytest.fixture(scope="module", autouse=True, params=[1, FULL])
def sizes(request: pytest.FixtureRequest) -> Iterator[None]:
    """Every block a segment of its own and every tail a long one, too, since what is tried is short."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("uq_tui.document.markup.scan.FULL", request.param)
        patch.setattr("uq_tui.document.markup.scan.PATIENCE", 30)
        patch.setattr("uq_tui.document.markup.scan._AT_ONCE", 50)
        yield


def told(token: Token, at: int, line: int) -> dict[str, Any]:
    """All that a token says, with places and lines as of the whole text."""
    meta = {
        key: tuple(place + at for place in value) if isinstance(value, tuple | list) else value
        for key, value in token.meta.items()
        if key != "places"
    }
    children = [told(child, at, line) for child in token.children or []]
    lines = [number + line for number in token.map or []]
    fields = {name: getattr(token, name) for name in ("type", "nesting", "attrs", "level", "content", "hidden")}
    return {**fields, "markup": token.markup, "info": token.info, "meta": meta, "children": children, "lines": lines}


def check(source: str, cuts: list[int]) -> None:
    segments, context = fed(source, cuts)
    whole, _ = parse(source, context.references, context.footnotes)
    parts: list[dict[str, Any]] = []
    for segment in segments:
        tokens, _ = parse(source[segment.start : segment.end], context.references, context.footnotes)
        parts += (told(token, segment.start, segment.line) for token in tokens)
    assert parts == [told(token, 0, 0) for token in whole]
    if cuts:
        at_once, same = fed(source, [])
        assert segments == at_once
        assert context.references == same.references
        assert context.footnotes == same.footnotes
        assert context.definitions.tags == same.definitions.tags


@pytest.fixture(scope="module")
def examples() -> list[str]:
    return list(commonmark_examples())


OURS = re.compile(r"\$|\\[(\[]|\\begin|\[\^|>!|\[[ xX]\]|\r|\x00")
"""What CommonMark reads otherwise, or normalises."""


def rendered(tokens: list[Token], parser: MarkdownIt) -> str:
    for token in tokens:
        for child in token.children or []:
            child.type = "text" if child.type == "text_special" else child.type
    return str(parser.renderer.render(tokens, parser.options, {}))


@pytest.mark.shared
def test_markup_means_what_it_means_in_commonmark(examples: list[str]) -> None:
    stock = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    stock.disable(["html_block", "html_inline"])
    plain = [source for source in examples if not OURS.search(source)]
    assert len(plain) > 600
    for source in plain:
        assert rendered(parse(source, {})[0], stock) == stock.render(source)


@pytest.mark.shared
def test_commonmark_examples(examples: list[str]) -> None:
    for source in examples:
        check(source, [])
        check(source, list(range(0, len(source), 3)))


@pytest.mark.shared
@pytest.mark.parametrize("rounds", [ROUNDS, pytest.param(MANY, marks=pytest.mark.long)])
def test_mixtures_of_commonmark_examples(examples: list[str], rounds: int) -> None:
    between = st.sampled_from(["", "\n", "\n\n", "x\n", "\n> ", "\n    ", "$$\n", "# h\n", "- "])
    mixtures = st.lists(st.tuples(st.sampled_from(examples), between), min_size=2, max_size=12)

    @settings(max_examples=rounds)
    @given(mixtures, st.lists(st.integers(0, 600), max_size=6))
    def mixed(parts: list[tuple[str, str]], cuts: list[int]) -> None:
        check("".join(example + gap for example, gap in parts), cuts)

    mixed()


@given(st.lists(hostile_text, max_size=6).map("\n\n".join), st.lists(st.integers(0, 300), max_size=8))
def test_hostile_texts(source: str, cuts: list[int]) -> None:
    check(source.replace("\r\n", "\n"), cuts)


@given(hostile_text)
def test_token_by_token(source: str) -> None:
    check(source.replace("\r\n", "\n"), list(range(len(source))))
