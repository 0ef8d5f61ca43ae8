"""Runs that judged or audited a candidate, as the store keeps them."""

from collections.abc import Sequence
from dataclasses import replace

from store import audits, calls, runs, scores
from store.judge_rows import Audit, Claim, Score
from store.run_rows import Run
from store.workspace import Workspace
from tests.kept_calls import stored_call
from uq_tui.words import CallState, DecisionForm, ErrorCategory, Reading, RunKind, RunState

AT = "2026-01-02T12:03:00.000000Z"


def begun_judging(
    ws: Workspace,
    samples: int = 8,
    *,
    judge: str = "scale_10",
    model: str = "openai/o3",
    top: int = 10,
    form: DecisionForm = DecisionForm.TAGGED,
) -> Run:
    """A judge run that has not brought anything."""
    spec = {
        "model": {"id": model, "api_base": ""},
        "samples": samples,
        "form": form.value,
        "judge": {"name": judge, "lowest": 0 if top == 1 else 1, "highest": top, "prompt_sha256": "cd" * 32},
    }
    return runs.create(ws, RunKind.JUDGE, "Judge", spec, samples)


def put_samples(ws: Workspace, run: Run, candidate_id: str, values: Sequence[float | str]) -> None:
    """Samples of a judge run in order; a reason stands for one without a score, with `!` before it for a failed call.

    Behind each stands a call with the reply `Reply of sample N.` and reasoning before it.
    """
    kept, rows = [], []
    for sample, value in enumerate(values):
        key = f"{run.id} {sample}"
        failed = isinstance(value, str) and value.startswith("!")
        call = stored_call(key, run.id, f"Reply of sample {sample}.", CallState.FAILED if failed else CallState.DONE)
        kept.append(replace(call, reasoning=f"Thought of sample {sample}."))
        state = Reading.FAILED if failed else Reading.UNPARSED if isinstance(value, str) else Reading.READ
        rows.append(
            Score(
                run_id=run.id,
                candidate_id=candidate_id,
                sample=sample,
                judge=run.spec["judge"]["name"],
                score=None if isinstance(value, str) else value,
                state=state,
                reason=value.removeprefix("!") if isinstance(value, str) else "",
                call_key=key,
                created_at=AT,
            )
        )
    calls.save(ws, kept)
    scores.save(ws, rows)


def judged_by(
    ws: Workspace,
    candidate_id: str,
    values: Sequence[float | str],
    *,
    judge: str = "scale_10",
    model: str = "openai/o3",
    top: int = 10,
    form: DecisionForm = DecisionForm.TAGGED,
) -> Run:
    """A finished judge run with these samples; see `put_samples`."""
    run = begun_judging(ws, len(values), judge=judge, model=model, top=top, form=form)
    put_samples(ws, run, candidate_id, values)
    runs.set_state(ws, run.id, RunState.DONE)
    return run


def audited_by(
    ws: Workspace,
    candidate_id: str,
    answer: str,
    found: Sequence[tuple[ErrorCategory, str]] = (),
    *,
    model: str = "openai/o3",
    state: Reading = Reading.READ,
    reason: str = "",
    dropped: int = 0,
) -> Run:
    """A finished audit run that claims a flaw of this category in each of these quotes of the answer."""
    run = runs.create(ws, RunKind.AUDIT, "Audit", {"model": {"id": model, "api_base": ""}}, 1)
    key = f"{run.id} audit"
    calls.save(ws, [stored_call(key, run.id, "Reply of the audit.")])
    claims = [
        Claim(
            run_id=run.id,
            candidate_id=candidate_id,
            position=position,
            id=f"{position:016x}",
            category=category,
            quote=quote,
            start=answer.index(quote),
            end=answer.index(quote) + len(quote),
            claim=f"Claim {position}.",
            problem=f"Problem {position}.",
            fix=f"Fix {position}.",
        )
        for position, (category, quote) in enumerate(found, 1)
    ]
    audits.save(ws, Audit(run.id, candidate_id, state, reason, dropped, key, AT), claims)
    runs.set_state(ws, run.id, RunState.DONE)
    return run
