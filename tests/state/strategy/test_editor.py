"""What the strategy dialog makes of what is entered."""

from pathlib import Path

import pytest

from uq_tui import paths
from uq_tui.engine.requests import ModelChoice, ValidateRequest
from uq_tui.state.strategy.choice import StrategyChoice
from uq_tui.state.strategy.editor import (
    KEPT_OWN,
    StrategyEditor,
    entries,
    model_text,
    read_model,
    remembered,
)
from uq_tui.state.strategy.outline import outline
from uq_tui.strategies import catalogue, notation
from uq_tui.words import DecisionForm

APP = ModelChoice("openai/o3")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home without strategies of the user's."""
    monkeypatch.setenv(paths.HOME_VARIABLE, str(tmp_path))
    return tmp_path


def editor(text: str = "") -> StrategyEditor:
    found = StrategyEditor(StrategyChoice(), APP)
    if text:
        found.edit(text)
    return found


def test_it_begins_with_the_present_choice_on_one_line() -> None:
    begun = editor()
    assert begun.found is not None
    assert begun.text == begun.found.strategy.notation == catalogue.find("3-iter").strategy.notation
    assert begun.choice() == StrategyChoice()
    assert StrategyChoice().strategy == catalogue.DEFAULT


def test_a_line_that_cannot_be_read_is_marked_where_it_ends_to_be_one() -> None:
    broken = editor("correctness x3 majority => corectness")
    assert broken.misread is not None
    assert broken.misread.excerpt[broken.misread.caret :] == "corectness"
    assert "correctness" in broken.misread.hint
    assert (broken.slots, broken.calls, broken.choice()) == ((), None, None)


def test_the_place_in_a_long_line_is_shown_with_little_around_it() -> None:
    long = " => ".join(f"stage{n}: correctness" for n in range(20))
    broken = editor(f"{long} => ??? => {long}")
    assert broken.misread is not None
    shown, caret = broken.misread.excerpt, broken.misread.caret
    assert len(shown) < 60
    assert shown[caret : caret + 3] == "???"
    assert (shown[0], shown[-1]) == ("…", "…")


def test_hostile_characters_keep_the_mark_in_its_place() -> None:
    broken = editor("\x1b[31m\tcorrectness")
    assert broken.misread is not None
    assert "\x1b" not in broken.misread.excerpt
    assert broken.misread.excerpt[broken.misread.caret] == "␛"


def test_calls_are_counted_anew_for_exact_votes() -> None:
    counted = editor("correctness x3 majority")
    calls = counted.calls
    assert calls is not None
    assert (calls.fewest, calls.most) == (2, 3)
    counted.exact = True
    calls = counted.calls
    assert calls is not None
    assert (calls.fewest, calls.most) == (3, 3)


def test_each_slot_needs_a_model_but_the_first_which_is_the_apps() -> None:
    asked = editor("correctness @[1, 2] majority")
    assert asked.slots == (1, 2)
    assert asked.model_problem == "Slot 2 needs a model."
    asked.models[2] = " google/gemini http://127.0.0.1:9/v1 "
    choice = asked.choice()
    assert choice is not None
    second = ModelChoice("google/gemini", "http://127.0.0.1:9/v1")
    assert choice.request("c", APP) == ValidateRequest(
        ("c",), APP, "correctness @[1, 2] majority", more_models=(second,)
    )


def test_the_same_model_twice_in_one_vote_is_told() -> None:
    asked = editor("correctness @[1, 2] majority")
    asked.models[2] = "openai/o3"
    assert "openai/o3 would judge twice" in asked.model_problem
    assert asked.choice() is None


def test_a_model_entered_for_slot_1_replaces_the_apps() -> None:
    asked = editor("correctness")
    asked.models[1] = "local/mine"
    choice = asked.choice()
    assert choice is not None
    assert choice.request("c", APP).model == ModelChoice("local/mine")
    asked.models[1] = " "
    choice = asked.choice()
    assert choice is not None
    assert choice.request("c", APP).model == APP


def test_models_left_over_from_another_strategy_are_not_given() -> None:
    asked = editor("correctness @[1, 2, 3] majority")
    asked.models |= {2: "b/two", 3: "c/three"}
    asked.edit("correctness @[1, 2] majority")
    choice = asked.choice()
    assert choice is not None
    assert choice.more_models == (ModelChoice("b/two"),)


