"""Asking again for answers that failed by what files say: one run for each model."""

from collections.abc import Sequence
from dataclasses import dataclass

import click

from store import failed_answers, marks
from store.workspace import Workspace
from uq_tui.commands import blind, live, planned, results, running
from uq_tui.commands.invocation import Invocation, write_json
from uq_tui.engine.requests import GenerateRequest, ModelChoice
from uq_tui.errors import EXIT_INTERRUPTED, EXIT_OK, UqError
from uq_tui.text import clean_line, counted


@dataclass(frozen=True, slots=True)
class Again:
    """What is to be asked again, and what is not."""

    requests: tuple[GenerateRequest, ...]
    nameless: int
    """Failures whose file names no model."""
    masked: int
    """Failures that the reviewer is not to hear of: they judge the problem blind."""


def of_failures(workspace: Workspace, question_ids: Sequence[str], model: str, api_base: str, samples: int) -> Again:
    """The failures of these questions, or of all, as requests: one for each model, the first to fail first.

    Args:
        workspace: where they are.
        question_ids: the questions; none for all.
        model: asked in place of the models that failed; "" asks those.
        api_base: where these are served; "" for their providers' own.
        samples: how many answers to ask for in place of each.

    Raises:
        BlindError: a question that was named is masked for the reviewer.
    """
    for question_id in question_ids:
        blind.refuse(workspace, question_id=question_id)
    hidden = blind.masked(workspace)
    every = [one for one in failed_answers.every(workspace) if not question_ids or one.question_id in question_ids]
    seen = [one for one in every if one.question_id not in hidden]
    asked: dict[str, dict[str, None]] = {}
    for one in seen:
        if name := model or one.model:
            asked.setdefault(name, {})[one.question_id] = None
    requests = (GenerateRequest(tuple(ids), ModelChoice(name, api_base), samples) for name, ids in asked.items())
    nameless = 0 if model else sum(not one.model for one in seen)
    return Again(tuple(requests), nameless, len(every) - len(seen))


def run_each(
    invocation: Invocation,
    workspace: Workspace,
    again: Again,
    *,
    budget_usd: float | None,
    budget_tokens: int | None,
) -> int:
    """Run one request after the other, within the budget in all. Returns the worst exit code.

    A model that can't be asked at all is told, and the others are asked.
    """
    _say(again)
    code, ended_all = EXIT_OK, []
    for request in again.requests:
        try:
            ended = running.run_to_end(
                workspace,
                request,
                planned.of_generation(request),
                budget_usd=budget_usd,
                budget_tokens=budget_tokens,
            )
        except UqError as error:
            click.echo(clean_line(f"{request.model.id} can't be asked: {error.message} {error.hint}"), err=True)
            code = max(code, error.exit_code)
            continue
        if not invocation.as_json:
            results.show(workspace, ended.run)
        live.say_end(ended)
        ended_all.append(ended)
        code = max(code, ended.exit_code)
        if ended.exit_code == EXIT_INTERRUPTED:
            break
        used = marks.used(workspace, ended.run.id)
        budget_usd = None if budget_usd is None else max(0.0, budget_usd - used.usd)
        budget_tokens = None if budget_tokens is None else max(0, budget_tokens - used.tokens)
    if invocation.as_json:
        write_json({"runs": [running.ended_json(workspace, ended) for ended in ended_all]})
    return code


def _say(again: Again) -> None:
    if not again.requests and not again.nameless and not again.masked:
        click.echo("No answer has failed.", err=True)
    if again.nameless:
        said = counted(again.nameless, "answer")
        click.echo(f"{said} failed without naming a model; --model names one to ask.", err=True)
    if again.masked:
        said = counted(again.masked, "failed answer")
        click.echo(
            f"{said} to problems you still judge blind {'is' if again.masked == 1 else 'are'} left out.", err=True
        )
