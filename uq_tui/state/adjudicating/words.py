"""What conflicts and their verdicts say, in words."""

from collections.abc import Iterator

from store.conflicts import Conflict
from store.opinions import Given
from store.rows import MarkedError
from uq_tui.document.maths.readable import readable_line
from uq_tui.state.adjudicating.matter import Side
from uq_tui.state.people import names_of
from uq_tui.state.quoting import one_line, quoted
from uq_tui.state.reading.marks.entries import Entry
from uq_tui.state.verdict.words import confidence_text, minute, plain
from uq_tui.text import clean_line, counted
from uq_tui.words import ConflictBy, ConflictState, Relation

BY = {
    ConflictBy.VERDICT: "correct, be it borderline, against incorrect",
    ConflictBy.LABEL: "any two of correct, borderline and incorrect",
    ConflictBy.SCORE: "scores that are 2 or more apart",
}
NO_TEXT = "The text of this answer isn't here, so the conflict can't be settled here. Import the answer first."
_NOTHING_MORE = "*No errors are marked, and no rationale is given.*"


def says(given: Given) -> str:
    """What a verdict comes to: `correct, borderline`, `out of depth`."""
    label = given.label or given.not_judged
    return plain(label) if label is not None else ""


def title(conflict: Conflict) -> str:
    """The question on one line, by its id where it has no title."""
    return readable_line(conflict.title) or clean_line(conflict.question_id)


def told(conflict: Conflict) -> str:
    """Who says what: `ada: correct 7/7, bob: incorrect 2/7`."""
    names = names_of(conflict.verdicts)
    return ", ".join(f"{clean_line(names[one.person])}: {says(one)}{_score(one)}" for one in conflict.verdicts)


def _score(given: Given) -> str:
    return "" if given.score_0_7 is None else f" {given.score_0_7}/7"


def standing(conflict: Conflict) -> str:
    """How far it is settled: `open`, `settled by eve: incorrect`, `settled by eve: incorrect, then revised`."""
    by = conflict.adjudication
    if by is None:
        return ConflictState.OPEN.value
    words = f"settled by {clean_line(by.handle)}: {says(by)}"
    return words if conflict.state is ConflictState.SETTLED else f"{words}, but the verdicts have changed since"


def counts(conflicts: tuple[Conflict, ...]) -> str:
    """`12 conflicts, 3 settled, 1 changed since`."""
    settled = sum(one.state is ConflictState.SETTLED for one in conflicts)
    stale = sum(one.state is ConflictState.STALE for one in conflicts)
    parts = [counted(len(conflicts), "conflict"), f"{settled:,} settled" if conflicts else ""]
    return ", ".join(filter(None, (*parts, f"{stale:,} changed since" if stale else "")))


def head(side: Side) -> str:
    """`ada: incorrect 2/7`, behind the verdict's letter."""
    return f"{side.name}: {says(side.given)}{_score(side.given)}"


def whole(side: Side) -> str:
    """All that a verdict says, as Markdown. What the reviewer wrote stays theirs: nothing in it can end a quotation."""
    return "\n\n".join(_parts(side))


def _parts(side: Side) -> Iterator[str]:
    form, given = side.form, side.given
    facts = [f"confidence {confidence_text(form.confidence)}" if form.confidence else ""]
    facts += ["blind" if given.blind else "not blind", minute(given.created_at)]
    facts += [plain(form.relation)] if form.relation is not Relation.OTHER else []
    yield ", ".join(filter(None, facts))
    if form.question_flags:
        yield f"Question: {', '.join(plain(flag) for flag in form.question_flags)}"
    if form.rationale.strip():
        yield form.rationale
    elif not form.errors:
        yield _NOTHING_MORE
    for number, error in enumerate(form.errors, start=1):
        own = [one for one in side.quotes if one.key.startswith(f"{number}.")]
        yield from _error(number, error, own)


def _error(number: int, error: MarkedError, placed: list[Entry]) -> Iterator[str]:
    yield f"**Error {number}**, {plain(one_line(error.category))}"
    for which, quote in enumerate(error.quotes):
        entry = placed[which] if which < len(placed) else None
        lost = f"\n\n*Not marked in the answer: {entry.why}.*" if entry is not None and entry.place is None else ""
        yield f"{quoted(entry.quote if entry is not None else quote.quote)}{lost}"
    for name, text in (("Claim", error.claim), ("Problem", error.problem), ("Fix", error.fix)):
        if text.strip():
            yield f"*{name}:* {text}"
