"""Whatever the text: spans slice back, nothing is raised, overlaps are resolved, and the work grows with the length."""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import date
from types import FrameType
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.citations.reading import TODAY, references, written
from tests.shared import shared_file
from uq_tui.citations.extraction import extract
from uq_tui.citations.reference import Reference, ReferenceKind

PIECES = (
    "10.1000/abc",
    "doi:",
    "https://doi.org/",
    "arXiv:",
    "1901.00001",
    "math/0211159",
    "ISBN ",
    "0-387-90244-9",
    "MR0463157",
    "Zbl 0367.14001",
    "https://a.b/c",
    "Smith",
    " and ",
    ", ",
    " (2019)",
    "2019",
    " et al. ",
    "Theorem 2",
    " of ",
    "[12]",
    "[12, Lemma 4]",
    "[Smi19]",
    "\\cite{",
    "}",
    "# References\n",
    "\n",
    "\n\n",
    "$",
    "\\[",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    "&amp;",
    "\ud800",
    "\0",
    "\u2028",
    "é",
    " ",
    ".",
)
texts = st.lists(st.sampled_from(PIECES) | st.characters(), max_size=40).map("".join)


def checked(text: str) -> tuple[Reference, ...]:
    """What is found, after checking what holds of all that is found."""
    found = extract(text, TODAY)
    entries = [span for one in found if one.kind is ReferenceKind.ENTRY for span in one.spans]
    end = 0
    for span in sorted(span for one in found if one.kind is not ReferenceKind.ENTRY for span in one.spans):
        assert end <= span.start < span.end <= len(text)
        end = span.end
    for one in found:
        assert one.spans
        assert list(one.spans) == sorted(set(one.spans))
        assert one.text in written(text, one)
        assert one.text == one.text.strip()
    assert len({(one.kind, one.key) for one in found}) == len(found)
    assert all(0 <= span.start < span.end <= len(text) for span in entries)
    assert list(found) == sorted(found, key=lambda one: one.spans[0])
    return found


@given(texts)
def test_nothing_is_raised_and_every_span_slices_back(text: str) -> None:
    assert checked(text) == checked(text)


@given(texts, texts)
def test_an_identifier_is_found_whatever_stands_around_it(before: str, after: str) -> None:
    text = f"{before}\n\n See arXiv:1707.04999 there.\n\n{after}"

    assert "1707.04999" in [one.key for one in checked(text)]


def test_the_date_decides_what_is_in_the_future() -> None:
    (found,) = extract("arXiv:2612.00001", date(2026, 12, 1))

    assert found.malformed == ""


def test_html_is_read_as_it_stands() -> None:
    raw = (
        '<p>See <a href="https://arxiv.org/abs/1901.00001" rel="x">Smith &amp; Jones (2019)</a>, doi:10.1000/abcd.</p>'
    )
    paper, authors, doi = references(raw)

    assert written(raw, paper) == ["https://arxiv.org/abs/1901.00001"]
    assert written(raw, authors) == ["Smith &amp; Jones (2019)"]
    assert doi.key == "10.1000/abcd"


def test_nothing_is_found_in_a_text_without_references() -> None:
    assert references("") == references("Let $n > 2$. Then, by induction, [1, 2] is an interval. In 2019 (May).") == []


HOSTILE = (
    "[",
    "(",
    "[12, ",
    "[Smi19, ",
    "(10.1",
    "10.1234/(a",
    "doi:10.1000/",
    "https://",
    "arxiv:",
    "ISBN 1 2 3 4 5 6 ",
    "Aa, ",
    "Aa and ",
    "A. ",
    "de van ",
    "Aa, Bb, 2019 ",
    "Smith's ",
    "Smith's Theorem 2 ",
    "Theorem 2 of ",
    "Theorem 2 of Smith (2019), ",
    "\\cite{",
    "# References\n",
    "[1] a\n",
    "[1] a 2019\n",
    "\n",
    "\\[",
    "$[(",
)


def calls(text: str) -> int:
    """Function calls, C's included, that extraction makes."""
    count = 0

    def note(_: FrameType, event: str, __: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        extract(text, TODAY)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("unit", HOSTILE)
def test_twice_the_text_is_at_most_twice_the_work(unit: str) -> None:
    extract(unit * 800, TODAY)  # what is made once and kept is no work for the text
    once, twice, four = (calls(unit * (200 * times)) for times in (1, 2, 4))

    assert four - twice <= 2.2 * (twice - once) + 50


@pytest.mark.parametrize("unit", HOSTILE)
def test_much_of_anything_is_read(unit: str) -> None:
    checked(unit * (40_000 // len(unit)))


def strings(value: Any) -> Iterator[str]:
    """Every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)


@pytest.mark.shared
def test_real_proofs_of_competition_problems_cite_nothing() -> None:
    found: list[Reference] = []
    folder = shared_file("data/deepseek-math-v2-human-rated-proofs")
    for file in sorted(folder.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            found += checked(json.loads(line)["model_prediction"]["proof"])

    assert found == []


@pytest.mark.shared
def test_real_solutions_hold_few_references_and_no_malformed_ones() -> None:
    source = shared_file("data/open-proof-corpus/raw_sample.json")
    found = [one for text in strings(json.loads(source.read_text(encoding="utf-8"))) for one in checked(text)]

    assert {one.kind for one in found} <= {ReferenceKind.URL}
    assert not any(one.malformed for one in found)


@pytest.fixture(scope="module")
def posts() -> list[tuple[str, tuple[Reference, ...]]]:
    """The HTML of the posts of a real site about quantum computing, with what is found in each."""
    source = shared_file("data/se-dump-quantumcomputing-2018/Posts.xml")
    bodies = [row.get("Body") or "" for row in ElementTree.parse(source).getroot()]
    return [(body, checked(body)) for body in bodies]


@pytest.mark.shared
def test_real_posts_that_link_to_arxiv_or_a_doi_refer_to_it(posts: list[tuple[str, tuple[Reference, ...]]]) -> None:
    for body, found in posts:
        kinds = {one.kind for one in found}
        assert ReferenceKind.ARXIV in kinds or not re.search(r"arxiv\.org/abs/[a-z\d]", body), body
        assert ReferenceKind.DOI in kinds or not re.search(r"/(?:dx\.)?doi\.org/10", body), body


@pytest.mark.shared
def test_kinds_of_reference_in_real_posts(posts: list[tuple[str, tuple[Reference, ...]]]) -> None:
    found = [one for _, references_of in posts for one in references_of]
    counts = Counter(one.kind for one in found)

    assert counts[ReferenceKind.ARXIV] > 600
    assert counts[ReferenceKind.URL] > 2_000
    assert 60 < counts[ReferenceKind.AUTHOR_YEAR] < 150
    assert 10 < counts[ReferenceKind.RESULT] < 30
    assert [one for one in found if one.kind is not ReferenceKind.URL and one.malformed] == []
