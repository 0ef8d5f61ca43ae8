"""Asking a judge for a decision so that only the judge can give it, and reading it.

A decision stands on a line `TAG: accept` or `TAG: reject`. The tag is an HMAC of the very messages it is asked in,
under a secret of the workspace: whoever wrote the candidate cannot know it, so a verdict planted in a candidate is
never read as the judge's, even where the judge quotes it. The fence around foreign text comes from the same HMAC, so
a candidate cannot close it either.
"""

import base64
import hashlib
import hmac
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from prompts.loader import Template, render
from store.rows import Message
from uq_tui.words import Outcome

_MARKS = ("tag", "fence")
_PLACEHOLDERS = {"tag": "(tag)", "fence": "(fence)"}
_DECORATION = str.maketrans("", "", "*`")
_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Conversation:
    """Messages ready to be sent, and the tag their last one asks for ("" when it asks for no decision)."""

    messages: tuple[Message, ...]
    tag: str


@dataclass(frozen=True, slots=True)
class Decision:
    """What a reply decides. `reason` says why it is unparsed; empty for a decision."""

    outcome: Outcome
    reason: str = ""


def converse(secret: bytes, history: Sequence[Message], template: Template, values: Mapping[str, str]) -> Conversation:
    """The history and one user message made from the template, with its own tag and fence where it takes them.

    Tag and fence are 8 base32 characters each of HMAC-SHA256(secret, canonical JSON of the messages with both
    replaced by placeholders).

    Args:
        secret: the workspace's secret.
        history: the messages so far, the judge's replies among them.
        template: what the next message says.
        values: its variables other than `tag` and `fence`.

    Raises:
        TemplateError: a variable is missing or unknown.
    """
    marks = [name for name in _MARKS if name in template.inputs]
    draft = render(template, {**values, **{name: _PLACEHOLDERS[name] for name in marks}})
    text = json.dumps([[m.role, m.content] for m in (*history, Message("user", draft))], separators=(",", ":"))
    code = base64.b32encode(hmac.digest(secret, text.encode(), hashlib.sha256)).decode()
    found = {"tag": code[:8], "fence": code[8:16]}
    content = render(template, {**values, **{name: found[name] for name in marks}})
    return Conversation((*history, Message("user", content)), found["tag"] if "tag" in marks else "")


def read_decision(reply: str, tag: str) -> Decision:
    """The decision in a judge's reply: exactly one, on a tagged line that is the last line with anything on it.

    Bold marks and backticks around it and the case of the two words don't matter; everything else does. Earlier tagged
    lines are fine if they say the same. Anything else is `unparsed`, with the reason.

    Args:
        reply: the reply proper, without the judge's reasoning.
        tag: the tag that was asked for, 8 characters.
    """
    undecorated = (line.translate(_DECORATION).strip() for line in _LINE_END.split(reply))
    lines = [line for line in undecorated if line]
    decisions = [_tagged(line, tag) for line in lines]
    distinct = {decision for decision in decisions if decision}
    if not lines:
        return Decision(Outcome.UNPARSED, "the reply is empty")
    if not distinct:
        return Decision(Outcome.UNPARSED, "no tagged decision line")
    if len(distinct) > 1:
        return Decision(Outcome.UNPARSED, "tagged lines for both accept and reject")
    if decisions[-1] is None:
        return Decision(Outcome.UNPARSED, "the tagged decision line is not the last line")
    return Decision(decisions[-1])


def _tagged(line: str, tag: str) -> Outcome | None:
    head, colon, word = line.partition(":")
    if not colon or head.rstrip() != tag:
        return None
    word = word.strip().lower()
    return Outcome(word) if word in (Outcome.ACCEPT, Outcome.REJECT) else None
