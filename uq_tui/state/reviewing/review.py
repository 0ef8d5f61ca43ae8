"""Going through a queue: which item is before the reviewer, what a key makes of it, and what comes next."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from store import blindness, decisions, exposures, queues
from store.review_rows import Decision, Queue, QueueItem
from store.verdict_rows import name_of
from uq_tui.errors import DraftMovedError, UqError, VerdictMovedError
from uq_tui.state.desk import Desk
from uq_tui.state.reviewing import blind, loading
from uq_tui.state.reviewing.giving import STEP_KEYS, Feedback, Given, chosen
from uq_tui.state.reviewing.guard import STEP_S, Guard
from uq_tui.state.reviewing.loading import Loaded
from uq_tui.state.reviewing.pace import GO_BACK, summary
from uq_tui.state.reviewing.problem import AnswerLine, span
from uq_tui.state.reviewing.share import Counted, Share
from uq_tui.state.reviewing.two_steps import MachineOpinion, Step, TwoSteps, compared
from uq_tui.state.verdict.editor import VerdictEditor
from uq_tui.state.verdict.words import given
from uq_tui.words import UNDECIDED, Exposure, ItemRole, Label, NotJudged, VerdictStatus

TOLD_FOR = 2
"""Items for which it is told what was recorded last."""


class ReviewState:
    """One reviewer's share of one queue. The verdict itself is in `editor`, which always has the item's form.

    Whatever moves waits for its turn; keys that record don't wait, so that one held down records once.
    """

    def __init__(self, desk: Desk, editor: VerdictEditor, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.desk = desk
        self.editor = editor
        self.guard = Guard(clock)
        self.shown: Loaded | None = None
        """What is before the reviewer; `None` before a queue is open, and at its end."""
        self.lines: tuple[AnswerLine, ...] = ()
        self.counted: Counted | None = None
        """How far the reviewer is, as of the item before them; it comes a moment later than that."""
        self.steps: TwoSteps | None = None
        """Where the queue asks for two steps."""
        self.feedback: Feedback | None = None
        """On the practice item that was just answered."""
        self.recorded = ""
        """What was recorded last, while it is told."""
        self._said = ""
        self._warning = ""
        self._share: Share | None = None
        self._told = 0
        self._undoable = ""
        """The revision that `recorded` is of: a window undoes what it says, whatever another one has done."""
        self._revealed = ""
        """The candidate that was decided last of a problem, which is revealed by that."""
        self._turn = asyncio.Lock()
        self._looking: asyncio.Task[None] | None = None

    # What is open

    @property
    def queue(self) -> Queue | None:
        """The queue that is open."""
        return self._share.queue if self._share is not None else None

    @property
    def item(self) -> QueueItem | None:
        """The item before the reviewer."""
        return self.shown.item if self.shown is not None else None

    @property
    def note(self) -> str:
        """What else is to be told: drafts of two windows, what was revealed, passed, undone."""
        return ". ".join(filter(None, (self._warning.rstrip("."), self._said)))

    @property
    def busy(self) -> bool:
        """Something is being recorded, or another item is coming."""
        return self._turn.locked()

    @property
    def at_the_end(self) -> bool:
        """Nothing is left to decide in this share."""
        return self._share is not None and self.shown is None

    @property
    def summary(self) -> str:
        """What came of the queue, in Markdown, with keys as `key_map.with_keys` has them."""
        if self.counted is None:
            return ""
        text = f"# Nothing is left to decide\n\n{summary(self.counted.progress, self.counted.seconds)}"
        return f"{text}\n\n{GO_BACK}" if self._share is not None and self._share.from_bundle else text

    @property
    def opinion(self) -> MachineOpinion | None:
        """What an exact comparison says of the final answer, where that is asked."""
        if self.shown is None or self.steps is None:
            return None
        return compared(self.shown.candidate, self.shown.problem.reference.final_answer)

    @property
    def is_practice(self) -> bool:
        """The item before the reviewer is for practice."""
        return self.item is not None and self.item.role is ItemRole.PRACTICE

    @property
    def second_pass_of(self) -> str:
        """The candidate that a second pass can be made on: the one before the reviewer, or one that was revealed."""
        if self.shown is not None and self.shown.problem.mask is None:
            return self.shown.candidate.id
        return self._revealed

    async def open(self, queue_id: str) -> None:
        """Open a queue at the item where the reviewer left it, or else at what comes next.

        Raises:
            NotFoundError: there is no such queue, or it has nothing for this reviewer.
            UqError: it is closed, or a newer uq-tui built it.
        """
        async with self._acting():
            share = await asyncio.to_thread(Share.enter, self.desk.workspace, queue_id, self.desk.reviewer)
            self._share, self._said = share, ""
            self.editor.rules = share.spec.rules
            await self._show(share, await asyncio.to_thread(share.first))

    @asynccontextmanager
    async def _acting(self) -> AsyncIterator[None]:
        """One act at a time. A warning stays for the whole of the act it came in."""
        async with self._turn:
            self._warning = ""
            yield

    # Moving

    async def _show(self, share: Share, item: QueueItem | None, *, again: bool = True) -> None:
        """Have an item before the reviewer, with its form.

        What is known of the problem before and of the item that was looked up ahead is used if `again`.
        """
        await self._keep_draft()
        loaded: Loaded | None = None
        lines: tuple[AnswerLine, ...] = ()
        if item is not None:
            ahead = self.counted.following if again and self.counted is not None else None
            before = self.shown.problem if again and self.shown is not None else None
            found, lines = await asyncio.to_thread(share.load, item, ahead=ahead, before=before)
            await self.editor.open(found.candidate, item=item)
            loaded = found
        self.shown, self.lines, self.feedback = loaded, lines, None
        self.steps = TwoSteps.of(self.editor.form) if share.spec.two_steps and loaded is not None else None
        self.guard.appeared()
        self._told -= 1
        if self._told < 0:
            self.recorded = ""
        self._looking = asyncio.create_task(self._look_ahead(share, self._looking))

    async def _keep_draft(self) -> None:
        try:
            await self.editor.save_draft()
        except DraftMovedError as error:
            self._warning = error.message  # both drafts are kept by now

    async def _look_ahead(self, share: Share, before: "asyncio.Task[None] | None") -> None:
        """Keep the place, count what there is to count, and read what comes next, while this item is read."""
        shown = self.shown
        if before is not None:
            await before  # two that write the place at once might do so in either order
        if self.shown is not shown:
            return
        try:
            counted = await asyncio.to_thread(share.look_ahead, shown)
        except UqError:
            return  # whoever goes on meets it again, and is told
        if self.shown is shown:
            self.counted = counted

    async def settled(self) -> None:
        """Wait until what is counted and looked up ahead is there."""
        if self._looking is not None:
            await self._looking

    async def _advance(self, share: Share, after: int) -> None:
        """Go to the next item behind a position."""
        await self._show(share, await asyncio.to_thread(share.following, after))

    async def go_to(self, item_id: str) -> None:
        """Go to an item of this queue, decided or not. Raises NotFoundError."""
        async with self._acting():
            if self._share is not None and (self.item is None or item_id != self.item.id):
                self._said = ""
                await self._show(self._share, await asyncio.to_thread(queues.item, self.desk.workspace, item_id))

    # Deciding

    async def give(self, verdict: Label | NotJudged) -> Given:
        """Give the item before the reviewer a verdict, by one key, and go on; what was entered besides comes along.

        After a practice item's feedback, any verdict goes on.

        Raises:
            UqError: it could not be recorded. Nothing has moved, and the form holds everything.
        """
        if self._turn.locked() or not self.guard.lets(verdict.value):
            return Given.NOTHING
        async with self._acting():
            if self._share is None or self.shown is None:
                return Given.NOTHING
            if self.feedback is not None:
                self.guard.recorded(verdict.value)
                await self._advance(self._share, self.shown.item.position)
                return Given.WENT_ON
            done = await self._give(self._share, self.shown, verdict)
            if done not in (Given.INCOMPLETE, Given.STEP):  # both steps are often answered by one key, quickly
                self.guard.recorded(verdict.value)
            return done

    async def _give(self, share: Share, shown: Loaded, verdict: Label | NotJudged) -> Given:
        if self.steps is not None and isinstance(verdict, Label):
            if not self._step(self.steps, verdict):
                return Given.STEP
        else:
            self.editor.edit(lambda form: chosen(form, verdict))
        if shown.item.role is ItemRole.PRACTICE:
            return await self._practise(shown.item)
        if self.editor.missing():
            return Given.INCOMPLETE
        try:
            decision = await self.editor.save(shown.candidate.id)
        except VerdictMovedError as moved:
            return await self._pass_decided(share, shown, moved)
        except UqError:
            self._said = "Not recorded: nothing has moved on, and all that you entered is still here."
            raise
        await self._took(share, shown, decision)
        return Given.RECORDED

    def _step(self, steps: TwoSteps, verdict: Label) -> bool:
        """Answer the step that is asked; whether there is a label now. A verdict that is revised starts anew."""
        before = TwoSteps() if steps.step is Step.DONE else steps
        self.steps = before.press(STEP_KEYS[verdict])
        self.editor.edit(self.steps.filled)
        if self.steps is not before:
            self.guard.appeared(STEP_S)
        return self.steps.step is Step.DONE

    async def practise(self) -> Given:
        """Answer the practice item before the reviewer as its form stands."""
        async with self._acting():
            if self.shown is None or not self.is_practice or self.feedback is not None:
                return Given.NOTHING
            return await self._practise(self.shown.item)

    async def _practise(self, item: QueueItem) -> Given:
        label = self.editor.form.label
        if label is None:
            self._said = "This is practice: give it a label, and you are told the known one."
            return Given.INCOMPLETE
        known = await asyncio.to_thread(loading.known_label, self.desk.workspace, item)
        await asyncio.to_thread(queues.answer_practice, self.desk.workspace, item.id, label)
        self.feedback = Feedback(label, known)
        self.editor.close()  # what was entered for practice is done with
        self.guard.appeared()
        return Given.PRACTISED

    async def _pass_decided(self, share: Share, shown: Loaded, moved: VerdictMovedError) -> Given:
        """Go on where another window has decided the item. Raises VerdictMovedError where it was decided before."""
        now = await asyncio.to_thread(queues.item, self.desk.workspace, shown.item.id)
        if now.state in UNDECIDED or shown.item.state not in UNDECIDED:
            self._said = "Not recorded yet: the same key again records it."
            raise moved
        await self._advance(share, shown.item.position)
        called = shown.candidate.called
        self._said = f"{called} was decided in another window meanwhile, so it was passed; what you entered is kept"
        return Given.PASSED

    async def took(self, decision: Decision) -> None:
        """Go on after the form has recorded its verdict; show the item anew where that took one back."""
        async with self._acting():
            if self._share is None or self.shown is None:
                return
            verdict = decision.verdict
            if verdict.candidate_id == self.shown.candidate.id and verdict.status is VerdictStatus.SUBMITTED:
                await self._took(self._share, self.shown, decision)
            else:
                item = await asyncio.to_thread(queues.item, self.desk.workspace, self.shown.item.id)
                await self._show(self._share, item, again=False)

    async def _took(self, share: Share, shown: Loaded, decision: Decision) -> None:
        self._tell_recorded(decision)
        self._said = ""
        if decision.revealed:
            await self._tell_revealed(shown)
        await self._advance(share, shown.item.position)

    async def _tell_revealed(self, shown: Loaded) -> None:
        ws, item = self.desk.workspace, shown.item
        if await asyncio.to_thread(blindness.is_masked, ws, item.reviewer_id, item.question_id):
            self._said = f"{_all(shown)} decided here; another queue still hides what is known of them"
        else:
            self._said, self._revealed = f"{_all(shown)} revealed", shown.candidate.id

    def _tell_recorded(self, decision: Decision) -> None:
        verdict = decision.verdict
        self.recorded, self._told = given(verdict), TOLD_FOR
        self._undoable = name_of(verdict)

    async def go_on(self) -> bool:
        """Leave a practice item whose known label was told. False where none was."""
        async with self._acting():
            if self.feedback is None or self._share is None or self.shown is None or not self.guard.lets("go on"):
                return False
            await self._advance(self._share, self.shown.item.position)
            return True

    async def put_off(self) -> bool:
        """Have the item before the reviewer come again when the open ones are decided. False where that can't be."""
        if self._turn.locked() or not self.guard.lets("later"):
            return False
        async with self._acting():
            if self._share is None or self.shown is None or self.feedback is not None:
                return False
            item, called = self.shown.item, self.shown.candidate.called
            await asyncio.to_thread(queues.put_off, self.desk.workspace, item.id)
            self.guard.recorded("later")
            await self._advance(self._share, item.position)
            self._said = f"{called} put off: it comes again when the open ones are decided"
            return True

    # Undoing

    async def undo(self) -> bool:
        """Take back the last step: the first of two, or else what was recorded last in this queue.

        Its item is before the reviewer again, with what had been entered. False when there was nothing to undo.

        Raises:
            VerdictMovedError: another window has recorded something since this one told what it would undo.
        """
        if not self.guard.lets("undo", at_once=True):
            return False
        async with self._acting():
            if self._share is None:
                return False
            self.guard.recorded("undo")
            if self.steps is not None and self.steps.step is Step.DERIVATION:
                self.steps = self.steps.back()
                self.editor.edit(self.steps.filled)
                return True
            return await self._undo(self._share)

    async def _undo(self, share: Share) -> bool:
        await self._keep_draft()
        ws, reviewer = self.desk.workspace, self.desk.reviewer
        said = self._undoable if self.recorded else ""
        try:
            done = await asyncio.to_thread(decisions.undo, ws, reviewer, share.queue.id, shown=said)
        except VerdictMovedError:
            self.recorded = ""  # no longer what comes next: undoing again takes back what does
            raise
        self.recorded = ""
        if done is None or done.item is None:
            self._said = "There is nothing to undo in this queue"
            return False
        await self._show(share, done.item, again=False)
        called = self.shown.candidate.called if self.shown is not None else ""
        self._said = f"undone: {called} is open again" if done.item.state in UNDECIDED else f"undone: {called}"
        return True

    async def redo(self) -> bool:
        """Record once more what was undone last, and go on. False when there was nothing to redo."""
        if not self.guard.lets("redo", at_once=True):
            return False
        async with self._acting():
            if self._share is None:
                return False
            self.guard.recorded("redo")
            await self._keep_draft()
            ws, reviewer = self.desk.workspace, self.desk.reviewer
            done = await asyncio.to_thread(decisions.redo, ws, reviewer, self._share.queue.id)
            if done is None or done.item is None:
                self._said = "There is nothing to redo in this queue"
                return False
            self._tell_recorded(done)
            self._said = ""
            await self._advance(self._share, done.item.position)
            return True

    # Revealing

    async def reveal(self) -> None:
        """Mask the problem before the reviewer no more, because they asked for it; that is recorded."""
        async with self._acting():
            if self._share is None or self.shown is None or self.shown.problem.mask is None:
                return
            item, names = self.shown.item, _all(self.shown)
            await asyncio.to_thread(blind.reveal, self.desk.workspace, item.reviewer_id, item.question_id)
            await self._show(self._share, item, again=False)
            self._said, self._revealed = f"{names} revealed at your request, which is recorded", item.candidate_id

    async def note_reasoning(self) -> None:
        """Log that the reasoning behind the answer is shown."""
        if (item := self.item) is not None:
            ws = self.desk.workspace
            what = (item.question_id, item.candidate_id, Exposure.REASONING, loading.PLACE)
            await asyncio.to_thread(exposures.record, ws, item.reviewer_id, *what)


def _all(shown: Loaded) -> str:
    """All answers of the problem, by their names: `A-I`."""
    return span([name for name in shown.problem.names.values() if name != blind.REFERENCE])
