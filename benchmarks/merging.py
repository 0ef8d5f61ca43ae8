"""How many verdict rows are merged and exported a second, beside sqlite-utils, and in how much memory.

All are the commands that people give, so that the starts of their processes count on both sides. What sqlite-utils does
is less: it checks and makes no hashes, keeps no index, and has one transaction for all.

`python -m benchmarks.merging ROWS` tries it with fewer rows, and keeps no results.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.results import Result, show
from store.frozen_rows import Revision, sealed
from store.identity import text_sha256
from store.reading_rows import LedgerCount
from store.rows import (
    Candidate,
    MarkedError,
    Origin,
    Question,
    QuestionRow,
    Quote,
    Reviewer,
    Text,
    VerdictForm,
)
from store.verdict_record import build
from uq_tui.words import AuthorKind, Label, QuestionStatus, TextFormat, VerdictStatus

_ROWS = 1_000_000
_VERDICTS_A_CANDIDATE = 10
_CANDIDATES_A_QUESTION = 5
_REVIEWERS = 50
_REVISED = 0.05
"""Of the verdicts have a second revision."""
_MOST_MB = 300


def measure(rows: int = _ROWS) -> list[Result]:
    """Rows a second of merging into a new workspace and of exporting from it, in one run, and the memory of merging."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file, theirs, ours = folder / "rows.jsonl", folder / "theirs.db", folder / "ours.uq.sqlite"
        _write_rows(file, rows)
        base, _ = _run(_sqlite_utils("insert", str(theirs), "verdicts", str(file), "--nl", "--silent"))
        merged, memory = _run(_uq_tui(ours, "merge", str(file), "--json"), folder / "report.json")
        told = json.loads((folder / "report.json").read_text(encoding="utf-8"))["total"]
        assert told["new"] == rows, told
        read, _ = _run(_sqlite_utils("rows", str(theirs), "verdicts", "--nl"), folder / "theirs.jsonl")
        written, _ = _run(_uq_tui(ours, "export", "--out", str(folder / "ours.jsonl")))
        assert _lines(folder / "ours.jsonl") == rows
    of = f"{rows:,} verdict rows of {rows // _VERDICTS_A_CANDIDATE:,} answers that aren't here"
    return [
        Result(
            "merge.rows",
            rows / merged,
            "rows/s",
            rows / base,
            base / merged,
            1,
            f"{of}, by `uq-tui merge` into a new workspace, hashes checked; baseline: `sqlite-utils insert --nl`;"
            " aim >= 0.3",
            n=rows,
        ),
        Result(
            "merge.memory",
            memory,
            "MB",
            _MOST_MB,
            memory / _MOST_MB,
            1,
            "most memory that process had resident; beside it the aim: at most 300 MB",
            n=rows,
        ),
        Result(
            "export.rows",
            rows / written,
            "rows/s",
            rows / read,
            read / written,
            1,
            "the same rows by `uq-tui export --out`, hash made; baseline: `sqlite-utils rows --nl` into a file;"
            " aim >= 0.5",
            n=rows,
        ),
    ]


def _sqlite_utils(*arguments: str) -> list[str]:
    return [str(Path(sys.executable).with_name("sqlite-utils")), *arguments]


def _uq_tui(workspace: Path, *arguments: str) -> list[str]:
    return [str(Path(sys.executable).with_name("uq-tui")), "--workspace", str(workspace), *arguments]


def _run(command: Sequence[str], output: Path | None = None) -> tuple[float, float]:
    """Seconds that a command took, and the most memory that it had resident, in MB."""
    with (output or Path(os.devnull)).open("wb") as file:
        begun = time.perf_counter()
        with subprocess.Popen(command, stdout=file, stderr=subprocess.DEVNULL) as process:
            _, status, used = os.wait4(process.pid, 0)
            seconds = time.perf_counter() - begun
            process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, command
    return seconds, used.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6


def _lines(file: Path) -> int:
    with file.open("rb") as lines:
        return sum(1 for _ in lines)


