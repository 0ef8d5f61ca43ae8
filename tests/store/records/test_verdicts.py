"""Verdicts: appended, superseded, retracted, never changed."""

import json
from dataclasses import replace

import pytest

from store import candidates, drafts, exposures, judgements, ledger, reviewers, verdicts
from store.reading_rows import LedgerMark
from store.rows import NewCandidate, Origin, Quote, Verdict
from store.units import raw_units
from store.verdict_record import verify
from store.workspace import Workspace
from tests.store.records.giving import give, take_back
from tests.store.records.samples import ANSWER, QUESTION_ID, REVIEWER, form
from tests.store.records.stock import put_candidate, put_evidence, put_question, put_run, utility
from uq_tui.errors import NotFoundError, UqError, VerdictFormError
from uq_tui.words import AuthorKind, Exposure, Label, LedgerState, NotJudged, RunKind, TextFormat, VerdictStatus

OTHER = replace(REVIEWER, id="0199bbbb-0000-7000-8000-000000000002", handle="bo")


@pytest.fixture
def candidate(workspace: Workspace) -> str:
    for reviewer in (OTHER, REVIEWER):
        reviewers.save(workspace, reviewer)
    return put_candidate(workspace)


def lines(workspace: Workspace) -> list[str]:
    return list(verdicts.records(workspace))


def names(*found: Verdict) -> list[tuple[str, int]]:
    return [(verdict.verdict_id, verdict.revision) for verdict in found]


def test_a_saved_verdict_is_the_latest(workspace: Workspace, candidate: str) -> None:
    saved = give(workspace, REVIEWER, candidate, form())
    assert saved == verdicts.latest(workspace, REVIEWER.id, candidate)
    assert (saved.revision, saved.status, saved.label, saved.blind) == (
        1,
        VerdictStatus.SUBMITTED,
        Label.INCORRECT,
        True,
    )
    assert (saved.reviewer_id, saved.reviewer, saved.question_id) == (REVIEWER.id, "ada", QUESTION_ID)
    assert saved.record["queue"] == ""


def test_the_record_names_question_candidate_and_origin(workspace: Workspace, candidate: str) -> None:
    record = give(workspace, REVIEWER, candidate, form()).record
    assert record["question_title"] == "Is $f$ uniform?"
    assert record["source_url"] == "https://math.stackexchange.com/q/2087"
    assert (record["source_author"], record["licence"], record["dataset_version"]) == (
        "asker",
        "CC BY-SA 4.0",
        "2026-01",
    )
    assert record["candidate_origin"]["model"] == "gpt-x"
    assert record["candidate_origin"]["organisation"] == "X Labs"
    verify(record)


def test_a_verdict_without_label_is_stored_as_not_judged(workspace: Workspace, candidate: str) -> None:
    entered = form(label=None, not_judged=NotJudged.OUT_OF_DEPTH)
    saved = give(workspace, REVIEWER, candidate, entered)
    assert (saved.label, saved.not_judged) == (None, NotJudged.OUT_OF_DEPTH)
    assert verdicts.latest(workspace, REVIEWER.id, candidate) == saved


def test_an_incomplete_form_is_refused_and_the_draft_stays(workspace: Workspace, candidate: str) -> None:
    version = drafts.save(workspace, REVIEWER.id, candidate, form(label=None), based_on=0)
    with pytest.raises(VerdictFormError) as caught:
        give(workspace, REVIEWER, candidate, form(label=None, score_0_7=8))
    assert len(caught.value.problems) == 2
    assert lines(workspace) == []
    kept = drafts.get(workspace, REVIEWER.id, candidate)
    assert kept is not None
    assert (kept.form, kept.version) == (form(label=None), version)


def test_saving_discards_the_draft_of_this_reviewer_alone(workspace: Workspace, candidate: str) -> None:
    for reviewer in (REVIEWER, OTHER):
        drafts.save(workspace, reviewer.id, candidate, form(), based_on=0)
    give(workspace, REVIEWER, candidate, form())
    assert drafts.get(workspace, REVIEWER.id, candidate) is None
    assert drafts.get(workspace, OTHER.id, candidate) is not None


def test_an_unknown_candidate_is_not_found(workspace: Workspace) -> None:
    with pytest.raises(NotFoundError):
        give(workspace, REVIEWER, "0" * 64, form())


def test_the_reference_solution_gets_no_verdict(workspace: Workspace, candidate: str) -> None:
    origin = Origin(AuthorKind.PERSON, person="the expert")
    candidates.add(workspace, [NewCandidate(QUESTION_ID, ANSWER, TextFormat.MARKDOWN, origin, reference=True)])
    with pytest.raises(UqError, match="reference solution"):
        give(workspace, REVIEWER, candidate, form())
    assert verdicts.latest(workspace, REVIEWER.id, candidate) is None


