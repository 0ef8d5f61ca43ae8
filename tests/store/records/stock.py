"""A workspace with something in it."""

from dataclasses import replace
from typing import Any

from store import calls, candidates, intake, judgements, neighbours, runs
from store.identity import neighbour_id
from store.rows import Neighbour, NewCandidate, Origin
from store.run_rows import Call, Message, NeighbourValue, Rollout, StageOutcome, Utility
from store.workspace import Workspace
from tests.store.records.samples import ANSWER, AT, QUESTION_ID
from uq_tui.words import AuthorKind, CallState, DecidedBy, Outcome, RunKind, TextFormat

NEIGHBOUR = Neighbour(neighbour_id("2 + 2?", "4"), "2 + 2?", "4", "pack")
SPEC = {"model": {"id": "gpt-x", "api_base": ""}, "strategy": {"name": "3-iter", "text": "..."}}


def put_question(ws: Workspace, question_id: str = QUESTION_ID) -> str:
    question = intake.NewQuestion(
        id=question_id,
        title="Is $f$ uniform?",
        body="Is it?",
        format=TextFormat.MARKDOWN,
        source="uq.jsonl",
        site="math.stackexchange.com",
        link="https://math.stackexchange.com/q/2087",
        author="asker",
        licence="CC BY-SA 4.0",
        dataset_version="2026-01",
    )
    ws.write(lambda db: intake.put(db, [question]))
    return question_id


def put_candidate(ws: Workspace, answer: str = ANSWER, question_id: str = QUESTION_ID) -> str:
    origin = Origin(AuthorKind.MODEL, model="gpt-x", organisation="X Labs")
    (added,) = candidates.add(ws, [NewCandidate(put_question(ws, question_id), answer, TextFormat.MARKDOWN, origin)])
    return added


def put_run(ws: Workspace, kind: RunKind = RunKind.VALIDATE) -> str:
    return runs.create(ws, kind, "3-iter on c1", SPEC, 1).id


def call(key: str = "k1", **changes: Any) -> Call:
    whole = Call(
        key=key,
        model="openai/gpt-x",
        endpoint="http://127.0.0.1:1/v1",
        messages=(Message("system", "Judge."), Message("user", "Is it right?")),
        parameters={"temperature": 0.7, "stop": ["\n"]},
        dropped=("seed",),
        epoch=0,
        sample=2,
        template="correctness",
        template_version="1",
        template_sha256="ab" * 32,
        state=CallState.DONE,
        reasoning="Let me see.",
        reply="X: accept",
        finish_reason="stop",
        error_kind=None,
        error="",
        tokens_in=10,
        tokens_out=20,
        cost_usd=0.5,
        latency_s=1.25,
        attempts=1,
        constrained=False,
        run_id="r1",
        created_at=AT,
    )
    return replace(whole, **changes)


def outcome(run_id: str, candidate: str, path: str = "", **changes: Any) -> StageOutcome:
    whole = StageOutcome(run_id, candidate, path, Outcome.ACCEPT, "", "", 1, AT)
    return replace(whole, **changes)


def rollout(run_id: str, candidate: str, sample: int = 0, **changes: Any) -> Rollout:
    whole = Rollout(run_id, candidate, NEIGHBOUR.id, sample, 1, DecidedBy.EXACT, "4", "")
    return replace(whole, **changes)


def utility(run_id: str, candidate: str, **changes: Any) -> Utility:
    whole = Utility(
        run_id=run_id,
        candidate_id=candidate,
        solver="gpt-x",
        mean=0.75,
        low=0.5,
        high=0.9,
        rollouts=4,
        neighbours=(NeighbourValue(NEIGHBOUR.id, 3, 4, 0, replies=4, distinct=3, cut_off=0, temperature=0.7),),
        control=(NeighbourValue(NEIGHBOUR.id, 1, 3, 1, replies=4, distinct=4, cut_off=1, temperature=0.7),),
        control_mean=1 / 3,
        lift=0.4,
        lift_low=-0.1,
        lift_high=0.8,
        complete=True,
        constrained=False,
    )
    return replace(whole, **changes)


def put_neighbour(ws: Workspace, question_id: str = QUESTION_ID) -> None:
    neighbours.add(ws, question_id, [NEIGHBOUR])


def put_evidence(ws: Workspace, candidate: str, outcome_word: Outcome = Outcome.REJECT) -> str:
    """A finished strategy run on the candidate: one stage that was asked, and the whole."""
    run_id = put_run(ws)
    key = f"{run_id}/1"
    calls.save(ws, [call(key, run_id=run_id, constrained=True)])
    stages = [outcome(run_id, candidate, "correctness", outcome=outcome_word, call_key=key)]
    judgements.save_outcomes(ws, [*stages, outcome(run_id, candidate, outcome=outcome_word, round=2)])
    return run_id
