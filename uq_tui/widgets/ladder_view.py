"""The strategy of one run as a tree of rungs with their outcomes as they come."""

from collections.abc import Collection
from dataclasses import dataclass

from textual.binding import Binding
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from uq_tui.config import DEFAULT_MODEL
from uq_tui.state.ladder.ladder import Ladder, Rung
from uq_tui.text import clean_line
from uq_tui.widgets.rung_lines import Look, asked_lines, label_width, repeats, rung_lines, tree_labels

NOT_MEANINGFUL = "mean nothing"
"""Said of the embedded model, which is far too small to judge."""
NARROW = 36
"""Cells of a line before the list has been laid out."""
_Key = tuple[Rung, str, Look, bool, bool]


class LadderView(OptionList):
    """Posts `Chosen` with the path of the rung stood on. While nobody has moved, it follows the running rung."""

    BORDER_TITLE = "Stages"
    BINDINGS = [
        Binding("enter", "select", "Read reply", id="workbench.reply", tooltip="Go to the reply behind it"),
        Binding("space", "fold", "Fold", id="ladder.fold", tooltip="Hide or show the parts of this rung"),
        Binding("z", "fold_all", "Fold all", id="ladder.fold_all", tooltip="Hide or show all parts", show=False),
        Binding("left", "screen.pane(-1)", "Previous pane", id="ladder.previous", tooltip="Previous pane", show=False),
        Binding("right", "screen.pane(1)", "Next pane", id="ladder.next", tooltip="Next pane", show=False),
    ]

    @dataclass
    class Chosen(Message):
        view: "LadderView"
        path: str

        @property
        def control(self) -> "LadderView":
            return self.view

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, markup=False)
        self._ladder: Ladder | None = None
        self._differing: Collection[str] | None = None
        self._rungs: tuple[Rung, ...] = ()
        self._drawn = 0
        """Rungs that stand in the list."""
        self._made: dict[_Key, Content] = {}
        self._folds: dict[str, bool] = {}
        self._follow = True
        self._run_id = ""

    @property
    def path(self) -> str | None:
        """The path of the rung stood on, `None` when there is none."""
        at = self.highlighted
        return self._rungs[at].path if at is not None and at < len(self._rungs) else None

    def show(
        self,
        ladder: Ladder | None,
        *,
        title: str,
        note: str = "",
        empty: str = "",
        differing: Collection[str] | None = None,
    ) -> None:
        """Show this ladder. Rungs are replaced in place, so that nothing jumps while it grows.

        Args:
            ladder: `None` when no run has judged the candidate.
            title: what the pane is called.
            note: what else stands in its title.
            empty: what to say when there is no ladder.
            differing: paths of nodes that are to be marked as differing from the ladder beside this one; `None` where
                none stands there.
        """
        caution = f" ({NOT_MEANINGFUL})" if ladder is not None and ladder.model == DEFAULT_MODEL else ""
        self.border_title = Content("  ".join(filter(None, (f"{title}{caution}", clean_line(note)))))
        run_id = ladder.run_id if ladder is not None else ""
        if run_id != self._run_id:
            self._run_id, self._folds, self._follow = run_id, {}, True
            self._clear()
        self._ladder, self._differing = ladder, differing
        if ladder is not None:
            self._draw()
        elif not self.option_count or self.get_option_at_index(0).prompt != clean_line(empty):
            self._clear()
            self.add_option(Option(clean_line(empty), disabled=True))

    def _clear(self) -> None:
        with self.prevent(OptionList.OptionHighlighted):
            self.clear_options()
        self._rungs, self._drawn = (), 0

    def _draw(self) -> None:
        assert self._ladder is not None
        if not self._drawn:
            self._clear()
        stood_on = self.path
        self._rungs = rungs = self._ladder.rungs(self._folds)
        prompts = self._prompts()
        kept = min(self._drawn, len(rungs))
        for index in range(kept):
            if self.get_option_at_index(index).prompt != prompts[index]:
                self.replace_option_prompt_at_index(index, prompts[index])
        for index in reversed(range(kept, self._drawn)):
            self.remove_option_at_index(index)
        self.add_options([Option(prompt) for prompt in prompts[kept:]])
        self._drawn = len(rungs)
        self._stand_on(stood_on)

    def _stand_on(self, stood_on: str | None) -> None:
        """Keep the highlight on its rung, on the one it is folded into, or on what runs while nobody has moved."""
        paths = [rung.path for rung in self._rungs]
        live = [rung.path for rung in self._rungs if rung.running]
        if self._follow and live:
            self.highlighted = paths.index(live[-1])
        elif stood_on is not None:
            while stood_on not in paths:
                stood_on = stood_on.rpartition("/")[0]
            self.highlighted = paths.index(stood_on)

    def on_resize(self) -> None:
        """What fits into a line has changed."""
        if self._ladder is not None:
            self._draw()

    def on_key(self) -> None:
        """A key means that the reader chooses; stop moving the highlight."""
        self._follow = False

    def action_fold(self) -> None:
        """Fold or open the rung stood on; one without parts folds what it is part of."""
        at = self.highlighted
        if at is None or at >= len(self._rungs):
            return
        rung = self._rungs[at]
        if rung.folded:
            self._folds[rung.path] = False
        elif self._is_open(at):
            self._folds[rung.path] = True
        elif rung.path:
            self._folds[rung.path.rpartition("/")[0]] = True
        self._draw()

    def action_fold_all(self) -> None:
        """Open everything when anything is folded, else fold all stages."""
        if self._ladder is None:
            return
        rungs = self._rungs
        if any(rung.folded for rung in rungs):
            while folded := [rung.path for rung in rungs if rung.folded]:
                self._folds |= dict.fromkeys(folded, False)
                rungs = self._ladder.rungs(self._folds)
        else:
            self._folds |= {rung.path: True for rung in rungs if rung.depth == 1 and rung.parts}
        self._draw()

    def _is_open(self, at: int) -> bool:
        return at + 1 < len(self._rungs) and self._rungs[at + 1].depth > self._rungs[at].depth

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """The message may be older than the last drawing, so what counts is what is stood on now."""
        event.stop()
        if self.path is not None:
            self.post_message(self.Chosen(self, self.path))

    def _prompts(self) -> list[Content]:
        """What stands for each rung; lines of rungs that are as they were are taken from the drawing before."""
        assert self._ladder is not None
        labels = tree_labels(self._rungs)
        look = Look(
            label_width=label_width(labels),
            room=self.scrollable_content_region.width - 2 if self.size.width else NARROW,
            waiting="waiting" if self._ladder.under_way else "not asked",
            left="waiting" if self._ladder.under_way else "undecided",
            compared=self._differing is not None,
        )
        made: dict[_Key, Content] = {}
        before = self._rungs[0]
        for rung, label in zip(self._rungs, labels, strict=True):
            key = (rung, label, look, rung.path in (self._differing or ()), repeats(rung, before))
            before = rung
            made[key] = self._made.get(key) or rung_lines(*key)
        self._made = made
        whole, *others = made.values()
        return [Content("\n").join([whole, *asked_lines(self._ladder)]), *others]
