"""How many JSON rows are imported a second, beside sqlite-utils; and how long a verdict waits meanwhile.

Both are the commands that people give, so that the starts of their processes count on both sides: ours one, of sqlite-
utils two, since it makes the index by a command of its own. They take turns.
"""

import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from benchmarks.results import Result
from store import candidates, decisions, intake, reviewers
from store.intake import NewQuestion
from store.rows import NewCandidate, Origin, VerdictForm
from store.workspace import Workspace
from uq_tui.words import AuthorKind, Label, TextFormat

_ROWS = 50_000
_RUNS = 3
_WORDS = 30_000
_SEARCHED = ("title", "body", "tags")
_ANSWERS = 2_000
_EVERY_S = 0.05
"""Between two verdicts of the annotator, who is faster than any."""


def measure() -> list[Result]:
    """Rows a second, medians of some runs, and the wait for a verdict that another process saves in the first."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = folder / "rows.jsonl"
        write_rows(rows, _ROWS)
        ours: list[float] = []
        theirs: list[float] = []
        for number in range(_RUNS):
            theirs.append(_rate(_by_sqlite_utils, rows, folder / f"theirs-{number}.db"))
            ours.append(_rate(_by_us, rows, folder / f"ours-{number}.db"))
        waits = _waits(rows, folder / "waited.db")
    value, baseline = statistics.median(ours), statistics.median(theirs)
    what = (
        f"{_ROWS:,} questions as JSON lines by `uq-tui import`, its start included; baseline: `sqlite-utils insert"
        " --nl`, then `enable-fts` of title, body and tags, their starts included; aim >= 1.0"
    )
    waited = (
        "from Enter until a verdict is on disk, p99, in another process than the one that imports; baseline: the"
        " median; aim <= 100 ms"
    )
    p99, middle = statistics.quantiles(waits, n=100)[98] * 1000, statistics.median(waits) * 1000
    return [
        Result("import.jsonl", value, "rows/s", baseline, value / baseline, _RUNS, what, n=_ROWS),
        Result("import.verdict_wait", p99, "ms", middle, p99 / middle, len(waits), waited),
    ]


def write_rows(path: Path, rows: int) -> None:
    """Made-up questions as the UQ dataset has them."""
    chance = random.Random(20_25)
    words = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randrange(2, 9))) for _ in range(_WORDS)]
    text = chance.choices(words, [1 / (rank + 3) for rank in range(_WORDS)], k=200_000)
    with path.open("w", encoding="utf-8") as file:
        for number in range(1, rows + 1):
            start, length = chance.randrange(len(text) - 600), min(int(chance.lognormvariate(4.9, 0.7)) + 5, 600)
            row = {
                "question_id": number,
                "title": " ".join(text[start : start + 9]),
                "body": f"{' '.join(text[start : start + length])} $x_{{{length}}} < y$.",
                "tags": ["algebra", text[start]],
                "site": "math.stackexchange.com",
                "link": f"https://math.stackexchange.com/questions/{number}",
                "category": "Science",
                "score": number % 9 - 1,
                "views": number,
                "creation_date": f"2019-03-{number % 28 + 1:02}T10:00:00",
            }
            file.write(json.dumps(row) + "\n")


def _rate(load: Callable[[Path, Path], None], rows: Path, to: Path) -> float:
    begun = time.perf_counter()
    load(rows, to)
    return _ROWS / (time.perf_counter() - begun)


def _by_sqlite_utils(rows: Path, to: Path) -> None:
    command = [str(Path(sys.executable).with_name("sqlite-utils"))]
    subprocess.run([*command, "insert", str(to), "questions", str(rows), "--nl", "--silent"], check=True)
    subprocess.run([*command, "enable-fts", str(to), "questions", *_SEARCHED], check=True)


def _import_command(rows: Path, to: Path) -> list[str]:
    return [str(Path(sys.executable).with_name("uq-tui")), "--workspace", str(to), "import", str(rows), "--json"]


def _by_us(rows: Path, to: Path) -> None:
    done = subprocess.run(_import_command(rows, to), check=True, capture_output=True)
    assert json.loads(done.stdout)["files"][0]["new"] == _ROWS


def _waits(rows: Path, to: Path) -> list[float]:
    """Seconds that each verdict took, from when it was given, while another process imports."""
    with closing(Workspace.open(to)) as ws:
        asked = NewQuestion("bench:1", "Asked", "What holds?", TextFormat.MARKDOWN, "bench")
        ws.write(lambda db: intake.put(db, [asked]))
        origin = Origin(AuthorKind.MODEL, model="m")
        new = [NewCandidate(asked.id, f"It is {n}.", TextFormat.MARKDOWN, origin) for n in range(_ANSWERS)]
        ids = candidates.add(ws, new)
        reviewer = reviewers.current(ws)
        waits: list[float] = []
        with subprocess.Popen(_import_command(rows, to), stdout=subprocess.DEVNULL) as importing:
            while importing.poll() is None and len(waits) < len(ids):
                begun = time.perf_counter()
                form = VerdictForm(label=Label.CORRECT, confidence=4)
                decisions.record(ws, reviewer, ids[len(waits)], form, based_on=None)
                waits.append(time.perf_counter() - begun)
                time.sleep(_EVERY_S)
    return waits
