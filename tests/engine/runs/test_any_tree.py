"""Arbitrary strategies by arbitrary judges, held against a plain second reading of the rules."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prompts.loader import load_template
from store import judgements, runs
from store.run_rows import Call, Run, StageOutcome
from store.workspace import Workspace
from tests.engine.runs.judged import INFERRED
from tests.engine.runs.reference import PLAIN, REPLIES, A, F, R, Reference, S, U, opinions
from tests.engine.runs.rounds import SAID
from tests.engine.runs.scripted import Said, Script, Scripted, add_candidates, add_question
from tests.strategies.trees import strategies
from uq_tui.engine.judging.judgement import Prompts
from uq_tui.engine.judging.seats import fill, seats_of
from uq_tui.engine.judging.walk import Judging, Screening
from uq_tui.engine.protocol import OutcomeDecided
from uq_tui.engine.requests import ModelChoice
from uq_tui.engine.runs.inputs import Judged
from uq_tui.engine.runs.validate import prompts_of
from uq_tui.engine.spec import Ask, RunContext
from uq_tui.plugins.spec import Finding
from uq_tui.strategies.planning import planned_calls
from uq_tui.strategies.tree import Strategy, places, slot_count
from uq_tui.words import DecisionForm, Outcome, RunKind

EPOCHS = count()
"""Every example has its own, so that none remembers another's calls."""
FEW = settings(max_examples=25)
SEEDS = st.integers(0, 10**6)
TREES = strategies(leaves=4)


