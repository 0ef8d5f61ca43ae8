"""Tables and plots of Insights as files: whole, the same each time, and with numbers that programs read."""

import csv
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from uq_tui.errors import ExportError
from uq_tui.state.reports.page import Page, Words
from uq_tui.state.reports.plots import Bars, Drawing, Line, Matrix, Plot, Range, Ranges, Series
from uq_tui.state.reports.saving import Format, Item, items, save
from uq_tui.state.reports.section import Section

HOSTILE = "$\\frac{x}$ <b>o3\x1b[2J 证明"
LINES = Plot(
    "Errors", "n", "error", (Line("1", HOSTILE, (4.0, 8.0), (0.125, 0.1)),), (4.0, 64.0), (0.0, 1.0), doublings=True
)
BARS = Bars("Cost", "$", ("=1+1", HOSTILE), (Series("in", (3.0, 0.5)), Series("out", (0.0, 2.0))), ("≥ $3", "$2.50"))
RANGES = Ranges("Kappa", "kappa", (Range("1 two", 1 / 3, -0.25, 0.75, 1200), Range("2", None, None, None, 0)), (-1, 1))
MATRIX = Matrix("Confusion", "decision", "label", ("accept", "reject"), ("correct", "incorrect"), ((6, 0), (1, 1)))
TABLE = Section(
    "Cost",
    "About.",
    ("model", "calls", "kappa"),
    (("@m", "1,234", "-.40 [-.70,-.11]"), ("n", "7", "-.40")),
    frozenset(),
)
DRAWINGS: tuple[Drawing, ...] = (LINES, BARS, RANGES, MATRIX)
PAGE = Page((Words(("Said.",)), TABLE, *DRAWINGS, TABLE))


def rows(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def named(page: Page) -> dict[str, Item]:
    return {one.name: one for one in items("work", page)}


def test_files_have_names_of_their_own_that_say_what_they_are() -> None:
    assert list(named(PAGE)) == [
        "work-plot-errors",
        "work-plot-cost",
        "work-plot-kappa",
        "work-plot-confusion",
        "work-table-cost",
        "work-table-cost-2",
    ]
    (long,) = items("work", Page((Section("../../etc/passwd\0" * 9, "", (), (), frozenset()),)))
    assert long.name == "work-table-etc-passwd-etc-passwd-etc-passwd-etc-passwd-etc-p"


def test_a_plot_is_saved_as_svg_png_and_its_exact_numbers(tmp_path: Path) -> None:
    found = save(tmp_path / "new" / "folder", named(PAGE).values(), frozenset(Format))
    assert len(found) == len({path.name for path in found}) == 4 * 3 + 2
    assert {path.name for path in found} == {path.name for path in (tmp_path / "new" / "folder").iterdir()}
    for path in found:
        if path.suffix == ".svg":
            assert ElementTree.fromstring(path.read_bytes()).tag == "{http://www.w3.org/2000/svg}svg"
        if path.suffix == ".png":
            assert path.read_bytes().startswith(b"\x89PNG\r\n")
    by_name = {path.stem: rows(path) for path in found if path.suffix == ".csv"}
    assert by_name["work-plot-errors"] == [["line", "n", "error"], [HOSTILE, "4.0", "0.125"], [HOSTILE, "8.0", "0.1"]]
    assert by_name["work-plot-cost"] == [
        ["row", "in", "out", "in words"],
        ["'=1+1", "3", "0", "≥ $3"],
        [HOSTILE, "0.5", "2", "$2.50"],
    ]
    assert by_name["work-plot-kappa"][1:] == [["1 two", repr(1 / 3), "-0.25", "0.75", "1200"], ["2", "", "", "", "0"]]
    assert by_name["work-plot-confusion"] == [
        ["decision by label", "correct", "incorrect"],
        ["accept", "6", "0"],
        ["reject", "1", "1"],
    ]
    assert by_name["work-table-cost"][1:] == [["'@m", "1234", "'-.40 [-.70,-.11]"], ["n", "7", "-.40"]]


def test_only_what_is_wanted_is_written_and_tables_as_csv_only(tmp_path: Path) -> None:
    wanted = [named(PAGE)["work-plot-cost"], named(PAGE)["work-table-cost"]]
    assert [path.name for path in save(tmp_path, wanted, {Format.SVG})] == ["work-plot-cost.svg"]
    assert [path.suffix for path in save(tmp_path, wanted, {Format.CSV})] == [".csv", ".csv"]


def test_the_same_page_gives_the_same_bytes_in_another_process(tmp_path: Path) -> None:
    """Ids in an SVG are made of what it shows and a fixed salt."""
    asked = (
        "import sys; from pathlib import Path; from tests.state.reports import test_saving as t\n"
        "t.save(Path(sys.argv[1]), t.named(t.PAGE).values(), frozenset(t.Format))"
    )
    subprocess.run([sys.executable, "-c", asked, str(tmp_path / "there")], check=True)
    for path in save(tmp_path / "here", named(PAGE).values(), frozenset(Format)):
        assert path.read_bytes() == (tmp_path / "there" / path.name).read_bytes()


def test_nothing_is_drawn_of_a_date_or_taken_from_elsewhere(tmp_path: Path) -> None:
    (path,) = save(tmp_path, [named(PAGE)["work-plot-errors"]], {Format.SVG})
    svg = path.read_text(encoding="utf-8")
    assert "<dc:date>" not in svg
    assert "<script" not in svg
    assert "<b>" not in svg


def test_without_the_extra_it_is_named_and_numbers_are_still_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    plot = [named(PAGE)["work-plot-cost"]]
    with pytest.raises(ExportError) as caught:
        save(tmp_path, plot, {Format.SVG})
    assert "matplotlib" in caught.value.message
    assert 'pip install "uq-tui[plots]"' in caught.value.hint
    assert list(tmp_path.iterdir()) == []
    assert [path.suffix for path in save(tmp_path, plot, {Format.CSV})] == [".csv"]


def test_a_folder_that_cant_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(ExportError) as caught:
        save(tmp_path / "file" / "folder", named(PAGE).values(), {Format.CSV})
    assert "file/folder" in caught.value.message
