"""Strategies by name: what ships, the paper's rows and their figures, and the user's own."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prompts.loader import template_names
from tests.strategies.trees import pipelines
from uq_tui import paths
from uq_tui.errors import StrategyError
from uq_tui.strategies import catalogue
from uq_tui.strategies.catalogue import PaperRow, Source
from uq_tui.strategies.notation import parse, to_notation
from uq_tui.strategies.planning import PlannedCalls, planned_calls
from uq_tui.strategies.tree import models_in, slot_count, templates

CALLS = {
    "vanilla": (1, 1),
    "c": (1, 1),
    "cx3-m": (2, 3),
    "cx3-u": (1, 3),
    "cr3-m": (2, 3),
    "cr3-u": (1, 3),
    "cx5-m": (3, 5),
    "cx5-u": (1, 5),
    "cr5-m": (3, 5),
    "cr5-u": (1, 5),
    "1-iter": (2, 4),
    "3-iter": (2, 10),
    "3-iter-sampling": (2, 12),
    "5-iter": (2, 16),
    "c-3-models-m": (2, 3),
    "c-3-models-u": (1, 3),
    "c-5-models-m": (3, 5),
    "c-5-models-u": (1, 5),
    "3-iter-2-models-u": (2, 20),
    "debate-3-models": (5, 6),
}
"""Fewest and most calls of what ships, worked out by hand; the cycle check takes two."""

SLOTS = {"c-3-models-m": 3, "c-3-models-u": 3, "c-5-models-m": 5, "c-5-models-u": 5, "3-iter-2-models-u": 2}
SLOTS["debate-3-models"] = 3


@pytest.fixture(autouse=True, scope="module")
def _no_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Whoever runs the tests may have strategies of their own."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv(paths.HOME_VARIABLE, str(tmp_path_factory.mktemp("home")))
        yield


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the user's own strategies."""
    monkeypatch.setenv(paths.HOME_VARIABLE, str(tmp_path))
    own = tmp_path / "config" / "strategies"
    own.mkdir(parents=True)
    return own


def row(name: str) -> PaperRow:
    return next(row for row in catalogue.paper_rows() if row.name == name)


def test_what_ships_is_the_19_shapes_and_the_other_reading_of_one() -> None:
    assert catalogue.shape_names() == tuple(CALLS)
    assert len(CALLS) == 19 + 1
    assert {row.shape for row in catalogue.paper_rows()} == set(CALLS) - {"3-iter-sampling"}


@pytest.mark.parametrize("name", CALLS)
def test_a_shape_is_written_as_it_would_be_printed_and_has_its_slots_and_calls(name: str) -> None:
    preset = catalogue.find(name)
    strategy = preset.strategy

    assert (strategy.name, preset.source, preset.models) == (name, Source.SHAPE, ())
    assert strategy.title
    assert strategy.purpose
    assert to_notation(strategy.root) == strategy.notation
    assert parse(strategy.notation) == strategy.root
    assert models_in(strategy.root) == tuple(range(1, SLOTS.get(name, 1) + 1))
    fewest, most = CALLS[name]
    assert planned_calls(strategy) == PlannedCalls(fewest, most)
    assert planned_calls(strategy, exact=True) == PlannedCalls(most, most)


def test_no_two_shapes_are_the_same() -> None:
    assert len({catalogue.find(name).strategy.notation for name in CALLS}) == len(CALLS)


@pytest.mark.parametrize("name", CALLS)
def test_shapes_use_templates_that_ship(name: str) -> None:
    assert set(templates(catalogue.find(name).strategy)) <= set(template_names())


def test_the_default_is_three_turns_of_each_check() -> None:
    assert catalogue.find(catalogue.DEFAULT).strategy.notation == (
        "cycle_consistency r3 unanimous => fact_logic r3 unanimous => correctness r3 unanimous"
    )


