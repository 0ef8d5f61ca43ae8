"""What a UQ validator found of one answer, as the rungs of a strategy.

The validators of UQ take the first `[[Y]]` or `[[N]]` of a reply, and a reply without one for a rejection. Here replies
that are in the file are read again: one whose decisions differ counts by its last line, and one without a decision is
unparsed. Votes are counted anew by the rules of `uq_tui.analysis.votes`: over those that were planned, three-valued.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from store.ingest import fields
from store.ingest.report import RowError
from uq_tui.words import Outcome

MOST_PARTS = 1_000
"""Steps, turns or samples that one evaluation may have."""

CHECKS: Mapping[str, str] = {
    "correctness": "correctness",
    "total_correctness": "correctness",
    "totalcorrectness": "correctness",
    "fact_check": "fact_logic",
    "fact_logic": "fact_logic",
    "factual_error": "fact_logic",
    "factualerror": "fact_logic",
    "cycle_consistency": "cycle_consistency",
    "cycleconsistency": "cycle_consistency",
    "relevance": "relevance",
    "final_answer": "final_answer",
    "finalanswer": "final_answer",
    "vanilla": "vanilla",
}
"""Our names of checks by those in UQ's files: of its command line, of its results, and of its classes."""

_TOKEN = re.compile(r"\[\[([YN])\]\]")
_SPREAD = re.compile(r"(?:repeated_sampling|multi_turn)\((\w*)\)")
_DECISIONS = {"Y": Outcome.ACCEPT, "N": Outcome.REJECT}
_NAME = re.compile(r"[^\w-]+")
_RULES = ("majority", "unanimous")


@dataclass(frozen=True, slots=True)
class Reply:
    """What a judge wrote."""

    text: str
    purpose: str = ""
    """The template of our own that asks the like, where it is no judgement."""


@dataclass(frozen=True, slots=True)
class Rung:
    """A node of the strategy and what came of it. `path` is as in `store.run_rows.StageOutcome`."""

    path: str
    outcome: Outcome
    reason: str = ""
    replies: tuple[Reply, ...] = ()
    """In the order in which they came; the last one was read."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One evaluation: who judged by what, and every rung, the whole strategy first."""

    judge: str
    stages: tuple[str, ...]
    """In the one-line notation of strategies, as far as they are in the file."""
    planned: int
    """Stages that the strategy has."""
    rungs: tuple[Rung, ...]
    prompt: str
    """Of the first call, where it is in the file."""


@dataclass(frozen=True, slots=True)
class _Step:
    notation: str
    check: str
    rungs: tuple[Rung, ...]
    """Of the step itself, then of its parts; paths are relative to it."""


def evaluation_of(value: object) -> Evaluation:
    """What is in a row's `evaluation`. Raises RowError: it is none."""
    if not isinstance(value, dict):
        raise RowError("`evaluation` is not an object")
    given = _objects(value, "step_results")
    steps = [_step(one) for one in given] if given else [_step(value)]
    planned = max(fields.integer(value, "total_steps") or 0, len(steps))
    if planned > MOST_PARTS:
        raise RowError(f"`total_steps` is more than {MOST_PARTS:,}")
    names = _own_names([step.check for step in steps])
    stages = tuple(
        step.notation if name == step.check else f"{name}: {step.notation}"
        for name, step in zip(names, steps, strict=True)
    )
    beneath = [
        replace(rung, path=f"{name}/{rung.path}" if rung.path else name)
        for name, step in zip(names, steps, strict=True)
        for rung in step.rungs
    ]
    whole = _whole([step.rungs[0].outcome for step in steps], planned, _recorded(value, "is_accepted"))
    first = given[0] if given else value
    prompt = first.get("prompt")
    judge = fields.text(value, "judge_model") or fields.text(first, "judge_model")
    return Evaluation(
        judge=judge,
        stages=stages,
        planned=planned,
        rungs=(whole, *beneath),
        prompt=prompt if isinstance(prompt, str) else "",
    )


def failed(error: str) -> Evaluation:
    """An evaluation that failed as a whole."""
    return Evaluation("", (), 0, (Rung("", Outcome.FAILED, error),), "")


