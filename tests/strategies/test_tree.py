"""Trees: places, the models they ask, and the templates they use."""

import pytest
from hypothesis import given

from tests.strategies.trees import strategies
from uq_tui.strategies.notation import parse, to_notation
from uq_tui.strategies.tree import (
    Pipeline,
    Strategy,
    children,
    default_name,
    models_in,
    paths_of,
    places,
    slot_count,
    templates,
    walk,
)


def strategy(text: str) -> Strategy:
    root = parse(text)
    return Strategy("s", "Title", "", root, to_notation(root))


def shown(text: str) -> list[tuple[str, str, int, bool]]:
    return [(place.path, place.label, place.depth, place.composed) for place in places(strategy(text))]


def test_turns_samples_and_stages_have_places_under_their_names() -> None:
    assert shown("fact_logic r2 u => last: c x2 m") == [
        ("", "Title", 0, True),
        ("fact_logic", "fact logic", 1, True),
        ("fact_logic/1", "turn 1", 2, False),
        ("fact_logic/2", "turn 2", 2, False),
        ("last", "last", 1, True),
        ("last/1", "sample 1", 2, False),
        ("last/2", "sample 2", 2, False),
    ]


def test_models_and_debaters_have_places_under_their_numbers() -> None:
    assert shown("c @[1, a/b] u => flc debate[2, 1] m") == [
        ("", "Title", 0, True),
        ("correctness", "correctness", 1, True),
        ("correctness/1", "model 1", 2, False),
        ("correctness/2", "a/b", 2, False),
        ("fact_logic", "fact logic", 1, True),
        ("fact_logic/1", "model 2", 2, True),
        ("fact_logic/1/1", "turn 1", 3, False),
        ("fact_logic/1/2", "turn 2", 3, False),
        ("fact_logic/2", "model 1", 2, True),
        ("fact_logic/2/1", "turn 1", 3, False),
        ("fact_logic/2/2", "turn 2", 3, False),
    ]


def test_pipelines_and_votes_have_places_beneath_what_spreads_them() -> None:
    assert [path for path, *_ in shown("(c => plugin(a)) x2 u => {c, flc} m")] == [
        "",
        *("pipeline", "pipeline/1", "pipeline/1/correctness", "pipeline/1/a"),
        *("pipeline/2", "pipeline/2/correctness", "pipeline/2/a"),
        *("vote", "vote/correctness", "vote/fact_logic"),
    ]


@given(strategies())
def test_places_differ_and_each_stands_below_its_parent(made: Strategy) -> None:
    found = places(made)
    paths = [place.path for place in found]

    assert len(set(paths)) == len(paths)
    assert paths[0] == ""
    composed = {place.path for place in found if place.composed}
    assert all(path.rpartition("/")[0] in composed for path in paths[1:])
    assert all(place.depth == len([part for part in place.path.split("/") if part]) for place in found)
    assert tuple(paths) == paths_of(made.root, "")


@pytest.mark.parametrize(
    ("text", "models", "count"),
    [
        ("c", (1,), 1),
        ("c@a/b", ("a/b",), 0),
        ("plugin(x)", (), 0),
        ("c@2 => flc", (1, 2), 2),
        ("c @[2, a/b] u => flc debate[1, 3] m", (1, 2, 3, "a/b"), 3),
        ("(c@2 => flc) @[1, 3] u", (1, 2, 3), 3),
    ],
)
def test_slots_and_ids_that_are_asked(text: str, models: tuple[int | str, ...], count: int) -> None:
    assert models_in(parse(text)) == models
    assert slot_count(parse(text)) == count


def test_templates_follow_from_what_is_in_the_tree() -> None:
    assert templates(strategy("cc")) == ("check.cycle_infer", "check.cycle_compare")
    assert templates(strategy("(c r2 u => again: c) x2 m => flc")) == (
        "check.correctness",
        "check.fact_logic",
        "reflect",
    )
    assert templates(strategy("relevance debate[1, 2] u => plugin(a)")) == ("check.relevance", "debate")


@given(strategies())
def test_walking_meets_every_child_after_its_parent(made: Strategy) -> None:
    met = list(walk(made.root))

    assert isinstance(met[0], Pipeline)
    assert len(met) == 1 + sum(len(children(node)) for node in met)


@pytest.mark.parametrize(
    ("text", "name"),
    [("c x3 m @[1, 2] u", "correctness"), ("{c, flc} m x2 m", "vote"), ("(c => flc) x2 m", "pipeline")],
)
def test_what_is_spread_is_called_as_what_it_spreads(text: str, name: str) -> None:
    (stage,) = parse(text).stages

    assert (stage.name, default_name(stage.node)) == (name, name)
