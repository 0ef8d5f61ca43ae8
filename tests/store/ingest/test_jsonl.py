"""Rows out of files, whatever their framing."""

import gzip
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from store.ingest import json_stream, jsonl
from store.ingest.files import whole_text
from store.ingest.jsonl import Row, parse_rows, read_rows
from store.ingest.report import RowError, Tally
from store.ingest.strict_json import DEPTH_LIMIT
from uq_tui.errors import ImportFileError, NotFoundError

ROWS: list[dict[str, Any]] = [{"a": 1}, {"b": "x\u2028y\u0085z\u2029\x0b"}, {"c": [None, {"d": "\ud83d"}]}]
LINES = [json.dumps(ROWS[0]), json.dumps(ROWS[1], ensure_ascii=False).replace("\x0b", "\\u000b"), json.dumps(ROWS[2])]

FRAMINGS: dict[str, Callable[[list[str]], bytes]] = {
    "plain": lambda lines: "\n".join([*lines, ""]).encode(),
    "no final newline": lambda lines: "\n".join(lines).encode(),
    "byte order mark": lambda lines: "\n".join(lines).encode("utf-8-sig"),
    "CRLF": lambda lines: "\r\n".join([*lines, ""]).encode(),
    "blank lines": lambda lines: ("\n \n" + "\n\n\t\n".join(lines) + "\n\n").encode(),
    "UTF-16": lambda lines: "\n".join([*lines, ""]).encode("utf-16"),
    "UTF-16 big end first": lambda lines: b"\xfe\xff" + "\r\n".join(lines).encode("utf-16-be"),
    "UTF-16 without a mark": lambda lines: "\n".join(lines).encode("utf-16-le"),
    "UTF-16 without a mark, big end first": lambda lines: f"[{', '.join(lines)}]".encode("utf-16-be"),
    "gzip": lambda lines: gzip.compress("\n".join(lines).encode()),
    "gzip in two members": lambda lines: (
        gzip.compress(f"{lines[0]}\n".encode()) + gzip.compress("\n".join(lines[1:]).encode())
    ),
    "gzip of UTF-16": lambda lines: gzip.compress("\n".join(lines).encode("utf-16")),
    "array": lambda lines: f"[{','.join(lines)}]".encode(),
    "array over lines": lambda lines: ("\n[\n  " + "\n,\n  ".join(lines) + "\n]\n").encode("utf-8-sig"),
    "gzip of an array": lambda lines: gzip.compress(f"[{', '.join(lines)}]".encode()),
}


def rows_of(path: Path, data: bytes) -> list[Row]:
    path.write_bytes(data)
    return list(read_rows(path))


@pytest.mark.parametrize("framing", FRAMINGS)
def test_every_framing_gives_the_same_rows(tmp_path: Path, framing: str) -> None:
    rows = rows_of(tmp_path / "f.jsonl", FRAMINGS[framing](LINES))
    assert [row.value for row in rows] == ROWS
    assert [row.problem for row in rows] == ["", "", ""]


short = st.text(st.characters(), max_size=5)
numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
json_values = st.recursive(
    st.none() | st.booleans() | numbers | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(short, inner, max_size=3),
    max_leaves=8,
)
objects = st.dictionaries(short, json_values, max_size=4)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
@given(st.lists(objects, min_size=1, max_size=5), st.sampled_from(sorted(FRAMINGS)), st.booleans())
def test_what_was_written_is_read(tmp_path: Path, values: list[dict[str, Any]], framing: str, ascii_only: bool) -> None:
    try:
        lines = [json.dumps(value, ensure_ascii=ascii_only) for value in values]
        data = FRAMINGS[framing](lines)
    except UnicodeEncodeError:
        data = FRAMINGS[framing]([json.dumps(value) for value in values])
    rows = rows_of(tmp_path / "f.jsonl", data)
    assert [(row.value, row.problem) for row in rows] == [(value, "") for value in values]


