"""`uq-tui curate`: choose unsolved questions by the funnel of Unsolved Questions; rules, models, then people."""

from collections.abc import Iterable
from pathlib import Path

import click
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

from store import curation_lists, curations, ratings, reviewers
from store.curation_rows import Curation
from store.identity import canonical_host
from store.workspace import Workspace
from uq_tui.commands import blind, curation_shown, display, planned, revealing, running, stopping
from uq_tui.commands.invocation import (
    LARGEST,
    Invocation,
    exit_codes,
    json_option,
    pass_invocation,
    utf8,
    write_json,
)
from uq_tui.commands.typed import text_of, words
from uq_tui.curation import passing, thresholds
from uq_tui.curation.funnel import funnel
from uq_tui.engine.requests import MOST_QUESTIONS, CurateRequest, ModelChoice
from uq_tui.errors import EXIT_INTERRUPTED, NotFoundError, UqError
from uq_tui.state.curating.standing import as_seen
from uq_tui.text import clean, clean_line, counted
from uq_tui.words import Criterion, CurationStage, Exposure, QuestionDecision, Rule

_SHOWN = 100
_DECIDED = {
    QuestionDecision.KEEP: "kept",
    QuestionDecision.REJECT: "rejected",
    QuestionDecision.PARAPHRASE: "kept in other words",
}
_REASONS = [*(one.value for one in (*Rule, *Criterion)), QuestionDecision.REJECT.value]

name_option = click.option(
    "--name", type=utf8, default="", metavar="NAME", help="The pass; the newest one where none is named."
)
site_option = click.option("--site", type=utf8, default="", metavar="HOST", help="Only questions of this site.")


@click.group("curate", epilog=exit_codes())
def group() -> None:
    """Choose unsolved questions by a funnel: rules, then models, then people.

    A pass of the funnel goes by a name, and by rules that stay as they were when it was begun.
    """


@group.command("thresholds")
def print_thresholds() -> None:
    """Print the thresholds that ship with uq-tui, to be changed and given to `curate rules --rules FILE`.

    They are the published values of the paper, each with its source.
    """
    click.echo(thresholds.default_toml(), nl=False)


@group.command("rules", epilog=exit_codes(nothing="the rules can't be read, or nothing was applied"))
@click.option("--name", type=utf8, required=True, metavar="NAME", help="The pass to begin, or to go on with.")
@click.option(
    "--rules",
    "source",
    type=utf8,
    default="",
    metavar="FILE",
    help="Thresholds as TOML; - reads standard input. The paper's where none are given.",
)
@click.option(
    "--site", "sites", type=utf8, multiple=True, metavar="HOST", help="Only questions of this site, or of several."
)
@json_option
@pass_invocation
@click.pass_context
def apply_rules(ctx: click.Context, invocation: Invocation, name: str, source: str, sites: tuple[str, ...]) -> None:
    """Begin a pass, and apply its rules to every question that is in the workspace now.

    Ctrl-C stops; the same command goes on from there. Rules that change are another pass.
    """
    text = text_of(source) if source else ""
    if text:
        thresholds.parse(text, source)
    with invocation.open() as workspace, stopping.stoppable() as stop:
        curation = _begun(workspace, name, text, tuple(sorted({_host(site) for site in sites})))
        with Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TaskProgressColumn(),
            TimeElapsedColumn(),
            console=display.note_console(),
            disable=not display.note_console().is_terminal,
            transient=True,
        ) as progress:
            task = progress.add_task("rules", total=None)
            curation = passing.apply_rules(
                workspace,
                curation.id,
                lambda done, total: progress.update(task, completed=done, total=total),
                stop.is_set,
            )
        _show_funnel(invocation, workspace, curation)
    if not curation.ruled:
        click.echo("Stopped; the same command goes on from here.", err=True)
        ctx.exit(EXIT_INTERRUPTED)


