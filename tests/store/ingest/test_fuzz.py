"""Whatever a file holds: only typed errors escape its import, no good row is lost, each bad one is said once."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from store import verdicts
from store.ingest.heads import head_of
from store.ingest.importer import import_file
from store.ingest.under_way import Progress
from store.workspace import Workspace
from tests.fixtures import FIXTURES
from tests.new_workspace import new_workspace
from tests.store.ingest import fuzzing
from tests.store.ingest.fuzzing import FRAMINGS, Stock, brought, check_again, check_counts, rejections, stocks, things
from tests.store.ingest.test_graded_formats import parquet
from tests.store.ingest.test_inspect_logs import archive, sample
from tests.store.ingest.test_inspect_logs import document as log_document
from tests.store.ingest.test_seven_zip import packed

FEW, MANY = 2, 60
EXAMPLES = [FEW, pytest.param(MANY, marks=pytest.mark.long)]
STOCKS = sorted(stocks())
JSON_STOCKS = [name for name in STOCKS if not name.endswith((".csv", ".xml"))]


def _log(ws: Workspace, folder: Path) -> bytes:
    return archive(folder, sample(), sample("Three.", 2)).read_bytes()


def _dump_archive(ws: Workspace, folder: Path) -> bytes:
    return packed(folder / "math.7z", None, **{"Posts.xml": stocks()["Posts.xml"].file()}).read_bytes()


WHOLE: dict[str, Callable[[Workspace, Path], bytes]] = {
    "log": _log,
    "log in one document": lambda ws, folder: log_document(folder, sample(), sample("Three.", 2)).read_bytes(),
    "7z": _dump_archive,
    "Parquet": lambda ws, folder: parquet(folder).read_bytes(),
    "verdicts": lambda ws, folder: "".join(f"{line}\n" for line in verdicts.records(ws)).encode(),
    "problem": lambda ws, folder: (FIXTURES / "graded" / "corpus-problem.json").read_bytes(),
    "details": lambda ws, folder: (FIXTURES / "graded" / "judge-errors.json").read_bytes(),
}
"""Files that have no rows by themselves, or need a workspace to be made."""


@pytest.fixture(scope="module")
def ws(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """A workspace that has what the files belong to."""
    folder = tmp_path_factory.mktemp("fuzz")
    opened = new_workspace(folder / "fuzz.uq.sqlite")
    fuzzing.fill(opened, folder)
    yield opened
    opened.close()


@pytest.mark.parametrize("examples", EXAMPLES)
@pytest.mark.parametrize("name", STOCKS)
def test_a_bad_row_costs_itself_only_and_is_said_once(ws: Workspace, tmp_path: Path, name: str, examples: int) -> None:
    stock = stocks()[name]

    @settings(max_examples=examples, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def run(data: st.DataObject) -> None:
        at = data.draw(st.integers(0, len(stock.rows) - 1))
        row = data.draw(bad_rows(stock, at))
        report = brought(ws, tmp_path, "f.jsonl", stock.file(at, row))
        without = brought(ws, tmp_path, "f.jsonl", stock.file(at))
        assert things(report) == things(without)
        assert report.counts == without.counts
        more = rejections(report) - rejections(without)
        assert [line for line, _ in more.elements()] == [stock.line_of(at)]
        assert not rejections(without) - rejections(report)
        check_counts(report)

    run()


def bad_rows(stock: Stock, at: int) -> st.SearchStrategy[bytes]:
    row = stock.rows[at]
    if stock.name.endswith(".xml"):
        return fuzzing.bad_xml_rows(row)
    if stock.name.endswith(".csv"):
        return fuzzing.bad_csv_rows(row)
    return fuzzing.no_json_rows(row) | fuzzing.torn_rows(row)


@pytest.mark.parametrize("examples", EXAMPLES)
@pytest.mark.parametrize("name", JSON_STOCKS)
def test_a_strange_row_costs_no_other(ws: Workspace, tmp_path: Path, name: str, examples: int) -> None:
    stock = stocks()[name]

    @settings(max_examples=examples, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def run(data: st.DataObject) -> None:
        at = data.draw(st.integers(0, len(stock.rows) - 1))
        row = data.draw(fuzzing.strange_rows(stock.rows[at]))
        report = brought(ws, tmp_path, "f.jsonl", stock.file(at, row))
        without = brought(ws, tmp_path, "f.jsonl", stock.file(at))
        assume(report.format == without.format)  # of few rows, one that has lost a key may decide
        assert things(report) >= things(without)
        assert not rejections(without) - rejections(report)
        more = rejections(report) - rejections(without)
        assert {line for line, _ in more} <= {stock.line_of(at)}
        check_counts(report)
        (tmp_path / "f.jsonl").write_bytes(stock.file(at, row))
        again = brought(ws, tmp_path, "f.jsonl", stock.file(at, row))
        check_again(ws, tmp_path / "f.jsonl", again)

    run()


@pytest.mark.parametrize("every", [len(FRAMINGS) // 2, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", STOCKS)
def test_framings_change_nothing(ws: Workspace, tmp_path: Path, name: str, every: int) -> None:
    data = stocks()[name].file()
    plain = brought(ws, tmp_path, "f.jsonl", data)
    for framing in list(FRAMINGS)[STOCKS.index(name) % every :: every]:
        found = brought(ws, tmp_path, "f.jsonl", FRAMINGS[framing](data))
        assert (found.format, found.read, things(found)) == (plain.format, plain.read, things(plain)), framing
        assert rejections(found) == rejections(plain), framing


@pytest.mark.parametrize("examples", EXAMPLES)
@pytest.mark.parametrize("name", [*STOCKS, *WHOLE])
def test_whatever_bytes_come_nothing_escapes(ws: Workspace, tmp_path: Path, name: str, examples: int) -> None:
    data = WHOLE[name](ws, tmp_path) if name in WHOLE else stocks()[name].file()

    @settings(max_examples=examples, suppress_health_check=list(HealthCheck))
    @given(fuzzing.mutated(data))
    def run(changed: bytes) -> None:
        path = tmp_path / "f.jsonl"
        path.write_bytes(changed)
        fuzzing.outcome(ws, path)

    run()


def test_sealed_rows_are_kept_around_a_bad_one(ws: Workspace, tmp_path: Path) -> None:
    rows = [line.encode() for line in verdicts.records(ws)]
    stock = fuzzing.as_lines("verdicts", rows)
    for bad in (b"{", rows[1][:-2], rows[1].replace(b'"blind": false', b'"blind": true').replace(b":false", b":true")):
        report = brought(ws, tmp_path, "f.jsonl", stock.file(1, bad))
        assert (report.format, report.same, report.rejected_total) == ("verdicts", len(rows) - 1, 1)
        assert report.rejected[0].line == 2


@pytest.mark.parametrize("size", [1, 3 * fuzzing.LONG_CELL])
def test_cells_of_any_length(ws: Workspace, tmp_path: Path, size: int) -> None:
    stock = stocks()["expertmath-candidates.csv"]
    long = stock.rows[0].replace(b"rotation", b"r" * size)
    report, short = (brought(ws, tmp_path, "f.csv", stock.file(0, row)) for row in (long, stock.rows[0]))
    assert (things(report), report.rejected) == (things(short), short.rejected)


def test_a_file_that_is_cut_while_it_is_read(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "f.jsonl"
    rows = [json.dumps({"id": str(n), "body": f"Is {n} prime? " * 90}) for n in range(2_000)]
    path.write_text("\n".join(rows))

    def cut(progress: Progress) -> None:
        if progress.rows:
            os.truncate(path, 5_000)

    report = import_file(workspace, path, on_progress=cut)
    assert 0 < report.new < len(rows)
    assert report.rejected_total <= 1
    assert report.read == report.new + report.rejected_total


def test_starts_made_to_be_slow_are_looked_at_once(tmp_path: Path) -> None:
    quotes = tmp_path / "quotes.json"
    quotes.write_bytes(b'{"a": 1, "b": {"c": 2}, "' + b'\\"' * 30_000)
    assert head_of(quotes).keys == {"a", "b"}
    brackets = tmp_path / "brackets.csv"
    brackets.write_bytes(b"a (x)," + b"(" * 60_000)
    assert head_of(brackets).has_columns(["a"])
