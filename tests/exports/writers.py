"""What writes a file of a workspace, by name, and a workspace in which each has something to write.

Run as a program, it has each killed on the way: `python -m tests.exports.writers WORKSPACE FOLDER`.
"""

import json
import os
import signal
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import NoReturn

from exports.atomic import StagedFile
from exports.bundle_parts import read_share
from exports.bundles import write_returned, write_work
from exports.consensus import export_consensus
from exports.evidence import export_evidence
from exports.formats import FORMATS
from exports.labels import export_labels
from exports.merged import export_quarantine
from exports.question_report import export_report, prepare
from exports.statements import export_statements
from exports.verdicts import export_verdicts
from exports.written import Job
from store import candidates, quarantine, queues, statements, verdicts
from store.review_rows import NewItem, Said
from store.withheld import NOTHING
from store.workspace import Workspace
from tests.judged_runs import judged_run
from tests.store.records.giving import give
from tests.store.records.samples import QUESTION_ID, REVIEWER, form
from tests.store.records.stock import put_candidate
from uq_tui.state.reports import consensus
from uq_tui.state.reports.plots import Bars, Series
from uq_tui.state.reports.saving import Format, Item, save
from uq_tui.words import Outcome, QueueMode, StatementKind

Write = Callable[[Workspace, Path], object]
OLD = b"as it was before\n"


def _as(name: str, ws: Workspace, path: Path) -> object:
    return FORMATS[name].write(Job(ws, path, verdicts.records(ws), NOTHING))


def _consensus(ws: Workspace, path: Path) -> object:
    return export_consensus(path, consensus.read(ws, consensus.Wanted(), REVIEWER.id).rows)


def _saved(_ws: Workspace, path: Path) -> object:
    plot = Bars("Cost", "$", ("a model",), (Series("$", (1.0,)),), ("$1",))
    return save(path.parent, [Item(path.stem, plot.title, plot)], {Format(path.suffix[1:])})


WRITERS: Mapping[str, tuple[str, Write]] = {
    "verdicts": (".jsonl", export_verdicts),
    "statements": (".jsonl", export_statements),
    "evidence": (".jsonl", export_evidence),
    "quarantine": (".jsonl", export_quarantine),
    "bundle": (".zip", lambda ws, path: write_work(ws, read_share(ws, queues.by_name(ws, "pilot"), REVIEWER), path)),
    "returned bundle": (".zip", lambda ws, path: write_returned(ws, queues.by_name(ws, "pilot"), REVIEWER, path)),
    "labels": (".csv", lambda ws, path: export_labels(ws, path, reviewer_id=REVIEWER.id)),
    "consensus": (".jsonl", _consensus),
    "report": (".html", lambda ws, path: export_report(prepare(ws, QUESTION_ID, NOTHING), path)),
    "plot": (".svg", _saved),
    "numbers of a plot": (".csv", _saved),
    **{name: (one.suffix, partial(_as, name)) for name, one in FORMATS.items()},
}
"""How the file's name ends, and what writes it."""


KILLS = (*((name, "rename") for name in WRITERS), ("verdicts", "write"), ("parquet", "write"), ("csv", "sync"))
"""Who is killed, and at what of its staged file."""


def fill(ws: Workspace) -> None:
    """Put a judged answer with findings, a verdict and a comment into a workspace."""
    answer = put_candidate(ws)
    found = {"correctness": Outcome.ACCEPT, "": Outcome.ACCEPT}
    judged_run(ws, answer, "correctness", found)
    give(ws, REVIEWER, answer, form())
    statements.add(ws, REVIEWER, StatementKind.COMMENT, QUESTION_ID, Said("Hm."), candidate_id=answer)
    share = {REVIEWER.id: [NewItem(QUESTION_ID, answer)]}
    queues.make(ws, name="pilot", mode=QueueMode.OPEN, spec={}, guideline="", shares=share)
    ws.write(lambda conn: quarantine.put(conn, [quarantine.damaged(b"{torn", "torn", "a.jsonl", 1)]))
    assert candidates.of_question(ws, QUESTION_ID)


def _killed_at(moment: str, workspace: Path, write: Write, path: Path) -> bool:
    """Whether a process that wrote the file was killed at this moment."""
    child = os.fork()
    if child == 0:
        setattr(StagedFile, moment, _die)
        write(Workspace.open(workspace), path)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL


def _die(*arguments: object) -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("a killed process goes on")


def main(workspace: Path, folder: Path) -> None:
    """Have writers killed, and tell which of them left the file that stood in the place of theirs."""
    ws = Workspace.open(workspace)
    for name, (suffix, write) in WRITERS.items():  # so that processes to come have imported all that they need
        write(ws, folder / f"{name}{suffix}")
    ws.close()
    whole = []
    for name, moment in KILLS:
        suffix, write = WRITERS[name]
        path = folder / f"{name}-{moment}{suffix}"
        path.write_bytes(OLD)
        if _killed_at(moment, workspace, write, path) and path.read_bytes() == OLD:
            whole.append((name, moment))
    sys.stdout.write(json.dumps(whole))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
