"""Groups of commands whose plain name lists."""

import click


class ListingGroup(click.Group):
    """A group that runs its `list` command when no other is named: `uq-tui runs --json` lists runs."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own = ctx.help_option_names
        if not args or (args[0].startswith("-") and args[0] not in own):
            args = ["list", *args]
        return super().parse_args(ctx, args)
