"""Only rules that may apply are tried: most begin with one of a few signs, and most lines with none of these.

markdown-it tries them all, a dozen for every line and as many for every sign of markup.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import TypeVar

from markdown_it.parser_block import RuleFuncBlockType
from markdown_it.parser_inline import RuleFuncInlineType
from markdown_it.ruler import Ruler
from markdown_it.rules_block import StateBlock

_Rule = TypeVar("_Rule")

_BLOCKS = {
    "math_block": "$\\", "fence": "`~", "spoiler": ">", "blockquote": ">", "hr": "*-_", "list": "*+-0123456789",
    "footnote": "[", "reference": "[", "heading": "#",
}  # fmt: skip
"""The signs that a block may begin with; others may begin with any."""
_INLINE = {
    "newline": "\n", "math": "$\\", "escape": "\\", "backticks": "`", "strikethrough": "~", "emphasis": "*_",
    "link": "[", "footnote": "[", "image": "!", "autolink": "<", "entity": "&",
}  # fmt: skip


class BlockRules(Ruler[RuleFuncBlockType]):
    """markdown-it's rules for blocks. It is given one rule in place of all, which tries those that may apply."""

    def __init__(self, rules: Ruler[RuleFuncBlockType]) -> None:
        super().__init__()
        self.__rules__ = rules.__rules__
        self._chosen: dict[str, list[RuleFuncBlockType]] = {}

    def getRules(self, chainName: str = "") -> list[RuleFuncBlockType]:  # noqa: N802, N803
        """See `Ruler`. The rules must not be changed any more."""
        if chainName not in self._chosen:
            names = dict(zip(super().getRules(""), self.get_active_rules(), strict=True))
            rules = [(names[rule], rule) for rule in super().getRules(chainName)]
            self._chosen[chainName] = [_chosen_block(_by_sign(rules, _BLOCKS), _any_sign(rules, _BLOCKS))]
        return self._chosen[chainName]


def _chosen_block(
    by_sign: Mapping[str, tuple[RuleFuncBlockType, ...]], others: tuple[RuleFuncBlockType, ...]
) -> RuleFuncBlockType:
    def chosen(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
        at = state.bMarks[start_line] + state.tShift[start_line]
        return any(rule(state, start_line, end_line, silent) for rule in by_sign.get(state.src[at : at + 1], others))

    return chosen


class InlineRules(Ruler[RuleFuncInlineType]):
    """markdown-it's rules for what is within a paragraph, by the sign that they begin with."""

    def __init__(self, rules: Ruler[RuleFuncInlineType]) -> None:
        super().__init__()
        self.__rules__ = rules.__rules__

    @cached_property
    def by_sign(self) -> Mapping[str, tuple[RuleFuncInlineType, ...]]:
        """The rules to try for a sign of markup. The rules must not be changed any more."""
        rules = list(zip(self.get_active_rules(), self.getRules(""), strict=True))
        return _by_sign([(name, rule) for name, rule in rules if name != "text"], _INLINE)


def _by_sign(rules: list[tuple[str, _Rule]], signs: Mapping[str, str]) -> dict[str, tuple[_Rule, ...]]:
    every = {sign for name, _ in rules for sign in signs.get(name, "")}
    return {sign: tuple(rule for name, rule in rules if sign in signs.get(name, sign)) for sign in every}


def _any_sign(rules: list[tuple[str, _Rule]], signs: Mapping[str, str]) -> tuple[_Rule, ...]:
    return tuple(rule for name, rule in rules if name not in signs)
