"""`uq-tui resolve`: say that a question is solved, or that it isn't, and see who said so before."""

from typing import Any

import click

from store import candidates, resolutions, reviewers
from uq_tui.commands import blind, ids
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.errors import NotFoundError
from uq_tui.state.resolving import Matter, past_text, read
from uq_tui.text import clean_line, counted
from uq_tui.words import RESOLVED, Relation, Resolution

_NOT_RESOLVED = (
    "Recorded. It counts as resolved once a verifier says so: by default the original poster or a domain expert."
    " Are you one? `--verifier` says it."
)


@click.command("resolve", epilog=exit_codes())
@click.argument("question", type=utf8)
@click.option("--state", type=click.Choice([one.value for one in Resolution]), help="Where it stands.")
@click.option("--why", type=utf8, default="", metavar="TEXT", help="Why; it is needed with --state.")
@click.option("--candidate", type=utf8, default="", metavar="ID", help="The answer that solves it.")
@click.option(
    "--credit", type=utf8, default="", metavar="NAME", help="Who solved it; by default the candidate's author."
)
@click.option(
    "--verifier",
    type=click.Choice([one.value for one in Relation]),
    help="On whose word; by default what you are to the question.",
)
@click.option("--url", type=utf8, default="", metavar="URL", help="Where it can be seen.")
@click.option("--retract", is_flag=True, help="Take back the newest thing you said of it.")
@click.option("--history", is_flag=True, help="All that was ever said of it, the oldest first.")
@json_option
@pass_invocation
def resolve(
    invocation: Invocation,
    question: str,
    state: str | None,
    why: str,
    candidate: str,
    credit: str,
    verifier: str | None,
    url: str,
    retract: bool,
    history: bool,
) -> None:
    """Say where QUESTION stands: open, with an accepted answer, resolved, withdrawn. Without --state, see it.

    The newest word of those whose word resolves a question decides: posters and domain experts. Whoever else says that
    it is solved gets no further than that an answer is accepted. Refused while you judge the problem blind.
    """
    if retract and state:
        raise click.UsageError("--retract takes back what was said, --state says something: one of them.")
    if not state and (why or candidate or credit or verifier or url):
        raise click.UsageError("Say where it stands with --state.")
    with invocation.open() as workspace:
        blind.refuse(workspace, question_id=question)
        reviewer = reviewers.current(workspace)
        if retract:
            resolutions.retract(workspace, reviewer, question)
        elif state:
            candidate_id = ids.candidate(workspace, candidate) if candidate else ""
            if candidate_id and candidates.get(workspace, candidate_id).question_id != question:
                raise NotFoundError(
                    f"The candidate {candidate} is no answer to {question}.",
                    hint=f"`uq-tui questions show {question}` lists those that are.",
                )
            resolutions.resolve(
                workspace,
                reviewer,
                question,
                Resolution(state),
                why=why,
                candidate_id=candidate_id,
                credit=clean_line(credit),
                verifier=Relation(verifier) if verifier else None,
                evidence_url=clean_line(url),
            )
        matter = read(workspace, reviewer, question)
    if invocation.as_json:
        write_json(_as_json(matter, history=history))
        return
    click.echo(f"{clean_line(question)}  {matter.head}")
    if state in RESOLVED and matter.stands.state not in RESOLVED:
        click.echo(_NOT_RESOLVED, err=True)
    if history:
        for one in matter.past:
            click.echo(past_text(one, matter.called))
        click.echo(counted(len(matter.past), "statement"), err=True)


def _as_json(matter: Matter, *, history: bool) -> dict[str, Any]:
    word = matter.stands.word
    said = {
        "question_id": matter.question.row.id,
        "resolution": matter.stands.state.value,
        "credit": word.said.credit if word else "",
        "verifier": word.said.verifier.value if word else "",
        "candidate_id": word.candidate_id if word else "",
        "statement_id": word.statement_id if word else "",
    }
    return {**said, "history": [one.statement.record for one in matter.past]} if history else said
