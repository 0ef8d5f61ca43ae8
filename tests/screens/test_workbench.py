from functools import partial
from pathlib import Path

import pytest
from textual import events
from textual.widgets import TextArea

from store import candidates, drafts, exposures, judgements, neighbours, runs, verdicts
from store.rows import NewCandidate, Origin
from store.run_rows import NeighbourValue, StageOutcome, Utility
from tests.screens.conftest import SIZE, bench, engine_of, first_question, ids, opened
from tests.screens.waiting import screen_text, wait_until
from uq_tui.engine.client import EngineClient
from uq_tui.engine.protocol import (
    CallFinished,
    CallStarted,
    CandidateAdded,
    OutcomeDecided,
    RunFinished,
    RunStarted,
    TextDelta,
    UtilityUpdated,
)
from uq_tui.engine.requests import CbuRequest, GenerateRequest, ValidateRequest
from uq_tui.errors import EngineLostError
from uq_tui.state.desk import Desk
from uq_tui.widgets.document import Document
from uq_tui.words import AuthorKind, CallState, Exposure, Label, Outcome, RunKind, RunState, TextFormat


async def test_the_chosen_answer_is_read_and_text_turns_to_reasoning_and_question(desk: Desk) -> None:
    host = bench(desk)
    async with host.run_test(size=SIZE) as pilot:
        await opened(pilot)
        await pilot.press("down")
        await wait_until(pilot, lambda: "It is odd." in screen_text(pilot))
        await pilot.press("up", "t")
        await wait_until(pilot, lambda: "Squares of odds are odd." in screen_text(pilot))
        await pilot.press("t")
        await wait_until(pilot, lambda: "Think about parity" in screen_text(pilot))


async def test_keys_start_runs_on_what_is_shown(desk: Desk) -> None:
    host = bench(desk)
    async with host.run_test(size=SIZE) as pilot:
        await opened(pilot)
        await pilot.press("v", "u")
        await wait_until(pilot, lambda: "48 calls to replay/none" in screen_text(pilot))
        await pilot.press("enter", "g")
        await wait_until(pilot, lambda: len(engine_of(desk).requests) == 3)
        validate, measure, generate = engine_of(desk).requests
        assert validate == ValidateRequest((ids(desk)[0],), desk.model)
        assert measure == CbuRequest(first_question(desk.workspace), desk.model)
        assert generate == GenerateRequest((first_question(desk.workspace),), desk.model)


async def test_utility_is_shown_with_its_counts_and_control(desk: Desk) -> None:
    run = runs.create(desk.workspace, RunKind.CBU, "cbu", {"model": {"id": "solver", "api_base": ""}}, 1)
    host = bench(desk)
    async with host.run_test(size=SIZE) as pilot:
        await opened(pilot)
        chosen = ids(desk)[0]
        first, second = (n.id for n in neighbours.of_question(desk.workspace, first_question(desk.workspace)))
        judgements.save_utilities(
            desk.workspace,
            [
                Utility(
                    run.id,
                    chosen,
                    "solver",
                    0.5,
                    0.3,
                    0.7,
                    8,
                    (NeighbourValue(first, 3, 8, 0), NeighbourValue(second, 5, 8, 0)),
                    (NeighbourValue(first, 1, 8, 0), NeighbourValue(second, 0, 7, 1)),
                    0.0625,
                    0.4375,
                    0.2,
                    0.6,
                    complete=True,
                    constrained=True,
                )
            ],
        )
        engine_of(desk).tell(UtilityUpdated(run.id, chosen, 0.5, True))
        await wait_until(pilot, lambda: "3/8" in screen_text(pilot) and "1/15" in screen_text(pilot))
        text = screen_text(pilot)
        assert "T = 8 fixed" in text
        assert "solver solver" in text
        assert "+.44 [+.20, +.60]" in text
        assert "results mean" in text


