"""The second pass on the screen: one key a decision, on disk before it is shown."""

import pytest
from textual.pilot import Pilot

from store import candidates, queues, reviewers, statements
from store.review_rows import NewItem
from store.statement_record import said_in
from tests.found_runs import audited_by
from tests.judged_runs import judged_run
from tests.screens.conftest import Host, first_question
from tests.screens.waiting import screen_text, shown, wait_until
from uq_tui.errors import StoreError
from uq_tui.screens.reviewing.second_pass import SecondPassScreen
from uq_tui.state.desk import Desk
from uq_tui.state.reading.lines.highlights import Layer
from uq_tui.state.reviewing.second_pass import Matter
from uq_tui.widgets import second_pass_lines
from uq_tui.widgets.finding_list import Entry
from uq_tui.widgets.finding_text import FindingText
from uq_tui.widgets.second_pass_lines import entries
from uq_tui.widgets.title_bar import TitleBar
from uq_tui.words import ErrorCategory, Outcome, QueueMode


def first_candidate(desk: Desk) -> str:
    return candidates.of_question(desk.workspace, first_question(desk.workspace))[0].id


def host(desk: Desk, candidate: str) -> Host:
    bar = TitleBar()
    bar.subject, bar.status = "another problem by now", "$0.42"
    return Host(SecondPassScreen(desk, candidate, bar))


def pointed(pilot: Pilot[None]) -> str:
    view = pilot.app.screen.query_one(FindingText)
    return "".join(view.source[start:end] for start, end in view.highlights.ranges(Layer.POINTED))


async def test_claims_and_judgements_take_one_key_each(desk: Desk) -> None:
    candidate = first_candidate(desk)
    answer = "It is **even**."
    found = [(ErrorCategory.INCORRECT_REASONING, "**even**"), (ErrorCategory.UNJUSTIFIED_COMPRESSION, "It is")]
    audited_by(desk.workspace, candidate, answer, found, model="m\x1b[2J[b]o[/b]")
    judged_run(desk.workspace, candidate, "correctness", {"correctness": Outcome.REJECT, "": Outcome.REJECT})
    app = host(desk, candidate)
    async with app.run_test(size=(120, 40)) as pilot:
        await shown(pilot, "Second pass  c1", "Is √2 odd?", "2 claims, 1 judgement", "0 of 3 decided", "m␛[2J[b]o[/b]")
        assert "a-model" not in screen_text(pilot)  # who wrote it isn't needed here, and so is not told
        assert pointed(pilot) == "**even**"
        await pilot.press("c", "x")  # the second comes while the first is being written
        await shown(pilot, "✓ confirmed", "✗ refuted", "2 of 3 decided, all saved", "Reply at correctness.")
        stored = statements.second_pass(desk.workspace, desk.reviewer.id, candidate)
        assert stored is not None
        assert [one.decision for one in said_in(stored.record).claims] == ["confirm", "refute"]
        await pilot.press("v")
        await shown(pilot, "? unsure", "3 of 3 decided, all saved")
        await pilot.press("u", "u")
        await shown(pilot, "1 of 3 decided, all saved")
        await wait_until(pilot, lambda: pointed(pilot) == "It is")
        await pilot.press("r")
        await shown(pilot, "Reply of the audit.")
        assert app.errors == []


async def test_keys_pressed_faster_than_they_are_written_are_drawn_once(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    candidate = first_candidate(desk)
    found = [(ErrorCategory.OTHER, words) for words in ("It", "is", "**even**")]
    audited_by(desk.workspace, candidate, "It is **even**.", found)
    app = host(desk, candidate)
    async with app.run_test(size=(120, 40)) as pilot:
        await shown(pilot, "3 claims", "0 of 3 decided")
        screen = pilot.app.screen
        assert isinstance(screen, SecondPassScreen)
        drawn: list[Matter] = []

        def counted(matter: Matter) -> tuple[Entry, ...]:
            drawn.append(matter)
            return entries(matter)

        monkeypatch.setattr(second_pass_lines, "entries", counted)
        for meant in ("yes", "no", "unsure"):
            screen.action_decide(meant)
        await shown(pilot, "✓ confirmed", "✗ refuted", "? unsure", "3 of 3 decided, all saved")
        assert len(drawn) == 1
        monkeypatch.setattr(statements, "change", refusing)
        screen.action_undo()
        screen.action_decide("no")  # meant for the item that would have been stood on then
        await wait_until(pilot, lambda: bool(app.errors))
        await app.workers.wait_for_complete()
        monkeypatch.undo()
        await pilot.press("u")
        await shown(pilot, "2 of 3 decided")
        assert len(app.errors) == 1


def refusing(*_: object, **__: object) -> None:
    raise StoreError("The disk is full.")


async def test_a_narrow_terminal_shows_list_and_text_in_turn(desk: Desk) -> None:
    candidate = first_candidate(desk)
    audited_by(desk.workspace, candidate, "It is **even**.", [(ErrorCategory.OTHER, "even")])
    app = host(desk, candidate)
    async with app.run_test(size=(80, 24)) as pilot:
        await shown(pilot, "1 claim, 0 judgements", "· open")
        assert "Answer  c1" not in screen_text(pilot)
        await pilot.press("enter")
        await shown(pilot, "Answer  c1")
        await pilot.press("c")
        await pilot.press("escape")
        await shown(pilot, "✓ confirmed")
        assert app.errors == []


async def test_a_masked_problem_is_refused_and_nothing_of_it_shown(desk: Desk) -> None:
    candidate, ws = first_candidate(desk), desk.workspace
    audited_by(ws, candidate, "It is **even**.", [(ErrorCategory.OTHER, "even")])
    share = {reviewers.current(ws).id: [NewItem(first_question(ws), candidate)]}
    queues.make(ws, name="q", mode=QueueMode.BLIND, spec={}, guideline="", shares=share)
    app = host(desk, candidate)
    async with app.run_test(size=(120, 40)) as pilot:
        await wait_until(pilot, lambda: bool(app.errors))
        assert "blind" in str(app.errors[0])
        assert "openai/o3" not in screen_text(pilot)
