"""What writers of other tools' formats are given, what they say they wrote, and what a format can't hold."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from exports.atomic import publish, staged
from exports.rows import AT_ONCE, PLAIN, Manner, stopped
from exports.verdicts import ALL, RowOptions
from store.withheld import Withheld
from store.workspace import Workspace

T = TypeVar("T")

MASKED = "problems that you still judge blind"
"""Why what the workspace has of a question is not written."""
NO_TEXT = "without their text here"
"""Why a candidate that is known by its id only is not written."""


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be written."""

    ws: Workspace
    path: Path
    lines: Iterable[str]
    """Verdict rows, one line each, in the order of `store.verdicts.records`; read once."""
    without: Withheld
    """What the current reviewer may not see. `lines` hold nothing of it."""
    manner: Manner = PLAIN
    """Told how far it is, and asked whether to go on. Such files aren't signed."""

    def watched(self, parts: Iterable[T]) -> Iterator[T]:
        """The parts, lines or rows, while they are counted. Raises ExportError once it is cancelled."""
        self._look(0)
        for number, part in enumerate(parts, 1):
            yield part
            if number % AT_ONCE == 0:
                self._look(number)

    def _look(self, done: int) -> None:
        self.manner.on_progress(done)
        if self.manner.is_cancelled():
            raise stopped(self.path)


@dataclass(frozen=True, slots=True)
class Written:
    """What is in the file, and what is not."""

    path: Path
    rows: int
    left_out: Mapping[str, int]
    """How many of them, by why they are not there."""


@dataclass(frozen=True, slots=True)
class Loss:
    """Something that a format has no place for, or that is not read back from it."""

    keys: tuple[str, ...]
    """Keys of our rows with all that is in them: `evidence`, `reviewer.orcid`; none where only some values are lost."""
    why: str
    """A sentence."""
    restored: bool = False
    """Not in the file, and worked out again when it is read."""


@dataclass(frozen=True, slots=True)
class Losses:
    """What doesn't survive a format. Beyond this list, a file that is imported and exported again is the same."""

    of: str
    """Of what the keys are: verdict rows, candidates, outcomes."""
    not_written: tuple[Loss, ...] = ()
    """What is not in the file."""
    not_read_back: tuple[Loss, ...] = ()
    """What is in the file, and `uq-tui import` doesn't take from it."""
    is_read: bool = True
    """Whether `uq-tui import` reads such files at all."""


def write_lines(path: Path, lines: Iterable[str], left_out: Counter[str]) -> Written:
    """Write one line after the other; whole, in place of an earlier file, or not at all.

    `left_out` is what the maker of the lines counts meanwhile. Raises ExportError.
    """
    rows = 0
    with staged(path) as file:
        for line in lines:
            file.write(line.encode() + b"\n")
            rows += 1
        publish(file)
    return Written(path, rows, dict(left_out))


@dataclass(frozen=True, slots=True)
class OtherFormat:
    """A format of other tools that can be written."""

    name: str
    """As commands call it."""
    noun: str
    """What one part of a file is called."""
    suffix: str
    """How names of its files usually end."""
    about: str
    """What is in a file, in a few words."""
    write: Callable[[Job], Written]
    """Raises ExportError: it can't be written, and an earlier file is as it was."""
    losses: Losses
    of_verdicts: bool = True
    """It is made of verdict rows; else of all that the workspace has of its kind."""
    has_texts: bool = True
    """The texts of answers are in it."""

    def refusal(self, options: RowOptions) -> str:
        """Why a file of this format can't follow the options, as a sentence; empty when it can."""
        if options.without_text and self.has_texts:
            return f"{self.name} has the answers in it, so it can't go without their words."
        if options != ALL and not self.of_verdicts:
            return f"{self.name} is not made of verdicts: what chooses or changes these doesn't go with it."
        return ""