BAD = {
    "{": "not JSON: Expecting property name",
    '{"a": 1} x': "more text after the object, at character 9",
    '{"a": 1}{"a": 2}': "more text after the object",
    "[1]": "not a JSON object",
    "null": "not a JSON object",
    '"text"': "not a JSON object",
    '{"a": NaN}': "NaN is not JSON",
    '{"a": [-Infinity]}': "-Infinity is not JSON",
    '{"a": 1e400}': "1e400 is out of range",
    '{"a": 1, "b": 2, "a": 3}': "the key 'a' stands twice",
    '{"a": {"b": 1, "b": 1}}': "the key 'b' stands twice",
    '{"a": ' + "9" * 5000 + "}": "an integer of 5,000 digits",
    "[" * 100_000: "nested more than",
    '{"a": ' * 100_000: "nested more than",
    '{"a": ' + "[" * DEPTH_LIMIT + "]" * DEPTH_LIMIT + "}": "nested more than",
    '{"a": "\x01"}': "Invalid control character",
    '{"torn": "': "Unterminated string",
}


@pytest.mark.parametrize("bad", BAD)
def test_a_bad_line_is_named_and_its_neighbours_kept(tmp_path: Path, bad: str) -> None:
    before, row, after = rows_of(tmp_path / "f.jsonl", f'{{"n": 1}}\n\n{bad}\n{{"n": 2}}'.encode())
    assert (before.value, after.value) == ({"n": 1}, {"n": 2})
    assert (row.line, row.value) == (3, {})
    assert BAD[bad] in row.problem
    assert after.line == 4


def test_large_and_deep_values_within_the_limits_are_fine(tmp_path: Path) -> None:
    deep: object = 0
    for _ in range(DEPTH_LIMIT - 1):
        deep = [deep]
    row = {"deep": deep, "large": 2**70, "wide": [[] for _ in range(1000)]}
    assert [one.value for one in rows_of(tmp_path / "f.jsonl", json.dumps(row).encode())] == [row]


def test_bytes_that_are_no_text_spoil_only_their_line(tmp_path: Path) -> None:
    first, second, third = rows_of(tmp_path / "f.jsonl", b'{"a": 1}\n{"b": "\xff"}\n{"c": 3}\n')
    assert (first.value, third.value) == ({"a": 1}, {"c": 3})
    assert second.problem == "the line is not UTF-8 text (byte 8)"


def test_a_line_that_is_too_long_spoils_only_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl, "LINE_LIMIT", 2**20)
    long = json.dumps({"a": "x" * (3 * 2**20)})
    rows = rows_of(tmp_path / "f.jsonl", f'{long}\n{{"b": 1}}\n{long}'.encode())
    assert [(row.line, row.problem) for row in rows] == [
        (1, "the line is longer than 1 MiB"),
        (2, ""),
        (3, "the line is longer than 1 MiB"),
    ]


def test_broken_utf16_keeps_what_came_before(tmp_path: Path) -> None:
    data = '{"a": 1}\n{"b": 2}\n'.encode("utf-16") + b"\x00"
    rows = rows_of(tmp_path / "f.jsonl", data)
    assert rows[0].value == {"a": 1}
    assert "not UTF-16 text" in rows[-1].problem


def test_a_bad_element_of_an_array_spoils_only_itself(tmp_path: Path) -> None:
    rows = rows_of(tmp_path / "f.json", b'[\n{"a": 1},\n\n{"b": NaN}, 7,\n{"c": [1,\n2]},\n{"d": 4}]')
    assert [(row.line, row.value, row.problem) for row in rows] == [
        (2, {"a": 1}, ""),
        (4, {}, "NaN is not JSON"),
        (4, {}, "not a JSON object"),
        (5, {"c": [1, 2]}, ""),
        (7, {"d": 4}, ""),
    ]