def with_stages(found: Evaluation, stages: Sequence[str]) -> Evaluation:
    """The same where the whole strategy is known: what was not asked any more is skipped.

    Args:
        found: the evaluation, which may end before its strategy does.
        stages: the strategy's, in its notation, as far as they are known; further ones go by number.
    """
    known = [*found.stages, *stages[len(found.stages) :]]
    rest = [name_of(stage) for stage in known[len(found.stages) :]]
    rest += [f"step_{number}" for number in range(len(known) + 1, found.planned + 1)]
    skipped = (Rung(name, Outcome.SKIPPED, "not asked after the step before") for name in rest)
    return replace(found, stages=tuple(known), rungs=(*found.rungs, *skipped))


def name_of(stage: str) -> str:
    """The name of a stage by its notation."""
    name, colon, _ = stage.partition(": ")
    return name if colon else stage.split(" ")[0]


def _step(value: Mapping[str, Any]) -> _Step:
    named = fields.text(value, "strategy")
    votes = _votes(value)
    check = _check(named, value)
    if len(votes) <= 1:
        outcome, reason, reply = votes[0] if votes else _read(value, _recorded(value, "is_accepted"))
        return _Step(check, check, (Rung("", outcome, reason, (*_inferred(value), *reply)),))
    spread = "r" if named.startswith("multi_turn") or "n_turns" in value else "x"
    rule = fields.text(value, "voting_method")
    if rule not in _RULES:
        rule = ""
    outcome, reason = _counted([vote[0] for vote in votes], rule, _recorded(value, "is_accepted"))
    # What is no rule of ours can't be written in the notation; nothing of it is shown as if it were one.
    notation = (
        f"{check} {spread}{len(votes)} {rule}" if rule else f"{check} {spread}{len(votes)} (votes counted unknown)"
    )
    parts = [
        Rung(str(number), outcome, said, (*(_inferred(value) if number == 1 else ()), *reply))
        for number, (outcome, said, reply) in enumerate(votes, 1)
    ]
    return _Step(notation, check, (Rung("", outcome, reason), *parts))


_Vote = tuple[Outcome, str, tuple[Reply, ...]]


def _votes(value: Mapping[str, Any]) -> list[_Vote]:
    """The judgements of a spread check; none for a single one."""
    samples = _objects(value, "sample_results")
    if samples:
        votes = [_sample(one) for one in samples]
    else:
        decisions, texts = _list(value, "decisions"), _list(value, "evaluations")
        many = range(max(len(decisions), len(texts)))
        votes = [_read(_pick(texts, at), _as_bool(decisions[at]) if at < len(decisions) else None) for at in many]
    planned = max(fields.integer(value, "n_turns", "n_samples") or 0, len(votes)) if votes else 0
    if planned > MOST_PARTS:
        raise RowError(f"more than {MOST_PARTS:,} turns or samples")
    return [*votes, *[(Outcome.FAILED, "not in the file", ())] * (planned - len(votes))]


def _sample(value: Mapping[str, Any]) -> _Vote:
    """One sample. Of a sample in several turns the file has the vote on these, and the last turn's reply."""
    recorded = _recorded(value, "is_accepted")
    if "voting_method" not in value or recorded is None:
        return _read(value, recorded)
    outcome, reason, reply = _read(value, None)
    if outcome is Outcome.UNPARSED:
        return outcome, reason, reply
    return Outcome.ACCEPT if recorded else Outcome.REJECT, "by a vote of turns that are not in the file", reply


def _pick(texts: Sequence[Any], at: int) -> Mapping[str, Any]:
    return {"evaluation": texts[at]} if at < len(texts) else {}


def _read(value: Mapping[str, Any], recorded: bool | None) -> _Vote:
    """One judgement: what its reply says, else what the file does."""
    said = None if recorded is None else (Outcome.ACCEPT if recorded else Outcome.REJECT)
    if "evaluation" not in value:
        return (said, "its reply is not in the file", ()) if said else (Outcome.FAILED, "not in the file", ())
    text = value["evaluation"]
    if not isinstance(text, str):
        return Outcome.FAILED, "there is no reply", ()
    outcome, reason = decision(text)
    if said is not None and outcome is not said:
        reason = f"{reason}; the file says {said}" if reason else f"its reply says {outcome}, the file {said}"
    return outcome, reason, (Reply(text),)


