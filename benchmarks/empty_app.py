"""The baseline of first paint: the smallest Textual app that says something."""

from textual.app import App, ComposeResult
from textual.widgets import Static


class EmptyApp(App[None]):
    def compose(self) -> ComposeResult:
        yield Static("READY")


if __name__ == "__main__":
    EmptyApp().run()
