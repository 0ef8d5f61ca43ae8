"""A text cut into segments as it arrives."""

from collections.abc import Callable

import pytest

from tests.document.work import calls
from uq_tui.document.markup.context import Context
from uq_tui.document.markup.parse import References, parse_blocks
from uq_tui.document.markup.scan import FULL, LONG_CODE, PATIENCE, Change, Scan, Segment
from uq_tui.document.markup.units import Heading, UnitKind

PROSE = "word " * 60 + "\n\n"


def scanned(source: str) -> tuple[Segment, ...]:
    return Scan().feed(source).segments


def texts(source: str) -> list[str]:
    """The segments' texts, without the blanks around."""
    return [source[segment.start : segment.end].strip() for segment in scanned(source)]


def units(source: str) -> list[tuple[str, UnitKind]]:
    """The text and the kind of every unit."""
    return [
        (source[segment.start + unit.start : segment.start + unit.end], unit.kind)
        for segment in scanned(source)
        for unit in segment.units
    ]


# Segments


def test_small_blocks_share_a_segment_and_a_heading_begins_one() -> None:
    assert texts("a\n\n- b\n\n# C\nd\n\nE\n=\n> # f\n") == ["a\n\n- b", "# C\nd", "E\n=\n> # f"]


def test_a_segment_is_full_some_time() -> None:
    segments = scanned(PROSE * 20)
    assert len(segments) == 5
    assert all(segment.end - segment.start <= FULL for segment in segments)


def test_long_blocks_code_and_spoilers_are_alone() -> None:
    long, code = "long " * FULL, "```\n" + "x\n" * (LONG_CODE + 1) + "```"
    source = f"a\n\n{long}\n\nb\n\n{code}\n\nc\n\n>! d\n\ne\n\n```\nx\n```\n\n> f"
    assert texts(source) == ["a", long.strip(), "b", code, "c", ">! d", "e\n\n```\nx\n```\n\n> f"]
    assert [segment.kind for segment in scanned(source)] == ["", "", "", "code", "", "spoiler", ""]


def test_segments_know_their_lines_and_number_their_units() -> None:
    source = "\n\na\n\nb\n# C\nd\n\n# E\n# F\ng"
    assert [(segment.line, segment.number) for segment in scanned(source)] == [(0, 1), (5, 3), (8, 4), (9, 4)]


def test_what_shows_nothing_is_in_a_segment_all_the_same() -> None:
    assert scanned("") == ()
    assert scanned("\n \n") == (Segment(0, 3, 0),)
    assert scanned("[a]: /b\n") == (Segment(0, 8, 0),)
    assert texts("[a]: /b\n\n# C\n\n[d]: /e\n") == ["[a]: /b\n\n# C\n\n[d]: /e"]


def test_a_formula_and_what_goes_on_behind_it_are_not_parted() -> None:
    source = f"$$\na\n$$ {'b ' * FULL}\n\nc"
    assert [segment.start for segment in scanned(source)] == [0, source.index("\n\nc") + 2]


def test_headings() -> None:
    source = "x\n\n# A `b` $c^2$ [d](/e) ![f *g*](/h) &amp;\\*\n\n> Under\n> lined\n> ---\n"
    first, second = scanned(source)
    assert first.headings == ()
    assert second.headings == (Heading(1, "A b c² d f g &*", 2), Heading(2, "Under lined", source.index("Under") - 3))


# Units


def test_paragraphs_are_units_in_lists_and_quotes_too() -> None:
    prose = UnitKind.PARAGRAPH
    assert units("# A\n\nb\nc\n\n- d\n\n  e\n- f\n\n> g\n> h\n\n---\n\n[^i]: j\n") == [
        ("b\nc", prose), ("d", prose), ("e", prose), ("f", prose), ("g\n> h", prose), ("j", prose),
    ]  # fmt: skip


def test_code_and_tables_are_units() -> None:
    assert units("- ```\n  a\n  ```\n\n        b\n\n|c|\n|-|\n|d $$e$$|\n") == [
        ("```\n  a\n  ```", UnitKind.CODE), ("b", UnitKind.CODE), ("|c|\n|-|\n|d $$e$$|", UnitKind.TABLE),
    ]  # fmt: skip