def test_the_table_has_43_rows() -> None:
    rows = catalogue.paper_rows()
    families = [row.name.partition("/")[0] for row in rows]

    assert len(rows) == len({row.name for row in rows}) == 43
    assert {family: families.count(family) for family in families} == {
        "claude-3.7": 12,
        "o3-mini": 12,
        "o3": 13,
        "ensembles": 6,
    }


@pytest.mark.parametrize("name", [row.name for row in catalogue.paper_rows()])
def test_a_row_is_a_shape_whose_slots_it_fills(name: str) -> None:
    preset, expected = catalogue.find(name), row(name)
    shape = catalogue.find(expected.shape).strategy

    assert (preset.strategy.name, preset.strategy.title) == (name, expected.title)
    assert (preset.strategy.root, preset.strategy.notation) == (shape.root, shape.notation)
    assert preset.source is Source.ROW
    assert preset.models == expected.models
    assert len(set(preset.models)) == len(preset.models) == slot_count(shape.root)
    assert all("/" in model for model in preset.models)
    assert preset.models_are_ours == expected.models_are_ours


def test_models_that_the_paper_does_not_print_are_marked_as_ours() -> None:
    assert [row.name for row in catalogue.paper_rows() if row.models_are_ours] == [
        "ensembles/c-3-models-m",
        "ensembles/c-3-models-u",
        "ensembles/c-5-models-m",
        "ensembles/c-5-models-u",
        "ensembles/debate-3-models",
    ]
    assert row("ensembles/3-iter-2-models-u").models == ("openai/o3", "gemini/gemini-2.5-pro")


def test_titles_are_the_printed_names() -> None:
    assert row("o3/cx3-m").title == "o3, Cx3 M"
    assert row("o3/3-iter").title == "o3, 3-Iter"
    assert row("claude-3.7/vanilla").title == "Claude 3.7, Vanilla"
    assert row("ensembles/debate-3-models").title == "Ensembles, Debate 3 models"


def test_35_rows_have_a_matrix_which_gives_what_is_printed() -> None:
    """Within 0.005 percentage points, the last digit printed."""
    matrices = [(row, row.matrix) for row in catalogue.paper_rows() if row.matrix is not None]

    assert len(matrices) == 35
    assert sorted({matrix.n for _, matrix in matrices}) == [81, 496, 497, 498, 499, 500]
    for printed, (n, correct, hits, false_alarms, misses, rejected) in matrices:
        assert (hits + misses, hits + false_alarms + misses + rejected) == (correct, n)
        values = (100 * (hits + rejected) / n, 100 * hits / (hits + false_alarms), 100 * hits / correct)
        assert values == pytest.approx((printed.accuracy, printed.precision, printed.recall), abs=0.00501)


def test_rows_without_a_matrix_are_those_that_no_counts_fit() -> None:
    assert [row.name for row in catalogue.paper_rows() if row.matrix is None] == [
        "claude-3.7/cr3-m",
        "claude-3.7/cr3-u",
        "claude-3.7/cx5-u",
        "claude-3.7/3-iter",
        "o3/c",
        "o3/cr3-u",
        "o3/1-iter",
        "o3/5-iter",
    ]
    assert [row.name for row in catalogue.paper_rows() if row.note] == [
        "claude-3.7/cx5-u",
        "claude-3.7/cr5-m",
        "claude-3.7/cr5-u",
    ]


def test_names_are_read_in_any_case() -> None:
    assert catalogue.find(" 3-Iter ").strategy.name == "3-iter"
    assert catalogue.find("O3/Cx3-M").models == ("openai/o3",)


def test_a_one_line_form_is_a_strategy_called_as_it_is_printed() -> None:
    preset = catalogue.find("flc=>c X3 M")

    assert preset.source is Source.NOTATION
    assert preset.strategy.name == preset.strategy.title == preset.strategy.notation
    assert preset.strategy.notation == "fact_logic => correctness x3 majority"


def test_the_one_line_form_of_a_shape_is_that_shape() -> None:
    assert catalogue.find("C x3 M") == catalogue.find("cx3-m")


