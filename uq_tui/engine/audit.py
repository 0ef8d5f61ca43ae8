"""Runs that have a model look for flaws in candidates and quote them.

The four categories and the rules are those of the error study in Consequence-Based Utility (arXiv 2602.06291v1,
Section 6 and E.4). An audit is advice to a reviewer: it decides nothing about a candidate.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from prompts.loader import Template
from store import audits, candidates, questions
from store.identity import now
from store.judge_rows import Audit, Claim
from store.rows import Call
from store.workspace import Workspace
from uq_tui.engine.audit_reading import anchor, read_audit
from uq_tui.engine.conversations import Conversation, converse
from uq_tui.engine.pins import (
    CUT_OFF,
    epoch_for,
    load_candidate,
    load_question,
    pin_candidate,
    pin_common,
    pin_question,
    pinned_model,
    pinned_template,
    template_ref,
)
from uq_tui.engine.protocol import AuditRead, AuditRequest
from uq_tui.engine.replies import CUT, failure, said
from uq_tui.engine.spec import Ask, RunContext
from uq_tui.engine.together import all_of
from uq_tui.errors import UqError
from uq_tui.words import CallState, Reading, RunKind

TEMPLATE, RETRY = "audit.errors", "retry.audit"


def pin(ws: Workspace, request: AuditRequest) -> tuple[str, dict[str, Any], int]:
    """Title, spec and number of units (candidates) of an audit.

    Raises:
        NotFoundError: a candidate is unknown.
        TemplateError: a prompt is malformed.
        UqError: no candidate is named, or the text of one or of its question is not in the workspace.
    """
    ids = list(dict.fromkeys(request.candidate_ids))
    if not ids:
        raise UqError("No candidate is named.", hint="Name one or more candidates to audit.")
    found = [candidates.get(ws, candidate_id) for candidate_id in ids]
    spec = {
        **pin_common(request.model, [TEMPLATE, RETRY], epoch_for(ws, RunKind.AUDIT, ids, fresh=request.fresh)),
        "inputs": ids,
        "questions": {
            key: pin_question(questions.get(ws, key)) for key in dict.fromkeys(one.question_id for one in found)
        },
        "candidates": [{**pin_candidate(one), "question_id": one.question_id} for one in found],
    }
    what = "1 candidate" if len(ids) == 1 else f"{len(ids):,} candidates"
    return f"Audit: {what} by {request.model.id}", spec, len(ids)


@dataclass(frozen=True, slots=True)
class _Audited:
    """A candidate with the texts that the audit is about: `shown` stands in the prompt, `raw` is quoted from."""

    candidate_id: str
    question: str
    shown: str
    raw: str


async def run(ctx: RunContext, ws: Workspace) -> None:
    """Audit the pinned candidates side by side. An audit and its claims are stored before they are told.

    Raises:
        NotFoundError, UqError: an input is gone, or is no longer what was pinned.
        StoreError: the workspace cannot be read or written.
    """
    inputs = await asyncio.to_thread(_inputs, ctx.spec, ws)
    done = 0

    async def one(audited: _Audited) -> None:
        nonlocal done
        audit, claims = await _audit(ctx, audited)
        await asyncio.to_thread(audits.save, ws, audit, claims)
        ctx.emit(AuditRead(ctx.run_id, audited.candidate_id, audit.state, len(claims)))
        done += 1
        await ctx.progress(done, len(inputs))

    await all_of([one(audited) for audited in inputs])


def _inputs(spec: Mapping[str, Any], ws: Workspace) -> list[_Audited]:
    asked = {key: load_question(ws, pinned) for key, pinned in spec["questions"].items()}
    return [
        _Audited(
            one["id"],
            asked[one["question_id"]],
            load_candidate(ws, one),
            candidates.get(ws, one["id"]).answer.raw,
        )
        for one in spec["candidates"]
    ]


async def _audit(ctx: RunContext, audited: _Audited) -> tuple[Audit, tuple[Claim, ...]]:
    """The audit of one candidate. A reply that can't be read is asked for again once, in the same conversation."""
    values = {"question": audited.question, "candidate": audited.shown}
    template = pinned_template(ctx.spec, TEMPLATE)
    conversation = converse(ctx.secret, (), template, values)
    call = await _ask(ctx, audited, template, conversation)
    read = read_audit(call.reply, conversation.tag)
    twice = ""
    if call.state is CallState.DONE and read.trouble:
        template = pinned_template(ctx.spec, RETRY)
        conversation = converse(ctx.secret, (*conversation.messages, said(call)), template, {})
        call = await _ask(ctx, audited, template, conversation)
        read = read_audit(call.reply, conversation.tag)
        twice = ", asked twice"
    if call.state is CallState.FAILED:
        return _row(ctx, audited, call, Reading.FAILED, failure(call)), ()
    if read.trouble:
        cut = f", {CUT}" if call.finish_reason == CUT_OFF else ""
        return _row(ctx, audited, call, Reading.UNPARSED, f"{read.trouble}{cut}{twice}"), ()
    found = anchor(ctx.run_id, audited.candidate_id, read.findings, shown=audited.shown, raw=audited.raw)
    return _row(ctx, audited, call, Reading.READ, found.note, found.dropped), found.claims


async def _ask(ctx: RunContext, audited: _Audited, template: Template, conversation: Conversation) -> Call:
    ask = Ask(
        model=pinned_model(ctx.spec),
        messages=conversation.messages,
        template=template_ref(template),
        candidate_id=audited.candidate_id,
        form=conversation.form,
        tag=conversation.tag,
    )
    (call,) = await ctx.ask([ask])
    return call


def _row(ctx: RunContext, audited: _Audited, call: Call, state: Reading, reason: str, dropped: int = 0) -> Audit:
    return Audit(
        run_id=ctx.run_id,
        candidate_id=audited.candidate_id,
        state=state,
        reason=reason,
        dropped=dropped,
        call_key=call.key,
        created_at=now(),
    )
