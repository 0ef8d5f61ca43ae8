"""Searching by free text, whatever it is."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.search import MOST_TERMS, indexed, match_expression, plain_text
from store.search_index import SEARCH_TABLE
from uq_tui.words import TextFormat

DOCUMENTS = {
    1: r"Every C*-algebra is a-b closed; see \int_0^1 f",
    2: "AND also NEAR the col:val graph theory",
    3: "Überraschung in the graph's theorem",
}


@pytest.fixture(scope="module")
def index() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("CREATE VIRTUAL TABLE f USING fts5(body, tokenize='unicode61 remove_diacritics 2')")
        db.executemany("INSERT INTO f (rowid, body) VALUES (?, ?)", DOCUMENTS.items())
        yield db


def found(index: sqlite3.Connection, text: str) -> list[int]:
    expression = match_expression(text)
    assert expression
    return [row[0] for row in index.execute("SELECT rowid FROM f WHERE f MATCH ? ORDER BY rowid", (expression,))]


@pytest.mark.parametrize(
    ("text", "documents"),
    [
        ("C*-algebra", [1]),
        ('C*-algebra "x', []),
        ('"every" C*-algebra', [1]),
        ("a-b", [1]),
        (r"\int_0^1", [1]),
        ("AND", [2]),
        ("NEAR(", [2]),
        ("col:val", [2]),
        ("graph NOT theory", []),
        ("graph", [2, 3]),
        ("theory graph", [2]),
        ("grap", [2, 3]),
        ("the", [2, 3]),
        ("theo", [2, 3]),
        ("gr", []),
        ("grap theory", []),
        ("uberraschung", [3]),
        ("ÜBERRASCHUNG", [3]),
        ("graph*", [2, 3]),
        ("^graph", [2, 3]),
        ("{body}: graph", []),
        ("graph\0theorem", [3]),
        ("\ud800 graph", [2, 3]),
        ("graph " * 1000, [2, 3]),
        ("( graph )", [2, 3]),
        ('"graph theory"', [2]),
        ('"theory graph"', []),
        ('"graph theor"', []),
        ('"graph theory', [2]),
        ("graph -theory", [3]),
        ("-theory graph", [3]),
        ('graph -"the col"', [3]),
        ('graph -"col the"', [2, 3]),
        ("graph - theory", [2]),
        ("graph a-b", []),
        ("-graph", [2, 3]),
        ("the* theorem", [3]),
        ("theo* graph ", [2, 3]),
        ("th* graph ", []),
        ("theo graph ", []),
        ("grap ", []),
        ("graph -gra", [2, 3]),
    ],
)
def test_words_find_documents(index: sqlite3.Connection, text: str, documents: list[int]) -> None:
    assert found(index, text) == documents


@pytest.mark.parametrize("text", ["", " ", "(", '"', "*", "\0", "\ud800", "- + : ^ { }", "∀ ∫"])
def test_a_text_without_words_is_no_query(text: str) -> None:
    assert match_expression(text) == ""


def test_words_beyond_the_limit_are_ignored() -> None:
    assert match_expression(" ".join(f"w{n}" for n in range(5000))).count('"') == 2 * MOST_TERMS


@given(st.text(st.one_of(st.characters(), st.sampled_from('"*()^:-+{}, \0ANDORTE'))))
def test_no_text_is_an_error(index: sqlite3.Connection, text: str) -> None:
    expression = match_expression(text)
    if expression:
        index.execute("SELECT rowid FROM f WHERE f MATCH ?", (expression,)).fetchall()


@given(st.sampled_from(sorted(DOCUMENTS)), st.data())
def test_a_document_is_found_by_its_own_words(index: sqlite3.Connection, document: int, data: st.DataObject) -> None:
    words = [word for word in DOCUMENTS[document].split() if any(map(str.isalnum, word))]
    chosen = data.draw(st.lists(st.sampled_from(words), min_size=1))
    assert document in found(index, " ".join(chosen))


def test_html_is_indexed_without_markup() -> None:
    body = '<p>Is <em>un</em>known <a href="x y">H<sub>2</sub>O</a> &lt;b&gt;?</p><p>a &amp;amp; b</p>x<br/>y'
    assert plain_text(body, TextFormat.HTML).split() == ["Is", "unknown", "H2O", "<b>?", "a", "&amp;", "b", "x", "y"]


def test_other_texts_are_indexed_as_they_are() -> None:
    assert plain_text("$a<b$ and <c>", TextFormat.MARKDOWN) == "$a<b$ and <c>"


@given(st.text(st.characters()))
def test_what_is_indexed_can_be_stored(text: str) -> None:
    for made in (indexed(text), plain_text(text, TextFormat.HTML)):
        made.encode()
        assert "\0" not in made


@pytest.mark.parametrize("piece", ["<", "<!--", "<a ", "</", "&", "&#", "<![CDATA["])
def test_much_broken_markup_stays_text(piece: str) -> None:
    text = piece * 200_000  # work that grew with its square would never end
    assert plain_text(text, TextFormat.HTML) == text


WORDS = ("gra", "graph", "graphs", "theory", "the", "c", "x1")
PIECES = st.one_of(
    st.sampled_from(WORDS),
    st.sampled_from(WORDS).map("-{}".format),
    st.sampled_from(WORDS).map("{}*".format),
    st.tuples(st.sampled_from(WORDS), st.sampled_from(WORDS)).map('"{0[0]} {0[1]}"'.format),
    st.sampled_from(('"', "*", "(", "AND", "c-x1", "-", "NEAR(the")),
)


def model(text: str, document: list[str]) -> bool:
    """What a search means, told word by word."""
    pieces = [piece for piece in re.findall(r'-?"[^"]*"(?!\S)|\S+', text) if re.search("[a-z0-9]", piece.lower())]
    excluding = [bool(re.match('-["a-zA-Z0-9]', piece)) for piece in pieces]
    if all(excluding):
        excluding = [False] * len(pieces)
    for at, (piece, excluded) in enumerate(zip(pieces, excluding, strict=True)):
        words = re.findall("[a-z0-9]+", piece.lower())
        last = at == len(pieces) - 1 and not excluded and text[-1] not in ' "'
        begins = (last or (piece.endswith("*") and '"' not in piece[:2])) and len("".join(words)) >= 3
        places = range(len(document) - len(words) + 1)
        stands = any(
            document[place : place + len(words) - 1] == words[:-1]
            and (
                document[place + len(words) - 1].startswith(words[-1])
                if begins
                else document[place + len(words) - 1] == words[-1]
            )
            for place in places
        )
        if stands is excluded:
            return False
    return True


@given(st.lists(PIECES, min_size=1, max_size=5), st.booleans(), st.lists(st.sampled_from(WORDS), max_size=6))
def test_hits_are_those_of_a_plain_model(pieces: list[str], ended: bool, document: list[str]) -> None:
    text = " ".join(pieces) + (" " if ended else "")
    expression = match_expression(text)
    if not expression:
        return
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute(SEARCH_TABLE)
        db.execute("INSERT INTO search (rowid, body) VALUES (1, ?)", (" ".join(document),))
        hit = db.execute("SELECT 1 FROM search WHERE search MATCH ?", (expression,)).fetchone() is not None
    assert hit is model(text, document), (text, expression)
