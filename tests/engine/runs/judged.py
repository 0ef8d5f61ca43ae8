"""Validation runs by a scripted model, and what they have stored."""

from collections.abc import Sequence

from store import judgements, runs
from store.run_rows import StageOutcome
from store.workspace import Workspace
from tests.engine.runs.scripted import ACCEPT, MODEL, Said, Script, Scripted, conduct, start
from uq_tui.engine.requests import ValidateRequest
from uq_tui.engine.spec import Ask
from uq_tui.words import Outcome, RunKind

INFERRED = Said("How many are there, then?", reasoning="SECRET THOUGHTS")


def following(verdicts: dict[str, Said], otherwise: Said = ACCEPT) -> Script:
    """Answers by path, `otherwise` where none is given; a retry's path ends in `!`."""

    def script(ask: Ask) -> Said:
        if ask.template.name == "check.cycle_infer":
            return verdicts.get(f"{ask.path}?", INFERRED)
        retry = "!" if ask.template.name == "retry.decision" else ""
        return verdicts.get(f"{ask.path}{retry}", otherwise)

    return script


async def judged(
    ws: Workspace, script: Script, candidates: Sequence[str], strategy: str = "3-iter", exact: bool = False
) -> Scripted:
    model = Scripted(ws, script)
    run = start(ws, RunKind.VALIDATE, ValidateRequest(tuple(candidates), MODEL, strategy, exact))
    await conduct(model, run)
    return model


def outcomes(ws: Workspace) -> dict[str, Outcome]:
    """Outcomes of the newest run by path."""
    return {row.path: row.outcome for row in rows(ws)}


def rows(ws: Workspace) -> tuple[StageOutcome, ...]:
    return judgements.outcomes_of_run(ws, runs.recent(ws, 1)[0].id)


def asked(model: Scripted) -> list[tuple[str, str]]:
    return [(ask.path, ask.template.name) for ask in model.asks]