def test_a_torn_array_keeps_what_is_whole(tmp_path: Path) -> None:
    whole, torn = rows_of(tmp_path / "f.json", b'[{"a": 1},\n{"b": 2')
    assert (whole.value, torn.line) == ({"a": 1}, 2)
    assert "the rest of the array is lost" in torn.problem
    _, unclosed = rows_of(tmp_path / "f.json", b'[{"a": 1}\n')
    assert "the rest of the array is lost" in unclosed.problem


@pytest.mark.parametrize("blanks", ["", "  ", "\t"])
@pytest.mark.parametrize("torn", ["{", '{"a', '{"b": "x', '{"b": [1, {"c": 2', '{"b": {"c": "d"}', '{"b": ["]", "'])
def test_a_torn_element_spoils_only_itself_where_each_has_its_line(tmp_path: Path, torn: str, blanks: str) -> None:
    elements = ['{"a": 1},', torn, '{"c": {\n "x": [\n      {"d": 4}]}},', torn, torn, '{"e": 5}']
    data = "[\n" + "".join(f"{blanks}{one}\n" for one in elements) + "]\n"
    rows = rows_of(tmp_path / "f.json", data.encode())
    assert [row.value for row in rows] == [{"a": 1}, {}, {"c": {"x": [{"d": 4}]}}, {}, {}, {"e": 5}]
    assert [row.line for row in rows] == [2, 3, 4, 7, 8, 9]
    assert [bool(row.problem) for row in rows] == [False, True, False, True, True, False]


def test_a_torn_element_at_the_end_of_what_is_read_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elements = ['{"a": 1}', '{"b": "x', '{"c": 3}']
    data = ("[\n  " + ",\n  ".join(elements) + "\n]").encode()
    for size in range(1, len(data)):
        monkeypatch.setattr(json_stream, "_CHUNK", size)
        rows = rows_of(tmp_path / "f.json", data)
        assert [(row.line, row.value) for row in rows] == [(2, {"a": 1}), (3, {}), (4, {"c": 3})]


def test_what_cannot_be_read_takes_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    path.write_bytes(b'[{"a": nothing, "b": "' + b"x\\n" * 300_000 + b'"},\n{"c": 3}]')
    tracemalloc.start()
    try:
        assert [row.value for row in read_rows(path)] == [{}, {"c": 3}]
        held = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert held < 20_000_000


@pytest.mark.parametrize(
    ("closed", "more"), [("]]}}", [{}]), ("}}]]", [{"b": [2]}]), ("]", [{"b": [2]}]), ("}", [{"b": [2]}]), ("", [])]
)
def test_brackets_that_close_more_than_was_opened(tmp_path: Path, closed: str, more: list[dict[str, Any]]) -> None:
    first, *others = rows_of(tmp_path / "f.json", f'[{{"a": nothing {closed},{{"b": [2]}}]'.encode())
    assert first.problem.startswith("not JSON")
    assert [row.value for row in others] == more


def test_what_is_no_json_in_an_array_spoils_only_itself(tmp_path: Path) -> None:
    bad = [b'{"b": nothing, "x": [",", {"]": 1}]}', b'\n{"c": "\xff"}', b"[" * 5000 + b"]" * 5000]
    data = b",".join([b'[{"a": 1}', *bad, b'{"d": 4}]'])
    rows = rows_of(tmp_path / "f.json", data)
    assert [row.value for row in rows] == [{"a": 1}, {}, {}, {}, {"d": 4}]
    assert rows[1].problem.startswith("not JSON: Expecting value")
    assert (rows[2].line, rows[2].problem) == (2, "the row is not UTF-8 text")
    assert "nested" in rows[3].problem


def test_what_follows_an_array_is_not_lost(tmp_path: Path) -> None:
    rows = rows_of(tmp_path / "f.json", b'[{"a": 1},]\n{"b": 2}\nrest\n')
    assert [(row.line, row.value) for row in rows] == [(1, {"a": 1}), (2, {"b": 2}), (3, {})]


