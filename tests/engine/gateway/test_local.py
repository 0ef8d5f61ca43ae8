"""The embedded model for real. How its server is shared and ends: test_local_sharing."""

import asyncio
import importlib.util
import json
import os
import re
import sys
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from prompts.loader import Output
from store.run_rows import Message
from tests.engine.gateway.asking import Heard, an_ask, answer, prepare
from uq_tui.analysis.scale import Scale
from uq_tui.config import ModelSettings, Sampling
from uq_tui.engine.gateways.pool import Gateways
from uq_tui.engine.gateways.sending import Timeouts
from uq_tui.engine.judging.conversations import Conversation
from uq_tui.engine.judging.decision import read_decision
from uq_tui.engine.judging.rating_reading import read_rating
from uq_tui.engine.judging.scores import score_in
from uq_tui.engine.local import weights
from uq_tui.engine.local.provider import LocalProvider
from uq_tui.engine.local.servers import LocalServers, ServerSettings
from uq_tui.engine.requests import ModelChoice
from uq_tui.engine.spec import CallFailedError
from uq_tui.errors import ModelError
from uq_tui.words import CallErrorKind, Outcome

pytestmark = pytest.mark.asyncio(loop_scope="module")

EMBEDDED = ModelChoice("local/smollm2-135m")
JUDGE = """Question: Is every continuous function on a closed interval bounded?

Candidate: Yes. Suppose it is not, take points where it grows beyond all bounds, and pass to a convergent subsequence.

Judge whether the candidate is right. End with exactly one of these two lines:

ABCD2345: accept
ABCD2345: reject"""
SOLVE = "In how many ways can a board of 2 by 10 squares be covered by dominoes? Put the final answer in \\boxed{}."
BOXED = re.compile(r"\\boxed\{(.+)\}\Z")


