"""Laying out a share: everything is judged once, and what is mixed in stands where and as often as it should."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from uq_tui.analysis.share import Amounts, Answer, Place, Problem, Share, lay_out, practice_block
from uq_tui.words import ItemRole

KEY = b"a secret"
GOLD, REPEAT, PLAIN = ItemRole.GOLD, ItemRole.REPEAT, ItemRole.PLAIN


@st.composite
def problems(draw: st.DrawFn, name: str, *, wanted: bool) -> list[Problem]:
    """Problems whose answers are in a few groups, some of them identical, some with known labels."""
    made = []
    for number in range(draw(st.integers(1 if wanted else 0, 12))):
        answers = [
            Answer(
                f"{name}{number}.{at}",
                group=draw(st.integers(0, 2)),
                twin=draw(st.sampled_from(["", "", "same", "too"])),
                correct=draw(st.sampled_from([None, None, True, False])),
                wanted=wanted and (at == 0 or draw(st.booleans())),
            )
            for at in range(draw(st.integers(1, 6)))
        ]
        made.append(Problem(f"{name}{number}", tuple(answers)))
    return made


OWN, POOL = problems("q", wanted=True), problems("p", wanted=False)
AMOUNTS = st.builds(
    Amounts,
    gold=st.floats(0, 0.5),
    repeats=st.floats(0, 0.5),
    repeat_after=st.integers(1, 8),
    grouped=st.booleans(),
)


def wanted_of(own: list[Problem]) -> set[str]:
    return {one.id for problem in own for one in problem.answers if one.wanted}


def judged(share: Share) -> list[Place]:
    return [one for one in share.places if one.linked_to is None]


@settings(max_examples=25)
@given(OWN, POOL, AMOUNTS)
def test_each_wanted_answer_comes_once_and_nothing_else_without_a_role(
    own: list[Problem], pool: list[Problem], amounts: Amounts
) -> None:
    share = lay_out(own, pool, (), amounts, key=KEY)
    times = Counter(one.answer for one in share.places if one.role is not REPEAT)
    wanted = wanted_of(own)
    assert set(times.values()) == {1}
    assert wanted <= set(times)
    assert all(one.role is GOLD for one in share.places if one.answer not in wanted)


@settings(max_examples=25)
@given(OWN, POOL, AMOUNTS)
def test_identical_answers_hang_on_one_that_is_judged_before_them(
    own: list[Problem], pool: list[Problem], amounts: Amounts
) -> None:
    share = lay_out(own, pool, (), amounts, key=KEY)
    twins = {one.id: (problem.id, one.twin) for problem in (*own, *pool) for one in problem.answers}
    for at, one in enumerate(share.places):
        if one.linked_to is not None:
            leader = share.places[one.linked_to]
            assert one.linked_to < at
            assert leader.linked_to is None
            assert twins[leader.answer] == twins[one.answer]
    first_time = [twins[one.answer] for one in judged(share) if one.role is not REPEAT and twins[one.answer][1]]
    assert len(set(first_time)) == len(first_time)


@settings(max_examples=25)
@given(OWN, POOL, AMOUNTS)
def test_gold_is_the_wanted_share_within_one_item_unless_labels_run_out(
    own: list[Problem], pool: list[Problem], amounts: Amounts
) -> None:
    share = lay_out(own, pool, (), amounts, key=KEY)
    gold, total = share.count(GOLD), share.count(GOLD) + share.count(PLAIN)
    assert gold <= share.gold_wanted
    assert gold - amounts.gold * total <= 1
    if gold == share.gold_wanted:
        assert abs(gold - amounts.gold * total) <= 1
    labelled = {one.id for problem in (*own, *pool) for one in problem.answers if one.correct is not None}
    assert all(one.answer in labelled for one in share.places if one.role is GOLD)


@settings(max_examples=25)
@given(OWN, POOL, AMOUNTS)
def test_repeats_are_plain_answers_that_come_again_late_enough(
    own: list[Problem], pool: list[Problem], amounts: Amounts
) -> None:
    share = lay_out(own, pool, (), amounts, key=KEY)
    order = judged(share)
    first = {one.answer: at for at, one in enumerate(order) if one.role is PLAIN}
    again = [(at, one) for at, one in enumerate(order) if one.role is REPEAT]
    assert len(again) <= share.repeats_wanted
    assert all(at - first[one.answer] >= amounts.repeat_after for at, one in again)
    assert len({one.answer for _, one in again}) == len(again)


@settings(max_examples=25)
@given(OWN, POOL, AMOUNTS)
def test_a_problem_stands_together_but_for_its_repeats(
    own: list[Problem], pool: list[Problem], amounts: Amounts
) -> None:
    share = lay_out(own, pool, (), amounts, key=KEY)
    order = [one.problem for one in share.places if one.role is not REPEAT]
    changes = [one for at, one in enumerate(order) if at == 0 or order[at - 1] != one]
    assert len(set(changes)) == len(changes)
    assert [one for one in changes if one.startswith("q")] == [one.id for one in own]
    if amounts.grouped:
        for problem in changes:
            groups = [one.group for one in judged(share) if one.problem == problem and one.role is not REPEAT]
            assert groups == sorted(groups)
            assert groups[0] == 0


@settings(max_examples=25)
@given(OWN, POOL, AMOUNTS)
def test_the_same_key_gives_the_same_share(own: list[Problem], pool: list[Problem], amounts: Amounts) -> None:
    assert lay_out(own, pool, (), amounts, key=KEY) == lay_out(own, pool[::-1], (), amounts, key=KEY)


def numbered(count: int, *, wanted: bool = True, correct: bool | None = None, name: str = "q") -> list[Problem]:
    return [Problem(f"{name}{n}", (Answer(f"{name}{n}.0", correct=correct, wanted=wanted),)) for n in range(count)]


def test_gold_stands_in_other_places_for_another_key() -> None:
    own, pool = numbered(30), numbered(10, wanted=False, correct=True, name="p")
    amounts = Amounts(gold=0.1)
    places = [
        [at for at, one in enumerate(lay_out(own, pool, (), amounts, key=key).places) if one.role is GOLD]
        for key in (KEY, b"another")
    ]
    assert [len(one) for one in places] == [3, 3]
    assert places[0] != places[1]


def test_what_a_reviewer_knows_is_no_gold() -> None:
    own, pool = numbered(10), numbered(2, wanted=False, correct=False, name="p")
    share = lay_out(own, pool, (), Amounts(gold=0.2), barred={"p0.0"}, key=KEY)
    assert [one.answer for one in share.places if one.role is GOLD] == ["p1.0"]
    assert share.gold_wanted == 3


def test_a_share_too_short_for_its_gap_has_no_repeats() -> None:
    share = lay_out(numbered(5), [], (), Amounts(repeats=0.4, repeat_after=6), key=KEY)
    assert (share.count(REPEAT), share.repeats_wanted) == (0, 2)
    share = lay_out(numbered(5), [], (), Amounts(repeats=0.4, repeat_after=4), key=KEY)
    assert {one.answer for one in share.places if one.role is REPEAT} == {"q0.0", "q1.0"}


@settings(max_examples=25)
@given(problems("p", wanted=False), st.integers(0, 8))
def test_practice_has_both_labels_or_nothing(pool: list[Problem], wanted: int) -> None:
    block = practice_block(pool, wanted, key=KEY)
    correct = {one.id: one.correct for problem in pool for one in problem.answers}
    labels = Counter(correct[one.answer] for one in block)
    assert len({one.answer for one in block}) == len(block) <= wanted
    assert not block or (labels[True] >= 1 and labels[False] >= 1 and None not in labels)
    assert all(one.role is ItemRole.PRACTICE for one in block)


def test_practice_comes_first_in_equal_parts() -> None:
    pool = numbered(8, wanted=False, correct=True, name="p") + numbered(8, wanted=False, correct=False, name="w")
    block = practice_block(pool, 6, key=KEY)
    assert Counter(one.answer[0] for one in block) == {"p": 3, "w": 3}
    share = lay_out(numbered(3), [], block, Amounts(), key=KEY)
    assert share.places[:6] == block
    assert share.count(PLAIN) == 3
