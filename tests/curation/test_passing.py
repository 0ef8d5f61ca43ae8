"""Rules applied to a workspace: counts worked out by hand, and the same after being cut short anywhere."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from store import candidates, curation_lists, curation_passes, curations, reviewers
from store.curation_rows import Curation, Place, Placed
from store.intake import NewQuestion
from store.rows import NewCandidate, Origin
from store.workspace import Workspace
from tests.store import stock
from tests.store.stock import take
from uq_tui.curation import passing, subsets
from uq_tui.curation.funnel import funnel
from uq_tui.curation.passing import apply_rules
from uq_tui.curation.thresholds import default_toml
from uq_tui.words import AuthorKind, CurationStage, QuestionDecision, QuestionStatus, Subset, TextFormat

REVIEW = CurationStage.REVIEW
MATH, FLOW = "math.stackexchange.com", "stackoverflow.com"
OLD = "2015-05-01T00:00:00.000000Z"


def question(number: int, site: str = MATH, **changes: Any) -> NewQuestion:
    """One that stands by the rules, but for its votes among its site's."""
    told = {"title": f"What is {number}?", "views": 1_000, "score": 10, "answers": 0, "asked_at": OLD}
    return stock.question(number, **{"id": f"{site}:{number}", "site": site, **told, **changes})


STOCK = (
    question(1, score=100, views=90_000),
    question(2, score=99, body="![x](y)"),
    question(3, score=98, title="Why?"),
    question(4, score=97, tags=("fun",)),
    question(5, score=96, views=None),
    question(6, score=96, answers=2),
    question(7, score=96, status=QuestionStatus.CLOSED),
    question(8, score=None),
    question(9, score=4),
    *(question(number) for number in range(10, 20)),
    question(1, FLOW, views=5_000 * 10),
    question(2, FLOW, asked_at=None),
    question(3, FLOW),
    question(4, "", id="source:x", views=499),
)
"""Math: 16 are open with known votes (not 6, 7, 8), so 2 are its top share: numbers 1 and 2. Stack Overflow: 1 of 3,
and all three tie."""
FELL = {
    ("rules", "images", False): 1,
    ("rules", "why", False): 1,
    ("rules", "tags", False): 1,
    ("rules", "views", True): 1,
    ("rules", "answered", False): 1,
    ("rules", "closed", False): 1,
    ("rules", "votes", True): 1,
    ("rules", "votes", False): 1,
    ("rules", "top_share", False): 10,
    ("rules", "views_per_vote", False): 1,
    ("rules", "age", True): 1,
    ("rules", "views", False): 1,
    ("model", "", False): 2,
}


def begun(workspace: Workspace, questions: Sequence[NewQuestion] = STOCK, name: str = "p") -> Curation:
    take(workspace, *questions)
    return curations.begin(workspace, name, default_toml())


def fell(workspace: Workspace, curation: Curation) -> dict[tuple[str, str, bool], int]:
    found: dict[tuple[str, str, bool], int] = {}
    for one in curations.counts(workspace, curation.id):
        key = one.stage.value, one.fell, one.unknown
        found[key] = found.get(key, 0) + one.n
    return found


def detail(workspace: Workspace, curation: Curation, question_id: str) -> str:
    path = curations.path(workspace, curation.id, question_id)
    assert path is not None
    return path.place.detail


def test_every_question_stands_or_fell_as_worked_out_by_hand(workspace: Workspace) -> None:
    curation = begun(workspace)
    assert apply_rules(workspace, curation.id).ruled
    assert fell(workspace, curation) == FELL
    standing = curation_lists.page(workspace, curation.id, CurationStage.MODEL)
    assert [one.question_id for one in standing.rows] == [f"{MATH}:1", f"{FLOW}:3"]
    assert detail(workspace, curation, f"{MATH}:9") == "votes 4 < 5"
    assert detail(workspace, curation, f"{MATH}:5") == "views unknown"
    assert detail(workspace, curation, f"{MATH}:10") == "votes 10 < 99, the top 0.1 of its site"
    shares = curation_passes.cutoffs(workspace, curation.id)
    assert (shares[MATH].n, shares[MATH].kept, shares[FLOW].kept) == (16, 2, 3)


