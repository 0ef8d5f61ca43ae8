"""The arms of a utility run: what each is asked, what the run pins, and what a model is asked at last."""

import asyncio
import json
from dataclasses import asdict, replace
from typing import Any

import pytest

from store import judgements, neighbours, runs
from store.run_rows import Rollout, Run, Utility
from store.workspace import Workspace
from tests.engine.runs.scripted import (
    FAILED,
    MODEL,
    QUESTION,
    Said,
    Script,
    Scripted,
    add_candidates,
    add_neighbours,
    add_question,
    conduct,
    start,
)
from uq_tui.config import Sampling
from uq_tui.engine.requests import CbuRequest, ModelChoice
from uq_tui.engine.runs.solver_sampling import family_of
from uq_tui.engine.spec import Ask
from uq_tui.errors import UqError
from uq_tui.words import DecidedBy, NeighbourUse, RunKind

SUMS = {"What is 2 + 2?": "4", "What is 3 + 3?": "6"}
GOOD, BAD = "Add the two numbers.", "Multiply the two numbers."
ELSEWHERE, PLACEBO = "tests:2", "Follow the river."
COMPARER = ModelChoice("scripted/comparer")
INSTRUCTION = "Solve the following question, reasoning step by step, and put your final answer in \\boxed{}."


@pytest.fixture
def stocked(workspace: Workspace) -> tuple[str, str, str]:
    """Ids of a good and a bad candidate to a question with two neighbours, and of one to another question."""
    add_question(workspace)
    add_neighbours(workspace, SUMS)
    good, bad = add_candidates(workspace, GOOD, BAD)
    add_question(workspace, ELSEWHERE, title="A river", body="Where does it lead?")
    (placebo,) = add_candidates(workspace, PLACEBO, question_id=ELSEWHERE)
    return good, bad, placebo


def adding(ask: Ask) -> Said:
    """Solves a neighbour with the good candidate as the example, and every other time with the placebo."""
    text = ask.messages[0].content
    answer = next(known for statement, known in SUMS.items() if statement in text)
    solves = GOOD in text or (PLACEBO in text and ask.sample % 2 == 0)
    return Said(f"So \\boxed{{{answer if solves else 5}}}")


def begin(ws: Workspace, **options: Any) -> Run:
    return start(ws, RunKind.CBU, replace(CbuRequest(QUESTION, MODEL, rollouts=2), **options))


async def measured(ws: Workspace, script: Script = adding, **options: Any) -> Scripted:
    model = Scripted(ws, script)
    await conduct(model, begin(ws, **options))
    return model


def utilities(ws: Workspace) -> dict[str, Utility]:
    return {one.candidate_id: one for one in judgements.utilities_of_question(ws, QUESTION)}


def rollouts(ws: Workspace) -> tuple[Rollout, ...]:
    return judgements.rollouts_of_run(ws, runs.recent(ws, 1)[0].id)


def texts(model: Scripted, arm: str) -> list[str]:
    """What an arm was asked in the first round."""
    return [ask.messages[0].content for ask in model.asks if ask.candidate_id == arm and ask.sample == 0]


async def test_an_example_is_question_candidate_instruction_neighbour(
    workspace: Workspace, stocked: tuple[str, str, str]
) -> None:
    model = await measured(workspace)

    site = "(Asked on math.stackexchange.com)"
    refer = f"Use the question and the solution above as a reference. {INSTRUCTION}"
    question = f"# A count\n\nHow many are there?\n\n{site}"
    assert texts(model, stocked[0]) == [f"{question}\n\n{GOOD}\n\n{refer}\n\n{neighbour}" for neighbour in SUMS]
    assert texts(model, "") == [f"{INSTRUCTION}\n\n{neighbour}" for neighbour in SUMS]
    assert all([message.role for message in ask.messages] == ["user"] for ask in model.asks)


async def test_a_placebo_is_another_candidate_with_its_own_question(
    workspace: Workspace, stocked: tuple[str, str, str]
) -> None:
    good, _, placebo = stocked
    model = await measured(workspace, placebo_id=placebo)

    assert model.batches == [8, 8]
    asked = texts(model, placebo)
    assert [text.split("\n\n")[:2] for text in asked] == [["# A river", "Where does it lead?"]] * 2
    assert [(PLACEBO in text, "How many are there?" in text) for text in asked] == [(True, False)] * 2
    one = utilities(workspace)[good]
    assert [(value.solved, value.decided) for value in one.placebo] == [(1, 2)] * 2
    assert (one.placebo_mean, one.control_mean, one.mean, one.lift) == (0.5, 0.0, 1.0, 1.0)
    assert set(utilities(workspace)) == set(stocked[:2])
    assert {row.candidate_id for row in rollouts(workspace)} == {*stocked, ""}


