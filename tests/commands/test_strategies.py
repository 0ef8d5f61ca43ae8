"""`uq-tui strategies`: the list, and one strategy in full."""

from pathlib import Path

import pytest

from tests.commands.conftest import Run, document


@pytest.fixture
def own(home: Path) -> Path:
    """The folder of the user's own strategies."""
    folder = home / "config" / "strategies"
    folder.mkdir(parents=True)
    return folder


def test_the_list_has_names_calls_slots_models_and_notation(run: Run) -> None:
    result = run("strategies")
    lines = {line.split()[0]: line for line in result.stdout.splitlines() if line.strip()}

    assert result.exit_code == 0
    assert len(lines) == 1 + 20 + 43
    assert lines["name"].split() == ["name", "calls", "slots", "models", "notation"]
    assert lines["cx3-m"].split() == ["cx3-m", "2", "to", "3", "1", "–", "correctness", "x3", "majority"]
    assert "(default)" in lines["3-iter"]
    assert "2 to 20" in lines["ensembles/3-iter-2-models-u"]
    assert "openai/o3, gemini/gemini-2.5-pro" in lines["ensembles/3-iter-2-models-u"]


def test_the_list_as_json(run: Run) -> None:
    found = document(run("strategies", "--json"))

    assert (found["default"], found["problems"], len(found["strategies"])) == ("3-iter", [], 63)
    assert found["strategies"][1] == {
        "name": "c",
        "title": "C",
        "purpose": "The correctness check, once.",
        "source": "shape",
        "notation": "correctness",
        "slots": 1,
        "models": [],
        "models_are_ours": False,
        "own_models": [],
        "calls": {"fewest": 1, "most": 1},
    }
    assert sum(one["models_are_ours"] for one in found["strategies"]) == 5


def test_the_users_own_are_listed_and_what_is_wrong_with_others_is_told(run: Run, own: Path) -> None:
    (own / "mine.toml").write_text('notation = "c x7 m"')
    (own / "3-iter.toml").write_text('notation = "c x7 m"')
    (own / "bad.toml").write_text('notation = "c x7"')
    result = run("strategies")

    assert result.exit_code == 1
    assert "correctness x7 majority" in result.stdout
    assert "3-iter.toml: 3-iter is the name of a strategy that ships with uq-tui. Rename the file." in result.stderr
    assert "Strategy bad: notation, at character 5: Expected majority or unanimous" in result.stderr

    found = document(run("strategies", "--json"))
    names = [one["name"] for one in found["strategies"]]
    assert (names.count("3-iter"), names.count("mine"), names.count("bad")) == (1, 1, 0)
    assert [Path(problem["file"]).stem for problem in found["problems"]] == ["3-iter", "bad"]


def test_a_strategy_in_full(run: Run) -> None:
    lines = run("strategies", "show", "3-iter").stdout.splitlines()

    assert lines[0] == "3-Iter by reflection"
    assert any(line.endswith("fact logic, 3 turns, unanimous") for line in lines)
    assert "Models:   one, which --model names" in lines
    assert "Calls:    2 to 10 for one candidate, 10 with --exact; one more for each unreadable decision" in lines
    assert any(line.startswith("Notation: cycle_consistency r3 unanimous => ") for line in lines)


def test_a_strategy_of_plugins_alone_promises_no_calls(run: Run) -> None:
    lines = run("strategies", "show", "plugin(numeric_identity)").stdout.splitlines()

    assert "Models:   none" in lines
    assert "Calls:    none: plug-ins ask no model" in lines


def test_a_row_shows_its_models_and_the_papers_figures(run: Run) -> None:
    shown = run("strategies", "show", "ensembles/c-3-models-u").stdout

    assert "1 openai/o3, 2 gemini/gemini-2.5-pro, 3 anthropic/" in shown
    assert "our choice: the paper does not print which it asked" in shown
    assert "accuracy 77.40 %, precision 23.33 %, recall 32.31 %" in shown
    assert "n 500, 65 correct: 21 accepted, 44 rejected; 435 wrong: 69 accepted, 366 rejected" in shown
    assert "Rejecting all would be 87.00 % accurate" in shown


def test_a_row_without_counts_says_so(run: Run) -> None:
    assert "none in whole numbers give these three" in run("strategies", "show", "o3/c").stdout
    paper = document(run("strategies", "show", "o3/c", "--json"))["paper"]
    assert paper == {"accuracy": 70.6, "precision": 22.0, "recall": 50.0, "matrix": None, "note": ""}


@pytest.mark.parametrize(
    ("text", "models"),
    [
        ("c x2 u", "Models:   one, which --model names"),
        ("c debate[1, 2] m", "Models:   2, which --model names, slot 1 first"),
        ("c @[1, a/b] m", "Models:   one, which --model names, a/b"),
        ("c@a/b", "Models:   a/b"),
        ("plugin(spot)", "Models:   none"),
    ],
)
def test_a_one_line_form_is_shown_with_the_models_it_takes(run: Run, text: str, models: str) -> None:
    result = run("strategies", "show", text)

    assert result.stdout.splitlines()[0] == "A strategy without a name"
    assert models in result.stdout.splitlines()


def test_a_one_line_form_as_json(run: Run) -> None:
    found = document(run("strategies", "show", "flc => c@a/b x2 u", "--json"))

    assert (found["source"], found["paper"]) == ("notation", None)
    assert (found["slots"], found["own_models"]) == (1, ["a/b"])
    assert found["outline"][0] == "fact logic"
    assert found["outline"][1].startswith("correctness by a/b")
    assert found["calls"] == {"fewest": 1, "most": 3}


@pytest.mark.parametrize(
    ("text", "character", "found"),
    [
        ("flc => corectness", 8, "corectness"),
        ("corectness => flc", 1, "corectness"),
        ("=> flc", 1, "=>"),
        ("flc => => c", 8, "=>"),
    ],
)
def test_an_error_says_at_which_character(run: Run, text: str, character: int, found: str) -> None:
    result = run("strategies", "show", text)

    assert result.exit_code == 2
    assert f"Strategy, character {character}: Expected a check" in result.stderr
    assert f"but here is {found}." in result.stderr


def test_what_is_neither_name_nor_notation_is_one_error(run: Run) -> None:
    result = run("strategies", "show", "3-itr")

    assert result.exit_code == 2
    assert "Strategy, character 1: There is no strategy 3-itr, and as one line it cannot be read" in result.stderr
    assert "Did you mean 3-iter" in result.stderr
