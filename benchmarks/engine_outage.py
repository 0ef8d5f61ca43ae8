"""A validator run through an outage: the first 300 requests are answered 500, then the server is healthy.

The real command screens 200 answers by the 3-Iter strategy, whose judge accepts all. None may be lost.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack, closing
from pathlib import Path

from benchmarks.results import Result
from store import candidates, intake, judgements, runs
from store.rows import NewCandidate, Origin
from store.workspace import Workspace
from tests.fakes.openai_rules import Rule
from tests.fakes.server_process import FakeServerProcess
from uq_tui.words import AuthorKind, Outcome, RunState, TextFormat

QUESTION = "bench:1"
ANSWERS = 200
FAILED_FIRST = 300
AT_ONCE = 16
PROGRAM = Path(sys.executable).with_name("uq-tui")


def measure() -> list[Result]:
    """Answers without an outcome, which must be 0; and how long it took, without a baseline."""
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        judge = Rule(reply="I have looked at it.\n{tag}: accept")
        options = ["--outage", str(FAILED_FIRST), "--keep-alive"]
        server = stack.enter_context(FakeServerProcess([judge], options=options))
        (home / "config").mkdir()
        (home / "config" / "config.toml").write_text(
            f'[models."openai/bench"]\napi_base = "{server.base_url}"\nconcurrency = {AT_ONCE}\n', encoding="utf-8"
        )
        path = home / "bench.uq.sqlite"
        with closing(Workspace.open(path)) as ws:
            _stock(ws)
        began = time.perf_counter()
        command = [str(PROGRAM), "--workspace", str(path), "validate", "--question", QUESTION]
        done = subprocess.run(
            [*command, "--model", "openai/bench"],
            env={**os.environ, "UQ_TUI_HOME": str(home)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        seconds = time.perf_counter() - began
        with closing(Workspace.open(path)) as ws:
            (run,) = runs.recent(ws)
            ends = Counter(row.outcome for row in judgements.outcomes_of_run(ws, run.id) if row.path == "")
    if run.state is not RunState.DONE:
        raise RuntimeError(f"The run ended {run.state}, exit status {done.returncode}: {run.message}\n{done.stderr}")
    lost = ANSWERS - ends[Outcome.ACCEPT]
    what = f"of {ANSWERS} answers after {FAILED_FIRST} requests answered 500; must be 0; exit status {done.returncode}"
    return [
        Result("engine.outage.lost", lost, "answers", None, None, 1, what, n=run.asked),
        Result("engine.outage.seconds", seconds, "s", None, None, 1, f"{run.retried} attempts made again", n=run.asked),
    ]


def _stock(ws: Workspace) -> None:
    question = intake.NewQuestion(
        id=QUESTION, title="A sum", body="How much is it?", format=TextFormat.MARKDOWN, source="bench"
    )
    ws.write(lambda db: intake.put(db, [question]))
    origin = Origin(AuthorKind.PERSON, person="bench")
    answers = [NewCandidate(QUESTION, f"It is {n}.", TextFormat.MARKDOWN, origin) for n in range(ANSWERS)]
    candidates.add(ws, answers)
