"""The verdict row: its keys and types, its one line, its hash."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.frozen_rows import (
    BadRecordError,
    NewerRecordError,
    Revision,
    canonical_json,
    retracted,
    row_sha256,
    sealed,
)
from store.reading_rows import LedgerCount
from store.rows import VerdictForm
from store.verdict_form import form_of
from store.verdict_record import UNBLINDING, build, verify
from store.verdict_shape import SHAPE, problems
from tests.store.records.samples import (
    FIRST,
    REVIEWER,
    candidate,
    exposure,
    form,
    no_evidence,
    question,
    record,
)
from uq_tui.words import Derivation, Exposure, FinalAnswer, Label, NotJudged, VerdictStatus

KEYS = [
    "schema_version",
    "record",
    "verdict_id",
    "revision",
    "supersedes",
    "status",
    "question_id",
    "question_title",
    "site",
    "source_url",
    "source_author",
    "source_author_url",
    "source_edited",
    "licence",
    "dataset_version",
    "candidate_id",
    "candidate_sha256",
    "candidate_origin",
    "reviewer",
    "label",
    "not_judged",
    "score_0_7",
    "confidence",
    "rationale",
    "errors",
    "question_flags",
    "claims",
    "trace_soundness",
    "ledger",
    "blind",
    "exposures",
    "revealed_at",
    "seconds_active",
    "seconds_total",
    "queue",
    "assignment",
    "settles",
    "evidence",
    "created_at",
    "redaction",
    "extra",
    "row_sha256",
]
LATER_KEYS = ("source_author_url", "source_edited", "assignment", "settles", "redaction")
"""Keys that the first rows lack."""

ODD = st.sampled_from('\0\n\r\u2028\x85\\"')
ANY_TEXT = st.text(alphabet=st.one_of(st.characters(), st.characters(categories=["Cs"]), ODD), max_size=20)


def parse(line: str) -> dict[str, Any]:
    row: dict[str, Any] = json.loads(line)
    verify(row)
    return row


def edited(changes: Mapping[str, Any], *, seal: bool = True) -> str:
    row = {**json.loads(sealed(record())), **changes}
    return sealed(row) if seal else canonical_json(row)


def test_the_keys_stand_in_their_order() -> None:
    assert list(json.loads(sealed(record()))) == KEYS == list(SHAPE)


def test_the_nested_keys_stand_in_their_order() -> None:
    row = json.loads(sealed(record(exposure(Exposure.MODEL))))
    assert list(row["candidate_origin"]) == ["kind", "model", "system", "organisation", "base_model"]
    assert list(row["reviewer"]) == [*("id", "handle", "orcid", "relation", "expertise", "affiliation", "linked_ids")]
    assert list(row["errors"][0]) == ["category", "quotes", "claim", "problem", "fix"]
    assert list(row["errors"][0]["quotes"][0]) == ["quote", "start", "end", "prefix", "suffix"]
    assert list(row["exposures"][0]) == ["what", "where", "at"]
    assert list(row["ledger"]) == ["units", "checked", "doubtful", "wrong", "skipped"]


def test_an_empty_form_gives_the_same_types_as_a_full_one() -> None:
    bare = build(
        FIRST, question(), candidate(), REVIEWER, VerdictForm(label=Label.UNSURE), (), LedgerCount(), no_evidence()
    )
    for row in (bare, record()):
        assert list(problems({**row, "row_sha256": ""})) == []
    assert (bare["not_judged"], bare["errors"], bare["score_0_7"], bare["seconds_total"]) == ("", [], None, 0.0)


def test_a_candidate_without_origin_has_an_empty_one() -> None:
    nobody = replace(candidate(), origins=())
    row = build(FIRST, question(), nobody, REVIEWER, form(), (), LedgerCount(), no_evidence())
    assert set(row["candidate_origin"].values()) == {""}


def test_seconds_are_decimals_to_the_millisecond() -> None:
    assert '"seconds_active":1.235,"seconds_total":3.0,' in sealed(record(seconds_active=1.23456, seconds_total=3))


@pytest.mark.parametrize("entered", [form(), form(label=None, not_judged=NotJudged.TOO_TEDIOUS, confidence=None)])
def test_a_row_gives_its_form_back_for_a_revision(entered: VerdictForm) -> None:
    row = build(FIRST, question(), candidate(), REVIEWER, entered, (), LedgerCount(), no_evidence())
    assert form_of(parse(sealed(row))) == replace(entered, seconds_active=0.0, seconds_total=0.0)


def test_not_judged_stands_without_a_label() -> None:
    row = record(label=None, not_judged=NotJudged.FAULTY_QUESTION)
    assert (row["label"], row["not_judged"]) == ("", "faulty_question")
    assert parse(sealed(row))["not_judged"] == "faulty_question"


def test_who_was_shown_only_reasoning_is_blind() -> None:
    row = record(exposure(Exposure.REASONING))
    assert (row["blind"], row["revealed_at"], len(row["exposures"])) == (True, "", 1)


@pytest.mark.parametrize("what", sorted(UNBLINDING))
def test_who_was_shown_anything_else_is_not(what: Exposure) -> None:
    row = record(exposure(what, at="2026-01-31T11:00:00.000000Z"))
    assert (row["blind"], row["revealed_at"]) == (False, "2026-01-31T11:00:00.000000Z")


def test_the_reveal_is_the_first_telling_exposure() -> None:
    first, second, third = (f"2026-01-31T1{hour}:00:00.000000Z" for hour in range(3))
    late = exposure(Exposure.UTILITY, third, "ranking")
    row = record(late, exposure(Exposure.REASONING, first), exposure(Exposure.MODEL, second))
    assert row["revealed_at"] == second
    assert [(shown["what"], shown["at"]) for shown in row["exposures"]] == [
        ("reasoning", first),
        ("model", second),
        ("utility", third),
    ]
    assert row["exposures"][2]["where"] == "ranking"


def test_a_retraction_repeats_what_it_takes_back() -> None:
    original = json.loads(sealed(record()))
    second = Revision(FIRST.id, 2, f"{FIRST.id}#1", VerdictStatus.RETRACTED, "2026-02-01T00:00:00Z")
    row = parse(sealed(retracted(original, second)))
    differing = {key for key in row if row[key] != original[key]}
    assert differing == {"revision", "supersedes", "status", "created_at", "row_sha256"}
    assert (row["status"], row["revision"]) == ("retracted", 2)


def test_the_hash_is_of_the_row_as_anyone_would_write_it_again() -> None:
    row = json.loads(sealed(record()))
    stated = row.pop("row_sha256")
    again = json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode()
    assert stated == hashlib.sha256(again).hexdigest() == row_sha256(row)


@given(st.dictionaries(st.sampled_from(["rationale", "source_author", "queue", "question_title"]), ANY_TEXT), ANY_TEXT)
def test_any_text_makes_one_intact_line(texts: dict[str, str], key: str) -> None:
    line = sealed({**record(), **texts, "extra": {key: texts}})
    data = line.encode()
    assert b"\n" not in data
    assert b"\r" not in data
    row = parse(data.decode())
    assert sealed(row) == line
    for name, value in texts.items():
        assert row[name] == json.loads(json.dumps(value))


@given(ANY_TEXT)
def test_text_without_surrogate_pairs_comes_back_as_it_was(value: str) -> None:
    kept = re.sub("[\ud800-\udbff](?=[\udc00-\udfff])", "", value)
    assert json.loads(canonical_json(kept)) == kept


def test_lone_surrogates_are_escaped_and_pairs_joined() -> None:
    assert canonical_json(["\\\ud83d", "\ud83d\ude00", "\ude00\ud83d"]) == '["\\\\\\ud83d","😀","\\ude00\\ud83d"]'


def test_line_separators_stand_as_they_are() -> None:
    assert canonical_json("a\u2028b\u2029c\x85d") == '"a\u2028b\u2029c\x85d"'


@given(st.lists(st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)))
def test_values_come_back_as_they_were(value: Any) -> None:
    assert json.loads(canonical_json(value)) == value


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_what_is_no_json_number_is_refused(number: float) -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        canonical_json(number)


@pytest.mark.parametrize(
    "changes",
    [
        {"label": "maybe"},
        {"label": "", "not_judged": ""},
        {"not_judged": "too_tedious"},
        {"label": None},
        {"status": ""},
        {"revision": 0},
        {"revision": 2**70},
        {"revision": True},
        {"revision": "1"},
        {"score_0_7": "7"},
        {"seconds_total": "60"},
        {"errors": {}},
        {"errors": [{"category": "other", "quotes": [], "claim": "", "problem": ""}]},
        {"reviewer": []},
        {"reviewer": {**record()["reviewer"], "id": "\ud800"}},
        {"verdict_id": ""},
        {"verdict_id": "a\nb"},
        {"candidate_id": "2087"},
        {"candidate_sha256": "A" * 64},
        {"created_at": "yesterday"},
        {"schema_version": 0},
        {"schema_version": 1.0},
        {"record": "claim"},
        {"evidence": {**no_evidence(), "outcomes": [1]}},
        {"extra": []},
    ],
)
def test_a_row_of_another_shape_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(BadRecordError):
        parse(edited(changes))


@pytest.mark.parametrize("key", [key for key in KEYS if key not in LATER_KEYS])
def test_a_row_without_one_of_its_keys_is_refused(key: str) -> None:
    row = json.loads(sealed(record()))
    del row[key]
    with pytest.raises(BadRecordError):
        parse(canonical_json(row) if key == "row_sha256" else sealed(row))


def test_a_row_of_before_there_were_queues_and_edits_is_read() -> None:
    row = json.loads(sealed(record()))
    for key in LATER_KEYS:
        del row[key]
    verify(parse(sealed(row)))
    assert form_of(row).final_answer is None


@pytest.mark.parametrize(
    ("key", "value"), [("queue_id", None), ("assisted", "no"), ("final_answer", "yes"), ("derivation", 1)]
)
def test_how_a_verdict_was_assigned_is_told_in_the_right_words(key: str, value: Any) -> None:
    row = json.loads(sealed(record()))
    with pytest.raises(BadRecordError, match=rf"`assignment\.{key}`"):
        parse(edited({"assignment": {**row["assignment"], key: value}}))
    with pytest.raises(BadRecordError, match=rf"`assignment\.{key}` is missing"):
        parse(edited({"assignment": {name: each for name, each in row["assignment"].items() if name != key}}))


def test_both_steps_of_labelling_come_back_from_the_row() -> None:
    entered = form(final_answer=FinalAnswer.AGREES, derivation=Derivation.INVALID)
    row = parse(sealed(record(final_answer=FinalAnswer.AGREES, derivation=Derivation.INVALID)))
    assert form_of(row) == replace(entered, seconds_active=0.0, seconds_total=0.0)


OLD_VALUE = {"neighbour_id": "n", "solved": 3, "decided": 4, "undecided": 0}
DRAWN = {"replies": 4, "distinct": 3, "cut_off": 0, "temperature": 0.7}


def with_utility(value: Mapping[str, Any], drawn: Mapping[str, Any]) -> str:
    """A sealed row with one utility of one neighbour; `drawn` adds to its control arm."""
    figures = dict.fromkeys(("mean", "low", "high", "lift", "lift_low", "lift_high"), 0.5)
    control = {"mean": None, "solved": 0, "decided": 0, **drawn}
    utility = {**figures, "run_id": "r", "solver": "m", "t": 4, "neighbours": [value], "control": control}
    return edited({"evidence": {**no_evidence(), "utilities": [utility]}})


@pytest.mark.parametrize("drawn", [{}, DRAWN, dict.fromkeys(DRAWN)])
def test_a_utility_may_tell_of_its_replies_as_rows_of_0_1_0_do_not(drawn: dict[str, Any]) -> None:
    verify(parse(with_utility({**OLD_VALUE, **drawn}, drawn)))


@pytest.mark.parametrize("key", DRAWN)
def test_what_it_tells_must_be_numbers(key: str) -> None:
    with pytest.raises(BadRecordError, match=rf"utilities\[0\]\.neighbours\[0\]\.{key}` is"):
        verify(parse(with_utility({**OLD_VALUE, **DRAWN, key: "4"}, DRAWN)))
    with pytest.raises(BadRecordError, match=rf"utilities\[0\]\.control\.{key}` is"):
        verify(parse(with_utility(OLD_VALUE, {**DRAWN, key: [4]})))


LATER = {"interval": "anytime", "stopped_early": True, "placebo": {"mean": None, "solved": 0, "decided": 0}}


def with_measured(**changes: Any) -> str:
    """A sealed row with a utility that says how it was measured."""
    figures = dict.fromkeys(("mean", "low", "high", "lift", "lift_low", "lift_high"), 0.5)
    control = {"mean": None, "solved": 0, "decided": 0}
    utility = {**figures, "run_id": "r", "solver": "m", "t": 4, "neighbours": [OLD_VALUE], "control": control}
    return edited({"evidence": {**no_evidence(), "utilities": [{**utility, **LATER, **changes}]}})


def test_a_utility_may_tell_how_it_was_measured() -> None:
    line = with_measured()
    verify(parse(line))
    assert sealed(parse(line)) == line


@pytest.mark.parametrize(
    ("key", "value"), [("interval", "wide"), ("stopped_early", 1), ("placebo", None), ("placebo", {"mean": 0.5})]
)
def test_how_it_was_measured_is_told_in_the_right_words(key: str, value: Any) -> None:
    with pytest.raises(BadRecordError, match=rf"utilities\[0\]\.{key}"):
        parse(with_measured(**{key: value}))


JUDGE = {
    **dict.fromkeys(("run_id", "judge", "model", "prompt_sha256"), "x"),
    **dict.fromkeys(("lowest", "highest", "planned", "scored", "unparsed", "failed"), 1),
    **dict.fromkeys(("mean", "sd", "temperature"), None),
    **dict.fromkeys(("replies", "distinct", "cut_off"), 0),
    "constrained": False,
}


def with_judge(judge: Mapping[str, Any]) -> str:
    return edited({"evidence": {**no_evidence(), "judges": [judge]}})


@pytest.mark.parametrize("mean", [None, 8, 8.5])
def test_a_judges_figures_are_numbers_or_unknown(mean: float | None) -> None:
    verify(parse(with_judge({**JUDGE, "mean": mean})))


@pytest.mark.parametrize("key", JUDGE)
def test_a_judge_has_all_its_keys_in_their_types(key: str) -> None:
    with pytest.raises(BadRecordError, match=rf"judges\[0\]\.{key}` is missing"):
        parse(with_judge({name: value for name, value in JUDGE.items() if name != key}))
    with pytest.raises(BadRecordError, match=rf"judges\[0\]\.{key}` is"):
        parse(with_judge({**JUDGE, key: [1]}))


def with_outside(given: Any) -> str:
    return edited({"evidence": {**no_evidence(), "outside_scores": given}})


SCORE = {"scorer": "rm", "value": -1.5, "source": "rm.csv"}


@pytest.mark.parametrize("given", [[], [SCORE], [{**SCORE, "value": 3}]])
def test_a_row_may_have_outside_scores_as_older_ones_do_not(given: Any) -> None:
    line = with_outside(given)
    verify(parse(line))
    assert sealed(parse(line)) == line
    assert "outside_scores" not in no_evidence()


@pytest.mark.parametrize("key", SCORE)
def test_an_outside_score_has_all_its_keys_in_their_types(key: str) -> None:
    with pytest.raises(BadRecordError, match=rf"outside_scores\[0\]\.{key}` is missing"):
        parse(with_outside([{name: value for name, value in SCORE.items() if name != key}]))
    with pytest.raises(BadRecordError, match=rf"outside_scores\[0\]\.{key}` is"):
        parse(with_outside([{**SCORE, key: None}]))


def test_an_edited_row_is_refused() -> None:
    with pytest.raises(BadRecordError, match="doesn't fit"):
        parse(edited({"label": "correct"}, seal=False))


def test_a_later_schema_is_told_from_damage() -> None:
    with pytest.raises(NewerRecordError, match="schema version 2"):
        parse(edited({"schema_version": 2, "label": {"new": "shape"}}))


def test_unknown_keys_are_kept_under_the_hash() -> None:
    line = edited({"mood": "sceptical"})
    assert sealed(parse(line)) == line
    with pytest.raises(BadRecordError, match="doesn't fit"):
        parse(line.replace("sceptical", "cheerful"))


def test_spaces_and_escapes_between_do_not_matter() -> None:
    line = sealed(record(rationale="é"))
    assert sealed(parse(json.dumps(json.loads(line), indent=None))) == line
