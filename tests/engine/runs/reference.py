"""What a strategy comes to when everything is asked: a second, plain reading of the rules, to hold the engine to."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from uq_tui.analysis.votes import VoteRule
from uq_tui.strategies.tree import (
    Check,
    CheckKind,
    Debate,
    Ensemble,
    Node,
    Pipeline,
    Plugin,
    Reflect,
    Sample,
    Vote,
)
from uq_tui.words import Outcome

A, R, U, F, S = Outcome.ACCEPT, Outcome.REJECT, Outcome.UNPARSED, Outcome.FAILED, Outcome.SKIPPED


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a judge says at one place. `replies` are marks as in `rounds.py`; `inferred` is `q`, `0` or `!`."""

    replies: str
    inferred: str = "q"

    @property
    def outcome(self) -> Outcome:
        return {"+": A, "-": R, "?": U, "!": F}[self.replies[-1]]


Opinions = Callable[[str], Opinion]
"""By path."""
REPLIES = ("+", "-", "?+", "?-", "??", "!", "?!")
PLAIN = ("+", "-")


def opinions(seed: int, replies: Sequence[str], inferences: str) -> Opinions:
    """Opinions that differ by path and seed."""

    def at(path: str) -> Opinion:
        number = int.from_bytes(hashlib.sha256(f"{seed}:{path}".encode()).digest()[:6], "big")
        return Opinion(replies[number % len(replies)], inferences[number // 1000 % len(inferences)])

    return at


@dataclass(frozen=True, slots=True)
class Reference:
    """Evaluates trees; `evaluate` gives the outcome of every place."""

    opinions: Opinions
    plugins: Callable[[str], Outcome]

    def evaluate(self, root: Pipeline) -> Mapping[str, Outcome]:
        found: dict[str, Outcome] = {}
        self._node(root, "", found)
        return found

    def _node(self, node: Node, path: str, found: dict[str, Outcome]) -> Outcome:
        found[path] = self._outcome(node, path, found)
        return found[path]

    def _outcome(self, node: Node, path: str, found: dict[str, Outcome]) -> Outcome:
        match node:
            case Check(kind=kind):
                return self._judged(kind, path)[0]
            case Plugin(name=name):
                return self.plugins(name)
            case Reflect():
                return self._reflected(node, path, found)
            case Sample(node=child, n=n, rule=rule):
                return vote(rule, [self._node(child, _at(path, number), found) for number in range(1, n + 1)])
            case Ensemble(node=child, models=models, rule=rule):
                return vote(rule, [self._node(child, _at(path, number), found) for number, _ in enumerate(models, 1)])
            case Debate():
                return self._debated(node, path, found)
            case Vote(stages=stages, rule=rule):
                return vote(rule, [self._node(stage.node, _at(path, stage.name), found) for stage in stages])
            case Pipeline(stages=stages):
                return vote(VoteRule.UNANIMOUS, [self._node(one.node, _at(path, one.name), found) for one in stages])

    def _judged(self, kind: CheckKind, path: str) -> tuple[Outcome, bool]:
        """The outcome, and whether there is a conversation to go on from."""
        opinion = self.opinions(path)
        if kind is CheckKind.CYCLE_CONSISTENCY and opinion.inferred != "q":
            return (F if opinion.inferred == "!" else U), False
        return opinion.outcome, opinion.outcome is not F

    def _reflected(self, node: Reflect, path: str, found: dict[str, Outcome]) -> Outcome:
        votes: list[Outcome] = []
        goes_on = True
        for turn in range(1, node.turns + 1):
            where = _at(path, turn)
            if not goes_on:
                found[where] = S
                continue
            outcome, goes_on = self._judged(node.check.kind, where) if turn == 1 else self._again(where)
            found[where] = outcome
            votes.append(outcome)
        return vote(node.rule, votes, node.turns)

    def _again(self, path: str) -> tuple[Outcome, bool]:
        outcome = self.opinions(path).outcome
        return outcome, outcome is not F

    def _debated(self, node: Debate, path: str, found: dict[str, Outcome]) -> Outcome:
        debaters = [_at(path, number) for number in range(1, len(node.models) + 1)]
        opened = {debater: self._judged(node.kind, _at(debater, 1)) for debater in debaters}
        for debater, (outcome, spoke) in opened.items():
            found[_at(debater, 1)] = outcome
            heard = any(others for other, (_, others) in opened.items() if other != debater)
            closed = self._again(_at(debater, 2))[0] if spoke and heard else S
            found[_at(debater, 2)] = closed
            found[debater] = outcome if closed is S else closed
        return vote(node.rule, [found[debater] for debater in debaters])


def vote(rule: VoteRule, votes: Sequence[Outcome], planned: int | None = None) -> Outcome:
    """Design, section 5: three-valued, over planned votes that apply."""
    count = (len(votes) if planned is None else planned) - votes.count(S)
    accepts, rejects = votes.count(A), votes.count(R)
    undecided = F if F in votes else U
    if not count:
        return U
    if rule is VoteRule.UNANIMOUS:
        return R if rejects else A if accepts == count else undecided
    return A if accepts > count / 2 else R if rejects >= count / 2 else undecided


def _at(path: str, part: str | int) -> str:
    return f"{path}/{part}".lstrip("/")
