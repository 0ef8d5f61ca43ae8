"""One candidate on its way through a strategy.

A vote asks in waves, each as small as can decide; the judgements of a wave run side by side, and what is asked next
depends on nothing but completed waves. Rounds are counted along that order: a node begins at a round and ends at a
later one, so that they are the same whenever it is run.
"""

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from store.run_rows import StageOutcome
from store.workspace import Workspace
from uq_tui.analysis.votes import Tally, VoteRule, decided, fewest_to_decide, pipeline, tally
from uq_tui.engine.judging.conversations import quoted
from uq_tui.engine.judging.judgement import Asking, Judgement, Prompts
from uq_tui.engine.judging.outcome_record import Found, OutcomeRecord
from uq_tui.engine.judging.seats import Seat
from uq_tui.engine.runs.draws import draws_of, note
from uq_tui.engine.runs.inputs import Judged
from uq_tui.engine.runs.together import all_of
from uq_tui.engine.spec import RunContext
from uq_tui.plugins.spec import Finding
from uq_tui.strategies.tree import (
    Check,
    Debate,
    Ensemble,
    Node,
    Pipeline,
    Plugin,
    Reflect,
    Sample,
    Vote,
    beneath,
    paths_of,
    walk,
)
from uq_tui.words import Outcome

PluginRun = Callable[[str, str, str], Coroutine[Any, Any, Finding]]
"""What a plug-in, by its name, finds about a question and an answer."""


@dataclass(frozen=True, slots=True)
class Screening:
    """What is the same for all candidates of a run."""

    ctx: RunContext
    ws: Workspace
    root: Pipeline
    prompts: Prompts
    seats: Mapping[str, Seat]
    exact: bool
    run_plugin: PluginRun


@dataclass(frozen=True, slots=True)
class _Part:
    """One vote. `paths` are its own and those beneath it; `judge` takes the round at which it begins."""

    paths: tuple[str, ...]
    judge: Callable[[int], Coroutine[Any, Any, Found]]


