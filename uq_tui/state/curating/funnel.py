"""The curations of a workspace, and the funnel of the one that is chosen."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

from store import blindness, curations, ratings
from store.curation_rows import Curation
from store.identity import canonical_host
from uq_tui.curation import passing
from uq_tui.curation.thresholds import default_toml, parse
from uq_tui.engine.requests import MOST_QUESTIONS, CurateRequest
from uq_tui.errors import ConfigError, UqError
from uq_tui.state.curating.asking import Asked
from uq_tui.state.curating.funnel_lines import FunnelLine, FunnelSection, sections
from uq_tui.state.curating.standing import Standing
from uq_tui.state.desk import Desk
from uq_tui.words import CurationStage


class FunnelState:
    """What the funnel screen shows. Methods that wait are coroutines."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.curations: tuple[Curation, ...] = ()
        """The newest first."""
        self.curation: Curation | None = None
        """The one that is looked at."""
        self.sections: tuple[FunnelSection, ...] = ()
        self._stop: threading.Event | None = None
        """Set to end what applies rules now."""

    @property
    def applying(self) -> bool:
        """Rules are being applied from here."""
        return self._stop is not None

    @property
    def waiting(self) -> int:
        """Questions that stand at the stage of models, undecided ones among them."""
        keys = (f"all {CurationStage.MODEL} {name}" for name in ("waiting", "unknown"))
        return sum(line.n for key in keys if (line := self.line(key)) is not None)

    @property
    def kept(self) -> int:
        """Questions that have come through."""
        line = self.line(f"all {CurationStage.REVIEW}")
        return line.n if line is not None else 0

    def line(self, key: str) -> FunnelLine | None:
        """The line with this key."""
        return next((line for section in self.sections for line in section.lines if line.key == key), None)

    async def load(self) -> None:
        """Read everything again. Raises StoreError."""
        self.curations, self.curation, self.sections = await asyncio.to_thread(self._read)

    def _read(self) -> tuple[tuple[Curation, ...], Curation | None, tuple[FunnelSection, ...]]:
        there = curations.all_of(self.desk.workspace)
        chosen = next((one for one in there if one.id == self.desk.curation_id), there[0] if there else None)
        found = curations.counts(self.desk.workspace, chosen.id) if chosen is not None else ()
        return there, chosen, sections(found)

    async def choose(self, curation_id: str) -> None:
        """Look at another one, also the next time that somebody looks. Raises StoreError."""
        self.desk.curation_id = curation_id
        await self.load()

    async def begin(self, name: str, rules_file: str, sites: str = "") -> None:
        """Begin a curation by the rules in a file, or by the paper's where none is named, and look at it.

        Args:
            name: what it is called.
            rules_file: as it was typed; "" for the paper's.
            sites: hosts with commas between, in any spelling; "" for all.

        Raises:
            UqError: the name is missing or taken, or the file can't be read or isn't what it should be.
        """
        begun = await asyncio.to_thread(self._begin, name, rules_file, sites_of(sites))
        await self.choose(begun.id)

    def _begin(self, name: str, rules_file: str, sites: tuple[str, ...]) -> Curation:
        return curations.begin(self.desk.workspace, name, rules_of(rules_file), sites)

    async def apply(self, on_progress: Callable[[int, int], None]) -> bool:
        """Apply the rules to all questions that they were not applied to yet.

        Args:
            on_progress: told from another thread how many questions are done, of how many.

        Returns:
            whether it came to the end; `False` where it was stopped.

        Raises:
            UqError: the store can't be written; what was done stays.
        """
        curation = self.curation
        if curation is None or self._stop is not None:
            return False
        stop = self._stop = threading.Event()
        try:
            key = (self.desk.workspace, curation.id)
            after = await asyncio.to_thread(passing.apply_rules, *key, on_progress=on_progress, cancelled=stop.is_set)
        finally:
            stop.set()
            self._stop = None
        await self.load()
        return after.ruled

    async def ask(self, asked: Asked) -> bool:
        """Have models asked of the questions that wait, those with most votes first; `False` where none wait any more.

        Raises:
            StoreError: the workspace can't be read.
            EngineLostError: there is no engine that could.
        """
        if (curation := self.curation) is None:
            return False
        ids = await asyncio.to_thread(self._waiting_ids, curation.id, asked.questions)
        if not ids:
            return False
        request = CurateRequest(curation.id, ids, asked.answerer, asked.raters)
        self.desk.start(request, budget_usd=asked.usd, budget_tokens=asked.tokens)
        return True

    def _waiting_ids(self, curation_id: str, most: int | None) -> tuple[str, ...]:
        """Without those whose answers are judged blind: a reviewer would see what models say of them."""
        masked = blindness.masked_questions(self.desk.workspace, self.desk.reviewer.id)
        limit = min(most or MOST_QUESTIONS, MOST_QUESTIONS)
        return ratings.waiting(self.desk.workspace, curation_id, leave_out=masked, limit=limit)

    def stop(self) -> None:
        """Have what applies rules end; what is done stays."""
        if self._stop is not None:
            self._stop.set()

    def standing(self, line: FunnelLine) -> Standing | None:
        """The questions of a line, of which none is read yet."""
        if self.curation is None or not line.spots:
            return None
        return Standing(self.desk.workspace, self.desk.reviewer.id, self.curation.id, line)


def rules_of(file: str) -> str:
    """The text of a file of rules that can be gone by; the paper's without a file.

    Raises:
        UqError: it can't be read, or isn't what it should be.
    """
    if not file.strip():
        return default_toml()
    path = Path(file.strip()).expanduser()
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} can't be read: {error}", hint="Name a TOML file, or none.") from error
    parse(text, str(path))
    return text


def sites_of(typed: str) -> tuple[str, ...]:
    """The sites that were typed, in their canonical spelling, each once. Raises UqError: one is none."""
    named = [site.strip() for site in typed.split(",") if site.strip()]
    if wrong := next((site for site in named if not canonical_host(site)), ""):
        raise UqError(f"{wrong!a} is no site.", hint="Give hosts, such as math.stackexchange.com, or nothing for all.")
    return tuple(sorted({canonical_host(site) for site in named}))
