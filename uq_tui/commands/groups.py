"""Groups of commands whose plain name lists."""

from typing import Any

import click


class ListingGroup(click.Group):
    """A group that runs its `list` command when no other is named: `uq-tui runs --json` lists runs."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own = ctx.help_option_names
        if not args or (args[0].startswith("-") and args[0] not in own):
            args = ["list", *args]
        return super().parse_args(ctx, args)


class NamingGroup(click.Group):
    """A group that runs one of its commands when none is named: `uq-tui ledger TEXT` shows a ledger."""

    def __init__(self, *args: Any, default: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._default = default

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = [self._default, *args]
        return super().parse_args(ctx, args)
