"""Counting equal samples, and what a figure over them is called."""

import pytest

from uq_tui.analysis.independence import NOT_INDEPENDENT, Draws, Sample, count, counted, mark, repeats, total


def samples(fingerprints: str, temperature: float | None = 0.7) -> list[Sample]:
    return [Sample(letter, temperature) for letter in fingerprints]


@pytest.mark.parametrize(
    ("fingerprints", "replies", "distinct"),
    [("", 0, 0), ("a", 1, 1), ("ab", 2, 2), ("aa", 2, 1), ("abcacb", 6, 3)],
)
def test_equal_samples_are_counted_once_among_the_distinct(fingerprints: str, replies: int, distinct: int) -> None:
    draws = count(samples(fingerprints))

    assert (draws.replies, draws.distinct) == (replies, distinct)
    assert repeats(draws) is (distinct < replies)


def test_samples_cut_off_are_counted() -> None:
    assert count([Sample("a", None, cut_off=True), Sample("b", None)]).cut_off == 1


@pytest.mark.parametrize(
    ("temperatures", "common"),
    [([0.7, 0.7], 0.7), ([0.0, 0.0], 0.0), ([0.0, 0.7], None), ([0.0, None], None), ([None, None], None), ([], None)],
)
def test_a_temperature_is_told_where_all_have_it(temperatures: list[float | None], common: float | None) -> None:
    assert count([Sample(number, one) for number, one in enumerate(temperatures)]).temperature == common


def test_counts_add_up_over_prompts_and_one_unknown_makes_the_sum_unknown() -> None:
    both = total([count(samples("aab")), count(samples("aab"))])

    assert (both.replies, both.distinct, both.cut_off, both.temperature) == (6, 4, 0, 0.7)
    assert total([both, Draws(None, None, None, None)]) == Draws(None, None, None, None)
    assert total([]) == Draws(0, 0, 0, None)


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ([], ""),
        ([samples("abc")], ""),
        ([samples("a", 0.0)], ""),
        ([samples("ab", 0.0)], ""),
        ([samples("aab")], NOT_INDEPENDENT),
        ([samples("aab", None)], NOT_INDEPENDENT),
        ([samples("abc"), samples("aa")], NOT_INDEPENDENT),
        ([samples("aaa", 0.0)], "temperature 0: one sample, repeated"),
        ([samples("aaa", 0.0), samples("abc", 0.0)], "temperature 0: one sample, repeated"),
        ([samples("aab", 0.0)], "temperature 0: few samples, repeated"),
        ([samples("aaa", 0.0), samples("aa")], NOT_INDEPENDENT),
    ],
)
def test_a_figure_over_equal_samples_is_marked(parts: list[list[Sample]], said: str) -> None:
    assert mark([count(part) for part in parts]) == said


def test_what_was_not_recorded_is_neither_marked_nor_counted() -> None:
    unknown = Draws(None, None, None, None)

    assert (mark([unknown]), counted(unknown)) == ("", "")
    assert counted(Draws(1, 1, 0, None)) == "1 reply, 1 distinct"
    assert counted(Draws(8_000, 5, 0, None)) == "8,000 replies, 5 distinct"
