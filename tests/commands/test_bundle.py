"""bundle, open, status, hand-on: work goes to other machines and comes back, as three people would have it."""

import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from exports.bundles import write_work
from store import candidates, queues, reviewers
from store.ingest.importer import import_file
from store.intake import NewQuestion
from store.rows import NewCandidate, Origin
from store.workspace import Workspace
from tests.commands.conftest import LONELY, QUESTION, Desk, Run, document
from tests.new_workspace import new_workspace
from tests.store.stock import take
from uq_tui import startup
from uq_tui.commands import invocation, open_bundle
from uq_tui.errors import EXIT_INTERRUPTED, EXIT_NOTHING_DONE, EXIT_OK, EXIT_USAGE
from uq_tui.state.reviewing import bundles
from uq_tui.words import AuthorKind, TextFormat

At = Callable[..., dict[str, Any]]
"""Runs a command on a machine, by its name, and reads its JSON."""


@pytest.fixture
def at(run: Run, desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> At:
    """The desk is the machine `here`; others begin with an empty workspace."""
    monkeypatch.setattr(startup, "PACK", tmp_path / "no pack")

    def call(machine: str, *arguments: str) -> dict[str, Any]:
        path = desk.path if machine == "here" else tmp_path / f"{machine}.uq.sqlite"
        if not path.exists():
            new_workspace(path).close()
        result = run("--workspace", str(path), *arguments, "--json")
        assert result.exit_code == EXIT_OK, result.output
        found: dict[str, Any] = document(result)
        return found

    monkeypatch.setattr(invocation, "open_workspace", lambda path, **told: Workspace.open(path))
    return call


@pytest.fixture
def fields(desk: Desk) -> Desk:
    """Eight more problems of two fields, two answers each."""
    ws = desk.open()
    try:
        made = [
            NewQuestion(f"source:{n}", f"Problem {n}", f"What is {n}?", TextFormat.MARKDOWN, "f", category=field)
            for n, field in enumerate(["algebra", "analysis"] * 4)
        ]
        take(ws, *made)
        origin = Origin(AuthorKind.MODEL, model="secret-model")
        answers = [(one.id, f"{word} {one.id}") for one in made for word in ("Yes to", "No to")]
        candidates.add(ws, [NewCandidate(key, text, TextFormat.MARKDOWN, origin) for key, text in answers])
    finally:
        ws.close()
    return desk


def judge(at: At, machine: str, queue: str, label: Callable[[int], tuple[str, str]]) -> None:
    """Decide all items of a queue, each by what `label` has for its number."""
    for n, item in enumerate(at(machine, "queue", "items", queue, "--roles")["items"]):
        at(machine, "verdict", "give", item["candidate_id"], "--queue", queue, *label(n))


def test_work_goes_to_three_people_and_comes_back(at: At, fields: Desk, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    made = at(
        "here", "bundle", "--queue", "pilot", "--reviewers", "ann,ben,cy", "--overlap", "0.2", "--seed", "7",
        "--out", str(folder),
    )  # fmt: skip
    assert len(made["added"]) == 3
    files = {one["reviewer"]: Path(one["file"]) for one in made["bundles"]}
    assert sorted(path.name for path in folder.iterdir()) == [
        f"pilot-{name}.bundle.zip" for name in ("ann", "ben", "cy")
    ]
    sizes = [one["items"] for one in made["bundles"]]
    assert max(sizes) - min(sizes) <= 2
    again = at("here", "bundle", "--queue", "pilot", "--out", str(tmp_path / "again"))
    assert [one["sha256"] for one in again["bundles"]] == [one["sha256"] for one in made["bundles"]]

    opened = at("ann's", "open", str(files["ann"]))
    assert opened["queue_id"] == made["queue_id"]
    items = at("ann's", "queue", "items", "pilot", "--roles")["items"]
    judge(at, "ann's", "pilot", lambda n: ("--not-judged", "out_of_depth") if n == 0 else ("--label", "correct"))
    back = at("ann's", "bundle", "return", "--queue", "pilot", "--out", str(tmp_path / "ann.zip"))
    assert (back["verdicts"], back["held_back"], back["left"]) == (len(items), 0, 0)

    at("here", "import", str(tmp_path / "ann.zip"))
    (told,) = at("here", "status", "--queue", "pilot")["queues"]
    ann, ben, _ = told["shares"]
    assert (ann["reviewer"], ann["returned"], ann["missing"], ann["out_of_depth"]) == ("ann", len(items), 0, 1)
    assert (ben["returned"], ben["missing"]) == (0, ben["items"])
    assert ann["returned_at"] is not None
    assert ben["sent_at"] is not None

    for_whom = next(name for name in ("ben", "cy") if not _has(fields, "pilot", name, items[0]["candidate_id"]))
    before = next(one["items"] for one in told["shares"] if one["reviewer"] == for_whom)
    if told["waiting"]:
        handed = at("here", "queue", "hand-on", "pilot", "--out-of-depth", "--to", for_whom)
    else:  # somebody else had it to judge anyway
        handed = at("here", "queue", "hand-on", "pilot", items[0]["id"], "--to", for_whom)
    assert (handed["handed_on"], handed["had_already"]) == (1, 0)
    sent = at("here", "bundle", "--queue", "pilot", "--reviewers", for_whom, "--out", str(folder))
    assert sent["bundles"][0]["items"] == before + 1


def _has(desk: Desk, queue: str, handle: str, candidate_id: str) -> bool:
    ws = desk.open()
    try:
        reviewer = reviewers.by_handle(ws, handle)
        share = queues.items(ws, queues.by_name(ws, queue).id, reviewer.id)
        return any(item.candidate_id == candidate_id for item in share)
    finally:
        ws.close()


def test_fields_are_spread(at: At, fields: Desk, tmp_path: Path) -> None:
    at(
        "here", "bundle", "--queue", "q", "--reviewers", "ann,ben", "--out", str(tmp_path),
        *(part for n in range(8) for part in ("--question", f"source:{n}")),
    )  # fmt: skip
    ws = fields.open()
    try:
        queue = queues.by_name(ws, "q")
        for reviewer_id, _ in queues.shares(ws, queue.id):
            own = {item.question_id for item in queues.items(ws, queue.id, reviewer_id)}
            assert len(own) == 4
            assert len({key for key in own if int(key[-1]) % 2}) == 2
    finally:
        ws.close()


def test_what_is_said_to_people(uq: Run, desk: Desk, tmp_path: Path) -> None:
    made = uq(
        "bundle",
        "--queue",
        "q",
        "--reviewers",
        "ann, me",
        "--question",
        QUESTION,
        "--overlap",
        "1",
        "--out",
        str(tmp_path),
    )
    assert made.exit_code == EXIT_OK, made.output
    assert "New reviewer ann" in made.stderr
    assert "q-tester.bundle.zip" in made.stdout
    shown = uq("status")
    assert "ann" in shown.stdout
    assert "missing" in shown.stdout
    back = uq("bundle", "return", "--queue", "q", "--out", str(tmp_path / "back.zip"))
    assert "0 verdict rows and 0 statements written to" in back.stderr
    assert "2 items left to decide." in back.stderr
    own = uq("open", str(tmp_path / "q-ann.bundle.zip"), "--no-app")
    assert own.exit_code == EXIT_NOTHING_DONE
    assert "was written in this workspace" in own.stderr
    returned = uq("open", str(tmp_path / "back.zip"), "--no-app")
    assert "holds verdicts, and nothing to judge" in returned.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--queue", "q"), EXIT_USAGE, "--out FOLDER"),
        (("--out", "."), EXIT_USAGE, "--queue NAME"),
        (("--queue", "404", "--out", "."), EXIT_NOTHING_DONE, "There is no queue “404”"),
        (("--queue", "here", "--overlap", "0.5", "--out", "."), EXIT_USAGE, "--overlap can't change it"),
        (("--queue", "here", "--reviewers", "bob", "--out", "."), EXIT_NOTHING_DONE, "bob"),
        (("--queue", "a", "--reviewers", "x", "--mode", "assisted", "--out", "."), EXIT_NOTHING_DONE, "assisted"),
        (("--queue", "a", "--reviewers", "x", "--question", LONELY, "--out", "."), EXIT_NOTHING_DONE, "No candidate"),
    ],
)
def test_what_cannot_be_written_is_said_and_leaves_nobody_behind(
    uq: Run, desk: Desk, arguments: tuple[str, ...], code: int, message: str
) -> None:
    assert uq("queue", "make", "here").exit_code == EXIT_OK
    result = uq("bundle", *arguments)
    assert result.exit_code == code, result.output
    assert message in result.stderr
    assert [one["handle"] for one in document(uq("reviewer", "list", "--json"))["reviewers"]] == ["tester"]
    assert [one["name"] for one in document(uq("queue", "list", "--json"))["queues"]] == ["here"]


