"""Options that say what a report holds correct."""

from collections.abc import Callable

import click

from uq_tui.commands.invocation import Command
from uq_tui.state.reports.labels import Against, Labels

CORRECT, INCORRECT = "correct", "incorrect"


def against_option(without: str) -> Callable[[Command], Command]:
    """Add `--against`; `without` says what counts when it is left out."""
    return click.option(
        "--against",
        type=click.Choice([one.value for one in Against]),
        help=f"What counts as the truth. {without}",
    )


def borderline_option(command: Command) -> Command:
    """Add `--borderline`."""
    option = click.option(
        "--borderline",
        type=click.Choice((CORRECT, INCORRECT)),
        default=CORRECT,
        show_default=True,
        help="What a borderline correct answer counts as.",
    )
    return option(command)


def label_options(command: Command) -> Command:
    """Add both, for reports that go by verdicts and known labels together."""
    return against_option("Without it: the reviewers' verdicts where most agree, else the known label.")(
        borderline_option(command)
    )


def labels(against: str | None, borderline: str) -> Labels:
    """What these options say."""
    return Labels(Against(against) if against else None, borderline == CORRECT)


def held_json(held: Labels) -> dict[str, str | None]:
    """The options as JSON says which were taken."""
    return {"against": held.against, "borderline": CORRECT if held.borderline_correct else INCORRECT}
