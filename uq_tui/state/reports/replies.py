"""How long a scorer's replies are and how unlike each other: what its samples cost, and whether they are many.

Consequence-Based Utility (arXiv 2602.06291v1, Table 5) has tokens per generation, and similarity by an embedding model;
here replies are compared by their words, without a model.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from store import reply_texts
from store.reply_texts import ReplyText
from store.workspace import Workspace
from uq_tui.analysis.diversity import Reply, diversity
from uq_tui.analysis.thinning import evenly
from uq_tui.state.reports.candidate_scores import Given, Row
from uq_tui.state.reports.scorers import Kind, Scorer

MOST_CANDIDATES = 50
"""Candidates whose replies are read."""
MOST_REPLIES = 1_000
"""About so many replies are read, of one candidate at least: comparing a thousand long ones takes some seconds."""
MOST_PAIRS = 100
"""Replies to one prompt that are compared with each other; more hardly move the mean."""


@dataclass(frozen=True, slots=True)
class Replies:
    """A scorer's replies, compared among those to the same prompt. `None` where nothing is known."""

    kind: Kind
    name: str
    candidates: int
    """Whose replies were read."""
    of: int
    """That have some."""
    prompts: int
    """With a reply."""
    replies: int
    distinct: int
    """Different ones, byte by byte, among those to the same prompt."""
    mean_tokens: float | None
    """A generation, reasoning included."""
    tokens_known: int
    """Replies whose length was reported."""
    similarity: float | None
    """Mean over prompts with two replies or more: the mean share of common word triples of two replies."""
    compared: int
    """Prompts behind that."""


def read_replies(ws: Workspace, scorer: Scorer, name: str, rows: Sequence[Row]) -> Replies:
    """Read replies of some candidates, evenly over all, and compare those to the same prompt."""
    own = [(row.place.candidate_id, given) for row in rows if (given := row.given.get(scorer)) is not None]
    drawn = fmean(given.planned for _, given in own) if own else 0.0
    taken = evenly(own, max(1, min(MOST_CANDIDATES, int(MOST_REPLIES / max(1.0, drawn)))))
    prompts = replies = distinct = 0
    tokens: list[int] = []
    similarities: list[float] = []
    for candidate_id, given in taken:
        for texts in _by_prompt(ws, candidate_id, given):
            own_texts = [Reply(one.text, one.tokens, one.temperature, one.cut_off) for one in texts]
            found = diversity(own_texts, most_pairs=MOST_PAIRS)
            prompts += 1
            replies += len(texts)
            distinct += found.draws.distinct or 0
            tokens += [one.tokens for one in texts if one.tokens is not None]
            if found.similarity is not None:
                similarities.append(found.similarity)
    return Replies(
        kind=scorer.kind,
        name=name,
        candidates=len(taken),
        of=len(own),
        prompts=prompts,
        replies=replies,
        distinct=distinct,
        mean_tokens=fmean(tokens) if tokens else None,
        tokens_known=len(tokens),
        similarity=fmean(similarities) if similarities else None,
        compared=len(similarities),
    )


def _by_prompt(ws: Workspace, candidate_id: str, given: Given) -> Sequence[tuple[ReplyText, ...]]:
    if given.utility is not None:
        return tuple(reply_texts.of_rollouts(ws, given.run_id, candidate_id).values())
    found = reply_texts.of_keys(ws, given.call_keys)
    return (found,) if found else ()
