"""`uq-tui plugins`."""

import pytest
from click.testing import CliRunner, Result

from store import candidates, exposures, reviewers
from store.rows import NewCandidate, Origin
from tests.commands.conftest import QUESTION, Desk, document
from tests.commands.conftest import desk as desk
from tests.commands.conftest import home as home
from tests.commands.conftest import stocked as stocked
from uq_tui.cli import root
from uq_tui.words import AuthorKind, Exposure, TextFormat


def uq(desk: Desk, *arguments: str) -> Result:
    return CliRunner().invoke(root, ["--workspace", str(desk.path), *arguments], prog_name="uq-tui")


@pytest.fixture
def claimed(desk: Desk) -> str:
    """A candidate that claims a false identity."""
    workspace = desk.open()
    try:
        answer = "For all real $t$, $\\cos 2t = 2\\cos^2 t + 1$."
        origin = Origin(AuthorKind.PERSON)
        (made,) = candidates.add(workspace, (NewCandidate(QUESTION, answer, TextFormat.MARKDOWN, origin),))
    finally:
        workspace.close()
    return made


def test_plain_plugins_lists(desk: Desk) -> None:
    done = uq(desk, "plugins")

    assert done.exit_code == 0
    assert "numeric_identity  uq_tui.validators  uq-tui" in done.stdout


def test_run_prints_the_finding(desk: Desk, claimed: str) -> None:
    done = uq(desk, "plugins", "run", "numeric_identity", claimed[:8])

    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("✗ reject  \\cos 2t = 2\\cos^2 t + 1 does not hold at t = ")


def test_run_as_json(desk: Desk) -> None:
    done = uq(desk, "plugins", "run", "numeric_identity", desk.right, "--json")

    told = document(done)
    assert told["plugin"]["name"] == "numeric_identity"
    assert told["plugin"]["package"] == "uq-tui"
    assert told["candidate_id"] == desk.right
    assert told["outcome"] == "skipped"


def test_what_is_shown_is_recorded(desk: Desk, claimed: str) -> None:
    uq(desk, "plugins", "run", "numeric_identity", claimed)

    workspace = desk.open()
    try:
        reviewer = reviewers.current(workspace)
        shown = exposures.of_candidate(workspace, reviewer.id, claimed)
    finally:
        workspace.close()
    assert [one.what for one in shown] == [Exposure.OUTCOMES]


def test_a_strategy_of_a_plugin_alone_asks_no_model(desk: Desk, claimed: str) -> None:
    done = uq(desk, "validate", "--strategy", "plugin(numeric_identity)", claimed, desk.right, "--json")

    assert done.exit_code == 0, done.output
    told = document(done)
    decided = {(one["candidate_id"], one["path"]): one["outcome"] for one in told["outcomes"]}
    assert decided[claimed, ""] == decided[claimed, "numeric_identity"] == "reject"
    assert decided[desk.right, "numeric_identity"] == "skipped"
    assert told["run"]["asked"] == 0


def test_an_unknown_plugin_is_told(desk: Desk) -> None:
    done = uq(desk, "plugins", "run", "nothing", desk.right, "--json")

    assert done.exit_code == 3
    assert document(done)["error"]["title"] == "Plug-in"
    assert "numeric_identity" in document(done)["error"]["hint"]
