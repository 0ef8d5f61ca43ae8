"""`uq-tui comment`: what people say of questions and answers beside verdicts, and one's own notes."""

from typing import Any

import click

from store import candidates, notes, questions, reviewers, statements
from store.review_rows import Said, Statement
from store.workspace import Workspace
from uq_tui.commands import display, ids, typed
from uq_tui.commands.groups import NamingGroup
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.commands.revealing import WHERE
from uq_tui.errors import NotFoundError
from uq_tui.state.reviewing.comments import HIDDEN, Entry, checked_acceptance, expose, read
from uq_tui.text import clean, clean_line, counted
from uq_tui.words import StatementKind

_INDENT = "  "


@click.group("comment", cls=NamingGroup, default="list", epilog=exit_codes())
def group() -> None:
    """List comments, or say something of a question or an answer. Plain `comment QUESTION` lists."""


@group.command("list", epilog=exit_codes())
@click.argument("about", type=utf8, metavar="QUESTION|CANDIDATE")
@json_option
@pass_invocation
def list_comments(invocation: Invocation, about: str) -> None:
    """List what is said of a question and its answers, or of one answer.

    What others say of an answer is recorded as shown: your later verdict on it is not blind.
    """
    with invocation.open() as workspace:
        question_id, candidate_id = _subject(workspace, about)
        reviewer = reviewers.current(workspace)
        talk = read(workspace, reviewer, question_id)
        expose(workspace, reviewer, talk, WHERE)
    entries = [one for one in talk.entries if candidate_id in ("", one.statement.candidate_id)]
    if talk.is_hidden:
        click.echo(HIDDEN, err=True)
    if invocation.as_json:
        write_json(
            {"question_id": question_id, "hidden": talk.is_hidden, "comments": [_entry_json(one) for one in entries]}
        )
        return
    for one in entries:
        indent = _INDENT * one.depth
        click.echo(f"{indent}{display.cell(one.key)}  {one.head}")
        for line in clean(one.text).split("\n"):
            click.echo(f"{indent}{_INDENT}{line}")
    click.echo(counted(len(entries), "comment"), err=True)


@group.command("add", epilog=exit_codes())
@click.argument("about", type=utf8, metavar="QUESTION|CANDIDATE")
@click.argument("words", type=utf8)
@click.option("--reply-to", type=utf8, default="", metavar="ID", help="The comment that this one answers.")
@json_option
@pass_invocation
def add(invocation: Invocation, about: str, words: str, reply_to: str) -> None:
    """Say WORDS of a question, or of an answer to it; - reads them from standard input."""
    text = typed.words(words)
    with invocation.open() as workspace:
        question_id, candidate_id = _subject(workspace, about)
        answered = ids.statement(workspace, reply_to) if reply_to else ""
        made = statements.add(
            workspace,
            reviewers.current(workspace),
            StatementKind.COMMENT,
            question_id,
            Said(text, in_reply_to=answered),
            candidate_id=candidate_id,
        )
    _say(invocation, made, "commented")


@group.command("edit", epilog=exit_codes())
@click.argument("comment", type=utf8)
@click.argument("words", type=utf8)
@json_option
@pass_invocation
def edit(invocation: Invocation, comment: str, words: str) -> None:
    """Give your COMMENT, an id or the first characters of one, other words. The old ones are kept."""
    text = typed.words(words)
    with invocation.open() as workspace:
        made = statements.revise(workspace, reviewers.current(workspace), ids.statement(workspace, comment), text)
    _say(invocation, made, "changed")


@group.command("retract", epilog=exit_codes())
@click.argument("comment", type=utf8)
@json_option
@pass_invocation
def retract(invocation: Invocation, comment: str) -> None:
    """Take back your COMMENT, or an acceptance you recorded. The record of it stays, marked as retracted."""
    with invocation.open() as workspace:
        made = statements.retract(workspace, reviewers.current(workspace), ids.statement(workspace, comment))
    _say(invocation, made, "retracted")


@group.command("accept", epilog=exit_codes())
@click.argument("candidate", type=utf8)
@click.option("--by", type=utf8, required=True, metavar="NAME", help="Who accepted it, by their public name.")
@click.option("--at", type=utf8, default="", metavar="DATE", help="When, as far as you know.")
@click.option("--url", type=utf8, default="", help="Where it can be seen.")
@click.option("--said", type=utf8, default="", metavar="TEXT", help="What the poster said.")
@json_option
@pass_invocation
def accept(invocation: Invocation, candidate: str, by: str, at: str, url: str, said: str) -> None:
    """Record that the question's poster has accepted CANDIDATE. It is evidence of its own, beside verdicts."""
    accepted = checked_acceptance(by, at, url, said)
    with invocation.open() as workspace:
        candidate_id = ids.candidate(workspace, candidate)
        made = statements.add(
            workspace,
            reviewers.current(workspace),
            StatementKind.ACCEPTANCE,
            candidates.get(workspace, candidate_id).question_id,
            accepted,
            candidate_id=candidate_id,
        )
    _say(invocation, made, "recorded as accepted")


@group.command("note", epilog=exit_codes())
@click.argument("question", type=utf8)
@click.argument("words", type=utf8, required=False)
@json_option
@pass_invocation
def note(invocation: Invocation, question: str, words: str | None) -> None:
    """Show your note on QUESTION, or write WORDS in its place; - reads them from standard input.

    Earlier ones are kept as its history. Exported statements have them.
    """
    text = None if words is None else typed.words(words)
    with invocation.open() as workspace:
        reviewer = reviewers.current(workspace)
        questions.get(workspace, question)
        if text is not None:
            notes.leave(workspace, reviewer, question, text, notes.get(workspace, reviewer, question).version)
        stands = notes.get(workspace, reviewer, question)
    if invocation.as_json:
        write_json({"question_id": question, "note": stands.body, "being_written": bool(stands.version)})
    elif stands.body:
        click.echo(clean(stands.body))


def _subject(workspace: Workspace, given: str) -> tuple[str, str]:
    """Question and candidate, the latter "" where the question itself is named."""
    try:
        return questions.get(workspace, given).row.id, ""
    except NotFoundError:
        candidate_id = ids.candidate(workspace, given)
        return candidates.get(workspace, candidate_id).question_id, candidate_id


def _entry_json(one: Entry) -> dict[str, Any]:
    return {**one.statement.record, "about": one.about, "depth": one.depth, "mine": one.mine}


def _say(invocation: Invocation, made: Statement, what: str) -> None:
    if invocation.as_json:
        write_json(made.record)
    else:
        click.echo(clean_line(f"{made.statement_id}  {what}  (revision {made.revision})"))
