"""Runs that have a model look for flaws in candidates and quote them.

The four categories and the rules are those of the error study in Consequence-Based Utility (arXiv 2602.06291v1,
Section 6 and E.4). An audit is advice to a reviewer: it decides nothing about a candidate.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from prompts.loader import Template
from store import audits, candidates
from store.identity import now
from store.judge_rows import Audit, Claim
from store.rows import Text
from store.run_rows import Call
from store.workspace import Workspace
from uq_tui.engine.judging.audit_reading import ReadReply, anchor, read_audit
from uq_tui.engine.judging.conversations import Conversation, converse
from uq_tui.engine.protocol import AuditRead
from uq_tui.engine.requests import AuditRequest
from uq_tui.engine.runs.inputs import Judged, load_inputs, pin_inputs
from uq_tui.engine.runs.pins import epoch_for, pin_common, pinned_model, pinned_template, template_ref
from uq_tui.engine.runs.replies import CUT, failure, said
from uq_tui.engine.runs.together import all_of
from uq_tui.engine.spec import Ask, RunContext
from uq_tui.text import counted
from uq_tui.words import CallState, Reading, RunKind

TEMPLATE, RETRY = "audit.errors", "retry.audit"


def pin(ws: Workspace, request: AuditRequest) -> tuple[str, dict[str, Any], int]:
    """Title, spec and number of units (candidates) of an audit.

    Raises:
        NotFoundError: a candidate is unknown.
        TemplateError: a prompt is malformed.
        UqError: no candidate is named, or the text of one or of its question is not in the workspace.
    """
    inputs = pin_inputs(ws, request.candidate_ids)
    ids = inputs["inputs"]
    spec = {
        **pin_common(request.model, [TEMPLATE, RETRY], epoch_for(ws, RunKind.AUDIT, ids, fresh=request.fresh)),
        **inputs,
    }
    return f"Audit: {counted(len(ids), 'candidate')} by {request.model.id}", spec, len(ids)


@dataclass(frozen=True, slots=True)
class _Audited:
    """A candidate as the prompt shows it, and the answer that is quoted from."""

    shown: Judged
    answer: Text

    @property
    def candidate_id(self) -> str:
        return self.shown.candidate_id


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
    return [_Audited(one, candidates.get(ws, one.candidate_id).answer) for one in load_inputs(ws, spec)]


async def _audit(ctx: RunContext, audited: _Audited) -> tuple[Audit, tuple[Claim, ...]]:
    """The audit of one candidate. A reply that can't be read is asked for again once, in the same conversation."""
    values = {"question": audited.shown.question, "candidate": audited.shown.answer}
    template = pinned_template(ctx.spec, TEMPLATE)
    conversation = converse(ctx.secret, (), template, values)
    call = await _ask(ctx, audited, template, conversation)
    read = _read(call, conversation)
    twice = ""
    if call.state is CallState.DONE and read.trouble:
        template = pinned_template(ctx.spec, RETRY)
        conversation = converse(ctx.secret, (*conversation.messages, said(call)), template, {})
        call = await _ask(ctx, audited, template, conversation)
        read = _read(call, conversation)
        twice = ", asked twice"
    if call.state is CallState.FAILED:
        return _row(ctx, audited, call, Reading.FAILED, failure(call)), ()
    if read.trouble:
        return _row(ctx, audited, call, Reading.UNPARSED, f"{read.trouble}{twice}"), ()
    found = anchor(ctx.run_id, audited.candidate_id, read.findings, shown=audited.shown.answer, answer=audited.answer)
    return _row(ctx, audited, call, Reading.READ, found.note, found.dropped), found.claims


def _read(call: Call, conversation: Conversation) -> ReadReply:
    """What a reply finds. One that was cut holds no audit: whatever object is in it may have been a draft."""
    read = read_audit(call.reply, conversation.tag)
    if not call.cut_off:
        return read
    return ReadReply(trouble=f"{read.trouble}, {CUT}" if read.trouble else CUT)


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