@group.command("models", epilog=running.EPILOG)
@name_option
@site_option
@running.model_options
@click.option(
    "--rater",
    "raters",
    type=utf8,
    multiple=True,
    required=True,
    metavar="ID",
    help="A model that rates questions with their answers. Several take turns.",
)
@click.option(
    "--limit",
    type=click.IntRange(1, MOST_QUESTIONS),
    default=MOST_QUESTIONS,
    show_default=True,
    help="Questions at most; those with most votes first.",
)
@running.fresh_option
@running.budget_options
@json_option
@pass_invocation
@click.pass_context
def models(
    ctx: click.Context,
    invocation: Invocation,
    name: str,
    site: str,
    model: str,
    api_base: str,
    raters: tuple[str, ...],
    limit: int,
    fresh: bool,
    budget_usd: float | None,
    budget_tokens: int | None,
) -> None:
    """Have a model answer the questions that the rules have left, and raters rate them with that answer.

    Calls that fail decide nothing: such questions stay where they are, and are asked again by the next run. Questions
    that you judge blind are left out.
    """
    with invocation.open() as workspace:
        curation = _chosen(workspace, name)
        waiting = ratings.waiting(
            workspace, curation.id, site=_host(site), leave_out=blind.masked(workspace), limit=limit
        )
        if not waiting:
            raise UqError(
                f"No question of {curation.name!a} waits for models.",
                hint="`uq-tui curate show` tells where they stand.",
            )
        choices = tuple(ModelChoice(rater, api_base) for rater in raters)
        request = CurateRequest(curation.id, waiting, ModelChoice(model, api_base), choices, fresh)
        calls = planned.of_curation(request, thresholds.parse(curation.rules).model.ratings)
        code = running.run_request(
            invocation, workspace, request, calls, budget_usd=budget_usd, budget_tokens=budget_tokens
        )
    ctx.exit(code)


@group.command("show", epilog=exit_codes())
@name_option
@json_option
@pass_invocation
def show(invocation: Invocation, name: str) -> None:
    """Show how many questions came to each stage, fell, wait, and went on, beside the paper's numbers.

    Each question is counted once. What fell because a figure is not known is told apart.
    """
    with invocation.open() as workspace:
        _show_funnel(invocation, workspace, _chosen(workspace, name))
        found = curations.all_of(workspace)
    if not invocation.as_json and len(found) > 1:
        click.echo()
        display.print_table(curation_shown.passes_table(found))


@group.command("path", epilog=exit_codes())
@click.argument("question_id", type=utf8, metavar="QUESTION")
@name_option
@json_option
@pass_invocation
def show_path(invocation: Invocation, question_id: str, name: str) -> None:
    """Show how far QUESTION came, why it fell, how it was rated, and what people decided on it."""
    with invocation.open() as workspace:
        curation = _chosen(workspace, name)
        path = curations.require_path(workspace, curation.id, question_id)
        blind.refuse(workspace, question_id=question_id)
        _record(workspace, curation, [question_id])
        if invocation.as_json:
            write_json(curation_shown.path_json(path))
            return
        click.echo(clean_line(f"{question_id}: {curation_shown.where_text(path.place, hidden=False)}"))
        if path.answer is not None:
            answer = path.answer
            said = display.short_id(answer.candidate_id) if answer.candidate_id else f"{answer.state}: {answer.reason}"
            click.echo(clean_line(f"answer: {said}"))
        if path.ratings:
            display.print_table(curation_shown.ratings_table(path))
        handles = {one.id: one.handle for one in reviewers.all_of(workspace)}
        for review in path.reviews:
            decision = review.decision or "taken back"
            who = handles.get(review.reviewer_id, review.reviewer_id)
            click.echo(clean_line(f"{display.minute(review.created_at)}, {who}: {decision}. {review.reason}"))
            if review.title:
                click.echo(clean(f"{clean_line(review.title)}\n\n{review.body}"))


@group.group("review", epilog=exit_codes())
def review() -> None:
    """List the questions that wait for people, decide on them, take a decision back."""


@review.command("list", epilog=exit_codes())
@name_option
@site_option
@click.option(
    "--stage",
    type=click.Choice([stage.value for stage in CurationStage]),
    default=CurationStage.REVIEW.value,
    show_default=True,
    help="Where they stand.",
)
@click.option("--fell", type=click.Choice(_REASONS), metavar="REASON", help="Those that fell there for this instead.")
@click.option("--limit", type=click.IntRange(1, LARGEST), default=_SHOWN, show_default=True, help="At most so many.")
@json_option
@pass_invocation
def list_questions(invocation: Invocation, name: str, site: str, stage: str, fell: str | None, limit: int) -> None:
    """List the questions that stand at a stage, in order of arrival: those that wait for review by default."""
    with invocation.open() as workspace:
        curation = _chosen(workspace, name)
        page = curation_lists.page(
            workspace, curation.id, CurationStage(stage), fell or "", site=_host(site), limit=limit
        )
        masked = blind.masked(workspace)
        rows = [one for one in page.rows if as_seen(one, one.question_id in masked) is not None]
        _record(workspace, curation, [one.question_id for one in rows if one.question_id not in masked])
    if invocation.as_json:
        listed = [curation_shown.placed_json(one, masked) for one in rows]
        write_json({"name": curation.name, "questions": listed, "more": page.next_after is not None})
    elif rows:
        display.print_table(curation_shown.placed_table(rows, masked))
    else:
        click.echo("There are none.", err=True)
    if page.next_after is not None and not invocation.as_json:
        click.echo(f"There are more than {limit:,}: --limit raises that.", err=True)


