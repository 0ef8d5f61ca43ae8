"""Budgets on the command line: what is left unasked is said, and a larger budget goes on."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands.conftest import LONELY, MODEL, QUESTION, Desk, Run, document, model_at
from tests.fakes.openai_server import FakeServer, Rule

Serve = Callable[..., FakeServer]

ANSWER = Rule(reply="It follows by induction, of course.")
"""Six words, which the server counts as tokens."""


@pytest.fixture
def priced(home: Path) -> None:
    """A model with a price: a reply of 40 tokens costs at most 0.04, and 0.006 in truth."""
    folder = home / "config"
    folder.mkdir(parents=True)
    settings = f'[models."{MODEL}"]\nmax_tokens = 40\nusd_per_million_in = 0\nusd_per_million_out = 1000\n'
    (folder / "config.toml").write_text(f"{settings}concurrency = 1\n", encoding="utf-8")


@pytest.mark.usefixtures("priced")
def test_a_run_stops_before_its_budget_and_goes_on_with_a_larger_one(uq: Run, served: Serve) -> None:
    server = served(ANSWER)
    asked = ("generate", LONELY, "--samples", "5", *model_at(server))

    stopped = uq(*asked, "--budget-usd", "0.05", "--json")

    assert stopped.exit_code == 1
    run = document(stopped)["run"]
    assert (run["state"], run["done"], run["budget_usd"]) == ("failed", 2, 0.05)
    assert run["cost_usd"] == pytest.approx(0.012)
    assert "$0.0120 of $0.0500 used" in run["message"]
    assert "3 calls were not sent and may need up to $0.1200 more" in run["message"]
    assert len(server.requests) == 2

    assert uq("runs", "resume", run["id"]).exit_code == 1, "its own budget still holds"
    assert len(server.requests) == 2
    resumed = uq("runs", "resume", run["id"], "--budget-usd", "0.1")
    assert resumed.exit_code == 0
    assert "5 answers generated" in resumed.stderr
    assert len(server.requests) == 5


@pytest.mark.usefixtures("priced")
def test_a_budget_of_tokens(uq: Run, served: Serve) -> None:
    server = served(ANSWER)
    stopped = uq("generate", LONELY, "--samples", "3", *model_at(server), "--budget-tokens", "100000", "--json")
    assert document(stopped)["run"]["tokens"] > 0
    refused = uq("generate", LONELY, "--samples", "3", *model_at(server), "--budget-tokens", "10")
    assert refused.exit_code == 3
    assert "0 of 10 tokens used" in refused.stderr
    assert len(server.requests) == 3


@pytest.mark.usefixtures("priced")
@pytest.mark.parametrize("strategy", ["c @[1, openai/unpriced] m", "c => flc@openai/unpriced"])
def test_a_budget_of_money_needs_the_price_of_each_model_before_any_is_asked(
    uq: Run, desk: Desk, served: Serve, monkeypatch: pytest.MonkeyPatch, strategy: str
) -> None:
    server = served(ANSWER)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-a-test")
    options = ("--strategy", strategy, "--budget-usd", "1", *model_at(server))
    refused = uq("validate", desk.right, *options, "--json")

    assert refused.exit_code == 3
    assert "needs the price of openai/unpriced" in refused.stderr
    assert document(refused)["run"]["asked"] == 0
    assert server.requests == []


def test_a_budget_of_money_needs_a_price(uq: Run, served: Serve) -> None:
    server = served(ANSWER)
    refused = uq("generate", LONELY, *model_at(server), "--budget-usd", "1")
    assert refused.exit_code == 3
    assert "needs the price" in refused.stderr
    assert "usd_per_million_in" in refused.stderr
    assert server.requests == []


def test_a_measurement_that_did_nothing_shows_no_table(uq: Run, served: Serve) -> None:
    refused = uq("cbu", QUESTION, *model_at(served(ANSWER)), "--budget-usd", "1")
    assert (refused.exit_code, refused.stdout) == (3, "")
    assert "needs the price" in refused.stderr