def test_a_row_of_the_papers_table_brings_its_models() -> None:
    row = next(row for row in catalogue.paper_rows() if len(row.models) == 3)
    asked = editor()
    asked.take(next(entry for entry in entries(()) if entry.title == row.title))
    choice = asked.choice()
    assert choice is not None
    assert (choice.model, *choice.more_models) == tuple(map(ModelChoice, row.models))


def test_going_through_the_list_leaves_no_models_behind() -> None:
    asked = editor("correctness @[1, 2] majority")
    asked.models |= {1: "a/one", 2: "b/two"}
    listed = entries(())
    for entry in listed:
        asked.take(entry)
        if entry.models:
            assert [asked.models[slot] for slot in asked.slots] == list(entry.models)
    asked.take(next(entry for entry in listed if entry.title == "3-Iter 2 models U"))
    assert [asked.models[slot] for slot in asked.slots] == ["a/one", "b/two"]


def test_a_model_entered_over_that_of_a_row_stays() -> None:
    asked = editor()
    row, shape = (next(one for one in entries(()) if bool(one.models) is given) for given in (True, False))
    asked.take(row)
    asked.models[1] = "mine/own"
    asked.take(shape)
    assert asked.models[1] == "mine/own"


def test_how_it_is_asked_is_part_of_the_choice() -> None:
    asked = editor("correctness")
    asked.exact, asked.form = True, DecisionForm.EXACT
    choice = asked.choice()
    assert choice is not None
    request = choice.request("c", APP)
    assert (request.exact, request.form) == (True, DecisionForm.EXACT)
    again = StrategyEditor(choice, APP)
    assert again.choice() == choice


def test_the_list_has_own_lines_first_then_everything_with_a_name() -> None:
    own = "relevance x7 majority"
    listed = entries((own,))
    assert (listed[0].title, listed[0].notation) == ("own line", own)
    named = {catalogue.find(name).strategy.notation for name in catalogue.names()}
    assert {entry.notation for entry in listed} == named | {own}


def test_a_users_own_file_is_started_by_its_name_while_the_line_is_its(home: Path) -> None:
    folder = home / "config" / "strategies"
    folder.mkdir(parents=True)
    mine_toml = 'title = "Mine"\npurpose = "Ours."\nnotation = "relevance x9 majority"\n'
    (folder / "mine.toml").write_text(mine_toml, encoding="utf-8")
    (folder / "broken.toml").write_text("title =", encoding="utf-8")
    (mine,) = [entry for entry in entries(()) if entry.title == "Mine"]
    asked = editor()
    asked.take(mine)
    choice = asked.choice()
    assert choice is not None
    assert (choice.strategy, choice.title) == ("mine", "Mine")
    asked.edit("relevance x8 majority")
    choice = asked.choice()
    assert choice is not None
    assert choice.strategy == "relevance x8 majority"
    assert asked.is_own()


def test_only_lines_without_a_name_are_own() -> None:
    assert not editor("correctness").is_own()
    assert editor("relevance x9 majority").is_own()
    assert not editor("nonsense").is_own()


def test_own_lines_are_kept_once_the_newest_first_and_not_for_ever() -> None:
    own: tuple[str, ...] = ()
    for n in (*range(KEPT_OWN + 3), 5):
        own = remembered(own, f"relevance x{n + 1} majority")
    assert len(own) == len(set(own)) == KEPT_OWN
    assert own[0] == "relevance x6 majority"


@pytest.mark.parametrize("model", [ModelChoice("a/b"), ModelChoice("a/b", "http://127.0.0.1:9/v1")])
def test_a_model_is_read_as_it_is_written(model: ModelChoice) -> None:
    assert read_model(f"  {model_text(model)} ") == model


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("correctness", ("correctness",)),
        ("correctness r3 unanimous x5 majority", ("correctness, 3 turns, unanimous; 5 samples, majority",)),
        ("correctness@1 => plugin(numeric)", ("correctness by model 1", "plug-in numeric")),
        ("correctness debate[1, 2] majority", ("correctness, debate of model 1 and model 2, majority",)),
        ("last: fact_logic", ("last: fact logic",)),
        (
            "{correctness, relevance x3 majority} unanimous",
            ("vote: vote of 2, unanimous", "  correctness", "  relevance; 3 samples, majority"),
        ),
        (
            "(fact_logic => correctness) @[1, a/b] unanimous",
            ("model 1 and a/b, unanimous, each in turn", "  fact logic", "  correctness"),
        ),
    ],
)
def test_a_strategy_in_words(text: str, lines: tuple[str, ...]) -> None:
    assert outline(notation.parse(text)) == lines
