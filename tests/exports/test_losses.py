"""What a format is said to lose is what it loses: key by key in the file, and over a round trip."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

import pytest

from exports.argilla import record_of
from exports.flat_csv import csv_line
from exports.formats import FORMATS
from exports.inspect_scores import sample_of
from exports.label_studio import UNPLACED, task_of
from exports.standing_rows import BESIDES, Judged
from exports.uq_answers import rows_of
from exports.uq_validations import Found
from exports.written import Job, Loss
from store import candidates, intake, judgements, verdicts
from store.frozen_rows import canonical_json
from store.ingest.importer import import_file
from store.intake import NewQuestion
from store.rows import Candidate, KnownLabel, NewCandidate, Origin
from store.run_rows import StageOutcome
from store.withheld import NOTHING, Withheld
from store.workspace import Workspace
from tests.exports.full_rows import changed, full_row, leaves, line_of, not_judged_row, values_at
from tests.judged_runs import THREE_ITER, judged_run, three_iter
from tests.new_workspace import new_workspace
from tests.store.records.samples import ANSWER, QUESTION_ID, candidate, question
from tests.store.records.stock import call
from uq_tui.errors import ImportFileError
from uq_tui.strategies import notation
from uq_tui.words import AuthorKind, Label, Outcome, TextFormat

ROWS = (full_row(), not_judged_row())


def keys_of(losses: Iterable[Loss], every: Iterable[str]) -> set[str]:
    """All leaves that losses are of, each of which is there."""
    leaves = list(every)
    found = set()
    for loss in losses:
        for key in loss.keys:
            beneath = {leaf for leaf in leaves if leaf == key or leaf.startswith(f"{key}.")}
            assert beneath, f"{key} is no key"
            found |= beneath
    return found


def judged(row: Mapping[str, Any]) -> Judged:
    return Judged(question(), candidate(), ((row,),))


WRITERS: Mapping[str, Callable[[Mapping[str, Any]], object]] = {
    "label-studio": lambda row: task_of(judged(row), Counter()),
    "argilla": lambda row: record_of(judged(row)),
    "inspect": lambda row: sample_of(judged(row), Counter()),
    "csv": csv_line,
}


@pytest.mark.parametrize("name", WRITERS)
def test_a_key_that_is_changed_shows_in_the_file_unless_it_is_said_to_be_lost(name: str) -> None:
    write = WRITERS[name]
    unseen = {leaf for leaf in leaves() if all(write(changed(row, leaf)) == write(row) for row in map(_sealed, ROWS))}
    assert unseen == keys_of(FORMATS[name].losses.not_written, leaves())


def _sealed(row: Mapping[str, Any]) -> dict[str, Any]:
    return dict(json.loads(line_of(row)))


def test_no_format_goes_unchecked() -> None:
    of_verdicts = {name for name, one in FORMATS.items() if one.of_verdicts}
    assert of_verdicts == {*WRITERS, "parquet"}
    assert set(FORMATS) - of_verdicts == {"uq-answers", "uq-validations"}


@pytest.fixture
def stocked(workspace: Workspace) -> Workspace:
    """A workspace with the sample question and its answer by a system."""
    put_question(workspace)
    new = NewCandidate(QUESTION_ID, ANSWER, TextFormat.MARKDOWN, candidate().origins[0], reasoning="Let me see.")
    candidates.add(workspace, [new])
    return workspace


def put_question(ws: Workspace) -> None:
    sample = question()
    new = NewQuestion(
        id=QUESTION_ID,
        title=sample.row.title,
        body=sample.body.raw,
        format=sample.body.format,
        source="uq.jsonl",
        site=sample.row.site,
        link=sample.link,
        author=sample.author,
        licence=sample.licence,
        tags=sample.row.tags,
        category=sample.category,
    )
    ws.write(lambda db: intake.put(db, [new]))


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Workspace]:
    opened = new_workspace(tmp_path / "elsewhere.uq.sqlite")
    yield opened
    opened.close()


def write(ws: Workspace, name: str, path: Path, lines: Iterable[str] = (), without: Withheld = NOTHING) -> bytes:
    FORMATS[name].write(Job(ws, path, lines, without))
    return path.read_bytes()


def test_tasks_of_label_studio_come_back_but_for_what_is_said(
    stocked: Workspace, elsewhere: Workspace, tmp_path: Path
) -> None:
    lines = [line_of(row) for row in ROWS]
    first = write(stocked, "label-studio", tmp_path / "tasks.json", lines)
    report = import_file(elsewhere, tmp_path / "tasks.json")
    assert (report.counts["questions"], report.counts["candidates"], report.counts["verdicts"]) == (1, 1, 2)
    back = {row["not_judged"]: row for row in map(json.loads, verdicts.records(elsewhere))}
    differing = set()
    for row in map(_sealed, ROWS):
        other = back[row["not_judged"]]
        differing |= {leaf for leaf in leaves() if values_at(row, leaf) != values_at(other, leaf)}
    losses = FORMATS["label-studio"].losses
    lost = [one for one in losses.not_written if not one.restored]
    assert differing == keys_of([*lost, *losses.not_read_back], leaves())
    again = write(elsewhere, "label-studio", tmp_path / "again.json", verdicts.records(elsewhere))
    assert _without_ids(again) == _without_ids(first)


def test_what_repeats_or_settles_others_is_no_further_opinion(stocked: Workspace, tmp_path: Path) -> None:
    again = full_row(verdict_id="again", assignment={**full_row()["assignment"], "repeat_of": "first"})
    lines = [line_of(row) for row in (full_row(), again, full_row(verdict_id="by-a-third", settles=["a#1", "b#1"]))]
    for name in ("label-studio", "argilla", "inspect"):
        written = FORMATS[name].write(Job(stocked, tmp_path / "out", lines, NOTHING))
        assert (written.rows, written.left_out) == (1, {BESIDES: 2})


def test_errors_of_label_studio_have_a_place_and_a_quote_each(
    stocked: Workspace, elsewhere: Workspace, tmp_path: Path
) -> None:
    (whole,) = full_row()["errors"]
    (quote,) = whole["quotes"]
    second = {**quote, "start": 0, "end": 4, "quote": "Step", "prefix": "", "suffix": ""}
    nowhere = {**whole, "quotes": [{**quote, "start": None, "end": None}]}
    row = full_row(errors=[{**whole, "quotes": [quote, second]}, nowhere, {**whole, "quotes": []}])
    written = FORMATS["label-studio"].write(Job(stocked, tmp_path / "tasks.json", [line_of(row)], NOTHING))
    assert written.left_out == {UNPLACED: 2}
    import_file(elsewhere, tmp_path / "tasks.json")
    (back,) = map(json.loads, verdicts.records(elsewhere))
    assert [(one["quotes"][0]["quote"], bool(one["problem"])) for one in back["errors"]] == [
        ("uniform", True),
        ("Step", False),
    ]


def _without_ids(data: bytes) -> list[dict[str, Any]]:
    """Tasks without what is said not to come back, their annotations in an order of their own."""
    tasks = json.loads(data)
    for task in tasks:
        task["data"] |= {"source_author_url": "", "source_edited": ""}
        task["annotations"] = sorted(
            ({**one, "id": "", "created_at": "", "updated_at": ""} for one in task["annotations"]),
            key=lambda one: canonical_json(one),
        )
    return list(tasks)


def test_what_is_not_read_says_so(stocked: Workspace, elsewhere: Workspace, tmp_path: Path) -> None:
    lines = [line_of(row) for row in ROWS]
    for name in (name for name, one in FORMATS.items() if not one.losses.is_read):
        path = tmp_path / f"file{FORMATS[name].suffix}"
        write(stocked, name, path, lines)
        with pytest.raises(ImportFileError, match="holds"):
            import_file(elsewhere, path)


def test_parquet_loses_nothing(stocked: Workspace, elsewhere: Workspace, tmp_path: Path) -> None:
    before = json.loads(line_of(full_row(verdict_id="old", revision=1, supersedes="")))
    old = {key: value for key, value in before.items() if key not in ("settles", "redaction", "assignment")}
    odd = full_row(verdict_id="odd", revision=1, rationale="\ud83d\0\u2028", mood=["unknown to us"])
    lines = [line_of(row) for row in (old, odd)]
    first = write(stocked, "parquet", tmp_path / "rows.parquet", lines)
    assert write(stocked, "parquet", tmp_path / "same.parquet", lines) == first
    report = import_file(elsewhere, tmp_path / "rows.parquet")
    assert (report.format, report.new, report.rejected) == ("verdicts", 2, ())
    assert sorted(verdicts.records(elsewhere)) == sorted(lines)


def test_an_inspect_log_comes_back_as_numbers(stocked: Workspace, elsewhere: Workspace, tmp_path: Path) -> None:
    write(stocked, "inspect", tmp_path / "log.json", [line_of(row) for row in ROWS])
    report = import_file(elsewhere, tmp_path / "log.json")
    assert report.format == "Inspect log"
    assert report.counts == {"questions": 1, "candidates": 1, "scores": 1}
    assert not list(verdicts.records(elsewhere))
    losses = FORMATS["inspect"].losses
    assert keys_of(losses.not_read_back, leaves()) == set(leaves())


CANDIDATE_KEYS = (
    *(one.name for one in fields(Candidate) if one.name not in ("answer", "origins", "question_id", "letter")),
    *(f"answer.{name}" for name in ("sha256", "format", "raw", "markdown")),
    *(f"origins.{one.name}" for one in fields(Origin)),
    "known_label",
)
"""What the store has of an answer. `letter` is of a reviewer, not of the answer."""


def altered(one: Candidate, key: str) -> Candidate:
    """The candidate with another value at a key."""
    part, _, name = key.rpartition(".")
    if part == "answer":
        return replace(one, answer=replace(one.answer, **_another(one.answer, name)))
    if part == "origins":
        return replace(one, origins=(replace(one.origins[0], **_another(one.origins[0], name)),))
    return replace(one, **_another(one, key))


def _another(one: object, name: str) -> dict[str, Any]:
    """Another value of a field, by its name."""
    match getattr(one, name):
        case bool() as before:
            return {name: not before}
        case TextFormat():
            return {name: TextFormat.HTML}
        case AuthorKind():
            return {name: AuthorKind.PERSON}
        case int() as before:
            return {name: before + 1}
        case before:
            return {name: f"{before} otherwise"}


def test_what_uq_answers_are_said_to_lose_is_what_does_not_show() -> None:
    def rows(one: Candidate) -> list[dict[str, Any]]:
        return list(rows_of(question(), one, None))

    read = [key for key in CANDIDATE_KEYS if key != "known_label"]
    unseen = {key for key in read if rows(altered(candidate(), key)) == rows(candidate())}
    assert {*unseen, "known_label"} == keys_of(FORMATS["uq-answers"].losses.not_written, CANDIDATE_KEYS)


def flat(ws: Workspace) -> dict[str, Any]:
    """The sample answer as its keys have it."""
    (one,) = candidates.of_question(ws, QUESTION_ID)
    (origin,) = one.origins
    found = {key: getattr(one, key) for key in CANDIDATE_KEYS if "." not in key and key != "known_label"}
    found |= {f"answer.{key}": value for key, value in asdict(one.answer).items()}
    found |= {f"origins.{key}": value for key, value in asdict(origin).items()}
    return {**found, "known_label": candidates.known_label(ws, one.id)}


def test_uq_answers_come_back_but_for_what_is_said(workspace: Workspace, elsewhere: Workspace, tmp_path: Path) -> None:
    put_question(workspace)
    put_question(elsewhere)
    origin = Origin(AuthorKind.SYSTEM, *(f"the {one.name}" for one in fields(Origin)[1:]))
    label = KnownLabel(Label.INCORRECT, "a flaw", "f.jsonl")
    new = NewCandidate(QUESTION_ID, ANSWER, TextFormat.HTML, origin, "Let me see.", cut_off=True, known_label=label)
    candidates.add(workspace, [new])
    first = write(workspace, "uq-answers", tmp_path / "answers.jsonl")
    report = import_file(elsewhere, tmp_path / "answers.jsonl")
    assert (report.format, report.new, report.rejected) == ("candidates", 1, ())
    before, after = flat(workspace), flat(elsewhere)
    lost = [one for one in FORMATS["uq-answers"].losses.not_written if not one.restored]
    assert {key for key in CANDIDATE_KEYS if before[key] != after[key]} == keys_of(lost, CANDIDATE_KEYS)
    assert write(elsewhere, "uq-answers", tmp_path / "again.jsonl") == first


OUTCOME_KEYS = tuple(one.name for one in fields(StageOutcome))


def test_what_uq_validations_are_said_to_lose_is_what_does_not_show() -> None:
    at = "2026-01-31T12:00:00.000Z"
    outcome = StageOutcome("r", "c", "correctness", Outcome.ACCEPT, "", "k", 1, at, ("k",))
    whole = StageOutcome("r", "c", "", Outcome.ACCEPT, "", "", 2, at)

    def evaluation(*found: StageOutcome) -> object:
        kept = {"k": call("k", reply="Fine."), "other": call("other", reply="Fine.")}
        return Found(notation.parse("correctness"), "o3", {one.path: one for one in (*found, whole)}, kept).evaluation()

    others: dict[str, Any] = {"outcome": Outcome.REJECT, "call_key": "other", "call_keys": ("other",), "round": 5}
    others = dict.fromkeys(OUTCOME_KEYS, "otherwise") | others
    unseen = {key for key in OUTCOME_KEYS if evaluation(replace(outcome, **{key: others[key]})) == evaluation(outcome)}
    assert unseen == keys_of(FORMATS["uq-validations"].losses.not_written, OUTCOME_KEYS)


@pytest.mark.parametrize("stages", ["aaa", "aar", "aua"])
def test_uq_validations_come_back_but_for_what_is_said(
    stocked: Workspace, elsewhere: Workspace, tmp_path: Path, stages: str
) -> None:
    put_question(elsewhere)
    origin = candidate().origins[0]
    candidates.add(elsewhere, [NewCandidate(QUESTION_ID, ANSWER, TextFormat.MARKDOWN, origin)])
    judged_run(stocked, candidate().id, THREE_ITER, three_iter(stages), reasons={"": "why"})
    first = write(stocked, "uq-validations", tmp_path / "results.jsonl")
    report = import_file(elsewhere, tmp_path / "results.jsonl")
    assert (report.format, report.new, report.rejected) == ("UQ validator results", 1, ())
    before, after = (
        {one.path: one for one in judgements.outcomes_of_candidate(ws, candidate().id)} for ws in (stocked, elsewhere)
    )
    not_asked = {path for path, one in before.items() if one.outcome is Outcome.SKIPPED and "/" in path}
    assert {path: one.outcome for path, one in before.items() if path not in not_asked} == {
        path: one.outcome for path, one in after.items() if path not in not_asked
    }
    assert {after[path].outcome for path in not_asked} == ({Outcome.FAILED} if "r" in stages else set())
    if not not_asked:
        again = write(elsewhere, "uq-validations", tmp_path / "again.jsonl")
        assert _timeless(again) == _timeless(first)


def _timeless(data: bytes) -> dict[str, Any]:
    """The row without its time, which the sample run doesn't have."""
    row = json.loads(data)
    return {**row, "evaluation": {**row["evaluation"], "timestamp": ""}}
