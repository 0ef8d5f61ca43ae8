"""What machines found about a candidate, on the screen."""

import pytest
from textual.pilot import Pilot

from store import candidates, exposures, runs
from store.rows import NewCandidate, Origin
from tests.found_elsewhere import TWO, put_row, put_validated, utility_row
from tests.found_runs import audited_by, begun_judging, judged_by, put_samples
from tests.screens.conftest import Host, bench, engine_of, first_question, opened
from tests.screens.waiting import screen_text, shown, wait_until
from uq_tui.engine.protocol import RunFinished, RunStarted, ScoreRead
from uq_tui.engine.requests import AuditRequest, JudgeRequest
from uq_tui.screens.findings import FindingsScreen
from uq_tui.state.desk import Desk
from uq_tui.state.reading.lines.highlights import Layer
from uq_tui.widgets.finding_text import FindingText
from uq_tui.widgets.title_bar import TitleBar
from uq_tui.words import AuthorKind, ErrorCategory, Exposure, Reading, RunKind, RunState, TextFormat

SIZE = (120, 40)
LINES = "\n\n".join(f"Line {number} of the answer." for number in range(40))
ANSWER = f"By arXiv:2613.04412 it is [b]odd[/b]\x1b[2J.\n\n{LINES}\n\nClearly $x^2$ is even, see doi:10.1090/noti1380."


@pytest.fixture
def candidate(desk: Desk) -> str:
    """A long answer with two references, one of which can't exist."""
    new = NewCandidate(
        first_question(desk.workspace),
        ANSWER,
        TextFormat.MARKDOWN,
        Origin(AuthorKind.MODEL, model="a-model", source="t"),
    )
    (added,) = candidates.add(desk.workspace, [new])
    return added


def host(desk: Desk, candidate: str) -> Host:
    return Host(FindingsScreen(desk, candidates.get(desk.workspace, candidate), header()))


def header() -> TitleBar:
    """The workbench's."""
    bar = TitleBar()
    bar.place, bar.subject, bar.status = "Workbench", "q1  Is x² odd?", "a-model  $0.42"
    return bar


def marked(pilot: Pilot[None]) -> str:
    """The source of what is pointed at in the answer."""
    view = pilot.app.screen.query_one(FindingText)
    return "".join(view.source[start:end] for start, end in view.highlights.ranges(Layer.POINTED))


def exposed(desk: Desk, candidate: str) -> set[Exposure]:
    rows = exposures.of_candidate(desk.workspace, desk.reviewer.id, candidate)
    return {row.what for row in rows if row.where == "findings"}


async def test_references_come_first_with_flags_and_the_answer_beside_them(desk: Desk, candidate: str) -> None:
    app = host(desk, candidate)
    judged_by(desk.workspace, candidate, [8])
    async with app.run_test(size=SIZE) as pilot:
        await shown(pilot, "2 references, 1 malformed", "Nothing here has been looked up.", "✗ malformed: an arXiv id")
        await shown(pilot, "[b]odd[/b]␛[2J", "Findings  c3 q1 Is x² odd?", "$0.42", "Answer  c3  a-model")
        assert marked(pilot) == "arXiv:2613.04412"
        await pilot.press("down")
        await shown(pilot, "Clearly x² is even", "doi, line 83")
        assert marked(pilot) == "doi:10.1090/noti1380"
        assert exposed(desk, candidate) == {Exposure.MODEL}
        assert app.errors == []