@pytest.fixture(scope="module", autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """One folder for all tests here, so that they find the server of the one before them still there."""
    folder = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("UQ_TUI_HOME", str(folder))
        yield folder


@pytest.fixture
def servers(home: Path) -> Iterator[LocalServers]:
    opened = LocalServers(home / "w.uq.sqlite")
    yield opened
    opened.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def gateways(home: Path) -> AsyncIterator[Gateways]:
    opened = Gateways(1)
    yield opened
    await opened.close()


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


def serving(gguf: Path, slots: int = 2, context: int = 256) -> ServerSettings:
    return ServerSettings("smollm2-135m", gguf, weights.file_sha256(gguf), slots, context)


@pytest.mark.local
@pytest.mark.usefixtures("gguf")
async def test_every_enforced_reply_can_be_read(servers: LocalServers, gateways: Gateways) -> None:
    provider = LocalProvider(EMBEDDED, ModelSettings(), servers, gateways)
    judging = [an_ask(JUDGE, form=Output.DECISION, tag="ABCD2345", sample=n) for n in range(2)]
    solving = [an_ask(SOLVE, form=Output.BOXED)]
    judged = await asyncio.gather(*(answer(provider, ask, sampling=Sampling(0.8)) for ask in judging))
    solved = await asyncio.gather(*(answer(provider, ask, sampling=Sampling(0.8)) for ask in solving))
    outcomes = {read_decision(reply.reply, "ABCD2345").outcome for reply in judged}
    assert outcomes <= {Outcome.ACCEPT, Outcome.REJECT}
    assert all(BOXED.search(reply.reply) for reply in solved)
    assert {reply.finish_reason for reply in (*judged, *solved)} == {"stop"}
    assert {reply.cost_usd for reply in (*judged, *solved)} == {0.0}
    assert max(reply.tokens_out or 9999 for reply in (*judged, *solved)) < 400


@pytest.mark.local
@pytest.mark.usefixtures("gguf")
async def test_every_enforced_score_can_be_read(servers: LocalServers, gateways: Gateways) -> None:
    provider, scale = LocalProvider(EMBEDDED, ModelSettings(), servers, gateways), Scale(0, 7)
    forms = (Output.SCORE, Output.SCORE_EXACT, Output.GRADE, Output.GRADE_EXACT)
    tags = ["" if form.endswith("_exact") else "ABCD2345" for form in forms]
    asks = [an_ask(JUDGE, form=form, tag=tag, scale=scale) for form, tag in zip(forms, tags, strict=True)]
    rating = an_ask(JUDGE, form=Output.RATING, tag="ABCD2345")
    *replies, rated = await asyncio.gather(*(answer(provider, ask, sampling=Sampling(0.8)) for ask in (*asks, rating)))
    assert read_rating(rated.reply, "ABCD2345").trouble == ""
    asked = [Conversation((), form, tag, scale) for form, tag in zip(forms, tags, strict=True)]
    scores = [score_in(one, reply.reply) for one, reply in zip(asked, replies, strict=True)]
    assert [score.reason for score in scores] == [""] * 4
    assert {reply.finish_reason for reply in replies} == {"stop"}


@pytest.mark.local
@pytest.mark.usefixtures("gguf")
async def test_text_streams_and_the_same_ask_gets_the_same_reply(servers: LocalServers, gateways: Gateways) -> None:
    provider, heard = LocalProvider(EMBEDDED, ModelSettings(), servers, gateways), Heard()
    asked = [an_ask("Name three numbers.", max_tokens=24, sample=sample) for sample in (0, 0, 1)]
    first = await answer(provider, asked[0], heard)
    assert heard.reply == first.reply
    assert len(heard.pieces) > 3
    assert (await answer(provider, asked[1])).reply == first.reply
    assert (await answer(provider, asked[2])).reply != first.reply
    unwatched = await provider.complete(await prepare(provider, asked[0]), None)
    assert unwatched == first


@pytest.mark.local
async def test_what_is_prepared_names_the_file_and_the_context(
    gguf: Path, servers: LocalServers, gateways: Gateways
) -> None:
    provider = LocalProvider(EMBEDDED, ModelSettings(), servers, gateways)
    found = await prepare(provider, an_ask(form=Output.DECISION, tag="ABCD2345"))
    assert found.provider_model == "local/smollm2-135m"
    assert found.endpoint == f"gguf:{weights.file_sha256(gguf)}:8192"
    assert found.constrained
    assert "ABCD2345" in found.parameters["grammar"]
    free = await prepare(provider, an_ask(max_tokens=9, temperature=0.0))
    assert free.parameters == {"max_tokens": 9, "seed": 0, "temperature": 0.0}
    assert not free.constrained


@pytest.mark.local
async def test_the_server_wants_its_key_and_lets_no_page_in(
    gguf: Path, servers: LocalServers, gateways: Gateways
) -> None:
    server = await servers.running(serving(gguf))
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
    assert about["n_ctx"] == 256
    page = urllib.request.Request(target.api_base.removesuffix("v1"), headers=headers)
    with pytest.raises(urllib.error.HTTPError, match="404"):
        await asyncio.to_thread(urllib.request.urlopen, page)
    assert target.api_key not in repr(target)


@pytest.mark.local
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
async def test_the_key_stands_in_no_list_of_processes_and_in_no_log(
    gguf: Path, servers: LocalServers, home: Path
) -> None:
    server = await servers.running(serving(gguf))
    key = str(server.target.api_key)
    about = Path(f"/proc/{server.pid}")
    assert key not in (about / "cmdline").read_text() + (about / "environ").read_text()
    log = home / "log" / "local-smollm2-135m.log"
    assert "listening" in log.read_text()
    assert key not in log.read_text()
    assert os.getpriority(os.PRIO_PROCESS, server.pid) == 10


SMALL = ModelSettings(concurrency=2, context=256)


@pytest.mark.local
@pytest.mark.usefixtures("gguf")
async def test_a_prompt_that_leaves_no_room_for_a_reply_is_refused_with_the_numbers(
    servers: LocalServers, gateways: Gateways
) -> None:
    provider = LocalProvider(EMBEDDED, SMALL, servers, gateways)
    with pytest.raises(CallFailedError) as caught:
        await answer(provider, an_ask("word " * 190, max_tokens=400))
    assert (caught.value.kind, caught.value.retryable) == (CallErrorKind.CONTEXT_TOO_LONG, False)
    told = re.fullmatch(
        r"The prompt has (\d+) tokens, and a slot of local/smollm2-135m holds 256, of which .* at least 72\. .*",
        str(caught.value),
    )
    assert told is not None
    assert (await answer(provider, an_ask("word " * 190, max_tokens=1))).tokens_in == int(told[1])


@pytest.mark.local
async def test_the_model_library_itself_refuses_what_was_not_counted(
    gguf: Path, servers: LocalServers, gateways: Gateways
) -> None:
    server = await servers.running(serving(gguf))
    assert (server.count_tokens([Message("user", "word " * 400)]) or 0) > 400
    with pytest.raises(CallFailedError) as caught:
        await gateways.send(
            server.target,
            [Message("user", "word " * 400)],
            {"max_tokens": 9},
            Timeouts(),
            on_text=None,
        )
    assert (caught.value.kind, caught.value.retryable) == (CallErrorKind.CONTEXT_TOO_LONG, False)


@pytest.mark.local
@pytest.mark.usefixtures("gguf")
async def test_a_reply_that_outgrows_its_slot_is_cut_there(servers: LocalServers, gateways: Gateways) -> None:
    provider = LocalProvider(EMBEDDED, SMALL, servers, gateways)
    story = an_ask("Tell a very long story about a lighthouse, in twenty chapters.", max_tokens=5000, temperature=0.0)
    reply = await answer(provider, story)
    assert reply.finish_reason == "length"
    assert (reply.tokens_in or 0) + (reply.tokens_out or 0) == 256


@pytest.mark.local
@pytest.mark.usefixtures("gguf")
async def test_cancelling_frees_the_slot(servers: LocalServers, gateways: Gateways) -> None:
    settings = ModelSettings(concurrency=1)
    provider = LocalProvider(EMBEDDED, settings, servers, gateways, Timeouts(first_s=60))
    endless = an_ask(JUDGE, form=Output.DECISION, tag="ABCD2345", temperature=0.9, max_tokens=8000)
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
@pytest.mark.usefixtures("library")
async def test_a_broken_model_file_is_told_with_the_log(home: Path, servers: LocalServers, gateways: Gateways) -> None:
    broken = home / "broken.gguf"
    broken.write_bytes(b"GGUF" + bytes(100))
    with pytest.raises(ModelError) as caught:
        await servers.running(replace(serving(broken), name="broken"))
    assert "The server of local/broken did not start" in caught.value.message
    assert "local-broken.log" in caught.value.hint


async def test_a_missing_library_is_told_before_anything_is_started(
    servers: LocalServers, gateways: Gateways, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ModelError) as caught:
        await prepare(LocalProvider(EMBEDDED, ModelSettings(), servers, gateways), an_ask())
    assert 'pip install "uq-tui[local]"' in caught.value.hint