async def test_a_candidate_being_written_is_read_live_then_from_the_store(desk: Desk) -> None:
    host = bench(desk)
    async with host.run_test(size=SIZE) as pilot:
        await opened(pilot)
        engine, question = engine_of(desk), first_question(desk.workspace)
        engine.tell(CallStarted("r", "w", "", f"{question}/0", "m"))
        await wait_until(pilot, lambda: "being written" in screen_text(pilot) and "w" in engine.watched)
        engine.tell(TextDelta("w", "", 0, "Once upon", 0))
        await wait_until(pilot, lambda: "Once upon" in host.screen.query_one("#text", Document).source)
        (new,) = candidates.add(desk.workspace, [_candidate(question, "Once upon a time.")])
        engine.tell(CallFinished("r", "w", "", f"{question}/0", CallState.DONE, None, "", False))
        engine.tell(CandidateAdded("r", question, new))
        await wait_until(pilot, lambda: "Once upon a time." in screen_text(pilot))
        assert "being written" not in screen_text(pilot)


def _candidate(question_id: str, answer: str) -> NewCandidate:
    return NewCandidate(question_id, answer, TextFormat.MARKDOWN, Origin(AuthorKind.MODEL, model="m"))


async def test_a_verdict_by_keys_is_on_disk_and_shown(desk: Desk) -> None:
    host = bench(desk)
    async with host.run_test(size=SIZE) as pilot:
        await opened(pilot)
        await pilot.press("enter")
        await wait_until(pilot, lambda: "^s records" in screen_text(pilot))
        await pilot.press("x", "tab", "4", "tab", "3", "tab", "r", "w", "ctrl+s")
        await wait_until(pilot, lambda: "you: incorrect" in screen_text(pilot))
        kept = verdicts.latest(desk.workspace, desk.reviewer.id, ids(desk)[0])
        assert kept is not None
        assert (kept.label, kept.record["confidence"], kept.record["score_0_7"]) == (Label.INCORRECT, 4, 3)
        assert [e["category"] for e in kept.record["errors"]] == ["incorrect_reasoning", "wrong_final_answer"]


async def test_what_is_typed_right_before_saving_is_in_the_verdict(desk: Desk) -> None:
    """Keys may wait in the text's queue when Ctrl+S comes; none may be lost."""
    host = bench(desk)
    async with host.run_test(size=SIZE) as pilot:
        await opened(pilot)
        await pilot.press("enter")
        await wait_until(pilot, lambda: "^s records" in screen_text(pilot))
        await pilot.press("x")
        host.screen.query_one("#rationale", TextArea).focus()
        await pilot.pause()
        for key in [*"typed fast", "ctrl+s"]:
            host.post_message(events.Key({" ": "space"}.get(key, key), key if len(key) == 1 else None))
        await wait_until(pilot, lambda: "you: incorrect" in screen_text(pilot))
        kept = verdicts.latest(desk.workspace, desk.reviewer.id, ids(desk)[0])
        assert kept is not None
        assert kept.record["rationale"] == "typed fast"


async def test_a_second_verdict_is_a_revision_and_can_be_retracted(desk: Desk) -> None:
    host = bench(desk)
    async with host.run_test(size=SIZE) as pilot:
        await opened(pilot)
        await pilot.press("enter")
        await wait_until(pilot, lambda: "^s records" in screen_text(pilot))
        await pilot.press("x", "ctrl+s")
        await wait_until(pilot, lambda: "you: incorrect" in screen_text(pilot))
        await pilot.press("left", "enter")
        await wait_until(pilot, lambda: "records a revision" in screen_text(pilot))
        await pilot.press("c", "ctrl+s")
        await wait_until(pilot, lambda: "you: correct" in screen_text(pilot))
        await pilot.press("left", "enter")
        await wait_until(pilot, lambda: "records a revision" in screen_text(pilot))
        await pilot.press("ctrl+r")
        await wait_until(pilot, lambda: "you: retracted" in screen_text(pilot))
        kept = verdicts.latest(desk.workspace, desk.reviewer.id, ids(desk)[0])
        assert kept is not None
        assert (kept.revision, kept.status) == (3, "retracted")