@pytest.fixture(scope="module")
def ws(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    opened = Workspace.open(tmp_path_factory.mktemp("trees") / "test.uq.sqlite")
    add_question(opened)
    add_candidates(opened, ANSWER)
    yield opened
    opened.close()


ANSWER = "There are 12, by counting."


class Dawdling(Scripted):
    """Answers in an order of its own."""

    async def ask(self, run: Run, asks: Sequence[Ask]) -> tuple[Call, ...]:
        for _ in range(sum(map(ord, asks[0].path)) * 7919 % 23):
            await asyncio.sleep(0)
        return await super().ask(run, asks)


class Trial:
    """One strategy in front of one set of judges and plug-ins."""

    def __init__(self, ws: Workspace, strategy: Strategy, seed: int, replies: tuple[str, ...], inferences: str) -> None:
        self.ws = ws
        self.strategy = strategy
        self.opinions = opinions(seed, replies, inferences)
        self.epoch = next(EPOCHS)
        cast = (A, R, S) if replies == PLAIN else (A, R, S, U, F)
        self.plugin: Callable[[str], Outcome] = lambda name: cast[(seed + len(name) + sum(map(ord, name))) % len(cast)]
        self.reference = Reference(self.opinions, self.plugin).evaluate(strategy.root)

    def script(self) -> Script:
        """The same opinions whenever they are asked."""

        def script(ask: Ask) -> Said:
            opinion = self.opinions(ask.path)
            if ask.template.name == "check.cycle_infer":
                return INFERRED if opinion.inferred == "q" else SAID[opinion.inferred]
            return SAID[opinion.replies[1 if ask.template.name == "retry.decision" else 0]]

        return script

    def run(self) -> Run:
        return runs.create(self.ws, RunKind.VALIDATE, "any", {"epoch": self.epoch}, 1)

    async def conduct(self, model: Scripted, run: Run, *, exact: bool = False) -> dict[str, StageOutcome]:
        async def ask(asks: Sequence[Ask]) -> tuple[Call, ...]:
            return await model.ask(run, asks)

        async def progress(done: int, total: int) -> None:
            raise AssertionError("only the run tells of progress")

        async def run_plugin(name: str, question: str, answer: str) -> Finding:
            assert answer == ANSWER
            return Finding(self.plugin(name), "so it found")

        models = [ModelChoice(f"m/{number}") for number in range(1, max(slot_count(self.strategy.root), 1) + 1)]
        names = prompts_of(self.strategy, DecisionForm.TAGGED)
        screening = Screening(
            ctx=RunContext(run.id, run.spec, ask, model.emit, progress, self.ws.secret),
            ws=self.ws,
            root=self.strategy.root,
            prompts=Prompts({name: load_template(name) for name in names}, DecisionForm.TAGGED),
            seats=seats_of(self.strategy.root, fill(self.strategy.root, models)),
            exact=exact,
            run_plugin=run_plugin,
        )
        with self.ws.read() as conn:
            (candidate,) = conn.exec_driver_sql("SELECT id FROM candidate").one()
        await Judging(screening, Judged(candidate, "How many are there?", ANSWER)).whole()
        return {row.path: row for row in judgements.outcomes_of_run(self.ws, run.id)}

    def walked(self, model: Scripted, *, exact: bool = False) -> dict[str, StageOutcome]:
        return asyncio.run(self.conduct(model, self.run(), exact=exact))


def outcomes(rows: Mapping[str, StageOutcome]) -> dict[str, Outcome]:
    return {path: row.outcome for path, row in rows.items()}


@FEW
@given(TREES, SEEDS)
def test_asking_everything_comes_to_what_the_rules_say(ws: Workspace, strategy: Strategy, seed: int) -> None:
    one = Trial(ws, strategy, seed, REPLIES, "qqq0!")
    model = Scripted(ws, one.script())
    found = one.walked(model, exact=True)

    assert outcomes(found) == one.reference
    assert found.keys() == {place.path for place in places(strategy)}
    told = [event.path for event in model.events if isinstance(event, OutcomeDecided)]
    assert sorted(told) == sorted(found)
    keys = [Scripted.key(ask, one.epoch) for ask in model.asks]
    assert len(set(keys)) == len(keys)
    assert sorted(key for row in found.values() for key in row.call_keys) == sorted(keys)


@FEW
@given(TREES, SEEDS, st.sampled_from([(REPLIES, "qqq0!"), (PLAIN, "q"), (("+", "-", "+", "??"), "q")]))
def test_waves_decide_what_asking_everything_decides(
    ws: Workspace, strategy: Strategy, seed: int, words: tuple[tuple[str, ...], str]
) -> None:
    one = Trial(ws, strategy, seed, *words)
    found = outcomes(one.walked(Scripted(ws, one.script())))

    assert found.keys() == one.reference.keys()
    assert {path: outcome for path, outcome in found.items() if outcome is not S}.items() <= one.reference.items()
    assert found[""] is one.reference[""]


@FEW
@given(TREES, SEEDS, st.booleans())
def test_calls_are_between_the_fewest_and_the_most_planned(
    ws: Workspace, strategy: Strategy, seed: int, exact: bool
) -> None:
    one = Trial(ws, strategy, seed, ("+", "-", "?+", "?-"), "q")
    model = Scripted(ws, one.script())
    one.walked(model, exact=exact)

    planned = planned_calls(strategy, exact=exact)
    made = [ask for ask in model.asks if ask.template.name != "retry.decision"]
    assert planned.fewest <= len(made) <= planned.most


@FEW
@given(TREES, SEEDS, st.data())
def test_a_run_cut_off_anywhere_and_resumed_ends_as_if_it_had_not_been(
    ws: Workspace, strategy: Strategy, seed: int, data: st.DataObject
) -> None:
    whole, cut = (Trial(ws, strategy, seed, REPLIES, "qqq0!") for _ in range(2))
    straight = Scripted(ws, whole.script())
    expected = whole.walked(straight)
    if not straight.asks:
        return
    sent = data.draw(st.integers(0, len(straight.asks) - 1))
    run = cut.run()
    first, second, third = (Dawdling(ws, cut.script()) for _ in range(3))
    first.die_after = sent
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cut.conduct(first, run))
    found = asyncio.run(cut.conduct(second, run))

    assert {path: (row.outcome, row.reason, row.round) for path, row in found.items()} == {
        path: (row.outcome, row.reason, row.round) for path, row in expected.items()
    }
    assert outcomes(asyncio.run(cut.conduct(third, run))) == outcomes(found)
    asks = (*first.asks, *second.asks, *third.asks)
    times = Counter(Scripted.key(ask, cut.epoch) for ask in asks)
    failed = {Scripted.key(ask, cut.epoch) for ask in asks if cut.script()(ask).error is not None}
    assert {key for key, number in times.items() if number > 1} <= failed
    assert {Scripted.key(ask, cut.epoch) for ask in third.asks} <= failed
