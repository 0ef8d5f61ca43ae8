"""How independent the samples of a run are: what to warn of before they are drawn, what to count afterwards."""

import hashlib
from collections.abc import Sequence

from store.run_rows import Call
from uq_tui.analysis.independence import Draws, Sample, count, mark
from uq_tui.engine.protocol import EngineProblem
from uq_tui.engine.requests import ModelChoice
from uq_tui.engine.runs.pins import pinned_model
from uq_tui.engine.spec import RunContext
from uq_tui.text import counted
from uq_tui.words import CallState


def sample_of(calls: Sequence[Call]) -> Sample | None:
    """One sample from the calls made for it, in their order; `None` when there is none or one has failed."""
    if not calls or any(call.state is not CallState.DONE for call in calls):
        return None
    sent = {_temperature(call) for call in calls}
    return Sample(
        fingerprint=tuple(_fingerprint(call) for call in calls),
        temperature=sent.pop() if len(sent) == 1 else None,
        cut_off=any(call.cut_off for call in calls),
    )


def draws_of(samples: Sequence[Sequence[Call]]) -> Draws:
    """Counts of the samples whose calls are all done."""
    return count([sample for calls in samples if (sample := sample_of(calls)) is not None])


def note(draws: Draws) -> str:
    """`3 samples, 2 distinct (not independent)`; "" when all are different."""
    marked = mark([draws])
    if not marked or draws.replies is None:
        return ""
    return f"{counted(draws.replies, 'sample')}, {draws.distinct:,} distinct ({marked})"


def warn_at_zero(ctx: RunContext, samples: str, model: ModelChoice | None = None) -> None:
    """Tell the user when `samples` of one prompt are about to be drawn at a pinned temperature of 0.

    Args:
        ctx: of the run that samples.
        samples: what it draws, such as "8 rollouts on each neighbour".
        model: which it draws from; the run's own when it has only one.
    """
    name = pinned_model(ctx.spec).id if model is None else model.id
    if ctx.spec.get("sampling", {}).get(name, {}).get("temperature") != 0:
        return
    message = f"This run draws {samples} from {name} at temperature 0, which gives much the same reply each time."
    hint = "Set a temperature above 0 for the model in config.toml, then start a new run."
    ctx.emit(EngineProblem(ctx.run_id, "Sampling at temperature 0", message, hint, warning=True))


def _fingerprint(call: Call) -> bytes:
    parts = (text.encode("utf-8", "surrogatepass") for text in (call.reasoning, call.reply))
    return b"".join(hashlib.sha256(part).digest() for part in parts)


def _temperature(call: Call) -> float | None:
    sent = call.parameters.get("temperature")
    return float(sent) if isinstance(sent, int | float) else None