def test_objects_over_several_lines(tmp_path: Path) -> None:
    rows = rows_of(tmp_path / "f.json", b'{\n "a": 1\n}\n{"b": 2,\n"b": 3}\n{"c": 3}\n{\n"torn')
    assert [(row.line, row.value) for row in rows] == [(1, {"a": 1}), (4, {}), (6, {"c": 3}), (7, {})]
    assert rows[1].problem == "the key 'b' stands twice"
    assert "the rest of the file is lost" in rows[3].problem


@pytest.mark.parametrize("torn", ["{", '{\n "x": "y', "{\n nothing\n}"])
def test_behind_an_object_over_lines_that_is_torn_reading_goes_on(tmp_path: Path, torn: str) -> None:
    rows = rows_of(tmp_path / "f.json", f'{torn}\n{{"a": 1}}\n{{\n "b": 2\n}}\n'.encode())
    assert [row.value for row in rows] == [{}, {"a": 1}, {"b": 2}]
    assert rows[0].line == 1


@pytest.mark.parametrize("framing", ["array", "array over lines"])
def test_arrays_are_read_in_the_memory_of_their_elements(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, framing: str
) -> None:
    monkeypatch.setattr(json_stream, "_CHUNK", 1 << 10)
    lines = [json.dumps({"n": n, "x": "é" * (n % 700)}, ensure_ascii=False) for n in range(2000)]
    path = tmp_path / "f.json"
    path.write_bytes(FRAMINGS[framing](lines))
    tracemalloc.start()
    try:
        assert [row.value["n"] for row in read_rows(path)] == list(range(2000))
        held = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert path.stat().st_size > 1_000_000 > held


@pytest.mark.parametrize("data", [b"", b"\n\n", b"[]", b"[ \n ]", b"\xef\xbb\xbf", gzip.compress(b"", mtime=0)])
def test_nothing_is_no_rows(tmp_path: Path, data: bytes) -> None:
    assert rows_of(tmp_path / "f.jsonl", data) == []


def test_a_gzip_file_that_breaks_off_keeps_what_came_before(tmp_path: Path) -> None:
    lines = b"".join(json.dumps({"n": n, "x": str(n) * 50}).encode() + b"\n" for n in range(20_000))
    packed = gzip.compress(lines)
    rows = rows_of(tmp_path / "f.jsonl", packed[: len(packed) // 2])
    assert len(rows) > 1000
    assert [row.value["n"] for row in rows[:-1]] == list(range(len(rows) - 1))
    assert "the file breaks off" in rows[-1].problem


def test_a_file_that_only_begins_like_gzip(tmp_path: Path) -> None:
    with pytest.raises(ImportFileError, match="gzip"):
        rows_of(tmp_path / "f.jsonl", b"\x1f\x8bnothing of the kind")


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"none\.jsonl"):
        list(read_rows(tmp_path / "none.jsonl"))
    with pytest.raises(ImportFileError, match="is a folder"):
        list(read_rows(tmp_path))


def test_refused_rows_are_reported_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "f.jsonl"
    path.write_text('{"n": 1}\n{"n": 2}\n{\n{"n": 3}\n')

    def parse(row: Any) -> int:
        if row["n"] == 2:
            raise RowError("two is not wanted")
        return int(row["n"])

    tally = Tally(path, "numbers")
    assert list(parse_rows(path, parse, tally)) == [1, 3]
    report = tally.report()
    assert (report.read, report.rejected_total) == (4, 2)
    assert [(row.file, row.line) for row in report.rejected] == [(str(path), 2), (str(path), 3)]
    assert report.rejected[0].reason == "two is not wanted"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_whole_text(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "t.md"
    path.write_bytes("So ist es.\r\n∎".encode(encoding))
    assert whole_text(path) == "So ist es.\r\n∎"


def test_a_whole_text_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "t.md"
    path.write_bytes(b"ab\xff")
    with pytest.raises(ImportFileError, match=r"neither UTF-8 nor UTF-16 text \(byte 3\)"):
        whole_text(path)
