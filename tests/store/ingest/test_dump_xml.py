"""Rows of dumps, good ones and bad ones."""

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.ingest.dump_xml import xml_rows
from store.ingest.report import Tally
from tests.fixtures import FIXTURES
from uq_tui.errors import ImportFileError

HEAD = b'\xef\xbb\xbf<?xml version="1.0" encoding="utf-8"?>\n<posts>\n'
MALFORMED = "the row is not well-formed XML: "
BROKEN_OFF = "the file is not well-formed XML from here: "
PATH = Path("Posts.xml")


def good(number: int) -> bytes:
    return f'  <row Id="{number}" Title="&lt;x&gt;&#xA;" />\n'.encode()


def read(content: bytes) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    """Line and id of the rows that are read, line and reason of those that are rejected."""
    tally = Tally(PATH, "Posts.xml")
    rows = [(row.line, row.attributes["Id"]) for row in xml_rows(io.BytesIO(content), PATH, "posts", tally)]
    return rows, [(row.line, row.reason) for row in tally.report().rejected]


def test_good_rows_with_their_lines() -> None:
    assert read(HEAD + good(1) + b"\n" + good(2) + b"</posts>\n") == ([(3, "1"), (5, "2")], [])


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (b'<row Id="5" Title="&#x1F;" />\n', "reference to invalid character number"),
        (b'<row Id="5" Title="&#xD83D;" />\n', "reference to invalid character number"),
        (b'<row Id="5" Title="&nbsp;" />\n', "undefined entity"),
        (b'<row Id="5" Title="\xff" />\n', "not well-formed (invalid token)"),
        (b'<row Id="5" Id="6" />\n', "duplicate attribute"),
        (b'<row Id="5" Title="torn\n', "not well-formed (invalid token)"),
        (b'<row Id="5\n', "not well-formed (invalid token)"),
        (b"<row Id=5 />\n", "not well-formed (invalid token)"),
        (b"</row>\n", "mismatched tag"),
    ],
)
def test_a_bad_row_costs_no_good_one(bad: bytes, reason: str) -> None:
    rows, rejected = read(HEAD + good(1) + bad + good(2) + good(3) + bad + good(4) + b"</posts>")
    assert rows == [(3, "1"), (5, "2"), (6, "3"), (8, "4")]
    assert rejected == [(4, MALFORMED + reason), (7, MALFORMED + reason)]


def test_a_bad_row_behind_a_good_one_on_its_line() -> None:
    rows, rejected = read(HEAD + b'<row Id="1" /><row Id=2 />\n' + good(3) + b"</posts>")
    assert (rows, [line for line, _ in rejected]) == ([(3, "1"), (4, "3")], [3])


def test_a_bad_row_behind_one_of_several_lines() -> None:
    rows, rejected = read(HEAD + b'<row Id="1"\n  Title="x" />\n\n<row Id=2 />\n' + good(3) + b"</posts>")
    assert (rows, [line for line, _ in rejected]) == ([(3, "1"), (7, "3")], [6])


def test_bad_rows_that_are_longer_than_what_is_read_at_once() -> None:
    long = b'<row Id="2" Title="' + b"x" * 200_000
    rows, rejected = read(HEAD + good(1) + long + b'&#x0;" />\n' + good(3) + long + b'<" />\n' + good(4) + b"</posts>")
    assert rows == [(3, "1"), (5, "3"), (7, "4")]
    assert [line for line, _ in rejected] == [4, 6]


def test_a_file_that_breaks_off_is_said_once() -> None:
    assert read(HEAD + good(1) + b'<row Id="2" Ti') == ([(3, "1")], [(4, BROKEN_OFF + "unclosed token")])
    assert read(HEAD + good(1)) == ([(3, "1")], [(4, BROKEN_OFF + "no element found")])


def test_what_follows_the_root_is_not_read() -> None:
    rows, rejected = read(HEAD + good(1) + b"</posts>\n<posts>\n" + good(2) + b"</posts>")
    assert (rows, rejected) == ([(3, "1")], [(5, BROKEN_OFF + "junk after document element")])


def test_utf16_is_read_and_not_recovered_in() -> None:
    content = (HEAD[3:] + good(1)).decode().replace("utf-8", "utf-16")
    rows, rejected = read((content + "</posts>").encode("utf-16"))
    assert (rows, rejected) == ([(3, "1")], [])
    rows, rejected = read((content + "<row Id=2 />\n<row Id='3' />\n</posts>").encode("utf-16"))
    assert (rows, rejected) == ([(3, "1")], [(4, BROKEN_OFF + "not well-formed (invalid token)")])


def test_a_declared_encoding_holds_behind_a_bad_row() -> None:
    tally = Tally(PATH, "Posts.xml")
    content = '<?xml version="1.0" encoding="latin-1"?>\n<posts>\n<row Id=1 />\n<row Id="2" T="é" />\n</posts>'
    (row,) = xml_rows(io.BytesIO(content.encode("latin-1")), PATH, "posts", tally)
    assert row.attributes["T"] == "é"


def test_nothing_but_bad_rows_is_given_up() -> None:
    rows, rejected = read(HEAD + b"<row a b>\n" * 5000)
    assert (rows, len(rejected)) == ([], 1000)


def test_a_row_without_end_is_not_held_for_ever() -> None:
    rows, rejected = read(HEAD + good(1) + b'<row Id="2" Title="' + b"x" * (17 << 20) + b'" />\n' + good(3))
    assert (rows, rejected) == ([(3, "1")], [(4, "a row has more than 16 MiB")])


def test_other_elements_are_no_rows() -> None:
    rows, rejected = read(HEAD + b'<line Id="1" />\n<row Id="2"><row Id="3" /></row>\n</posts>')
    assert (rows, rejected) == ([(4, "2")], [(3, "<line> is no row"), (4, "<row> is no row")])


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(ImportFileError, match="elements within elements"):
        read(HEAD + b"<row>" * 100_000)


OLD = (FIXTURES / "dump-2018" / "physics.stackexchange.com" / "Posts.xml").read_bytes()


@given(st.lists(st.tuples(st.integers(0, len(OLD)), st.binary(max_size=6), st.integers(0, 40)), max_size=4))
def test_whatever_the_bytes_only_typed_errors_escape(changes: list[tuple[int, bytes, int]]) -> None:
    content = OLD
    for at, put, taken in changes:
        content = content[:at] + put + content[at + taken :]
    tally = Tally(PATH, "Posts.xml")
    try:
        rows = list(xml_rows(io.BytesIO(content), PATH, "posts", tally))
    except ImportFileError:
        return
    lines = [row.line for row in rows]
    assert lines == sorted(lines)
    rejected = [row.line for row in tally.report().rejected]
    assert all(1 <= line <= content.count(b"\n") + 1 for line in [*lines, *rejected])


@given(
    st.sets(st.integers(0, 19)), st.sampled_from([b"<row Id=1 />\n", b'<row T="\n', b'<row T="&#x0;" />\n', b"</x>\n"])
)
def test_no_good_row_is_lost_between_bad_ones(bad: set[int], what: bytes) -> None:
    lines = [what if number in bad else good(number) for number in range(20)]
    rows, rejected = read(HEAD + b"".join(lines) + b"</posts>")
    assert [int(number) for _, number in rows] == [number for number in range(20) if number not in bad]
    assert [line for line, _ in rejected] == [number + 3 for number in sorted(bad)]
