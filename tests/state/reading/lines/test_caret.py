"""The caret that selects with the keyboard: by words and lines, over everything a text can hold."""

import pytest

from tests.state.reading.lines.test_view import CODE, LONG, SECTIONS, view_of
from uq_tui.document.markup.scan import Scan
from uq_tui.state.reading.lines.caret import Caret, caret_from, column_of
from uq_tui.state.reading.lines.view import View

TEXT = (
    "One two three four five six\nseven **bo**ld eight.\n\nSo $x + 1$ holds, and\n\n$$\\frac{a}{b} = c$$\n\nends here."
)
TABLE = f"| a | b |\n|---|---|\n| {'alpha ' * 6}| {'beta ' * 6}|\n"


def begun(view: View, words: str = "") -> Caret:
    caret = caret_from(view, view.source.index(words))
    assert caret is not None
    return caret


def said(view: View, caret: Caret) -> str:
    return view.source[slice(*caret.range)]


def test_a_text_without_words_has_no_caret() -> None:
    assert caret_from(view_of(""), 0) is None
    assert caret_from(view_of("---"), 0) is None


def test_words_follow_each_other_as_in_the_source() -> None:
    view = view_of(TEXT, 30)
    found: list[tuple[str, tuple[int, int]]] = []
    caret = begun(view)
    while not found or caret.range != found[-1][1]:
        found.append((said(view, caret), caret.range))
        caret = caret.by_words(view, 1)
    assert [words for words, _ in found] == [
        *("One two three four five six seven **bo**ld eight. So".replace("**bo**", "bo**").split()),
        "$x + 1$",
        "holds,",
        "and",
        "$$\\frac{a}{b} = c$$",
        "ends",
        "here.",
    ]
    for words, place in reversed(found):
        assert caret.range == place, words
        caret = caret.by_words(view, -1)
    assert caret == begun(view)


def test_several_words_at_once_stop_at_the_end() -> None:
    view = view_of("One two three.")
    assert said(view, begun(view).by_words(view, 2)) == "three."
    assert said(view, begun(view).by_words(view, 20)) == "three."


def test_lines_are_gone_over_at_the_cell_the_caret_keeps_to() -> None:
    view = view_of("one two three\n\nx\n\nfour five six", 30)
    caret = begun(view, "three")
    down = caret.by_lines(view, 1)
    assert said(view, down) == "x"
    assert said(view, down.by_lines(view, 1)) == "six"
    assert said(view, down.by_lines(view, 2)) == "six"
    assert said(view, down.by_lines(view, 1).by_lines(view, -2)) == "three"
    assert caret.by_lines(view, -1) == caret


def test_a_formula_of_several_lines_is_gone_over_as_one() -> None:
    view = view_of("Above.\n\n$$\\frac{a}{b}$$\n\nBelow.")
    caret = begun(view)
    formula = caret.by_lines(view, 1)
    assert said(view, formula) == "$$\\frac{a}{b}$$"
    assert said(view, formula.by_lines(view, 1)) == "Below."
    assert said(view, formula.by_lines(view, 1).by_lines(view, -1)) == "$$\\frac{a}{b}$$"
    assert said(view, formula.by_lines(view, -1)) == "Above."


def test_home_and_end_are_of_the_line() -> None:
    view = view_of("one two three four", 13)
    caret = begun(view, "two")
    assert said(view, caret.to_edge(view, 1)) == "three"
    assert said(view, caret.to_edge(view, -1)) == "one"


def test_a_selection_covers_both_ends_and_either_may_move() -> None:
    view = view_of("one two three four")
    caret = begun(view, "two").anchored().by_words(view, 1)
    assert said(view, caret) == "two three"
    assert said(view, caret.swapped().by_words(view, -1)) == "one two three"
    assert said(view, caret.by_words(view, -2)) == "one two"
    assert begun(view).swapped() == begun(view)