async def test_claims_are_read_beside_their_quotes_and_recorded(desk: Desk, candidate: str) -> None:
    audited_by(
        desk.workspace,
        candidate,
        ANSWER,
        [(ErrorCategory.UNJUSTIFIED_COMPRESSION, "Clearly $x^2$"), (ErrorCategory.INCORRECT_REASONING, "Line 30")],
        dropped=2,
    )
    app = host(desk, candidate)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("2")
        await shown(pilot, "2 claims, 2 quotes dropped", "Incorrect reasoning (1)", "each may be wrong", "Fix 2.")
        assert marked(pilot) == "Line 30"
        assert exposed(desk, candidate) == {Exposure.MODEL, Exposure.CLAIMS}
        await pilot.press("down")
        await shown(pilot, "Problem: Problem 1.")
        await wait_until(pilot, lambda: marked(pilot) == "Clearly $x^2$")
        await pilot.press("home")
        await shown(pilot, "Reply of the audit.")


async def test_older_audits_can_be_read_too(desk: Desk, candidate: str) -> None:
    for model in ("m/old", "m/new"):
        audited_by(desk.workspace, candidate, ANSWER, model=model)
    app = host(desk, candidate)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("2")
        await shown(pilot, "Audit 1 of 2", "by m/new")
        await pilot.press("]")
        await shown(pilot, "Audit 2 of 2", "by m/old")
        await pilot.press("]", "[", "[")
        await shown(pilot, "Audit 1 of 2", "by m/new")


async def test_judges_are_listed_with_samples_and_their_replies(desk: Desk, candidate: str) -> None:
    judged_by(desk.workspace, candidate, [8, 10, "no line with the code", "!status 500"])
    app = host(desk, candidate)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("3")
        await shown(
            pilot, "scale_10 by openai/o3", "9.00 ± 1.41  2 of 4 scored  at 10: 50 % (1/2)", "1 unparsed, 1 failed"
        )
        await shown(pilot, "unparsed: no line with the code", "failed: status 500")
        assert exposed(desk, candidate) == {Exposure.MODEL, Exposure.SCORES}
        await pilot.press("enter", "down", "enter")
        await shown(pilot, "Reply of sample 2", "Thought of sample 1.", "Reply of sample 1.")
        assert pilot.app.screen.focused is pilot.app.screen.query_one(FindingText)
        await pilot.press("left", "end")
        await shown(pilot, "Answer  c3")


async def test_a_judge_is_chosen_and_its_scores_stream_in_until_it_is_cancelled(desk: Desk, candidate: str) -> None:
    app, engine = host(desk, candidate), engine_of(desk)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("3")
        await shown(pilot, "Not scored yet. j chooses a judge")
        await pilot.press("j")
        await shown(pilot, "8 calls to replay/none", "Played back, no model was asked.")
        await pilot.press("down", "tab", "x", "enter")
        await shown(pilot, "Samples are a number from 1 to 1,000.")
        await pilot.press("backspace", "4", "enter")
        await wait_until(pilot, lambda: bool(engine.requests))
        assert engine.requests == [JudgeRequest((candidate,), desk.model, "proof_grader", 4)]
        run = begun_judging(desk.workspace, 4, judge="proof_grader", top=7)
        engine.tell(RunStarted("ticket-1", run.id, RunKind.JUDGE, "x"))
        await shown(pilot, "◌ 1 run under way", "its scores appear here one by one")
        assert exposed(desk, candidate) == {Exposure.MODEL}
        put_samples(desk.workspace, run, candidate, [6, 7])
        engine.tell(
            ScoreRead(run.id, candidate, 0, 6.0, Reading.READ), ScoreRead(run.id, candidate, 1, 7.0, Reading.READ)
        )
        await shown(pilot, "6.50 ± 0.71  2 of 4 scored", "◌ running")
        assert exposed(desk, candidate) == {Exposure.MODEL, Exposure.SCORES}
        await pilot.press("k")
        assert engine.cancelled == [run.id]
        runs.set_state(desk.workspace, run.id, RunState.CANCELLED)
        engine.tell(RunFinished(run.id, RunState.CANCELLED, ""))
        await shown(pilot, "incomplete")
        assert app.errors == []


async def test_an_audit_is_started(desk: Desk, candidate: str) -> None:
    app, engine = host(desk, candidate), engine_of(desk)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("e")
        await shown(pilot, "Not audited yet. e has replay/none look for flaws")
        assert engine.requests == [AuditRequest((candidate,), desk.model)]


