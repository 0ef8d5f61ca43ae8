"""Whether the question is solved: where it stands, who said so and why, and what the reviewer says of it."""

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Static, TextArea

from store.rows import Candidate
from store.statement_shape import NEEDS_CANDIDATE
from uq_tui.document.maths.readable import readable_line
from uq_tui.key_map import key_shown
from uq_tui.state.desk import Desk
from uq_tui.state.resolving import WORDS, Resolving, Saying, past_text
from uq_tui.text import clean_line
from uq_tui.widgets.choice_row import Choice, ChoiceRow, choice_keys
from uq_tui.widgets.clean_text_area import CleanTextArea
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.one_line_input import OneLineInput
from uq_tui.widgets.verdict_rows import RELATIONS
from uq_tui.words import Relation, Resolution

STATES = (
    Choice("o", Resolution.OPEN, WORDS[Resolution.OPEN]),
    Choice("c", Resolution.CANDIDATE_ACCEPTED, WORDS[Resolution.CANDIDATE_ACCEPTED]),
    Choice("m", Resolution.RESOLVED_BY_MODEL, WORDS[Resolution.RESOLVED_BY_MODEL]),
    Choice("p", Resolution.RESOLVED_BY_PERSON, WORDS[Resolution.RESOLVED_BY_PERSON]),
    Choice("w", Resolution.WITHDRAWN, WORDS[Resolution.WITHDRAWN]),
)
THIS, NO = "this", "no"
NOBODY = "Nobody has said anything of it yet."


class StateRow(ChoiceRow):
    """Where the question stands."""

    CHOICES = STATES
    BINDINGS = choice_keys("state", STATES)


class VerifierRow(ChoiceRow):
    """On whose word."""

    CHOICES = RELATIONS
    BINDINGS = choice_keys("verifier", RELATIONS)


class SolvedByRow(ChoiceRow):
    """Whether the answer before the reviewer solves it."""

    BINDINGS = choice_keys("solved_by", (Choice("t", THIS, "this answer"), Choice("n", NO, "none here")))


class ResolutionModal(TellsFailures, ModalScreen[None]):
    """What is said is on disk before it is shown. Not for a problem that is judged blind."""

    CSS_PATH = "modal.tcss"
    AUTO_FOCUS = "#state"
    BINDINGS = [
        Binding("ctrl+s", "say", "Record", id="resolution.say", tooltip="Record what you say; the old is kept"),
        Binding(
            "ctrl+t", "take_back", "Take back", id="resolution.take_back", tooltip="Retract the newest you said of it"
        ),
        Binding("escape", "dismiss(None)", "Close", id="resolution.close", tooltip="Leave; what is recorded stays"),
    ]

    def __init__(self, desk: Desk, question_id: str, candidate: Candidate | None) -> None:
        """`candidate` is the answer before the reviewer, if there is one."""
        super().__init__()
        self._desk = desk
        self._state = Resolving(desk, question_id, candidate)

    def compose(self) -> ComposeResult:
        candidate = self._state.candidate
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = "Is it solved?"
            yield Static(id="about", classes="note", markup=False)
            yield StateRow("It is", id="state")
            if candidate is not None:
                choices = (Choice("t", THIS, candidate.called), Choice("n", NO, "none here"))
                yield SolvedByRow("Solved by", choices, id="solved_by")
            yield VerifierRow("Word of", id="verifier")
            yield Label("Why", markup=False)
            yield CleanTextArea(id="why", tab_behavior="focus")
            yield Label("Credit", markup=False)
            yield OneLineInput(id="credit", placeholder="by default the answer's author", compact=True)
            yield Label("Link where it can be seen", markup=False)
            yield OneLineInput(id="url", placeholder="https://", compact=True)
            yield Label("Said so far", markup=False)
            yield Static(id="past", markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        self._load()

    @work(group="load", exit_on_error=False)
    async def _load(self) -> None:
        await self._state.load()
        matter = self._state.matter
        if matter is not None:
            self.query_one(VerifierRow).chosen = frozenset(((matter.relation or Relation.OTHER).value,))
        if self._state.candidate is not None:
            self.query_one(SolvedByRow).chosen = frozenset((NO,))
        self._draw()

    def _draw(self) -> None:
        matter = self._state.matter
        if matter is None:
            return
        row = matter.question.row
        title = Content.styled(readable_line(clean_line(row.title)) or clean_line(row.id), "bold")
        self.query_one("#about", Static).update(Content.assemble(title, f"\n{matter.head}"))
        past = "\n".join(past_text(one, matter.called) for one in reversed(matter.past))
        self.query_one("#past", Static).update(past or NOBODY)
        self.refresh_bindings()

    @on(StateRow.Changed, "#state")
    def _stated(self) -> None:
        """An answer solves it, or none does: what goes with the state is chosen along."""
        if self._state.candidate is not None and (state := self.query_one(StateRow).value):
            self.query_one(SolvedByRow).chosen = frozenset((THIS if state in NEEDS_CANDIDATE else NO,))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Nothing is taken back where nothing was said."""
        matter = self._state.matter
        return action != "take_back" or (matter is not None and matter.has_own(self._desk.reviewer.id))

    @work(group="say", exclusive=True, exit_on_error=False)
    async def action_say(self) -> None:
        state = self.query_one(StateRow).value
        if not state:
            key = key_shown(self, "resolution.say")
            self.notify(f"Choose where it stands, then {key} records it.", title="Not recorded", markup=False)
            self.query_one(StateRow).focus()
            return
        solved = self._state.candidate is not None and self.query_one(SolvedByRow).value == THIS
        why = self.query_one("#why", TextArea)
        said = Saying(
            Resolution(state),
            why.text,
            Relation(self.query_one(VerifierRow).value or Relation.OTHER),
            credit=self.query_one("#credit", Input).value,
            evidence_url=self.query_one("#url", Input).value,
            with_candidate=solved,
        )
        await self._state.say(said)
        why.text = ""
        self._draw()

    @work(group="say", exclusive=True, exit_on_error=False)
    async def action_take_back(self) -> None:
        await self._state.take_back()
        self._draw()
