"""The rules, each at its limit; what the reference crawler gets wrong is named by its place in that code."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.curation_rows import Cutoff, Facts
from uq_tui.curation import thresholds
from uq_tui.curation.rules import Fall, age_days, body_fall, facts_fall, has_image, share_fall
from uq_tui.curation.shares import cutoff
from uq_tui.curation.tags import TagList
from uq_tui.errors import ConfigError
from uq_tui.words import QuestionStatus, Rule, TextFormat

AT = datetime(2026, 1, 1, tzinfo=UTC)
RULES = thresholds.parse(thresholds.default_toml()).rules.general
GOOD = Facts(
    site="math.stackexchange.com",
    title="Is every graph small?",
    tags=("graph-theory",),
    status=QuestionStatus.UNANSWERED,
    score=5,
    views=500,
    answers=0,
    asked_at="2024-01-02T00:00:00.000000Z",
)
"""It meets every limit exactly."""


def test_a_question_that_meets_every_limit_exactly_stands() -> None:
    assert facts_fall(GOOD, RULES, AT) is None


@pytest.mark.parametrize(
    ("facts", "fall"),
    [
        (replace(GOOD, answers=1), Fall(Rule.ANSWERED, "answers 1")),
        (replace(GOOD, answers=None, status=QuestionStatus.ANSWERED), Fall(Rule.ANSWERED, "status answered")),
        (replace(GOOD, status=QuestionStatus.ACCEPTED), Fall(Rule.ANSWERED, "status accepted")),
        (replace(GOOD, status=QuestionStatus.CLOSED), Fall(Rule.CLOSED, "closed")),
        (replace(GOOD, asked_at="2024-01-02T00:00:01Z"), Fall(Rule.AGE, "age 729 days < 730")),
        (replace(GOOD, asked_at=None), Fall(Rule.AGE, "date unknown", unknown=True)),
        (replace(GOOD, asked_at="yesterday"), Fall(Rule.AGE, "date unknown", unknown=True)),
        (replace(GOOD, views=499), Fall(Rule.VIEWS, "views 499 < 500")),
        (replace(GOOD, views=None), Fall(Rule.VIEWS, "views unknown", unknown=True)),
        (replace(GOOD, score=4), Fall(Rule.VOTES, "votes 4 < 5")),
        (replace(GOOD, score=-3), Fall(Rule.VOTES, "votes -3 < 5")),
        (replace(GOOD, score=None), Fall(Rule.VOTES, "votes unknown", unknown=True)),
        (replace(GOOD, views=25_000), Fall(Rule.VIEWS_PER_VOTE, "views/votes 25,000/5 >= 5,000")),
        (replace(GOOD, title="Why is it so?"), Fall(Rule.WHY, '"why" in the title')),
        (replace(GOOD, title="So: WHY?"), Fall(Rule.WHY, '"why" in the title')),
        (replace(GOOD, tags=("algebra", "Soft-Question")), Fall(Rule.TAGS, "tag 'Soft-Question'")),
        # The first rule in order is named, whatever else is wrong.
        (replace(GOOD, views=1, score=1, title="why"), Fall(Rule.VIEWS, "views 1 < 500")),
    ],
)
def test_a_question_falls_by_the_first_rule_it_fails(facts: Facts, fall: Fall) -> None:
    assert facts_fall(facts, RULES, AT) == fall


def test_a_status_of_unanswered_is_enough_where_the_number_of_answers_is_not_known() -> None:
    assert facts_fall(replace(GOOD, answers=None), RULES, AT) is None


def test_one_view_fewer_than_5000_a_vote_stands() -> None:
    assert facts_fall(replace(GOOD, views=24_999), RULES, AT) is None  # filters.py:102 lets exactly 5,000 pass


def test_answers_and_closure_are_looked_at() -> None:
    """filters.py:59-153 looks at neither."""
    both = replace(GOOD, answers=3, status=QuestionStatus.CLOSED)
    assert facts_fall(both, RULES, AT) == Fall(Rule.ANSWERED, "answers 3")
    assert facts_fall(both, RULES, AT, but=[Rule.ANSWERED]) == Fall(Rule.CLOSED, "closed")


@pytest.mark.parametrize("title", ["Whyever not", "The wHYdown", "A why_not operator"])
def test_why_is_a_word(title: str) -> None:
    assert facts_fall(replace(GOOD, title=title), RULES, AT) is None


@pytest.mark.parametrize(
    "tag",
    [
        "fa.functional-analysis",
        "functions",
        "fundamental-groups",
        "metamathematics",
        "metaphysics",
        "software",
        "soft-matter",
        "examples-counterexamples",
        "debugging",
        "job-scheduling",
        "polling",
        "textbook-proof",
        "bookkeeping",
    ],
)
def test_tags_that_only_hold_a_word_of_the_list_stand(tag: str) -> None:
    """filters.py:52-56 and 140-144 look for words within tags."""
    assert facts_fall(replace(GOOD, tags=(tag,)), RULES, AT) is None


@pytest.mark.parametrize("tag", ["homework", "homework-and-exercises", "book-recommendation", "career-advice", "fun"])
def test_tags_of_the_list_fall(tag: str) -> None:
    assert facts_fall(replace(GOOD, tags=(tag,)), RULES, AT) == Fall(Rule.TAGS, f"tag '{tag}'")


@pytest.mark.parametrize("pattern", ["", " ", "*", "**", "*a*", "a*b", "a**"])
def test_a_pattern_is_open_at_one_end_at_most(pattern: str) -> None:
    with pytest.raises(ConfigError):
        TagList([pattern])


@pytest.mark.parametrize(
    ("body", "text_format", "found"),
    [
        ("See ![a graph](x.png)", TextFormat.MARKDOWN, True),
        ("See ![a [nested] graph][1]", TextFormat.MARKDOWN, True),
        ('See <IMG src="x">', TextFormat.MARKDOWN, True),
        ("Is $n![k]$ even?", TextFormat.MARKDOWN, False),
        (r"An escaped \![one](x)", TextFormat.MARKDOWN, False),
        ('<p><img\nsrc="x"></p>', TextFormat.HTML, True),
        ("<p>an ![example](x) in code, an <imagine></p>", TextFormat.HTML, False),
        ("![a](b) <img>", TextFormat.PLAIN, False),
    ],
)
def test_images(body: str, text_format: TextFormat, found: bool) -> None:
    assert has_image(body, text_format) is found
    assert (body_fall(body, text_format, RULES) == Fall(Rule.IMAGES, "an image in the text")) is found


def test_without_its_text_whether_a_question_has_images_is_unknown() -> None:
    assert body_fall(None, TextFormat.PLAIN, RULES) == Fall(Rule.IMAGES, "text unknown", unknown=True)
    assert body_fall(None, TextFormat.PLAIN, replace(RULES, no_images=False)) is None


def test_ages_are_counted_in_utc() -> None:
    assert age_days("2025-12-31T23:59:59", AT) == 0
    assert age_days("2025-12-31T01:00:00+02:00", AT) == 1


def test_the_top_share_is_cut_after_ties() -> None:
    """stackexchange_client.py:154 counts it and never applies it."""
    assert cutoff("x", [(9, 1), (7, 2), (3, 17)], 0.1) == Cutoff("x", 20, 3, 7)
    assert cutoff("x", [(1, 30)], 0.1).kept == 30
    assert cutoff("x", [(n, 1) for n in range(30)], 0.1) == Cutoff("x", 30, 3, 27)
    assert cutoff("x", [(n, 1) for n in range(31)], 0.1) == Cutoff("x", 31, 4, 27)
    assert cutoff("x", [], 0.1) == Cutoff("x", 0, 0, None)


def test_below_the_top_share_a_question_falls() -> None:
    assert share_fall(7, 7, RULES) is None
    assert share_fall(6, 7, RULES) == Fall(Rule.TOP_SHARE, "votes 6 < 7, the top 0.1 of its site")
    assert share_fall(6, None, RULES) == Fall(Rule.TOP_SHARE, "not in the top 0.1 of its site")


@given(st.lists(st.tuples(st.integers(-5, 50), st.integers(1, 9)), min_size=1), st.sampled_from([0.01, 0.1, 0.5, 1.0]))
def test_a_share_keeps_enough_and_no_whole_tie_more(histogram: list[tuple[int, int]], share: float) -> None:
    found = cutoff("x", histogram, share)
    n = sum(number for _, number in histogram)
    above = sum(number for votes, number in histogram if found.votes is not None and votes > found.votes)
    assert above < n * share <= found.kept or above == 0


known = st.none() | st.integers(0, 100_000)
facts = st.builds(
    Facts,
    site=st.just("x.stackexchange.com"),
    title=st.sampled_from(["Why?", "What?"]),
    tags=st.lists(st.sampled_from(["fun", "algebra"]), max_size=2).map(tuple),
    status=st.sampled_from(QuestionStatus),
    score=known,
    views=known,
    answers=known,
    asked_at=st.none() | st.datetimes().map(lambda one: one.isoformat()),
)


@given(facts, st.integers(0, 1_000), st.integers(0, 1_000), st.integers(0, 1_000), st.integers(0, 4_000))
def test_stricter_rules_let_nothing_more_through(facts: Facts, days: int, views: int, votes: int, ratio: int) -> None:
    stricter = replace(
        RULES,
        age_days=RULES.age_days + days,
        views=RULES.views + views,
        votes=RULES.votes + votes,
        views_per_vote=RULES.views_per_vote - ratio,
    )
    if facts_fall(facts, RULES, AT) is not None:
        assert facts_fall(facts, stricter, AT) is not None


@given(facts)
def test_only_what_is_not_known_is_called_unknown(facts: Facts) -> None:
    fall = facts_fall(facts, RULES, AT)
    assert fall is None or not fall.unknown or None in (facts.score, facts.views, facts.asked_at)
