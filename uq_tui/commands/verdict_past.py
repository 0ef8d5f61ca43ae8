"""`uq-tui verdict history` and `verdict drafts`: what a reviewer has said so far, and what is not recorded yet."""

from typing import Any

import click
from rich.text import Text

from store import blindness, candidates, drafts, reviewers
from store.rows import VerdictForm
from store.workspace import Workspace
from uq_tui.commands import display, ids
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.state.verdict.history import Step, history
from uq_tui.state.verdict.words import ROLES, given, label_text
from uq_tui.text import clean, counted
from uq_tui.words import VerdictRole


@click.command("history", epilog=exit_codes())
@click.argument("candidate", type=utf8)
@json_option
@pass_invocation
def history_command(invocation: Invocation, candidate: str) -> None:
    """All revisions of your verdicts on CANDIDATE, the oldest first, with what each has changed."""
    with invocation.open() as workspace:
        candidate_id = ids.candidate(workspace, candidate)
        me, question_id = reviewers.current(workspace).id, candidates.get(workspace, candidate_id).question_id
        steps, masked = history(workspace, me, candidate_id), blindness.is_masked(workspace, me, question_id)
    if invocation.as_json:
        write_json({"candidate_id": candidate_id, "revisions": [_as_json(step, masked=masked) for step in steps]})
        return
    for step in steps:
        verdict = step.verdict
        seen = "" if masked else ", blind" if verdict.blind else ", not blind"
        said = f"revision {verdict.revision}: {given(verdict)}{seen}{ROLES[step.role]}"
        click.echo(f"{display.minute(verdict.created_at)}  {said}")
        for change in step.changes:
            before = f"{_indented(change.before)} -> " if verdict.revision > 1 else ""
            click.echo(f"    {change.field}: {before}{_indented(change.after)}")
    click.echo(counted(len(steps), "revision"), err=True)


def _indented(text: str) -> str:
    return clean(text).replace("\n", "\n        ")


def _as_json(step: Step, *, masked: bool) -> dict[str, Any]:
    verdict = step.verdict
    return {
        "verdict_id": verdict.verdict_id,
        "revision": verdict.revision,
        "status": verdict.status.value,
        "label": verdict.label.value if verdict.label else "",
        "not_judged": verdict.not_judged.value if verdict.not_judged else "",
        "blind": None if masked else verdict.blind,
        "role": step.role.value,
        "created_at": verdict.created_at,
        "changes": [{"field": one.field, "before": one.before, "after": one.after} for one in step.changes],
    }


@click.command("drafts", epilog=exit_codes())
@click.argument("candidate", type=utf8, required=False)
@json_option
@pass_invocation
def drafts_command(invocation: Invocation, candidate: str | None) -> None:
    """Your drafts, of all candidates or of CANDIDATE.

    Copies are what another window's draft has taken the place of, or was preferred to. Nothing is recorded of either.
    """
    with invocation.open() as workspace:
        wanted = ids.candidate(workspace, candidate) if candidate else ""
        found = [one for one in _found(workspace) if not wanted or one["candidate_id"] == wanted]
    if invocation.as_json:
        write_json({"drafts": [{**one, "form": _form(one["form"])} for one in found]})
        return
    shown = display.table("candidate", "kind", "verdict", "errors", "written (UTC)", "rationale", fold=("rationale",))
    for one in found:
        form = one["form"]
        cells = (display.short_id(one["candidate_id"]), one["kind"], label_text(form), len(form.errors))
        row = [*map(display.cell, cells), display.cell(display.minute(one["written_at"]))]
        shown.add_row(*row, display.cell(form.rationale) if not wanted else Text(clean(form.rationale)))
    display.print_table(shown)
    click.echo(counted(len(found), "draft"), err=True)


def _found(workspace: Workspace) -> list[dict[str, Any]]:
    """Drafts, then copies; those of an answer that is to be judged once more only as far as they are of that."""
    me = reviewers.current(workspace).id
    hidden = blindness.repeated(workspace, me)
    kept = [
        {
            "candidate_id": key,
            "kind": "draft",
            "role": role.value,
            "id": "",
            "written_at": one.updated_at,
            "form": one.form,
        }
        for key, role, one in drafts.of_reviewer(workspace, me)
    ]
    copies = [
        {
            "candidate_id": one.candidate_id,
            "kind": "copy",
            "role": one.role.value,
            "id": one.id,
            "written_at": one.kept_at,
            "form": one.form,
        }
        for one in drafts.copies(workspace, me)
    ]
    return [one for one in (*kept, *copies) if one["role"] == VerdictRole.REPEAT or one["candidate_id"] not in hidden]


def _form(form: VerdictForm) -> dict[str, Any]:
    return {
        "label": form.label.value if form.label else "",
        "not_judged": form.not_judged.value if form.not_judged else "",
        "score_0_7": form.score_0_7,
        "confidence": form.confidence,
        "rationale": form.rationale,
        "errors": [
            {
                "category": error.category,
                "quotes": [quote.quote for quote in error.quotes],
                "claim": error.claim,
                "problem": error.problem,
                "fix": error.fix,
            }
            for error in form.errors
        ],
        "question_flags": list(form.question_flags),
        "relation": form.relation.value,
    }
