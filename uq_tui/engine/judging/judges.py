"""The judge templates: prompts that have a candidate scored on a scale.

They are those of Consequence-Based Utility (arXiv 2602.06291v1), Section 4 and Appendix E, in our words: the default
judge, a proof grader, the correctness check of Unsolved Questions taken as a yes or no, and the prompt of a generative
reward model, whose second response is a fixed dummy.
"""

from dataclasses import dataclass
from types import MappingProxyType

from prompts.loader import Output, ending_name, retry_name
from uq_tui.analysis.scale import Scale
from uq_tui.engine.judging.conversations import Conversation
from uq_tui.engine.judging.decision import decision_in
from uq_tui.engine.judging.scores import Score, score_in
from uq_tui.errors import NotFoundError
from uq_tui.words import DecisionForm, Outcome


@dataclass(frozen=True, slots=True)
class JudgeTemplate:
    """One way to have a candidate scored."""

    name: str
    title: str
    template: str
    """Name of the prompt template."""
    output: Output
    """What its reply ends with, and so how the score is read: as a score, in a grade, or from a decision."""
    scale: Scale

    def prompts(self, form: DecisionForm) -> tuple[str, ...]:
        """Names of all templates that a run uses: the judge's own, its ending and its retry."""
        return (self.template, ending_name(self.output, form), retry_name(self.output))


MOST_SAMPLES = 1_000
"""Times a run may have each candidate scored."""
_ALL = (
    JudgeTemplate("scale_10", "Scale of 1 to 10", "judge.scale_10", Output.SCORE, Scale(1, 10)),
    JudgeTemplate("proof_grader", "Proof grader, 0 to 7", "judge.proof_grader", Output.GRADE, Scale(0, 7)),
    JudgeTemplate("uq_binary", "Accepted or not", "check.correctness", Output.DECISION, Scale(0, 1)),
    JudgeTemplate("pairwise", "Against an empty response, 1 to 5", "judge.pairwise", Output.SCORE, Scale(1, 5)),
)
JUDGES = MappingProxyType({judge.name: judge for judge in _ALL})
"""By name, the default first."""

_YES_OR_NO = {Outcome.ACCEPT: 1.0, Outcome.REJECT: 0.0}


def find(name: str) -> JudgeTemplate:
    """The judge template of that name. Raises NotFoundError, which lists those there are."""
    if name not in JUDGES:
        raise NotFoundError(f"There is no judge {name!r}.", hint=f"There are: {', '.join(JUDGES)}.")
    return JUDGES[name]


def read(output: Output, conversation: Conversation, reply: str) -> Score:
    """The score in the reply to a judge's conversation: of a decision 1 for accept and 0 for reject.

    Args:
        output: the judge template's.
        conversation: what was asked.
        reply: the reply proper, without the judge's reasoning.
    """
    if output is not Output.DECISION:
        return score_in(conversation, reply)
    decision = decision_in(conversation, reply)
    return Score(_YES_OR_NO.get(decision.outcome), decision.reason)
