"""What is masked for a blind reviewer, no command tells them, whatever it is asked for; once revealed, commands do."""

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from exports.formats import FORMATS
from store import exposures, reviewers
from store.workspace import Workspace
from tests.masked import MASKED, PLAIN, Masked, fill, leaks, reveal, words_of
from uq_tui.cli import COMMANDS, root
from uq_tui.commands import invocation
from uq_tui.words import Exposure

Line = tuple[str, ...]

STARTS = ("--model", "openai/none", "--api-base", "http://127.0.0.1:9/v1")
"""Nobody answers there; on a masked problem nobody is asked either."""


def _lines(made: Masked, folder: Path) -> Mapping[str, tuple[Line, ...]]:
    """What each command is asked for. A command that is missing here fails the test: say what it could tell."""
    first, second, third, reference = made.answers
    texts = (MASKED, *made.answers)
    return {
        "questions": (
            ("list",),
            ("list", "--json"),
            *(("list", "--search", word, "--json") for word in ("induction", "last words", "masked")),
            *(("list", "--resolution", state) for state in ("open", "resolved_by_model")),
            ("views",),
            *(
                (how, MASKED, *more)
                for how in ("show",)
                for more in ((), ("--json",), ("--reveal",), ("--reveal", "--json"))
            ),
            ("show", PLAIN, "--reveal", "--json"),
        ),
        "read": (
            *((text,) for text in texts),
            (first, "--reasoning"),
            (first, "--source"),
            (first, "--units"),
            (second, "--page", str(folder / "page.html")),
            (third, "--find", "graph"),
        ),
        "import": ((str(folder / "questions.jsonl"),),),
        "curate": (
            *(("show", "--name", "pass", *more) for more in ((), ("--json",))),
            *(("path", MASKED, "--name", "pass", *more) for more in ((), ("--json",))),
            *(
                ("review", "list", "--name", "pass", "--stage", stage, *more)
                for stage in ("model", "review")
                for more in ((), ("--json",), ("--fell", "answer_correctness"))
            ),
            ("rules", "--name", "pass", "--json"),
            ("models", "--name", "pass", "--rater", "openai/none", *STARTS, "--json"),
            ("thresholds",),
        ),
        "generate": ((MASKED, *STARTS), ("--failed",), ("--failed", MASKED), ("--failed", *STARTS, "--json")),
        "validate": (
            ("--question", MASKED, *STARTS),
            (first, *STARTS, "--json"),
            ("--labelled", *STARTS),
        ),
        "judge": (("--question", MASKED, *STARTS), (first, second, *STARTS)),
        "audit": ((first, *STARTS), ("--question", MASKED, *STARTS, "--json")),
        "cbu": ((MASKED, *STARTS), (PLAIN, "--placebo", first, *STARTS)),
        "strategies": (("list",), ("show", "3-iter")),
        "citations": ((first,), (second, "--json")),
        "diff": ((first, second), (first, reference, "--json")),
        "neighbours": (("list", MASKED), ("list", MASKED, "--json")),
        "rollouts": ((first,), (first, "--json"), (first, "--text", "1"), (first, "--text", "1", "--json")),
        "ledger": (("show", first), ("show", first, "--json"), ("mark", second, "checked", "1")),
        "remarks": (("list", first), ("list", first, "--json"), ("add", third, "Which?", "--quote", "graphs")),
        "queue": (
            *((how, *more) for how in ("list",) for more in ((), ("--json",))),
            *((how, "blind", *more) for how in ("show", "items") for more in ((), ("--json",))),
            ("guideline", "blind"),
            ("hand-on", "blind", "--out-of-depth", "--to", "a-colleague"),
            *(
                ("make", " ".join(filters), "--question", MASKED, "--mode", "open", *filters, "--json")
                for filters in ((), ("--labelled",), ("--outcome", "reject"), ("--order", "uncertainty"))
            ),
        ),
        "verdict": (
            ("list",),
            ("list", "--json"),
            ("list", "--all"),
            ("list", "--all", "--json"),
            ("history", first),
            ("history", made.again),
            ("history", made.again, "--json"),
            ("drafts",),
            ("give", made.again, "--label", "correct", "--json"),
            ("give", third, "--label", "unsure", "--json"),
            ("give", third, "--label", "incorrect"),
            ("list", "--json"),
            ("undo", "--json"),
            ("redo", "--json"),
            ("retract", third, "--json"),
        ),
        "adjudicate": (
            *(("list", "--by", by, *more) for by in ("verdict", "label", "score") for more in ((), ("--json",))),
            *(("show", key, *more) for key in (first, third) for more in ((), ("--json",))),
            ("settle", first, "--label", "correct"),
            ("retract", first),
        ),
        "second-pass": ((first,), ("list", first, "--json"), ("decide", first, "000000", "confirm")),
        "comment": (
            (MASKED,),
            ("list", MASKED, "--json"),
            (first,),
            ("add", second, "Hm.", "--json"),
            ("note", MASKED, "Look.", "--json"),
            ("accept", third, "--by", "asker", "--said", "Thanks.", "--json"),
        ),
        "resolve": (
            (MASKED,),
            (MASKED, "--history"),
            (MASKED, "--history", "--json"),
            (MASKED, "--state", "resolved_by_model", "--why", "So.", "--candidate", first),
            (MASKED, "--retract"),
        ),
        "dataset": (
            ("make", "v1", MASKED, PLAIN),
            *((how, *more) for how in ("list", "propose") for more in ((), ("--json",))),
            *(("show", "v1", *more) for more in ((), ("--json",))),
            ("export", "v1", "--out", str(folder / "out.jsonl")),
            ("make", "v2", "--from", "v1", "--without-resolved"),
        ),
        "bundle": (
            ("--queue", "blind", "--out", str(folder / "bundles"), "--json"),
            ("--queue", "new", "--reviewers", "me", "--mode", "open", "--out", str(folder / "bundles")),
            ("return", "--queue", "blind", "--out", str(folder / "back.zip")),
        ),
        "open": tuple((str(path), "--no-app") for path in (folder / "bundles" / "404.zip", folder / "back.zip")),
        "status": ((), ("--json",), ("--queue", "blind"), ("--queue", "blind", "--json")),
        "reviewer": (("list",), ("list", "--json"), ("show",)),
        "merge": (
            *((str(folder / "out.jsonl"), *more) for more in ((), ("--json",), ("--dry-run",))),
            *(("--quarantine", *more) for more in ((), ("--json",))),
        ),
        "export": (
            ("--statements", str(folder / "out.jsonl")),
            ("--out", "-"),
            ("--out", str(folder / "out.jsonl")),
            ("--out", "-", "--reviewer", "me"),
            *(("--as", name, str(folder / "out.jsonl")) for name in FORMATS if name != "parquet"),  # the rest is text
            ("--labels", str(folder / "labels.csv")),
            ("--labels", str(folder / "labels.csv"), "--reviewer", "colleague"),
            ("--report", MASKED, str(folder / "page.html")),
            ("--for-posting", first, str(folder / "page.html"), "--anyway"),
            ("--evidence", str(folder / "out.jsonl")),
            ("--out", "-", "--drafts", "--anonymous", "--without-text"),
            ("--statements", str(folder / "out.jsonl"), "--anonymous", "--since", "2020-01-01"),
        ),
        "verify": ((str(folder / "out.jsonl"),),),
        "report": (
            *(
                (name, *more)
                for name in (
                    "validators",
                    "judges",
                    "selection",
                    "convergence",
                    "combined",
                    "work",
                    "agreement",
                    "consensus",
                    "standing",
                )
                for more in ((), ("--json",))
            ),
            ("validators", "--against", "known", "--strategy", "3-Iter"),
            ("plots", "--out", str(folder / "plots"), "--format", "csv"),
            ("consensus", "--method", "dawid-skene", "--out", str(folder / "out.jsonl")),
            ("candidates", MASKED),
            ("candidates", MASKED, "--json"),
            ("candidates", PLAIN),
            ("judges", "--question", MASKED),
        ),
        "runs": (
            ("list",),
            ("list", "--json"),
            *(("show", run_id, *more) for run_id in made.runs for more in ((), ("--json",))),
            ("resume", made.runs[1]),
        ),
        "plugins": (("list",), ("run", "numeric_identity", first)),
        "models": (("list",), ("list", "--json")),
        "templates": (("list",), ("show", "check.correctness")),
        "keys": (("--json",),),
    }