def test_on_to_the_end_of_the_sentence() -> None:
    view = view_of("One is odd. Two (it is said) is *even.* Three\n\nis a heading", 20)
    caret = begun(view).anchored().to_sentence_end(view)
    assert said(view, caret) == "One is odd."
    assert said(view, caret.to_sentence_end(view)).endswith("is *even.")
    assert said(view, caret.to_sentence_end(view).to_sentence_end(view)).endswith("Three")
    assert said(view, begun(view, "heading").to_sentence_end(view)) == "heading"


def test_cells_of_a_table_are_read_one_after_the_other() -> None:
    view = view_of(TABLE, 30)
    caret = begun(view, "alpha")
    words = [said(view, caret.by_words(view, by)) for by in range(12)]
    assert words == ["alpha"] * 6 + ["beta"] * 6
    last = caret.by_words(view, 11)
    assert [said(view, last.by_words(view, -by)) for by in range(12)] == ["beta"] * 6 + ["alpha"] * 6


def test_code_is_selected_as_it_stands_between_its_fences() -> None:
    view = view_of("See\n\n```\nif a:\n    b = c\n```\n\nthere.")
    caret = begun(view, "if").anchored()
    assert said(view, caret.by_lines(view, 1).to_edge(view, 1)) == "if a:\n    b = c"
    assert said(view, caret.swapped().by_words(view, 6)) == "if a:\n    b = c\n```\n\nthere."


def test_the_line_of_a_fold_stands_for_what_is_folded() -> None:
    view = view_of(CODE)
    view.fold(CODE.index("line 3"))
    fold = begun(view).by_words(view, 1)
    assert said(view, fold).startswith("```\nline 0")
    assert said(view, fold.by_words(view, 1)) == "After."
    assert said(view, fold.by_words(view, 1).by_words(view, -1)) == said(view, fold)


def test_a_folded_section_is_gone_over() -> None:
    view = view_of(SECTIONS)
    view.fold(SECTIONS.index("## One"))
    caret = begun(view, "One").by_words(view, 1)
    assert said(view, caret).startswith("About One.")
    assert said(view, caret.by_words(view, 1)) == "Two"


def test_the_caret_stays_on_its_words_in_another_width_and_as_source() -> None:
    view = view_of(TEXT, 60)
    caret = begun(view, "seven")
    view.resize(12)
    assert said(view, caret.by_words(view, 1)) == "bo**ld"
    view.resize(60)
    view.show_source(True)
    assert said(view, caret.by_words(view, 1)) == "**bo**ld"
    assert said(view, begun(view, "$$").by_words(view, 1)) == "="


@pytest.mark.parametrize("size", [1, 7, 64])
def test_the_caret_stays_while_a_text_streams_in(size: int) -> None:
    scan, view = Scan(), View()
    view.resize(40)
    at = len("One two three four")
    caret: Caret | None = None
    for end in range(size, len(TEXT) + size, size):
        view.feed(TEXT[:end], scan.feed(TEXT[end - size : end]))
        if caret is None and end > at:
            caret = begun(view, "two").anchored()
        if caret is not None:
            assert said(view, caret) == "two"
    assert caret is not None
    assert said(view, caret.by_words(view, 1)) == "two three"
    assert said(view, caret.by_words(view, 99)).endswith("ends here.")


def test_a_long_text_is_crossed_in_both_directions() -> None:
    view = view_of(LONG)
    caret = begun(view, "Paragraph 200 says")
    assert said(view, caret.by_lines(view, 30).by_lines(view, -30)) == "Paragraph"
    up = caret.by_words(view, -2)
    assert said(view, up.by_words(view, 2)) == "Paragraph"
    assert up.range < caret.range


@pytest.mark.parametrize("words", ["a\u00a0b", "e\u0301\u0302 f", "👩‍👩‍👧 x", "שלום $a$", "日本 語", "a\x1b[31mb c"])
def test_every_sign_of_hostile_words_is_in_one_of_them(words: str) -> None:
    view = view_of(words)
    caret = begun(view)
    assert said(view, caret.anchored().by_words(view, 99)) == words
    assert column_of(view, caret) == (0, 0)