def test_a_funnel_adds_up(workspace: Workspace) -> None:
    curation = begun(workspace)
    apply_rules(workspace, curation.id)
    found = funnel(curations.counts(workspace, curation.id))
    rules, model, review = found.stages
    assert (rules.entered, rules.fallen, rules.waiting, rules.left, rules.paper) == (len(STOCK), 21, 0, 2, 33_916)
    assert rules.unknown == {"views": 1, "votes": 1, "age": 1}
    assert (model.entered, model.waiting, model.left) == (2, 2, 0)
    assert (review.share, found.kept) == (None, 0)
    assert [(line.name, line.entered) for line in found.sites] == [(MATH, 19), (FLOW, 3), ("", 1)]
    assert [line.name for line in found.domains] == ["Science", "Technology", ""]
    assert found.domains[0].paper[CurationStage.RULES] == 21_344


@pytest.mark.parametrize("chunks", [0, 1, 2, 3])
def test_a_pass_that_is_cut_short_goes_on_and_comes_to_the_same(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, chunks: int
) -> None:
    monkeypatch.setattr(passing, "CHUNK", 5)
    curation = begun(workspace)
    asked = iter(range(100))
    stopped = apply_rules(workspace, curation.id, cancelled=lambda: next(asked) >= chunks)
    assert not stopped.ruled
    # What comes in meanwhile is for another pass, also where it would have moved the top share.
    take(workspace, *(question(100 + number, score=1_000) for number in range(20)))
    reached: list[tuple[int, int]] = []
    done = apply_rules(workspace, curation.id, lambda at, of: reached.append((at, of)))
    assert reached[-1] == (done.passed, done.up_to)
    if chunks:
        assert fell(workspace, curation) == FELL
        assert done.up_to == len(STOCK)
    assert apply_rules(workspace, curation.id, lambda at, of: pytest.fail("nothing is left")) == done


def test_questions_keep_their_place_whatever_is_learned_of_them_later(workspace: Workspace) -> None:
    curation = apply_rules(workspace, begun(workspace).id)
    before = fell(workspace, curation)
    take(workspace, question(1, score=3, answers=1, views=90_000), question(5, score=96), question(99, score=500))
    assert apply_rules(workspace, curation.id) == curation
    assert fell(workspace, curation) == before
    assert curations.path(workspace, curation.id, f"{MATH}:99") is None
    later = apply_rules(workspace, curations.begin(workspace, "later", default_toml()).id)
    found = [curations.path(workspace, later.id, f"{MATH}:{number}") for number in (1, 5, 99)]
    assert [(one.place.stage.value, one.place.fell) for one in found if one] == [
        ("rules", "answered"),
        ("rules", "top_share"),
        ("model", ""),
    ]


def test_other_rules_are_another_pass(workspace: Workspace) -> None:
    first = begun(workspace)
    apply_rules(workspace, first.id)
    second = curations.begin(workspace, "second", default_toml().replace("no_why = true", "no_why = false"))
    apply_rules(workspace, second.id)
    assert fell(workspace, first) == FELL
    # Without the rule, the question with "why" falls by its site's top share.
    assert fell(workspace, second)["rules", "top_share", False] == 11


def test_a_pass_may_be_over_some_sites_alone(workspace: Workspace) -> None:
    take(workspace, *STOCK)
    curation = curations.begin(workspace, "p", default_toml(), [FLOW])
    assert curations.get(workspace, curation.id) == curation
    apply_rules(workspace, curation.id)
    assert {(one.site, one.fell): one.n for one in curations.counts(workspace, curation.id)} == {
        (FLOW, "views_per_vote"): 1,
        (FLOW, "age"): 1,
        (FLOW, ""): 1,
    }
    assert curation_passes.cutoffs(workspace, curation.id).keys() == {FLOW}