def test_a_displayed_formula_parts_a_paragraph() -> None:
    prose, display = UnitKind.PARAGRAPH, UnitKind.DISPLAY
    assert units("so *a* $$b$$, *so*\n\\[c^2\\] and $d$\n$$e$$.") == [
        ("so *a*", prose), ("$$b$$,", display), ("*so*", prose), ("\\[c^2\\]", display), ("and $d$", prose),
        ("$$e$$.", display),
    ]  # fmt: skip
    assert units("$$\na\n$$ .\nb") == [("$$\na\n$$ .", display), ("b", prose)]
    assert units("> $$a$$ $$b$$\n> ) c") == [("$$a$$", display), ("$$b$$", display), (") c", prose)]


def test_what_only_looks_like_a_displayed_formula_parts_nothing() -> None:
    assert units("a `$$b$$` \\[1\\] $$ c") == [("a `$$b$$` \\[1\\] $$ c", UnitKind.PARAGRAPH)]


# As it arrives


def test_settled_segments_are_not_given_again() -> None:
    scan = Scan()
    change = scan.feed("# one\n\ntwo\n\n# three\n\nfour\n\nfive")
    assert (change.first, len(change.segments)) == (0, 2)
    assert scan.unsettled == len("# three\n\nfour\n\nfive")
    change = scan.feed(" and\n\n# six\n\nseven\n\neight\n")
    assert (change.first, [segment.line for segment in change.segments]) == (1, [4, 10])
    assert [segment.number for segment in change.segments] == [2, 4]


def test_a_segment_may_still_change_while_the_block_behind_it_may() -> None:
    scan = Scan()
    scan.feed("a\n\nb\n\n# c")
    change = scan.feed("d\n")
    assert (change.first, len(change.segments)) == (0, 2)
    assert scan.feed("===\n\ne\n").first == 0


def test_a_long_tail_waits_and_is_read_when_asked_for() -> None:
    scan = Scan()
    scan.feed("- word\n" * PATIENCE)
    change = scan.feed("\n# A\n")
    (longer,) = change.segments
    assert (change.first, longer.end, longer.headings) == (0, 7 * PATIENCE + 5, ())
    assert scan.behind == 5
    change = scan.feed("")
    assert [segment.headings for segment in change.segments] == [(), (Heading(1, "A", 2),)]
    assert scan.behind == 0


# What segments share


def test_the_context_stays_the_same_until_something_is_defined() -> None:
    scan = Scan()
    contexts = [scan.feed(text).context for text in ("a[^b]\n\n", "c $\\alpha$\n\n", "[d]: /e\n", "\nf\n\n", "g\n")]
    assert contexts[0] is contexts[1]
    assert contexts[1] is not contexts[2]
    assert contexts[2].references["D"] == {"href": "/e", "title": ""}
    assert contexts[2] is contexts[3] is contexts[4]


def test_the_first_definition_of_a_link_counts() -> None:
    scan = Scan()
    scan.feed("[a]: /b\n\n" + PROSE * 10)
    context = scan.feed("[A]: /c\n\n" + PROSE * 10).context
    assert context.references["A"]["href"] == "/b"


def test_footnotes_are_numbered_by_use() -> None:
    source = "x[^c] `[^e]` $[^e]$ [^undefined]\n\n" + PROSE * 10 + "[^a]: y\n\n[^b]: z[^a]\n\n[^c]: w\n\n[^e]: v\n"
    assert Scan().feed(source).context.footnotes == {"c": 1, "a": 2, "b": 3, "e": 4}


def test_labels_and_macros_reach_other_segments() -> None:
    scan = Scan()
    for piece in ("$$a \\label{b}$$\n\n", PROSE * 10, "$\\def\\R{r}$\n\n", "$$c \\label{d}$$\n\n", "e"):
        context = scan.feed(piece).context
    assert context.definitions.tags == {"b": "1", "d": "2"}
    assert scan.feed(" f").context is context


# Work

HOSTILE = {
    "openers": "\\[\n\n", "openers in a row": "\\[\n", "openers that fail": "\\[a\n", "items": "- item\n",
    "loose items": "- a\n\n", "nested items": "- - - a\n", "a paragraph": "word word\n", "one line": "word ",
    "one word": "x", "a quote": "> a\n", "lazy lines": "> > > a\nb\nb\nb\n", "dollars": "$$\n\na\n",
    "environments": "\\begin{align}\n\\begin{cases}\n", "definitions": "[a]: /b\n", "brackets": "[\n",
    "footnotes": "[^a]: [^a]\n", "rows": "|a|b|\n|-|-|\n", "headings": "# a\n", "blank lines": "\n",
    "spoilers": ">! a\n", "indented": "    a\n\n", "underlined": "a\n=\n", "prices": "$ a $5\n\n",
}  # fmt: skip
"""What a text is made of from beginning to end."""
BEGINNINGS = (
    "", "```\n", "$$\n", "|a|\n|-|\n", "> > > > a\n", "- - - - a\n", "[^a]:\n\n", "[a\n", "[a]: /b 'c\n",
    "[a]: /b\n(c\n",
)  # fmt: skip


