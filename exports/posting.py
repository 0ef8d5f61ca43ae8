"""An answer as Markdown that can be posted on the question's site, with all that readers there have to be told of it.

Whether it may be posted is for the site to say: `policy` has what is known of that.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from exports.atomic import publish, staged
from exports.markdown_text import plain
from exports.standing_rows import standing_on
from store import attribution, calls, candidates, questions, sites
from store.identity import text_sha256
from store.rows import Candidate, Origin, Question, Verdict
from store.sites import Policy
from store.verdict_rows import settles
from store.workspace import Workspace
from uq_tui.errors import ExportError, NotFoundError
from uq_tui.text import clean_in_place
from uq_tui.words import AuthorKind, PostingRule

_DAY = 10


@dataclass(frozen=True, slots=True)
class Posting:
    """An answer that is ready to be posted."""

    question: Question
    candidate: Candidate
    policy: Policy
    """What the question's site says to answers that a machine wrote."""
    by_machine: bool
    """Also where nobody knows who wrote it."""
    text: str
    """The whole Markdown."""

    @property
    def is_forbidden(self) -> bool:
        """Whether the site does not take it."""
        return self.by_machine and self.policy.rule is PostingRule.FORBIDDEN


def prepare(ws: Workspace, candidate_id: str) -> Posting:
    """Put together what is to be posted. It names the author and verdicts, so not while a problem is judged blind.

    Raises:
        NotFoundError: there is no such candidate, or its text is not here.
    """
    candidate = candidates.get(ws, candidate_id)
    if not candidate.answer.sha256:
        raise NotFoundError(f"The text of candidate {candidate_id} is not in this workspace.", hint="Import it first.")
    question = questions.get(ws, candidate.question_id)
    by_machine = not candidate.origins or any(one.kind is not AuthorKind.PERSON for one in candidate.origins)
    said = [*_about(ws, candidate), *_checked(standing_on(ws, candidate)), *_source(ws, question, candidate)]
    notes = "\n".join(f"- {clean_in_place(line)}" for line in said)
    text = f"{clean_in_place(candidate.answer.markdown).rstrip()}\n\n---\n\nAbout this answer:\n\n{notes}\n"
    return Posting(question, candidate, sites.policy_of(question.row.site), by_machine, text)


def export_for_posting(posting: Posting, path: Path, *, anyway: bool = False) -> None:
    """Write an answer's Markdown to `path`; the file appears whole, in place of an earlier one, or not at all.

    Raises:
        ExportError: its site forbids such answers, and it is not to be written `anyway`; or it can't be written.
    """
    if posting.is_forbidden and not anyway:
        raise ExportError(
            f"{sites.name_of(posting.question.row.site)} does not take it: {posting.policy.text}",
            hint=f"Look at {posting.policy.look_at}. `--anyway`, or its key in the app, writes the file nevertheless.",
        )
    with staged(path) as file:
        file.write(posting.text.encode("utf-8", "backslashreplace"))
        publish(file)


def _about(ws: Workspace, candidate: Candidate) -> Iterator[str]:
    """Who or what wrote it."""
    if not candidate.origins:
        yield "It is not known who or what wrote it."
    for origin in candidate.origins:
        if origin.kind is AuthorKind.PERSON:
            yield f"It was written by {plain(origin.person) or 'a person'}."
        else:
            yield f"It was written by a machine, not by whoever posts it: {_machine(origin)}."
            if prompt := _prompt(ws, origin):
                yield prompt
    if candidate.cut_off:
        yield "It ended at the length limit of the model."


def _machine(origin: Origin) -> str:
    parts = (
        origin.system and f"the system {plain(origin.system)}",
        origin.model and f"the model {plain(origin.model)}",
        origin.base_model and f"made from {plain(origin.base_model)}",
        origin.organisation and f"by {plain(origin.organisation)}",
    )
    return ", ".join(part for part in parts if part) or "which one is not known"


def _prompt(ws: Workspace, origin: Origin) -> str:
    """What it was asked with, by name and hash."""
    call = calls.get(ws, origin.call_key) if origin.call_key else None
    if call is not None and call.template:
        version = f" {plain(call.template_version)}" if call.template_version else ""
        return f"Its prompt is the template {plain(call.template)}{version} (sha256 {call.template_sha256})."
    return f"Its prompt has the sha256 {text_sha256(origin.prompt)}." if origin.prompt else ""


def _checked(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """Who has checked it, and what they say."""
    if not verdicts:
        yield "No person has checked it."
    for one in verdicts:
        reviewer = one.record["reviewer"]
        who = f"{plain(reviewer['handle'])} ({plain(reviewer['relation'].replace('_', ' '))})"
        said = one.label or one.not_judged
        what = said.value.replace("_", " ") if said else "nothing"
        did = "Settled between what others said" if settles(one.record) else "Checked"
        yield f"{did} by {who} on {one.created_at[:_DAY]}: {what}."


def _source(ws: Workspace, question: Question, candidate: Candidate) -> Iterator[str]:
    """Whose the question is, and the answer where it was posted before."""
    asked = plain(attribution.of_question(question).text)
    yield f"It answers “{plain(question.row.title)}”{f', {asked}' if asked else ''}."
    posted = attribution.of_candidate(ws, candidate.id)
    if posted is not None and posted.text:
        yield f"It was posted before {plain(posted.text)}."
