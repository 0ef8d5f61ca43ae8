"""Who has solved what, as people have verified it: from a real store."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

from store import candidates, exposures, resolutions, reviewers
from store.opinions import VerdictSubset
from store.rows import NewCandidate, Origin
from store.workspace import Workspace
from tests.found_elsewhere import put_validated
from tests.judged_runs import THREE_ITER, judged_run, three_iter
from tests.masked import fill, leaks, reveal
from tests.store.records.stock import put_question
from tests.store.standing import ADA, BOB, EVE, put, row
from uq_tui.analysis.classification import share
from uq_tui.state.reports import insights, standing_tables
from uq_tui.state.reports.agreement import Wanted
from uq_tui.state.reports.page import Words
from uq_tui.state.reports.plots import Ranges
from uq_tui.state.reports.solvers import Solver
from uq_tui.state.reports.standing import StandingFindings, read, record_shown
from uq_tui.state.reports.tabs import TABS
from uq_tui.state.reviewing import blind
from uq_tui.words import AuthorKind, Exposure, Label, Relation, Resolution, TextFormat

MODEL, SYSTEM, PERSON = AuthorKind.MODEL, AuthorKind.SYSTEM, AuthorKind.PERSON
BY_MODEL, BY_PERSON = Resolution.RESOLVED_BY_MODEL, Resolution.RESOLVED_BY_PERSON
POSTER = Relation.ORIGINAL_POSTER
ALL = VerdictSubset()


def answer(ws: Workspace, question_id: str, words: str, *by: Origin, reference: bool = False) -> str:
    """The id of a candidate that comes from all these."""
    put_question(ws, question_id)
    new = [NewCandidate(question_id, words, TextFormat.MARKDOWN, one, reference=reference) for one in by]
    return candidates.add(ws, new)[0]


def model(name: str) -> Origin:
    return Origin(MODEL, model=name)


def judge(ws: Workspace, keys: Sequence[tuple[str, str, Label]]) -> None:
    """Two people say the same of each candidate, given with its question."""
    rows = [
        row(f"{who.handle}{n}", key, who, label, question_id=question_id)
        for n, (question_id, key, label) in enumerate(keys)
        for who in (ADA, BOB)
    ]
    put(ws, rows)


def found_of(ws: Workspace, *, borderline_correct: bool = True, subset: VerdictSubset = ALL) -> StandingFindings:
    own = reviewers.current(ws).id
    return read(ws, Wanted(subset, borderline_correct), own, blind.left_out(ws, own))


def test_resolved_questions_come_first_and_each_counts_once(workspace: Workspace) -> None:
    me = reviewers.current(workspace)
    one, two = answer(workspace, "p", "1", model("openai/o3")), answer(workspace, "p", "2", model("o3"))
    three = answer(workspace, "q", "3", model("o3"))
    other = answer(workspace, "q", "4", Origin(SYSTEM, system="Prover", base_model="o3"))
    wrong = answer(workspace, "p", "5", Origin(PERSON, person="Eve"))
    correct, no = Label.CORRECT, Label.INCORRECT
    judge(
        workspace, [("p", one, correct), ("p", two, no), ("q", three, correct), ("q", other, correct), ("p", wrong, no)]
    )
    resolutions.resolve(workspace, me, "q", BY_MODEL, why="So.", candidate_id=other, verifier=POSTER)
    found = found_of(workspace)
    assert [(one.place, one.solver, one.resolved, one.correct) for one in found.ranking] == [
        (1, Solver(SYSTEM, "Prover"), 1, share(1, 1, "")),
        (2, Solver(MODEL, "o3"), 0, share(2, 2, "")),
        (3, Solver(PERSON, "Eve"), 0, share(0, 1, "")),
    ]
    assert found.answerers == {MODEL: 1, SYSTEM: 1, PERSON: 1}
    assert found.states[BY_MODEL] == 1
    ranking = standing_tables.sections(found)[0]
    assert any("fewer than 10 judged" in note for note in ranking.notes)


def test_credit_without_an_answer_here_goes_to_the_name_and_nobodys_word_resolves_nothing(workspace: Workspace) -> None:
    me = reviewers.current(workspace)
    for key in "pqr":
        put_question(workspace, key)
    resolutions.resolve(workspace, me, "p", BY_PERSON, why="A paper.", credit="A. Weil", verifier=POSTER)
    own = answer(workspace, "r", "So.", model("o3"))
    resolutions.resolve(workspace, me, "r", BY_MODEL, why="I think so.", candidate_id=own, verifier=Relation.OTHER)
    found = found_of(workspace)
    assert [(one.solver, one.resolved, one.correct.value) for one in found.ranking] == [
        (Solver(PERSON, "A. Weil"), 1, None)
    ]
    assert (found.states[Resolution.CANDIDATE_ACCEPTED], found.states[Resolution.OPEN]) == (1, 1)


def test_references_compete_with_nobody_and_the_unnamed_are_not_one(workspace: Workspace) -> None:
    reference = answer(workspace, "p", "1", Origin(PERSON, person="Gauss"), reference=True)
    unnamed = answer(workspace, "p", "2", Origin(MODEL))
    judge(workspace, [("p", reference, Label.CORRECT), ("p", unnamed, Label.CORRECT)])
    found = found_of(workspace)
    assert found.ranking == ()
    assert found.answerers == {MODEL: 0, SYSTEM: 0, PERSON: 0}


@pytest.mark.parametrize(("borderline", "hits"), [(True, 1), (False, 0)])
def test_borderline_counts_as_it_is_asked_for(workspace: Workspace, borderline: bool, hits: int) -> None:
    key = answer(workspace, "p", "1", model("o3"))
    judge(workspace, [("p", key, Label.CORRECT_BORDERLINE)])
    (found,) = found_of(workspace, borderline_correct=borderline).ranking
    assert found.correct.hits == hits


def test_validators_have_the_numbers_of_other_reports(workspace: Workspace) -> None:
    """Also of one that has judged nothing but a reference, which is in no rate."""
    reference = answer(workspace, "p", "1", Origin(PERSON, person="Gauss"), reference=True)
    judged_run(workspace, reference, THREE_ITER, three_iter("aaa"), model="openai/a")
    judged_run(workspace, answer(workspace, "p", "2", model("o3")), THREE_ITER, three_iter("aar"), model="openai/b")
    found = found_of(workspace).validators
    assert [(one.number, one.accepted.n) for one in found.rates] == [(1, 0), (2, 1)]
    others = insights.read(workspace, insights.Wanted()).report.validators
    assert [(one.number, one.validator) for one in found.rates] == [(one.number, one.validator) for one in others]


def test_validators_that_ran_elsewhere_are_among_them_and_that_is_said(workspace: Workspace) -> None:
    put_validated(workspace, answer(workspace, "p", "1", model("o3")), "accept")
    found = found_of(workspace)
    assert [(one.accepted.hits, one.accepted.n) for one in found.validators.rates] == [(1, 1)]
    assert "1 outcome counted here came in files, of validators that ran elsewhere." in standing_tables.intro(found)


def test_a_subset_of_questions_restricts_all_and_one_of_people_what_verdicts_come_to(workspace: Workspace) -> None:
    keys = {name: answer(workspace, name, name, model("o3")) for name in "pq"}
    workspace.write(lambda conn: conn.execute(text("UPDATE question SET site = id || '.example'")))
    put(workspace, [row("a", keys["p"], ADA, Label.CORRECT, question_id="p")])
    put(workspace, [row("b", keys["q"], BOB, Label.INCORRECT, question_id="q")])
    resolutions.resolve(workspace, reviewers.current(workspace), "q", BY_PERSON, why="A paper.", credit="Weil")
    for key in keys.values():
        judged_run(workspace, key, THREE_ITER, three_iter("aaa"))
    for subset in (VerdictSubset(site="p.example"), VerdictSubset(question_ids=frozenset("p"))):
        found = found_of(workspace, subset=subset)
        assert [(one.solver.name, one.correct.hits, one.correct.n) for one in found.ranking] == [("o3", 1, 1)]
        assert [(one.number, one.accepted.n) for one in found.validators.rates] == [(1, 1)]
        assert (sum(found.states.values()), [one.name for one in found.credit]) == (1, ["ada"])
    found = found_of(workspace, subset=VerdictSubset(reviewer_ids=(ADA.id,)))
    assert [(one.correct.hits, one.correct.n) for one in found.ranking] == [(1, 1)]
    assert [one.accepted.n for one in found.validators.rates] == [2]
    assert (sum(found.states.values()), [one.name for one in found.credit]) == (2, ["ada"])


def test_what_few_judgements_give_away_is_recorded_and_of_many_it_is_not(workspace: Workspace) -> None:
    me = reviewers.current(workspace).id
    many = [answer(workspace, f"q{n}", f"{n}", model("o3")) for n in range(6)]
    few = answer(workspace, "p", "few", model("o4"))
    labels = [Label.CORRECT, Label.INCORRECT] * 3
    judge(workspace, [*((f"q{n}", key, label) for n, (key, label) in enumerate(zip(many, labels, strict=True)))])
    put(workspace, [row("e", few, EVE, Label.CORRECT, question_id="p")])
    judged_run(workspace, few, THREE_ITER, three_iter("aaa"))
    record_shown(workspace, me, found_of(workspace), "report")
    told = {one.what for one in exposures.of_candidate(workspace, me, few)}
    assert told == {Exposure.OTHER_VERDICTS, Exposure.OUTCOMES}


def test_what_is_masked_is_in_no_figure_until_it_is_revealed(tmp_path: Path) -> None:
    path = tmp_path / "masked.uq.sqlite"
    fill(path)
    ws = Workspace.open(path)
    try:
        found = found_of(ws)
        texts = [*standing_tables.intro(found), *map(str, standing_tables.sections(found))]
        assert leaks(" ".join(texts)) == []
        assert found.left_out.lines[0] in standing_tables.intro(found)
        before = sum(found.states.values())
    finally:
        ws.close()
    reveal(path)
    ws = Workspace.open(path)
    try:
        assert sum(found_of(ws).states.values()) == before + 1
    finally:
        ws.close()


def test_it_is_a_tab_with_what_to_do_while_there_is_nothing_and_a_plot_then(workspace: Workspace) -> None:
    (tab,) = (one for one in TABS if one.name == "standing")
    opened = tab.open(workspace, reviewers.current(workspace).id)
    (words,) = opened.read("insights").parts
    assert isinstance(words, Words)
    assert words.lines[0] == standing_tables.NOTHING_YET
    key = answer(workspace, "p", "1", replace(model("o3"), source="[b]"))
    judge(workspace, [("p", key, Label.CORRECT)])
    page = opened.read("insights")
    assert [one.title for one in page.tables][:2] == [standing_tables.RANKING, "Where questions stand"]
    (plot,) = page.drawings
    assert isinstance(plot, Ranges)
    assert [one.name for one in plot.rows] == ["o3"]
