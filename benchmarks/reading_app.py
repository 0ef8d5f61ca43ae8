"""One text in a view of its own: `python -m benchmarks.reading_app ours|theirs CHARACTERS RESULT`.

`ours` is the reading view, `theirs` Textual's Markdown widget in a scrolling container. F2 shows the text and writes
the seconds until its first screen was painted to RESULT; F3 appends 200 tokens a second for some time and writes how
late the loop was woken meanwhile, F4 the same of the idle loop.
"""

import asyncio
import json
import os
import sys
import time
from pathlib import Path

from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.widgets import Markdown, Static

from benchmarks.reading_texts import made_text
from uq_tui.garbage import look_seldom
from uq_tui.widgets.document import Document

TOKENS_PER_SECOND = 200
SAMPLED_S = 8.0
PERIOD_S = 0.005
"""The probe asks to be woken this often; how late it is woken is the lag."""


class ReadingApp(App[None]):
    """Says READY, and OPEN once the text is shown."""

    BINDINGS = [
        Binding("f2", "open", "Open", priority=True),
        Binding("f3", "sample(True)", "Append", priority=True),
        Binding("f4", "sample(False)", "Idle", priority=True),
    ]
    CSS = "#state { height: 1; } Document, VerticalScroll { height: 1fr; }"

    def __init__(self, theirs: bool, characters: int, result: Path) -> None:
        super().__init__()
        self._theirs = theirs
        self._text = made_text(characters)
        self._result = result

    def on_mount(self) -> None:
        look_seldom()  # as the app does

    def compose(self) -> ComposeResult:
        yield Static("READY", id="state")
        if self._theirs:
            with VerticalScroll():
                yield Markdown()
        else:
            yield Document()

    async def action_open(self) -> None:
        started = time.perf_counter()
        if self._theirs:
            await self.query_one(Markdown).update(self._text)
            self.query_one(VerticalScroll).focus()
        else:
            self.query_one(Document).show(self._text)
            self.query_one(Document).focus()
        self.call_after_refresh(self._opened, started)

    def _opened(self, started: float) -> None:
        self._write([time.perf_counter() - started])
        self.query_one("#state", Static).update("OPEN")

    async def action_sample(self, append: bool) -> None:
        self.run_worker(self._sample(append=append))

    async def _sample(self, *, append: bool) -> None:
        view = self.query_one(Document)
        view.action_bottom()
        lags: list[float] = []
        until = time.perf_counter() + SAMPLED_S
        due = time.perf_counter()
        while (now := time.perf_counter()) < until:
            while append and due <= now:
                view.append("word " if int(due * TOKENS_PER_SECOND) % 90 else "\n\n")
                due += 1 / TOKENS_PER_SECOND
            asked = time.perf_counter()
            await asyncio.sleep(PERIOD_S)
            lags.append(time.perf_counter() - asked - PERIOD_S)
        self._write(lags)

    def _write(self, seconds: list[float]) -> None:
        partial = self._result.with_suffix(".part")
        partial.write_text(json.dumps(seconds), encoding="utf-8")
        os.replace(partial, self._result)


if __name__ == "__main__":
    ReadingApp(sys.argv[1] == "theirs", int(sys.argv[2]), Path(sys.argv[3])).run()
