"""What runs make of a reply besides reading it: how it goes on as a conversation, and how its absence is told."""

from store.run_rows import Call, Message

EMPTY_REPLY = "(empty reply)"
"""Stands for an empty reply in a conversation that goes on; some servers refuse empty messages."""
CUT = "the reply was cut at the length limit"
"""Why a reply that was cut is not read."""

_LONGEST_REASON = 200


def said(call: Call) -> Message:
    """A model's turn in a conversation. Its reasoning never enters one, only the reply does."""
    return Message("assistant", call.reply if call.reply.strip() else EMPTY_REPLY)


def failure(call: Call) -> str:
    """Why a failed call brought nothing, in at most 200 characters."""
    kind = call.error_kind.value.replace("_", " ") if call.error_kind is not None else "unknown"
    return f"call failed ({kind}): {call.error}"[:_LONGEST_REASON]
