"""All answers as UQ's rows of generated answers: `question_id`, `model_name`, `answer`, `metadata`.

An answer that came from several places has a row for each. What UQ's rows have no key for follows under the keys that
`uq-tui import` reads, where there is something to say. A model that brought no answer has `error` in its place, as UQ
writes it. `question_id` is the post's number on its site, which `metadata` names; of other questions their id here.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from exports.written import MASKED, NO_TEXT, Job, Loss, Losses, OtherFormat, Written, write_lines
from store import attribution, candidates, failed_answers, questions
from store.attribution import Attribution
from store.failed_answers import FailedAnswer
from store.frozen_rows import canonical_json
from store.identity import post_of_link
from store.rows import Candidate, Origin, Question
from store.run_rows import CUT_OFF
from uq_tui.words import AuthorKind, TextFormat

LOSSES = Losses(
    "candidates",
    not_written=(
        Loss(("id", "answer.sha256"), "They are made of the question and the answer.", restored=True),
        Loss(("answer.markdown",), "It is worked out from the answer as it came.", restored=True),
        Loss(("number",), "It counts the rows of a question.", restored=True),
        Loss(("created_at",), "It is when the answer came into this workspace."),
        Loss(("origins.call_key",), "Calls are of this workspace."),
        Loss(("origins.source",), "It is the file that an answer came in, and becomes this one."),
        Loss(("known_label",), "Who judges by such a file is not to have the label in it; `--labels` writes labels."),
    ),
)


def write_answers(job: Job) -> Written:
    """Write the rows, question by question. What may not be seen is left out.

    Raises:
        ExportError: they can't be written; an earlier file is as it was.
    """
    left_out = Counter[str]()
    return write_lines(job.path, map(canonical_json, job.watched(_rows(job, left_out))), left_out)


def _rows(job: Job, left_out: Counter[str]) -> Iterator[dict[str, Any]]:
    failed: dict[str, list[FailedAnswer]] = {}
    for failure in failed_answers.every(job.ws):
        failed.setdefault(failure.question_id, []).append(failure)
    for question_id in dict.fromkeys((*candidates.questions_answered(job.ws), *failed)):
        if question_id in job.without.questions:
            left_out[MASKED] += 1
            continue
        question = questions.get(job.ws, question_id)
        for candidate in candidates.of_question(job.ws, question_id):
            if candidate.answer.sha256:
                yield from rows_of(question, candidate, attribution.of_candidate(job.ws, candidate.id))
            else:
                left_out[NO_TEXT] += 1
        for failure in failed.get(question_id, []):
            yield {**_head(question, failure.model), "error": failure.error, "metadata": metadata_of(question)}


def rows_of(question: Question, candidate: Candidate, posted: Attribution | None) -> Iterator[dict[str, Any]]:
    """A row for each place that an answer came from; `posted` says whose it is where it was posted on a site."""
    about = metadata_of(question)
    if posted is not None and posted.text:
        about["answer_attribution"] = posted.text
    for origin in candidate.origins:
        head = {**_head(question, origin.model), "answer": candidate.answer.raw, "metadata": about}
        yield {**head, **_besides(candidate, origin)}


def _head(question: Question, model: str) -> dict[str, Any]:
    return {"question_id": named(question), "model_name": model}


def named(question: Question) -> str:
    """What UQ's rows call a question: its number on its site, else its id here."""
    post = post_of_link(question.link)
    return str(post[1]) if post is not None and question.row.id == f"{post[0]}:{post[1]}" else question.row.id


def metadata_of(question: Question) -> dict[str, Any]:
    """What UQ's rows say of a question, with its link and whose it is."""
    return {
        "title": question.row.title,
        "tags": list(question.row.tags),
        "site": question.row.site,
        "category": question.category or question.domain,
        "link": question.link,
        "attribution": attribution.of_question(question).text,
    }


def _besides(candidate: Candidate, origin: Origin) -> dict[str, Any]:
    """Further keys, those that say something."""
    text_format = candidate.answer.format
    found = {
        "author_kind": "" if origin.kind is AuthorKind.MODEL else origin.kind.value,
        "system": origin.system,
        "organisation": origin.organisation,
        "base_model": origin.base_model,
        "person": origin.person,
        "prompt": origin.prompt,
        "reasoning": candidate.reasoning,
        "format": "" if text_format is TextFormat.MARKDOWN else text_format.value,
        "finish_reason": CUT_OFF if candidate.cut_off else "",
        "reference": candidate.reference,
    }
    return {key: value for key, value in found.items() if value}


UQ_ANSWERS = OtherFormat(
    name="uq-answers",
    noun="row",
    suffix=".jsonl",
    about="all answers as UQ's rows of generated answers",
    write=write_answers,
    losses=LOSSES,
    of_verdicts=False,
)
