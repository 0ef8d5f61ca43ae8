"""The embedded model for real, and what happens when its server doesn't start, crashes, or loses its parent."""

import asyncio
import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path

import pytest

from tests.engine.gateway.asking import Heard, an_ask, answer, prepare
from uq_tui.config import ModelSettings
from uq_tui.engine import weights
from uq_tui.engine.decision import read_decision
from uq_tui.engine.llm import close_clients
from uq_tui.engine.local_provider import LocalProvider, LocalServers, ServerProcess, ServerSettings
from uq_tui.engine.protocol import ModelChoice
from uq_tui.engine.sending import Timeouts
from uq_tui.engine.spec import AnswerForm, CallFailedError
from uq_tui.errors import ModelError
from uq_tui.words import CallErrorKind, Outcome

EMBEDDED = ModelChoice("local/smollm2-135m")
JUDGE = """Question: Is every continuous function on a closed interval bounded?

Candidate: Yes. Suppose it is not, take points where it grows beyond all bounds, and pass to a convergent subsequence.

Judge whether the candidate is right. End with exactly one of these two lines:

ABCD2345: accept
ABCD2345: reject"""
SOLVE = "In how many ways can a board of 2 by 10 squares be covered by dominoes? Put the final answer in \\boxed{}."
BOXED = re.compile(r"\\boxed\{(.+)\}\Z")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("UQ_TUI_HOME", str(tmp_path / "home"))
    return tmp_path


@pytest.fixture
async def servers() -> AsyncIterator[LocalServers]:
    opened = LocalServers()
    yield opened
    opened.close()
    await close_clients()


@pytest.fixture
def gguf() -> Path:
    try:
        return weights.usable_gguf("smollm2-135m", ModelSettings())
    except ModelError as error:
        pytest.skip(error.message)


@pytest.fixture
def library() -> None:
    if importlib.util.find_spec("xllamacpp") is None:
        pytest.skip("xllamacpp is not installed")


def eventually(condition: Callable[[], bool], within_s: float = 15.0) -> bool:
    end = time.monotonic() + within_s
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def has_ended(server: ServerProcess) -> bool:
    return not server.running