class Judging:
    """The progress of one candidate. Every outcome is stored before it is told; every place of the tree gets one."""

    def __init__(self, screening: Screening, judged: Judged) -> None:
        self._screening = screening
        self._judged = judged
        self._asking = Asking(screening.ctx, screening.prompts, judged)
        self._record = OutcomeRecord(screening.ctx, screening.ws, judged.candidate_id)
        self._repeated: set[str] = set()
        """Paths of votes in which samples came out equal."""
        self._kept: Mapping[str, StageOutcome] = {}
        """What was decided before the run was resumed, where a plug-in had a part in it."""

    async def whole(self) -> None:
        """Go through the strategy. Raises StoreError and what asking raises."""
        if any(isinstance(node, Plugin) for node in walk(self._screening.root)):
            self._kept = await self._record.decided_before()
        self._record.started("")
        found = await self._stages(self._screening.root, "", 0)
        repeated = [path for path in paths_of(self._screening.root, "") if path in self._repeated]
        if repeated:
            found = replace(found, reason=f"{found.reason}; equal samples in {', '.join(repeated)}")
        await self._record.composed("", found)

    async def _node(self, node: Node, path: str, start: int) -> Found:
        """What a node comes to that begins at the round `start`."""
        self._record.started(path)
        match node:
            case Check(kind=kind):
                return await self._judgement(path, start, await self._asking.check(kind, self._screening.seats[path]))
            case Plugin():
                found = await self._plugin(node, path, start)
            case Reflect():
                found = await self._turns(node, path, start)
            case Sample(node=child, n=n, rule=rule):
                votes = await self._waves(rule, self._each(child, path, n), start, "samples")
                found = self._with_draws(path, _tallied(rule, votes, n, start), votes)
            case Ensemble(node=child, models=models, rule=rule):
                votes = await self._waves(rule, self._each(child, path, len(models)), start, "models")
                found = _tallied(rule, votes, len(models), start)
            case Vote(stages=stages, rule=rule):
                parts = [self._part(stage.node, beneath(path, stage.name)) for stage in stages]
                found = _tallied(rule, await self._waves(rule, parts, start, "votes"), len(parts), start)
            case Debate():
                found = await self._debate(node, path, start)
            case Pipeline():
                found = await self._stages(node, path, start)
        await self._record.composed(path, found)
        return found

    def _each(self, child: Node, path: str, count: int) -> list[_Part]:
        return [self._part(child, beneath(path, str(number))) for number in range(1, count + 1)]

    def _part(self, node: Node, path: str) -> _Part:
        return _Part(paths_of(node, path), partial(self._node, node, path))

    async def _waves(self, rule: VoteRule, parts: Sequence[_Part], start: int, what: str) -> list[Found]:
        """The votes in waves until they decide; with `exact` all at once. `what` they are called in reasons."""
        votes: list[Found] = []
        while len(votes) < len(parts):
            size = len(parts) if self._screening.exact else fewest_to_decide(rule, _outcomes(votes), len(parts))
            if size == 0:
                rest = [path for part in parts[len(votes) :] for path in part.paths]
                await self._record.skipped(rest, f"decided by the {what} before", _end(votes, start))
                break
            wave = parts[len(votes) : len(votes) + size]
            begin = _end(votes, start)
            votes += await all_of([part.judge(begin) for part in wave])
        return votes

    async def _stages(self, node: Pipeline, path: str, start: int) -> Found:
        """Stages one after the other until one rejects; with `exact` all."""
        outcomes: list[tuple[str, Outcome]] = []
        stages: list[Found] = []
        for stage in node.stages:
            where = beneath(path, stage.name)
            if Outcome.REJECT in _outcomes(stages) and not self._screening.exact:
                await self._record.skipped(
                    paths_of(stage.node, where), "an earlier stage rejected", _end(stages, start)
                )
                outcomes.append((stage.name, Outcome.SKIPPED))
            else:
                stages.append(await self._node(stage.node, where, _end(stages, start)))
                outcomes.append((stage.name, stages[-1].outcome))
        return _composed(pipeline(outcomes), stages, start)

    async def _turns(self, node: Reflect, path: str, start: int) -> Found:
        """Turns one after the other. One that leaves no conversation ends them: there is nothing to look at again."""
        seat = self._screening.seats[path]
        paths = [beneath(path, str(number)) for number in range(1, node.turns + 1)]
        said: list[Judgement] = []
        turns: list[Found] = []
        for turn_path in paths:
            if why := self._no_more_turns(node, said):
                await self._record.skipped(paths[len(turns) :], why, _end(turns, start))
                break
            self._record.started(turn_path)
            at = replace(seat, path=turn_path)
            if said:
                said.append(await self._asking.look_again(said[-1], at))
            else:
                said.append(await self._asking.check(node.check.kind, at))
            turns.append(await self._judgement(turn_path, _end(turns, start), said[-1]))
        return _tallied(node.rule, turns, node.turns, start)

    def _no_more_turns(self, node: Reflect, said: Sequence[Judgement]) -> str:
        """Why no further turn is asked for; "" when one is."""
        if said and not said[-1].conversation:
            return _nothing_left(said[-1], "turn")
        if not self._screening.exact and decided(node.rule, [one.outcome for one in said], node.turns) is not None:
            return "decided by the turns before"
        return ""

    async def _debate(self, node: Debate, path: str, start: int) -> Found:
        """All judge once; when all have, each is shown what the others wrote and judges again, in waves."""
        paths = [beneath(path, str(number)) for number in range(1, len(node.models) + 1)]
        opened = await all_of([self._opening(node, debater, start) for debater in paths])
        begin = max(start + len(judgement.calls) for judgement in opened)
        parts = [
            _Part((debater, beneath(debater, "2")), partial(self._closing, debater, number, opened))
            for number, debater in enumerate(paths)
        ]
        votes = await self._waves(node.rule, parts, begin, "second judgements")
        found = _tallied(node.rule, votes, len(parts), begin)
        return replace(found, calls=(*(call for one in opened for call in one.calls), *found.calls))

    async def _opening(self, node: Debate, debater: str, start: int) -> Judgement:
        """A debater's first judgement."""
        path = beneath(debater, "1")
        self._record.started(debater)
        self._record.started(path)
        judgement = await self._asking.check(node.kind, replace(self._screening.seats[debater], path=path))
        await self._judgement(path, start, judgement)
        return judgement

    async def _closing(self, debater: str, number: int, opened: Sequence[Judgement], start: int) -> Found:
        """A debater's second judgement, after what the others wrote; the first stands where they wrote nothing."""
        path = beneath(debater, "2")
        first = opened[number]
        others = [words for other, one in enumerate(opened) if other != number and (words := one.words)]
        if not first.conversation:
            await self._record.skipped([path], _nothing_left(first, "judgement"), start)
            found = Found(first.outcome, "the first judgement brought nothing to go on from", start)
        elif not others:
            await self._record.skipped([path], "no other judge wrote anything to be shown", start)
            found = Found(first.outcome, "no reply of others to show: the first judgement stands", start)
        else:
            self._record.started(path)
            at = replace(self._screening.seats[debater], path=path)
            second = await self._asking.after_reading(quoted(others), first, at)
            ended = await self._judgement(path, start, second)
            reason = f"{first.outcome} at first, {second.outcome} after reading the others"
            found = replace(ended, reason=reason)
        await self._record.composed(debater, found)
        return found

    async def _plugin(self, node: Plugin, path: str, start: int) -> Found:
        """What a plug-in finds. A resumed run keeps what it has decided, as it keeps replies."""
        kept = self._kept.get(path)
        if kept is not None:
            return Found(kept.outcome, kept.reason, start)
        finding = await self._screening.run_plugin(node.name, self._judged.question, self._judged.answer)
        return Found(finding.outcome, finding.reason, start)

    def _with_draws(self, path: str, found: Found, samples: Sequence[Found]) -> Found:
        """Equal samples all count; the reason says that they are equal."""
        equal = note(draws_of([one.calls for one in samples]))
        if not equal:
            return found
        self._repeated.add(path)
        return replace(found, reason=f"{found.reason}; {equal}")

    async def _judgement(self, path: str, start: int, judgement: Judgement) -> Found:
        """Keep what a judge said."""
        found = Found(judgement.outcome, judgement.reason, start + len(judgement.calls), judgement.calls)
        await self._record.judged(path, found)
        return found


def _nothing_left(before: Judgement, what: str) -> str:
    """Why a judgement that left no conversation is not gone on from."""
    failed = before.outcome is Outcome.FAILED
    return f"the {what} before failed" if failed else f"the {what} before left nothing to go on from"


def _tallied(rule: VoteRule, votes: Sequence[Found], planned: int, start: int) -> Found:
    return _composed(tally(rule, _outcomes(votes), planned), votes, start)


def _composed(result: Tally, parts: Sequence[Found], start: int) -> Found:
    calls = tuple(call for part in parts for call in part.calls)
    return Found(result.outcome, result.reason, _end(parts, start), calls)


def _end(parts: Sequence[Found], start: int) -> int:
    """The round at which all parts are over, that began at `start`."""
    return max((part.round for part in parts), default=start)


def _outcomes(found: Sequence[Found]) -> list[Outcome]:
    return [one.outcome for one in found]