SAYS_NOTHING_OF_ANSWERS = {
    "models": {"add", "get", "key", "remove", "test"},
    "neighbours": {"add", "proposals", "propose", "set-aside", "use"},
    "reviewer": {"edit", "link", "new", "relation", "use"},
    "queue": {"close", "reopen", "reveal"},  # these change what is masked
    "dataset": {"add", "remove", "move"},
    "remarks": {"edit", "remove", "restore"},  # of one's own
    "comment": {"edit", "retract"},  # of one's own too
}
"""Commands within commands that are not tried: one that is missing here as well fails the test."""
ASKS_A_MODEL = ("generate", "validate", "judge", "audit", "cbu")
"""Commands that, once nothing is masked, would ask a model."""


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Masked:
    monkeypatch.setenv("UQ_TUI_HOME", str(tmp_path / "home"))
    return fill(tmp_path / "masked.uq.sqlite")


@pytest.fixture
def told(made: Masked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., str]]:
    """What a command writes: on its streams, and into files. All have one open workspace: opening takes longest."""
    opened = Workspace.open(made.path)
    finish = opened.close
    monkeypatch.setattr(opened, "close", lambda: None)
    monkeypatch.setattr(invocation, "open_workspace", lambda path, **told: opened)

    def call(*arguments: str) -> str:
        result = CliRunner().invoke(root, ("--workspace", str(made.path), *arguments), prog_name="uq-tui")
        assert result.exception is None or isinstance(result.exception, SystemExit), (arguments, result.exception)
        names = ("page.html", "out.jsonl", "labels.csv")
        written = [path for name in names if (path := tmp_path / name).exists()]
        written += (tmp_path / "plots").glob("*")
        files = "".join(path.read_text(encoding="utf-8") for path in written)
        for path in written:
            path.unlink()
        return result.output + files

    yield call
    finish()


