"""Asking a judge so that only the judge can answer.

A decision or a score is asked for with a tag: an HMAC of the very messages it is asked in, under a secret of the
workspace. Whoever wrote the candidate cannot know it, so a verdict planted in a candidate is never read as the judge's,
even where the judge quotes it. The fence around foreign text comes from the same HMAC, so a candidate cannot close it
either. The exact forms of the papers have no tag, and so none of this.
"""

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from prompts.loader import Output, Template, render
from store.run_rows import Message
from uq_tui.analysis.scale import Scale
from uq_tui.errors import TemplateError

_PLACEHOLDERS = {"tag": "(tag)", "fence": "(fence)"}
_ENDING = "ending"


@dataclass(frozen=True, slots=True)
class Conversation:
    """Messages ready to be sent, and what their last one asks for.

    `tag` is "" where the form has none, `scale` `None` where no score is asked for.
    """

    messages: tuple[Message, ...]
    form: Output
    tag: str
    scale: Scale | None = None


def converse(
    secret: bytes,
    history: Sequence[Message],
    template: Template,
    values: Mapping[str, str],
    ending: Template | None = None,
    scale: Scale | None = None,
) -> Conversation:
    """The history and one user message made from the template, with its own tag and fence where they are taken.

    Tag and fence are 8 base32 characters each of HMAC-SHA256(secret, canonical JSON of the messages with both
    replaced by placeholders).

    Args:
        secret: the workspace's secret.
        history: the messages so far, the judge's replies among them.
        template: what the next message says.
        values: its variables other than `tag`, `fence`, `ending`, `lowest` and `highest`.
        ending: how the reply must end; used where the template takes an ending.
        scale: the scores that may be given, where a score is asked for.

    Raises:
        TemplateError: a variable is missing or unknown, or the ending asks for something else than the template.
    """
    asking = template
    if _ENDING in template.inputs:
        if ending is None:
            raise TemplateError(f"Template {template.name} needs an ending.")
        if _kind(ending.output) != template.output:
            raise TemplateError(
                f"Template {template.name} asks for a {template.output}, its ending {ending.name} for a "
                f"{_kind(ending.output)}."
            )
        asking = ending
    bounds = {} if scale is None else {"lowest": str(scale.lowest), "highest": str(scale.highest)}

    def message(marks: Mapping[str, str]) -> Message:
        filled = {**bounds, **marks}
        if asking is not template:
            filled[_ENDING] = render(asking, _taken(asking, filled))
        return Message("user", render(template, {**values, **_taken(template, filled)}))

    draft = [[one.role, one.content] for one in (*history, message(_PLACEHOLDERS))]
    text = json.dumps(draft, separators=(",", ":"))
    code = base64.b32encode(hmac.digest(secret, text.encode(), hashlib.sha256)).decode()
    marks = {"tag": code[:8], "fence": code[8:16]}
    return Conversation(
        messages=(*history, message(marks)),
        form=asking.output,
        tag=marks["tag"] if "tag" in asking.inputs else "",
        scale=scale,
    )


def quoted(texts: Sequence[str]) -> str:
    """What other judges wrote, each as a numbered block quote, so that none of them can begin another's."""
    parts = []
    for number, text in enumerate(texts, start=1):
        lines = [f"> {line}".rstrip() for line in text.strip().splitlines()]
        parts.append("\n".join([f"Judge {number} wrote:", *lines]))
    return "\n\n".join(parts)


def _kind(output: Output) -> str:
    return output.value.removesuffix("_exact")


def _taken(template: Template, values: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in values.items() if name in template.inputs}