@pytest.mark.parametrize("size", [(80, 24), SIZE])
async def test_arrows_go_round_list_details_and_text(desk: Desk, candidate: str, size: tuple[int, int]) -> None:
    app = host(desk, candidate)
    async with app.run_test(size=size) as pilot:
        await shown(pilot, "2 references")
        seen = []
        for key in ("right", "right", "right", "3", "right", "right", "right"):
            await pilot.press(key)
            seen.append(pilot.app.screen.focused.id if pilot.app.screen.focused is not None else None)
        assert seen == ["detail", "text", "list", "list", "samples", "text", "list"]


async def test_on_a_narrow_terminal_enter_turns_to_the_text_and_escape_back(desk: Desk, candidate: str) -> None:
    app = host(desk, candidate)
    async with app.run_test(size=(80, 24)) as pilot:
        await shown(pilot, "2 references")
        assert "Line 5 of" not in screen_text(pilot)
        await pilot.press("enter")
        await shown(pilot, "Line 5 of the answer.")
        await wait_until(pilot, lambda: marked(pilot) == "arXiv:2613.04412")
        await pilot.press("escape")
        await shown(pilot, "2 references")
        await pilot.press("escape")
        await wait_until(pilot, lambda: not isinstance(app.screen, FindingsScreen))


async def test_references_leave_the_machine_only_once_that_was_said(desk: Desk, candidate: str) -> None:
    screen = FindingsScreen(desk, candidates.get(desk.workspace, candidate), header())
    app = Host(screen)
    async with app.run_test(size=SIZE) as pilot:
        await shown(pilot, "2 references")
        await pilot.press("c")
        assert app.screen is screen
        screen._state.checkers = ("never-installed",)
        screen.refresh_bindings()
        await pilot.press("c")
        await shown(pilot, "1 reference would be told to: never-installed.")
        await pilot.press("escape")
        await wait_until(pilot, lambda: app.screen is screen)
        assert screen._state.checks == {}
        await pilot.press("c")
        await shown(pilot, "would be told to")
        await pilot.press("enter")
        await shown(pilot, "never-installed: ? unknown", "Checkers have been asked.")


async def test_the_workbench_opens_the_candidate_that_is_read(desk: Desk, candidate: str) -> None:
    app = bench(desk)
    async with app.run_test(size=SIZE) as pilot:
        await opened(pilot)
        await pilot.press("end")
        await shown(pilot, "Line 5 of the answer.")
        await pilot.press("f")
        await shown(pilot, "2 references, 1 malformed", "Answer  c3  a-model")
        await pilot.press("f")
        await shown(pilot, "Candidates")
        assert app.errors == []


async def test_what_runs_elsewhere_found_is_listed_with_when_and_read_in_full(desk: Desk, candidate: str) -> None:
    hostile = {**TWO, "models": ["[b]m[/b]\x1b[2J"]}
    put_validated(desk.workspace, candidate, validator=hostile)
    late = "2026-03-01T00:00:00.000000Z"
    put_row(desk.workspace, candidate, "measured", RunKind.CBU, late, utilities=[utility_row("measured")])
    app = host(desk, candidate)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("4")
        await shown(pilot, "calls are not here", "two by [b]m[/b]␛[2J", "✗ reject, because fact_logic says so")
        await shown(pilot, "elsewhere, 2026-02-03 04:05", "utility with openai/o3", ".75 [.41,.93] on 1 neighbour")
        await shown(pilot, "made elsewhere with uq-tui 0.2.0", "Answer  c3")
        assert exposed(desk, candidate) == {Exposure.MODEL, Exposure.OUTCOMES, Exposure.UTILITY}
        await pilot.press("down")
        await shown(pilot, "control: 2 of 8 solved, lift +.50 [.05,.76]")
        assert app.errors == []