async def test_what_is_entered_is_a_draft_after_a_pause_and_comes_back(desk: Desk) -> None:
    host = bench(desk)
    async with host.run_test(size=SIZE) as pilot:
        await opened(pilot)
        await pilot.press("enter")
        await wait_until(pilot, lambda: "^s records" in screen_text(pilot))
        await pilot.press("v", *["tab"] * 6, *"half a though")

        def kept() -> bool:
            draft = drafts.get(desk.workspace, desk.reviewer.id, ids(desk)[0])
            return draft is not None and (draft.form.label, draft.form.rationale) == (Label.UNSURE, "half a though")

        await wait_until(pilot, kept)
        await wait_until(pilot, lambda: "Draft kept" in screen_text(pilot))
    again = bench(desk)
    async with again.run_test(size=SIZE) as pilot:
        await opened(pilot)
        await pilot.press("enter")
        await wait_until(pilot, lambda: "Your draft" in screen_text(pilot))
        assert again.screen.query_one("#rationale", TextArea).text == "half a though"


async def test_a_verdict_without_a_label_says_what_is_missing_and_keeps_the_rest(desk: Desk) -> None:
    host = bench(desk)
    async with host.run_test(size=SIZE) as pilot:
        await opened(pilot)
        await pilot.press("enter")
        await wait_until(pilot, lambda: "^s records" in screen_text(pilot))
        await pilot.press("tab", "4", "ctrl+s")
        await wait_until(pilot, lambda: len(host.errors) == 1)
        assert "Choose a label" in str(host.errors[0])
        assert verdicts.latest(desk.workspace, desk.reviewer.id, ids(desk)[0]) is None


async def test_what_was_shown_before_a_verdict_is_logged(desk: Desk) -> None:
    chosen = ids(desk)[0]
    run = runs.create(
        desk.workspace, RunKind.VALIDATE, "3-iter", {"model": {"id": "m", "api_base": ""}, "stages": []}, 1
    )
    judgements.save_outcomes(
        desk.workspace, [StageOutcome(run.id, chosen, "", Outcome.ACCEPT, "", "", 0, "2026-01-01T00:00:00Z")]
    )
    host = bench(desk)
    async with host.run_test(size=SIZE) as pilot:
        await opened(pilot)
        await pilot.press("t")
        await wait_until(pilot, lambda: len(exposures.of_candidate(desk.workspace, desk.reviewer.id, chosen)) == 3)
        shown = {row.what for row in exposures.of_candidate(desk.workspace, desk.reviewer.id, chosen)}
        assert shown == {Exposure.MODEL, Exposure.OUTCOMES, Exposure.REASONING}


async def test_runs_can_be_cancelled_only_while_some_run(desk: Desk) -> None:
    host = bench(desk)
    async with host.run_test(size=SIZE) as pilot:
        await opened(pilot)
        assert "Cancel runs" not in screen_text(pilot)
        engine_of(desk).tell(RunStarted("t", "r", RunKind.VALIDATE, "3-iter"))
        await wait_until(pilot, lambda: "Cancel runs" in screen_text(pilot))
        await pilot.press("k")
        assert engine_of(desk).cancelled == ["r"]
        engine_of(desk).tell(RunFinished("r", RunState.CANCELLED, ""))
        await wait_until(pilot, lambda: "Cancel runs" not in screen_text(pilot))


@pytest.mark.parametrize("size", [(80, 24), (100, 30)])
async def test_on_a_narrow_terminal_arrows_turn_the_columns(desk: Desk, size: tuple[int, int]) -> None:
    host = bench(desk)
    async with host.run_test(size=size) as pilot:
        await wait_until(pilot, lambda: "c1" in screen_text(pilot))
        await pilot.press("right")
        await wait_until(pilot, lambda: "It is even" in screen_text(pilot))
        await pilot.press("right")
        await wait_until(pilot, lambda: "Stages" in screen_text(pilot))


async def test_a_wide_terminal_shows_question_and_answer_together(desk: Desk) -> None:
    host = bench(desk)
    async with host.run_test(size=(200, 60)) as pilot:
        await opened(pilot)
        await wait_until(pilot, lambda: "Think about parity" in screen_text(pilot))


async def test_an_answer_is_added_by_hand_with_its_author(desk: Desk) -> None:
    host = bench(desk)
    async with host.run_test(size=SIZE) as pilot:
        await opened(pilot)
        await pilot.press("a")
        await wait_until(pilot, lambda: "New candidate" in screen_text(pilot))
        await pilot.press(*"By hand.", "tab", "tab", "p", "tab", *"Ada", "ctrl+s")
        await wait_until(pilot, lambda: "By hand." in screen_text(pilot) and "Answer  c3" in screen_text(pilot))
        added = candidates.of_question(desk.workspace, first_question(desk.workspace))[-1]
        assert (added.origins[0].person, added.origins[0].source) == ("Ada", "entered by hand")


