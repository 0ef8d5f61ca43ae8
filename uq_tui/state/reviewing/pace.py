"""How fast somebody reviews, and how far they are, in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from store.review_rows import Progress
from uq_tui.text import counted

LOOKED_BACK = 30
"""Decisions that the pace is taken from, the last ones."""
FEWEST = 5
"""Decisions before there is a pace."""
HOUR_S = 3600.0
GO_BACK = (
    "The queue came in a bundle. `{app.review:V}`, `{queues.bundles:b}` and `{bundles.return:b}` write the file that"
    " takes your verdicts back; send it to whoever sent you the bundle."
)
"""Said at the end of such a queue."""


@dataclass(frozen=True, slots=True)
class Pace:
    """`an_hour`: verdicts an hour of active time. `left_s`: seconds that what is left takes at that pace."""

    an_hour: float
    left_s: float


def pace(durations: Sequence[float], left: int) -> Pace | None:
    """The pace by the active seconds of the last decisions, newest first; `None` while there are fewer than `FEWEST`.

    Decisions without any time don't say how fast somebody is: verdicts that came by a command.
    """
    timed = [seconds for seconds in durations if seconds > 0][:LOOKED_BACK]
    if len(timed) < FEWEST:
        return None
    mean = fmean(timed)
    return Pace(HOUR_S / mean, mean * left)


def progress_words(progress: Progress) -> str:
    """`12 of 630, 3 skipped, 2 put off`: the first number is of those done, skipped ones included."""
    said = [f"{progress.total - progress.left:,} of {progress.total:,}"]
    if progress.skipped:
        said.append(f"{progress.skipped:,} skipped")
    if progress.put_off:
        said.append(f"{progress.put_off:,} put off")
    return ", ".join(said)


def pace_words(found: Pace | None) -> str:
    """`41 an hour, about 14.9 h left`; empty when there is no pace yet."""
    if found is None:
        return ""
    rate = f"{found.an_hour:.0f}" if found.an_hour >= 10 else f"{found.an_hour:.1f}"
    return f"{rate} an hour, about {time_words(found.left_s)} left" if found.left_s else f"{rate} an hour"


def time_words(seconds: float) -> str:
    """`40 s`, `12 min`, `14.9 h`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / HOUR_S:.1f} h"


def summary(progress: Progress, seconds: float) -> str:
    """What came of a queue, in Markdown."""
    lines = [f"- {counted(progress.decided, 'answer')} decided"]
    if progress.skipped:
        lines.append(f"- {progress.skipped:,} skipped, each with its reason")
    if progress.linked:
        lines.append(f"- {progress.linked:,} more that are identical to one of these, and have its verdict")
    if progress.left:
        lines.append(f"- {progress.left:,} left, {progress.put_off:,} of them put off")
    lines.append(f"- {time_words(seconds)} of active time" if seconds else "- active time unknown")
    return "\n".join(lines)
