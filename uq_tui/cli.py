"""The command line: `uq-tui` opens the app, `uq-tui COMMAND` does the same jobs without a screen.

Only the command that runs is imported, so that help and start-up stay quick.
"""

import importlib
import io
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import click

from uq_tui import startup
from uq_tui.commands import reporting
from uq_tui.commands.invocation import Invocation, exit_codes, write_json
from uq_tui.engine.requests import ModelChoice
from uq_tui.errors import EXIT_INTERRUPTED, UqError


class Entry(NamedTuple):
    """Where a command is defined, and its line in the list of commands."""

    module: str
    attribute: str
    summary: str


COMMANDS: Mapping[str, Entry] = {
    "questions": Entry("questions", "group", "List questions, or show one with its candidates."),
    "read": Entry("read", "read", "Print a text as it is laid out, or write it as a page."),
    "import": Entry("import_files", "import_files", "Bring in questions, neighbours, candidates or verdicts."),
    "curate": Entry("curate", "group", "Choose unsolved questions by rules, models and people."),
    "generate": Entry("generate", "generate", "Ask a model for candidate answers."),
    "validate": Entry("validate", "validate", "Screen candidates by a strategy of checks."),
    "judge": Entry("judge", "judge", "Have candidates scored by a judge."),
    "strategies": Entry("strategies", "group", "List strategies, or show what one asks."),
    "audit": Entry("audit", "audit", "Have a model quote the flaws in candidates."),
    "citations": Entry("citations", "citations", "List what a candidate refers to."),
    "diff": Entry("diff", "diff", "Compare two candidates word by word."),
    "neighbours": Entry("neighbours", "group", "List, write, propose or set aside related questions."),
    "cbu": Entry("cbu", "cbu", "Measure the consequence-based utility of candidates."),
    "rollouts": Entry("rollouts", "rollouts", "List the attempts behind a candidate's utility."),
    "ledger": Entry("ledger", "group", "Show or mark what you have checked of a text."),
    "remarks": Entry("remarks", "group", "List, add or remove your remarks on a text."),
    "queue": Entry("queue", "group", "Lay out candidates for reviewers, see how far they are."),
    "verdict": Entry("verdict", "group", "Give, list or retract your verdicts."),
    "adjudicate": Entry("adjudicate", "group", "List verdicts that disagree, and settle them."),
    "second-pass": Entry("second_pass", "group", "Confirm or refute what machines claimed of an answer."),
    "comment": Entry("comment", "group", "Comment on questions and answers, keep notes."),
    "resolve": Entry("resolve", "resolve", "Say that a question is solved, by which answer and why."),
    "dataset": Entry("dataset", "group", "Pin questions in versions of a dataset, write one."),
    "bundle": Entry("bundle", "group", "Write a queue's work for reviewers elsewhere, or return yours."),
    "open": Entry("open_bundle", "open_bundle", "Begin to work on a bundle that somebody sent."),
    "status": Entry("status", "status", "See what handed out work has come back, and what is missing."),
    "reviewer": Entry("reviewer", "group", "List, add, edit, link or switch reviewers."),
    "merge": Entry("merge", "merge", "Bring verdicts of many people together."),
    "export": Entry("export", "export", "Write verdicts, and what belongs to them, to files."),
    "verify": Entry("verify", "verify_file", "See whether an exported file is whole, and who signed it."),
    "report": Entry("report", "group", "Say what all that is in the workspace comes to."),
    "runs": Entry("runs", "group", "List runs, show one, resume interrupted ones."),
    "plugins": Entry("plugins", "group", "List plug-ins, or try one on a candidate."),
    "models": Entry("models", "group", "List models, test one, fetch embedded weights."),
    "templates": Entry("templates", "group", "List the prompt templates, or show one."),
    "keys": Entry("keys", "keys", "List what the app's keys do, and which they are."),
}


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports one only when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        command = getattr(importlib.import_module(f"uq_tui.commands.{entry.module}"), entry.attribute)
        if not isinstance(command, click.Command):
            raise TypeError(f"uq_tui.commands.{entry.module}.{entry.attribute} is not a command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in COMMANDS.items()])


class RootGroup(LazyGroup):
    """Checks before any command, and the one place where errors end: as a message and an exit code."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        try:
            return super().make_context(info_name, args, parent, **extra)
        except click.ClickException as error:
            raise reporting.cleaned(error) from None

    def invoke(self, ctx: click.Context) -> Any:
        invocation = ctx.ensure_object(Invocation)
        try:
            startup.check_python()
            startup.check_packages()
            return super().invoke(ctx)
        except (click.exceptions.Exit, BrokenPipeError):
            raise
        except (KeyboardInterrupt, click.Abort):
            click.echo("Interrupted.", err=True)
            ctx.exit(EXIT_INTERRUPTED)
        except click.ClickException as error:
            if invocation.as_json:
                write_json({"error": reporting.usage_object(error)})
            raise reporting.cleaned(error) from None
        except UqError as error:
            reporting.report(error, as_json=invocation.as_json)
            ctx.exit(error.exit_code)
        except Exception as error:  # the reporting boundary: whatever it is, it goes to a log file
            ctx.exit(reporting.report_unexpected(error, as_json=invocation.as_json))


@click.group(
    "uq-tui",
    cls=RootGroup,
    invoke_without_command=True,
    epilog=exit_codes(),
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--workspace",
    type=click.Path(path_type=Path),
    help="The workspace file; made when it does not exist. Without it, the default workspace.",
)
@click.option(
    "--model", default="", metavar="ID", help="The model the app starts with. Commands have their own --model."
)
@click.option("--api-base", default="", metavar="URL", help="Where that model is served.")
@click.version_option(package_name="uq-tui", prog_name="uq-tui")
@click.pass_context
def root(ctx: click.Context, workspace: Path | None, model: str, api_base: str) -> None:
    """A workstation for judging answers to questions nobody has solved.

    Without a command it opens the app.
    """
    invocation = ctx.ensure_object(Invocation)
    invocation.workspace = workspace
    if ctx.invoked_subcommand is not None:
        if model or api_base:
            raise click.UsageError("--model and --api-base before a command belong to the app; put them after it.", ctx)
        return
    if api_base and not model:
        raise click.UsageError("--api-base needs --model.", ctx)
    startup.check_terminal(sys.stdin, sys.stdout, sys.stderr)
    from uq_tui.app import run_app

    ctx.exit(run_app(invocation.workspace_path(), model=ModelChoice(model, api_base) if model else None))


def main() -> None:
    """The console script. Ends the process."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a C locale must not turn a glyph into a crash
    root(prog_name="uq-tui")
