"""Having neighbours proposed: the model that writes them, and the solvers that have to agree on their answers."""

from collections.abc import Sequence
from typing import Any

from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.suggester import SuggestFromList
from textual.widgets import Input, Label, Static

from uq_tui.engine.requests import NeighboursRequest
from uq_tui.state.models import known_ids
from uq_tui.state.neighbours.proposing import ProposingEditor
from uq_tui.state.strategy.editor import model_text
from uq_tui.text import clean_line
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.one_line_input import OneLineInput


async def choose_proposing(app: App[Any], editor: ProposingEditor) -> NeighboursRequest | None:
    """Have the user choose who proposes neighbours and who solves them; to be called in a worker.

    Returns:
        the run to start, or None.

    Raises:
        ConfigError: the settings cannot be read.
    """
    return await app.push_screen_wait(ProposeModal(editor, await known_ids()))


class ProposeModal(ModalScreen[NeighboursRequest | None]):
    """Returns the run to start, or None."""

    CSS_PATH = ["modal.tcss", "propose.tcss"]
    BINDINGS = [
        # Before the fields have it: so the footer shows it, to be clicked.
        Binding("enter", "start", "Start", id="propose.start", priority=True, tooltip="Have them proposed and solved"),
        Binding("escape", "dismiss(None)", "Don't generate", id="propose.cancel", tooltip="Leave without proposing"),
    ]

    def __init__(self, editor: ProposingEditor, models: Sequence[str]) -> None:
        """`models` are ids to complete what is typed."""
        super().__init__()
        self._editor = editor
        self._known = SuggestFromList(models)

    def compose(self) -> ComposeResult:
        editor = self._editor
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = "Generate neighbours"
            yield Static("A model proposes five; those are kept on whose answers all solvers agree.", markup=False)
            with Horizontal(classes="row"):
                yield Label("proposes")
                yield self._field("proposer", editor.proposer, self._app_model)
            yield Vertical(id="solvers")
            with Horizontal(classes="row"):
                yield Label("samples")
                yield OneLineInput(editor.samples, id="samples", compact=True, select_on_focus=True)
            yield Static(id="planned", classes="note", markup=False)
        yield KeyFooter()

    @property
    def _app_model(self) -> str:
        return f"{model_text(self._editor.app_model)}, the app's"

    def _field(self, name: str, text: str, placeholder: str, classes: str = "") -> Input:
        return OneLineInput(
            text, placeholder=placeholder, id=name, classes=classes, compact=True, suggester=self._known
        )

    async def on_mount(self) -> None:
        await self._show()
        self.query_one("#proposer", Input).focus()

    # Entering

    @on(Input.Changed, "#proposer")
    def _proposer_entered(self, event: Input.Changed) -> None:
        self._editor.proposer = event.value
        self._tell()

    @on(Input.Changed, "#samples")
    def _samples_entered(self, event: Input.Changed) -> None:
        self._editor.samples = event.value
        self._tell()

    @on(Input.Changed, ".solver")
    async def _solver_entered(self, event: Input.Changed) -> None:
        self._editor.enter(_number_of(event.input), event.value)
        await self._show()

    def action_start(self) -> None:
        request, wrong = self._editor.request(), self._editor.wrong_solver
        if request is not None:
            self.dismiss(request)
        else:
            self.query_one(f"#solver-{wrong}" if wrong is not None else "#samples", Input).focus()

    # Showing

    async def _show(self) -> None:
        """Bring the fields of the solvers in line with what is entered: one more than there are, at the end."""
        holder, wanted = self.query_one("#solvers", Vertical), self._editor.fields
        rows = list(holder.query(".row"))
        for row in rows[wanted:]:
            await row.remove()
        if len(rows) < wanted:
            await holder.mount_all([self._solver(number) for number in range(len(rows) + 1, wanted + 1)])
        self._tell()

    def _solver(self, number: int) -> Horizontal:
        if number == 1:
            placeholder = self._app_model
        else:
            placeholder = "a model id, and its address if it needs one" if number == 2 else "one more, if you like"
        solvers = self._editor.solvers
        text = solvers[number - 1] if number <= len(solvers) else ""
        return Horizontal(
            Label(f"solver {number}", markup=False),
            self._field(f"solver-{number}", text, placeholder, "solver"),
            classes="row",
        )

    def _tell(self) -> None:
        problem = self._editor.problem
        said = Content.styled(problem, "$text-error") if problem else Content(clean_line(self._editor.planned))
        self.query_one("#planned", Static).update(said)


def _number_of(field: Input) -> int:
    return int((field.id or "").removeprefix("solver-"))