def _write_rows(path: Path, rows: int) -> None:
    with path.open("w", encoding="utf-8") as file:
        for record in _records(rows):
            file.write(sealed(record) + "\n")


def _records(rows: int) -> Iterator[dict[str, Any]]:
    """Made-up verdicts in the order in which many people's files have them: each on any answer.

    Their ids are in order of time, as those of UUIDv7 are.
    """
    chance = random.Random(9)
    sample = _sample()
    candidates = max(1, rows // _VERDICTS_A_CANDIDATE)
    revised: dict[str, Any] | None = None
    for number in range(rows):
        if revised is not None:
            yield {**revised, "revision": 2, "supersedes": f"{revised['verdict_id']}#1", "created_at": _at(number)}
            revised = None
            continue
        answer = chance.randrange(candidates)
        question = answer // _CANDIDATES_A_QUESTION
        record = {
            **sample,
            "verdict_id": f"{1_770_000_000_000 + 1_000 * number:012x}7{chance.getrandbits(76):019x}",
            "question_id": f"math.stackexchange.com:{question}",
            "question_title": f"Is every graph of {question} vertices small?",
            "candidate_id": text_sha256(f"candidate {answer}"),
            "candidate_sha256": text_sha256(f"answer {answer}"),
            "reviewer": {**sample["reviewer"], "id": f"reviewer-{chance.randrange(_REVIEWERS)}"},
            "label": chance.choice((Label.CORRECT, Label.INCORRECT)).value,
            "created_at": _at(number),
        }
        revised = record if chance.random() < _REVISED else None
        yield record


def _at(second: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S.000000Z", time.gmtime(1_770_000_000 + second))


def _sample() -> dict[str, Any]:
    """An unsealed row with an error, evidence and a rationale of a usual length."""
    text = Text(text_sha256("?"), TextFormat.MARKDOWN, "?", "?")
    row = QuestionRow(1, "q", "", "math.stackexchange.com", QuestionStatus.UNANSWERED, 3, (), None, 1, 0)
    link = "https://math.stackexchange.com/q/1"
    question = Question(row, text, link, "asker", "CC BY-SA 4.0", "science", "2026-01", None, 0, {})
    origin = Origin(AuthorKind.MODEL, model="provider/model-large")
    candidate = Candidate("c", "q", 1, text, "", False, (origin,), _at(0))
    quote = Quote("Every bounded continuous map is uniform.", 120, 160, "So we may assume this. ", " Now let n grow.")
    form = VerdictForm(
        label=Label.INCORRECT,
        score_0_7=2,
        confidence=4,
        rationale="The first step uses what is to be shown; without it the estimate gives nothing. " * 3,
        errors=(MarkedError("incorrect_reasoning", (quote,), "All maps are.", "x^2 isn't.", "Assume compactness."),),
        seconds_active=312.5,
        seconds_total=900.0,
    )
    stages = ("correctness", "completeness", "3-iter")
    outcomes = [
        {
            "run_id": "0199aaaa-0000-7000-8000-0000000000ff",
            "strategy": "3-Iter",
            "stage": stage,
            "outcome": "reject",
            "reason": "",
            "judge": "provider/judge",
            "call_key": text_sha256(stage),
            "prompt_sha256": text_sha256(f"prompt {stage}"),
            "constrained": False,
        }
        for stage in stages
    ]
    evidence = {
        "outcomes": outcomes,
        "judges": [],
        "utilities": [],
        "outside_scores": [],
        "prompt_hashes": [one["prompt_sha256"] for one in outcomes],
        "app_version": "0.2.0",
    }
    reviewer = Reviewer("r", "ada", "", ("analysis", "topology"))
    first = Revision("v", 1, "", VerdictStatus.SUBMITTED, _at(0))
    return build(first, question, candidate, reviewer, form, (), LedgerCount(units=12, checked=9), evidence)


if __name__ == "__main__":
    show(measure(int(sys.argv[1]) if len(sys.argv) > 1 else _ROWS))