def is_gone(pid: int) -> bool:
    """Whether a process has ended; one that nobody has waited for yet counts as ended."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text() if sys.platform == "linux" else ""
        os.kill(pid, 0)
    except (FileNotFoundError, ProcessLookupError):
        return True
    return status.rpartition(")")[2].split()[:1] == ["Z"]


@pytest.mark.local
@pytest.mark.usefixtures("gguf")
async def test_every_enforced_reply_can_be_read(servers: LocalServers) -> None:
    provider = LocalProvider(EMBEDDED, ModelSettings(temperature=0.8), servers)
    judging = [an_ask(JUDGE, form=AnswerForm.DECISION, tag="ABCD2345", sample=n) for n in range(4)]
    solving = [an_ask(SOLVE, form=AnswerForm.BOXED, sample=n) for n in range(4)]
    judged = await asyncio.gather(*(answer(provider, ask) for ask in judging))
    solved = await asyncio.gather(*(answer(provider, ask) for ask in solving))
    outcomes = {read_decision(reply.reply, "ABCD2345").outcome for reply in judged}
    assert outcomes <= {Outcome.ACCEPT, Outcome.REJECT}
    assert all(BOXED.search(reply.reply) for reply in solved)
    assert {reply.finish_reason for reply in (*judged, *solved)} == {"stop"}
    assert {reply.cost_usd for reply in (*judged, *solved)} == {0.0}
    assert max(reply.tokens_out or 9999 for reply in (*judged, *solved)) < 400


@pytest.mark.local
@pytest.mark.usefixtures("gguf")
async def test_text_streams_and_the_same_ask_gets_the_same_reply(servers: LocalServers) -> None:
    provider, heard = LocalProvider(EMBEDDED, ModelSettings(max_tokens=24), servers), Heard()
    first = await answer(provider, an_ask("Name three numbers."), heard)
    assert heard.reply == first.reply
    assert len(heard.pieces) > 3
    assert (await answer(provider, an_ask("Name three numbers."))).reply == first.reply
    assert (await answer(provider, an_ask("Name three numbers.", sample=1))).reply != first.reply


@pytest.mark.local
async def test_what_is_prepared_names_the_file_and_the_context(gguf: Path, servers: LocalServers) -> None:
    provider = LocalProvider(EMBEDDED, ModelSettings(), servers)
    found = await prepare(provider, an_ask(form=AnswerForm.DECISION, tag="ABCD2345"))
    assert found.provider_model == "local/smollm2-135m"
    assert found.endpoint == f"gguf:{weights.file_sha256(gguf)}:8192"
    assert found.constrained
    assert "ABCD2345" in found.parameters["grammar"]
    free = await prepare(provider, an_ask(max_tokens=9, temperature=0.0))
    assert free.parameters == {"max_tokens": 9, "seed": 0, "temperature": 0.0}
    assert not free.constrained


@pytest.mark.local
async def test_the_server_wants_its_key_and_lets_no_page_in(gguf: Path, servers: LocalServers) -> None:
    server = await servers.running(ServerSettings("smollm2-135m", gguf, slots=2, context=512))
    target = server.target
    assert target.api_key is not None
    url = f"{target.api_base}/models"
    with pytest.raises(urllib.error.HTTPError, match="401"):
        await asyncio.to_thread(urllib.request.urlopen, url)
    headers = {"Authorization": f"Bearer {target.api_key}", "Origin": "http://page.example"}
    request = urllib.request.Request(url, headers=headers)
    with await asyncio.to_thread(urllib.request.urlopen, request) as response:
        assert not response.headers["Access-Control-Allow-Origin"]
        about = json.loads(response.read())["data"][0]["meta"]
    assert about["n_ctx"] == 512
    page = urllib.request.Request(target.api_base.removesuffix("v1"), headers=headers)
    with pytest.raises(urllib.error.HTTPError, match="404"):
        await asyncio.to_thread(urllib.request.urlopen, page)
    assert target.api_key not in repr(target)


@pytest.mark.local
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
async def test_the_key_stands_in_no_list_of_processes_and_in_no_log(
    gguf: Path, servers: LocalServers, home: Path
) -> None:
    server = await servers.running(ServerSettings("smollm2-135m", gguf, slots=1, context=512))
    key = str(server.target.api_key)
    about = Path(f"/proc/{server.pid}")
    assert key not in (about / "cmdline").read_text() + (about / "environ").read_text()
    log = home / "home" / "log" / "local-smollm2-135m.log"
    assert "listening" in log.read_text()
    assert key not in log.read_text()
    assert os.getpriority(os.PRIO_PROCESS, server.pid or 0) == 10


@pytest.mark.local
async def test_a_prompt_beyond_the_context_is_told_as_such(gguf: Path, servers: LocalServers) -> None:
    provider = LocalProvider(EMBEDDED, ModelSettings(), servers)
    with pytest.raises(CallFailedError) as caught:
        await answer(provider, an_ask("word " * 9000))
    assert (caught.value.kind, caught.value.retryable) == (CallErrorKind.CONTEXT_TOO_LONG, False)


@pytest.mark.local
@pytest.mark.usefixtures("gguf")
async def test_cancelling_frees_the_slot(servers: LocalServers) -> None:
    settings = ModelSettings(concurrency=1, max_tokens=8000)
    provider = LocalProvider(EMBEDDED, settings, servers, Timeouts(first_s=60))
    endless = an_ask(JUDGE, form=AnswerForm.DECISION, tag="ABCD2345", temperature=0.9)
    started = asyncio.Event()
    prepared = await prepare(provider, endless)
    task = asyncio.create_task(provider.complete(prepared, lambda *_: started.set()))
    await asyncio.wait_for(started.wait(), 120)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    reply = await asyncio.wait_for(answer(provider, an_ask("Say yes.", max_tokens=3)), 60)
    assert reply.finish_reason in ("stop", "length")


@pytest.mark.local
async def test_a_crashed_server_is_started_again_once(gguf: Path, servers: LocalServers) -> None:
    settings = ServerSettings("smollm2-135m", gguf, slots=1, context=512)
    pids = []
    for _ in range(2):
        server = await servers.running(settings)
        pids.append(server.pid or 0)
        os.kill(pids[-1], signal.SIGKILL)
        assert await asyncio.to_thread(eventually, partial(has_ended, server))
    with pytest.raises(ModelError) as caught:
        await servers.running(settings)
    assert "crashed twice" in caught.value.message
    assert "local-smollm2-135m.log" in caught.value.hint
    assert pids[0] != pids[1]


@pytest.mark.local
async def test_a_reply_makes_up_for_a_crash(gguf: Path, servers: LocalServers) -> None:
    settings = ServerSettings("smollm2-135m", gguf, slots=1, context=512)
    for _ in range(3):
        server = await servers.running(settings)
        servers.replied(settings)
        os.kill(server.pid or 0, signal.SIGKILL)
        assert await asyncio.to_thread(eventually, partial(has_ended, server))


@pytest.mark.local
async def test_asking_at_once_starts_one_server(gguf: Path, servers: LocalServers) -> None:
    settings = ServerSettings("smollm2-135m", gguf, slots=1, context=512)
    found = await asyncio.gather(*(servers.running(settings) for _ in range(4)))
    pids = {server.pid for server in found}
    assert len(pids) == 1
    servers.close()
    assert all(is_gone(pid) for pid in pids if pid)


@pytest.mark.local
def test_the_server_ends_with_its_parent(gguf: Path) -> None:
    code = f"""
import asyncio, sys, threading
from pathlib import Path
from uq_tui.engine.local_provider import LocalServers, ServerProcess, ServerSettings
async def main():
    server = await LocalServers().running(ServerSettings("smollm2-135m", Path({str(gguf)!r}), 1, 512))
    print(server.pid, flush=True)
    threading.Event().wait()
asyncio.run(main())
"""
    with subprocess.Popen([sys.executable, "-P", "-c", code], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert not is_gone(pid)
        parent.kill()
        parent.wait()
    assert eventually(lambda: is_gone(pid))


@pytest.mark.local
@pytest.mark.usefixtures("library")
async def test_a_broken_model_file_is_told_with_the_log(home: Path, servers: LocalServers) -> None:
    broken = home / "broken.gguf"
    broken.write_bytes(b"GGUF" + bytes(100))
    with pytest.raises(ModelError) as caught:
        await servers.running(ServerSettings("broken", broken, slots=1, context=512))
    assert "The server of local/broken did not start" in caught.value.message
    assert "local-broken.log" in caught.value.hint


async def test_a_missing_library_is_told_before_anything_is_started(
    servers: LocalServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ModelError) as caught:
        await prepare(LocalProvider(EMBEDDED, ModelSettings(), servers), an_ask())
    assert 'pip install "uq-tui[local]"' in caught.value.hint


async def test_a_server_that_ends_at_once_is_told_with_the_log(
    home: Path, servers: LocalServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false" if Path("/bin/false").exists() else "/usr/bin/false")
    with pytest.raises(ModelError) as caught:
        await servers.running(ServerSettings("odd name/..", home / "any.gguf", slots=1, context=512))
    assert "it ended without a word" in caught.value.message
    assert "local-odd_name_...log" in caught.value.hint
