"""What strategies found of answers as UQ's validator results: `question_id`, `model_name`, `answer`, `evaluation`.

UQ has a shape for a check, its turns (`multi_turn`), its samples (`repeated_sampling`), and for these one after the
other (`sequential_judgment`). A run by another strategy is left out and counted. UQ's rows know yes and no only; what
is undecided is null here, never a no. A reply that doesn't say our outcome in UQ's words gets a last line that does, so
that whoever reads it again comes to the same. The answer is in the row, since its model may have given several.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from exports.uq_answers import metadata_of, named
from exports.written import MASKED, Job, Loss, Losses, OtherFormat, Written, write_lines
from store import calls, candidates, judgements, questions, runs
from store.frozen_rows import canonical_json
from store.ingest.uq_evaluations import decision
from store.rows import Candidate, Question
from store.run_rows import Call, Run, StageOutcome
from store.workspace import Workspace
from uq_tui.errors import StrategyError
from uq_tui.strategies import notation
from uq_tui.strategies.tree import Check, CheckKind, Node, Pipeline, Reflect, Sample
from uq_tui.words import Outcome, RunState

NO_SHAPE = "results of strategies that UQ has no shape for"
"""Why what a run found is not in the file."""

_NAMES: Mapping[CheckKind, tuple[str, str]] = {
    CheckKind.CYCLE_CONSISTENCY: ("cycle_consistency", "CycleConsistencyStrategy"),
    CheckKind.FACT_LOGIC: ("factual_error", "FactualErrorStrategy"),
    CheckKind.CORRECTNESS: ("total_correctness", "TotalCorrectnessStrategy"),
    CheckKind.RELEVANCE: ("relevance", "RelevanceStrategy"),
    CheckKind.FINAL_ANSWER: ("final_answer", "FinalAnswerStrategy"),
    CheckKind.VANILLA: ("vanilla", "VanillaStrategy"),
}
"""UQ's names of checks: of its results, and within those of turns and samples."""
_TOKENS: Mapping[Outcome, str] = {Outcome.ACCEPT: "[[Y]]", Outcome.REJECT: "[[N]]"}
_UNDECIDED = "[[Y]] or [[N]]: not decided"
"""A last line with both, which no reader takes for either."""
_INFERRED = "check.cycle_infer"

LOSSES = Losses(
    "outcomes",
    not_written=(
        Loss(("candidate_id",), "It is made of the question and the answer, which are there.", restored=True),
        Loss(("round",), "It follows from the order of the stages.", restored=True),
        Loss(("run_id",), "A file's results make runs of their own, one for each strategy and judge."),
        Loss(("call_key", "call_keys"), "Calls are of this workspace; their replies are there."),
        Loss(("reason",), "UQ's rows have no words for why."),
        Loss(("created_at",), "A result has one time, that of the whole strategy."),
        Loss((), "What a strategy found that UQ has no shape for is left out, and counted."),
    ),
    not_read_back=(
        Loss((), "A turn or sample that a vote no longer needed comes back as failed: UQ's rows have no word for it."),
        Loss((), "A stage under a name of its own gets the name of its check."),
    ),
)


def write_validations(job: Job) -> Written:
    """Write what finished runs found, question by question. What may not be seen is left out.

    Raises:
        ExportError: they can't be written; an earlier file is as it was.
    """
    left_out = Counter[str]()
    return write_lines(job.path, map(canonical_json, job.watched(_rows(job, left_out))), left_out)


def _rows(job: Job, left_out: Counter[str]) -> Iterator[dict[str, Any]]:
    known: dict[str, Run] = {}
    for question_id in candidates.questions_answered(job.ws):
        if question_id in job.without.questions:
            left_out[MASKED] += 1
            continue
        question = questions.get(job.ws, question_id)
        for candidate in candidates.of_question(job.ws, question_id):
            by_run: dict[str, list[StageOutcome]] = defaultdict(list)
            for outcome in judgements.outcomes_of_candidate(job.ws, candidate.id):
                by_run[outcome.run_id].append(outcome)
            for run_id, outcomes in by_run.items():
                run = known.setdefault(run_id, runs.get(job.ws, run_id))
                if run.state is not RunState.DONE or not candidate.answer.sha256:
                    continue
                row = _row(job.ws, question, candidate, run, outcomes)
                if row is None:
                    left_out[NO_SHAPE] += 1
                else:
                    yield row


def _row(
    ws: Workspace, question: Question, candidate: Candidate, run: Run, outcomes: Sequence[StageOutcome]
) -> dict[str, Any] | None:
    """The row of what a run found of an answer; `None` where UQ has no shape for it."""
    found = Found.of(ws, run, outcomes)
    evaluation = None if found is None else found.evaluation()
    if evaluation is None:
        return None
    return {
        "question_id": named(question),
        "model_name": next((origin.model for origin in candidate.origins), ""),
        "answer": candidate.answer.raw,
        "metadata": metadata_of(question),
        "evaluation": evaluation,
    }