def decision(text: str) -> tuple[Outcome, str]:
    """What a reply decides: the one token it holds, of different ones that in its last line; and what was odd."""
    found = set(_TOKEN.findall(text))
    if not found:
        return Outcome.UNPARSED, "no [[Y]] or [[N]]" if text.strip() else "the reply is empty"
    if len(found) > 1:
        found = set(_TOKEN.findall(text.rstrip().rpartition("\n")[2]))
        if len(found) != 1:
            return Outcome.UNPARSED, "both [[Y]] and [[N]]"
        return _DECISIONS[found.pop()], "both [[Y]] and [[N]], by its last line"
    return _DECISIONS[found.pop()], ""


def _counted(votes: Sequence[Outcome], rule: str, recorded: bool | None) -> tuple[Outcome, str]:
    accepts, rejects = votes.count(Outcome.ACCEPT), votes.count(Outcome.REJECT)
    undecided = Outcome.FAILED if Outcome.FAILED in votes else Outcome.UNPARSED
    outcome, reason = undecided, f"{accepts} of {len(votes)} accepted, {rejects} rejected"
    if rule == "unanimous" and (rejects or accepts == len(votes)):
        outcome = Outcome.REJECT if rejects else Outcome.ACCEPT
    elif rule == "majority" and 2 * accepts > len(votes):
        outcome = Outcome.ACCEPT
    elif rule == "majority" and 2 * rejects >= len(votes):
        outcome = Outcome.REJECT
    elif not rule:
        reason += "; how votes count is not in the file"
        if recorded is not None and accepts + rejects == len(votes):
            outcome = Outcome.ACCEPT if recorded else Outcome.REJECT
    return outcome, _beside(reason, outcome, recorded)


def _whole(steps: Sequence[Outcome], planned: int, recorded: bool | None) -> Rung:
    """The strategy: the first step that rejects rejects, and all have to accept."""
    accepted = sum(outcome is Outcome.ACCEPT for outcome in steps)
    if Outcome.REJECT in steps:
        outcome, reason = Outcome.REJECT, ""
    elif accepted == planned:
        outcome, reason = Outcome.ACCEPT, ""
    else:
        undecided = [one for one in steps if one is not Outcome.ACCEPT]
        outcome = Outcome.UNPARSED if undecided and Outcome.FAILED not in undecided else Outcome.FAILED
        reason = f"{accepted} of {planned} steps accepted, none rejected" if planned > 1 else ""
    return Rung("", outcome, _beside(reason, outcome, recorded))


def _beside(reason: str, outcome: Outcome, recorded: bool | None) -> str:
    """The reason, and what the file says where that is something else."""
    if recorded is None or outcome is (Outcome.ACCEPT if recorded else Outcome.REJECT):
        return reason
    said = f"the file says {Outcome.ACCEPT if recorded else Outcome.REJECT}"
    return f"{reason}; {said}" if reason else said


def _check(named: str, value: Mapping[str, Any]) -> str:
    """Our name of the check that is asked; the file's where it is none of UQ's."""
    spread = _SPREAD.fullmatch(named)
    inner = spread[1] if spread else named
    if inner.endswith("VotingDecorator"):  # the check's own name stands in its samples alone
        samples = _objects(value, "sample_results")
        return _check(fields.text(samples[0], "strategy"), samples[0]) if samples else "check"
    word = inner.removesuffix("Strategy").removesuffix("Judgment").lower()
    return CHECKS.get(word) or _NAME.sub("_", inner).strip("_")[:40] or "check"


def _inferred(value: Mapping[str, Any]) -> tuple[Reply, ...]:
    """The question that was inferred from the answer, a call of its own."""
    text = value.get("inferred_question")
    return (Reply(text, "check.cycle_infer"),) if isinstance(text, str) and text else ()


def _own_names(checks: Sequence[str]) -> list[str]:
    """A name for each step: its check's, with a number where that came before."""
    names: list[str] = []
    for check in checks:
        before = sum(one == check for one in checks[: len(names)])
        names.append(f"{check}_{before + 1}" if before else check)
    return names


def _recorded(value: Mapping[str, Any], key: str) -> bool | None:
    return _as_bool(value.get(key))


def _as_bool(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _list(value: Mapping[str, Any], key: str) -> list[Any]:
    found = value.get(key)
    if found is None:
        return []
    if not isinstance(found, list):
        raise RowError(f"`{key}` is not a list")
    return found


def _objects(value: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    found = _list(value, key)
    if not all(isinstance(one, dict) for one in found):
        raise RowError(f"`{key}` is not a list of objects")
    if len(found) > MOST_PARTS:
        raise RowError(f"`{key}` has more than {MOST_PARTS:,} parts")
    return found
