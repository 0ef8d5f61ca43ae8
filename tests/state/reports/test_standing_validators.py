"""What validators would make of authors: rates, places, and how like people's they are."""

from collections.abc import Mapping
from itertools import cycle

import pytest

from uq_tui.analysis.cases import Answer, Group, Judgement, Validator, grouped
from uq_tui.analysis.truth import Standing
from uq_tui.state.reports.solvers import Solver
from uq_tui.state.reports.standing_validators import (
    FEW_AUTHORS,
    NOT_JUDGED,
    NOTHING_DECIDED,
    SAME_SHARE,
    ByValidators,
    by_validators,
)
from uq_tui.words import AuthorKind, Outcome

OUTCOMES = {"a": Outcome.ACCEPT, "r": Outcome.REJECT, "u": Outcome.UNPARSED, "f": Outcome.FAILED}
TRUTHS = {"c": Standing.CORRECT, "i": Standing.INCORRECT, "-": Standing.UNLABELLED, "t": Standing.TIED}


def groups_of(made: Mapping[str, Mapping[str, str]], truths: Mapping[str, str]) -> list[Group]:
    """Groups of strategies by name, each with a letter for what it made of a candidate."""
    judgements = [
        Judgement(Validator(name, name, ("m",), ("",), "tagged", ""), key, OUTCOMES[letter], "", 1)
        for name, own in made.items()
        for key, letter in own.items()
    ]
    return grouped(judgements, [Answer(key, (), TRUTHS[letter]) for key, letter in truths.items()])


def found_of(
    made: Mapping[str, Mapping[str, str]],
    truths: Mapping[str, str],
    authors: Mapping[str, tuple[str, ...]],
    questions: Mapping[str, str],
) -> ByValidators:
    named = {key: [Solver(AuthorKind.MODEL, name) for name in own] for key, own in authors.items()}
    return by_validators(groups_of(made, truths), named, questions)


def test_failed_and_unparsed_are_in_no_rate() -> None:
    made = {"one": {"p1": "a", "p2": "r", "p3": "u", "p4": "f", "p5": "a"}}
    truths = {"p1": "c", "p2": "i", "p3": "c", "p4": "c", "p5": "-"}
    (rate,) = found_of(made, truths, {}, {key: key for key in truths}).rates
    assert (rate.accepted.hits, rate.accepted.n, rate.undecided) == (2, 3, 2)
    assert (rate.base_rate.hits, rate.base_rate.n) == (1, 2)


def test_questions_are_counted_and_not_answers() -> None:
    """UQ's Table 3: of each author, what passed of all, what people found correct of what passed, and all together."""
    made = {"one": {"x1": "a", "x1b": "a", "x2": "r", "x3": "a", "y1": "a", "y2": "a", "y3": "r"}}
    truths = {"x1": "i", "x1b": "c", "x2": "-", "x3": "t", "y1": "i", "y2": "-", "y3": "-"}
    authors = {key: (key[0],) for key in truths}
    questions = {key: key[1] for key in truths}
    rows = found_of(made, truths, authors, questions).passed
    told = [
        (one.by and one.by.name, one.place, one.passed.hits, one.passed.n, one.correct.hits, one.correct.n)
        for one in rows
    ]
    assert told == [("x", 1, 2, 3, 1, 1), ("y", 1, 2, 3, 0, 1), (None, None, 3, 3, 1, 1)]


TABLE_3 = {
    "o3-pro": (75, 46, 4),
    "gemini-2.5-pro": (25, 10, 3),
    "o4-mini-high": (25, 14, 2),
    "o3": (44, 25, 1),
    "deepseek-r1-0528": (11, 5, 1),
    "claude-opus-4": (7, 3, 0),
    "claude-3.7-sonnet": (6, 3, 0),
    "gpt-4o": (0, 0, 0),
}
"""Of 500 questions, those that passed, were judged and were found correct: UQ paper (arXiv 2508.17580v1), Table 3."""


