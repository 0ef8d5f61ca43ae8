"""Claims and judgements of machines, decided one by one after the reveal."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from store import blindness, calls, exposures, queues, reviewers, runs, statements
from store.html import html_to_markdown
from store.review_rows import NewItem
from store.rows import Text
from store.statement_record import said_in
from store.workspace import Workspace
from tests.document.drawn import lay_out
from tests.engine.runs.scripted import QUESTION, add_candidates, add_question
from tests.fakes.scripted_engine import ScriptedEngine
from tests.found_runs import audited_by, begun_judging, judged_by, put_samples
from tests.judged_runs import begun_run, judged_run, three_iter
from tests.kept_calls import stored_call
from uq_tui.engine.requests import ModelChoice
from uq_tui.errors import BlindError
from uq_tui.state.desk import Desk
from uq_tui.state.reviewing.claims import ClaimItem, quoted_place
from uq_tui.state.reviewing.second_pass import Matter, SecondPass, decide, read
from uq_tui.state.reviewing.traces import StageItem
from uq_tui.words import (
    ClaimDecision,
    ErrorCategory,
    Exposure,
    Outcome,
    QueueMode,
    RunState,
    Soundness,
    TextFormat,
)

ANSWER = "By Gauss, it is so.\nClearly every map is uniform.\nSo it is 7."
FOUND = [(ErrorCategory.EXTERNAL_REFERENCES, "By Gauss"), (ErrorCategory.INCORRECT_REASONING, "So it is 7")]
GRADE = 'I looked.\n<grade code="QX2ABCDE"><score>{}</score><assessment>A try.</assessment><errors>{}</errors></grade>'
ERRORS = "- “every map is uniform” is false.\n- Nothing is shown. \x1b[2J"


@pytest.fixture
def candidate(workspace: Workspace) -> str:
    add_question(workspace)
    (added,) = add_candidates(workspace, ANSWER)
    return added


def graded_by(ws: Workspace, candidate_id: str, errors: Sequence[str]) -> str:
    """The id of a finished run of the proof grader, whose samples list these errors; "" is a full grade."""
    run = begun_judging(ws, len(errors), judge="proof_grader", top=7)
    graded = [(3.0, told) if told else (7.0, "") for told in errors]
    replies = [GRADE.format(int(score), told) for score, told in graded]
    calls.save(ws, [stored_call(f"{run.id} {sample}", run.id, reply) for sample, reply in enumerate(replies)])
    put_samples(ws, run, candidate_id, [score for score, _ in graded])
    runs.set_state(ws, run.id, RunState.DONE)
    return run.id


def matter(ws: Workspace, candidate_id: str) -> Matter:
    return read(ws, reviewers.current(ws), candidate_id)


async def opened(ws: Workspace, candidate_id: str) -> SecondPass:
    desk = await Desk.sit_down(ws, ScriptedEngine(ws.path), ModelChoice("replay/none"))
    state = SecondPass(desk, candidate_id)
    await state.load()
    return state


def test_claims_of_audits_and_graders_come_before_judgements(workspace: Workspace, candidate: str) -> None:
    audited_by(workspace, candidate, ANSWER, FOUND)
    run_id = graded_by(workspace, candidate, ["", ERRORS])
    judged_by(workspace, candidate, [8.0])
    judged = judged_run(workspace, candidate, "correctness", {"correctness": Outcome.ACCEPT, "": Outcome.ACCEPT})
    found = matter(workspace, candidate).items
    claims = [one for one in found if isinstance(one, ClaimItem)]
    assert [(one.id, one.source) for one in claims] == [
        ("0000000000000001", "audit by openai/o3"),
        ("0000000000000002", "audit by openai/o3"),
        (f"{run_id}/1/1", "proof_grader by openai/o3"),
        (f"{run_id}/1/2", "proof_grader by openai/o3"),
    ]
    assert [ANSWER[slice(*one.place)] if one.place else None for one in claims] == [
        "By Gauss",
        "So it is 7",
        "every map is uniform",
        None,
    ]
    (stage,) = found[4:]
    assert isinstance(stage, StageItem)
    assert (stage.run_id, stage.path, stage.outcome, stage.source) == (
        judged.id,
        "correctness",
        Outcome.ACCEPT,
        "3-Iter by openai/o3",
    )


def test_what_is_asked_again_and_remembered_stands_once(workspace: Workspace, candidate: str) -> None:
    for _ in range(2):
        audited_by(workspace, candidate, ANSWER, FOUND[:1])
    audited_by(workspace, candidate, ANSWER, FOUND[:1], model="openai/o4")
    run_id = graded_by(workspace, candidate, ["It is false."])
    again = begun_judging(workspace, 1, judge="proof_grader", top=7)
    put_samples(workspace, again, candidate, [3.0])
    remembered = replace(stored_call(f"{run_id} 0", run_id, ""), key=f"{run_id} 0")
    calls.save(workspace, [remembered])
    sources = [one.source for one in matter(workspace, candidate).items]
    assert sources == ["audit by openai/o3", "audit by openai/o4", "proof_grader by openai/o3"]


def test_each_judgement_of_a_finished_run_is_one_to_judge(workspace: Workspace, candidate: str) -> None:
    notation = "cycle_consistency r3 unanimous => fact_logic r3 unanimous => correctness r3 unanimous"
    judged_run(workspace, candidate, notation, three_iter("ars"))
    begun = begun_run(workspace, "correctness")
    assert begun.state is RunState.QUEUED
    found = [one for one in matter(workspace, candidate).items if isinstance(one, StageItem)]
    assert [(one.path, one.title) for one in found] == [
        ("cycle_consistency/1", "cycle consistency, turn 1"),
        ("cycle_consistency/2", "cycle consistency, turn 2"),
        ("cycle_consistency/3", "cycle consistency, turn 3"),
        ("fact_logic/1", "fact logic, turn 1"),
        ("fact_logic/2", "fact logic, turn 2"),
    ]
    call = calls.get(workspace, found[0].call_key)
    assert call is not None
    assert call.reply == "Reply at cycle_consistency/1."  # not the question that was inferred before


def test_a_masked_problem_is_refused(workspace: Workspace, candidate: str) -> None:
    me = reviewers.current(workspace)
    share = {me.id: [NewItem(QUESTION, candidate)]}
    queues.make(workspace, name="q", mode=QueueMode.BLIND, spec={}, guideline="", shares=share)
    with pytest.raises(BlindError):
        read(workspace, me, candidate)
    assert exposures.of_candidate(workspace, me.id, candidate) == ()
    blindness.reveal(workspace, me.id, QUESTION)
    assert read(workspace, me, candidate).items == ()


def test_an_assisted_queue_shows_claims_first(workspace: Workspace, candidate: str) -> None:
    me = reviewers.current(workspace)
    share = {me.id: [NewItem(QUESTION, candidate)]}
    queues.make(workspace, name="q", mode=QueueMode.ASSISTED, spec={}, guideline="", shares=share)
    audited_by(workspace, candidate, ANSWER, FOUND)
    assert len(read(workspace, me, candidate).items) == 2


async def test_each_decision_is_on_disk_before_it_is_shown(workspace: Workspace, candidate: str) -> None:
    audited_by(workspace, candidate, ANSWER, FOUND)
    judged_run(workspace, candidate, "correctness", {"correctness": Outcome.REJECT, "": Outcome.REJECT})
    state = await opened(workspace, candidate)
    assert (state.counts, state.progress) == ("2 claims, 1 judgement", "0 of 3 decided")
    assert state.matter is not None
    first, second, stage = (one.key for one in state.matter.items)
    assert await state.decide(first, ClaimDecision.CONFIRM) == second
    assert await state.decide(second, ClaimDecision.REFUTE) == stage
    assert await state.decide(stage, Soundness.UNSOUND) == stage
    assert state.progress == "3 of 3 decided, all saved"
    stored = statements.second_pass(workspace, reviewers.current(workspace).id, candidate)
    assert stored is not None
    assert said_in(stored.record) == state.matter.said
    assert [row["decision"] for row in stored.record["claims"]] == ["confirm", "refute"]
    assert [(row["stage"], row["sound"]) for row in stored.record["trace_soundness"]] == [("correctness", "unsound")]
    again = await opened(workspace, candidate)
    assert again.progress == "3 of 3 decided, all saved"


async def test_undo_takes_back_one_by_one(workspace: Workspace, candidate: str) -> None:
    audited_by(workspace, candidate, ANSWER, FOUND)
    state = await opened(workspace, candidate)
    assert state.matter is not None
    first, second = state.matter.items
    await state.decide(first.key, ClaimDecision.CONFIRM)
    await state.decide(first.key, ClaimDecision.UNSURE)
    await state.decide(second.key, ClaimDecision.REFUTE)
    assert await state.undo() == second.key
    assert await state.undo() == first.key
    assert (state.matter.decision(first), state.matter.decision(second)) == (ClaimDecision.CONFIRM, None)
    assert await state.undo() == first.key
    assert (await state.undo(), state.undoable, state.progress) == ("", False, "0 of 2 decided")
    assert len(list(statements.records(workspace))) == 6


async def test_two_windows_keep_each_others_decisions(workspace: Workspace, candidate: str) -> None:
    audited_by(workspace, candidate, ANSWER, FOUND)
    one, other = await opened(workspace, candidate), await opened(workspace, candidate)
    assert one.matter is not None
    first, second = one.matter.items
    await asyncio.gather(one.decide(first.key, ClaimDecision.CONFIRM), other.decide(second.key, ClaimDecision.REFUTE))
    assert matter(workspace, candidate).decided == 2


async def test_the_next_item_is_the_next_without_a_decision(workspace: Workspace, candidate: str) -> None:
    audited_by(workspace, candidate, ANSWER, [*FOUND, (ErrorCategory.OTHER, "Clearly")])
    state = await opened(workspace, candidate)
    assert state.matter is not None
    first, second, third = (one.key for one in state.matter.items)
    assert await state.decide(second, ClaimDecision.CONFIRM) == third
    assert await state.decide(third, ClaimDecision.CONFIRM) == first
    assert state.next_after("nowhere") == first
    assert await state.decide(first, ClaimDecision.CONFIRM) == second
    assert await state.decide("nowhere", ClaimDecision.CONFIRM) == "nowhere"


async def test_what_is_shown_is_recorded(workspace: Workspace, candidate: str) -> None:
    me = reviewers.current(workspace)
    state = await opened(workspace, candidate)
    assert (state.progress, exposures.of_candidate(workspace, me.id, candidate)) == ("Nothing to decide", ())
    audited_by(workspace, candidate, ANSWER, FOUND)
    await state.load()
    assert [(row.what, row.where) for row in exposures.of_candidate(workspace, me.id, candidate)] == [
        (Exposure.CLAIMS, "second pass")
    ]
    graded_by(workspace, candidate, [ERRORS])
    judged_run(workspace, candidate, "correctness", {"correctness": Outcome.REJECT, "": Outcome.REJECT})
    await state.load()
    shown = {row.what for row in exposures.of_candidate(workspace, me.id, candidate)}
    assert shown == {Exposure.CLAIMS, Exposure.OUTCOMES, Exposure.SCORES}


def test_decisions_on_what_is_no_longer_listed_are_kept(workspace: Workspace, candidate: str) -> None:
    me = reviewers.current(workspace)
    audited_by(workspace, candidate, ANSWER, FOUND)
    found = matter(workspace, candidate)
    gone = replace(found.items[0], id="gone") if isinstance(found.items[0], ClaimItem) else found.items[0]
    decide(workspace, me, found.candidate, gone, ClaimDecision.CONFIRM)
    said = decide(workspace, me, found.candidate, found.items[1], ClaimDecision.REFUTE)
    assert [one.claim_id for one in said.claims] == ["gone", found.items[1].id]  # type: ignore[union-attr]


def test_a_quote_in_html_has_its_place_in_the_raw_text() -> None:
    raw = "<p>So <em>every</em> map &amp; set is small.</p>"
    answer = Text("0", TextFormat.HTML, raw, html_to_markdown(raw))
    place = quoted_place("It says “map & set is small”, but no.", answer)
    assert place is not None
    assert raw[slice(*place)] == "map &amp; set is small"


@pytest.mark.parametrize(
    "words",
    ["“it is”", "No quote.", "“nowhere to be found”", "", '"unfinished quotation', "“" * 20_000, '"' * 20_001],
)
def test_what_can_not_be_placed_has_no_place(words: str) -> None:
    assert quoted_place(words, Text("0", TextFormat.MARKDOWN, ANSWER, ANSWER)) is None


def test_the_longest_quotation_that_is_there_once_counts() -> None:
    answer = Text("0", TextFormat.MARKDOWN, ANSWER, ANSWER)
    assert quoted_place('Both "Clearly every" and `every map is uniform` are wrong.', answer) == (28, 48)


def test_what_a_model_wrote_stays_in_its_quotation(workspace: Workspace, candidate: str) -> None:
    graded_by(workspace, candidate, ["# Heading\n\n<b>- x</b>\n```\n\x1b[2J"])
    (item,) = matter(workspace, candidate).items
    drawn = lay_out(item.about, 60)
    assert not any("\x1b" in span.text for line in drawn.lines for span in line.spans)
    assert item.about.count("\n> ") == 5
