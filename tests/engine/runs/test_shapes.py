"""Each shape of strategy asks what it should, in rounds, and decides what was worked out by hand (`shapes.py`)."""

from collections.abc import Mapping, Sequence

import pytest

from store import judgements
from store.run_rows import Run
from store.workspace import Workspace
from tests.engine.runs.rounds import LETTERS, MODELS, READ, InRounds, Token, path_of, rounds_of
from tests.engine.runs.scripted import (
    ACCEPT,
    FAILED,
    REJECT,
    UNREADABLE,
    Said,
    Scripted,
    add_candidates,
    add_question,
    conduct,
    start,
)
from tests.engine.runs.shapes import SHAPES, TIES, Case, Shape
from uq_tui.engine.requests import ValidateRequest
from uq_tui.engine.spec import Ask
from uq_tui.strategies import catalogue
from uq_tui.strategies.tree import places
from uq_tui.words import Outcome, RunKind

WALKS = [
    pytest.param(shape, exact, id=f"{shape.strategy}-{'exact' if exact else 'waves'}")
    for shape in (*SHAPES, *TIES)
    for exact in sorted({case.exact for case in shape.cases})
]


def started(ws: Workspace, shape: Shape, candidates: Sequence[str], *, exact: bool = False) -> Run:
    first, *more = MODELS[: shape.models]
    request = ValidateRequest(tuple(candidates), first, shape.strategy, exact, more_models=tuple(more))
    return start(ws, RunKind.VALIDATE, request)


def answers(ws: Workspace, number: int) -> tuple[str, ...]:
    """So many candidates."""
    add_question(ws)
    return add_candidates(ws, *(f"There are {one}." for one in range(number)))


def found(ws: Workspace, run: Run) -> dict[str, dict[str, Outcome]]:
    """Outcomes by candidate and path."""
    by_candidate: dict[str, dict[str, Outcome]] = {}
    for row in judgements.outcomes_of_run(ws, run.id):
        by_candidate.setdefault(row.candidate_id, {})[row.path] = row.outcome
    return by_candidate


def expected(shape: Shape, case: Case) -> dict[str, Outcome]:
    """The outcome of every place."""
    whole, *composed = case.outcomes.split()
    outcomes = dict.fromkeys((place.path for place in places(catalogue.find(shape.strategy).strategy)), Outcome.SKIPPED)
    outcomes |= {"": LETTERS[whole], shape.prefix: LETTERS[whole]}
    for entry in composed:
        address, _, letter = entry.partition("=")
        outcomes[path_of(address, shape.prefix)] = LETTERS[letter]
    said = {token.path: token.mark for tokens in rounds_of(case.rounds, shape.prefix) for token in tokens}
    return outcomes | {path: READ[mark] for path, mark in said.items() if path != shape.prefix or len(said) > 1}


def expected_rounds(shape: Shape, case: Case) -> dict[str, int]:
    """The round of every judgement: the last one, from 1, in which a call was made for it."""
    rounds = enumerate(rounds_of(case.rounds, shape.prefix), start=1)
    return {token.path: number for number, tokens in rounds for token in tokens}


def check_of(path: str) -> str:
    return next(part for part in reversed(path.split("/")) if not part.isdigit())


def call_of(shape: Shape, token: Token, before: int) -> tuple[str, str, int]:
    """Template, model and sample of a call; `before` calls have been made for its judgement."""
    numbers = [int(part) for part in token.path.split("/") if part.isdigit()]
    turn = numbers[-1] if shape.spread in ("r", "@r", "d") else 1
    check = check_of(token.path)
    opening = [f"check.{check}"] if check != "cycle_consistency" else ["check.cycle_infer", "check.cycle_compare"]
    if turn > 1:
        opening = ["debate" if shape.spread == "d" else "reflect"]
    template = [*opening, "retry.decision"][before]
    model = MODELS[numbers[0] - 1] if shape.spread in ("@", "@r", "d") else MODELS[0]
    sample = numbers[-1] - 1 if shape.spread == "x" else 0
    return template, model.id, sample


def expected_calls(shape: Shape, case: Case) -> list[list[tuple[str, str, str, int]]]:
    """By rounds: path, template, model and sample of every call."""
    made: dict[str, int] = {}
    rounds = []
    for tokens in rounds_of(case.rounds, shape.prefix):
        calls = []
        for token in tokens:
            calls.append((token.path, *call_of(shape, token, made.get(token.path, 0))))
            made[token.path] = made.get(token.path, 0) + 1
        rounds.append(sorted(calls))
    return rounds


def told(asks: Sequence[Sequence[Ask]]) -> list[list[tuple[str, str, str, int]]]:
    return [sorted((ask.path, ask.template.name, ask.model.id, ask.sample) for ask in of) for of in asks]


@pytest.mark.parametrize(("shape", "exact"), WALKS)
async def test_a_shape_asks_what_it_should_in_rounds_and_decides_as_worked_out(
    workspace: Workspace, shape: Shape, exact: bool
) -> None:
    cases = [case for case in shape.cases if case.exact is exact]
    by_candidate: Mapping[str, Case] = dict(zip(answers(workspace, len(cases)), cases, strict=True))
    model = InRounds(workspace, lambda ask: Said())
    for candidate, case in by_candidate.items():
        model.expect(candidate, rounds_of(case.rounds, shape.prefix))
    run = started(workspace, shape, tuple(by_candidate), exact=exact)
    await conduct(model, run)

    assert model.unfinished() == []
    outcomes = found(workspace, run)
    for candidate, case in by_candidate.items():
        kept = judgements.outcomes_of_run(workspace, run.id, candidate)
        assert {row.path: row.round for row in kept if row.call_keys} == expected_rounds(shape, case), case.rounds
        assert told(model.asked_of[candidate]) == expected_calls(shape, case), case.rounds
        assert outcomes[candidate] == expected(shape, case), case.rounds


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.strategy)
async def test_one_odd_judgement_at_any_place_decides_as_worked_out(workspace: Workspace, shape: Shape) -> None:
    assert shape.sweep is not None
    strategy = catalogue.find(shape.strategy).strategy
    judged = [place.path for place in places(strategy) if not place.composed]
    sweep = shape.sweep
    rows = (
        (ACCEPT, FAILED, sweep.failed_among_accepts),
        (ACCEPT, UNREADABLE, sweep.unparsed_among_accepts),
        (REJECT, FAILED, sweep.failed_among_rejects),
        (REJECT, UNREADABLE, sweep.unparsed_among_rejects),
    )
    planned = [(usual, odd, path, letter) for usual, odd, row in rows for path, letter in zip(judged, row, strict=True)]
    by_candidate = dict(zip(answers(workspace, len(planned)), planned, strict=True))

    def script(ask: Ask) -> Said:
        usual, odd, path, _ = by_candidate[ask.candidate_id]
        if ask.template.name == "check.cycle_infer":
            return Said("How many are there?")
        return odd if ask.path == path else usual

    run = started(workspace, shape, tuple(by_candidate))
    await conduct(Scripted(workspace, script), run)

    outcomes = found(workspace, run)
    wrong = {
        (usual.reply[-6:], odd.error or "unparsed", path, letter): outcomes[candidate][""]
        for candidate, (usual, odd, path, letter) in by_candidate.items()
        if outcomes[candidate][""] is not LETTERS[letter]
    }
    assert wrong == {}


def test_the_table_has_every_shape_that_ships() -> None:
    assert sorted(shape.strategy for shape in SHAPES) == sorted(catalogue.shape_names())