async def test_a_placebo_of_the_same_question_is_refused(workspace: Workspace, stocked: tuple[str, str, str]) -> None:
    with pytest.raises(UqError, match="no placebo"):
        begin(workspace, placebo_id=stocked[1], candidate_ids=stocked[:1])


async def test_a_changed_question_of_the_placebo_stops_the_run(
    workspace: Workspace, stocked: tuple[str, str, str]
) -> None:
    run = begin(workspace, placebo_id=stocked[2])
    add_question(workspace, ELSEWHERE, title="A river", body="Where does it end?")

    with pytest.raises(UqError, match=f"{ELSEWHERE} reads differently"):
        await conduct(Scripted(workspace, adding), run)


async def test_a_fence_holds_the_candidate_and_nobody_can_know_it(
    workspace: Workspace, stocked: tuple[str, str, str]
) -> None:
    good, bad, placebo = stocked
    model = await measured(workspace, fenced=True, placebo_id=placebo)

    fences = set()
    for ask in model.asks:
        text = ask.messages[0].content
        assert text.endswith(tuple(SUMS))
        if ask.candidate_id:
            before, _, rest = text.partition("-----BEGIN SOLUTION ")
            fence = rest.partition("-----")[0]
            inside, end, after = rest.partition(f"\n-----END SOLUTION {fence}-----\n")
            assert end
            assert before.startswith(("# A count", "# A river"))
            assert inside == f"{fence}-----\n{ {good: GOOD, bad: BAD, placebo: PLACEBO}[ask.candidate_id] }"
            assert after.index(INSTRUCTION) < after.index(text.split("\n\n")[-1])
            assert len(fence) == 8
            fences.add((fence, text))
    assert len({fence for fence, _ in fences}) == len({text for _, text in fences}) == 6
    assert [ask.template.name for ask in model.asks if not ask.candidate_id] == ["cbu.control"] * 4


async def test_neighbours_that_are_set_aside_are_left_out_of_new_runs_only(
    workspace: Workspace, stocked: tuple[str, str, str]
) -> None:
    before = begin(workspace)
    first, second = (one.id for one in neighbours.of_question(workspace, QUESTION))
    neighbours.set_use(workspace, QUESTION, first, NeighbourUse.SET_ASIDE)

    assert begin(workspace).spec["neighbour_ids"] == [second]
    model = Scripted(workspace, adding)
    await conduct(model, before)
    assert len(model.asks) == 12
    neighbours.set_use(workspace, QUESTION, second, NeighbourUse.SET_ASIDE)
    with pytest.raises(UqError, match="are set aside"):
        begin(workspace)


async def test_a_spec_of_an_earlier_version_is_run_as_it_was(
    workspace: Workspace, stocked: tuple[str, str, str]
) -> None:
    now = await measured(workspace, fresh=True)
    spec = dict(runs.recent(workspace, 1)[0].spec)
    for key in ("models", "usual_sampling", "placebo", "fenced", "adaptive", "equivalence"):
        del spec[key]
    old = runs.create(workspace, RunKind.CBU, "kept", {**spec, "epoch": 7}, 12)
    model = Scripted(workspace, adding)
    await conduct(model, old)

    assert [Scripted.key(ask, 0) for ask in model.asks] == [Scripted.key(ask, 0) for ask in now.asks]
    assert all(one.complete and one.placebo == () for one in judgements.utilities_of_run(workspace, old.id))


class Comparing:
    """Solvers whose answers are words, and a model that is asked whether these are the known ones."""

    def __init__(self, comparison: str = "{tag}: accept") -> None:
        self.comparison = comparison
        self.compared: list[Ask] = []

    def __call__(self, ask: Ask) -> Said:
        if ask.model == COMPARER:
            self.compared.append(ask)
            return Said(self.comparison) if self.comparison else FAILED
        return Said("\\boxed{\\text{four, say}}") if ask.candidate_id else adding(ask)


async def test_a_model_is_asked_last_and_only_what_nothing_else_could_tell(
    workspace: Workspace, stocked: tuple[str, str, str]
) -> None:
    script = Comparing()
    model = await measured(workspace, script, equivalence=COMPARER)

    assert model.batches == [6, 4, 6, 4]
    assert {(row.value, row.decided_by) for row in rollouts(workspace) if row.candidate_id} == {(1, DecidedBy.MODEL)}
    assert {row.decided_by for row in rollouts(workspace) if not row.candidate_id} == {DecidedBy.EXACT}
    texts_of = {ask.messages[0].content for ask in script.compared}
    assert len(texts_of) == len(script.compared) == 2, "equal answers to a neighbour are asked about once"
    assert all(ask.path.endswith("/0/equivalence") and ask.tag for ask in script.compared)
    spec = runs.recent(workspace, 1)[0].spec
    assert [one["id"] for one in spec["models"]] == [MODEL.id, COMPARER.id]
    assert spec["equivalence"]["id"] == COMPARER.id
    assert {"cbu.equivalence", "ending.decision"} <= set(spec["templates"])