def interrupted(call: Callable[..., Any], nth: int) -> Callable[..., Any]:
    """A function whose call of this number finds that Ctrl-C was pressed."""
    calls = iter(range(1, 100))

    def called(*args: Any, **named: Any) -> Any:
        if next(calls) == nth:
            signal.raise_signal(signal.SIGINT)
        return call(*args, **named)

    return called


def test_ctrl_c_stops_between_bundles_and_says_which_are_whole(
    uq: Run, desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    making = ("bundle", "--queue", "q", "--reviewers", "ann,ben", "--question", QUESTION, "--overlap", "1")
    with monkeypatch.context() as patched:
        patched.setattr(bundles, "write_work", interrupted(write_work, 2))
        result = uq(*making, "--out", str(tmp_path))
    assert result.exit_code == EXIT_INTERRUPTED
    (whole,) = tmp_path.glob("*.zip")
    assert [name for name in ("q-ann.bundle.zip", "q-ben.bundle.zip") if name in result.stdout] == [whole.name]
    assert f"Stopped: 1 bundle written. `uq-tui bundle --queue q --out {tmp_path}`" in " ".join(result.stderr.split())
    again = document(uq("bundle", "--queue", "q", "--out", str(tmp_path), "--json"))
    assert (len(again["bundles"]), again["stopped"]) == (2, False)


def test_ctrl_c_stops_what_is_opened_and_opening_it_again_goes_on(
    at: At, run: Run, fields: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at("here", "bundle", "--queue", "q", "--reviewers", "ann", "--out", str(tmp_path / "out"))
    at("there", "queue", "list")
    opening = ("--workspace", str(tmp_path / "there.uq.sqlite"), "open", str(tmp_path / "out" / "q-ann.bundle.zip"))
    with monkeypatch.context() as patched:
        patched.setattr(open_bundle, "import_file", interrupted(import_file, 1))
        patched.setattr(startup, "check_terminal", lambda *streams: None)
        result = run(*opening)
    assert result.exit_code == EXIT_INTERRUPTED
    assert "open it again to go on" in result.stderr
    assert at("there", "queue", "list")["queues"] == []
    found = document(run(*opening, "--json"))
    assert (found["stopped"], found["files"][0]["counts"]["items"]) == (False, 18)
    assert [one["name"] for one in at("there", "queue", "list")["queues"]] == ["q"]
    items = at("there", "queue", "items", "q", "--roles")["items"]
    answers = [item["candidate_id"] for item in items if item["question_id"] == items[0]["question_id"]]
    for answer in answers:
        at("there", "verdict", "give", answer, "--queue", "q", "--not-judged", "out_of_depth")
    assert len(at("there", "status")["queues"][0]["waiting"]) == len(answers)
    told = run("--workspace", str(tmp_path / "there.uq.sqlite"), "status")
    assert "opened" in told.stdout
    assert "faulty" not in told.stdout
    assert "hand-on" not in told.stderr  # others see to that, where the bundle was written
    at("there", "verdict", "give", answers[0], "--queue", "q", "--not-judged", "faulty_question")
    assert "faulty" in run(*opening[:2], "status").stdout


def test_hand_on_wants_items_or_all_that_wait(uq: Run, desk: Desk) -> None:
    assert uq("queue", "make", "here").exit_code == EXIT_OK
    assert uq("reviewer", "new", "ann").exit_code == EXIT_OK
    for more in ((), ("some-item", "--out-of-depth")):
        result = uq("queue", "hand-on", "here", *more, "--to", "ann")
        assert result.exit_code == EXIT_USAGE
        assert "--out-of-depth" in result.stderr
    nothing = uq("queue", "hand-on", "here", "--out-of-depth", "--to", "ann")
    assert nothing.exit_code == EXIT_NOTHING_DONE
    assert "Nothing of “here” waits that ann could take." in nothing.stderr
    assert "There is no item" in uq("queue", "hand-on", "here", "some-item", "--to", "ann").stderr
