"""Commands run in this process by click's runner, on a workspace of their own."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from store import candidates, exposures, neighbours, reviewers
from store.ingest.importer import import_file
from store.rows import KnownLabel, Neighbour, NewCandidate, Origin
from store.workspace import Workspace
from tests.fakes.gateway_threads import gateway_threads as gateway_threads
from tests.fakes.openai_server import FakeServer, Rule
from tests.new_workspace import put_copy
from uq_tui.cli import root
from uq_tui.words import AuthorKind, Exposure, Label, TextFormat

Run = Callable[..., Result]

SITE = "math.stackexchange.com"
QUESTION = f"{SITE}:41"
LONELY = f"{SITE}:42"
"""A question without candidates and neighbours."""
MODEL = "openai/scripted"

ROWS = (
    {
        "question_id": 41,
        "title": "Is every [b]even[/b] number\x1b[2J the sum of two primes?",
        "body": "Every even $n > 2$, that is.",
        "site": SITE,
        "tags": ["number-theory"],
        "score": 12,
    },
    {"question_id": 42, "title": "Which numbers are lonely?", "body": "One is.", "site": SITE, "score": 3},
)


@pytest.fixture(autouse=True)
def _one_import(gateway_threads: None) -> None:
    """LiteLLM is imported once for all commands that run in this process."""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """All files of uq-tui are in a temporary folder, and the user's name is fixed."""
    folder = tmp_path / "home"
    monkeypatch.setenv("UQ_TUI_HOME", str(folder))
    monkeypatch.setenv("LOGNAME", "tester")
    return folder


@pytest.fixture
def run() -> Run:
    """Run `uq-tui ARGUMENTS` in this process."""

    def call(*arguments: str, stdin: str = "") -> Result:
        return CliRunner().invoke(root, arguments, input=stdin, prog_name="uq-tui")

    return call


@dataclass(frozen=True)
class Desk:
    """A workspace file with two questions; the first has two candidates and two neighbours."""

    path: Path
    right: str
    wrong: str
    """Candidate ids."""

    def open(self) -> Workspace:
        return Workspace.open(self.path)

    def answered(self, text: str, model: str = "m") -> str:
        """The id of another candidate of `QUESTION`, by a model."""
        workspace = self.open()
        try:
            new = NewCandidate(QUESTION, text, TextFormat.MARKDOWN, Origin(AuthorKind.MODEL, model=model))
            (added,) = candidates.add(workspace, [new])
        finally:
            workspace.close()
        return added


@pytest.fixture(scope="session")
def stocked(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """The desk that all others are copied from."""
    folder = tmp_path_factory.mktemp("stocked")
    source = folder / "questions.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    path = folder / "desk.uq.sqlite"
    workspace = Workspace.open(path)
    try:
        import_file(workspace, source)
        right, wrong = candidates.add(workspace, (_answer("Yes, by a sieve."), _answer("No, 8 is not.", flawed=True)))
        neighbours.add(
            workspace,
            QUESTION,
            [Neighbour("", "How many primes are below 10?", "4", "us"), Neighbour("", "What is 5 + 7?", "12", "us")],
        )
    finally:
        workspace.close()
    return Desk(path, right, wrong)


@pytest.fixture
def desk(stocked: Desk, tmp_path: Path) -> Desk:
    path = tmp_path / "desk.uq.sqlite"
    put_copy(stocked.path.read_bytes(), path)
    return replace(stocked, path=path)


def exposed(desk: Desk, candidate: str) -> set[Exposure]:
    """What the current reviewer has been shown of a candidate."""
    workspace = desk.open()
    try:
        return {row.what for row in exposures.of_candidate(workspace, reviewers.current(workspace).id, candidate)}
    finally:
        workspace.close()


def _answer(text: str, *, flawed: bool = False) -> NewCandidate:
    label = KnownLabel(Label.INCORRECT, "8 = 3 + 5", "us") if flawed else None
    origin = Origin(AuthorKind.MODEL, model="secret-model", source="answers.jsonl")
    return NewCandidate(QUESTION, text, TextFormat.MARKDOWN, origin, reasoning="Think of 8.", known_label=label)


@pytest.fixture
def uq(run: Run, desk: Desk) -> Run:
    """Run `uq-tui --workspace DESK ARGUMENTS`."""

    def call(*arguments: str, stdin: str = "") -> Result:
        return run("--workspace", str(desk.path), *arguments, stdin=stdin)

    return call


def document(result: Result) -> Any:
    """The JSON document on standard output."""
    return json.loads(result.stdout)


@pytest.fixture
def served() -> Iterator[Callable[..., FakeServer]]:
    """Start a loopback server with these rules."""
    started: list[FakeServer] = []

    def serve(*rules: Rule) -> FakeServer:
        started.append(FakeServer(rules).start())
        return started[-1]

    yield serve
    for server in started:
        server.stop()


def model_at(server: FakeServer) -> tuple[str, ...]:
    """The options that name the server's model."""
    return ("--model", MODEL, "--api-base", server.base_url)