def test_table_3_of_uq_comes_out_as_printed() -> None:
    """The paper says how many passed together too: 144, of which 91 were judged and 10 correct.

    Which model passed on which question it doesn't say, so each takes the next ones of so many, round and round.
    """
    taken = {"c": cycle(range(10)), "i": cycle(range(10, 91)), "-": cycle(range(91, 144))}
    truths, made = dict[str, str](), dict[str, str]()
    for name, (passed, judged, correct) in TABLE_3.items():
        counts = {"c": correct, "i": judged - correct, "-": passed - judged}
        own = {next(taken[truth]): truth for truth, n in counts.items() for _ in range(n)}
        for number in range(500):
            truths[f"{name} {number}"] = own.get(number, "-")
            made[f"{name} {number}"] = "a" if number in own else "r"
    authors = {key: (key.split()[0],) for key in truths}
    rows = found_of({"3-Iter": made}, truths, authors, {key: key.split()[1] for key in truths}).passed
    told = {one.by.name: (one.passed.hits, one.correct.n, one.correct.hits or 0) for one in rows if one.by}
    assert told == TABLE_3
    assert [one.by.name for one in rows if one.by][:4] == ["o3-pro", "o3", "gemini-2.5-pro", "o4-mini-high"]
    assert [one.place for one in rows] == [1, 2, 3, 3, 5, 6, 7, 8, None]
    together = rows[-1]
    assert (together.passed.hits, together.passed.n) == (144, 500)
    assert (together.correct.hits, together.correct.n) == (10, 91)
    assert rows[0].passed.value == 0.15


def test_what_nothing_is_known_of_is_undefined_and_not_nought() -> None:
    (row, together) = found_of({"one": {"x1": "a"}}, {"x1": "-"}, {"x1": ("x",)}, {"x1": "1"}).passed
    assert (row.correct.value, row.correct.undefined) == (None, NOT_JUDGED)
    found = found_of({"one": {"x1": "f"}}, {"x1": "c"}, {"x1": ("x",)}, {"x1": "1"})
    assert (found.passed, found.rates[0].accepted.value, found.rates[0].accepted.undefined) == (
        (),
        None,
        NOTHING_DECIDED,
    )
    assert together.by is None


def test_validators_that_rank_the_other_way_round_are_told() -> None:
    """The same three authors, by a validator that ranks them as people do and by one that does the opposite."""
    keys = [f"{author}{number}" for author in "xyz" for number in range(4)]
    best = {"x": 4, "y": 2, "z": 0}
    like = {key: "a" if int(key[1]) < best[key[0]] else "r" for key in keys}
    unlike = {key: "r" if int(key[1]) < best[key[0]] else "a" for key in keys}
    truths = {key: "c" if int(key[1]) < best[key[0]] else "i" for key in keys}
    found = found_of({"like": like, "unlike": unlike}, truths, {key: (key[0],) for key in keys}, {k: k for k in keys})
    assert [one.tau_b for one in found.likeness] == [1.0, -1.0]
    assert {one.by.name: dict(one.places) for one in found.moved} == {
        "x": {1: 1, 2: 3},
        "y": {1: 2, 2: 2},
        "z": {1: 3, 2: 1},
    }
    assert found.moved[-1].by.name == "y"


@pytest.mark.parametrize(
    ("authors", "truths", "why"),
    [
        ({"p": ("x",), "q": ("x",)}, {"p": "c", "q": "i"}, FEW_AUTHORS),
        ({"p": ("x",), "q": ("y",)}, {"p": "c", "q": "c"}, SAME_SHARE),
    ],
)
def test_likeness_is_undefined_with_its_reason(
    authors: dict[str, tuple[str, ...]], truths: dict[str, str], why: str
) -> None:
    (found,) = found_of({"one": {"p": "a", "q": "r"}}, truths, authors, {"p": "1", "q": "2"}).likeness
    assert (found.tau_b, found.undefined) == (None, why)
