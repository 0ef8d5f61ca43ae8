"""report work and report plots: what work took, and Insights as files."""

import csv
import json
from pathlib import Path

from store.workspace import Workspace
from tests.commands.conftest import Desk, Run
from tests.state.reports.test_work import put_calls, put_verdicts


def work(desk: Desk) -> None:
    ws = Workspace.open(desk.path)
    try:
        put_calls(ws)
        put_verdicts(ws)
    finally:
        ws.close()


def test_work_is_told_in_tables_and_as_json(uq: Run, desk: Desk) -> None:
    work(desk)
    told = uq("report", "work")
    assert "4 calls of 2 models, 8 verdicts of 3 people." in told.stdout
    assert "≥ $0.75" in told.stdout
    assert "bob …0000000e" in told.stdout
    found = json.loads(uq("report", "work", "--json").stdout)
    assert [(one["name"], one["cost_usd"], one["unknown_costs"]) for one in found["models"]] == [
        ("[bold]dear", 0.75, 1),
        ("unpriced", None, 1),
    ]
    assert found["people"][0]["median_s"] == 90.0
    assert found["left_out_blind"] == 0


def test_plots_and_tables_are_saved(uq: Run, desk: Desk, tmp_path: Path) -> None:
    work(desk)
    out = tmp_path / "saved"
    told = uq("report", "plots", "--out", str(out), "--tab", "work", "--format", "csv", "--only", "model")
    names = ["work-plot-cost-by-model.csv", "work-plot-tokens-by-model.csv", "work-table-by-model.csv"]
    assert told.stdout.splitlines() == [str(out / name) for name in names]
    with (out / names[0]).open(encoding="utf-8", newline="") as file:
        assert list(csv.reader(file)) == [["row", "US dollars", "in words"], ["[bold]dear", "0.75", "≥ $0.75"]]
    svg = json.loads(uq("report", "plots", "--out", str(out), "--format", "svg", "--json").stdout)
    assert str(out / "work-plot-cost-by-model.svg") in svg["files"]
    assert all(Path(path).read_bytes().startswith(b"<?xml") for path in svg["files"])


def test_nothing_is_saved_of_nothing(uq: Run, desk: Desk, tmp_path: Path) -> None:
    told = uq("report", "plots", "--out", str(tmp_path / "saved"), "--tab", "work")
    assert (told.stdout, told.stderr.strip()) == ("", "There is nothing to save yet.")