def test_a_second_verdict_supersedes_the_first(workspace: Workspace, candidate: str) -> None:
    first = give(workspace, REVIEWER, candidate, form())
    second = give(workspace, REVIEWER, candidate, form(label=Label.CORRECT))
    assert names(second) == [(first.verdict_id, 2)]
    assert second.record["supersedes"] == f"{first.verdict_id}#1"
    assert verdicts.latest(workspace, REVIEWER.id, candidate) == second
    assert [json.loads(line)["label"] for line in lines(workspace)] == ["incorrect", "correct"]


def test_reviewers_have_verdicts_of_their_own(workspace: Workspace, candidate: str) -> None:
    mine = give(workspace, REVIEWER, candidate, form())
    theirs = give(workspace, OTHER, candidate, form(label=Label.CORRECT))
    assert mine.verdict_id != theirs.verdict_id
    assert [verdicts.latest(workspace, one.id, candidate) for one in (REVIEWER, OTHER)] == [mine, theirs]


def test_a_retraction_is_one_more_revision(workspace: Workspace, candidate: str) -> None:
    saved = give(workspace, REVIEWER, candidate, form())
    taken_back = take_back(workspace, REVIEWER, candidate)
    assert names(taken_back) == [(saved.verdict_id, 2)]
    assert taken_back.status is VerdictStatus.RETRACTED
    assert verdicts.latest(workspace, REVIEWER.id, candidate) == taken_back
    assert len(lines(workspace)) == 2
    verify(taken_back.record)


def test_only_what_stands_can_be_retracted(workspace: Workspace, candidate: str) -> None:
    with pytest.raises(NotFoundError, match="ada has no verdict"):
        take_back(workspace, REVIEWER, candidate)
    give(workspace, REVIEWER, candidate, form())
    take_back(workspace, REVIEWER, candidate)
    with pytest.raises(NotFoundError):
        take_back(workspace, REVIEWER, candidate)
    with pytest.raises(NotFoundError):
        take_back(workspace, OTHER, candidate)


def test_a_verdict_after_a_retraction_goes_on_counting(workspace: Workspace, candidate: str) -> None:
    saved = give(workspace, REVIEWER, candidate, form())
    take_back(workspace, REVIEWER, candidate)
    again = give(workspace, REVIEWER, candidate, form())
    assert names(again) == [(saved.verdict_id, 3)]
    assert (again.status, again.record["supersedes"]) == (VerdictStatus.SUBMITTED, f"{saved.verdict_id}#2")


def test_what_was_shown_before_unblinds_and_what_came_after_does_not(workspace: Workspace, candidate: str) -> None:
    exposures.record(workspace, REVIEWER.id, QUESTION_ID, candidate, Exposure.REASONING, "workbench")
    exposures.record(workspace, OTHER.id, QUESTION_ID, candidate, Exposure.MODEL, "workbench")
    first = give(workspace, REVIEWER, candidate, form())
    exposures.record(workspace, REVIEWER.id, QUESTION_ID, candidate, Exposure.OUTCOMES, "reveal")
    second = give(workspace, REVIEWER, candidate, form())
    assert (first.blind, first.record["revealed_at"]) == (True, "")
    assert [shown["what"] for shown in first.record["exposures"]] == ["reasoning"]
    assert second.blind is False
    assert second.record["revealed_at"] == second.record["exposures"][1]["at"]


def test_a_later_run_never_changes_a_row(workspace: Workspace, candidate: str) -> None:
    run_id = put_evidence(workspace, candidate)
    judgements.save_utilities(workspace, [utility(run_id, candidate)])
    saved = give(workspace, REVIEWER, candidate, form())
    before = lines(workspace)
    put_evidence(workspace, candidate)
    judgements.save_utilities(workspace, [utility(put_run(workspace, RunKind.CBU), candidate, mean=0.1)])
    assert lines(workspace) == before
    assert [found["run_id"] for found in saved.record["evidence"]["outcomes"]] == [run_id, run_id]
    revised = give(workspace, REVIEWER, candidate, form())
    assert len(revised.record["evidence"]["outcomes"]) == 4
    assert [found["mean"] for found in revised.record["evidence"]["utilities"]] == [0.75, 0.1]


def test_a_retraction_keeps_the_evidence_of_what_it_retracts(workspace: Workspace, candidate: str) -> None:
    put_evidence(workspace, candidate)
    saved = give(workspace, REVIEWER, candidate, form())
    put_evidence(workspace, candidate)
    assert take_back(workspace, REVIEWER, candidate).record["evidence"] == saved.record["evidence"]


def test_quotes_are_placed_in_the_raw_answer(workspace: Workspace, candidate: str) -> None:
    (error,) = form().errors
    quotes = (Quote("bounded", 5, 12, "", ""), Quote("uniform", 0, 7, "", ""))
    saved = give(workspace, REVIEWER, candidate, form(errors=(replace(error, quotes=quotes),)))
    placed, lost = saved.record["errors"][0]["quotes"]
    assert ANSWER[placed["start"] : placed["end"]] == "bounded"
    assert (lost["start"], lost["end"]) == (None, None)


