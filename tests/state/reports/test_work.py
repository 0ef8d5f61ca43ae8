"""What work has taken: calls and verdicts counted, and what is unknown kept apart from nothing."""

from dataclasses import replace
from pathlib import Path

import pytest

from store import calls, reviewers, runs
from store.workspace import Workspace
from tests.kept_calls import stored_call
from tests.masked import fill, leaks, reveal
from tests.store.records.stock import put_candidate
from tests.store.standing import ADA, BOB, EVE, put, row
from uq_tui.state.reports import work_tables
from uq_tui.state.reports.section import Section
from uq_tui.state.reports.tab import Report
from uq_tui.state.reports.tabs import TABS
from uq_tui.state.reports.work import Pace, Took, Week, Work, read
from uq_tui.state.reports.work_tables import cost_plot, intro, sections, token_plot, week_plot
from uq_tui.words import CallErrorKind, CallState, Label, RunKind


def put_calls(ws: Workspace) -> None:
    """Three calls of a model of known cost, one of them failed, and one of a model that nobody priced."""
    judging = runs.create(ws, RunKind.JUDGE, "judge", {}, 1).id
    one = replace(stored_call("a", judging, ""), model="[bold]dear", tokens_in=1000, tokens_out=500, cost_usd=0.5)
    calls.save(
        ws,
        [
            one,
            replace(one, key="b", cost_usd=0.25, attempts=3),
            replace(stored_call("c", judging, "", CallState.FAILED), model=one.model, error_kind=CallErrorKind.TIMEOUT),
            replace(stored_call("d", judging, ""), model="unpriced", tokens_in=7),
        ],
    )


def put_verdicts(ws: Workspace) -> None:
    """Five timed verdicts by one person and one without a time, and two by two others of one name."""
    answers = [put_candidate(ws, f"Answer {number}.") for number in range(6)]
    ada = [
        row(f"a{number}", one, ADA, Label.CORRECT, day=1 + number, seconds_active=seconds)
        for number, (one, seconds) in enumerate(zip(answers, (60.0, 30.0, 90.0, 600.0, 120.0, 0.0), strict=True))
    ]
    bob, namesake = (replace(one, handle="bob") for one in (BOB, EVE))
    others = [
        row("b", answers[0], bob, Label.INCORRECT, day=23, seconds_active=45.0),
        row("e", answers[0], namesake, Label.INCORRECT, day=23),
    ]
    put(ws, [*ada, *others])


def me(ws: Workspace) -> str:
    return reviewers.current(ws).id


def table(found: Work, title: str) -> Section:
    return next(section for section in sections(found) if section.title == title)


def test_unknown_costs_and_tokens_are_counted_and_not_taken_for_nothing(workspace: Workspace) -> None:
    put_calls(workspace)
    found = read(workspace, me(workspace))
    assert found.models == (
        Took("[bold]dear", 3, 1, 2, 2000, 1, 1000, 1, 0.75, 1),
        Took("unpriced", 1, 0, 0, 7, 0, 0, 1, None, 1),
    )
    assert found.kinds == (Took("judge", 4, 1, 2, 2007, 1, 1000, 2, 0.75, 2),)
    assert table(found, work_tables.MODELS).rows == (
        ("[bold]dear", "3", "≥ 2,000", "≥ 1,000", "≥ $0.75", "1"),
        ("unpriced", "1", "7", "?", "?", "1"),
    )
    assert table(found, "Failures").rows == (("[bold]dear", "3", "1", "2", "timeout 1"),)
    assert intro(found)[0] == "4 calls of 2 models, 0 verdicts of 0 people."
    cost, tokens = cost_plot(found), token_plot(found)
    assert cost is not None
    assert (cost.rows, cost.series[0].values, cost.totals) == (("[bold]dear",), (0.75,), ("≥ $0.75",))
    assert tokens is not None
    assert (tokens.rows, tokens.totals) == (("[bold]dear", "unpriced"), ("≥ 3,000", "≥ 7"))
    assert week_plot(found) is None


def test_pace_is_the_median_of_known_times_and_says_of_how_many(workspace: Workspace) -> None:
    put_verdicts(workspace)
    found = read(workspace, me(workspace))
    ada, bob, namesake = found.people
    assert ada == Pace("ada", 6, 5, 90.0, (60.0, 120.0))
    assert (bob.name, namesake.name) == ("bob …0000000b", "bob …0000000e")
    assert (bob.verdicts, bob.timed, bob.median_s, bob.quartiles_s) == (1, 1, 45.0, None)
    assert namesake.timed == 1
    shown = table(found, "Pace of verdicts")
    assert shown.rows[0] == ("ada", "6", "5", "2 min", "60 s to 2 min")
    assert shown.rows[1][3:] == ("45 s", "–")
    assert len(shown.notes) == 1


def test_weeks_begin_on_monday_and_empty_ones_count(workspace: Workspace) -> None:
    put_verdicts(workspace)
    found = read(workspace, me(workspace))
    bobs = {"bob …0000000b": 1, "bob …0000000e": 1}
    assert found.weeks == (
        Week("2026-01-26", {"ada": 1}),
        Week("2026-02-02", {"ada": 5}),
        Week("2026-02-09", {}),
        Week("2026-02-16", {}),
        Week("2026-02-23", bobs),
    )
    plot = week_plot(found)
    assert plot is not None
    assert plot.totals == ("1", "5", "0", "0", "2")
    assert {one.name: one.values for one in plot.series}["ada"] == (1, 5, 0, 0, 0)


def test_beyond_a_few_people_the_rest_is_one_part() -> None:
    weeks = tuple(Week(f"2026-{number:03}", {f"p{who}": 10 - who for who in range(8)}) for number in range(30))
    plot = week_plot(Work((), (), (), (), weeks))
    assert plot is not None
    assert [one.name for one in plot.series] == ["p0", "p1", "p2", "p3", "p4", work_tables.OTHERS]
    assert sum(one.values[0] for one in plot.series) == sum(weeks[0].verdicts.values())
    assert (plot.rows[-1], plot.rest) == (weeks[-1].monday, "6 more weeks in the table")


@pytest.mark.parametrize("revealed", [False, True])
def test_runs_and_verdicts_on_what_is_judged_blind_dont_count(tmp_path: Path, revealed: bool) -> None:
    path = tmp_path / "masked.uq.sqlite"
    fill(path)
    if revealed:
        reveal(path)
    ws = Workspace.open(path)
    try:
        page = opened(ws).read("here")
    finally:
        ws.close()
    assert bool(leaks(repr(page))) is revealed
    assert ("Left out: 1 problem" in repr(page)) is not revealed


def opened(ws: Workspace) -> Report:
    return next(tab for tab in TABS if tab.name == "work").open(ws, me(ws))
