"""Strategies on one line: `cycle_consistency r3 unanimous => {correctness, relevance} majority x5 majority`.

    pipeline := stage ("=>" stage)*
    stage    := [NAME ":"] node
    node     := atom spread*
    atom     := CHECK ["@" MODEL] | "plugin(" NAME ")" | "(" pipeline ")" | "{" stage ("," stage)* "}" RULE
    spread   := ("x" N | "r" N | "@[" MODEL ("," MODEL)* "]" | "debate[" MODEL ("," MODEL)* "]") RULE
    RULE     := "majority" | "unanimous"
    MODEL    := the number of a slot, from 1 | a model id, which has a "/"

`x` samples, `r` reflects, `@[...]` asks several models, `debate[...]` has them debate; `r` and `debate` follow their
check directly. Brackets around one nameless stage only group. C, FLC, CC, M and U are read, never printed.
"""

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import NoReturn

from uq_tui.analysis.votes import VoteRule
from uq_tui.errors import StrategyError
from uq_tui.strategies import limits
from uq_tui.strategies.tree import (
    MAX_VOTES,
    Check,
    CheckKind,
    Debate,
    Ensemble,
    Node,
    Pipeline,
    Plugin,
    Reflect,
    Sample,
    Slot,
    Stage,
    Vote,
    default_name,
)
from uq_tui.text import clean_line

_CHECKS: Mapping[str, CheckKind] = {kind.value: kind for kind in CheckKind} | {
    "c": CheckKind.CORRECTNESS,
    "flc": CheckKind.FACT_LOGIC,
    "cc": CheckKind.CYCLE_CONSISTENCY,
}
_RULES: Mapping[str, VoteRule] = {rule.value: rule for rule in VoteRule} | {
    "m": VoteRule.MAJORITY,
    "u": VoteRule.UNANIMOUS,
}
CHECK_WORDS = tuple(_CHECKS)
"""The words that stand for a check, in lower case."""

_ATOM = "a check, plugin(...), ( or {"
_SPREAD = "x3, r3, @[1, 2] or debate[1, 2]"

_SPACE = re.compile(r"\s*")
_WORD = re.compile(r"\w+")
_ARROW = re.compile(r"=>")
_NAME = re.compile(r"[\w-]+")
_LABEL = re.compile(r"([\w-]+)\s*:")
_PLUGIN = re.compile(r"plugin\s*\(", re.IGNORECASE)
_COUNT = re.compile(r"([xr])\s*([0-9]+)(?!\w)", re.IGNORECASE)
_MODELS = re.compile(r"(@|debate)\s*\[", re.IGNORECASE)
_RUN_TOGETHER = re.compile(r"([a-z_]+?)([xr][0-9]+)", re.IGNORECASE)
_DIGITS = re.compile(r"[0-9]{1,9}")


def parse(text: str) -> Pipeline:
    """The strategy a text stands for; always a pipeline, perhaps of one stage.

    Raises:
        StrategyError: with the position, 0 to the text's length, at which it stops being one.
    """
    if len(text) > limits.MAX_LENGTH:
        raise StrategyError(
            f"The strategy is longer than {limits.MAX_LENGTH:,} characters.", position=limits.MAX_LENGTH
        )
    return _Reader(text).strategy()


def to_notation(node: Node) -> str:
    """The one-line form; `parse` brings the same tree back from that of a strategy's root."""
    return " => ".join(map(_stage, node.stages)) if isinstance(node, Pipeline) else _node(node)


def _stage(stage: Stage) -> str:
    text = _node(stage.node)
    return text if stage.name == default_name(stage.node) else f"{stage.name}: {text}"


def _node(node: Node) -> str:
    match node:
        case Check(kind=kind, model=None):
            return kind.value
        case Check(kind=kind, model=model):
            return f"{kind.value}@{model}"
        case Plugin(name=name):
            return f"plugin({name})"
        case Reflect(check=check, turns=turns, rule=rule):
            return f"{_node(check)} r{turns} {rule.value}"
        case Sample(node=child, n=n, rule=rule):
            return f"{_node(child)} x{n} {rule.value}"
        case Ensemble(node=child, models=models, rule=rule):
            return f"{_node(child)} @[{_list(models)}] {rule.value}"
        case Debate(kind=kind, models=models, rule=rule):
            return f"{kind.value} debate[{_list(models)}] {rule.value}"
        case Vote(stages=stages, rule=rule):
            return f"{{{', '.join(map(_stage, stages))}}} {rule.value}"
        case Pipeline():
            return f"({to_notation(node)})"


