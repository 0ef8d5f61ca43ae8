"""Choosing how utility is measured; and what to do where there is nothing to measure it on."""

from collections.abc import Sequence
from enum import StrEnum

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.suggester import SuggestFromList
from textual.widgets import Input, Label, Static

from store.rows import Candidate, Neighbour
from uq_tui.engine.requests import CbuRequest
from uq_tui.key_map import key_shown, with_keys
from uq_tui.state.desk import Desk
from uq_tui.state.models import known_ids
from uq_tui.state.utility.measuring import MeasureEditor
from uq_tui.text import clean_line, counted
from uq_tui.widgets.choice_row import Choice, ChoiceRow, choice_keys
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.one_line_input import OneLineInput
from uq_tui.words import NeighbourUse

ON, OFF = "on", "off"
CANDIDATES = (Choice("a", OFF, "all candidates"), Choice("o", ON, "only the chosen one"))
CONTROL = (Choice("w", ON, "without a candidate"), Choice("n", OFF, "none"))
PLACEBO = (Choice("n", OFF, "none"), Choice("q", ON, "another question's candidate"))
STOP = (Choice("t", OFF, "after T"), Choice("e", ON, "once the best is known, after T at most"))
PROMPT = (Choice("p", OFF, "the paper's"), Choice("f", ON, "fenced"))


class CandidatesRow(ChoiceRow):
    """Which candidates are measured."""

    BINDINGS = choice_keys("measure_candidates", CANDIDATES)


class ControlRow(ChoiceRow):
    """Whether an arm goes without an example."""

    CHOICES = CONTROL
    BINDINGS = choice_keys("measure_control", CONTROL)


class PlaceboRow(ChoiceRow):
    """Whether an arm has another question's example."""

    BINDINGS = choice_keys("measure_placebo", PLACEBO)


class StopRow(ChoiceRow):
    """When a run ends."""

    CHOICES = STOP
    BINDINGS = choice_keys("measure_stop", STOP)


class PromptRow(ChoiceRow):
    """How a candidate is put before the solver."""

    CHOICES = PROMPT
    BINDINGS = choice_keys("measure_prompt", PROMPT)


class Instead(StrEnum):
    """What the reader does instead of measuring."""

    NEIGHBOURS = "neighbours"


def measurement(
    desk: Desk,
    question_id: str,
    candidates: Sequence[Candidate],
    chosen: Candidate | None,
    neighbours: Sequence[Neighbour],
) -> "MeasureModal | NoNeighboursModal":
    """The dialog in which the user says how a question's candidates are measured.

    Nothing is read before it stands, so that the next key is its own already.

    Raises:
        UqError: there is no candidate whose text is here.
    """
    usable = sum(one.use is NeighbourUse.IN_USE for one in neighbours)
    if not usable:
        return NoNeighboursModal(len(neighbours))
    editor = MeasureEditor(question_id, desk.model, candidates, chosen, neighbours=usable, settings=desk.measuring)
    return MeasureModal(desk, editor)