@review.command("decide", epilog=exit_codes())
@click.argument("question_id", type=utf8, metavar="QUESTION")
@click.argument("decision", type=click.Choice([one.value for one in QuestionDecision]))
@name_option
@click.option("--reason", type=utf8, default="", metavar="TEXT", help="Why; - reads standard input.")
@click.option("--title", type=utf8, default="", metavar="TEXT", help="The title of a paraphrase.")
@click.option(
    "--file", type=click.Path(path_type=Path), metavar="FILE", help="A text file with the paraphrase, in Markdown."
)
@json_option
@pass_invocation
def decide(
    invocation: Invocation,
    question_id: str,
    decision: str,
    name: str,
    reason: str,
    title: str,
    file: Path | None,
) -> None:
    """Keep or reject QUESTION, or keep it in other words. Deciding again replaces what you decided."""
    body = text_of(str(file)) if file is not None else ""
    with invocation.open() as workspace:
        curation = _chosen(workspace, name)
        mine = reviewers.current(workspace).id
        chosen = QuestionDecision(decision)
        curations.decide(workspace, mine, curation.id, question_id, chosen, words(reason), title, body)
    _tell(invocation, curation, question_id, _DECIDED[chosen])


@review.command("undo", epilog=exit_codes())
@click.argument("question_id", type=utf8, metavar="QUESTION")
@name_option
@json_option
@pass_invocation
def undo(invocation: Invocation, question_id: str, name: str) -> None:
    """Take back what was decided on QUESTION: it waits for review again."""
    with invocation.open() as workspace:
        curation = _chosen(workspace, name)
        curations.undo_decision(workspace, reviewers.current(workspace).id, curation.id, question_id)
    _tell(invocation, curation, question_id, "waits for review again")


def _tell(invocation: Invocation, curation: Curation, question_id: str, said: str) -> None:
    if invocation.as_json:
        write_json({"curation": curation.name, "question_id": question_id, "now": said})
    else:
        click.echo(clean_line(f"{question_id}: {said}"))


def _record(workspace: Workspace, curation: Curation, question_ids: Iterable[str]) -> None:
    """Record that what raters found of these questions' answers is shown, where there is some."""
    paths = (curations.path(workspace, curation.id, question_id) for question_id in question_ids)
    answers = [path.answer for path in paths if path is not None and path.ratings and path.answer is not None]
    rated = [(one.question_id, one.candidate_id) for one in answers if one.candidate_id is not None]
    revealing.record(workspace, rated, Exposure.SCORES)


def _begun(workspace: Workspace, name: str, text: str, sites: tuple[str, ...]) -> Curation:
    """The pass of this name; begun now where there is none. Raises UqError: it was begun with other rules or sites."""
    known = next((one for one in curations.all_of(workspace) if one.name == name.strip()), None)
    if known is None:
        return curations.begin(workspace, name, text or thresholds.default_toml(), sites)
    if (text and text != known.rules) or (sites and sites != known.sites):
        other = "rules" if text and text != known.rules else "sites"
        raise UqError(
            f"The pass {known.name!a} was begun with other {other}.", hint="Begin another pass with these: --name NAME."
        )
    return known


def _chosen(workspace: Workspace, name: str) -> Curation:
    """The pass of this name, the newest for "". Raises NotFoundError."""
    if name:
        return curations.by_name(workspace, name)
    found = curations.all_of(workspace)
    if not found:
        raise NotFoundError("There is no pass of the funnel yet.", hint="`uq-tui curate rules --name NAME` begins one.")
    return found[0]


def _host(site: str) -> str:
    host = canonical_host(site)
    if site and not host:
        raise click.BadParameter(f"{site!a} is no site.", param_hint="--site")
    return host


def _show_funnel(invocation: Invocation, workspace: Workspace, curation: Curation) -> None:
    found = funnel(curations.counts(workspace, curation.id))
    if invocation.as_json:
        write_json(curation_shown.funnel_json(curation, found))
        return
    questions = counted(found.stages[0].entered, "question")
    click.echo(clean_line(f"{curation.name}: {questions}, {found.kept:,} kept"))
    display.print_table(curation_shown.stages_table(found))
    for kind, lines in (("domain", found.domains), ("site", found.sites)):
        if lines:
            click.echo()
            display.print_table(curation_shown.lines_table(kind, lines))
