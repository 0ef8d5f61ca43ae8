"""The last step of verification: a model is asked whether two final answers are the same.

Asked only about what neither exact reading nor algebra could compare, and labelled as a model's word. It is asked and
read as checks are: behind fences, and with a tag that whoever wrote the answer can't know.
"""

from dataclasses import replace

from prompts.loader import Template
from store.run_rows import Call
from uq_tui.engine.judging.conversations import Conversation, converse
from uq_tui.engine.judging.decision import decision_in
from uq_tui.engine.runs.replies import CUT, failure
from uq_tui.engine.verification.verifier import Verified
from uq_tui.words import CallState, DecidedBy, Outcome

TEMPLATE, ENDING = "cbu.equivalence", "ending.decision"
PROMPTS = (TEMPLATE, ENDING)
"""Templates that a run pins for it."""


def equivalence(
    secret: bytes, template: Template, ending: Template, *, statement: str, expected: str, answer: str
) -> Conversation:
    """What the model is asked.

    Args:
        secret: the workspace's.
        template: `TEMPLATE`.
        ending: `ENDING`.
        statement: the neighbour's statement.
        expected: its known answer.
        answer: the solver's.

    Raises:
        TemplateError: a template doesn't take these.
    """
    values = {"neighbour": statement.strip(), "expected": expected.strip(), "answer": answer.strip()}
    return converse(secret, (), template, values, ending)


def read_equivalence(conversation: Conversation, call: Call, before: Verified) -> Verified:
    """The value of a rollout after the model was asked: 1 where it accepts, 0 where it rejects.

    Args:
        conversation: what was asked.
        call: the model's call.
        before: what the rollout came to without the model. It stands, its reason told on, where the call failed, or the
            reply was cut or can't be read: that is never a no.
    """
    if call.state is CallState.FAILED:
        return _still(before, failure(call))
    if call.cut_off:
        return _still(before, CUT)
    decision = decision_in(conversation, call.reply)
    if decision.outcome is Outcome.UNPARSED:
        return _still(before, decision.reason)
    return Verified(int(decision.outcome is Outcome.ACCEPT), DecidedBy.MODEL, before.answer, before.reason)


def _still(before: Verified, problem: str) -> Verified:
    return replace(before, reason=f"{before.reason}; the model asked: {problem}")
