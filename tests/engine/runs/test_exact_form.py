"""The bare marks of Unsolved Questions: the same strategies, asked and read in another form."""

import pytest

from prompts.loader import Output
from store.workspace import Workspace
from tests.engine.runs.judged import INFERRED, outcomes, rows
from tests.engine.runs.scripted import MODEL, Said, Scripted, conduct, start
from uq_tui.engine.requests import ValidateRequest
from uq_tui.engine.spec import Ask
from uq_tui.words import DecisionForm, Outcome, RunKind

YES, NO = Said("Checked.\n[[Y]]"), Said("Checked.\n[[N]]")
A, R, U, S = Outcome.ACCEPT, Outcome.REJECT, Outcome.UNPARSED, Outcome.SKIPPED


async def judged(ws: Workspace, candidate: str, said: dict[str, Said], strategy: str = "3-iter") -> Scripted:
    def script(ask: Ask) -> Said:
        again = "!" if ask.template.name == "retry.decision" else ""
        return INFERRED if ask.template.name == "check.cycle_infer" else said.get(f"{ask.path}{again}", YES)

    model = Scripted(ws, script)
    request = ValidateRequest((candidate,), MODEL, strategy, form=DecisionForm.EXACT)
    await conduct(model, start(ws, RunKind.VALIDATE, request))
    return model


async def test_a_strategy_asks_the_same_calls_for_bare_marks(workspace: Workspace, candidate: str) -> None:
    model = await judged(workspace, candidate, {})

    assert [ask.path for ask in model.asks][1:] == [
        f"{stage}/{turn}" for stage in ("cycle_consistency", "fact_logic", "correctness") for turn in (1, 2, 3)
    ]
    deciding = model.asks[1:]
    assert {ask.form for ask in deciding} == {Output.DECISION_EXACT}
    assert {ask.tag for ask in model.asks} == {""}
    assert all(ask.messages[-1].content.rstrip().endswith("[[Y]]\n[[N]]") for ask in deciding)
    assert set(outcomes(workspace).values()) == {A}


async def test_a_bare_no_rejects_and_ends_the_pipeline(workspace: Workspace, candidate: str) -> None:
    await judged(workspace, candidate, {"fact_logic/2": NO})

    found = outcomes(workspace)
    assert (found["fact_logic/2"], found["fact_logic"], found["correctness"], found[""]) == (R, R, S, R)


@pytest.mark.parametrize("unread", ["I accept it.", "[[Y]] or [[N]]", "[[Y]]\nThat is all.", ""])
async def test_what_cannot_be_read_is_asked_again_in_the_same_form(
    workspace: Workspace, candidate: str, unread: str
) -> None:
    model = await judged(workspace, candidate, {"correctness": Said(unread), "correctness!": NO}, "c")

    assert [ask.template.name for ask in model.asks] == ["check.correctness", "retry.decision"]
    assert "[[Y]]" in model.asks[1].messages[-1].content
    assert outcomes(workspace)[""] is R


async def test_a_tagged_line_is_no_decision_in_this_form(workspace: Workspace, candidate: str) -> None:
    tagged = Said("ABCDEFGH: accept")
    await judged(workspace, candidate, {"correctness": tagged, "correctness!": tagged}, "c")

    (row, _) = sorted(rows(workspace), key=lambda one: one.path, reverse=True)
    assert (row.outcome, row.reason) == (U, "neither [[Y]] nor [[N]] on the last line, asked twice")
