"""The sentence that says how a run ended: what was done, what failed and why, what had to be asked twice."""

from collections import Counter
from collections.abc import Collection, Mapping
from types import MappingProxyType

from store.run_rows import Call
from uq_tui.text import counted
from uq_tui.words import CallErrorKind, RunKind, RunState

_UNITS = {
    RunKind.GENERATE: ("answer", "generated"),
    RunKind.VALIDATE: ("candidate", "validated"),
    RunKind.JUDGE: ("score", "asked for"),
    RunKind.AUDIT: ("candidate", "audited"),
    RunKind.CBU: ("rollout", "decided"),
    RunKind.NEIGHBOURS: ("proposal", "tried"),
    RunKind.CURATE: ("question", "decided on"),
}
_PREFIX = {
    RunState.CANCELLED: "Cancelled: ",
    RunState.INTERRUPTED: "Interrupted: ",
    RunState.QUEUED: "Interrupted: ",
}
_LONGEST_REASON = 200
NO_RETRIES: Mapping[CallErrorKind, int] = MappingProxyType({})


def report(
    kind: RunKind,
    state: RunState,
    *,
    done: int,
    total: int,
    failures: Collection[Call],
    repeated: int,
    retries: Mapping[CallErrorKind, int] = NO_RETRIES,
    unasked: str = "",
    trouble: str = "",
) -> str:
    """What a run's row and `RunFinished` say.

    Args:
        kind: what the run does.
        state: the state it ended in.
        done: units done.
        total: units planned.
        failures: the calls that failed after all attempts.
        repeated: calls that were in flight when the run stopped before.
        retries: attempts that failed and were made again.
        unasked: what could not be asked for want of budget, and what that needs.
        trouble: what ended a failed run.
    """
    unit, verb = _UNITS[kind]
    amount = counted(done, unit, of=None if done >= total else total)
    sentences = [trouble] if trouble else []
    sentences.append(f"{_PREFIX.get(state, '')}{amount} {verb}.")
    if unasked:
        sentences.append(unasked)
    if failures:
        sentences.append(_failed(failures))
    if retries:
        n = sum(retries.values())
        were = "was" if n == 1 else "were"
        sentences.append(f"{counted(n, 'failed attempt')} ({_kinds(retries)}) {were} made again.")
    if repeated:
        were = "was" if repeated == 1 else "were"
        sentences.append(f"{counted(repeated, 'call')} {were} in flight when the run stopped, and asked again.")
    return "\n".join(sentences)


def _failed(failures: Collection[Call]) -> str:
    kinds = Counter(call.error_kind for call in failures if call.error_kind is not None)
    named = _kinds(kinds)
    first = min(failures, key=lambda call: (call.created_at, call.key))
    reason = " ".join(first.error.split())
    if len(reason) > _LONGEST_REASON:
        reason = f"{reason[:_LONGEST_REASON]}…"
    retried = " after retries" if any(call.attempts > 1 for call in failures) else ""
    n = len(failures)
    return f"{counted(n, 'call')} failed{retried} ({named}), the first with: {reason}"


def _kinds(counts: Mapping[CallErrorKind, int]) -> str:
    return ", ".join(f"{n:,} {kind.value.replace('_', ' ')}" for kind, n in sorted(counts.items()))
