"""An answer on which two people disagree, with quotes in it."""

from typing import Any

from store import candidates, decisions, reviewers
from store.rows import MarkedError, NewCandidate, Origin, Quote, VerdictForm
from store.workspace import Workspace
from tests.store.reviewing import ADA, BOB
from tests.store.standing import EVE, row
from tests.store.stock import question, take
from uq_tui.document.anchors import cut
from uq_tui.words import AuthorKind, ErrorCategory, Label, TextFormat

ANSWER = "By **Dirac** there is a cycle.\n\nSo it holds for every graph, and also for infinite ones.\n"
MODEL = "secret-model"
FAR = "c" * 64
"""A candidate whose text isn't here."""


def quote(words: str) -> Quote:
    """Words of the answer at their place."""
    at = ANSWER.index(words)
    return Quote(*cut(ANSWER, at, at + len(words)))


RIGHT = VerdictForm(
    label=Label.CORRECT,
    score_0_7=6,
    confidence=4,
    rationale="Dirac does *it*.",
    errors=(MarkedError(ErrorCategory.EXTERNAL_REFERENCES, (quote("**Dirac**"),), "", "Which theorem?", ""),),
)
WRONG = VerdictForm(
    label=Label.INCORRECT,
    score_0_7=2,
    rationale="The last step fails.",
    errors=(
        MarkedError(ErrorCategory.INCORRECT_REASONING, (quote("infinite ones"),), "It carries over.", "No cycle.", ""),
        MarkedError(ErrorCategory.OTHER, (Quote("words elsewhere", None, None, "", ""),), "", "", "Drop."),
    ),
)


def dispute(ws: Workspace, n: int = 1) -> tuple[str, ...]:
    """`n` questions with an answer each, on which Ada and Bob disagree; Eve is known too."""
    for reviewer in (ADA, BOB, EVE):
        reviewers.save(ws, reviewer)
    take(ws, *(question(number) for number in range(n)))
    by = Origin(AuthorKind.MODEL, model=MODEL, source="f")
    new = [NewCandidate(question(number).id, ANSWER, TextFormat.MARKDOWN, by) for number in range(n)]
    keys = candidates.add(ws, new)
    for key in keys:
        decisions.record(ws, ADA, key, RIGHT, based_on=None)
        decisions.record(ws, BOB, key, WRONG, based_on=None)
    return keys


def far_off() -> list[dict[str, Any]]:
    """Rows on `FAR`: two verdicts, what settled them, a revision of one, and what settles them since."""
    ada, bob = row("ada", FAR, ADA, Label.CORRECT, score=7), row("bob", FAR, BOB, Label.INCORRECT, score=1)
    again = row("bob", FAR, BOB, Label.INCORRECT, revision=2, day=3)
    early = row("eve", FAR, EVE, Label.CORRECT, day=2, settles=["ada#1", "bob#1"])
    late = row("eve", FAR, EVE, Label.INCORRECT, revision=2, day=4, settles=["ada#1", "bob#2"])
    return [ada, bob, early, again, late]
