"""Answers with their standing verdicts as flat rows of Argilla, which keep who answered and whether it was submitted.

A row is a record: the fields `question` and `answer`, its metadata, and for each question put to annotators (`verdict`,
`score_0_7`, `confidence`, `rationale`, `question_flags`, `errors`, `error_notes`) three lists of one length:
`NAME.responses`, `NAME.responses.users` (reviewer ids) and `NAME.responses.status`. `errors` are spans of `answer`, in
code points; `error_notes` has in words what was said of each error, those without a place in the answer included.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from exports.standing_rows import Judged, judged, not_asked
from exports.written import Job, Loss, Losses, OtherFormat, Written, write_lines
from store.frozen_rows import canonical_json

_SUBMITTED = "submitted"

LOSSES = Losses(
    "verdict rows",
    is_read=False,
    not_written=(
        Loss(("status",), "Only verdicts that stand are written."),
        Loss(("verdict_id", "revision", "supersedes", "created_at"), "A response has neither an id nor a time."),
        Loss(("candidate_sha256",), "The answer itself is there."),
        Loss((), "A quote without a place in the answer is in `error_notes` only: a span has one."),
        Loss(("errors.quotes.prefix", "errors.quotes.suffix"), "The answer itself is there."),
        Loss(("seconds_total", "schema_version", "record"), "A response is a value and its user."),
        *not_asked("Argilla"),
    ),
)


def write_records(job: Job) -> Written:
    """Write the records, by question and number of the answer. The same verdicts give the same bytes.

    Raises:
        ExportError: they can't be written; an earlier file is as it was.
    """
    left_out = Counter[str]()
    lines = (canonical_json(record_of(one)) for one in judged(job, left_out))
    return write_lines(job.path, lines, left_out)


def record_of(one: Judged) -> dict[str, Any]:
    """The record of an answer."""
    newest = [rows[-1] for rows in one.verdicts]
    return {
        "id": newest[-1]["candidate_id"],
        "status": "completed",
        **one.described,
        "reviewers": [f"{row['reviewer']['id']}: {row['reviewer']['handle']}" for row in newest],
        **{key: value for name, answer in _ASKED.items() for key, value in _responses(name, answer, newest)},
    }


def _responses(
    name: str, answer: Callable[[Mapping[str, Any]], object], rows: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[str, list[object]]]:
    """The three lists of one question; who said nothing to it is in none of them."""
    given = [(answer(row), row["reviewer"]["id"]) for row in rows]
    said = [(value, user) for value, user in given if value not in (None, "", [])]
    yield f"{name}.responses", [value for value, _ in said]
    yield f"{name}.responses.users", [user for _, user in said]
    yield f"{name}.responses.status", [_SUBMITTED for _ in said]


def _spans(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        {"label": error["category"], "start": quote["start"], "end": quote["end"]}
        for error in row["errors"]
        for quote in error["quotes"]
        if quote["start"] is not None
    ]


def _notes(row: Mapping[str, Any]) -> str:
    """A line for each error: its category, its quotes, and what was said of it."""
    lines = []
    for number, error in enumerate(row["errors"], 1):
        quotes = " … ".join(f"“{quote['quote']}”" for quote in error["quotes"])
        said = [f"{key}: {error[key]}" for key in ("claim", "problem", "fix") if error[key]]
        lines.append(f"{number}. " + "; ".join([f"{error['category']} {quotes}".rstrip(), *said]))
    return "\n".join(lines)


_ASKED: Mapping[str, Callable[[Mapping[str, Any]], object]] = {
    "verdict": lambda row: row["label"] or row["not_judged"],
    "score_0_7": lambda row: row["score_0_7"],
    "confidence": lambda row: row["confidence"],
    "rationale": lambda row: row["rationale"],
    "question_flags": lambda row: row["question_flags"],
    "errors": _spans,
    "error_notes": _notes,
}
"""What annotators would be asked, and where a verdict says it."""

ARGILLA = OtherFormat(
    name="argilla",
    noun="record",
    suffix=".jsonl",
    about="flat records of Argilla, an answer each, its standing verdicts as responses",
    write=write_records,
    losses=LOSSES,
)
