"""Choosing the model that generates, judges and solves."""

from collections.abc import Sequence

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Label, OptionList
from textual.widgets.option_list import Option

from uq_tui.engine.models import ModelInfo
from uq_tui.engine.requests import ModelChoice
from uq_tui.keys import KeyPlace
from uq_tui.text import clean_line
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.one_line_input import OneLineInput


class ModelModal(ModalScreen[ModelChoice | None]):
    """Returns the model chosen, or None to keep the present one."""

    CSS_PATH = "modal.tcss"
    BINDINGS = [
        Binding(
            "escape", "dismiss(None)", "Keep the present one", id="model.cancel", tooltip="Leave the model as it is"
        )
    ]

    def __init__(self, models: Sequence[ModelInfo], present: ModelChoice) -> None:
        super().__init__()
        self._models = tuple(models)
        self._present = present

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = "Model"
            yield OptionList(*[self._option(model) for model in self._models], id="models", markup=False)
            yield Label("or any LiteLLM id (Enter takes it)")
            yield OneLineInput(id="id", placeholder="openai/gpt-4.1, ollama/qwen3, hosted_vllm/...", compact=True)
            yield Label("at this address, if it isn't the provider's own")
            yield OneLineInput(id="api_base", placeholder="http://127.0.0.1:8000/v1", compact=True)
        yield KeyFooter()

    def on_mount(self) -> None:
        ids = [model.id for model in self._models]
        models = self.query_one(OptionList)
        models.highlighted = ids.index(self._present.id) if self._present.id in ids else 0
        models.focus()

    def _option(self, model: ModelInfo) -> Option:
        state = "ready" if model.ready else "not ready"
        notes = [model.note] if model.note else []
        if model.key.place is not KeyPlace.NONE and model.key.found is not False:  # then the note says it
            notes.append(f"key: {model.key}")
        about = f"\n  {clean_line('; '.join(notes))}" if notes else ""
        return Option(Content.assemble((f"{clean_line(model.id)}  ", "bold"), state, (about, "dim")), id=model.id)

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        if event.option.id is not None:
            self.dismiss(ModelChoice(event.option.id))

    @on(Input.Submitted)
    def _typed(self) -> None:
        name = self.query_one("#id", Input).value.strip()
        if name:
            self.dismiss(ModelChoice(name, self.query_one("#api_base", Input).value.strip()))
        else:
            self.query_one("#id", Input).focus()
