"""How a rung of a ladder looks: its place in the tree, its outcome in words, why, and what it took."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from textwrap import wrap

from rich.cells import cell_len
from textual.content import Content

from uq_tui.state.ladder.ladder import Ladder, Rung
from uq_tui.text import clean_line
from uq_tui.widgets import marks
from uq_tui.words import DecisionForm, Outcome

LABEL_WIDTH = 26
"""Most cells for indent, fold mark and label; longer labels are cut."""
LEAST_LABEL = 20
"""Cells that the label of the whole gets at least, where it needs them."""
OUTCOME_WIDTH = 9
MIN_WIDTH = 20
"""Cells over which a reason is wrapped at least, however deep it stands."""
DIFFERS = "≠"
"""Stands before the outcome of a node that came out otherwise in the ladder beside this one."""


@dataclass(frozen=True, slots=True)
class Look:
    """What is the same for all rungs of a drawing."""

    label_width: int
    room: int
    """Cells of a line."""
    waiting: str
    """Said of what has not begun."""
    left: str
    """Said of what has begun and goes no further."""
    compared: bool
    """A ladder stands beside this one, and lines have room for a mark."""


def tree_labels(rungs: Sequence[Rung]) -> list[str]:
    """The rungs' labels with indent, and with a mark where parts are shown beneath or could be."""
    opened = [*(after.depth > rung.depth for rung, after in pairwise(rungs)), False]
    return [_tree_label(rung, is_open) for rung, is_open in zip(rungs, opened, strict=True)]


def label_width(labels: Sequence[str]) -> int:
    """Cells that all labels get, so that outcomes stand under each other.

    That of the whole, which may be a long line of notation, gets no more than the others need or `LEAST_LABEL`.
    """
    whole, *parts = map(cell_len, labels)
    return min(LABEL_WIDTH, max([*parts, min(whole, LEAST_LABEL)]))


def repeats(rung: Rung, before: Rung) -> bool:
    """Whether a rung was skipped for the reason that stands at the one before it."""
    return rung.outcome is before.outcome is Outcome.SKIPPED and rung.reason == before.reason


def rung_lines(rung: Rung, label: str, look: Look, differs: bool, repeated: bool) -> Content:
    """One line, and more under it where there is more to say than fits: a reason, another model, tokens and money.

    Args:
        rung: the rung.
        label: as `tree_labels` gives it.
        look: what is the same for all rungs of the drawing.
        differs: it came out otherwise in the ladder beside this one.
        repeated: its reason stands at the rung before it and needn't be said again.
    """
    name = Content(label).truncate(look.label_width, ellipsis=True, pad=True)
    mark = f" {DIFFERS if differs else ' '} " if look.compared else " "
    line = Content.assemble(name.stylize("bold") if rung.depth <= 1 else name, mark, _state(rung, look))
    about = [f"by {clean_line(rung.model)}"] if rung.model else []
    if rung.reason and not repeated:
        about.append(clean_line(rung.reason))
    brief = rung.usage.brief() if rung.path else ""  # the whole says it at length
    at = look.label_width + len(mark) + OUTCOME_WIDTH + 1
    if brief and max(at, line.cell_length + 1) + len(brief) <= look.room:
        line = Content.assemble(line.pad_right(max(1, at - line.cell_length)), (brief, "dim"))
    elif brief and not rung.running:
        about.append(brief)
    return Content.assemble(line, (_indented(", ".join(about), max(1, rung.depth), look), "dim")) if about else line


def asked_lines(ladder: Ladder) -> list[Content]:
    """Lines under the whole strategy: who was asked and how, and what it took in all."""
    shape, usage = ladder.shape, ladder.whole.usage
    models = clean_line(", ".join(shape.models or (ladder.model,)))
    asked = [f"by {models}"] if models else []
    asked += ["exact votes"] if shape.exact else []
    asked += ["bare marks"] if shape.form is DecisionForm.EXACT else []
    lines = [", ".join(asked)] if asked else []
    lines += [usage.text()] if usage.calls else []
    return [Content.styled(f"  {line}", "dim") for line in lines]


def _indented(text: str, depth: int, look: Look) -> str:
    """`text` on lines of its own under a rung of this depth."""
    indent = "  " * depth
    lines = wrap(text, max(MIN_WIDTH, look.room), initial_indent=indent, subsequent_indent=indent)
    return "".join(f"\n{line}" for line in lines)


def _tree_label(rung: Rung, is_open: bool) -> str:
    label = clean_line(rung.label)
    if not rung.path:
        return label or "strategy"
    mark = "▸" if rung.folded else "▾" if is_open else " "
    indent = "  " * (rung.depth - 1)
    label += f" ({rung.parts})" if rung.folded else ""
    room = LABEL_WIDTH - len(indent) - 2
    if "/" in label and cell_len(label) > room:
        label = f"…{label[1 - room :]}"  # of a model's id the end says more
    return f"{indent}{mark} {label}"


def _state(rung: Rung, look: Look) -> Content:
    if rung.outcome is not None:
        return marks.outcome(rung.outcome)
    if rung.running:
        return Content(f"{marks.RUNNING} running")
    return Content.styled(look.left if rung.usage.calls else look.waiting, "dim")