def test_records_are_of_one_reviewer_when_one_is_named(workspace: Workspace, candidate: str) -> None:
    give(workspace, REVIEWER, candidate, form())
    give(workspace, OTHER, candidate, form())
    (line,) = verdicts.records(workspace, reviewer_id=OTHER.id)
    assert json.loads(line)["reviewer"]["handle"] == "bo"
    assert len(lines(workspace)) == 2


def test_records_come_in_their_order(workspace: Workspace, candidate: str) -> None:
    other = put_candidate(workspace, "Another answer.")
    for reviewer, which in ((OTHER, other), (REVIEWER, candidate), (OTHER, candidate), (REVIEWER, candidate)):
        give(workspace, reviewer, which, form())
    found = [json.loads(line) for line in lines(workspace)]
    keys = [(row["created_at"], row["verdict_id"], row["revision"]) for row in found]
    assert keys == sorted(keys)
    assert len(keys) == 4


def test_odd_text_makes_a_row_that_verifies(workspace: Workspace) -> None:
    odd = "an answer with \ud83d, \0 and \u2028 in it"
    stored = put_candidate(workspace, odd)
    reviewer = replace(REVIEWER, handle="\ud83d\0")
    reviewers.save(workspace, reviewer)
    (error,) = form().errors
    marked = replace(error, quotes=(Quote("\ud83d, \0", 15, 19, "", ""),))
    saved = give(workspace, reviewer, stored, form(errors=(marked,), rationale="\u2029\udc00"))
    (line,) = lines(workspace)
    verify(json.loads(line))
    assert saved.record["errors"][0]["quotes"][0]["start"] == 15
    assert saved.record["rationale"] == "\u2029\udc00"


def test_a_verdict_says_how_much_of_the_answer_was_marked(workspace: Workspace) -> None:
    for reviewer in (OTHER, REVIEWER):
        reviewers.save(workspace, reviewer)
    answer = "# Proof\r\n\r\nOne.\r\n\r\n$$x$$\r\n\r\n- Two.\r\n- Three.\r\n\r\n```\r\ncode\r\n```"
    key = put_candidate(workspace, answer)
    text = candidates.get(workspace, key).answer
    units = [unit for unit in raw_units(text) if unit]
    assert [answer[slice(*unit)] for unit in units[:4]] == ["One.", "$$x$$", "Two.", "Three."]
    states = [LedgerState.CHECKED, LedgerState.DOUBTFUL, LedgerState.CHECKED, LedgerState.WRONG]
    new = [LedgerMark(*unit, state, "") for unit, state in zip(units, states, strict=False)]
    ledger.put(workspace, REVIEWER.id, answer, [*new, LedgerMark(0, 2, LedgerState.SKIPPED, "no unit is here")])
    ledger.put(workspace, OTHER.id, answer, [LedgerMark(*units[4], LedgerState.SKIPPED, "")])
    mine = give(workspace, REVIEWER, key, form(errors=())).record
    assert mine["ledger"] == {"units": 5, "checked": 2, "doubtful": 1, "wrong": 1, "skipped": 0}
    theirs = give(workspace, OTHER, key, form(errors=())).record
    assert theirs["ledger"] == {"units": 5, "checked": 0, "doubtful": 0, "wrong": 0, "skipped": 1}
    verify(mine)


def test_a_revision_counts_the_ledger_anew_and_a_retraction_keeps_what_was_counted(
    workspace: Workspace, candidate: str
) -> None:
    unit = next(unit for unit in raw_units(candidates.get(workspace, candidate).answer) if unit)
    first = give(workspace, REVIEWER, candidate, form())
    ledger.put(workspace, REVIEWER.id, ANSWER, [LedgerMark(*unit, LedgerState.CHECKED, "")])
    second = give(workspace, REVIEWER, candidate, form())
    ledger.put(workspace, REVIEWER.id, ANSWER, [LedgerMark(*unit, None, "")])
    third = take_back(workspace, REVIEWER, candidate)
    assert [one.record["ledger"]["checked"] for one in (first, second, third)] == [0, 1, 1]
    assert {one.record["ledger"]["units"] for one in (first, second, third)} == {1}


def test_units_of_html_are_counted_as_they_are_read(workspace: Workspace) -> None:
    reviewers.save(workspace, REVIEWER)
    question_id = put_question(workspace)
    html = "<p>One &amp; two.</p><p>$$x$$</p><ul><li>Three.</li></ul>"
    new = NewCandidate(question_id, html, TextFormat.HTML, Origin(AuthorKind.MODEL, model="m"))
    (key,) = candidates.add(workspace, [new])
    units = [unit for unit in raw_units(candidates.get(workspace, key).answer) if unit]
    assert [html[slice(*unit)] for unit in units] == ["One &amp; two.", "$$x$$", "Three."]
    ledger.put(workspace, REVIEWER.id, html, [LedgerMark(*units[0], LedgerState.CHECKED, "")])
    record = give(workspace, REVIEWER, key, form(errors=())).record
    assert (record["ledger"]["units"], record["ledger"]["checked"]) == (3, 1)