def _list(models: tuple[Slot, ...]) -> str:
    return ", ".join(map(str, models))


class _Reader:
    """Reads a text from left to right; each method reads what it is called after and leaves `_at` behind it."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._brackets = 0
        self._slots: dict[int, int] = {}
        """Where each slot is named first."""

    def strategy(self) -> Pipeline:
        stages = self._stages("=>")
        if self._at < len(self._text):
            self._expect(f"{_SPREAD}, => or the end", ("debate",))
        root = Pipeline(stages)
        wrong = limits.problem(root, nested=False)
        if wrong:
            self._fail(0, f"The strategy cannot be used: {wrong}.")
        if len(to_notation(root)) > limits.MAX_LENGTH:
            self._fail(0, f"Without abbreviations the strategy is longer than {limits.MAX_LENGTH:,} characters.")
        missing = limits.missing_slot(root)
        if missing is not None:
            where = min(position for slot, position in self._slots.items() if slot > missing)
            self._fail(where, f"Slot {missing} is left out: slots are numbered from 1 without gaps.")
        return root

    def _stages(self, separator: str) -> tuple[Stage, ...]:
        """One stage or more; their names differ."""
        stages: dict[str, Stage] = {}
        while True:
            start = self._space()
            stage = self._stage()
            if stage.name in stages:
                self._fail(
                    start,
                    f"A second part is called {stage.name}; names beside each other must differ.",
                    f"Give it one, as in `again: {_node(stage.node)}`.",
                )
            stages[stage.name] = stage
            if not self._take(separator):
                return tuple(stages.values())

    def _stage(self) -> Stage:
        found = _LABEL.match(self._text, self._at)
        if found is None:
            node = self._whole_node()
            return Stage(default_name(node), node)
        if not limits.NAME.fullmatch(found[1]) or len(found[1]) > limits.MAX_NAME:
            self._fail(
                self._at,
                f"{_shown(found[1])} is no name: up to {limits.MAX_NAME} lower-case letters, digits, - and _ are one.",
            )
        self._at = found.end()
        self._space()
        return Stage(found[1], self._whole_node())

    def _whole_node(self) -> Node:
        start = self._at
        node = self._checked(start, self._atom())
        while True:
            start = self._space()
            spread = self._spread(node)
            if spread is None:
                return node
            node = self._checked(start, spread)

    def _atom(self) -> Node:
        if self._take("("):
            return self._bracketed()
        if self._take("{"):
            self._open()
            stages = self._stages(",")
            self._close("}", f"{_SPREAD}, a comma or }}")
            return Vote(stages, self._rule("{...}"))
        plugin = _PLUGIN.match(self._text, self._at)
        if plugin is not None:
            self._at = plugin.end()
            return self._plugin()
        word = self._match(_WORD)
        kind = _CHECKS.get(word.lower())
        if kind is None:
            self._expect(_ATOM, (*_CHECKS, "plugin"))
        self._at += len(word)
        self._space()
        if not self._text.startswith("@", self._at) or _MODELS.match(self._text, self._at):
            return Check(kind)
        self._at += 1
        return Check(kind, self._model())

    def _bracketed(self) -> Node:
        """What follows `(`: a pipeline, or one nameless stage that is only grouped."""
        self._open()
        start = self._space()
        named = _LABEL.match(self._text, start)
        stages = self._stages("=>")
        self._close(")", f"{_SPREAD}, => or )")
        if len(stages) > 1:
            return Pipeline(stages)
        if named is not None:
            self._fail(
                start, f"What stands alone in brackets cannot be called {stages[0].name}.", "Leave the name out."
            )
        return stages[0].node

    def _plugin(self) -> Plugin:
        self._space()
        name = self._match(_NAME)
        if not limits.NAME.fullmatch(name):
            self._expect("the plug-in's name, of lower-case letters, digits, - and _")
        self._at += len(name)
        self._space()
        if not self._take(")"):
            self._expect(")")
        return Plugin(name)

    def _spread(self, node: Node) -> Node | None:
        """The node with what follows it here; `None` when nothing that spreads it does."""
        start = self._at
        count = _COUNT.match(self._text, start)
        if count is not None:
            self._at = count.end()
            sign, number = count[1].lower(), int(count[2][:9])
            if sign == "x":
                return Sample(node, number, self._rule(f"x{number}"))
            if not isinstance(node, Check):
                self._fail(start, "r must follow its check directly.", "As in `correctness r3 unanimous x5 majority`.")
            return Reflect(node, number, self._rule(f"r{number}"))
        models = _MODELS.match(self._text, start)
        if models is None:
            return None
        self._at = models.end()
        debate = models[1] != "@"
        if debate and not (isinstance(node, Check) and node.model is None):
            self._fail(
                start, "debate must follow a check without a model directly.", "As in `c debate[1, 2] majority`."
            )
        named = self._models()
        rule = self._rule("]")
        if debate and isinstance(node, Check):
            return Debate(node.kind, named, rule)
        return Ensemble(node, named, rule)

    def _models(self) -> tuple[Slot, ...]:
        named: list[Slot] = []
        while True:
            start = self._space()
            model = self._model()
            if model in named:
                self._fail(start, f"{_shown(str(model))} is named twice; the models of a vote must differ.")
            named.append(model)
            if not self._take(","):
                break
        if not self._take("]"):
            self._expect("a comma or ]")
        return tuple(named)

    def _model(self) -> Slot:
        start = self._space()
        text = self._match(limits.MODEL)
        if _DIGITS.fullmatch(text) and 1 <= int(text) <= MAX_VOTES:
            self._at += len(text)
            self._slots.setdefault(int(text), start)
            return int(text)
        if "/" not in text or len(text) > limits.MAX_MODEL:
            self._expect(f"the number of a slot from 1 to {MAX_VOTES}, or a model id with a slash, as in openai/o3")
        self._at += len(text)
        return text

    def _rule(self, after: str) -> VoteRule:
        self._space()
        word = self._match(_WORD)
        rule = _RULES.get(word.lower())
        if rule is None:
            self._expect(f"majority or unanimous after {after}", _RULES)
        self._at += len(word)
        return rule

    def _checked(self, start: int, node: Node) -> Node:
        """The node, if it keeps to the limits."""
        wrong = limits.problem(node)
        if wrong:
            self._fail(start, f"This part cannot be used: {wrong}.")
        return node

    def _open(self) -> None:
        self._brackets += 1
        if self._brackets > limits.MAX_DEPTH:
            self._fail(self._at - 1, f"Brackets are nested more than {limits.MAX_DEPTH} levels deep.")

    def _close(self, bracket: str, expected: str) -> None:
        if not self._take(bracket):
            self._expect(expected, ("debate",))
        self._brackets -= 1

    def _take(self, token: str) -> bool:
        """Go past a token, if it comes next."""
        self._space()
        found = self._text.startswith(token, self._at)
        self._at += len(token) * found
        return found

    def _space(self) -> int:
        """Go past white space. Returns where that leads."""
        found = _SPACE.match(self._text, self._at)
        self._at = found.end() if found else self._at
        return self._at

    def _match(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self._text, self._at)
        return found[0] if found else ""

    def _expect(self, expected: str, known: Iterable[str] = ()) -> NoReturn:
        """Fail at what comes next, with the nearest of the `known` words."""
        start = self._space()
        word = self._match(_WORD) or self._match(_ARROW) or self._text[start : start + 1]
        found = f"but here is {_shown(word)}" if word else "but the text ends"
        self._fail(start, f"Expected {expected}, {found}.", _nearest(word, known))

    def _fail(self, position: int, message: str, hint: str = "") -> NoReturn:
        raise StrategyError(message, hint=hint, position=position)


def _nearest(word: str, known: Iterable[str]) -> str:
    """What a misspelt word was probably meant to be, as a hint."""
    words = [one for one in known if len(one) > 2]
    lower = word.lower()
    together = _RUN_TOGETHER.fullmatch(word)
    if together is not None and "plugin" in words and together[1].lower() in _CHECKS:
        return f"Did you mean `{together[1]} {together[2]}`?"
    near = [one for one in words if len(lower) > 2 and one.startswith(lower)] or get_close_matches(lower, words, 1)
    return f"Did you mean {near[0]}?" if near else ""


def _shown(text: str) -> str:
    """A word of the text, short and harmless."""
    line = clean_line(text)
    return f"{line[:40]}…" if len(line) > 40 else line or "an unseen character"
