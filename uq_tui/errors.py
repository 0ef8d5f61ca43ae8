"""The one error base. Every error a user can meet says what happened, why, and what to do next."""

from typing import Any

EXIT_OK = 0
EXIT_PROBLEM = 1
"""The command ran, but something was not done: rows rejected, calls failed."""
EXIT_USAGE = 2
EXIT_NOTHING_DONE = 3
"""The command could not do its job at all."""
EXIT_INTERRUPTED = 130


class UqError(Exception):
    """Base of all expected errors.

    Args:
        message: what happened and why, naming the file, row or model.
        hint: the next step for the user; empty when there is none.
    """

    title = "Problem"
    exit_code = EXIT_NOTHING_DONE

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\n{self.hint}" if self.hint else self.message


class StartError(UqError):
    """uq-tui cannot start here: no terminal, another Python, a stranger's package in the place of ours."""

    title = "Start"
    exit_code = EXIT_USAGE


class StoreError(UqError):
    """The workspace cannot be opened, read or written."""

    title = "Workspace"


class NewerSchemaError(StoreError):
    """The workspace was written by a newer uq-tui."""


class NotFoundError(UqError):
    """No such question, candidate, run, model or file."""

    title = "Not found"


class ImportFileError(UqError):
    """A file cannot be imported as a whole. Bad rows in a good file are reported, not raised."""

    title = "Import"


class ExportError(UqError):
    """A file could not be written; an earlier file of that name is untouched."""

    title = "Export"


class SignatureError(UqError):
    """A file can't be signed, or its signature isn't that of whom it should be of."""

    title = "Signature"


class TemplateError(UqError):
    """A prompt template or strategy is malformed, or its variables don't match."""

    title = "Prompt"


class StrategyError(UqError):
    """A text is no strategy. `position` is the code point of a one-line form at which that shows, else `None`."""

    title = "Strategy"
    exit_code = EXIT_USAGE

    def __init__(self, message: str, *, hint: str = "", position: int | None = None) -> None:
        super().__init__(message, hint=hint)
        self.position = position


class ModelError(UqError):
    """A model cannot be used: unknown, not installed, no key, no server."""

    title = "Model"


class SlotError(ModelError):
    """The models that are given don't fill a strategy's slots, or one would judge twice in a vote."""

    exit_code = EXIT_USAGE


class PluginError(UqError):
    """A plug-in is not installed, or can't be used as it is installed."""

    title = "Plug-in"


class ProtocolError(UqError):
    """A line between app and worker that neither version understands."""

    title = "Engine"


class EngineLostError(UqError):
    """The worker process ended unexpectedly."""

    title = "Engine"


class RunHeldError(UqError):
    """Another process works on the run, or it cannot be started now."""

    title = "Run"


class BudgetError(UqError):
    """A run's known costs have reached the budget."""

    title = "Budget"


class ConfigError(UqError):
    """The configuration file is malformed."""

    title = "Configuration"
    exit_code = EXIT_USAGE


class VerdictFormError(UqError):
    """A verdict lacks something, or holds something out of range. `problems` has one sentence for each."""

    title = "Verdict"
    exit_code = EXIT_USAGE

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("The verdict can't be recorded yet: " + " ".join(problems))
        self.problems = problems


class DraftMovedError(UqError):
    """Another window has written this draft since. Theirs stays the draft, and ours is kept as a copy."""

    title = "Draft"

    def __init__(self, theirs: Any, copy_id: str) -> None:
        """Tell of `theirs`, a `store.review_rows.Draft`, and of our copy's id."""
        super().__init__(
            "Another window has changed this draft meanwhile. Both texts are kept.",
            hint="Choose which one to go on with.",
        )
        self.theirs = theirs
        self.copy_id = copy_id


class VerdictMovedError(UqError):
    """A verdict has another newest revision than the one that was worked from: nothing was recorded.

    `revision` is the number of the newest one, 0 when there is none.
    """

    title = "Verdict"

    def __init__(self, message: str, *, hint: str = "", revision: int = 0) -> None:
        super().__init__(message, hint=hint)
        self.revision = revision


class BlindError(UqError):
    """Something was asked for that a reviewer is not to see before they have decided."""

    title = "Blind review"
    exit_code = EXIT_USAGE


class QueueSpecError(UqError):
    """A queue can't be built so, or not be read. `problems` has one sentence for each thing that is wrong."""

    title = "Queue"
    exit_code = EXIT_USAGE

    def __init__(self, problems: tuple[str, ...], *, hint: str = "") -> None:
        super().__init__(" ".join(problems), hint=hint)
        self.problems = problems