@dataclass(frozen=True, slots=True)
class Found:
    """What a strategy found of one candidate."""

    root: Pipeline
    judge: str
    outcomes: Mapping[str, StageOutcome]
    """By path."""
    calls: Mapping[str, Call]
    """By key, those behind the outcomes that are here."""

    @classmethod
    def of(cls, ws: Workspace, run: Run, outcomes: Sequence[StageOutcome]) -> "Found | None":
        """The outcomes of a run with the calls behind them; `None` where its strategy can't be told."""
        strategy, model = run.spec.get("strategy", {}), run.spec.get("model", "")
        try:
            root = notation.parse(strategy.get("notation", "") if isinstance(strategy, Mapping) else "")
        except StrategyError:  # of a file that doesn't say all of it, or of an earlier version
            return None
        keys = [key for outcome in outcomes for key in outcome.call_keys]
        judge = model.get("id", "") if isinstance(model, Mapping) else model
        return cls(root, judge, {one.path: one for one in outcomes}, calls.find(ws, keys))

    def evaluation(self) -> dict[str, Any] | None:
        """The row's `evaluation`; `None` where UQ has no shape for the strategy."""
        steps = []
        for stage in self.root.stages:
            if not _has_shape(stage.node):
                return None
            if self._outcome(stage.name) is not Outcome.SKIPPED:
                steps.append(self._step(stage.name, stage.node))
        whole = self.outcomes.get("")
        at = whole.created_at if whole is not None else ""
        head = {"judge_model": self.judge, "timestamp": at}
        if len(self.root.stages) == 1 and steps:
            return {**steps[0], **head}
        return {
            "strategy": "sequential_judgment",
            **head,
            "step_results": steps,
            "is_accepted": _said(self._outcome("")),
            "completed_steps": len(steps),
            "total_steps": len(self.root.stages),
        }

    def _step(self, path: str, node: Node) -> dict[str, Any]:
        outcome = self._outcome(path)
        match node:
            case Reflect(check=check, turns=turns, rule=rule):
                parts = self._asked(path, turns)
                return {
                    "strategy": f"multi_turn({_NAMES[check.kind][1]})",
                    "n_turns": turns,
                    **self._inferred(parts[:1]),
                    "evaluations": [self._reply(part) for part in parts],
                    "decisions": [_said(self._outcome(part)) for part in parts],
                    "is_accepted": _said(outcome),
                    "voting_method": rule.value,
                }
            case Sample(node=Check(kind=kind), n=n, rule=rule):
                parts = self._asked(path, n)
                return {
                    "strategy": f"repeated_sampling({_NAMES[kind][1]})",
                    "n_samples": n,
                    "sample_results": [self._judgement(part, kind) for part in parts],
                    "decisions": [_said(self._outcome(part)) for part in parts],
                    "is_accepted": _said(outcome),
                    "voting_method": rule.value,
                }
            case Check(kind=kind):
                return self._judgement(path, kind)
        raise AssertionError(node)

    def _judgement(self, path: str, kind: CheckKind) -> dict[str, Any]:
        """One judgement by a check."""
        return {
            "strategy": _NAMES[kind][0],
            **self._inferred([path]),
            "evaluation": self._reply(path),
            "is_accepted": _said(self._outcome(path)),
        }

    def _asked(self, path: str, planned: int) -> list[str]:
        """Paths of the turns or samples that were asked."""
        paths = [f"{path}/{number}" for number in range(1, planned + 1)]
        return [one for one in paths if self._outcome(one) is not Outcome.SKIPPED]

    def _outcome(self, path: str) -> Outcome:
        found = self.outcomes.get(path)
        return Outcome.SKIPPED if found is None else found.outcome

    def _inferred(self, paths: Sequence[str]) -> dict[str, str]:
        """The question that a cycle check inferred from the answer, where it is here."""
        asked = [key for path in paths if path in self.outcomes for key in self.outcomes[path].call_keys]
        texts = [self.calls[key].reply for key in asked if key in self.calls and self.calls[key].template == _INFERRED]
        return {"inferred_question": texts[0]} if texts else {}

    def _reply(self, path: str) -> str | None:
        """The reply that was read, saying our outcome in UQ's words; `None` where it failed."""
        outcome = self._outcome(path)
        call = self.calls.get(self.outcomes[path].call_key)
        if outcome is Outcome.FAILED:
            return None
        reply = call.reply if call is not None else ""
        if decision(reply)[0] is outcome:
            return reply
        return f"{reply}\n{_TOKENS.get(outcome, _UNDECIDED)}".lstrip("\n")


def _has_shape(node: Node) -> bool:
    return isinstance(node, Check | Reflect) or (isinstance(node, Sample) and isinstance(node.node, Check))


def _said(outcome: Outcome) -> bool | None:
    """Yes, no, or nothing."""
    return {Outcome.ACCEPT: True, Outcome.REJECT: False}.get(outcome)


UQ_VALIDATIONS = OtherFormat(
    name="uq-validations",
    noun="result",
    suffix=".jsonl",
    about="what strategies found of answers as UQ's validator results",
    write=write_validations,
    losses=LOSSES,
    of_verdicts=False,
)
