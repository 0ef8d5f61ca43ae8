"""Laying out a queue: what is in it, for whom, and what is mixed in."""

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.timer import Timer
from textual.widgets import Input, Label, Static

from uq_tui.errors import UqError
from uq_tui.state.desk import Desk
from uq_tui.state.reviewing.new_queue import NewQueueEditor
from uq_tui.text import clean_line
from uq_tui.widgets.choice_row import Choice, ChoiceRow, choice_keys
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.one_line_input import OneLineInput
from uq_tui.words import QueueMode, QueueOrder, Unjudged

PAUSE_S = 0.3
"""Seconds without a change before it is looked up what would be laid out."""
EVERY = "all"

QUESTIONS = (Choice("a", EVERY, "all with candidates"), Choice("l", "listed", "as the question list is filtered"))
CANDIDATES = (
    Choice("a", EVERY, "all"),
    Choice("m", Unjudged.BY_REVIEWERS, "without a verdict of these reviewers"),
    Choice("n", Unjudged.BY_ANYONE, "of anyone"),
)
MODES = (
    Choice("b", QueueMode.BLIND, "blind"),
    Choice("s", QueueMode.ASSISTED, "assisted"),
    Choice("o", QueueMode.OPEN, "open"),
)
ORDERS = (
    Choice("a", QueueOrder.ARRIVAL, "arrival"),
    Choice("w", QueueOrder.UNREVIEWED, "fewest verdicts"),
    Choice("r", QueueOrder.RANDOM, "random"),
    Choice("d", QueueOrder.DISAGREEMENT, "disagreement"),
    Choice("u", QueueOrder.UNCERTAINTY, "uncertainty"),
)
SHARED = (Choice("t", "two", "two judge these"), Choice("e", EVERY, "everyone"))
STEPS = (Choice("o", "one", "the label at once"), Choice("t", "two", "final answer, then derivation"))
RULES = (
    Choice("s", "score", "score"),
    Choice("r", "rationale", "rationale"),
    Choice("c", "confidence", "confidence"),
    Choice("q", "quote_if_incorrect", "quote if incorrect"),
)


class QueueQuestionsRow(ChoiceRow):
    """Which questions are in the queue."""

    CHOICES = QUESTIONS
    BINDINGS = choice_keys("queue_questions", QUESTIONS)


class QueueCandidatesRow(ChoiceRow):
    """Which of their candidates."""

    CHOICES = CANDIDATES
    BINDINGS = choice_keys("queue_candidates", CANDIDATES)


class QueueModeRow(ChoiceRow):
    """What is hidden while they are judged."""

    CHOICES = MODES
    BINDINGS = choice_keys("queue_mode", MODES)


class QueueOrderRow(ChoiceRow):
    """Which problems come first."""

    CHOICES = ORDERS
    BINDINGS = choice_keys("queue_order", ORDERS)


class QueueSharedRow(ChoiceRow):
    """Who judges the problems that more than one reviewer gets."""

    CHOICES = SHARED
    BINDINGS = choice_keys("queue_shared", SHARED)


class QueueStepsRow(ChoiceRow):
    """How an answer is labelled."""

    CHOICES = STEPS
    BINDINGS = choice_keys("queue_steps", STEPS)


class QueueRulesRow(ChoiceRow):
    """What each verdict needs."""

    CHOICES = RULES
    BINDINGS = choice_keys("queue_rules", RULES)


