"""Strategies in TOML: a tree of tables, or a title and purpose around the one-line form.

A table is one node. It holds what is asked: a `check`, a `plugin`, `stages` one after the other, `parts` that vote, or
`of`, another node. If that is spread over votes, it also says how: `turns`, `samples`, `models` or `debate`, and the
`vote`. A list of stages with checks, turns and samples, which is all that uq-tui 0.1.0 knew, reads as it did.
"""

import tomllib
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from uq_tui.analysis.votes import VoteRule
from uq_tui.errors import StrategyError
from uq_tui.strategies import limits
from uq_tui.strategies.notation import parse, to_notation
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
    Stage,
    Strategy,
    Vote,
    default_name,
)

MAX_BYTES = 65_536
"""Bytes of a strategy's file."""

_ROOT_KEYS = ("title", "purpose", "stages", "notation")
_CONTENTS = ("check", "plugin", "stages", "parts", "of")
_SPREADS = ("turns", "samples", "models", "debate")
_NODE_KEYS = (*_CONTENTS, *_SPREADS, "name", "model", "vote")

_Table = Mapping[str, Any]


def parse_strategy(name: str, source: str) -> Strategy:
    """Read a strategy's TOML.

    Args:
        name: what it is called; used in messages and kept.
        source: the TOML text.

    Raises:
        StrategyError: naming everything that is wrong at once.
    """
    if len(source.encode(errors="replace")) > MAX_BYTES:
        raise StrategyError(f"Strategy {name} is longer than {MAX_BYTES:,} bytes.")
    try:
        data = tomllib.loads(source)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise StrategyError(f"Strategy {name} is not TOML: {error}") from error
    problems = [f"unknown key {key}" for key in sorted(data.keys() - set(_ROOT_KEYS))]
    problems += [
        f"{key} must be a text that is not empty"
        for key in ("title", "purpose")
        if key in data and not (isinstance(data[key], str) and data[key])
    ]
    root = _root(data, problems)
    if root is None or problems:
        raise StrategyError(f"Strategy {name}: {'; '.join(problems)}.", hint="docs/strategies.md says what it holds.")
    return Strategy(name, data.get("title", name), data.get("purpose", ""), root, to_notation(root))


def _root(data: _Table, problems: list[str]) -> Pipeline | None:
    """The tree of a file; what is wrong with it goes to `problems`."""
    if ("stages" in data) == ("notation" in data):
        problems.append("it needs at least one [[stages]] table, or a notation, not both")
        return None
    if "notation" in data:
        return _from_notation(data["notation"], problems)
    stages = _stages(data["stages"], "stage", "", problems)
    if stages is None:
        return None
    root = Pipeline(stages)
    wrong = limits.root_problem(root)
    if not wrong and len(to_notation(root)) > limits.MAX_LENGTH:
        wrong = f"on one line it is longer than {limits.MAX_LENGTH:,} characters"
    if wrong:
        problems.append(wrong)
    return root


def _from_notation(text: object, problems: list[str]) -> Pipeline | None:
    if not isinstance(text, str):
        problems.append("notation must be a text")
        return None
    try:
        return parse(text)
    except StrategyError as error:
        where = "" if error.position is None else f", at character {error.position + 1}"
        problems.append(f"notation{where}: {error.message.removesuffix('.')}")
        return None


def _stages(value: object, word: str, above: str, problems: list[str], depth: int = 0) -> tuple[Stage, ...] | None:
    """The nodes of an array of tables, with their names, or `None` if any of them is wrong."""
    if not (isinstance(value, list) and value and all(isinstance(table, dict) for table in value)):
        problems.append(f"{above}{word}s must be an array of tables, at least one")
        return None
    stages = []
    for number, table in enumerate(value, start=1):
        where = f"{above}{word} {number}"
        node = _node(table, where, problems, depth)
        if node is None:
            continue
        name = table.get("name", default_name(node))
        if isinstance(name, str):
            stages.append(Stage(name, node))
        else:
            problems.append(f"{where}: name must be a text")
    return tuple(stages) if len(stages) == len(value) else None


def _node(table: _Table, where: str, problems: list[str], depth: int) -> Node | None:
    """The node that a table describes, or `None` after what is wrong with it went to `problems`."""
    wrong = [*_key_problems(table), *_value_problems(table)]
    problems += [f"{where}: {', '.join(wrong)}"] if wrong else []
    if depth > limits.MAX_DEPTH:
        problems.append(f"{where}: it is nested more than {limits.MAX_DEPTH} levels deep")
        return None
    inner = _contents(table, where, problems, depth + 1)
    if wrong or inner is None:
        return None
    node = _spread(table, inner)
    found = limits.problem(inner) or limits.problem(node)
    if found:
        problems.append(f"{where}: {found}")
        return None
    return node


