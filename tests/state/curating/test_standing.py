"""The questions behind a line of the funnel."""

import pytest

from store import curations, reviewers
from store.curation_rows import Curation
from store.review_rows import NewItem
from store.workspace import Workspace
from tests.engine.runs.scripted import add_candidates
from tests.state.curating.curated import OTHER_SITE, SITE, At, curated
from tests.state.reviewing.laid_out import desk_of, make_queue
from uq_tui.state.curating import standing
from uq_tui.state.curating.funnel_lines import sections
from uq_tui.state.curating.place_words import place_words
from uq_tui.state.curating.standing import Standing
from uq_tui.words import CurationStage


def of_line(ws: Workspace, curation: Curation, key: str) -> Standing:
    counts = curations.counts(ws, curation.id)
    (line,) = [line for section in sections(counts) for line in section.lines if line.key == key]
    return Standing(ws, reviewers.current(ws).id, curation.id, line)


async def ids(found: Standing) -> list[str]:
    while not found.complete:
        await found.more()
    assert await found.more() == ()
    return sorted(row.question_id for row in found.rows)


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("all rules", ["bad", "easy", "first", "good", "half", "new", "second", "third"]),
        ("all rules unknown", ["seen"]),
        ("rules views", ["few"]),
        ("rules views unknown", ["seen"]),
        ("all model unknown", ["half"]),
        ("all model waiting", ["new"]),
        ("model expert_solvability", ["easy"]),
        ("review reject", ["bad"]),
        ("all review", ["good"]),
        (f"site {OTHER_SITE} looked_at", ["few", "good"]),
        ("domain Culture & Recreation looked_at", ["few", "good"]),
        (f"site {SITE} review waiting", ["first", "second", "third"]),
    ],
)
async def test_a_line_lists_the_questions_that_it_counts(workspace: Workspace, key: str, expected: list[str]) -> None:
    found = of_line(workspace, curated(workspace), key)
    assert await ids(found) == expected
    assert found.line.n == len(expected)


async def test_pages_follow_each_other_over_all_places(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standing, "PAGE", 2)
    where = {f"k{n}": At(CurationStage.KEPT) for n in range(5)} | {f"r{n}": At(CurationStage.REVIEW) for n in range(3)}
    found = of_line(workspace, curated(workspace, where), "all model")
    first = await found.more()
    assert 2 <= len(first) < 8
    assert await ids(found) == sorted(where)


async def test_sites_without_a_name_are_not_all_sites(workspace: Workspace) -> None:
    where = {"a": At(CurationStage.KEPT, site=""), "b": At(CurationStage.KEPT)}
    assert await ids(of_line(workspace, curated(workspace, where), "site  looked_at")) == ["a"]


async def test_what_models_said_of_a_masked_answer_is_not_listed(workspace: Workspace) -> None:
    where = {
        "easy": At(CurationStage.MODEL, "expert_solvability", "expert solvability 90 > 70"),
        "hard": At(CurationStage.REVIEW, detail="answer correctness 10"),
        "old": At(CurationStage.RULES, "age", "1.2 years < 2"),
    }
    curation = curated(workspace, where)
    desk = await desk_of(workspace)
    items = [NewItem(one, add_candidates(workspace, "An answer.", question_id=one)[0]) for one in where]
    make_queue(workspace, desk, items)
    found = of_line(workspace, curation, "all looked_at")
    assert await ids(found) == ["hard", "old"]
    assert found.left_out == 1
    assert [place_words(row.place) for row in found.rows] == [
        "fell at the rules: 1.2 years < 2",
        "waits for a person",
    ]
