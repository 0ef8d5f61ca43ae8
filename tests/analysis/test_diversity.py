"""Diversity of samples: values worked out by hand, and laws against the definition."""

from itertools import combinations
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.analysis.diversity import TOO_FEW, Reply, diversity

TEXTS = st.lists(st.lists(st.sampled_from("abc"), max_size=8).map(" ".join), max_size=7)


def replies(*texts: str) -> list[Reply]:
    return [Reply(text, None) for text in texts]


def triples(text: str) -> set[tuple[str, ...]]:
    words = text.lower().split()
    return {tuple(words[start : start + 3]) for start in range(max(len(words) - 2, 1))}


def jaccard(one: str, other: str) -> float:
    left, right = triples(one), triples(other)
    return len(left & right) / len(left | right)


def test_by_hand() -> None:
    """Triples abc bcd, bcd cde, xyz: one of three in common, then none and none."""
    found = diversity(replies("a b c d", "b c d e", "x y z"))

    assert found.similarity == pytest.approx(1 / 9)
    assert (found.pairs, found.every_pair, found.wordless, found.undefined) == (3, 3, 0, "")
    assert (found.draws.replies, found.draws.distinct) == (3, 3)


def test_equal_replies_are_one_draw_and_all_alike() -> None:
    found = diversity([Reply("the answer is 4", 5, temperature=0.0, cut_off=place == 0) for place in range(4)])

    assert (found.similarity, found.pairs) == (1, 6)
    assert (found.draws.replies, found.draws.distinct, found.draws.cut_off) == (4, 1, 1)
    assert found.draws.temperature == 0


def test_case_and_white_space_do_not_count() -> None:
    assert diversity(replies("The Answer  is\n4", "the answer is 4")).similarity == 1


def test_short_replies_are_compared_whole() -> None:
    assert diversity(replies("yes", "Yes")).similarity == 1
    assert diversity(replies("yes", "no")).similarity == 0
    assert diversity(replies("yes indeed", "yes")).similarity == 0


@pytest.mark.parametrize("texts", [(), ("a b c",), ("a b c", ""), ("", " \n")])
def test_fewer_than_two_replies_with_words_have_no_similarity(texts: tuple[str, ...]) -> None:
    found = diversity(replies(*texts))

    assert (found.similarity, found.pairs, found.undefined) == (None, 0, TOO_FEW)
    assert found.wordless == sum(not text.strip() for text in texts)


def test_tokens_are_averaged_over_those_that_are_known() -> None:
    found = diversity([Reply("a", 10), Reply("b", None), Reply("c", 20), Reply("", 0)])

    assert (found.mean_tokens, found.tokens_known, found.wordless) == (10, 3, 1)
    assert (diversity(replies("a")).mean_tokens, diversity([]).tokens_known) == (None, 0)


def test_of_many_pairs_some_are_drawn() -> None:
    """Half of the replies are alike, so that a quarter of the pairs is, less a little: 435 of 1,770."""
    some = replies(*["one and the same"] * 30, *[f"another {place} of these" for place in range(30)])
    every, drawn, again = (diversity(some, most_pairs=pairs, seed=2) for pairs in (5_000, 400, 400))

    assert (every.pairs, every.every_pair) == (1_770, 1_770)
    assert every.similarity == pytest.approx(435 / 1_770)
    assert (drawn.pairs, drawn.every_pair) == (400, 1_770)
    assert drawn.similarity == pytest.approx(435 / 1_770, abs=0.08)
    assert drawn == again
    assert len({diversity(some, most_pairs=400, seed=seed).similarity for seed in range(4)}) > 1


@given(TEXTS)
def test_similarity_is_the_mean_over_all_pairs(texts: list[str]) -> None:
    found = diversity(replies(*texts))
    worded = [text for text in texts if text]
    expected = [jaccard(one, other) for one, other in combinations(worded, 2)]

    assert found.every_pair == found.pairs == len(expected)
    assert found.similarity == (pytest.approx(fmean(expected)) if expected else None)
    assert found.draws.distinct == len(set(texts))


@given(st.lists(st.sampled_from(["a b c d", "b c d", "x"]), min_size=12, max_size=20), st.integers(0, 30))
def test_drawn_pairs_are_different_ones(texts: list[str], seed: int) -> None:
    """All but one of the pairs: what is left out is the value of some pair."""
    every = diversity(replies(*texts))
    drawn = diversity(replies(*texts), most_pairs=every.pairs - 1, seed=seed)
    assert every.similarity is not None
    assert drawn.similarity is not None

    left_out = every.similarity * every.pairs - drawn.similarity * drawn.pairs
    values = {jaccard(one, other) for one, other in combinations(texts, 2)}
    assert min(abs(left_out - value) for value in values) < 1e-9
