"""The keys of the workbench."""

from textual.binding import Binding, BindingType

from uq_tui.widgets.key_footer import PANE_KEYS
from uq_tui.widgets.reply_view import reading_keys

KEYS: list[BindingType] = [  # in the order in which a narrow footer should show them.
    Binding("w", "widen", "Full width", id="workbench.widen", tooltip="Read this text at full width"),
    Binding("w,escape", "narrow", "All columns", id="workbench.narrow", tooltip="Back to all columns"),
    Binding("enter", "verdict", "Verdict", id="workbench.verdict", tooltip="Give your verdict on this candidate"),
    Binding("v", "validate", "Validate", id="workbench.validate", tooltip="Judge this candidate by the strategy"),
    Binding("k,X", "cancel", "Cancel runs", id="workbench.cancel", tooltip="Stop the runs under way"),
    Binding("u", "measure", "Measure", id="workbench.utility", tooltip="Measure candidates on the neighbours"),
    Binding("U", "utility", "Utility", id="workbench.ranking", tooltip="Candidates by utility, and all rollouts"),
    Binding("n", "neighbours", "Neighbours", id="workbench.neighbours", tooltip="Write, propose or choose them"),
    Binding("f", "findings", "Findings", id="workbench.findings", tooltip="References, claims of audits, scores"),
    Binding(
        "S",
        "second_pass",
        "Second pass",
        id="workbench.second_pass",
        tooltip="Confirm or refute claims, call judgements sound or not",
    ),
    Binding(
        "colon",
        "comments",
        "Comments",
        id="workbench.comments",
        tooltip="Comments, your note, and what you are to the question",
    ),
    Binding("r", "resolve", "Solved?", id="workbench.resolve", tooltip="Whether it is solved, who says so, and why"),
    Binding("t", "text", "Text", id="workbench.text", tooltip="Question, answer, or the model's reasoning"),
    Binding("c", "side_by_side", "Side by side", id="workbench.side_by_side", tooltip="Two or three texts, and diff"),
    Binding("x", "app.export", "Export", id="workbench.export", tooltip="Write verdicts and other rows to a file"),
    Binding("b", "post", "For posting", id="workbench.post", tooltip="This answer as Markdown for the question's site"),
    Binding("B", "report", "Report", id="workbench.report", tooltip="This question with all that was found, as a file"),
    Binding("g", "generate", "Generate", id="workbench.generate", tooltip="Ask the model for one more candidate"),
    Binding("G", "retry", "Ask again", id="workbench.retry", tooltip="Ask the models again whose answers failed"),
    Binding("a", "add", "Add", id="workbench.add", tooltip="Enter or load a candidate by hand"),
    Binding(
        "y",
        "strategy",
        "Strategy",
        id="workbench.strategy",
        tooltip="Choose or write what candidates are judged by",
    ),
    Binding("l", "ladders", "Compare", id="workbench.ladders", tooltip="Two strategies on this candidate"),
    Binding("ctrl+r", "reveal", "Reveal", id="workbench.reveal", tooltip="Show what is hidden while you judge blind"),
    Binding("h", "history", "History", id="workbench.history", tooltip="All you have recorded on this answer"),
    Binding("ctrl+z", "step(-1)", "Undo", id="workbench.undo", tooltip="Take your last verdict back", show=False),
    Binding("ctrl+y", "step(1)", "Redo", id="workbench.redo", tooltip="Record what was undone again", show=False),
    *reading_keys("workbench"),
    Binding("left", "pane(-1)", "Panes", id="workbench.previous", group=PANE_KEYS, tooltip="Previous pane"),
    Binding("right", "pane(1)", "Panes", id="workbench.next", group=PANE_KEYS, tooltip="Next pane"),
]