def test_no_command_tells_what_is_masked(made: Masked, tmp_path: Path, told: Callable[..., str]) -> None:
    lines = _lines(made, tmp_path)
    assert lines.keys() == COMMANDS.keys()
    assert _untried(lines) == SAYS_NOTHING_OF_ANSWERS
    assert {(name, line): found for name, line, found in _found(lines, told)} == {}
    assert _exposed(made) == set()

    reveal(made.path)
    asking = {name: own for name, own in lines.items() if name in ASKS_A_MODEL}
    open_lines = {
        name: tuple(line for line in own if line[:1] not in (("resume",), ("run",)))
        for name, own in lines.items()
        if name not in asking
    }
    missed = (set(words_of(made.path)) - NEVER_PRINTED) | {"7.39", "-0.739137", "0.7391", "c3"}
    tries = [(name, line) for name, own in open_lines.items() for line in own]
    for name, line in sorted(tries, key=lambda one: "--json" not in one[1]):  # those that tell most come first
        if missed:
            missed -= set(leaks(told(name, *line)))
    assert missed == set()


NEVER_PRINTED = {"qzxcallendpoint", "qzxcallfinish_reason", "qzxfailedmodel", "qzxfailederror", "qzxfailedfile"}
"""What no command has to tell of anything, unless a model is asked."""


def _untried(lines: Mapping[str, tuple[Line, ...]]) -> dict[str, set[str]]:
    """Commands within commands for which there is no line."""
    context = click.Context(root)
    groups = {name: found for name in lines if isinstance(found := root.get_command(context, name), click.Group)}
    untried = {
        name: set(group.list_commands(context)) - {line[0] for line in lines[name]} for name, group in groups.items()
    }
    return {name: left for name, left in untried.items() if left}


def _found(lines: Mapping[str, tuple[Line, ...]], told: Callable[..., str]) -> Iterator[tuple[str, Line, list[str]]]:
    """Commands that tell some of it, and what."""
    for name, own in lines.items():
        for line in own:
            if found := leaks(told(name, *line)):
                yield name, line, found


def _exposed(made: Masked) -> set[Exposure]:
    """What the reviewer is held to have seen of the masked candidates beyond what is judged."""
    ws = Workspace.open(made.path)
    try:
        reviewer = reviewers.current(ws).id
        rows = [row for key in made.answers for row in exposures.of_candidate(ws, reviewer, key)]
    finally:
        ws.close()
    return {row.what for row in rows} - {Exposure.REASONING}


def test_nobody_learns_that_a_masked_question_fell_by_what_models_said(made: Masked, told: Callable[..., str]) -> None:
    with closing(sqlite3.connect(made.path)) as db, db:
        fall = "stage = 'model', fell = 'answer_correctness', detail = 'answer correctness 41'"
        db.execute(f"UPDATE curation_path SET {fall} WHERE seq = 1")
    fallen = ("curate", "review", "list", "--name", "pass", "--stage", "model", "--fell", "answer_correctness")
    decide = ("curate", "review", "decide", MASKED, "keep", "--name", "pass")
    assert "There are none." in told(*fallen)
    assert json.loads(told(*fallen, "--json"))["questions"] == []
    assert f"'{MASKED}' does not wait for review." in told(*decide)
    reveal(made.path)
    assert "answer correctness 41" in told(*fallen, "--json")


def test_rows_of_others_are_exported_as_they_are(made: Masked, told: Callable[..., str]) -> None:
    before = told("export", "--out", "-")
    reveal(made.path)
    after = told("export", "--out", "-")
    assert "3 rows on problems you still judge blind are held back" in before
    rows = [line for line in before.splitlines() if line.startswith("{")]
    assert [json.loads(row)["question_id"] for row in rows] == [PLAIN]
    assert set(rows) < set(after.splitlines())
