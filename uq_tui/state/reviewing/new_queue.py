"""A queue being put together in the app: what is entered, what would come of it, and making it."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from store import reviewers
from store.ingest.files import whole_text
from store.queue_pool import CandidateFilter
from store.rows import QuestionFilter, Reviewer
from uq_tui.errors import QueueSpecError, UqError
from uq_tui.state.desk import Desk
from uq_tui.state.reviewing import building
from uq_tui.state.reviewing.building import LaidOut
from uq_tui.state.reviewing.completeness import Rules
from uq_tui.state.reviewing.gathering import Readings
from uq_tui.state.reviewing.queue_spec import QueueSpec
from uq_tui.words import QueueMode, QueueOrder, Unjudged

_HIGHEST_DIGITS = 16


class NewQueueEditor:
    """What is entered, as it was typed; it starts with a blind queue of everything, for who sits here."""

    def __init__(self, desk: Desk, listed: QuestionFilter) -> None:
        """`listed` is what the question list is restricted to."""
        self._desk = desk
        self.listed = listed
        self.name = ""
        self.only_listed = listed != QuestionFilter()
        """The questions of the list, not all of them."""
        self.unjudged: Unjudged | None = None
        self.mode = QueueMode.BLIND
        self.order = QueueOrder.ARRIVAL
        self.seed = "0"
        self.people = ""
        """Public names with commas between them; who sits here where it is empty."""
        self.overlap = "0"
        """Per cent, as are `gold` and `repeats`."""
        self.everyone = False
        self.gold = "0"
        self.repeats = "0"
        self.practice = "0"
        self.two_steps = False
        self.rules = Rules()
        self.guideline = ""
        """A file."""
        self.problem = ""
        """Why no queue can be made of this, as sentences; empty when one can."""
        self.planned: LaidOut | None = None
        """What would be made of what was entered at the last look; `None` where nothing can."""
        self._readings = Readings()
        self._looked = 0

    @property
    def told(self) -> str:
        """What would be laid out, and what can't be as it is wanted; empty before the first look."""
        found = self.planned
        return "\n".join((f"{found.words()}: {found.mixed_in()}.", *found.notes())) if found else ""

    def spec(self) -> QueueSpec:
        """What is entered as a spec. Raises QueueSpecError, which names every field that can't be read."""
        problems: list[str] = []
        number = _reading(int, problems)
        share = _reading(_percent, problems)
        seed, practice = number("seed", self.seed), number("number of practice items", self.practice)
        overlap, gold = share("overlap", self.overlap), share("share of gold items", self.gold)
        repeats = share("share of repeats", self.repeats)
        listed = self.listed if self.only_listed else QuestionFilter()
        if listed.resolution is not None:
            problems.append("A queue can't be restricted to a resolution: lift that in the list, or take all.")
        if problems:
            raise QueueSpecError(tuple(problems))
        return QueueSpec(
            mode=self.mode,
            order=self.order,
            seed=int(seed),
            candidates=CandidateFilter(
                text=listed.text,
                site=listed.site,
                status=listed.status,
                tags=listed.tags,
                domain=listed.domain,
                score_band=listed.score_band,
                year=listed.year,
                unjudged=self.unjudged,
            ),
            overlap=overlap,
            everyone=self.everyone,
            gold=gold,
            repeats=repeats,
            practice=int(practice),
            two_steps=self.two_steps,
            rules=self.rules,
        )

    def set_rule(self, name: str, required: bool) -> None:
        """Have verdicts need a field of `Rules`, or not."""
        self.rules = replace(self.rules, **{name: required})

    async def look(self) -> bool:
        """Find out what would be laid out. False when a newer look has overtaken this one."""
        self._looked += 1
        looked = self._looked
        planned: LaidOut | None = None
        problem = ""
        try:
            spec = self.spec()
            planned = await asyncio.to_thread(self._plan, spec, self.people)
        except UqError as error:
            problem = " ".join(filter(None, (error.message, error.hint)))
        if looked != self._looked:
            return False
        self.planned, self.problem = planned, problem
        return True

    async def make(self) -> str:
        """Make the queue; its id.

        Raises:
            UqError: something that is entered won't do, the name is empty or taken, or the guideline can't be read.
        """
        self._looked += 1  # what is still looked for is out of date
        return await asyncio.to_thread(self._make, self.spec(), self.name, self.people, self.guideline.strip())

    def _plan(self, spec: QueueSpec, people: str) -> LaidOut:
        return building.plan(
            self._desk.workspace, spec, self._named(people), by=self._desk.reviewer.id, readings=self._readings
        )

    def _make(self, spec: QueueSpec, name: str, people: str, guideline: str) -> str:
        text = whole_text(Path(guideline).expanduser()) if guideline else ""
        laid_out = self._plan(spec, people)
        return building.make(self._desk.workspace, name, text, laid_out, by=self._desk.reviewer.id).id

    def _named(self, people: str) -> tuple[Reviewer, ...]:
        """The reviewers that are named, each once. Raises NotFoundError."""
        names = dict.fromkeys(filter(None, (name.strip() for name in people.split(","))))
        if not names:
            return (self._desk.reviewer,)
        return tuple(reviewers.by_handle(self._desk.workspace, name) for name in names)


def _reading(kind: Callable[[str], float], problems: list[str]) -> Callable[[str, str], float]:
    """Reads fields of one kind; what it can't read becomes a problem, and 0."""

    def read(name: str, text: str) -> float:
        try:
            if len(text.strip()) <= _HIGHEST_DIGITS:
                return kind(text.strip() or "0")
        except ValueError:
            pass
        problems.append(f"The {name} is no number.")
        return 0

    return read


def _percent(text: str) -> float:
    return float(text.removesuffix("%")) / 100.0
