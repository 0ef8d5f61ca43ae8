"""Calls as the store keeps them."""

from store.run_rows import Call, Message
from uq_tui.words import CallErrorKind, CallState


def stored_call(key: str, run_id: str, reply: str, state: CallState = CallState.DONE) -> Call:
    """A call of a judge with this reply; a failed one failed with a server error."""
    failed = state is CallState.FAILED
    return Call(
        key=key,
        model="m",
        endpoint="",
        messages=(Message("user", "?"),),
        parameters={},
        dropped=(),
        epoch=0,
        sample=0,
        template="check.correctness",
        template_version="1",
        template_sha256="0" * 64,
        state=state,
        reasoning="",
        reply=reply,
        finish_reason="stop",
        error_kind=CallErrorKind.SERVER if failed else None,
        error="status 500" if failed else "",
        tokens_in=None,
        tokens_out=None,
        cost_usd=None,
        latency_s=None,
        attempts=1,
        constrained=False,
        run_id=run_id,
        created_at="2026-01-01T00:00:00Z",
    )