async def test_an_experts_solution_is_added_by_hand_as_the_reference(desk: Desk) -> None:
    host = bench(desk)
    async with host.run_test(size=SIZE) as pilot:
        await opened(pilot)
        await pilot.press("a")
        await wait_until(pilot, lambda: "New candidate" in screen_text(pilot))
        assert "own solution" not in screen_text(pilot)
        await pilot.press(*"By hand.", "tab", "tab", "p")
        await wait_until(pilot, lambda: "the expert's own solution" in screen_text(pilot))
        await pilot.press("tab", *"Eve", "tab", "tab", "tab", "e", "ctrl+s")
        await wait_until(pilot, lambda: "◆ reference" in screen_text(pilot) and "Answer  c3" in screen_text(pilot))
        added = candidates.of_question(desk.workspace, first_question(desk.workspace))[-1]
        assert (added.origins[0].person, added.reference) == ("Eve", True)


async def test_an_answer_is_loaded_from_a_file(desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "answer.md"
    file.write_text("From a file.", encoding="utf-8")
    host = bench(desk)
    async with host.run_test(size=SIZE) as pilot:
        await opened(pilot)
        await pilot.press("a")
        await wait_until(pilot, lambda: "New candidate" in screen_text(pilot))
        await pilot.press("tab", *str(file), "enter")
        await wait_until(pilot, lambda: "Loaded" in screen_text(pilot))
        await pilot.press("ctrl+s")
        await wait_until(pilot, lambda: "From a file." in screen_text(pilot) and "Answer  c3" in screen_text(pilot))


async def test_on_a_narrow_terminal_a_verdict_is_given_where_it_is_seen(desk: Desk) -> None:
    host = bench(desk)
    async with host.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: "c1" in screen_text(pilot) and "[Candidates]" in screen_text(pilot))
        await pilot.press("enter")
        await wait_until(pilot, lambda: "Your verdict on c1" in screen_text(pilot) and "[Text]" in screen_text(pilot))
        await pilot.press("x", "ctrl+s")
        await wait_until(pilot, lambda: "Your verdict" not in screen_text(pilot))
        await pilot.press("left")
        await wait_until(pilot, lambda: "you: incorrect" in screen_text(pilot))


async def test_a_name_is_not_read_as_markup(desk: Desk) -> None:
    by = Origin(AuthorKind.MODEL, model="[red]one[/blue]", source="test")
    new = NewCandidate(first_question(desk.workspace), "By a strange name.", TextFormat.MARKDOWN, by)
    candidates.add(desk.workspace, [new])
    host = bench(desk)
    async with host.run_test(size=SIZE) as pilot:
        await opened(pilot)
        await pilot.press("down", "down")
        await wait_until(pilot, lambda: "Answer  c3  [red]one[/blue]" in screen_text(pilot))
        assert host.errors == []


async def test_what_is_shown_while_a_run_goes_on_is_logged_at_once(desk: Desk) -> None:
    chosen = ids(desk)[0]
    host = bench(desk)
    async with host.run_test(size=SIZE) as pilot:
        await opened(pilot)
        engine_of(desk).tell(OutcomeDecided("r", chosen, "correctness", Outcome.REJECT, "", ""))

        def logged() -> bool:
            rows = exposures.of_candidate(desk.workspace, desk.reviewer.id, chosen)
            return Exposure.OUTCOMES in {row.what for row in rows}

        await wait_until(pilot, logged)


async def test_cancelling_without_an_engine_is_reported(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    host = bench(desk)
    async with host.run_test(size=SIZE) as pilot:
        await opened(pilot)
        engine = engine_of(desk)
        engine.tell(RunStarted("t", "r", RunKind.VALIDATE, "3-iter"))
        monkeypatch.setattr(engine, "cancel", partial(EngineClient.cancel, engine))
        await pilot.press("k")
        await wait_until(pilot, lambda: len(host.errors) == 1)
        assert isinstance(host.errors[0], EngineLostError)
