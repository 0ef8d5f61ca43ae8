"""The published schemas accept and refuse what the program does."""

import copy
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from store import (
    evidence_records,
    evidence_shape,
    manifest,
    quarantine,
    quarantine_record,
    statement_record,
    statement_shape,
)
from store import verdict_shape as shape_of_verdicts
from store.frozen_rows import BadRecordError, sealed, verify_row
from store.manifest import Manifest, manifest_bytes
from store.review_rows import ClaimDecided, Resolved, Said, StageJudged
from tests.store.records.samples import AT, FIRST, REVIEWER, candidate, exposure, no_evidence, question, record
from uq_tui.words import ClaimDecision, Exposure, Relation, Resolution, Soundness, StatementKind

SCHEMAS = Path(__file__).parents[2] / "exports" / "schemas"
Row = dict[str, Any]


def validator(name: str) -> Draft202012Validator:
    schema = json.loads((SCHEMAS / f"{name}-1.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


OUTCOME = {
    "run_id": "r",
    "strategy": "3-Iter",
    "stage": "",
    "outcome": "reject",
    "reason": "",
    "judge": "m",
    "call_key": "",
    "prompt_sha256": "",
    "constrained": False,
}
FOUND = {**no_evidence(), "outcomes": [OUTCOME], "outside_scores": [{"scorer": "rm", "value": 1, "source": "f"}]}


def _verdict() -> Row:
    return {**record(exposure(Exposure.MODEL)), "evidence": FOUND, "extra": {"more": [1]}}


def _statement(kind: StatementKind, said: Said, *, on_candidate: bool = True) -> Row:
    about = candidate() if on_candidate else None
    return statement_record.build(kind, FIRST, question(), about, REVIEWER, Relation.OTHER, said)


CLAIMS = (ClaimDecided("c", "audit by m", ClaimDecision.REFUTE),)
STAGES = (StageJudged("3-Iter", "correctness", "run", Soundness.UNSURE),)
SOLVED = Resolved(Resolution.RESOLVED_BY_MODEL, "m", Relation.DOMAIN_EXPERT)
STATEMENTS = (
    _statement(StatementKind.SECOND_PASS, Said(claims=CLAIMS, soundness=STAGES)),
    _statement(StatementKind.COMMENT, Said("Hm.", in_reply_to="s"), on_candidate=False),
    _statement(StatementKind.RESOLUTION, Said("Yes.", resolved=SOLVED)),
)
EVIDENCE = evidence_records.build("run", "validate", AT, question(), candidate(), FOUND)
QUARANTINE = json.loads(quarantine_record.build(quarantine.damaged(b"\xff{", "not JSON", "f.jsonl", 1)))
MANIFEST = json.loads(manifest_bytes(Manifest("f.jsonl", 2, 1, "0" * 64)))


def _checked_by(kind: str, problems: Callable[[Mapping[str, Any]], Iterator[str]]) -> Callable[[Row], bool]:
    def accepts(row: Row) -> bool:
        try:
            verify_row(row, kind, 1, problems)
        except BadRecordError:
            return False
        return True

    return accepts


CASES: Mapping[str, tuple[tuple[Row, ...], Callable[[Row], bool]]] = {
    "verdict": ((_verdict(),), _checked_by("verdict", shape_of_verdicts.problems)),
    "statement": (STATEMENTS, _checked_by("statement", statement_shape.problems)),
    "evidence": ((EVIDENCE,), _checked_by("evidence", evidence_shape.problems)),
    "quarantine": ((QUARANTINE,), _checked_by("quarantine", quarantine_record.problems)),
    "manifest": ((MANIFEST,), lambda found: next(manifest.problems(found), None) is None),
}
OTHER_VALUES: st.SearchStrategy[Any] = st.sampled_from(
    (
        *("", "draft", "retracted", "correct", "too_tedious", "resolution", "comment", "open", "resolved_by_model"),
        *("other", "validate", "reviewer", "a\nb", "x\n", "\u0085", "a" * 501, "0" * 64, "0" * 64 + "\n", "A" * 64),
        *("2026-01-31T12:00:00Z", "2026-01-31T12:00:00+00:00", "２026-01-31T12:00:00Z"),
        *(0, 1, -1, 2, 1_000_001, 1.5, True, False, None),
        *([], {}, [""], [{}], {"state": "open"}, ["reviewer"], ["other"]),
    )
)
"""No whole numbers with a fraction, such as 1.0: JSON Schema takes them for integers, and rows are written without."""


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in a row."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield (*path, key)
        yield from _places(one, (*path, key))


@st.composite
def changed(draw: st.DrawFn, rows: tuple[Row, ...]) -> Row:
    """A row in which up to three values are others, are gone, or have come."""
    row = copy.deepcopy(draw(st.sampled_from(rows)))
    for _ in range(draw(st.integers(0, 3))):
        places = list(_places(row))
        if not places:
            break
        *path, key = draw(st.sampled_from(places))
        inside = row
        for step in path:
            inside = inside[step]
        how = draw(st.sampled_from(("other", "gone", "more")))
        if how == "other":
            inside[key] = copy.deepcopy(draw(OTHER_VALUES))
        elif how == "gone":
            del inside[key]
        elif isinstance(inside, dict):
            inside["unknown"] = copy.deepcopy(draw(OTHER_VALUES))
    return row


@pytest.mark.parametrize("name", CASES)
def test_a_schema_accepts_what_the_program_does(name: str) -> None:
    rows, accepts = CASES[name]
    schema = validator(name)
    for row in rows:
        whole = row if name == "manifest" else json.loads(sealed(row))
        assert accepts(whole)
        assert [error.message for error in schema.iter_errors(whole)] == []

    @given(changed(rows))
    @settings(max_examples=60)
    def agree(row: Row) -> None:
        whole = row if name == "manifest" else json.loads(sealed(row))
        assert schema.is_valid(whole) is accepts(whole)

    agree()


def test_a_draft_may_say_nothing_yet_and_a_verdict_may_not() -> None:
    schema = validator("verdict")
    nothing = {**_verdict(), "label": "", "not_judged": ""}
    both = {**_verdict(), "not_judged": "too_tedious"}
    assert schema.is_valid(json.loads(sealed({**nothing, "status": "draft"})))
    for row in (nothing, both):
        assert not schema.is_valid(json.loads(sealed(row)))


def test_rows_of_0_1_0_fit_too() -> None:
    later = ("settles", "redaction", "assignment", "source_author_url", "source_edited")
    old = {key: value for key, value in _verdict().items() if key not in later}
    assert validator("verdict").is_valid(json.loads(sealed(old)))
