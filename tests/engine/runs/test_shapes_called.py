"""Each shape of strategy over HTTP: what reaches the server, in which order, and what comes of it."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import pytest_asyncio

from prompts.loader import load_template
from store.workspace import Workspace
from tests.engine.runs.rounds import SAID, Token, rounds_of
from tests.engine.runs.scripted import add_candidates, add_question
from tests.engine.runs.shapes import SHAPES, Case, Shape
from tests.engine.runs.test_shapes import call_of, check_of, expected, found
from tests.fakes.gateway_threads import in_threads
from tests.fakes.openai_server import FakeServer, Rule, SeenRequest
from uq_tui import paths
from uq_tui.config import Config
from uq_tui.engine.requests import ModelChoice, ValidateRequest
from uq_tui.engine.session import EngineSession
from uq_tui.strategies.tree import CheckKind
from uq_tui.words import RunState

pytestmark = pytest.mark.asyncio(loop_scope="module")

OPENINGS = {load_template(name).body.split("\n")[0]: kind.value for kind in CheckKind for name in kind.templates}
"""Which check a first message belongs to, by its first line."""


@dataclass(frozen=True, slots=True)
class Place:
    """A conversation as the server can tell it from others. `answer` is the candidate's number."""

    answer: int
    check: str
    model: str
    sample: int


@dataclass
class Judges:
    """Answers the calls of each conversation in their order."""

    said: dict[Place, list[str]] = field(default_factory=dict)
    heard: list[Place] = field(default_factory=list)

    def __call__(self, request: SeenRequest) -> Rule:
        place = place_of(request)
        self.heard.append(place)
        mark = self.said[place].pop(0)
        return Rule(status=400, error="scripted") if mark == "!" else Rule(SAID[mark].reply)


def place_of(request: SeenRequest) -> Place:
    first = request.user_texts[0]
    answer = first.partition("There are ")[2].partition(".")[0]
    model = str(request.body["model"]).rpartition("/")[2]
    return Place(int(answer), OPENINGS[first.split("\n")[0]], model, request.sample or 0)


@pytest.fixture(scope="module")
def judges() -> Judges:
    return Judges()


@pytest.fixture(scope="module")
def server(judges: Judges) -> Iterator[FakeServer]:
    with FakeServer(judges) as made:
        yield made


@pytest.fixture(scope="module")
def ws(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    made = Workspace.open(tmp_path_factory.mktemp("called") / "test.uq.sqlite")
    add_question(made)
    yield made
    made.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def session(ws: Workspace) -> AsyncIterator[EngineSession]:
    """One engine for all shapes, with one gateway: importing LiteLLM takes seconds."""
    with pytest.MonkeyPatch.context() as patch:
        in_threads(patch)
        patch.setenv(paths.HOME_VARIABLE, str(ws.path.parent / "home"))
        made = EngineSession(ws, Config(gateway_processes=1), lambda event: None, log=Path("/logs/engine.log"))
        yield made
        await made.close()


def script(shape: Shape, case: Case, answer: int) -> tuple[dict[Place, list[str]], list[list[Place]]]:
    """What is to be said in each conversation, and which conversations are to speak in each round."""
    said: dict[Place, list[str]] = {}
    rounds = []
    made: dict[str, int] = {}
    for tokens in rounds_of(case.rounds, shape.prefix):
        speaking = []
        for token in tokens:
            place = conversation_of(shape, token, made.get(token.path, 0), answer)
            made[token.path] = made.get(token.path, 0) + 1
            said.setdefault(place, []).append(token.mark)
            speaking.append(place)
        rounds.append(speaking)
    return said, rounds


def conversation_of(shape: Shape, token: Token, before: int, answer: int) -> Place:
    _, model, sample = call_of(shape, token, before)
    return Place(answer, check_of(token.path), model.rpartition("/")[2], sample)


def by_place(places: list[Place]) -> list[Place]:
    return sorted(places, key=lambda place: (place.check, place.model, place.sample))


def some_cases(shape: Shape) -> list[Case]:
    """An acceptance and a rejection, a failure and an unreadable reply; `test_shapes.py` asks the whole table."""
    cases = [case for case in shape.cases if not case.exact]
    odd = [next(case for case in cases if mark in case.rounds) for mark in "!?"]
    return list(dict.fromkeys((*cases[:2], *odd)))


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.strategy)
async def test_a_shape_over_http(
    ws: Workspace, session: EngineSession, judges: Judges, server: FakeServer, shape: Shape
) -> None:
    numbered = dict(enumerate(some_cases(shape), start=100 * SHAPES.index(shape)))
    ids = dict(zip(add_candidates(ws, *(f"There are {number}." for number in numbered)), numbered, strict=True))
    rounds: dict[int, list[list[Place]]] = {}
    for number, case in numbered.items():
        said, rounds[number] = script(shape, case, number)
        judges.said |= said
    models = [ModelChoice(f"openai/judge-{number}", server.base_url) for number in range(1, shape.models + 1)]
    request = ValidateRequest(tuple(ids), models[0], shape.strategy, more_models=tuple(models[1:]))
    run = await session.wait(await session.start("t", request))

    assert run.state is RunState.DONE
    outcomes = await asyncio.to_thread(found, ws, run)
    for candidate, number in ids.items():
        heard = [place for place in judges.heard if place.answer == number]
        assert heard_in(heard, rounds[number]) == [by_place(speaking) for speaking in rounds[number]]
        assert outcomes[candidate] == expected(shape, numbered[number])
    assert not any(left for place, left in judges.said.items() if place.answer in numbered)


def heard_in(heard: list[Place], rounds: list[list[Place]]) -> list[list[Place]]:
    """What was heard, cut to the lengths of rounds; the rest is one more."""
    cut, start = [], 0
    for speaking in rounds:
        cut.append(by_place(heard[start : start + len(speaking)]))
        start += len(speaking)
    return [*cut, by_place(heard[start:])] if heard[start:] else cut
