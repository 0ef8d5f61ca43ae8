import random
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from store.workspace import Workspace
from tests.engine.process.fakes import Bench, FakeProvider, bench
from tests.engine.process.kills import Kills, answer
from tests.engine.process.lab import ROOT, App, Server, stock
from tests.engine.process.session_bench import LOG, Engine, FakeJob, FakeModels
from tests.fakes.openai_server import FakeServer
from tests.new_workspace import new_workspace
from uq_tui import paths
from uq_tui.config import Config
from uq_tui.engine import session as session_module
from uq_tui.engine.protocol import Event
from uq_tui.engine.session import EngineSession
from uq_tui.words import RunKind


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Bench]:
    made = bench(tmp_path)
    yield made
    await made.close()


@pytest.fixture
async def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Engine]:
    """A session whose job and models do as the test says."""
    ws = new_workspace(tmp_path / "test.uq.sqlite")
    provider, job = FakeProvider(), FakeJob()
    models = FakeModels(provider)
    monkeypatch.setattr(session_module, "Models", lambda *_: models)
    monkeypatch.setattr(session_module, "JOBS", dict.fromkeys(RunKind, job))
    events: list[Event] = []
    made = Engine(ws, provider, models, job, EngineSession(ws, Config(), events.append, log=LOG, audience=True), events)
    yield made
    await made.session.close()
    ws.close()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    made = Server()
    with made.http:
        yield made


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder for a workspace, its log and its settings; workers find the checkout under test."""
    made = tmp_path_factory.mktemp("worker")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("UQ_TUI_HOME", str(made / "home"))
        patch.setenv("PYTHONPATH", str(ROOT))
        yield made


@pytest.fixture(scope="module")
def ws(folder: Path) -> Iterator[Workspace]:
    made = Workspace.open(folder / "test.uq.sqlite")
    stock(made)
    yield made
    made.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def app(ws: Workspace, folder: Path) -> AsyncIterator[App]:
    """An app with a running worker, shared by a module: importing LiteLLM takes seconds."""
    made = App(ws.path, folder / "worker.log")
    await made.client.start()
    yield made
    await made.client.close()


@pytest.fixture
def kills(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Kills]:
    """An empty workspace and a server to kill on, by a chance that is the same in every run of a test."""
    if sys.platform != "linux":
        pytest.skip("finds its processes in /proc")
    monkeypatch.setenv("UQ_TUI_HOME", str(tmp_path / "home"))
    (paths.config_dir() / "config.toml").write_text("gateway_processes = 1\n")  # each takes seconds to start
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    ws = new_workspace(tmp_path / "test.uq.sqlite")
    with FakeServer(answer) as server:
        yield Kills(ws, tmp_path, server, random.Random(request.node.name))
    ws.close()
