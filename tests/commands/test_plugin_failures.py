"""What a command says of a validation whose plug-ins failed."""

import pytest

from store import judgements, runs
from store.run_rows import StageOutcome
from store.workspace import Workspace
from tests.store.evaluated import AT, put_answers, spec
from uq_tui.commands import live
from uq_tui.words import Label, Outcome, RunKind, RunState

ACCEPT, FAILED, SKIPPED = Outcome.ACCEPT, Outcome.FAILED, Outcome.SKIPPED


def ended(ws: Workspace, plugin: tuple[Outcome, str], whole: Outcome, plugins: dict[str, str]) -> live.Ended:
    """A finished run of a plug-in and a check in a vote, on one candidate."""
    (candidate_id,) = put_answers(ws, {"a": ("o3", Label.CORRECT)}).values()
    run = runs.create(ws, RunKind.VALIDATE, "validation", spec() | {"plugins": plugins}, 1)
    found = {
        "vote/boxed": (*plugin, ""),
        "vote/correctness": (FAILED, "no key", "k1"),
        "vote": (whole, "no decision by boxed", ""),
        "": (whole, "no decision by vote", ""),
    }
    judgements.save_outcomes(
        ws,
        [
            StageOutcome(run.id, candidate_id, path, outcome, reason, key, 1, AT, (key,) if key else ())
            for path, (outcome, reason, key) in found.items()
        ],
    )
    runs.set_state(ws, run.id, RunState.DONE)
    finished = runs.get(ws, run.id)
    return live.Ended(finished, (), live.failed_plugins(ws, finished))


def test_a_failed_plugin_is_told_and_the_exit_code_is_1(
    workspace: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    found = ended(workspace, (FAILED, "did not end\x1b[2J within 60 s"), FAILED, {"boxed": "1.0"})
    assert found.plugins == (live.Failure(None, "did not end\x1b[2J within 60 s", 1),)
    assert found.exit_code == 1
    live.say_end(found)
    assert "1 check by plug-ins failed, most with: did not end␛[2J within 60 s" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("plugin", "plugins"), [((SKIPPED, "nothing boxed"), {"boxed": "1.0"}), ((FAILED, "no key"), {})]
)
def test_what_is_no_failure_of_a_plugin(
    workspace: Workspace, plugin: tuple[Outcome, str], plugins: dict[str, str]
) -> None:
    found = ended(workspace, plugin, FAILED, plugins)
    assert (found.plugins, found.exit_code) == ((), 0)
