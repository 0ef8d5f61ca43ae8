"""The candidates of a question, one line each."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual.binding import Binding
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from store.failed_answers import FailedAnswer
from store.rows import Candidate, Verdict
from uq_tui.analysis import independence
from uq_tui.state.ladder.ladder import Ladder
from uq_tui.state.utility.measured import Measured
from uq_tui.state.verdict.words import given
from uq_tui.text import clean_line
from uq_tui.widgets import marks
from uq_tui.words import GLYPHS, Outcome

NAME_CELLS = 60
"""A longer name of who wrote a candidate is cut: one file's names must not push the other candidates out of sight."""
ERROR_CELLS = 80
"""What is shown of the message of an answer that failed."""
_FAILED = "failed:"
"""How the ids of lines begin that are no candidates: nothing can be chosen there."""
EARLY = "⊣"
"""Stands after an interval whose run stopped early."""


@dataclass(frozen=True, slots=True)
class CandidateLine:
    """What a line shows of one candidate."""

    candidate: Candidate
    measured: Measured | None
    ladder: Ladder | None
    verdict: Verdict | None
    busy: bool
    warning: str = ""
    """What else there is to know before judging it."""


class CandidateList(OptionList):
    """Posts `Chosen` when the reader highlights another candidate."""

    BORDER_TITLE = "Candidates"
    BINDINGS = [
        Binding("enter", "select", "Verdict", id="workbench.judge", tooltip="Judge this candidate"),
        Binding(
            "left", "screen.pane(-1)", "Previous pane", id="candidates.previous", tooltip="Previous pane", show=False
        ),
        Binding("right", "screen.pane(1)", "Next pane", id="candidates.next", tooltip="Next pane", show=False),
    ]

    @dataclass
    class Chosen(Message):
        candidate_id: str

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, markup=False)
        self._ids: tuple[str, ...] = ()

    def show(
        self,
        lines: Sequence[CandidateLine],
        pending: Sequence[str],
        chosen: str,
        *,
        failed: Sequence[FailedAnswer] = (),
        retry: str = "",
    ) -> None:
        """Show these candidates, the calls writing new ones, and the answers that failed, with what to do about these.

        Lines are replaced in place where that will do.

        Highlighting `chosen` posts nothing: another may have been chosen by the time the message arrived.
        """
        prompts = [_prompt(line) for line in lines]
        prompts += [Content(f"+   {marks.RUNNING} being written") for _ in pending]
        prompts += [_failure(one, retry) for one in failed]
        ids = (*(line.candidate.id for line in lines), *pending, *(f"{_FAILED}{n}" for n, _ in enumerate(failed)))
        with self.prevent(OptionList.OptionHighlighted):
            if ids != self._ids:
                self._ids = ids
                self.clear_options()
                self.add_options(
                    [
                        Option(prompt, id=key, disabled=key.startswith(_FAILED))
                        for prompt, key in zip(prompts, ids, strict=True)
                    ]
                )
            else:
                for index, prompt in enumerate(prompts):
                    if self.get_option_at_index(index).prompt != prompt:
                        self.replace_option_prompt_at_index(index, prompt)
            if chosen in ids and self.highlighted != ids.index(chosen):
                self.highlighted = ids.index(chosen)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        if event.option.id is not None:
            self.post_message(self.Chosen(event.option.id))


def _failure(one: FailedAnswer, retry: str) -> Content:
    name = Content(clean_line(one.model) or "a model without a name").truncate(NAME_CELLS, ellipsis=True)
    error = Content(clean_line(one.error)).truncate(ERROR_CELLS, ellipsis=True)
    parts: list[Content | str | tuple[str, str]] = [(f"{GLYPHS[Outcome.FAILED]}   ", "$text-warning bold")]
    parts.append((f"failed {name.plain}: {error.plain}", "$text-warning"))
    if one.model:
        parts.append((f"\n    {retry}", "dim"))
    return Content.assemble(*parts)


def _prompt(line: CandidateLine) -> Content:
    measured = line.measured
    utility = measured.utility if measured is not None else None
    parts: list[Content | str | tuple[str, str]] = [(f"{line.candidate.called:<4}", "bold")]
    if not line.candidate.letter:
        parts.append(f"U {marks.share(utility.mean if utility else None):<4}")
    if utility is not None and utility.low is not None and utility.high is not None:
        equal = independence.REPEATED if independence.mark(utility.neighbours) else ""
        early = EARLY if utility.stopped_early else ""
        parts.append((f"[{marks.share(utility.low)} {marks.share(utility.high)}]{equal}{early} ", "dim"))
    if line.busy or (measured is not None and measured.under_way):
        parts.append(f"{marks.RUNNING} ")
    if line.ladder is not None and line.ladder.whole.outcome is not None:
        parts.append(marks.outcome(line.ladder.whole.outcome))
    elif line.ladder is not None:
        accepted, seen = line.ladder.tally()
        parts.append(f"{GLYPHS[Outcome.ACCEPT]}{accepted}/{seen}")
    names = ", ".join(dict.fromkeys(origin.name for origin in line.candidate.origins))
    name = Content(clean_line(names)).truncate(NAME_CELLS, ellipsis=True)
    mark = f"{marks.REFERENCE}  " if line.candidate.reference else ""
    if mark or names:
        parts += [(f"\n    {mark}", "$text-accent"), (name.plain, "dim")]
    if line.candidate.cut_off:
        parts.append(("\n    cut at the length limit", "$text-warning"))
    if line.warning:
        parts.append((f"\n    {line.warning}", "$text-warning"))
    if line.verdict is not None:
        parts.append((f"\n    you: {given(line.verdict)}", "bold"))
    return Content.assemble(*parts)