def _contents(table: _Table, where: str, problems: list[str], depth: int) -> Node | None:
    """What a table asks, before it is spread over votes."""
    if "stages" in table:
        stages = _stages(table["stages"], "stage", f"{where}, ", problems, depth)
        return None if stages is None else Pipeline(stages)
    if "parts" in table:
        parts = _stages(table["parts"], "part", f"{where}, ", problems, depth)
        rule = table.get("vote")
        return Vote(parts, VoteRule(str(rule))) if parts is not None and _is_one(rule, VoteRule) else None
    if isinstance(table.get("of"), dict):
        return _node(table["of"], f"{where}, of", problems, depth)
    if _is_one(table.get("check"), CheckKind):
        return Check(CheckKind(table["check"]), table.get("model"))
    return Plugin(table["plugin"]) if isinstance(table.get("plugin"), str) else None


def _spread(table: _Table, inner: Node) -> Node:
    """The node around what a table asks. Its keys and values are right."""
    if not any(key in table for key in _SPREADS):
        return inner
    rule = VoteRule(table["vote"])
    if "samples" in table:
        return Sample(inner, table["samples"], rule)
    if "models" in table:
        return Ensemble(inner, tuple(table["models"]), rule)
    if not isinstance(inner, Check):
        raise TypeError("turns and debate stand beside a check")
    return (
        Reflect(inner, table["turns"], rule) if "turns" in table else Debate(inner.kind, tuple(table["debate"]), rule)
    )


def _key_problems(table: _Table) -> list[str]:
    """What is wrong with which keys a table has."""
    wrong = [f"unknown key {key}" for key in sorted(table.keys() - set(_NODE_KEYS))]
    contents = [key for key in _CONTENTS if key in table]
    spreads = [key for key in _SPREADS if key in table]
    if len(contents) != 1:
        wrong.append(
            f"it needs one of {', '.join(_CONTENTS)}" + (f", not {' and '.join(contents)}" if contents else "")
        )
    if len(spreads) > 1:
        wrong.append(f"it has both {' and '.join(spreads)}; put one into a table `of`")
    wrong += [
        f"{key} goes with check only" for key in ("turns", "debate", "model") if key in table and "check" not in table
    ]
    if "parts" in table and spreads:
        wrong.append(f"parts has its own vote; put it into a table `of` beside {spreads[0]}")
    if "debate" in table and "model" in table:
        wrong.append("debate names its models itself; leave model out")
    if "vote" in table and not (spreads or "parts" in table):
        wrong.append("vote needs turns, samples, models, debate or parts")
    return wrong


def _value_problems(table: _Table) -> list[str]:
    """What is wrong with the values of a table's own keys."""
    wrong = []
    if "check" in table and not _is_one(table["check"], CheckKind):
        wrong.append(f"check must be one of {', '.join(CheckKind)}")
    if "plugin" in table and not isinstance(table["plugin"], str):
        wrong.append("plugin must be the name of one")
    if "of" in table and not isinstance(table["of"], dict):
        wrong.append("of must be a table")
    elif "name" in table.get("of", ()):
        wrong.append("what is in of has no name; give one to the table around it")
    wrong += [
        f"{key} must be a whole number from 1 to {MAX_VOTES}"
        for key in ("turns", "samples")
        if key in table and not (_is_whole(table[key]) and 1 <= table[key] <= MAX_VOTES)
    ]
    wrong += [
        f"{key} must be a list of slot numbers and model ids"
        for key in ("models", "debate")
        if key in table and not (isinstance(table[key], list) and all(map(_is_slot, table[key])))
    ]
    if "model" in table and not _is_slot(table["model"]):
        wrong.append("model must be a slot number or a model id")
    voting = "parts" in table or any(key in table for key in _SPREADS)
    if voting and not _is_one(table.get("vote"), VoteRule):
        wrong.append(f"vote must be one of {', '.join(VoteRule)}")
    return wrong


def _is_one(value: object, words: type[StrEnum]) -> bool:
    return isinstance(value, str) and value in set(words)


def _is_whole(value: object) -> bool:
    return type(value) is int


def _is_slot(value: object) -> bool:
    return _is_whole(value) or isinstance(value, str)