class MeasureModal(TellsFailures, ModalScreen[CbuRequest | Instead | None]):
    """Returns the run to start, or None. Enter starts it from any field; it begins with what was started last."""

    CSS_PATH = ["modal.tcss", "measure.tcss"]
    VERTICAL_BREAKPOINTS = [(0, "-short"), (32, "-tall")]
    BINDINGS = [
        # Before the fields have it: so the footer shows it, to be clicked.
        Binding("enter", "start", "Start", id="measure.start", priority=True, tooltip="Measure as is shown"),
        Binding("escape", "dismiss(None)", "Don't measure", id="measure.cancel", tooltip="Leave without measuring"),
    ]

    def __init__(self, desk: Desk, editor: MeasureEditor) -> None:
        super().__init__()
        self._desk = desk
        self._editor = editor

    def compose(self) -> ComposeResult:
        editor = self._editor
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = Content(f"Measure utility ({key_shown(self, 'measure.start')} starts)")
            with Horizontal(classes="row"):
                yield Label("Rollouts")
                yield OneLineInput(editor.rollouts, id="rollouts", classes="number", compact=True, select_on_focus=True)
                yield Label("T, on each neighbour; 64 in the paper", classes="hint")
            yield CandidatesRow("Candidates", self._candidates(), id="candidates")
            yield ControlRow("Control", id="control")
            yield PlaceboRow("Placebo", self._placebos(), id="placebo")
            yield StopRow("Stop", id="adaptive")
            with Horizontal(classes="row", id="margin"):
                yield Label("Epsilon")
                yield OneLineInput(editor.epsilon, id="epsilon", classes="number", compact=True, select_on_focus=True)
                yield Label("smaller differences don't matter", classes="hint")
            yield PromptRow("Prompt", id="fenced")
            with Horizontal(classes="row"):
                yield Label("Compare by")
                yield OneLineInput(
                    editor.equivalence,
                    id="equivalence",
                    placeholder="the id of a model, asked where algebra can't tell",
                    compact=True,
                )
            yield Static(id="planned", classes="note", markup=False)
        yield KeyFooter()

    def _candidates(self) -> tuple[Choice, ...]:
        editor = self._editor
        every = Choice("a", OFF, f"all {len(editor.candidates)}" if len(editor.candidates) > 1 else "the one there is")
        if editor.chosen is None or len(editor.candidates) == 1:
            return (every,)
        return every, Choice("o", ON, f"only {editor.chosen.called}")

    def _placebos(self) -> tuple[Choice, ...]:
        found, none = self._editor.found_placebo, Choice("n", OFF, "none")
        if found is None:
            return (none,)
        title = Content(clean_line(found.title)).truncate(22, ellipsis=True).plain
        return none, Choice("q", ON, f"another question's c{found.number}: {title}")

    def on_mount(self) -> None:
        editor = self._editor
        given = {
            "candidates": editor.only_chosen,
            "control": editor.control,
            "placebo": editor.placebo,
            "adaptive": editor.adaptive,
            "fenced": editor.fenced,
        }
        for name, value in given.items():
            self.query_one(f"#{name}", ChoiceRow).chosen = frozenset((ON if value else OFF,))
        self.query_one("#rollouts", Input).focus()
        self._tell()
        self._learn()

    @work(exit_on_error=False)
    async def _learn(self) -> None:
        """Find a candidate for the placebo arm, and ids to complete what is typed for the model that compares."""
        editor, row = self._editor, self.query_one("#placebo", ChoiceRow)
        await editor.find_placebo(self._desk.workspace, self._desk.reviewer.id)
        row.choices = self._placebos()
        row.refresh(layout=True)
        self.query_one("#equivalence", Input).suggester = SuggestFromList(await known_ids())

    @on(ChoiceRow.Changed)
    def _choose(self) -> None:
        editor = self._editor
        editor.only_chosen = self._is_on("candidates")
        editor.control = self._is_on("control")
        editor.placebo = self._is_on("placebo")
        editor.adaptive = self._is_on("adaptive")
        editor.fenced = self._is_on("fenced")
        self._tell()

    def _is_on(self, name: str) -> bool:
        return self.query_one(f"#{name}", ChoiceRow).value == ON

    @on(Input.Changed)
    def _enter(self) -> None:
        editor = self._editor
        editor.rollouts = self.query_one("#rollouts", Input).value
        editor.epsilon = self.query_one("#epsilon", Input).value
        editor.equivalence = self.query_one("#equivalence", Input).value
        self._tell()

    def _tell(self) -> None:
        editor = self._editor
        self.query_one("#margin").display = editor.adaptive
        said = [Content.styled(editor.problem, "$text-error")] if editor.problem else []
        if editor.planned:
            said.append(Content(clean_line(editor.planned)))
        self.query_one("#planned", Static).update(Content("\n").join(said))

    def action_start(self) -> None:
        request = self._editor.request()
        if request is not None:
            self._desk.measuring = self._editor.settings
            self.dismiss(request)
        elif self._editor.count is None:
            self.query_one("#rollouts", Input).focus()


class NoNeighboursModal(ModalScreen[CbuRequest | Instead | None]):
    """Says why nothing can be measured. Returns where to go, or None."""

    CSS_PATH = "modal.tcss"
    BINDINGS = [
        Binding(
            "n,enter",
            "dismiss_to('neighbours')",
            "Neighbours",
            id="no_neighbours.go",
            tooltip="Write or propose some first",
        ),
        Binding("escape", "dismiss(None)", "Back", id="no_neighbours.cancel", tooltip="Leave without measuring"),
    ]

    def __init__(self, aside: int) -> None:
        """`aside` is how many neighbours are set aside."""
        super().__init__()
        self._aside = aside

    def compose(self) -> ComposeResult:
        held = f"{counted(self._aside, 'neighbour')}, none in use" if self._aside else "no neighbours"
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = "Utility"
            yield Static(
                f"This question has {held}. Utility is measured on neighbours: related questions whose answers can be"
                " checked. A candidate is useful when a solver that reads it solves more of them.",
                markup=False,
            )
            neighbours, findings = key_shown(self, "no_neighbours.go"), with_keys(self.app, "{workbench.findings:f}")
            yield Static(
                f"{neighbours} opens the neighbours: write one by hand, have a model propose some, or import a file."
                f"\nWhere answers can't be checked, close this and press {findings}: references, claims and judges.",
                classes="note",
                markup=False,
            )
        yield KeyFooter()

    def action_dismiss_to(self, where: str) -> None:
        self.dismiss(Instead(where))
