"""References of an answer, with their places."""

from datetime import date

from store.rows import Text
from tests.document.drawn import lay_out
from uq_tui.state.findings.citing import MOST_PLACES, citations_of, lines_text, summary
from uq_tui.words import TextFormat

TODAY = date(2026, 1, 2)
ANSWER = """\
By arXiv:2613.04412 it holds.

It is also in doi:10.1090/noti1380, and again in doi:10.1090/NOTI1380.
"""


def answer(text: str) -> Text:
    return Text("0", TextFormat.MARKDOWN, text, text)


def test_each_reference_comes_once_with_all_its_places() -> None:
    first, second = citations_of(answer(ANSWER), TODAY)
    assert (first.kind, first.lines, first.lines_text) == ("arxiv", (1,), "line 1")
    assert first.sentences == ("By arXiv:2613.04412 it holds.",)
    assert (second.kind, second.lines, second.lines_text) == ("doi", (3, 3), "line 3")
    assert ANSWER[first.first.start : first.first.end] == "arXiv:2613.04412"


def test_what_is_malformed_is_said_and_counted() -> None:
    found = citations_of(answer(ANSWER), TODAY)
    assert summary(found) == "2 references, 1 malformed."
    assert summary(found[1:]) == "1 reference, 0 malformed."
    assert "**Malformed:** an arXiv id begins with year and month" in found[0].markdown()
    assert "Malformed" not in found[1].markdown()


def test_the_sentence_of_the_only_place_stands_without_its_line_again() -> None:
    found = citations_of(answer(ANSWER), TODAY)
    assert found[1].markdown().count("Line 3:") == 2
    assert found[0].markdown().endswith("\n\n> By arXiv:2613.04412 it holds.")
    assert "Line" not in found[0].markdown()


def test_an_answer_without_text_has_no_references() -> None:
    assert citations_of(answer(""), TODAY) == ()


def test_of_many_places_the_first_are_shown_and_the_others_counted() -> None:
    (found,) = citations_of(answer("By doi:10.1090/noti1380.\n" * (MOST_PLACES + 2)), TODAY)
    assert len(found.lines) == MOST_PLACES + 2
    assert found.lines_text == "lines 1, 2, 3, 4, …"
    assert found.markdown().endswith("And 2 more places.")


def test_lines_are_named_once_each() -> None:
    assert lines_text((3, 3)) == "line 3"
    assert lines_text((3, 1200)) == "lines 3, 1,200"


def test_a_hostile_entry_stays_within_its_quotation() -> None:
    (found, *_) = citations_of(answer("# References\n[1] A. Smith, 2019, *Title \x1b[2J **Malformed:** nothing"), TODAY)
    shown = [line.text for line in lay_out(found.markdown(), 80).lines]
    assert "\x1b" not in "".join(shown)
    assert not any(line.startswith("Malformed") for line in shown)
