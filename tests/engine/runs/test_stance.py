"""A judge that stands by its verdict keeps it, whether it accepted or rejected, when it is asked to look again."""

import re

import pytest

from store.workspace import Workspace
from tests.engine.runs.judged import INFERRED, outcomes
from tests.engine.runs.scripted import Said, Script, Scripted, conduct, start
from uq_tui.engine.requests import ModelChoice, ValidateRequest
from uq_tui.engine.spec import Ask
from uq_tui.words import DecisionForm, Outcome, RunKind

MODELS = tuple(ModelChoice(f"scripted/judge-{number}") for number in (1, 2, 3))
ACCEPTING = re.compile(r": accept$|\[\[Y\]\]")


def steadfast(first: Outcome) -> tuple[list[str], Script]:
    """A judge that goes by what it said last, and first by `first`; with the requests it was sent after that."""
    requests: list[str] = []

    def judge(ask: Ask) -> Said:
        if ask.template.name == "check.cycle_infer":
            return INFERRED
        *before, request = ask.messages
        accepts = first is Outcome.ACCEPT
        if before:
            requests.append(request.content)
            accepts = bool(ACCEPTING.search(before[-1].content))
        offered = re.findall(r"^(?:[A-Z2-7]{8}: \w+|\[\[[YN]\]\])$", request.content, re.MULTILINE)
        (said,) = [line for line in offered if bool(ACCEPTING.search(line)) is accepts]
        return Said(f"I stand by what I said.\n\n{said}")

    return requests, judge


@pytest.mark.parametrize("form", DecisionForm)
@pytest.mark.parametrize("first", [Outcome.ACCEPT, Outcome.REJECT])
@pytest.mark.parametrize(
    ("strategy", "models"),
    [
        ("correctness r5 majority", 1),
        ("correctness r3 unanimous", 1),
        ("cycle_consistency r3 unanimous", 1),
        ("correctness debate[1, 2, 3] majority", 3),
    ],
)
async def test_an_outcome_stays_when_its_judge_stands_by_it(
    workspace: Workspace, candidate: str, strategy: str, models: int, first: Outcome, form: DecisionForm
) -> None:
    requests, judge = steadfast(first)
    model = Scripted(workspace, judge)
    one, *more = MODELS[:models]
    request = ValidateRequest((candidate,), one, strategy, exact=True, more_models=tuple(more), form=form)
    await conduct(model, start(workspace, RunKind.VALIDATE, request))

    assert set(outcomes(workspace).values()) == {first}
    assert len(requests) >= 2


async def test_a_request_to_look_again_says_what_both_verdicts_mean(workspace: Workspace, candidate: str) -> None:
    requests, judge = steadfast(Outcome.REJECT)
    request = ValidateRequest((candidate,), MODELS[0], "correctness r2 majority", exact=True)
    await conduct(Scripted(workspace, judge), start(workspace, RunKind.VALIDATE, request))

    (again,) = requests
    assert "If you accepted before and stand by it, accept. If you rejected before and stand by it, reject." in again
    assert not re.search(r"\b(?:keep|maintain|change to|still) (?:accept|reject)", again)