def whole(source: str) -> Callable[[], object]:
    return lambda: Scan().feed(source)


def in_pieces(source: str, size: int) -> Callable[[], object]:
    def feed() -> None:
        scan = Scan()
        for at in range(0, len(source), size):
            scan.feed(source[at : at + size])
        scan.feed("")

    return feed


def grown(part: str, length: int, beginning: str = "") -> str:
    return beginning + part * (length // len(part))


@pytest.mark.parametrize("name", HOSTILE)
def test_the_work_grows_as_the_text_does(name: str) -> None:
    once, twice = (calls(whole(grown(HOSTILE[name], length))) for length in (4_000, 8_000))
    assert twice < 2.3 * once + 500


@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_the_work_grows_as_an_open_block_does(beginning: str) -> None:
    once, twice = (calls(whole(grown("a\nb\n\n  c\n", length, beginning))) for length in (4_000, 8_000))
    assert twice < 2.3 * once + 500


def read_characters(monkeypatch: pytest.MonkeyPatch, feed: Callable[[], object]) -> int:
    """How many characters are read, each as often as it is."""
    count = 0

    def counted(text: str, references: References) -> object:
        nonlocal count
        count += len(text)
        return parse_blocks(text, references)

    with monkeypatch.context() as patch:
        patch.setattr("uq_tui.document.markup.scan.parse_blocks", counted)
        feed()
    return count


@pytest.mark.parametrize(
    "name", ["a paragraph", "items", "one line", "headings", "blank lines", "openers", "definitions"]
)
def test_pieces_are_read_again_a_bounded_number_of_times(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr("uq_tui.document.markup.scan.PATIENCE", 200)
    for length in (1_500, 3_000):
        source = grown(HOSTILE[name], length)
        first = 200 * 200 // 2 // 50
        assert read_characters(monkeypatch, in_pieces(source, 50)) < first + 20 * length


def test_a_heading_settles_what_is_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    source = grown("# a\nb\nc\n", 60_000)
    assert read_characters(monkeypatch, in_pieces(source, 4_000)) < 1.1 * len(source)


@pytest.mark.parametrize(("opener", "closer"), [("$$", "$$"), ("\\[", "\\]"), ("\\begin{align}", "\\end{align}")])
def test_a_heading_settles_nothing_where_a_formula_may_be_open(opener: str, closer: str) -> None:
    source = f"# a\n{opener}\n# b\n# c\n{closer}\n# d\n"
    scan, segments = Scan(), list[Segment]()
    for piece in source.splitlines(keepends=True):
        change = scan.feed(piece)
        segments[change.first :] = change.segments
    assert tuple(segments) == scanned(source)
    assert [heading.text for segment in segments for heading in segment.headings] == ["a", "d"]


def test_a_text_at_once_is_read_three_times_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    for source in (PROSE * 300, grown("- item\n", 70_000), "x" * 300_000, "```\n" + "code\n" * 20_000):
        assert read_characters(monkeypatch, whole(source)) <= 3 * len(source)


def test_deep_quotes_and_lists_are_cut_without_trouble() -> None:
    deep = ">" * 3_000 + " deep\n"
    nested = "".join("  " * level + f"- item{level}\n" for level in range(300))
    for source in (deep, deep * 20, nested, nested * 3, "[^a]: " * 3_000):
        change: Change = Scan().feed(source + "\n\nafter")
        assert change.segments[-1].end == len(source) + 7
        assert isinstance(change.context, Context)


def test_units_count_from_where_it_is_said() -> None:
    ours, stored = f"# Title\n\nFacts.\n\n{PROSE}", f"First.\n\n$$x$$\n\n{PROSE}Last."
    segments = Scan(counted_from=len(ours)).feed(ours + stored).segments
    counted = [segment for segment in segments if segment.units]
    assert [segment.number for segment in counted][:1] == [1]
    first = counted[0]
    assert (ours + stored)[first.start + first.units[0].start :].startswith("First.")
    assert sum(len(segment.units) for segment in segments) == len(units(stored))