def test_a_word_that_is_neither_gets_one_error_for_both() -> None:
    with pytest.raises(StrategyError) as caught:
        catalogue.find("3-itr")

    assert caught.value.message.startswith("There is no strategy 3-itr, and as one line it cannot be read: Expected")
    assert "Did you mean 3-iter," in caught.value.hint
    assert "uq-tui strategies" in caught.value.hint
    assert caught.value.position == 0


def test_a_misspelt_check_is_not_taken_for_a_name() -> None:
    with pytest.raises(StrategyError, match="but here is fact_logik") as caught:
        catalogue.find("c => fact_logik")

    assert (caught.value.position, caught.value.hint) == (5, "Did you mean fact_logic?")


@given(
    st.text(max_size=100)
    | st.sampled_from([preset.strategy.name for preset in catalogue.shipped()])
    | pipelines().map(to_notation)
)
def test_any_text_is_found_or_an_error_with_its_position(text: str) -> None:
    try:
        found = catalogue.find(text)
    except StrategyError as error:
        position = error.position
    else:
        position = 0
        assert catalogue.find(found.strategy.name) == found
    assert position is not None
    assert 0 <= position <= len(text)


@pytest.mark.parametrize("text", ["../secret", "/etc/passwd", "a/../b", "..", ".", "x" * 5000, "\x00", "a\x1b[2J", ""])
def test_what_is_no_name_is_never_a_path(folder: Path, text: str) -> None:
    (folder.parent / "secret.toml").write_text('notation = "c"')

    with pytest.raises(StrategyError) as caught:
        catalogue.find(text)
    assert "\x1b" not in caught.value.message
    assert len(caught.value.message) < 400


def test_a_strategy_of_the_users_is_found_and_listed(folder: Path) -> None:
    (folder / "mine.toml").write_text('title = "Mine"\nnotation = "c x7 m"\n')
    preset = catalogue.find("mine")

    assert (preset.source, preset.strategy.title, preset.models) == (Source.OWN, "Mine", ())
    assert preset.strategy.notation == "correctness x7 majority"
    assert "mine" in catalogue.names()


@pytest.mark.parametrize("name", ["3-iter", "cc", "correctness"])
def test_a_strategy_of_the_users_may_not_take_a_name_that_means_something(folder: Path, name: str) -> None:
    (folder / f"{name}.toml").write_text('notation = "c x7 m"\n')

    with pytest.raises(
        StrategyError, match=rf"{name}\.toml: {name} (is the name of a strategy|means a check)"
    ) as caught:
        catalogue.find(name)
    assert caught.value.hint == "Rename the file."
    assert catalogue.names().count(name) == (name == "3-iter")


@pytest.mark.parametrize("name", ["Upper", "with space", "a.b"])
def test_a_file_whose_name_is_no_name_is_not_listed(folder: Path, name: str) -> None:
    file = folder / f"{name}.toml"
    file.write_text('notation = "c x7 m"\n')

    assert name not in catalogue.names()
    assert catalogue.own_files() == (file,)
    with pytest.raises(StrategyError, match="its name must be of lower-case letters"):
        catalogue.load_own(file)


@pytest.mark.parametrize(
    ("content", "problem"),
    [(b"\xff\xfe", "it cannot be read"), (b"stages = 3", "Strategy mine: stages must"), (b"#" * 70_000, "longer than")],
)
def test_a_malformed_file_says_so(folder: Path, content: bytes, problem: str) -> None:
    (folder / "mine.toml").write_bytes(content)

    with pytest.raises(StrategyError, match=problem):
        catalogue.find("mine")


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["pipe", "folder"])
def test_what_is_no_file_is_not_opened(folder: Path, make: Callable[[Path], None]) -> None:
    make(folder / "mine.toml")

    (file,) = catalogue.own_files()
    with pytest.raises(StrategyError, match="it is no file"):
        catalogue.load_own(file)


def test_the_folder_of_own_strategies_need_not_exist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(paths.HOME_VARIABLE, str(tmp_path))

    assert catalogue.own_files() == ()
    assert len(catalogue.names()) == 20 + 43
