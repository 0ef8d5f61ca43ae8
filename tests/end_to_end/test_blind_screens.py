"""What is masked for a blind reviewer stands in no cell, notice, copy or file of the app; once revealed, it does."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from store import drafts, exposures, queues, reviewers
from store.review_rows import NewItem
from store.workspace import Workspace
from tests.end_to_end.blind_walk import Step, Walk, screens, walking
from tests.fakes.scripted_engine import ScriptedEngine
from tests.masked import MASKED, Masked, fill, leaks
from uq_tui.engine.protocol import (
    CallStarted,
    EngineProblem,
    OutcomeDecided,
    RunFinished,
    RunStarted,
    UtilityUpdated,
)
from uq_tui.state.reviewing.queue_spec import QueueSpec
from uq_tui.words import Exposure, Outcome, QueueMode, RunKind, RunState

REFUSED = "You judge the problem masked.example:1 blind"

WORKBENCH = (
    Step((), "Stages are hidden"),
    Step((), "Utilities are hidden"),
    Step(("down",), "Answer  B"),
    Step(("down",), "Answer  C"),
    Step(("down",), "Yes, all are."),
    Step(("enter",), "Ref is the reference"),
    Step(("up", "up", "up", "v", "u", "U", "l", "g", "S", "r", "b", "B"), REFUSED),
    Step(("right", "slash", *"graph"), "1 of 1"),
    Step(("enter", "o"), "Page opened"),
    Step(("e",), "This terminal can't be handed over."),
    Step(("C",), "characters of the source"),
    Step(("q", "space", "l", "q"), "Quote in your verdict"),
    Step(("r",), "Quoted as incorrect reasoning"),
    Step(("M",), "your verdict is then not blind"),
    Step(("c",), REFUSED),
    Step(("escape", "h"), "You have recorded nothing on this answer."),
    Step(("escape", "colon"), "What others say of the answers is hidden"),
    Step(("p",), "What the poster said"),
    Step(("escape", "escape", "question_mark"), "Keys in "),
    Step(("escape", "ctrl+p"), "type to make the list shorter"),
    Step(("escape", "escape", "n"), "What is 1 + 1?"),
    Step(("escape", "f"), "Citations"),
    Step(("t",), "Claims are hidden"),
    Step(("e", "t"), "Scores are hidden"),
    Step(("j",), REFUSED),
    Step(("t",), "What runs elsewhere found is hidden"),
    Step(("escape", "c"), "Side by side"),
    Step(("p",), "What to read here"),
    Step(("escape", "escape", "P"), "sits here"),
    Step(("escape", "a"), "New candidate"),
    Step(("escape", "y"), "3-Iter by sampling"),
    Step(("escape", "x"), "JSON lines, with a manifest"),
    Step(("enter",), "Held back: 3 rows"),
    Step(("escape", "enter"), "Your verdict on A"),
    Step(("tab", "tab", "tab", "enter"), "Error 1"),
    Step(("escape",), "Your draft, as you left it"),
)
TWO_WINDOWS = (
    Step(("tab", "tab", "tab", "m"), "Two drafts of this verdict"),
    Step(("tab",), "Their words."),
    Step(("down", "down", "enter"), "Kept. The other draft"),
)
REVIEW = (
    Step(("escape", "V"), "0 of 3"),
    Step(("d",), "No two people disagree here"),
    Step(("escape", "home", "b"), "Shares of two steps"),
    Step(("w",), "Folder, made if need be"),
    Step(("enter",), "would tell who wrote answers to 1 problem"),
    Step(("escape", "end", "b"), "Shares of blind"),
    Step(("w",), "Folder, made if need be"),
    Step(("enter",), "3 items in"),
    Step(("b",), "Send back what you have said"),
    Step(("enter",), "3 items left to decide."),
    Step(("escape", "n"), "New queue"),
    Step(("escape", "end", "enter"), "x incorrect"),
    Step(("i",), "Read each answer twice."),
    Step(("escape", "r"), "What is 1 + 1?"),
    Step(("h",), "You have recorded nothing on this answer."),
    Step(("escape", "colon"), "What others say of the answers is hidden"),
    Step(("escape", "question_mark"), "Keys in "),
    Step(("escape", "a"), "What holds? It is masked."),
    Step(("a", "enter"), "Your verdict on "),
    Step(("escape", "p", "x"), "recorded: incorrect, u undoes"),
    Step(("u",), "undone"),
    Step(("l",), "put off: it comes again"),
    Step(("V", "home", "enter"), "1 of 2: does the final answer agree"),
    Step(("c",), "2 of 2: is the derivation valid?"),
    Step(("u",), "1 of 2: does the final answer agree"),
    Step(("V", "home", "down", "enter"), "Plainly not so."),
    Step(("h",), "once more"),
    Step(("escape", "c"), "Nothing is left to decide"),
)
REST = (
    Step(("R",), "validate, hidden while you judge this problem blind"),
    Step(("down", "down", "down", "r", "b"), "What it found, and what it cost, is hidden"),
    Step(("I",), "Left out: 1 problem that you still judge blind"),
    Step(("u",), "Unit: a question"),
    Step(("u",), "Not compared:"),
    Step(("f",), "takes it so"),
    Step(("escape", "d"), "No two people disagree here"),
    Step(("escape", "u"), "everybody counts the same"),
    Step(("u",), "Places go by what people have verified"),
    Step(("u",), "calls of 2 models"),
    Step(("s",), "^s writes "),
    Step(("tab", "s", "p", "shift+tab", "enter"), "Wrote 7 files to "),
    Step(("escape", "c"), "Shares are of those decided at a stage"),
    Step(("enter",), "looked at: 2 questions"),
    Step(("escape", "v"), "0 of 1 decided"),
    Step((), "Ratings are hidden while you judge"),
    Step(("a", "a"), "Answer 2 of 4: B"),
    Step(("p",), "In other words"),
    Step(("escape", "r"), "Enter keeps the reason"),
    Step(("escape", "escape", "escape", "Q", "slash", *"masked", "enter"), "Is every masked graph small?"),
)
"""Whoever makes a screen, a dialog or a key that could tell something adds it here."""
REVEALED = (
    Step(("ctrl+r",), "Reveal this problem?"),
    Step(("y",), "qzxsystem"),
    Step(("home",), "Answer  c1"),
    Step(("colon",), "qzxcomment"),
    Step(("escape", "r"), "qzxsolved"),
    Step(("escape", "b"), "qzxbase"),
    Step(("escape", "S"), "qzxclaimproblem"),
    Step(("escape", "f", "t"), "Claim"),
    Step(("t",), "7.39"),
    Step(("t",), "qzxelsewherestrategy"),
    Step(("escape", "U"), "qzxrolloutanswer"),
    Step(("escape", "R"), "qzxruntitle"),
    Step(("down", "down", "down", "down", "down"), "qzxrunmessage"),
    Step(("I", "u"), "qzxscorer"),
)
REFUSES = "It is refused, as REFUSED says."
OF_THE_TEXT = "It shows the text that is read, or a place in it, and nothing else."
OF_NEIGHBOURS = "It is about neighbours, which nobody judges."
ELSEWHERE = {
    "UtilityScreen": REFUSES,
    "MeasureModal": REFUSES,
    "NoNeighboursModal": REFUSES,
    "LaddersScreen": REFUSES,
    "RunPickerModal": REFUSES,
    "SecondPassScreen": REFUSES,
    "AdjudicateScreen": "It is opened from the list of conflicts, which has none of the problem.",
    "JudgeModal": REFUSES,
    "ResolutionModal": REFUSES,
    "PostingModal": REFUSES,
    "QuestionReportModal": REFUSES,
    "BudgetModal": "Hidden runs can't be gone on with.",
    "LookUpModal": "It asks whether to look up references that the answer gives.",
    "LinksModal": OF_THE_TEXT,
    "FollowModal": OF_THE_TEXT,
    "OutlineModal": OF_THE_TEXT,
    "GoToPrompt": OF_THE_TEXT,
    "NoteModal": OF_THE_TEXT,
    "WorkingModal": "It says that something takes long.",
    "NeighbourModal": OF_NEIGHBOURS,
    "ProposeModal": OF_NEIGHBOURS,
    "ImportModal": "It asks for a file.",
    "BeginCurationModal": "It asks for a name and a file.",
    "ChooseCurationModal": "It lists passes of the funnel.",
    "MakeVersionModal": "It asks for a name and a number.",
    "ModelFilterModal": "It asks for models.",
    "ModelModal": "It lists models that can be asked.",
    "ParticularsModal": "It says who a reviewer is.",
    "ViewsModal": "It lists names of filters.",
    "ReadModal": "It shows a comment, and those on answers are hidden.",
    "RevealModal": "It asks whether to reveal; the walk goes there at its end.",
}
"""Screens and dialogs that the walk leaves out, and why they can tell nothing."""


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Masked:
    monkeypatch.setenv("UQ_TUI_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    monkeypatch.setenv("PAGER", "sh")
    (tmp_path / "user").mkdir()
    made = fill(tmp_path / "masked.uq.sqlite")
    _add_queue(made, "two steps", QueueSpec(mode=QueueMode.OPEN, two_steps=True))
    return made


def _add_queue(made: Masked, name: str, spec: QueueSpec) -> None:
    ws = Workspace.open(made.path)
    share = {reviewers.current(ws).id: [NewItem(MASKED, made.answers[0])]}
    queues.make(ws, name=name, mode=spec.mode, spec=spec.as_json(), guideline="", shares=share)
    ws.close()


def _live(made: Masked) -> Iterator[Any]:
    """What arrives while a run on the masked problem is under way."""
    first, run = made.answers[0], made.runs[0]
    yield RunStarted("ticket", run, RunKind.VALIDATE, "qzxlive title")
    yield CallStarted(run, "qzxlivekey", first, "cycle_consistency/1", "openai/qzxlive")
    yield OutcomeDecided(run, first, "cycle_consistency", Outcome.REJECT, "qzxlive reason", "")
    yield UtilityUpdated(made.runs[4], first, 0.7391, True)
    yield EngineProblem(run, "Sampling at temperature 0", "qzxlive problem", "qzxlive hint", warning=True)
    yield RunFinished(run, RunState.FAILED, "qzxlive message")


async def test_no_screen_shows_what_is_masked(made: Masked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with walking(made.path, monkeypatch) as walk:
        app = walk.app
        assert app.desk is not None
        assert isinstance(app.desk.engine, ScriptedEngine)
        await _open_workbench(walk, "Answer  A")
        app.desk.engine.tell(*_live(made))
        await walk.until_told("Run failed: What it reports is hidden", "at temperature 0: What it reports is hidden")
        assert leaks(walk.read()) == []

        found = await _leaks_of(walk, WORKBENCH)
        _write_elsewhere(made)
        found |= await _leaks_of(walk, TWO_WINDOWS + REVIEW + REST)
        assert found == {}
        assert leaks("\n".join(_files(tmp_path))) == []
        assert not app.desk.engine.requests
        assert not app.desk.engine.resumed
        assert _exposed(made) == {Exposure.REASONING}
        assert {one.__name__ for one in screens() - walk.visited} == ELSEWHERE.keys()

        await _open_workbench(walk, "Answer  A")
        seen = {word async for _, text in walk.go(REVEALED) for word in leaks(text)}
        assert {"qzxmodel", "qzxsystem", "qzxperson", "c3", "7.39", "0.7391"} <= seen

        await _open_workbench(walk, "Answer  c1")
        _add_queue(made, "another window's", QueueSpec(mode=QueueMode.BLIND))
        app.app_focus = False
        app.app_focus = True
        await walk.until("Stages are hidden")
        assert leaks(walk.read()) == []
    assert {Exposure.MODEL, Exposure.CLAIMS, Exposure.SCORES, Exposure.UTILITY} <= _exposed(made)


async def _open_workbench(walk: Walk, seen: str) -> None:
    walk.app.question_id = MASKED
    walk.app.action_workbench()
    await walk.until(seen)


async def _leaks_of(walk: Walk, steps: tuple[Step, ...]) -> dict[Step, list[str]]:
    return {step: found async for step, text in walk.go(steps) if (found := leaks(text))}


def _write_elsewhere(made: Masked) -> None:
    """Have another window write into the draft that the walk has begun."""
    ws = Workspace.open(made.path)
    me = reviewers.current(ws).id
    ((key, draft),) = [(key, found) for key in made.answers if (found := drafts.get(ws, me, key)) is not None]
    drafts.save(ws, me, key, replace(draft.form, rationale="Their words."), based_on=draft.version)
    ws.close()


def _files(folder: Path) -> Iterator[str]:
    """Names and contents of what the app has written, the workspace itself left out."""
    for path in folder.rglob("*"):
        if path.is_file() and ".sqlite" not in path.name and path.parent != folder:
            yield f"{path.name}\n{path.read_text(encoding='utf-8', errors='replace')}"


def _exposed(made: Masked) -> set[Exposure]:
    ws = Workspace.open(made.path)
    try:
        reviewer = reviewers.current(ws).id
        return {row.what for key in made.answers for row in exposures.of_candidate(ws, reviewer, key)}
    finally:
        ws.close()
