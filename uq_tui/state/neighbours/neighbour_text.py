"""What is read about a neighbour or a proposal, as Markdown in which foreign words stay in their place."""

from store.rows import ControlCount
from uq_tui.analysis.intervals import mean_of_proportions
from uq_tui.document.maths.readable import is_readable
from uq_tui.state.neighbours.neighbourhood import Advised
from uq_tui.state.neighbours.proposed import Proposed
from uq_tui.state.neighbours.screen import Going
from uq_tui.state.quoting import inline_code, one_line
from uq_tui.words import NeighbourUse

NOT_FOLLOWED = "*This run began before one looked. What it proposes is in the list once it is read.*"
WHY = """\
A candidate's utility is how much it helps a solver with *neighbours*: related questions whose answers can be checked. \
Without one nothing can be measured, and which ones there are decides what a utility says.

- **n** writes one by hand: a statement and its answer.
- **g** has a model propose five, and keeps those on whose answers all solvers agree.
- **i** imports a file that holds some."""


def about_neighbour(one: Advised, origin: Proposed | None) -> str:
    """Answer, use, source, what speaks against it, and how its answer came about."""
    neighbour = one.neighbour
    use = "in use" if neighbour.use is NeighbourUse.IN_USE else "set aside"
    note = f": {one_line(neighbour.note)}" if neighbour.note else ""
    parts = [f"**Answer:** {answer_text(neighbour.answer)}", f"**{use.capitalize()}**{note}"]
    generated = f"proposed and solved by models, proven by nobody; run {one.run_id}" if one.run_id else ""
    parts.append(f"**Source:** {generated or one_line(neighbour.source) or 'not recorded'}")
    if one.control is not None and one.control.decided:
        parts.append(f"**Without a candidate:** {_control(one.control)}")
    parts += [f"**!** {one_line(advice.text)}" for advice in one.advice]
    if origin is not None:
        parts += [_skill(origin), origin.outcome(under_way=False)]
    return "\n\n".join(part for part in parts if part)


def about_proposal(one: Proposed, *, taken_over: int | None, under_way: bool) -> str:
    """What each solver answered, and what can be done with it. `taken_over` is the number it has as a neighbour."""
    parts = [_skill(one), one.outcome(under_way=under_way)]
    if taken_over is not None:
        parts.append(f"Taken over by hand as N{taken_over}.")
    elif not under_way:
        parts.append("**t** takes it over by hand, with an answer that you give.")
    return "\n\n".join(part for part in parts if part)


def about_run(going: Going) -> str:
    """How far a run is."""
    if not going.solving:
        return "A model writes proposals; they are read when its reply is complete. **k** stops it."
    return f"Solvers answer the proposals: {going.done} of {going.total} are decided. **k** stops it."


def _control(count: ControlCount) -> str:
    """`o3` solved 3 of 8 decided attempts: 0.38 [0.14, 0.69], with Wilson's interval of 95 %."""
    solved = f"{inline_code(count.solver)} solved {count.solved:,} of {count.decided:,} decided attempts"
    share = mean_of_proportions([(count.solved, count.decided)])
    return f"{solved}: {share.value:.2f} [{share.low:.2f}, {share.high:.2f}]" if share is not None else solved


def _skill(one: Proposed) -> str:
    return f"**Exercises:** {one_line(one.proposal.skill)}" if one.proposal.skill.strip() else ""


def is_formula(answer: str) -> bool:
    r"""Whether an answer is LaTeX without its dollar signs, as `\frac{3}{4}` or `2^{10}` is."""
    return "$" not in answer and any(sign in answer for sign in "\\^_") and is_readable(answer)


def answer_text(answer: str) -> str:
    """A final answer on one line: as a formula where it is one, as it is where it holds one, else as code."""
    line = one_line(answer)
    return f"${line}$" if is_formula(line) else line if "$" in line else inline_code(line)
