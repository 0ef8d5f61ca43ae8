"""Files of answers, validators' results, annotations and logs in every framing, and made of anything at all."""

import bz2
import gzip
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.ingest.importer import import_file
from store.ingest.inspect_files import parsed
from store.ingest.inspect_samples import answer_of, question_of, target_of
from store.ingest.inspect_scores import explanations_of, scores_of
from store.ingest.label_studio_forms import read
from store.ingest.report import RowError
from store.ingest.uq_evaluations import evaluation_of
from store.workspace import Workspace
from tests.fixtures import FIXTURES

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


def shaped(*keys: str) -> st.SearchStrategy[dict[str, Any]]:
    """Objects that have keys of ours, with anything in them."""
    return st.dictionaries(st.sampled_from(keys), ANYTHING, max_size=len(keys))


@pytest.fixture
def ws(workspace: Workspace) -> Workspace:
    import_file(workspace, FIXTURES / "uq-questions.jsonl")
    import_file(workspace, FIXTURES / "uq-answers.jsonl")
    return workspace


FRAMINGS: dict[str, Callable[[str], bytes]] = {
    "mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "utf16": lambda text: text.encode("utf-16"),
    "crlf": lambda text: text.replace("\n", "\r\n").encode(),
    "blank lines": lambda text: text.replace("\n", "\n\n \n").encode(),
    "no last newline": lambda text: text.rstrip("\n").encode(),
    "gzip": lambda text: gzip.compress(text.encode()),
    "bzip2": lambda text: bz2.compress(text.encode()),
    "array": lambda text: ("[" + ",".join(text.splitlines()) + "]").encode(),
}


@pytest.mark.parametrize("framing", FRAMINGS)
@pytest.mark.parametrize(("name", "good"), [("uq-answers.jsonl", 4), ("uq-validations.jsonl", 4)])
def test_framings_lose_no_row(ws: Workspace, tmp_path: Path, framing: str, name: str, good: int) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(FRAMINGS[framing]((FIXTURES / name).read_text()))
    report = import_file(ws, path)
    assert (report.read, report.new + report.changed + report.same, report.rejected_total) == (5, good, 1)


@pytest.mark.parametrize(
    "bad",
    [
        '{"question_id": 17, "evaluation": {"strategy": "vanilla"',
        '{"question_id": 17, "evaluation": {"strategy": "vanilla", "is_accepted": NaN}}',
        '{"question_id": 17, "question_id": 18, "evaluation": {"strategy": "vanilla"}}',
        '{"question_id": 17, "evaluation": {"strategy": "vanilla", "x": ' + "[" * 100_000,
        '{"question_id": 17, "evaluation": {"strategy": "vanilla", "x": 1e400}}',
    ],
)
def test_a_bad_line_is_reported_once_with_its_number(ws: Workspace, tmp_path: Path, bad: str) -> None:
    lines = (FIXTURES / "uq-validations.jsonl").read_text().splitlines()
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join([*lines[:2], bad, *lines[2:4]]))
    report = import_file(ws, path)
    assert (report.new, [row.line for row in report.rejected]) == (4, [3])


PARTS = ("strategy", "judge_model", "evaluation", "evaluations", "decisions", "is_accepted", "voting_method", "n_turns")
STEPS = ("step_results", "sample_results", "total_steps", "inferred_question", "prompt", "n_samples", *PARTS)


@given(shaped(*STEPS) | st.fixed_dictionaries({"step_results": st.lists(shaped(*PARTS), max_size=3)}) | ANYTHING)
def test_no_evaluation_breaks_the_reader(value: Any) -> None:
    try:
        found = evaluation_of(value)
    except RowError:
        return
    assert found.rungs[0].path == ""
    assert len({rung.path for rung in found.rungs}) == len(found.rungs)


REGION = ("type", "from_name", "id", "value")
VALUES = ("choices", "labels", "start", "end", "text", "rating", "number", "hypertextlabels")
KINDS = st.sampled_from(["choices", "labels", "hypertextlabels", "rating", "number", "textarea", "x"])


@given(
    st.lists(shaped(*REGION) | st.fixed_dictionaries({"type": KINDS, "value": shaped(*VALUES)}) | ANYTHING, max_size=4),
    st.text(max_size=20),
)
def test_no_annotation_breaks_the_reader(results: list[Any], answer: str) -> None:
    try:
        found = read(results, 0.0, answer)
    except RowError:
        return
    for error in found.form.errors if found.form else ():
        for quote in error.quotes:
            assert quote.start is None or answer[quote.start : quote.end] == quote.quote


SAMPLE = ("id", "input", "target", "choices", "output", "scores", "error", "limit", "attachments", "score")


@given(shaped(*SAMPLE), shaped("model", "scorers", "model_roles", "task"))
def test_no_sample_breaks_the_reader(sample: dict[str, Any], evaluation: dict[str, Any]) -> None:
    with suppress(RowError):
        question_of(sample)
    target_of(sample)
    answer = answer_of(sample)
    assert answer.failure or answer.text.strip()
    explanations_of(sample)
    assert all(value is None or abs(value) < float("inf") for _, value in scores_of(sample, evaluation))


@given(st.binary(max_size=40) | ANYTHING.map(lambda value: json.dumps(value).encode()))
def test_no_member_breaks_the_reader(data: bytes) -> None:
    with suppress(RowError):
        assert isinstance(parsed(data), dict)
