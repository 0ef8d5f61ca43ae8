"""The list of errors of a verdict: quotes added to it, errors changed and taken out."""

from collections.abc import Sequence
from dataclasses import replace

from store.rows import MarkedError, Quote, VerdictForm
from store.verdict_form import MAX_QUOTES
from uq_tui.document.anchors import cut
from uq_tui.errors import UqError
from uq_tui.state.reading.readable import Readable
from uq_tui.words import ErrorCategory


class QuoteError(UqError):
    """What was selected can't be quoted; the message says why."""

    title = "Quote"


def raw_place(readable: Readable, selected: tuple[int, int], answer_sha256: str) -> tuple[int, int]:
    """Where the selected range of what is read stands in the stored answer.

    Raises:
        QuoteError: it is not of that answer, or no sign of it is in the stored text.
    """
    found = readable.to_raw(*selected)
    if found is None:
        if sum(text.to_raw(*selected) is not None for text in readable.texts) > 1:
            raise QuoteError("What is selected is of several texts.", hint="Select words of one answer.")
        if readable.texts:
            raise QuoteError("Nothing of what is selected is in the stored answer.", hint="Select more of it.")
        raise QuoteError(
            "Only a candidate's stored answer can be quoted in a verdict.", hint="C copies what is selected."
        )
    text, start, end = found
    if text.sha256 != answer_sha256:
        raise QuoteError(
            "Only the candidate's answer can be quoted in a verdict: not the question, nor its reasoning.",
            hint="M remarks on what is selected.",
        )
    if not text.raw[start:end].strip():
        raise QuoteError("What is selected has no words.", hint="Select at least one.")
    return start, end


def with_quote(
    form: VerdictForm,
    raw: str,
    start: int,
    end: int,
    *,
    category: ErrorCategory = ErrorCategory.OTHER,
    to: int | None = None,
    claim: str = "",
    problem: str = "",
    fix: str = "",
) -> VerdictForm:
    """The form with code points `start` to `end` of the stored answer quoted: in a new error, or in the one at `to`.

    Raises:
        QuoteError: the error at `to` is gone, or has as many quotes as one may have.
    """
    quote = Quote(*cut(raw, start, end))
    if to is None:
        return replace(form, errors=(*form.errors, MarkedError(category, (quote,), claim, problem, fix)))
    if not 0 <= to < len(form.errors):
        raise QuoteError("The error that was to get this quote is not there any more.", hint="Quote it once more.")
    error = form.errors[to]
    if len(error.quotes) >= MAX_QUOTES:
        raise QuoteError(f"That error has {MAX_QUOTES} quotes already.", hint="Make it an error of its own.")
    grown = replace(
        error,
        quotes=(*error.quotes, quote),
        claim=claim or error.claim,
        problem=problem or error.problem,
        fix=fix or error.fix,
    )
    return replace(form, errors=_put(form.errors, to, grown))


def _put(errors: Sequence[MarkedError], at: int, error: MarkedError) -> tuple[MarkedError, ...]:
    return (*errors[:at], error, *errors[at + 1 :])


def with_error(form: VerdictForm, at: int, error: MarkedError) -> VerdictForm:
    """The form with another error at a place of the list; nothing changes when there is none there."""
    return replace(form, errors=_put(form.errors, at, error)) if 0 <= at < len(form.errors) else form


def without_error(form: VerdictForm, at: int) -> VerdictForm:
    """The form without the error at a place of the list."""
    return replace(form, errors=(*form.errors[:at], *form.errors[at + 1 :])) if 0 <= at < len(form.errors) else form


def open_errors(form: VerdictForm) -> tuple[tuple[int, MarkedError], ...]:
    """The errors that can take one more quote, with their places in the list."""
    return tuple((at, error) for at, error in enumerate(form.errors) if len(error.quotes) < MAX_QUOTES)
