"""What differs between two forms of a verdict: between revisions, and between the drafts of two windows."""

from collections.abc import Iterator
from typing import NamedTuple

from store.rows import MarkedError, VerdictForm
from uq_tui.state.verdict.words import NOTHING, confidence_text, error_text, label_text, plain


class Change(NamedTuple):
    """A field and what it says in either form, in words; `nothing` where it is empty. Foreign text is as it came."""

    field: str
    before: str
    after: str


def changes(before: VerdictForm, after: VerdictForm) -> tuple[Change, ...]:
    """All fields that differ, in the order of the form. Times don't count, nor do places of quotes."""
    return tuple(change for change in _pairs(before, after) if change.before != change.after)


def _pairs(before: VerdictForm, after: VerdictForm) -> Iterator[Change]:
    yield Change("verdict", label_text(before), label_text(after))
    yield Change("final answer", _word(before.final_answer), _word(after.final_answer))
    yield Change("derivation", _word(before.derivation), _word(after.derivation))
    yield Change("confidence", confidence_text(before.confidence), confidence_text(after.confidence))
    yield Change("score", _number(before.score_0_7), _number(after.score_0_7))
    yield from _errors(before.errors, after.errors)
    yield Change("question", _flags(before.question_flags), _flags(after.question_flags))
    yield Change("you are", plain(before.relation), plain(after.relation))
    yield Change("rationale", before.rationale or NOTHING, after.rationale or NOTHING)


def _errors(before: tuple[MarkedError, ...], after: tuple[MarkedError, ...]) -> Iterator[Change]:
    """Errors by their places in the list, once those that are the same in both are left out."""
    gone, new = _without(before, after), _without(after, before)
    for nth in range(max(len(gone), len(new))):
        yield Change(
            "error", _error(gone[nth]) if nth < len(gone) else NOTHING, _error(new[nth]) if nth < len(new) else NOTHING
        )


def _without(errors: tuple[MarkedError, ...], others: tuple[MarkedError, ...]) -> list[MarkedError]:
    left = [_bare(error) for error in others]
    kept = []
    for error in errors:
        if _bare(error) in left:
            left.remove(_bare(error))
        else:
            kept.append(error)
    return kept


def _bare(error: MarkedError) -> tuple[object, ...]:
    return error.category, tuple(quote.quote for quote in error.quotes), error.claim, error.problem, error.fix


def _error(error: MarkedError) -> str:
    """All that it says, so that errors that differ are told apart."""
    said = [error_text(MarkedError(error.category, error.quotes))]
    said += [f"“{quote.quote}”" for quote in error.quotes[1:]]
    said += [
        f"{name}: {text}"
        for name, text in (("claim", error.claim), ("problem", error.problem), ("fix", error.fix))
        if text
    ]
    return "; ".join(said)


def _word(word: str | None) -> str:
    return plain(word) if word else NOTHING


def _number(number: int | None) -> str:
    return NOTHING if number is None else str(number)


def _flags(flags: tuple[str, ...]) -> str:
    return ", ".join(plain(flag) for flag in flags) or NOTHING
