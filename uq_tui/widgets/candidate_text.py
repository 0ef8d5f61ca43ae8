"""The text that is read on the workbench: the question, a candidate's answer or reasoning, or one being written."""

from enum import StrEnum

from textual import work
from textual.content import Content

from store.rows import Candidate, Question
from store.workspace import Workspace
from uq_tui.engine.client import EngineClient
from uq_tui.engine.protocol import CallFinished, CallRetrying, CallStarted, Event, EventsLost, TextDelta
from uq_tui.state.live_reply import LiveReply
from uq_tui.state.reading.readable import readable_answer, readable_question, readable_words
from uq_tui.text import clean_line
from uq_tui.widgets import marks
from uq_tui.widgets.document import Document


class Shown(StrEnum):
    """Which text is shown of what is read."""

    QUESTION = "question"
    ANSWER = "answer"
    REASONING = "reasoning"


class CandidateText(Document):
    """Give it what is read whenever that changes, and every engine event."""

    def __init__(self, workspace: Workspace, engine: EngineClient, *, id: str) -> None:
        super().__init__(id=id)
        self._writing = LiveReply(workspace, engine)
        self._question: Question | None = None
        self._candidate: Candidate | None = None
        self._call_key = ""
        self._warning = ""
        self._resolution = ""
        self._posted = ""
        self.shown = Shown.QUESTION

    def read_candidate(
        self,
        question: Question | None,
        candidate: Candidate | None,
        *,
        writing: str = "",
        warning: str = "",
        resolution: str = "",
        posted: str = "",
    ) -> None:
        """Show a candidate, or the call that is `writing` one; without either the question.

        `warning` stands in the title of the answer, `resolution` in the head of the question; `posted` says whose an
        answer is that was posted on a site.
        """
        self._question, self._candidate, self._call_key, self._warning = question, candidate, writing, warning
        self._resolution, self._posted = resolution, posted
        self._show_text()

    def turn(self) -> None:
        """Show the next of question, answer and reasoning."""
        order = list(Shown)
        self.shown = order[(order.index(self.shown) + 1) % len(order)]
        self._show_text()

    def receive(self, event: Event) -> None:
        """Take one engine event."""
        if isinstance(event, EventsLost):
            self.catch_up()
        if isinstance(event, CallStarted | CallRetrying | TextDelta | CallFinished):
            self._hear(event)

    def catch_up(self) -> None:
        """Show what is known now: after lost events, or when the screen comes to the front again."""
        if not self._writing.finished:
            self._follow_call(self._writing.call_key)

    def _show_text(self) -> None:
        question, candidate = self._question, self._candidate
        if self._call_key:
            self.border_title = "New candidate, being written"
            self._follow_call(self._call_key)
        elif question is None:
            self.clear()
        elif candidate is None or self.shown is Shown.QUESTION:
            self.border_title = "Question"
            self.read(readable_question(question, resolution=self._resolution))
        elif self.shown is Shown.REASONING:
            self.border_title = Content(f"Reasoning  {candidate.called}")
            if candidate.reasoning:
                self.read(readable_words(candidate.reasoning, f"r{candidate.id}", name=f"{candidate.called}-reasoning"))
            else:
                self.show("*No reasoning was kept with this candidate.*", key=f"r{candidate.id}")
        else:
            cut = "  cut off at the length limit" if candidate.cut_off else ""
            names = ", ".join(dict.fromkeys(clean_line(origin.name) for origin in candidate.origins))
            mark = f"{marks.REFERENCE}  " if candidate.reference else ""
            warning = f"  {self._warning}" if self._warning else ""
            self.border_title = Content(f"Answer  {candidate.called}  {mark}{names}{cut}{warning}".rstrip())
            self.read(readable_answer(candidate, self._posted))

    @work(group="follow", exclusive=True, exit_on_error=False)
    async def _follow_call(self, key: str) -> None:
        await self._writing.follow(key, running=True)
        self._show_writing()

    @work(group="live", exit_on_error=False)
    async def _hear(self, event: CallStarted | CallRetrying | TextDelta | CallFinished) -> None:
        if await self._writing.apply(event):
            self._show_writing()

    def _show_writing(self) -> None:
        if self._call_key != self._writing.call_key or not self.screen.is_current:
            return
        self.read(self._writing.readable(self._writing.call_key), follow=True)