async def test_a_grammar_that_held_the_comparison_marks_the_utility(
    workspace: Workspace, stocked: tuple[str, str, str]
) -> None:
    compare = Comparing()

    def script(ask: Ask) -> Said:
        said = compare(ask) if ask.candidate_id == stocked[0] else adding(ask)
        return replace(said, constrained=ask.model == COMPARER)

    await measured(workspace, script, equivalence=COMPARER, rollouts=1, control=False)
    assert {key: one.constrained for key, one in utilities(workspace).items()} == {stocked[0]: True, stocked[1]: False}


@pytest.mark.parametrize(
    ("comparison", "value", "decided_by"),
    [
        ("{tag}: reject", 0, DecidedBy.MODEL),
        ("I can't tell.", None, DecidedBy.UNDECIDABLE),
        ("", None, DecidedBy.UNDECIDABLE),
    ],
)
async def test_what_the_model_says_is_labelled_and_silence_decides_nothing(
    workspace: Workspace,
    stocked: tuple[str, str, str],
    comparison: str,
    value: int | None,
    decided_by: DecidedBy,
) -> None:
    await measured(workspace, Comparing(comparison), equivalence=COMPARER, rollouts=1)

    found = {(row.value, row.decided_by) for row in rollouts(workspace) if row.candidate_id}
    assert found == {(value, decided_by)}


@pytest.mark.parametrize("sent", [3, 6, 7, 8, 13])
async def test_a_run_cut_off_while_answers_are_compared_asks_nothing_again(
    workspace: Workspace, stocked: tuple[str, str, str], sent: int
) -> None:
    run = begin(workspace, equivalence=COMPARER)
    first, second = Scripted(workspace, Comparing(), die_after=sent), Scripted(workspace, Comparing())
    with pytest.raises(asyncio.CancelledError):
        await conduct(first, run)
    await conduct(second, runs.get(workspace, run.id))

    assert (len(first.asks), len(second.asks)) == (sent, 14 - sent)
    assert all(one.mean == 1.0 and one.complete for one in utilities(workspace).values())


async def test_without_such_a_model_it_stays_undecided_with_the_reason(
    workspace: Workspace, stocked: tuple[str, str, str]
) -> None:
    model = await measured(workspace, Comparing())

    assert model.batches == [6, 6]
    odd = [row for row in rollouts(workspace) if row.candidate_id]
    assert {(row.value, row.decided_by) for row in odd} == {(None, DecidedBy.UNDECIDABLE)}
    assert all(row.reason for row in odd)


def test_a_run_pins_what_is_usual_for_the_solvers_family(workspace: Workspace, stocked: tuple[str, str, str]) -> None:
    spec = begin(workspace, model=ModelChoice("openrouter/openai/gpt-oss-120b")).spec

    assert spec["usual_sampling"] == {
        "openrouter/openai/gpt-oss-120b": asdict(Sampling(temperature=1.0, max_tokens=16384))
    }
    assert json.loads(json.dumps(spec)) == spec
    for other in ("openai/gpt-4o", "local/gpt-oss-20b", "replay/gpt-oss-20b"):
        assert begin(workspace, model=ModelChoice(other)).spec["usual_sampling"] == {}


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("openai/gpt-oss-20b", "gpt-oss"),
        ("ollama/gpt-oss:120b", "gpt-oss"),
        ("fireworks_ai/accounts/fireworks/models/gpt-oss-120b", "gpt-oss"),
        ("bedrock/openai.gpt-oss-120b-1:0", "gpt-oss"),
        ("hosted_vllm/Qwen/Qwen3-30B-A3B-Thinking-2507", "Qwen3 Thinking"),
        ("openrouter/qwen/qwen3-235b-a22b-thinking-2507", "Qwen3 Thinking"),
        ("ollama/qwen3:235b-a22b-thinking", "Qwen3 Thinking"),
        ("openrouter/qwen/qwen3-235b-a22b-2507", ""),
        ("openrouter/qwen/qwen3-vl-30b-thinking", ""),
        ("openai/gpt-oss-safeguard-20b", ""),
        ("openai/my-gpt-ossify", ""),
        ("openai/gpt-4o", ""),
    ],
)
def test_families_are_told_by_the_models_own_name(model: str, family: str) -> None:
    found = family_of(model)

    assert (found.name if found else "") == family


def test_the_values_of_a_family_are_those_of_the_papers_code() -> None:
    qwen, oss = (family_of(name) for name in ("Qwen3-4B-Thinking-2507", "gpt-oss-20b"))

    assert qwen is not None
    assert oss is not None
    assert qwen.sampling == Sampling(temperature=0.7, top_p=0.8, top_k=20, min_p=0.0, max_tokens=16384)
    assert oss.sampling == Sampling(temperature=1.0, max_tokens=16384)