class NewQueueModal(TellsFailures, ModalScreen[str | None]):
    """Makes a queue and returns its id, or None. Enter makes it from any field."""

    CSS_PATH = ["../modal.tcss", "new_queue.tcss"]
    VERTICAL_BREAKPOINTS = [(0, "-short"), (34, "-tall")]
    BINDINGS = [
        # Before the fields have it: so the footer shows it, to be clicked.
        Binding("enter", "make", "Make it", id="new_queue.make", priority=True, tooltip="Lay the queue out as shown"),
        Binding("escape", "dismiss(None)", "Cancel", id="new_queue.cancel", tooltip="Leave without making a queue"),
    ]

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._editor = NewQueueEditor(desk, desk.listed)
        self._pause: Timer | None = None
        self._making = False
        self._refused = ""
        """Why it was not made; until something is changed."""

    def compose(self) -> ComposeResult:
        editor = self._editor
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = "New queue"
            with Horizontal(classes="row"):
                yield Label("Name")
                yield OneLineInput(editor.name, id="name", compact=True)
            yield QueueQuestionsRow("Questions", QUESTIONS if editor.only_listed else QUESTIONS[:1], id="questions")
            yield QueueCandidatesRow("Candidates", id="candidates")
            yield QueueModeRow("Mode", id="mode")
            yield QueueOrderRow("Order", id="order")
            with Horizontal(classes="row"):
                yield from self._numbers(("Seed", "seed", editor.seed), ("practice", "practice", editor.practice))
                yield from self._numbers(("gold %", "gold", editor.gold), ("repeats %", "repeats", editor.repeats))
            with Horizontal(classes="row"):
                yield Label("Reviewers")
                yield OneLineInput(id="people", placeholder="you; or names, with commas between them", compact=True)
                yield from self._numbers(("overlap %", "overlap", editor.overlap))
            yield QueueSharedRow("Overlap", id="shared")
            yield QueueStepsRow("Labelling", id="steps")
            yield QueueRulesRow("Needs", id="rules", multiple=True)
            with Horizontal(classes="row"):
                yield Label("Guideline")
                yield OneLineInput(id="guideline", placeholder="a Markdown file for the reviewers", compact=True)
            yield Static("...", id="planned", classes="note", markup=False)
        yield KeyFooter()

    def _numbers(self, *fields: tuple[str, str, str]) -> ComposeResult:
        for title, name, value in fields:
            yield Label(title, classes="" if title == "Seed" else "more", markup=False)
            yield OneLineInput(value, id=name, classes="number", compact=True, select_on_focus=True)

    def on_mount(self) -> None:
        editor = self._editor
        given = {
            "questions": "listed" if editor.only_listed else EVERY,
            "candidates": editor.unjudged or EVERY,
            "mode": editor.mode,
            "order": editor.order,
            "shared": EVERY if editor.everyone else "two",
            "steps": "two" if editor.two_steps else "one",
        }
        for name, value in given.items():
            self.query_one(f"#{name}", ChoiceRow).chosen = frozenset((value,))
        self._show_overlap()
        self.query_one("#name", Input).focus()
        self._look()

    @on(ChoiceRow.Changed)
    @on(Input.Changed)
    def _enter(self) -> None:
        self._refused = ""
        self._take_in()
        self._show_overlap()
        if self._pause is not None:
            self._pause.stop()
        self._pause = self.set_timer(PAUSE_S, self._look)

    def _take_in(self) -> None:
        editor = self._editor
        editor.name, editor.people = self._typed("name"), self._typed("people")
        editor.seed, editor.overlap = self._typed("seed"), self._typed("overlap")
        editor.gold, editor.repeats = self._typed("gold"), self._typed("repeats")
        editor.practice, editor.guideline = self._typed("practice"), self._typed("guideline")
        editor.only_listed = self._chosen("questions") == "listed"
        unjudged = self._chosen("candidates")
        editor.unjudged = None if unjudged in (EVERY, "") else Unjudged(unjudged)
        editor.mode = QueueMode(self._chosen("mode") or editor.mode)
        editor.order = QueueOrder(self._chosen("order") or editor.order)
        editor.everyone = self._chosen("shared") == EVERY
        editor.two_steps = self._chosen("steps") == "two"
        rules = self.query_one("#rules", ChoiceRow).chosen
        for rule in RULES:
            editor.set_rule(rule.value, rule.value in rules)

    def _typed(self, name: str) -> str:
        return self.query_one(f"#{name}", Input).value

    def _chosen(self, name: str) -> str:
        return self.query_one(f"#{name}", ChoiceRow).value

    def _show_overlap(self) -> None:
        """Who judges what overlaps is asked only where something does."""
        self.query_one("#shared").display = self._editor.overlap.strip() not in ("", "0")

    @work(group="look", exclusive=True, exit_on_error=False)
    async def _look(self) -> None:
        if await self._editor.look():
            self._tell()

    def _tell(self) -> None:
        problem = self._refused or self._editor.problem
        lines = [Content.styled(clean_line(problem), "$text-error")] if problem else []
        lines += [Content(clean_line(line)) for line in self._editor.told.splitlines()]
        self.query_one("#planned", Static).update(Content("\n").join(lines))

    @work(group="make", exclusive=True, exit_on_error=False)
    async def action_make(self) -> None:
        if self._making:
            return
        self._take_in()
        self._making = True
        try:
            self.dismiss(await self._editor.make())
        except UqError as error:
            self._refused = " ".join(filter(None, (error.message, error.hint)))
            self._tell()
            if not self._editor.name.strip():
                self.query_one("#name", Input).focus()
        finally:
            self._making = False
