"""docs/commands.md names every command, every option and every outcome of a rollout."""

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from uq_tui.cli import COMMANDS, root
from uq_tui.state.utility.rollouts import Kind

PAGE = Path(__file__).resolve().parents[2] / "docs" / "commands.md"


def sections() -> dict[str, str]:
    """The text under each heading that is the name of a command."""
    parts = re.split(r"^## `([\w-]+)`$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def leaves(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    if isinstance(command, click.Group):
        for part, inner in command.commands.items():
            yield from leaves(inner, f"{name} {part}")
    else:
        yield name, command


def usage(text: str, name: str) -> str:
    """The code span that starts with the command's name."""
    found = re.search(rf"`{name}(?![\w-])[^`]*`", text)
    return found[0] if found else ""


def test_every_command_has_its_section_in_order() -> None:
    assert list(sections()) == list(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_described(name: str) -> None:
    command = root.get_command(click.Context(root), name)
    assert command is not None
    for full_name, leaf in leaves(command, name):
        described = usage(sections()[name], full_name)
        assert described, f"{full_name} has no usage line"
        for parameter in leaf.params:
            if isinstance(parameter, click.Option):
                assert parameter.opts[-1] in described, f"{full_name} {parameter.opts}"


def test_every_outcome_of_a_rollout_is_named() -> None:
    assert all(f"`{kind}`" in sections()["rollouts"] for kind in Kind)
