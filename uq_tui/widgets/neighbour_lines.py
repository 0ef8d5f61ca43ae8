"""How neighbours and proposals look in a list. Foreign text is cleaned and on one line; colour only repeats words."""

from collections.abc import Sequence

from textual.content import Content

from uq_tui.analysis.neighbour_advice import Advice, Concern
from uq_tui.document.maths.readable import one_line, readable_line
from uq_tui.state.neighbours import neighbour_text
from uq_tui.state.neighbours.neighbourhood import Advised
from uq_tui.state.neighbours.proposed import Proposed
from uq_tui.state.neighbours.screen import Going, NeighboursState
from uq_tui.text import clean_line, counted
from uq_tui.widgets import marks
from uq_tui.widgets.finding_list import Entry
from uq_tui.words import NeighbourUse, ProposalState

_STATEMENT = 160
_SHORT = 40
"""Signs of a foreign text in a list; all of it stands beside."""
_CONCERNS = {
    Concern.NEAR_DUPLICATE: "near-duplicate",
    Concern.ANSWER_STATED: "answer stated",
    Concern.ANSWER_FORM: "form of answer",
    Concern.CONTROL: "control near 0 or 1",
}


def entries(state: NeighboursState) -> tuple[Entry, ...]:
    """All that is there: neighbours in use, those set aside, runs under way, proposals that became no neighbours."""
    found: list[Entry] = []
    found += _group("In use", [_neighbour(one) for one in state.in_use])
    found += _group("Set aside", [_neighbour(one) for one in state.set_aside])
    found += _group("Under way", [_going(one) for one in state.running.values()])
    found += _group("Proposed, no neighbours", [_proposal(state, one) for one in state.proposals])
    return tuple(found)


def run_key(run_id: str) -> str:
    """What a run under way goes by in the list."""
    return f"run {run_id}"


def run_of(key: str) -> str:
    """The run that a key of the list is of; empty for another key."""
    return key.removeprefix(run_key("")) if key.startswith(run_key("")) else ""


def _group(title: str, members: Sequence[Entry]) -> list[Entry]:
    if not members:
        return []
    return [Entry("", Content.styled(f"{title} ({len(members):,})", "$text-primary bold")), *members]


def _neighbour(one: Advised) -> Entry:
    neighbour, parts = one.neighbour, [Content.styled(_answer(_cut(one.neighbour.answer)), "bold")]
    if neighbour.use is NeighbourUse.SET_ASIDE:
        parts.append(Content(_cut(neighbour.note) or "set aside"))
    if one.control is not None and one.control.decided:
        solved, decided = one.control.solved, one.control.decided
        parts.append(Content(f"control {marks.share(solved / decided)} ({solved}/{decided})"))
    parts += _advice_marks(one.advice)
    parts.append(Content.styled("generated" if one.run_id else _cut(neighbour.source), "dim"))  # what may be cut short
    return Entry(neighbour.id, _two_lines(f"N{neighbour.number}", neighbour.statement, parts))


def _advice_marks(advice: Sequence[Advice]) -> list[Content]:
    """One mark of each kind, the severest, with how often it is given: `! near-duplicate ×3`."""
    marks_of = []
    for kind in dict.fromkeys(one.kind for one in advice):
        same = [one for one in advice if one.kind is kind]
        times = f" ×{len(same):,}" if len(same) > 1 else ""
        marks_of.append(advice_mark(max(same, key=lambda one: one.severe)) + times)
    return marks_of


def advice_mark(advice: Advice) -> Content:
    """`! near-duplicate`."""
    return Content.styled(f"! {_CONCERNS[advice.kind]}", "$text-error" if advice.severe else "$text-warning")


def _going(one: Going) -> Entry:
    what = f"{one.done} of {one.total} proposals decided" if one.solving and one.total else "a model writes proposals"
    return Entry(run_key(one.run_id), Content.styled(f"{marks.RUNNING} {what}", "$text-accent"))


def _proposal(state: NeighboursState, one: Proposed) -> Entry:
    under_way = one.proposal.state is ProposalState.ASKED and one.proposal.run_id in state.running
    said = one.state_text(under_way=under_way)
    replies = sum(solver.attempts for solver in one.solvers)
    if under_way and replies:
        said += f", {counted(replies, 'reply', 'replies')} so far"
    mark, style = (f"{marks.RUNNING} ", "$text-accent") if under_way else ("", "$text-warning")
    parts = [Content.styled(f"{mark}{said}", style)]
    if one.proposal.reason:
        parts.append(Content(_cut(one.proposal.reason, _STATEMENT)))
    taken = state.taken_over(one)
    if taken is not None:
        parts.append(Content(f"taken over as N{taken.number}"))
    return Entry(one.key, _two_lines(f"P{one.proposal.number}", one.proposal.statement, parts))


def _two_lines(number: str, statement: str, parts: Sequence[Content]) -> Content:
    head = Content.assemble((f"{number:<4}", "bold"), readable_line(_cut(statement, _STATEMENT)))
    return Content.assemble(head, "\n    ", Content("  ").join(parts))


def _answer(answer: str) -> str:
    """As mathematics where it is written as such."""
    return one_line(answer) if neighbour_text.is_formula(answer) else readable_line(answer)


def _cut(text: str, most: int = _SHORT) -> str:
    """A text on one line, cut before it is read: there may be a lot of it."""
    line = clean_line(text[: 4 * most])
    return line if len(line) <= most else f"{line[: most - 1]}…"