def test_lists_of_a_site_are_the_same_whichever_way_they_are_read(workspace: Workspace) -> None:
    """Of Stack Overflow there are fewer than fell by most rules, of Mathematics more."""
    curation = apply_rules(workspace, begun(workspace).id)

    def listed(fell: str | None, site: str = "") -> list[Placed]:
        rows: list[Placed] = []
        after: int | None = 0
        while after is not None:
            page = curation_lists.page(
                workspace, curation.id, CurationStage.RULES, fell, site=site, after=after, limit=2
            )
            rows += page.rows
            after = page.next_after
        return rows

    assert len(listed(None)) == sum(FELL.values()) - FELL["model", "", False]
    for fell in (None, "top_share", "age", "views_per_vote"):
        for site in (MATH, FLOW):
            assert listed(fell, site) == [one for one in listed(fell) if one.site == site]


def test_an_empty_workspace_has_nothing_to_pass(workspace: Workspace) -> None:
    curation = begun(workspace, [])
    assert apply_rules(workspace, curation.id).ruled
    assert funnel(curations.counts(workspace, curation.id)).stages[0].share is None


@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.permutations(STOCK))
def test_the_order_of_questions_does_not_matter(
    tmp_path_factory: pytest.TempPathFactory, questions: list[NewQuestion]
) -> None:
    workspace = Workspace.open(tmp_path_factory.mktemp("order") / "x.uq.sqlite")
    try:
        curation = begun(workspace, questions)
        apply_rules(workspace, curation.id)
        assert fell(workspace, curation) == FELL
    finally:
        workspace.close()


def test_the_diamond_subset_is_of_kept_questions_with_stricter_thresholds(workspace: Workspace) -> None:
    many = [question(number, score=200 - number, views=3_000) for number in range(1, 21)]
    curation = begun(workspace, [*many, question(1, "physics.stackexchange.com", score=19, views=900)])
    apply_rules(workspace, curation.id)
    shares = curation_passes.cutoffs(workspace, curation.id, Subset.DIAMOND)
    assert (shares[MATH].kept, shares[MATH].votes) == (1, 199)
    kept = curation_lists.page(workspace, curation.id, CurationStage.MODEL).rows
    assert [one.question_id for one in kept] == [f"{MATH}:1", f"{MATH}:2", "physics.stackexchange.com:1"]
    mine = reviewers.current(workspace).id
    for one in kept:
        workspace.write(partial(curations.move, curation_id=curation.id, place=Place(one.place.seq, REVIEW)))
        curations.decide(workspace, mine, curation.id, one.question_id, QuestionDecision.KEEP, "")
    # Physics asks for 20 votes.
    assert subsets.diamond(workspace, curation.id) == (f"{MATH}:1",)
    assert [pin.subset for pin in subsets.pins(workspace, curation.id)] == [Subset.DIAMOND, Subset.MAIN, Subset.MAIN]
    take(workspace, question(2, score=198, views=3_000, status=QuestionStatus.ACCEPTED, answers=1))
    assert subsets.development(workspace, curation.id, 9) == (f"{MATH}:2",)
    pinned = subsets.pins(workspace, curation.id, 9)
    assert [pin.subset for pin in pinned] == [Subset.DIAMOND, Subset.MAIN, Subset.MAIN], "a question is pinned once"


def test_questions_to_develop_on_have_known_answers_and_meet_the_rules(workspace: Workspace) -> None:
    accepted = QuestionStatus.ACCEPTED
    answered = [
        question(1, score=7, status=accepted, answers=1),
        question(2, score=9),
        question(3, score=50, status=accepted, title="Why?"),
        question(4, score=60, status=accepted, body="![x](y)"),
        question(5, score=70, status=QuestionStatus.ANSWERED, answers=3),
        question(6, score=8, status=accepted),
    ]
    curation = begun(workspace, answered)
    author = Origin(AuthorKind.PERSON, person="A")
    candidates.add(workspace, [NewCandidate(f"{MATH}:2", "42", TextFormat.MARKDOWN, author, reference=True)])
    apply_rules(workspace, curation.id)
    assert subsets.development(workspace, curation.id, 2) == (f"{MATH}:2", f"{MATH}:6")
    assert [(pin.question_id, pin.subset) for pin in subsets.pins(workspace, curation.id, 1)] == [
        (f"{MATH}:2", Subset.DEVELOPMENT)
    ]
    assert subsets.development(workspace, curation.id, 9) == (f"{MATH}:2", f"{MATH}:6", f"{MATH}:1")
