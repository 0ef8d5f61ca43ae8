"""What earlier runs have pinned about some inputs."""

from store import run_pins, runs
from store.workspace import Workspace
from uq_tui.words import RunKind


def test_pins_are_of_the_runs_about_any_of_the_inputs(workspace: Workspace) -> None:
    for kind, inputs in (
        (RunKind.VALIDATE, ["a", "b"]),
        (RunKind.VALIDATE, ["b", "c"]),
        (RunKind.VALIDATE, ["d"]),
        (RunKind.CBU, ["a"]),
    ):
        runs.create(workspace, kind, "t", {"inputs": inputs, "epoch": len(inputs), "model": {"id": "\ud83d\0"}}, 1)

    found = run_pins.about(workspace, RunKind.VALIDATE, ["a", "c", "'\"]"], ["epoch", "model"])

    assert found == [{"epoch": 2, "model": {"id": "\ud83d\0"}}] * 2
    assert run_pins.about(workspace, RunKind.VALIDATE, ["d"], ["epoch", "absent"]) == [{"epoch": 1, "absent": None}]
    assert run_pins.about(workspace, RunKind.GENERATE, ["a"], ["epoch"]) == []
    assert run_pins.about(workspace, RunKind.VALIDATE, [], ["epoch"]) == []
