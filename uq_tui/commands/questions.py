"""`uq-tui questions`: find questions and candidates, and read them as text."""

import dataclasses

import click

from store import attribution, neighbours, questions, reviewers
from store.rows import Candidate, Neighbour, Question, Text
from uq_tui.commands import blind, display
from uq_tui.commands.groups import ListingGroup
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.commands.question_list import list_questions, list_views, row_json
from uq_tui.commands.revealing import Known, reveal
from uq_tui.state.resolving import told_of
from uq_tui.text import clean, clean_line
from uq_tui.words import NeighbourUse

_NO_QUESTION = (
    "(The text of this question is not in this workspace: the question is known from an imported verdict. `uq-tui"
    " import` the file that holds it.)"
)
_NO_ANSWER = (
    "(The text of this answer is not in this workspace: the answer is known from an imported verdict. `uq-tui import`"
    " the file that holds it, or the answer itself with `--question`.)"
)


@click.group("questions", cls=ListingGroup, epilog=exit_codes())
def group() -> None:
    """List questions, or show one with its candidates. Plain `questions` lists."""


group.add_command(list_questions)
group.add_command(list_views)


@group.command("show", epilog=exit_codes())
@click.argument("question_id", type=utf8, metavar="QUESTION")
@click.option(
    "--reveal",
    "revealed",
    is_flag=True,
    help="Also show who wrote each candidate, its reasoning, outcomes, scores, audits, utility, outside scores, what "
    "runs elsewhere found, and known label. "
    "This is recorded: your later verdicts on these candidates are not blind. Refused while a queue of yours masks it.",
)
@json_option
@pass_invocation
def show_question(invocation: Invocation, question_id: str, revealed: bool) -> None:
    """Show a question and its candidates as Markdown, with their ids."""
    with invocation.open() as workspace:
        question = questions.get(workspace, question_id)
        if revealed:
            blind.refuse(workspace, question_id=question_id)
        answers = blind.candidates_of(workspace, question_id)
        around = neighbours.of_question(workspace, question_id)
        known = reveal(workspace, question_id, answers) if revealed else {}
        blind.note_read(workspace, [one.id for one in answers])
        resolution = told_of(workspace, reviewers.current(workspace), question_id)
    if invocation.as_json:
        write_json({**_question_json(question, answers, around, known), "resolution": resolution})
    else:
        click.echo(clean(_as_markdown(question, answers, around, known, resolution)))


def _as_markdown(
    question: Question,
    answers: tuple[Candidate, ...],
    around: tuple[Neighbour, ...],
    known: dict[str, Known],
    resolution: str,
) -> str:
    row = question.row
    facts = {
        "id": row.id,
        "status": row.status.value,
        "tags": ", ".join(row.tags),
        "asked": row.asked_at or "",
        "attribution": attribution.of_question(question).text,
        "resolution": resolution,
        "dataset version": question.dataset_version,
        "neighbours": _neighbours_text(around),
    }
    lines = [f"# {clean_line(row.title)}", ""]
    lines += [f"- {name}: {clean_line(value)}" for name, value in facts.items() if value]
    lines += ["", question.body.markdown.rstrip() if question.body.sha256 else _NO_QUESTION]
    for one in answers:
        cut_off = " (cut off at the length limit)" if one.cut_off else ""
        lines += ["", f"# {one.called}  {display.short_id(one.id)}{cut_off}", ""]
        if one.id in known:
            lines += [*(f"- {clean_line(fact)}" for fact in known[one.id].facts()), ""]
            if one.reasoning:
                lines += ["## Reasoning", "", one.reasoning.rstrip(), "", "## Answer", ""]
        lines.append(one.answer.markdown.rstrip() if one.answer.sha256 else _NO_ANSWER)
    return "\n".join(lines)


def _neighbours_text(around: tuple[Neighbour, ...]) -> str:
    aside = sum(one.use is NeighbourUse.SET_ASIDE for one in around)
    return f"{len(around)}, {aside} of them set aside" if aside else str(len(around))


def _text_json(text: Text) -> dict[str, str]:
    return {"sha256": text.sha256, "format": text.format.value, "raw": text.raw}


def _question_json(
    question: Question, answers: tuple[Candidate, ...], around: tuple[Neighbour, ...], known: dict[str, Known]
) -> dict[str, object]:
    return {
        **row_json(question.row),
        "body": _text_json(question.body),
        "link": question.link,
        "author": question.author,
        "licence": question.licence,
        "attribution": dataclasses.asdict(attribution.of_question(question)),
        "dataset_version": question.dataset_version,
        "neighbours": [
            {"id": one.id, "number": one.number, "statement": one.statement, "answer": one.answer, "use": one.use.value}
            for one in around
        ],
        "candidates": [
            {
                "id": one.id,
                "number": blind.number(one),
                "letter": one.letter,
                "answer": _text_json(one.answer),
                "cut_off": one.cut_off,
                "known": known[one.id].as_json() if one.id in known else None,
            }
            for one in answers
        ],
    }
