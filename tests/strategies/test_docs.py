"""What docs/strategies.md shows can be read, and means what it says."""

import re
from pathlib import Path

import pytest

from uq_tui.strategies import catalogue, limits
from uq_tui.strategies.notation import parse
from uq_tui.strategies.toml_form import parse_strategy
from uq_tui.strategies.tree import MAX_VOTES, CheckKind

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "strategies.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (`.*?) \| .* \|$", PAGE, re.MULTILINE)
EXAMPLES = [span for row in ROWS for span in re.findall(r"`([^`]+)`", row) if "correctness" in span]


@pytest.mark.parametrize("text", EXAMPLES)
def test_an_example_on_one_line_is_read(text: str) -> None:
    assert len(parse(f"first: vanilla@1 => {text}").stages) > 1  # an example with slot 2 alone would leave out slot 1


def test_there_are_examples_of_everything() -> None:
    assert len(EXAMPLES) == 13


def test_both_forms_of_a_file_are_the_same() -> None:
    line, tree = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)

    assert parse_strategy("a", line).root == parse_strategy("a", tree).root


def test_every_check_shape_and_limit_is_named() -> None:
    spans = set(re.findall(r"`([^`]+)`", PAGE))

    assert {kind.value for kind in CheckKind} <= spans
    assert set(catalogue.shape_names()) <= spans
    assert (limits.MAX_LENGTH, limits.MAX_DEPTH, MAX_VOTES, limits.MAX_CALLS) == (4000, 12, 64, 4096)
    assert re.search(r"4,000 characters, 12 levels, 64 votes in one place, and 4,096 calls", PAGE)
